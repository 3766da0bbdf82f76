package team

import (
	"context"
	"fmt"
	"slices"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/apperr"
	"gpatlas/platform/httpapi"
)

const unlockPeopleText = `Buys people of up to 100 managers at once, for example the CFOs of all of them, and returns them by manager, the most senior first. Each person is charged once, also one who is on several teams, and not if bought before. If one manager is unknown, nothing is bought. A quote shows the most that it can cost: it counts people on several teams for each, and leaves out only those whom the account has bought at the same manager. ` + "`X-Charge`" + ` shows what was charged. A charge above the account's one-click threshold needs ` + "`confirm`" + `.` + fromText

// unfiledSome is the reason in a response if no loaded document describes some of its managers.
const unfiledSome = "No filing with a Schedule A or B of the managers in unknown_crds was loaded, and no Form D notice names their people"

// UnlockPeopleInput selects people of several teams to buy.
type UnlockPeopleInput struct {
	Body struct {
		CRDs       []string `json:"crds" minItems:"1" maxItems:"100" nullable:"false" doc:"CRD numbers of the managers, each once." example:"[\"998243\"]"`
		Tier       string   `json:"tier" enum:"senior,investment_team,complete" doc:"senior: partners and managing directors. investment_team: partners to associates. complete: everybody." example:"complete"`
		Functions  []string `json:"functions,omitempty" minItems:"1" maxItems:"21" doc:"Only people of the tier with one of these functions." example:"[\"cfo\"]"`
		MaxPerFirm *int     `json:"max_per_firm,omitempty" minimum:"1" maximum:"10000" doc:"Most people of one manager: the most senior ones, those bought before included." example:"2"`
		Confirm    *bool    `json:"confirm,omitempty" doc:"Buy even if the charge is above the one-click threshold." example:"true"`
	}
}

// FirmMember is a person of a team, and whose team it is.
type FirmMember struct {
	CRD string `json:"crd" doc:"CRD number of the manager." example:"998243"`
	Member
}

// SchemaName is its name in the OpenAPI document.
func (FirmMember) SchemaName() string { return "FirmTeamMember" }

// UnlockPeopleMeta describes what was bought of several managers.
type UnlockPeopleMeta struct {
	UnlockMeta

	Unknown []string `json:"unknown_crds" nullable:"false" doc:"Managers whose people are unknown: see reason." example:"[]"`
}

type unlockPeopleBody = httpapi.DataMeta[[]FirmMember, UnlockPeopleMeta]

func (s *Service) handleUnlockPeople(ctx context.Context, in *UnlockPeopleInput) (*httpapi.Reply[unlockPeopleBody], error) {
	if err := in.check(); err != nil {
		return nil, err
	}
	firms, all, err := s.rosters(ctx, in.Body.CRDs, team)
	if err != nil {
		return nil, err
	}
	var chosen []candidate
	most := &httpapi.Bound{} // each manager counts alone: an exact union would show who works for two of them
	for _, crd := range in.Body.CRDs {
		from, until := span(all, crd)
		of, bound := choose(slices.Clone(all[from:until]), in.Body.Tier, in.Body.Functions, in.Body.MaxPerFirm)
		most.Most, most.Fresh = most.Most+bound.Most, most.Fresh+min(bound.Fresh, bound.Most)
		chosen = append(chosen, of...)
	}
	chosen = s.given(ctx, chosen)
	list := make([]FirmMember, len(chosen))
	for i := range chosen {
		p := &chosen[i]
		list[i] = FirmMember{CRD: p.CRD, Member: s.toMember(p, firms[p.CRD], s.clock.Now().UTC())}
	}
	persons := distinct(chosen)
	unknown := slices.DeleteFunc(slices.Clone(in.Body.CRDs), func(crd string) bool { return !firms[crd].Unfiled })
	var why *string
	if len(unknown) > 0 {
		why = new(unfiledSome)
	}
	meta := UnlockPeopleMeta{UnlockMeta: bought(ctx, persons, why), Unknown: unknown}
	meta.Returned = len(list)
	return &httpapi.Reply[unlockPeopleBody]{
		Body: unlockPeopleBody{Data: list, Meta: meta}, Units: units(persons), Places: places(chosen), Bound: most,
		Confirmed: in.Body.Confirm != nil && *in.Body.Confirm,
	}, nil
}

func (in *UnlockPeopleInput) check() error {
	seen := map[string]bool{}
	for i, crd := range in.Body.CRDs {
		field := fmt.Sprintf("crds[%d]", i)
		if !catalogapi.IsCRD(crd) {
			return apperr.Invalid(apperr.FieldError{Field: field, Message: "must be a CRD number: 1 to 10 digits without leading zeros"})
		}
		if seen[crd] {
			return apperr.Invalid(apperr.FieldError{Field: field, Message: "is in the list twice"})
		}
		seen[crd] = true
	}
	return checkFunctions("functions", in.Body.Functions)
}

// span returns where the people of an adviser are in a list that is grouped by adviser.
func span(all []candidate, crd string) (from, until int) {
	from = slices.IndexFunc(all, func(p candidate) bool { return p.CRD == crd })
	if from < 0 {
		return 0, 0
	}
	for until = from; until < len(all) && all[until].CRD == crd; until++ {
	}
	return from, until
}

// distinct returns each person once: who is on several teams is sold once.
func distinct(all []candidate) []candidate {
	seen := make(map[string]bool, len(all))
	return slices.DeleteFunc(slices.Clone(all), func(p candidate) bool {
		unit := p.unit()
		known := seen[unit]
		seen[unit] = true
		return known
	})
}
