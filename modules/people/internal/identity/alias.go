package identity

import "context"

// Knows reports whether filings name a person of this uid, or of the one that it leads to.
func (s *Service) Knows(ctx context.Context, uid string) (bool, error) {
	to, err := s.store.currents(ctx, []string{uid})
	if err != nil {
		return false, err
	}
	posts, err := s.store.posts(ctx, to[uid])
	return len(posts) > 0, err
}

// Currents resolves former uids to the current ones; other uids resolve to themselves.
func (s *Service) Currents(ctx context.Context, uids []string) (map[string]string, error) {
	return s.store.currents(ctx, uids)
}
