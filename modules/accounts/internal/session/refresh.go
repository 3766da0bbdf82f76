package session

import (
	"context"

	"gpatlas/modules/accounts/internal/token"
)

// Refresh returns new tokens for a refresh token, which can be used once. A second use ends the session, unless it comes within
// reuseGrace. In both cases the token is refused like an unknown one.
func (s *Service) Refresh(ctx context.Context, refresh string) (Tokens, error) {
	hash := token.Hash(refresh)
	var tokens Tokens
	refused := false // not an error, which would roll back the end of the session
	err := s.db.InTx(ctx, func(ctx context.Context) error {
		now := s.clock.Now()
		found, session, err := s.store.lockRefresh(ctx, hash)
		if err != nil {
			return err
		}
		if found == nil || session == nil || session.EndedAt != nil || !session.ExpiresAt.After(now) || !found.ExpiresAt.After(now) {
			refused = true
			return nil
		}
		if found.UsedAt != nil {
			refused = true
			if now.Sub(*found.UsedAt) < reuseGrace {
				return nil
			}
			_, err := s.store.end(ctx, session.UserID, session.ID, ByReuse, now)
			return err
		}
		account, err := s.users.FindByID(ctx, session.UserID)
		if err != nil {
			return err
		}
		used := false
		if account != nil && !account.Deleted() {
			if used, err = s.store.use(ctx, hash, now); err != nil {
				return err
			}
		}
		if !used {
			refused = true
			return nil
		}
		if err := s.store.prolong(ctx, session.ID, now, now.Add(RefreshLifetime)); err != nil {
			return err
		}
		tokens, err = s.issue(ctx, session.UserID, session.ID, now)
		return err
	})
	switch {
	case err != nil:
		return Tokens{}, err
	case refused:
		return Tokens{}, errInvalid
	}
	return tokens, nil
}
