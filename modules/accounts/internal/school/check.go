package school

import (
	"context"
	"time"

	"gpatlas/modules/accounts/internal/user"
	"gpatlas/platform/jobs"
)

// Job looks for students who have graduated, or have missed the survey for a month.
const Job = "accounts.school_check"

const (
	batch   = 500
	timeout = time.Hour
)

// Checked is what a check did.
type Checked struct {
	Graduated int // out of the programme
	Lapsed    int // lowered to the free plan until the survey is answered
}

// Check ends the free access of students whose year of graduation is over, and takes it from those who have not answered
// the survey in a whole calendar month (UTC), until they answer it. The month of the registration is not asked for. A plan or
// an API tier that the account has subscribed to is not touched.
//
// Spec: not shown what becomes of an account that misses the survey; the month may be answered to its last second, then the
// plan is free and the API tier starter, and the tier's name stays, which marks it: Answer gives the access back at once.
// Spec: not shown what becomes of graduates; they get what a registration with their address would get now, but no trial.
func (s *Service) Check(ctx context.Context) (Checked, error) {
	now := s.clock.Now().UTC().Truncate(time.Microsecond) // as the database keeps it
	var c Checked
	for {
		n, err := s.graduate(ctx, now)
		c.Graduated += n
		if err != nil {
			return c, err
		}
		if n < batch {
			break
		}
	}
	var err error
	c.Lapsed, err = s.store.lapse(ctx, now, before(now))
	return c, err
}

func (s *Service) graduate(ctx context.Context, now time.Time) (int, error) {
	n := 0
	err := s.db.InTx(ctx, func(ctx context.Context) error {
		list, err := s.store.graduates(ctx, now.Year(), batch)
		if err != nil {
			return err
		}
		for _, g := range list {
			a := user.Assign(g.Email, s.schools, now)
			columns := map[string]any{"updated_at": now}
			switch {
			case g.GivenPlan && a.Tier == user.TierStudent:
				columns["tier"], columns["subscription_plan"] = a.Tier, a.SubscriptionPlan
			case g.GivenPlan:
				columns["tier"], columns["subscription_plan"] = user.PlanFree, user.PlanFree
			}
			if g.GivenTier {
				columns["api_tier"] = user.APIStarter
			}
			if err := s.users.Update(ctx, g.ID, columns); err != nil {
				return err
			}
		}
		n = len(list)
		return nil
	})
	if err != nil {
		return 0, err
	}
	return n, nil
}

// Handlers are the jobs of the programme.
func Handlers(s *Service) []jobs.Handler {
	return []jobs.Handler{{Type: Job, Timeout: timeout, Retries: 3, Run: func(ctx context.Context, _ []byte) error {
		_, err := s.Check(ctx)
		return err
	}}}
}

// Schedules are the times of the check: daily, soon after the day, the month and the year begin (UTC).
func Schedules() []jobs.Schedule {
	return []jobs.Schedule{{Type: Job, Cron: "10 0 * * *", Bucket: jobs.Daily}}
}
