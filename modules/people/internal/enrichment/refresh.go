package enrichment

import "context"

// RefreshPerson gives the profile; until the providers are built it asks nobody. Then it asks the providers anew about a person whom Profile finds. stale says that all of those that were asked failed, and
// that the profile is what was known before; where nothing was known before, the error is of kind unavailable.
func (s *Service) RefreshPerson(ctx context.Context, uid string) (p Profile, stale bool, err error) {
	p, err = s.Profile(ctx, uid)
	return p, false, err
}
