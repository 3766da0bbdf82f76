// Package reset lets people who have forgotten their password choose a new one, by the link in a mail.
package reset

import (
	"context"
	"net/netip"
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
)

// Service resets passwords.
type Service struct {
	db        *database.DB
	clock     clock.Clock
	users     *user.Store
	tokens    *mailtoken.Store
	passwords *password.Hasher
	sessions  *session.Service
	attempts  *throttle.Service
	queue     *jobs.Enqueuer
	store     *store
}

// NewService works on db.
func NewService(
	db *database.DB, clk clock.Clock, passwords *password.Hasher,
	sessions *session.Service, attempts *throttle.Service, queue *jobs.Enqueuer,
) *Service {
	return &Service{
		db: db, clock: clk, users: user.NewStore(db), tokens: mailtoken.NewStore(db), passwords: passwords,
		sessions: sessions, attempts: attempts, queue: queue, store: &store{db},
	}
}

// errToken is the error for every invalid token, whatever the reason.
var errToken = apperr.New(apperr.KindInvalid, "Invalid or expired reset token")

const throttledText = "Too many reset links were requested from this IP address; try again later"

// Forgot has a reset link mailed to an address, if it has an account and at most three were requested within the hour.
//
// Nothing reveals whether the address is known, including the time: for every address, one transaction counts the request,
// looks up the account's number and writes one job. For an address without an account, with a deleted one, or over the limit,
// the job has no account, and does nothing when it runs. The token, the text and the mail are made in the job. No password is
// hashed. Requests over the limit are also written, though not counted.
//
// The limit per IP address covers all addresses, and its error is visible.
//
// Spec: not shown; a text that is no email address is rejected, because it can belong to no account.
func (s *Service) Forgot(ctx context.Context, address string, from netip.Addr) error {
	address = strings.TrimSpace(address)
	if fault := user.EmailFault(address); fault != "" {
		return apperr.Invalid(apperr.FieldError{Field: "email", Message: fault})
	}
	return s.db.InTx(ctx, func(ctx context.Context) error {
		if err := s.attempts.Spend(ctx, throttle.Mail(from), throttledText); err != nil {
			return err
		}
		taken, err := s.attempts.Take(ctx, throttle.Use{Rule: throttle.ForgotPassword, Subject: user.Key(address)})
		if err != nil {
			return err
		}
		id, err := s.store.holder(ctx, address)
		if err != nil {
			return err
		}
		if taken.Wait > 0 {
			id = 0
		}
		return mailtoken.Enqueue(ctx, s.queue, mailtoken.Reset, id)
	})
}

// Check reports whether a mailed token is still valid; the error is that of Reset. It does not use the token.
func (s *Service) Check(ctx context.Context, secret string) error {
	_, _, err := s.find(ctx, secret)
	return err
}

// find returns a valid token and its account.
func (s *Service) find(ctx context.Context, secret string) (*mailtoken.Row, *user.User, error) {
	found, err := s.tokens.Find(ctx, mailtoken.Reset, secret)
	if err != nil {
		return nil, nil, err
	}
	if found == nil {
		return nil, nil, errToken
	}
	u, err := s.users.FindByID(ctx, found.UserID)
	if err != nil {
		return nil, nil, err
	}
	if !found.Good(u, s.clock.Now()) {
		return nil, nil, errToken
	}
	return found, u, nil
}

// Reset sets a new password by a mailed token. The token can be used once: of concurrent requests one succeeds. All sessions of
// the account end, failed sign-ins with its address are cleared, and its holder is notified by mail.
//
// The token is checked first: without a valid one no password is hashed. It is used in the transaction that sets the password,
// so a rejected password leaves it valid.
func (s *Service) Reset(ctx context.Context, secret, fresh string) error {
	found, u, err := s.find(ctx, secret)
	if err != nil {
		return err
	}
	if fault := password.Fault(fresh, u.Email); fault != "" {
		return apperr.Invalid(apperr.FieldError{Field: "new_password", Message: fault})
	}
	hash, err := s.passwords.Hash(ctx, fresh)
	if err != nil {
		return err
	}
	return s.db.InTx(ctx, func(ctx context.Context) error {
		now := s.clock.Now().UTC().Truncate(time.Microsecond) // PostgreSQL's precision
		u, err := s.users.Lock(ctx, found.UserID)
		if err != nil {
			return err
		}
		if !found.Good(u, now) {
			return errToken
		}
		used, err := s.tokens.Use(ctx, found, now)
		if err != nil {
			return err
		}
		if !used {
			return errToken
		}
		if err := s.tokens.End(ctx, u.ID, mailtoken.Reset, now); err != nil {
			return err
		}
		if err := s.users.Update(ctx, u.ID, map[string]any{"password_hash": hash, "updated_at": now}); err != nil {
			return err
		}
		// Strangers who tried passwords must not keep the owner from signing in with the new one.
		if err := s.attempts.ClearSignIns(ctx, u.Email); err != nil {
			return err
		}
		if _, err := s.sessions.EndAll(ctx, u.ID, session.ByPassword, ""); err != nil {
			return err
		}
		return mailing.Enqueue(ctx, s.queue, mailing.PasswordChanged, u.ID, now)
	})
}
