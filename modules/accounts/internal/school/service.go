package school

import (
	"context"
	"strings"
	"time"

	"gpatlas/modules/accounts/internal/user"
	"gpatlas/platform/apperr"
	"gpatlas/platform/auth"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
)

// Service is the school program.
type Service struct {
	db      *database.DB
	clock   clock.Clock
	users   *user.Store
	schools user.Schools
	store   *store
}

// NewService works on db.
func NewService(db *database.DB, clk clock.Clock, schools user.Schools) *Service {
	return &Service{db: db, clock: clk, users: user.NewStore(db), schools: schools, store: &store{db}}
}

// The messages that callers read.
var (
	errGone     = apperr.New(apperr.KindUnauthenticated, "Could not validate credentials")
	errOutside  = apperr.New(apperr.KindForbidden, "The account is not in the program of this school")
	errOver     = apperr.New(apperr.KindForbidden, "The program ends with the year of graduation")
	errAnswered = apperr.New(apperr.KindConflict, "The survey of this month is already answered")
)

func (s *Service) school(slug string) (user.School, error) {
	found, ok := s.schools.Find(slug)
	if !ok {
		return found, apperr.NotFound("There is no school program %q", slug)
	}
	return found, nil
}

// Verify reports whether an address qualifies for a school's program. No account is read.
func (s *Service) Verify(slug, address string) (Eligibility, error) {
	found, err := s.school(slug)
	if err != nil {
		return Eligibility{}, err
	}
	address = strings.TrimSpace(address) // as registration does
	if fault := user.EmailFault(address); fault != "" {
		return Eligibility{}, apperr.Invalid(apperr.FieldError{Field: "email", Message: fault})
	}
	return eligibility(found, address, s.clock.Now()), nil
}

// Answered is the result of an answer to the survey.
type Answered struct {
	School           string    `json:"school" doc:"Slug of the school." example:"bschool"`
	Month            string    `json:"month" doc:"Calendar month (UTC) of the answer." example:"2026-11"`
	AnsweredAt       time.Time `json:"answered_at" doc:"When (UTC)." example:"2026-11-20T09:30:00.000000Z"`
	NextSurveyAt     time.Time `json:"next_survey_at" doc:"When the next survey opens (UTC)." example:"2026-12-01T00:00:00.000000Z"`
	AccessUntil      time.Time `json:"access_until" doc:"When free access ends without another answer (UTC): the end of the next month, or of the year of graduation." example:"2027-01-01T00:00:00.000000Z"`
	SubscriptionPlan string    `json:"subscription_plan" enum:"free,starter,pro,enterprise" doc:"Plan of the account from now on." example:"pro"`
	APITier          string    `json:"api_tier" enum:"starter,growth,scale" doc:"API tier of the account from now on." example:"growth"`
}

// SchemaName is its name in the OpenAPI document.
func (Answered) SchemaName() string { return "SurveyAnswered" }

// Answer stores a student's answers, once a calendar month (UTC), and restores access that a missed survey has suspended. Of
// concurrent answers one succeeds.
func (s *Service) Answer(ctx context.Context, userID int64, slug string, answers map[string]any) (Answered, error) {
	found, err := s.school(slug)
	if err != nil {
		return Answered{}, err
	}
	encoded, err := checkAnswers(answers)
	if err != nil {
		return Answered{}, err
	}
	var a Answered
	err = s.db.InTx(ctx, func(ctx context.Context) error {
		now := s.clock.Now().UTC().Truncate(time.Microsecond) // PostgreSQL's precision
		u, err := s.users.Lock(ctx, userID)
		if err != nil {
			return err
		}
		if err := takesPart(u, found, now); err != nil {
			return err
		}
		first, err := s.store.add(ctx, u.ID, MonthOf(now), encoded, now)
		if err != nil {
			return err
		}
		if !first {
			return errAnswered
		}
		a = Answered{
			School: found.Slug, Month: string(MonthOf(now)[:len("2026-11")]), AnsweredAt: now, NextSurveyAt: next(now),
			AccessUntil: until(now, *u.GraduationYear), SubscriptionPlan: u.SubscriptionPlan, APITier: u.APITier,
		}
		// The lowest values were lost with a missed survey or the end of a subscription; others were granted or paid for.
		columns, granted := map[string]any{}, found.Grant()
		if u.SubscriptionPlan == auth.PlanFree {
			a.SubscriptionPlan = granted.SubscriptionPlan
			columns["tier"], columns["subscription_plan"] = granted.Tier, a.SubscriptionPlan
		}
		if u.APITier == auth.TierStarter {
			a.APITier = granted.APITier
			columns["api_tier"] = a.APITier
		}
		if len(columns) == 0 {
			return nil
		}
		columns["updated_at"] = now
		return s.users.Update(ctx, u.ID, columns)
	})
	if err != nil {
		return Answered{}, err
	}
	return a, nil
}

// takesPart reports why an account is not part of a school's program, or nil.
func takesPart(u *user.User, of user.School, now time.Time) error {
	switch {
	case u == nil || u.Deleted():
		return errGone
	case u.School == nil || *u.School != of.Slug || u.GraduationYear == nil:
		return errOutside
	case *u.GraduationYear < now.Year():
		return errOver
	}
	return nil
}

// until is when the access that an answer brings ends without another one.
func until(now time.Time, graduation int) time.Time {
	end := next(next(now))
	if graduated := time.Date(graduation+1, 1, 1, 0, 0, 0, 0, time.UTC); graduated.Before(end) {
		return graduated
	}
	return end
}
