package register

import (
	"context"
	"time"

	"gpatlas/modules/accounts/internal/mailtoken"
	"gpatlas/modules/accounts/internal/password"
	"gpatlas/modules/accounts/internal/session"
	"gpatlas/modules/accounts/internal/throttle"
	"gpatlas/modules/accounts/internal/user"
	"gpatlas/platform/apperr"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/jobs"
	"gpatlas/platform/plaintext"
)

// Service registers accounts.
type Service struct {
	db        *database.DB
	clock     clock.Clock
	users     *user.Store
	passwords *password.Hasher
	sessions  *session.Service
	attempts  *throttle.Service
	queue     *jobs.Enqueuer
	schools   user.Schools
}

// NewService works on db.
func NewService(
	db *database.DB, clk clock.Clock, passwords *password.Hasher,
	sessions *session.Service, attempts *throttle.Service, queue *jobs.Enqueuer, schools user.Schools,
) *Service {
	return &Service{
		db: db, clock: clk, users: user.NewStore(db), passwords: passwords,
		sessions: sessions, attempts: attempts, queue: queue, schools: schools,
	}
}

// Spec: not shown; the answer to a stranger shows which addresses have accounts. A person who has forgotten an account needs that
// answer, so it stays, and registrations are limited by IP address. Sign-in and requests for a reset link do not show it.
var errInUse = apperr.New(apperr.KindConflict, "An account with this email address already exists")

const throttledText = "Too many accounts were requested from this IP address; try again later"

// Register creates an account, signs it in and enqueues the verification mail, all in one transaction. Of concurrent
// registrations with one address one succeeds.
//
// Spec: not shown; the address of a deleted account is in use until the account is purged, because it may be recovered.
func (s *Service) Register(ctx context.Context, form Form, from session.Client) (*user.User, session.Tokens, error) {
	form = form.clean()
	if list := form.faults(); list != nil {
		return nil, session.Tokens{}, apperr.Invalid(list...)
	}
	if err := s.attempts.Spend(ctx, throttle.Mail(from.Address), throttledText); err != nil {
		return nil, session.Tokens{}, err
	}
	hash, err := s.passwords.Hash(ctx, form.Password)
	if err != nil {
		return nil, session.Tokens{}, err
	}
	u := s.account(form, hash, s.clock.Now().Truncate(time.Microsecond)) // PostgreSQL's precision
	var tokens session.Tokens
	err = s.db.InTx(ctx, func(ctx context.Context) error {
		inserted, err := s.users.Insert(ctx, u)
		if err != nil {
			return err
		}
		if !inserted {
			return errInUse
		}
		if tokens, err = s.sessions.Open(ctx, u.ID, from); err != nil {
			return err
		}
		return mailtoken.Enqueue(ctx, s.queue, mailtoken.Verify, u.ID)
	})
	if err != nil {
		return nil, session.Tokens{}, err
	}
	return u, tokens, nil
}

// account is the row of a new account. Access rights depend only on the address.
func (s *Service) account(f Form, hash string, now time.Time) *user.User {
	a := user.Assign(f.Email, s.schools, now)
	return &user.User{
		Email: f.Email, EmailKey: user.Key(f.Email), FullName: f.FullName, Company: plaintext.Optional(f.Company), JobTitle: plaintext.Optional(f.JobTitle),
		UseCase: plaintext.Optional(f.UseCase), MarketingConsent: f.MarketingConsent, PasswordHash: hash,
		Tier: a.Tier, School: a.School, GraduationYear: a.GraduationYear, SubscriptionPlan: a.SubscriptionPlan, APITier: a.APITier,
		TrialEndsAt: a.TrialEndsAt, OnboardingStep: 1, CreatedAt: now, UpdatedAt: now, LastLoginAt: &now,
	}
}
