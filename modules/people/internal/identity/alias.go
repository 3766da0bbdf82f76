package identity

import "context"

// SameAs gives, for each of some uids, the former ones that lead to it.
func (s *Service) SameAs(ctx context.Context, uids []string) (map[string][]string, error) {
	return s.store.aliases(ctx, uids)
}

// Knows says whether filings name a person of this uid, or of the one that it leads to.
func (s *Service) Knows(ctx context.Context, uid string) (bool, error) {
	to, err := s.store.currents(ctx, []string{uid})
	if err != nil {
		return false, err
	}
	posts, err := s.store.posts(ctx, to[uid])
	return len(posts) > 0, err
}

// Currents follows former uids to those that are used now; others lead to themselves.
func (s *Service) Currents(ctx context.Context, uids []string) (map[string]string, error) {
	return s.store.currents(ctx, uids)
}
