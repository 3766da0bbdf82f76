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

// Sessions ends the sessions of an account; *session.Service does.
type Sessions interface {
	EndAll(ctx context.Context, userID int64, reason session.Reason, exceptSessionID string) (int, error)
}

// Service deletes, recovers and purges accounts.
type Service struct {
	db        *database.DB
	clock     clock.Clock
	users     *user.Store
	tokens    *mailtoken.Store
	passwords *password.Hasher
	sessions  Sessions
	attempts  *throttle.Service
	queue     *jobs.Enqueuer
	personal  *module.Personal
	store     *store
}

// NewService works on db.
func NewService(
	db *database.DB, clk clock.Clock, passwords *password.Hasher, sessions Sessions,
	attempts *throttle.Service, queue *jobs.Enqueuer, personal *module.Personal,
) *Service {
	return &Service{
		db: db, clock: clk, users: user.NewStore(db), tokens: mailtoken.NewStore(db), passwords: passwords,
		sessions: sessions, attempts: attempts, queue: queue, personal: personal, store: &store{db},
	}
}

// The sentences that callers read. The first is login's, for a failure must not tell which it was.
var (
	errCredentials = apperr.New(apperr.KindUnauthenticated, "Incorrect email address or password")
	errPassword    = apperr.New(apperr.KindUnauthenticated, "Incorrect password")
	errGone        = apperr.New(apperr.KindUnauthenticated, "Could not validate credentials")
	errActive      = apperr.New(apperr.KindConflict, "The account is not deleted; sign in as usual")
)

const throttledText = "Too many failed sign-ins; try again later"

// Delete marks the caller's account as deleted, ends its sessions and mailed tokens, has the other modules do their part
// (keys are revoked, the subscription is cancelled), and has its holder told by mail: all or nothing. What the account has
// saved stays, for the recovery.
//
// Spec: not shown how a wrong password is answered; 401, and it counts as a failed sign-in: whoever has somebody's session
// must not be able to try passwords here without limit.
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
	for _, l := range s.personal.Listeners {
		if err := l.AccountDeleted(ctx, u.ID); err != nil {
			return err
		}
	}
	return mailing.Enqueue(ctx, s.queue, mailing.AccountDeleted, u.ID, now)
}

// Recover makes a deleted account active again, by its address and password and within thirty days. It opens no session,
// and revoked keys stay revoked.
//
// Nothing in its failure tells whether the address is known: an unknown one, a wrong password and an account that can no
// longer be recovered are refused as a sign-in is, after the same work, and count as failed sign-ins do.
// Spec: not shown what is answered for an account that is not deleted; with the right password, 409.
func (s *Service) Recover(ctx context.Context, address, secret string, from session.Client) (email string, at time.Time, err error) {
	address = strings.TrimSpace(address) // as registration does
	known := address
	if user.EmailFault(known) != "" {
		known = "" // nobody's, and not for the database: it takes no NUL
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

// withPassword runs work in a transaction that has the account's row locked, if the password is right. u may be nil: the
// same work is done, one hash, and wrong is the answer, as it is to a wrong password. Attempts are counted and refused as
// those of signing in are; one that succeeds, and one without a verdict, is taken back.
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
	case err != nil: // no verdict, no failure
		_ = s.attempts.Forgive(context.WithoutCancel(ctx), attempt) // at worst it stays counted for a quarter of an hour
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
	if err != nil && !errors.Is(err, wrong) { // the password was right, or there is no verdict
		_ = s.attempts.Forgive(context.WithoutCancel(ctx), attempt)
	}
	return err
}

// stillHolds asks again what may have changed since the password was checked: the account may be purged, and its password
// reset, or only hashed anew by a sign-in.
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

// now is the instant as the database keeps it, so that the mail about it names the same.
func (s *Service) now() time.Time { return s.clock.Now().UTC().Truncate(time.Microsecond) }
