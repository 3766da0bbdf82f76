package team

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"gpatlas/modules/people/internal/title"
	"gpatlas/platform/apperr"
	"gpatlas/platform/httpapi"
)

// Joining is when a person joined, as far as filings show it.
type Joining struct {
	After  *string `json:"after" format:"date" nullable:"true" doc:"Date of the last earlier filing with a Schedule A, which does not name the person. Null: none is known." example:"2018-03-29"`
	Before string  `json:"before" format:"date" doc:"Date of the first filing that names the person, or the end of an earlier month in which a title was acquired." example:"2019-03-28"`
}

// functionsOf splits a list of functions, and rejects unknown ones.
func functionsOf(field, list string) ([]string, error) {
	all := strings.Split(list, ",")
	for i, f := range all {
		all[i] = strings.TrimSpace(f)
	}
	return all, checkFunctions(field, all)
}

func checkFunctions(field string, all []string) error {
	for _, f := range all {
		if !slices.Contains(title.Functions(), f) {
			shown := apperr.Short(f)
			return apperr.Invalid(apperr.FieldError{Field: field, Message: fmt.Sprintf("%q is not a function; the functions are %s%s", shown,
				strings.Join(title.Functions(), ", "), httpapi.DidYouMean(shown, title.Functions()))})
		}
	}
	return nil
}

// have keeps people who have at least one of some functions. Without functions it keeps all.
func have(all []candidate, functions []string) []candidate {
	if len(functions) == 0 {
		return all
	}
	return slices.DeleteFunc(all, func(p candidate) bool {
		return !slices.ContainsFunc(p.functions, func(f string) bool { return slices.Contains(functions, f) })
	})
}

// withAny is the most people that can have one of some functions, by the counts of the preview. Without functions it is everybody.
//
// Spec: not shown; who has two functions, or a role and a function, is sold. An exact count would show it for teams as small as these.
func withAny(team []candidate, functions []string) int {
	if len(functions) == 0 {
		return len(team)
	}
	count, sum := byFunction(team), 0
	for _, f := range slices.Compact(slices.Sorted(slices.Values(functions))) {
		sum += count[f]
	}
	return min(sum, len(team))
}

// JoinedInput selects people by when they joined.
type JoinedInput struct {
	JoinedAfter  httpapi.Opt[httpapi.Date] `query:"joined_after" example:"2015-12-31" doc:"Only people who may have joined after this date: joined_between.before is later, and a filing without them or a month of a title is known. The first schedule that we hold tells nothing of joining."`
	JoinedBefore httpapi.Opt[httpapi.Date] `query:"joined_before" example:"2026-06-30" doc:"Only people who had joined before this date: joined_between.before is earlier."`
}

func (in *JoinedInput) set() bool { return in.JoinedAfter.Set || in.JoinedBefore.Set }

// keep keeps people who joined in the time asked for.
func (in *JoinedInput) keep(all []candidate) ([]candidate, error) {
	after, before := in.JoinedAfter, in.JoinedBefore
	if after.Set && before.Set && !after.Value.Before(before.Value.Time) {
		return nil, apperr.Invalid(apperr.FieldError{Field: "joined_after", Message: fmt.Sprintf("must be earlier than joined_before (%s, %s)", after.Value, before.Value)})
	}
	return slices.DeleteFunc(all, func(p candidate) bool {
		return after.Set && !p.joinedAfter(after.Value.Time) || before.Set && !p.JoinedBefore.Before(before.Value.Time)
	}), nil
}

// joinedAfter reports whether the person is known to have joined, maybe after a day.
func (p *candidate) joinedAfter(day time.Time) bool {
	return p.JoinedBefore.After(day) && (p.JoinedAfter != nil || p.JoinedMonthly)
}

// joining is when the person joined, for responses.
func (p *candidate) joining() Joining {
	return Joining{After: dayOf(p.JoinedAfter), Before: day(p.JoinedBefore)}
}

// titleSince is the month in which a title was acquired; only the year if the filing states no month.
func (p *candidate) titleSince() *string {
	if p.AcquiredOn == nil {
		return nil
	}
	form := "2006-01"
	if p.AcquiredYearOnly {
		form = "2006"
	}
	return new(p.AcquiredOn.Format(form))
}

// byFunction counts people by function; functions without a person are counted, too.
func byFunction(people []candidate) map[string]int {
	count := make(map[string]int, len(title.Functions()))
	for _, f := range title.Functions() {
		count[f] = 0
	}
	for i := range people {
		for _, f := range people[i].functions {
			count[f]++
		}
	}
	return count
}
