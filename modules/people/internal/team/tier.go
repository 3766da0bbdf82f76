package team

import (
	"context"
	"slices"

	"gpatlas/modules/people/internal/title"
	"gpatlas/platform/apperr"
	"gpatlas/platform/httpapi"
)

// tier returns the people of a team that a tier includes, as the caller may see them: the most senior first. count is for tier
// custom alone; functions narrow the tier. most is the maximum that unpaid responses show.
//
// Spec: not shown; whether a person that was bought is in a tier would reveal for free the rank and the role of that person among
// the others.
func (s *Service) tier(ctx context.Context, crd, tier string, functions []string, count *int) (firm gp, chosen []candidate, most *httpapi.Bound, err error) {
	if (tier == "custom") != (count != nil) {
		message := "is only for tier custom"
		if tier == "custom" {
			message = "is missing: say how many people to buy"
		}
		return gp{}, nil, nil, apperr.Invalid(apperr.FieldError{Field: "count", Message: message})
	}
	if err := checkFunctions("functions", functions); err != nil {
		return gp{}, nil, nil, err
	}
	firm, all, err := s.roster(ctx, crd, team)
	if err != nil {
		return firm, nil, nil, err
	}
	all, most = choose(all, tier, functions, count)
	return firm, s.given(ctx, all), most, nil
}

// choose returns the people of a tier who have one of some functions, the most senior first and as many as most at the most, and the
// maximum that unpaid responses show. It follows from the counts of the preview, and from how many people the account was not given here.
func choose(all []candidate, tier string, functions []string, most *int) ([]candidate, *httpapi.Bound) {
	bound := httpapi.Bound{Most: withAny(all, functions), Fresh: freshOf(all)}
	chosen := ofTier(all, tier)
	bound.Most = min(bound.Most, len(chosen))
	chosen = have(chosen, functions)
	order(chosen, bySeniority)
	if most != nil {
		bound.Most, chosen = min(bound.Most, *most), chosen[:min(*most, len(chosen))]
	}
	return chosen, &bound
}

// ofTier keeps the people of a tier.
func ofTier(all []candidate, tier string) []candidate {
	switch tier {
	case "senior":
		return upTo(all, title.MD)
	case "investment_team":
		return upTo(all, title.Associate)
	default:
		return all
	}
}

// upTo keeps people who are at least as senior as a role.
func upTo(all []candidate, least title.Role) []candidate {
	return slices.DeleteFunc(all, func(p candidate) bool { return p.role.Rank() > least.Rank() })
}
