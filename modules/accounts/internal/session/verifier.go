package session

import (
	"context"

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
	if now.Sub(found.LastActive) >= touchInterval {
		// The time of the last use is only shown: a request does not fail because of it.
		if err := s.store.touch(ctx, claims.SessionID, now); err != nil {
			s.log.WarnContext(ctx, "the last use of a session was not stored", "error", err)
		}
	}
	plan := auth.PlanNow(found.Plan, found.TrialEnds, now)
	return &auth.Principal{
		Kind: auth.Session, UserID: claims.UserID, SessionID: claims.SessionID, APITier: found.APITier,
		Plan: plan, FreeTier: auth.IsFreeTier(plan, found.APITier), Admin: found.Admin, Unverified: found.Unverified,
	}, nil
}

var _ auth.SessionVerifier = (*Service)(nil)
