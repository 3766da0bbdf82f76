package school

import (
	"context"
	"time"

	"gpatlas/modules/accounts/internal/user"
	"gpatlas/platform/auth"
	"gpatlas/platform/jobs"
)

// Job finds students who have graduated, or have missed the survey for a month.
const Job = "accounts.school_check"

const (
	batch   = 500
	timeout = time.Hour
)

// Checked counts the results of a check.
type Checked struct {
	Graduated int // no longer in the program
	Lapsed    int // lowered to the free plan until the survey is answered
}

// Check ends the free access of students whose year of graduation is over, and suspends it for those who have not answered the
// survey in a whole calendar month (UTC), until they answer it. The month of the registration needs no answer. A plan or an API
// tier that the account has subscribed to is not touched.
//
// Spec: not shown what happens to an account that misses the survey; the month can be answered until its last second, then the
// plan is free and the API tier starter. The tier's name stays as a mark, and Answer restores the access at once. Spec: not
// shown what happens to graduates; they get what a registration with their address would get now, but no trial.
func (s *Service) Check(ctx context.Context) (Checked, error) {
	now := s.clock.Now().UTC().Truncate(time.Microsecond) // PostgreSQL's precision
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
				columns["tier"], columns["subscription_plan"] = auth.PlanFree, auth.PlanFree
			}
			if g.GivenTier {
				columns["api_tier"] = auth.TierStarter
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

// Handlers are the jobs of the program.
func Handlers(s *Service) []jobs.Handler {
	return []jobs.Handler{{Type: Job, Timeout: timeout, Retries: 3, Run: jobs.Plain(s.Check)}}
}
