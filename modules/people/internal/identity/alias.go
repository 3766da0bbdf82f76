package identity

import "context"

// SameAs gives, for each of some uids, the former ones that lead to it.
func (s *Service) SameAs(ctx context.Context, uids []string) (map[string][]string, error) {
	return s.store.aliases(ctx, uids)
}

// Currents follows former uids to those that are used now; others lead to themselves.
func (s *Service) Currents(ctx context.Context, uids []string) (map[string]string, error) {
	return s.store.currents(ctx, uids)
}
