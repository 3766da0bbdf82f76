package listing

import (
	"context"
	"maps"
	"slices"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/history"
	"gpatlas/modules/catalog/internal/index"
	"gpatlas/modules/catalog/internal/past"
	"gpatlas/platform/apperr"
	"gpatlas/platform/clock"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/moment"
	"gpatlas/platform/page"
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

// Past answers a search of a past moment. An index of the past selects, and each row is the detail of that moment.
type Past[R any] struct {
	Search func(then *index.Analysis) (total int, keys []string)
	// Read reads the rows of a page. It leaves out keys that no filing names then: a load may commit between the selection and the rows.
	Read    func(asOf history.AsOf, keys []string) ([]R, error)
	Remarks func(then *index.Analysis, total int) Remarks
}

// Answer answers the search of a page; nil if the moment is the present.
func (p *Past[R]) Answer(
	ctx context.Context, from *past.Builder, in moment.Input, clk clock.Clock, snapshot *index.Snapshot, window *page.Counted, applied *Applied,
) (*httpapi.Reply[httpapi.DataMeta[[]R, SearchMeta]], error) {
	var at catalogapi.Moment
	var err error
	if at.Day, at.Known, err = in.Resolve(clk); err != nil {
		return nil, err
	}
	for range 2 {
		of, err := from.At(ctx, at, snapshot)
		if err != nil {
			return nil, err
		}
		then, ok := of.(*index.Analysis)
		if !ok {
			return nil, nil //nolint:nilnil // the present
		}
		total, keys := p.Search(then)
		rows, err := p.Read(history.AsOf{Point: catalogapi.Point{Moment: at}, Today: clk.Now(), Noticed: then.Noticed()}, keys)
		if err != nil {
			return nil, err
		}
		if len(rows) < len(keys) {
			continue
		}
		meta := SearchMeta{ListMeta: NewMeta(window.Meta(total), applied), Remarks: p.Remarks(then, total)}
		meta.AsOf, meta.KnownAt = moment.Shown(at.Day, at.Known)
		return &httpapi.Reply[httpapi.DataMeta[[]R, SearchMeta]]{Body: httpapi.DataMeta[[]R, SearchMeta]{Data: rows, Meta: meta}, Page: window.Links(total)}, nil
	}
	return nil, apperr.Unavailable("Data of this time are being loaded; try again in a minute")
}
