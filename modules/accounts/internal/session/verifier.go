package session

import (
	"context"
	"time"

	"gpatlas/platform/auth"
)

// VerifySession recognizes the caller of a request by the access token of a session: it implements auth.SessionVerifier. A
// valid token is not enough: the session must be current, and its account must not be deleted.
func (s *Service) VerifySession(ctx context.Context, text string) (*auth.Principal, error) {
	claims, err := s.signer.Verify(text)
	if err != nil {
		return nil, errInvalid.Wrap(err)
	}
	now := s.clock.Now()
	found, err := s.store.caller(ctx, claims.SessionID, claims.UserID, now)
	if err != nil {
		return nil, err
	}
	if found == nil {
		return nil, errInvalid
	}
	return s.principal(ctx, found, claims.UserID, claims.SessionID, now), nil
}

// principal is the caller of a session, whose last use it stores.
func (s *Service) principal(ctx context.Context, c *caller, userID int64, session string, now time.Time) *auth.Principal {
	if now.Sub(c.LastActive) >= touchInterval {
		// The time of the last use is only shown: a request does not fail because of it.
		if err := s.store.touch(ctx, session, now); err != nil {
			s.log.WarnContext(ctx, "the last use of a session was not stored", "error", err)
		}
	}
	plan := auth.PlanNow(c.Plan, c.TrialEnds, now)
	return &auth.Principal{
		Kind: auth.Session, UserID: userID, SessionID: session, APITier: c.APITier,
		Plan: plan, FreeTier: auth.IsFreeTier(plan, c.APITier), Admin: c.Admin, Unverified: c.Unverified,
	}
}

var _ auth.SessionVerifier = (*Service)(nil)
