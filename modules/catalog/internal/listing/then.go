package listing

import (
	"context"
	"maps"
	"slices"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/index"
	"gpatlas/modules/catalog/internal/past"
	"gpatlas/platform/apperr"
	"gpatlas/platform/clock"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/moment"
)

// NotThen is the fault of a parameter that an index of the past does not answer.
const NotThen = "cannot be combined with as_of or known_at; the description of the operation lists what can"

// Then is what an index of the past is searched by.
type Then struct{ Filters, Orders []string }

// Then refuses what cannot be asked of a past moment, after all filters were checked.
//
// Spec: not shown; lists of a past day are an addition. An index of the past has what aggregates count, and few filters more.
func (c *Check) Then(has *Then, in moment.Input, clk clock.Clock, sort httpapi.Opt[string], facets *FacetsInput) {
	if !in.AsOf.Set && !in.KnownAt.Set {
		return
	}
	if _, _, err := in.Resolve(clk); err != nil {
		c.faults = append(c.faults, apperr.From(err).Fields...)
	}
	beyond := []string{}
	for _, name := range slices.Sorted(maps.Keys(c.Applied.Map())) {
		if !slices.Contains(has.Filters, name) {
			beyond = append(beyond, name)
		}
	}
	if !slices.Contains(has.Orders, sort.Value) {
		beyond = append(beyond, "sort")
	}
	if facets.Facets.Set {
		beyond = append(beyond, "facets")
	}
	for _, name := range beyond {
		c.Fault(name, NotThen)
	}
}

// SearchThen selects keys with search from the index of a past moment, and reads a row of each. The index is nil if the moment is the present.
// read leaves out keys that no filing names then: a load may commit between the selection and the rows.
func SearchThen[R any](
	ctx context.Context, from *past.Builder, at catalogapi.Moment, snapshot *index.Snapshot,
	search func(then *index.Analysis) (total int, keys []string), read func(keys []string) ([]R, error),
) (then *index.Analysis, total int, rows []R, err error) {
	for range 2 {
		of, err := from.At(ctx, at, snapshot)
		if err != nil {
			return nil, 0, nil, err
		}
		then, ok := of.(*index.Analysis)
		if !ok {
			return nil, 0, nil, nil
		}
		total, keys := search(then)
		rows, err := read(keys)
		if err != nil {
			return nil, 0, nil, err
		}
		if len(rows) == len(keys) {
			return then, total, rows, nil
		}
	}
	return nil, 0, nil, apperr.Unavailable("Data of this time are being loaded; try again in a minute")
}
