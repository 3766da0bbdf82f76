package catalogapi

import (
	"context"
	"encoding/json"
)

// GPPage is a page of a search of advisers.
type GPPage struct {
	Rows           []json.RawMessage // as GET /v1/gps lists them; never nil
	Total          int               // advisers that the filters let through
	FiltersApplied map[string]any    // the filters as they were understood
}

// GPSearcher is the search of GET /v1/gps for filters that were kept. They are that operation's query parameters by name,
// sort and order among them, with JSON types: texts, whole numbers (float64, as encoding/json has them) and booleans.
// Filters that the operation would refuse are refused with the same words, all faults at once; the fields of the error
// are the names of the filters. Where the list is cut is no filter: limit, offset, page and per_page are refused, too.
type GPSearcher interface {
	CheckGPFilters(filters map[string]any) error
	// SearchGPs answers from the search index. Before the first index is loaded the error is of kind unavailable.
	SearchGPs(ctx context.Context, filters map[string]any, limit, offset int) (GPPage, error)
}
