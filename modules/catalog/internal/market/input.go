package market

import (
	"fmt"
	"slices"
	"strings"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/gp"
	"gpatlas/modules/catalog/internal/index"
	"gpatlas/platform/apperr"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/moment"
)

// Input asks for groups.
//
// Spec: not shown; a second grouping, registration_status, manager_type, measures, min_count, limit and the filters of GET /v1/gps beyond
// country, strategy and min_aum are additions.
type Input struct {
	GroupBy    string              `query:"group_by" required:"true" example:"strategy" doc:"What to group by: strategy (primary strategy of the managers), vintage (of funds), geography (country and state of the main office), state (US states), aum_band, registration_status or manager_type. Two separated by a comma make a row of each pair that occurs, such as strategy,state."`
	Measures   httpapi.Opt[string] `query:"measures" example:"total_aum.median,employees.p75" doc:"What else to compute in each row, separated by commas: a quantity (total_aum, fund_gav, fund_count, employees, aum_growth_1y, aum_growth_3y), a dot, and known, sum, avg, median, p25, p75, min or max. With vintage in group_by, only fund_gav."`
	MinCount   httpapi.Opt[int64]  `query:"min_count" minimum:"1" example:"5" doc:"Leaves out rows of fewer managers, or fewer funds with vintage in group_by."`
	Limit      httpapi.Opt[int64]  `query:"limit" minimum:"1" maximum:"5000" example:"100" doc:"Maximum number of rows, 1 to 5000 (default 1000 with two groupings, otherwise all). meta.total counts the rows without it."`
	MinVintage httpapi.Opt[int64]  `query:"min_vintage" minimum:"1900" maximum:"2200" example:"2015" doc:"Earliest vintage year, as vintage_min. With vintage in group_by, of the fund. Otherwise the manager must have a fund within the bounds that is not closed."`
	MaxVintage httpapi.Opt[int64]  `query:"max_vintage" minimum:"1900" maximum:"2200" example:"2024" doc:"Latest vintage year, as vintage_max."`
	gp.Criteria
	moment.Input
}

// defaultRows is the limit with two groupings.
const defaultRows = 1000

// Faults are the faults that the parameters' schemas cannot express and that need no vocabulary.
func (in *Input) Faults() []apperr.FieldError {
	_, faults := in.shape()
	if low, high := in.MinVintage, in.MaxVintage; low.Set && high.Set && low.Value > high.Value {
		faults = append(faults, apperr.FieldError{Field: "min_vintage", Message: fmt.Sprintf("must not be greater than max_vintage (%d > %d)", low.Value, high.Value)})
	}
	return faults
}

// shape is what rows shall have.
func (in *Input) shape() (s shape, faults []apperr.FieldError) {
	s.name = in.GroupBy
	var fault string
	if s.by, fault = parseGroupings(in.GroupBy); fault != "" {
		faults = append(faults, apperr.FieldError{Field: "group_by", Message: fault})
	}
	if list, ok := in.Measures.Get(); ok {
		if s.measures, fault = parseMeasures(list, slices.Contains(s.by, index.GroupVintage)); fault != "" {
			faults = append(faults, apperr.FieldError{Field: "measures", Message: fault})
		}
	}
	return s, faults
}

// parseGroupings reads one grouping, or two that differ.
func parseGroupings(list string) (by []index.Grouping, fault string) {
	const most = 2
	parts := strings.Split(list, ",")
	for _, part := range parts {
		g := index.Grouping(strings.TrimSpace(part))
		if !slices.Contains(index.Groupings, g) || len(parts) > most {
			return nil, "must be one or two of " + names(index.Groupings) + ", separated by a comma" + httpapi.DidYouMean(apperr.Short(string(g)), words(index.Groupings))
		}
		by = append(by, g)
	}
	places := func(g index.Grouping) bool { return g == index.GroupGeography || g == index.GroupState }
	if len(by) == most && (by[0] == by[1] || places(by[0]) && places(by[1])) {
		return nil, "must not group twice by the same: " + list
	}
	return by, ""
}

// words are the names of choices.
func words[S ~string](choices []S) (all []string) {
	for _, c := range choices {
		all = append(all, string(c))
	}
	return all
}

func names[S ~string](choices []S) string { return strings.Join(words(choices), ", ") }

// contract are the filters that the operation has in the contract, or had before it took those of GET /v1/gps.
var contract = []string{"country", "former", "max_vintage", "min_aum", "min_vintage", "strategy", "vintage_max", "vintage_min", "vintage_quality"}

// plain reports whether nothing is asked for beside one of the contract's groupings and the filters above, with one value each where they are
// places or ways of knowing a vintage.
func (s *shape) plain(q *index.GPQuery, filters map[string]any) bool {
	if len(s.by) > 1 || slices.Index(index.Groupings, s.by[0]) >= contractGroupings || len(s.measures) > 0 {
		return false
	}
	for name := range filters {
		if !slices.Contains(contract, name) {
			return false
		}
	}
	return len(q.Words[index.GPCountry].Any) <= 1 && len(q.Fund.Words[index.MatchQuality]) <= 1
}

// contractGroupings is how many of index.Groupings the contract has.
const contractGroupings = 5

// plainQuery is a query that is plain.
func plainQuery(by index.Grouping, q *index.GPQuery) *index.AggregateQuery {
	vintage := &q.Fund.Numbers[index.MatchVintage]
	p := &index.AggregateQuery{
		GroupBy: by, Strategies: q.Strategies.Any, MinAUM: q.Numbers[index.GPAUM].Min, MinVintage: vintage.Min, MaxVintage: vintage.Max, Former: q.Former,
	}
	for _, country := range q.Words[index.GPCountry].Any {
		p.Country = country
	}
	for _, quality := range q.Fund.Words[index.MatchQuality] {
		p.VintageQuality = catalogapi.VintageQuality(quality)
	}
	return p
}
