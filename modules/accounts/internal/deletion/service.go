// Package deletion is the end of an account: deleted by its holder, recovered within thirty days, else purged.
package deletion

import (
	"context"
	"errors"
	"strings"
	"time"

	"gpatlas/modules/accounts/internal/mailing"
	"gpatlas/modules/accounts/internal/mailtoken"
	"gpatlas/modules/accounts/internal/password"
	"gpatlas/modules/accounts/internal/session"
	"gpatlas/modules/accounts/internal/throttle"
	"gpatlas/modules/accounts/internal/user"
	"gpatlas/platform/apperr"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/jobs"
	"gpatlas/platform/module"
)

// Confirmation is what a person types to delete the account, exactly.
const Confirmation = "DELETE"

// Service deletes, recovers and purges accounts.
type Service struct {
	db        *database.DB
	clock     clock.Clock
	users     *user.Store
	tokens    *mailtoken.Store
	passwords *password.Hasher
	sessions  *session.Service
	attempts  *throttle.Service
	queue     *jobs.Enqueuer
	personal  *module.Personal
	store     *store
}

// NewService works on db.
func NewService(
	db *database.DB, clk clock.Clock, passwords *password.Hasher, sessions *session.Service,
	attempts *throttle.Service, queue *jobs.Enqueuer, personal *module.Personal,
) *Service {
	return &Service{
		db: db, clock: clk, users: user.NewStore(db), tokens: mailtoken.NewStore(db), passwords: passwords,
		sessions: sessions, attempts: attempts, queue: queue, personal: personal, store: &store{db},
	}
}

// The messages that callers read. The first is login's, because a failure must not reveal which check failed.
var (
	errCredentials = apperr.New(apperr.KindUnauthenticated, "Incorrect email address or password")
	errPassword    = apperr.New(apperr.KindUnauthenticated, "Incorrect password")
	errGone        = apperr.New(apperr.KindUnauthenticated, "Could not validate credentials")
	errActive      = apperr.New(apperr.KindConflict, "The account is not deleted; sign in as usual")
)

const throttledText = "Too many failed sign-ins; try again later"

// Delete marks the caller's account as deleted, ends its sessions and mailed tokens, has the other modules do their part (keys
// are revoked, the subscription is cancelled), and sends a mail to its holder, all in one transaction. Saved data stays, for
// recovery.
//
// Spec: not shown how a wrong password is answered; 401, and it counts as a failed sign-in: a stolen session must not allow
// unlimited password attempts here.
func (s *Service) Delete(ctx context.Context, userID int64, confirmation, secret string, from session.Client) error {
	if confirmation != Confirmation {
		return apperr.Invalid(apperr.FieldError{Field: "confirmation", Message: "must be " + Confirmation + ", in capital letters"})
	}
	u, err := s.users.FindByID(ctx, userID)
	if err != nil {
		return err
	}
	if u == nil || u.Deleted() {
		return errGone
	}
	return s.withPassword(ctx, u.Email, u, secret, from, errPassword, func(ctx context.Context, u *user.User) error {
		if u.Deleted() {
			return errGone
		}
		return s.delete(ctx, u)
	})
}

func (s *Service) delete(ctx context.Context, u *user.User) error {
	now := s.now()
	if err := s.users.Update(ctx, u.ID, map[string]any{"deleted_at": now, "updated_at": now}); err != nil {
		return err
	}
	if _, err := s.sessions.EndAll(ctx, u.ID, session.ByDeletion, ""); err != nil {
		return err
	}
	for _, purpose := range []mailtoken.Purpose{mailtoken.Verify, mailtoken.Reset} {
		if err := s.tokens.End(ctx, u.ID, purpose, now); err != nil {
			return err
		}
	}
	for _, hear := range s.personal.Deleted {
		if err := hear(ctx, u.ID); err != nil {
			return err
		}
	}
	return mailing.Enqueue(ctx, s.queue, mailing.AccountDeleted, u.ID, now)
}

// Recover makes a deleted account active again, by its address and password and within thirty days. It opens no session, and
// revoked keys stay revoked.
//
// A failure does not reveal whether the address is known: an unknown address, a wrong password and an account that can no
// longer be recovered are refused like a failed sign-in, after the same work, and count as failed sign-ins. Spec: not shown
// what is answered for an account that is not deleted; with the right password, 409.
func (s *Service) Recover(ctx context.Context, address, secret string, from session.Client) (email string, at time.Time, err error) {
	address = strings.TrimSpace(address) // as registration does
	known := address
	if user.EmailFault(known) != "" {
		known = "" // matches no account; PostgreSQL accepts no NUL
	}
	u, err := s.users.FindByEmail(ctx, known)
	if err != nil {
		return "", time.Time{}, err
	}
	err = s.withPassword(ctx, address, u, secret, from, errCredentials, func(ctx context.Context, u *user.User) error {
		now := s.now()
		switch {
		case !u.Deleted():
			return errActive
		case !u.DeletedAt.Add(mailing.RecoveryWindow).After(now):
			return errCredentials
		}
		email, at = u.Email, now
		if err := s.users.Update(ctx, u.ID, map[string]any{"deleted_at": nil, "updated_at": now}); err != nil {
			return err
		}
		return mailing.Enqueue(ctx, s.queue, mailing.AccountRecovered, u.ID, now)
	})
	return email, at, err
}

// withPassword runs work in a transaction that has locked the account's row, if the password is right. u may be nil: the same
// work is done, one hash, and the error is wrong, as for a wrong password. Attempts are counted and refused like sign-ins; an
// attempt that succeeds or that could not be checked is taken back.
func (s *Service) withPassword(ctx context.Context, address string, u *user.User, secret string, from session.Client, wrong error,
	work func(ctx context.Context, u *user.User) error,
) error {
	attempt, err := s.attempts.Take(ctx, throttle.SignIn(address, from.Address)...)
	if err != nil {
		return err
	}
	hash := ""
	if u != nil {
		hash = u.PasswordHash
	}
	match, err := s.passwords.Check(ctx, hash, secret)
	switch {
	case err != nil: // not checked, so no failed attempt
		_ = s.attempts.Forgive(context.WithoutCancel(ctx), attempt) // at worst it counts for a quarter of an hour
		return err
	case attempt.Wait > 0:
		return throttle.TooMany(attempt.Wait, throttledText)
	case !match.OK:
		return wrong
	}
	err = s.db.InTx(ctx, func(ctx context.Context) error {
		locked, err := s.users.Lock(ctx, u.ID)
		if err != nil {
			return err
		}
		if err := s.stillHolds(ctx, locked, hash, secret, wrong); err != nil {
			return err
		}
		if err := s.attempts.Forgive(ctx, attempt); err != nil {
			return err
		}
		return work(ctx, locked)
	})
	if err != nil && !errors.Is(err, wrong) { // the password was right, or could not be checked
		_ = s.attempts.Forgive(context.WithoutCancel(ctx), attempt)
	}
	return err
}

// stillHolds checks again what may have changed since the password was checked: the account may have been purged, its password
// reset, or hashed again by a sign-in.
func (s *Service) stillHolds(ctx context.Context, locked *user.User, checked, secret string, wrong error) error {
	if locked == nil {
		return wrong
	}
	if locked.PasswordHash == checked {
		return nil
	}
	match, err := s.passwords.Check(ctx, locked.PasswordHash, secret)
	if err == nil && !match.OK {
		err = wrong
	}
	return err
}

// now has the database's precision, so that the mail names the same instant.
func (s *Service) now() time.Time { return s.clock.Now().UTC().Truncate(time.Microsecond) }
