package enrichment

import (
	"context"
	"time"

	"gpatlas/platform/apperr"
)

const (
	refreshEach = time.Hour        // a person's providers are not asked again sooner, whoever requests it
	refreshMax  = 25 * time.Second // for all providers together
)

// RefreshPerson asks the providers again about a person that Profile finds, and returns the profile. stale reports that all
// providers failed, so that the profile has their earlier answers. If there are no earlier answers, the error is of kind
// unavailable. Within an hour of the last refresh no provider is asked.
func (s *Service) RefreshPerson(ctx context.Context, uid string) (p Profile, stale bool, err error) {
	p, err = s.Profile(ctx, uid)
	if err != nil || len(s.settings.Providers) == 0 || p.UpdatedAt != nil && s.clock.Now().Before(p.UpdatedAt.Add(refreshEach)) {
		return p, false, err
	}
	flight := s.flights.DoChan(p.PersonUID, func() (any, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), refreshMax)
		defer cancel()
		return s.enrich(ctx, p.PersonUID, "")
	})
	var outcomes map[string]string
	select {
	case <-ctx.Done():
		return Profile{}, false, context.Cause(ctx)
	case done := <-flight:
		if done.Err != nil {
			return Profile{}, false, done.Err
		}
		if got, _ := done.Val.(*queryResults); got != nil {
			outcomes = got.outcomes
		}
	}
	answered := len(outcomes) == 0
	for _, outcome := range outcomes {
		answered = answered || outcome == found || outcome == noMatch || outcome == refused
	}
	if !answered && p.UpdatedAt == nil {
		return Profile{}, false, apperr.Unavailable("The providers of profiles are unavailable; try again")
	}
	p, err = s.Profile(ctx, p.PersonUID)
	return p, !answered, err
}
