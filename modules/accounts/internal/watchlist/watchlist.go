// Package watchlist stores the GPs that a person watches.
package watchlist

import (
	"time"

	"gpatlas/platform/apperr"
)

// Item is a GP that its owner watches.
//
// Spec: the record has id, adviser_crd, canonical_gp_id, alert_enabled and created_at; the name and the place are added, so
// that a list can be shown without asking for each GP. They and canonical_gp_id are read from the catalog: an item refers to
// the CRD number.
type Item struct {
	ID            string    `json:"id" format:"uuid" doc:"ID of the item." example:"0190a5b2-7c41-4d6e-9a3f-1c2b3d4e5f60"`
	AdviserCRD    string    `json:"adviser_crd" doc:"CRD number of the GP." example:"900001"`
	CanonicalGPID int64     `json:"canonical_gp_id" doc:"Organization that the GP belongs to: the smallest CRD number of its advisers." example:"900001"`
	AlertEnabled  bool      `json:"alert_enabled" doc:"Whether the owner wants alerts about the GP." example:"true"`
	CreatedAt     time.Time `json:"created_at" doc:"When the GP was added (UTC)." example:"2026-11-20T09:30:00.000000Z"`
	GPName        *string   `json:"gp_name" doc:"Legal name of the GP. Null if the catalog does not list the GP any more. Source: Form ADV, item 1.A." example:"Harbor Ridge Capital Partners LLC"`
	City          *string   `json:"city" doc:"City of the GP's principal office. Null if unknown. Source: Form ADV, item 1.F." example:"Boston"`
	State         *string   `json:"state" doc:"State of the GP's principal office. Null if unknown. Source: Form ADV, item 1.F." example:"MA"`
}

// SchemaName is its name in the OpenAPI document.
func (Item) SchemaName() string { return "WatchlistItem" }

// The refusals. Another account's item is answered like one that does not exist.
var (
	errNoItem = apperr.NotFound("Watchlist item not found")
	errGone   = apperr.New(apperr.KindUnauthenticated, "Could not validate credentials")
)

func errWatched(crd string) error {
	return apperr.New(apperr.KindConflict, "GP with CRD %s is already on the watchlist", crd)
}
