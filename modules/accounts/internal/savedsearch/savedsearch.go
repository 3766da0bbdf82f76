// Package savedsearch keeps searches of GPs for their owners, and runs them.
package savedsearch

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"gpatlas/platform/apperr"
	"gpatlas/platform/clock"
)

// Search is a search that its owner keeps.
//
// Spec: a saved search has filters, last_run_at and last_match_count; its other fields are not shown. The filters are stored as
// sent, not as interpreted: launched_within_months counts from the day of the run, and an alias of strategies may later cover
// more.
type Search struct {
	ID             string         `json:"id" format:"uuid" doc:"ID of the saved search." example:"0190a5b2-7c41-4d6e-9a3f-1c2b3d4e5f60"`
	Name           string         `json:"name" doc:"Name given by the owner." example:"Large buyout firms in Boston"`
	Filters        map[string]any `json:"filters" doc:"Query parameters of GET /v1/gps by name, with JSON types, as sent." example:"{\"city\":\"Boston\",\"min_aum\":1000000000,\"strategy\":\"PE\"}"`
	LastRunAt      *time.Time     `json:"last_run_at" doc:"When these filters were last run (UTC). Null if never." example:"2026-11-20T09:30:00.000000Z"`
	LastMatchCount *int64         `json:"last_match_count" doc:"Number of GPs that matched in the last run. Null if never run." example:"12"`
	CreatedAt      time.Time      `json:"created_at" doc:"When the search was saved (UTC)." example:"2026-11-19T16:05:00.000000Z"`
	UpdatedAt      time.Time      `json:"updated_at" doc:"Last change of the name or the filters (UTC)." example:"2026-11-19T16:05:00.000000Z"`
}

// SchemaName is its name in the OpenAPI document.
func (Search) SchemaName() string { return "SavedSearch" }

// The bounds of saved searches.
const (
	SearchesMax  = 500  // of one account
	filtersBytes = 8192 // as JSON; a URL has less room
)

// The refusals. Another account's search is answered like one that does not exist.
var (
	errNoSearch = apperr.NotFound("Saved search not found")
	errGone     = apperr.New(apperr.KindUnauthenticated, "Could not validate credentials")
	errFull     = apperr.New(apperr.KindConflict, "An account can have at most %d saved searches; delete one first", SearchesMax)
)

// encodeFilters returns filters as they are stored.
func encodeFilters(filters map[string]any) (string, error) {
	if filters == nil {
		return "{}", nil
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(filters); err != nil {
		return "", fmt.Errorf("encode the filters of a saved search: %w", err)
	}
	return strings.TrimSuffix(b.String(), "\n"), nil
}

// below renames faults of filters to the path of the field that holds them.
func below(err error) []apperr.FieldError {
	e := apperr.From(err)
	fields := make([]apperr.FieldError, len(e.Fields))
	for i, f := range e.Fields {
		fields[i] = apperr.FieldError{Field: "filters." + f.Field, Message: f.Message}
	}
	return fields
}

func rowToSearch(r *row) (*Search, error) {
	s := &Search{
		ID: r.ID, Name: r.Name, LastRunAt: clock.UTC(r.LastRunAt), LastMatchCount: r.LastMatchCount,
		CreatedAt: r.CreatedAt.UTC(), UpdatedAt: r.UpdatedAt.UTC(),
	}
	if err := json.Unmarshal([]byte(r.Filters), &s.Filters); err != nil {
		return nil, fmt.Errorf("read the filters of saved search %s: %w", r.ID, err)
	}
	return s, nil
}
