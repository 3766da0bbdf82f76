package gp

import (
	"context"
	"encoding/json"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/index"
	"gpatlas/modules/catalog/internal/listing"
	"gpatlas/platform/apperr"
	"gpatlas/platform/clock"
	"gpatlas/platform/httpapi"
)

// Searcher is the search of advisers for filters that were kept: the operation's own input, decoded and checked by the
// operation's own rules.
type Searcher struct {
	index *index.Holder
	clock clock.Clock
}

// NewSearcher searches the newest snapshot of the holder.
func NewSearcher(holder *index.Holder, clk clock.Clock) *Searcher {
	return &Searcher{index: holder, clock: clk}
}

// CheckGPFilters returns all faults of filters.
func (s *Searcher) CheckGPFilters(filters map[string]any) error {
	_, _, _, err := s.query(filters)
	return err
}

// SearchGPs returns a part of the list that the operation would return.
func (s *Searcher) SearchGPs(_ context.Context, filters map[string]any, limit, offset int) (catalogapi.GPPage, error) {
	q, applied, registered, err := s.query(filters)
	if err != nil {
		return catalogapi.GPPage{}, err
	}
	snapshot, err := s.index.Snapshot()
	if err != nil {
		return catalogapi.GPPage{}, err
	}
	q.Limit, q.Offset = limit, offset
	snapshot = snapshot.Of(q.Former)
	found := snapshot.SearchGPs(q)
	p := catalogapi.GPPage{Rows: make([]json.RawMessage, len(found.IDs)), Total: found.Total, FiltersApplied: applied.Map()}
	row := snapshot.AppendGP
	if registered {
		row = snapshot.AppendGPRegistered
	}
	for i, id := range found.IDs {
		p.Rows[i] = row(nil, id)
	}
	return p, nil
}

// query compiles filters, and reports whether the rows have their registration.
func (s *Searcher) query(filters map[string]any) (q *index.GPQuery, applied *listing.Applied, registered bool, err error) {
	var in SearchInput
	faults := httpapi.DecodeQuery(filters, &in)
	for _, cut := range []struct {
		name string
		sent bool
	}{
		{"limit", in.Limit.Set},
		{"offset", in.Offset.Set},
		{"page", in.Page.Set},
		{"per_page", in.PerPage.Set},
		{"include", in.Include.Set},
		{"facets", in.Facets.Set},
		{"facet_limit", in.FacetLimit.Set},
	} {
		if cut.sent {
			faults = append(faults, apperr.FieldError{Field: cut.name, Message: "is not a filter; send it with each search instead"})
		}
	}
	if faults != nil {
		return nil, nil, false, apperr.Invalid(faults...)
	}
	filed, _ := s.index.Snapshot() // nil while there is none, which knows every name
	q, applied, err = in.Query(s.clock, filed)
	return q, applied, in.shows(), err
}
