package session

import (
	"context"
	"time"

	"gpatlas/modules/accounts/internal/token"
	"gpatlas/platform/auth"
)

// renewInterval is how much of its lifetime a browser's session must have used before a visit extends it: at most one write a
// day.
const renewInterval = 24 * time.Hour

// VerifyBrowser finds the session of a browser by the secret in its cookie: it implements auth.BrowserVerifier. The cookie is
// invalid once the session has ended. A visit extends the session, once a day.
func (s *Service) VerifyBrowser(ctx context.Context, secret string) (*auth.Principal, bool, error) {
	now := s.clock.Now()
	found, err := s.store.browser(ctx, token.Hash(secret), now)
	if err != nil {
		return nil, false, err
	}
	if found == nil {
		return nil, false, errInvalid
	}
	renewed := found.ExpiresAt.Sub(now) <= auth.BrowserLifetime-renewInterval
	if renewed {
		if err := s.store.prolong(ctx, found.ID, now, now.Add(auth.BrowserLifetime)); err != nil {
			return nil, false, err
		}
		found.LastActive = now
	}
	return s.principal(ctx, &found.caller, found.UserID, found.ID, now), renewed, nil
}

var _ auth.BrowserVerifier = (*Service)(nil)
