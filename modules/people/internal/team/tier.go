package team

import (
	"context"
	"slices"

	"gpatlas/modules/people/internal/title"
	"gpatlas/platform/apperr"
	"gpatlas/platform/httpapi"
)

// tier returns the people of a team that a tier includes, as the caller may see them: the most senior first. count is for tier
// custom alone. most is the maximum that unpaid responses show; nil for the whole team.
//
// Spec: not shown; whether a person that was bought is in a tier would reveal for free the rank and the role of that person among
// the others.
func (s *Service) tier(ctx context.Context, crd, tier string, count *int) (firm gp, chosen []candidate, most *httpapi.Bound, err error) {
	if (tier == "custom") != (count != nil) {
		message := "is only for tier custom"
		if tier == "custom" {
			message = "is missing: say how many people to buy"
		}
		return gp{}, nil, nil, apperr.Invalid(apperr.FieldError{Field: "count", Message: message})
	}
	firm, all, err := s.roster(ctx, crd, team)
	if err != nil {
		return firm, nil, nil, err
	}
	whole := units(all)
	order(all, bySeniority)
	switch tier {
	case "senior":
		all = upTo(all, title.MD)
	case "investment_team":
		all = upTo(all, title.Associate)
	case "custom":
		all = all[:min(*count, len(all))]
	}
	if tier != "complete" {
		most = &httpapi.Bound{Units: whole, Most: len(all)}
	}
	return firm, s.given(ctx, all), most, nil
}

// upTo keeps people who are at least as senior as a role.
func upTo(all []candidate, least title.Role) []candidate {
	return slices.DeleteFunc(all, func(p candidate) bool { return p.role.Rank() > least.Rank() })
}
