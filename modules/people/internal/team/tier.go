package team

import (
	"context"
	"slices"

	"gpatlas/modules/people/internal/title"
	"gpatlas/platform/apperr"
)

// tier returns the people of a team that a tier includes, as the caller may see them: the most senior first. count is for tier
// custom alone.
func (s *Service) tier(ctx context.Context, crd, tier string, count *int) (gp, []candidate, error) {
	if (tier == "custom") != (count != nil) {
		message := "is only for tier custom"
		if tier == "custom" {
			message = "is missing: say how many people to buy"
		}
		return gp{}, nil, apperr.Invalid(apperr.FieldError{Field: "count", Message: message})
	}
	firm, all, err := s.roster(ctx, crd, team)
	if err != nil {
		return firm, nil, err
	}
	order(all, bySeniority)
	switch tier {
	case "senior":
		all = upTo(all, title.MD)
	case "investment_team":
		all = upTo(all, title.Associate)
	case "custom":
		all = all[:min(*count, len(all))]
	}
	return firm, s.given(ctx, all), nil
}

// upTo keeps people who are at least as senior as a role.
func upTo(all []candidate, least title.Role) []candidate {
	return slices.DeleteFunc(all, func(p candidate) bool { return p.role.Rank() > least.Rank() })
}
