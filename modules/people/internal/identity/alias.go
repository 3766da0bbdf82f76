package identity

import "context"

// SameAs gives, for each of some uids, the former ones that lead to it.
func (s *Service) SameAs(ctx context.Context, uids []string) (map[string][]string, error) {
	return s.store.aliases(ctx, uids)
}
