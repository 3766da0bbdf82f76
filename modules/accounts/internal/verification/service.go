// Package verification lets people prove that an email address is theirs, by the link in a mail.
package verification

import (
	"context"
	"strconv"
	"time"

	"gpatlas/modules/accounts/internal/mailtoken"
	"gpatlas/modules/accounts/internal/throttle"
	"gpatlas/modules/accounts/internal/user"
	"gpatlas/platform/apperr"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/jobs"
)

// Service verifies addresses.
type Service struct {
	db       *database.DB
	clock    clock.Clock
	users    *user.Store
	tokens   *mailtoken.Store
	attempts *throttle.Service
	queue    *jobs.Enqueuer
}

// NewService works on db.
func NewService(db *database.DB, clk clock.Clock, attempts *throttle.Service, queue *jobs.Enqueuer) *Service {
	return &Service{
		db: db, clock: clk, users: user.NewStore(db),
		tokens: mailtoken.NewStore(db), attempts: attempts, queue: queue,
	}
}

// The messages that callers read. There is one for every invalid token, whatever the reason.
var (
	errToken    = apperr.New(apperr.KindInvalid, "Invalid or expired verification token")
	errVerified = apperr.New(apperr.KindConflict, "Email already verified")
	errGone     = apperr.New(apperr.KindUnauthenticated, "Could not validate credentials")
)

const throttledText = "Too many verification emails were requested; try again later"

// Verify marks the address that a token was sent to as verified. The token can be used once: of concurrent requests one
// succeeds, and the others find the address verified.
//
// Spec: not shown how a used token is answered; like any token of an account whose address is verified: 409. The token of a
// deleted account is invalid: the account must be recovered first.
func (s *Service) Verify(ctx context.Context, secret string) (email string, at time.Time, err error) {
	found, err := s.tokens.Find(ctx, mailtoken.Verify, secret)
	if err == nil && found == nil {
		err = errToken
	}
	if err != nil {
		return "", time.Time{}, err
	}
	err = s.db.InTx(ctx, func(ctx context.Context) error {
		now := s.clock.Now().UTC().Truncate(time.Microsecond) // PostgreSQL's precision
		u, err := s.users.Lock(ctx, found.UserID)
		if err != nil {
			return err
		}
		if u == nil || u.Deleted() || u.EmailKey != found.EmailKey {
			return errToken
		}
		if u.EmailVerifiedAt != nil {
			return errVerified
		}
		used, err := s.tokens.Use(ctx, found, now)
		if err != nil {
			return err
		}
		if !used {
			return errToken
		}
		email, at = u.Email, now
		return s.users.Update(ctx, u.ID, map[string]any{"email_verified_at": now, "updated_at": now})
	})
	return email, at, err
}

// Resend has another verification mail sent, at most three times an hour. The registration's mail is not counted: the contract
// counts requests.
func (s *Service) Resend(ctx context.Context, userID int64) (email string, at time.Time, err error) {
	err = s.db.InTx(ctx, func(ctx context.Context) error {
		u, err := s.users.Lock(ctx, userID)
		switch {
		case err != nil:
			return err
		case u == nil || u.Deleted():
			return errGone
		case u.EmailVerifiedAt != nil:
			return errVerified
		}
		if err := s.attempts.Spend(ctx, throttle.Use{Rule: throttle.VerifyMail, Subject: strconv.FormatInt(userID, 10)}, throttledText); err != nil {
			return err
		}
		email, at = u.Email, s.clock.Now().UTC()
		return mailtoken.Enqueue(ctx, s.queue, mailtoken.Verify, userID)
	})
	return email, at, err
}
