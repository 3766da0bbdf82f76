package lp

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/people/peopleapi"
	"gpatlas/platform/apperr"
	"gpatlas/platform/httpapi"
)

// CommitmentFilters are the filters of commitments that all lists have.
//
// Spec: not shown; lists of values are separated by commas, as strategy is in the search of funds.
type CommitmentFilters struct {
	Strategy     httpapi.Opt[string] `query:"strategy" example:"growth" doc:"Strategy of the fund that the commitment was matched to: buyout, growth, venture, real-estate, infrastructure, credit, hedge, secondaries, fund-of-funds, liquidity, securitized or other; or an alias: PE (buyout, growth, secondaries), VC, Hedge, RealEstate, Credit. Separate several with commas. Commitments without a matched fund never match."`
	VintageMin   httpapi.Opt[int64]  `query:"vintage_min" minimum:"1900" maximum:"2200" example:"2015" doc:"Earliest vintage year, as the LP's list has it. An unknown one never matches."`
	VintageMax   httpapi.Opt[int64]  `query:"vintage_max" minimum:"1900" maximum:"2200" example:"2024" doc:"Latest vintage year, as the LP's list has it. An unknown one never matches."`
	MinCommitted httpapi.Opt[int64]  `query:"min_committed" minimum:"0" example:"1000000" doc:"Smallest commitment to one fund, USD. An unknown one never matches."`
}

// filter selects commitments. Zero values do not filter.
type filter struct {
	LP           int64
	CRD          string
	FundID       string
	Strategies   []string
	VintageMin   *int64
	VintageMax   *int64
	MinCommitted *int64
	EntityTypes  []string
	States       []string // in capitals
}

// request reads the filters of one request: it notes them as applied and collects all faults.
type request struct {
	words   catalogapi.Vocabulary
	applied map[string]any
	faults  []apperr.FieldError
}

func newRequest(words catalogapi.Vocabulary) *request {
	return &request{words: words, applied: map[string]any{}}
}

// err is every fault as one error, or nil.
func (a *request) err() error {
	if len(a.faults) == 0 {
		return nil
	}
	return apperr.Invalid(a.faults...)
}

func (a *request) fault(field, format string, args ...any) {
	a.faults = append(a.faults, apperr.FieldError{Field: field, Message: fmt.Sprintf(format, args...)})
}

// commitments reads the filters that all lists have.
func (a *request) commitments(in *CommitmentFilters) filter {
	f := filter{VintageMin: in.VintageMin.Ptr(), VintageMax: in.VintageMax.Ptr(), MinCommitted: in.MinCommitted.Ptr()}
	if list, ok := in.Strategy.Get(); ok {
		all, fault := catalogapi.Strategies(a.words, list, httpapi.DidYouMean)
		if fault != "" {
			a.fault("strategy", "%s", fault)
		}
		f.Strategies, a.applied["strategy"] = all, strings.Join(all, ",")
	}
	for name, value := range map[string]httpapi.Opt[int64]{"vintage_min": in.VintageMin, "vintage_max": in.VintageMax, "min_committed": in.MinCommitted} {
		if value.Set {
			a.applied[name] = value.Value
		}
	}
	if f.VintageMin != nil && f.VintageMax != nil && *f.VintageMin > *f.VintageMax {
		a.fault("vintage_min", "must not be greater than vintage_max (%d > %d)", *f.VintageMin, *f.VintageMax)
	}
	return f
}

// one takes a filter of one value.
func (a *request) one(name string, o httpapi.Opt[string]) string {
	if o.Set {
		a.applied[name] = o.Value
	}
	return o.Value
}

// Bounds of a list of values.
const (
	maxValues = 50
	maxValue  = 100 // characters
)

// list splits a filter at its commas.
func (a *request) list(name string, o httpapi.Opt[string]) (all []string) {
	if !o.Set {
		return nil
	}
	for part := range strings.SplitSeq(o.Value, ",") {
		part = strings.TrimSpace(part)
		if n := utf8.RuneCountInString(part); n == 0 || n > maxValue {
			a.fault(name, "must be values of 1 to %d characters with commas between them", maxValue)
			return nil
		}
		all = append(all, part)
	}
	if len(all) > maxValues {
		a.fault(name, "must have at most %d values", maxValues)
		return nil
	}
	a.applied[name] = strings.Join(all, ",")
	return all
}

// states takes states as lists write them, regardless of case. unheld returns those of some states that no LP has.
//
// Spec: not shown; a state that is neither American nor of an LP is a mistake rather than a search without result.
func (a *request) states(name string, o httpapi.Opt[string], unheld func(states []string) ([]string, error)) ([]string, error) {
	all := a.list(name, o)
	var others []string
	for i := range all {
		if all[i] = strings.ToUpper(all[i]); catalogapi.USStates[all[i]] == "" {
			others = append(others, all[i])
		}
	}
	if len(others) == 0 {
		return all, nil
	}
	not, err := unheld(others)
	if len(not) > 0 {
		a.fault(name, "%q is neither the postal code of a US state nor a state of an LP", not[0])
	}
	return all, err
}

// types takes kinds of LPs.
func (a *request) types(name string, o httpapi.Opt[string]) []string {
	all := a.list(name, o)
	for _, kind := range all {
		if !peopleapi.IsEntityType(kind) {
			a.fault(name, "%q is not a kind of LP; the kinds are %s%s", kind, strings.Join(peopleapi.EntityTypes(), ", "),
				httpapi.DidYouMean(kind, peopleapi.EntityTypes()))
			return nil
		}
	}
	return all
}
