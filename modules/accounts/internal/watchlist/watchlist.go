// Package watchlist is the GPs that a person watches.
package watchlist

import (
	"time"

	"gpatlas/platform/apperr"
)

// Item is a GP that its owner watches.
//
// Spec: the record has id, adviser_crd, canonical_gp_id, alert_enabled and created_at; the name and the place are added, so
// that a list can be shown without asking for each GP. They and canonical_gp_id are the catalogue's at the moment: what an
// item refers to is the CRD number.
type Item struct {
	ID            string    `json:"id" format:"uuid" doc:"Id of the item." example:"0190a5b2-7c41-4d6e-9a3f-1c2b3d4e5f60"`
	AdviserCRD    string    `json:"adviser_crd" doc:"CRD number of the GP." example:"900001"`
	CanonicalGPID int64     `json:"canonical_gp_id" doc:"The organisation that the GP belongs to: the smallest CRD number of its advisers." example:"900001"`
	AlertEnabled  bool      `json:"alert_enabled" doc:"Whether its owner wants to be told of news." example:"true"`
	CreatedAt     time.Time `json:"created_at" doc:"When it was added (UTC)." example:"2026-11-20T09:30:00Z"`
	GPName        *string   `json:"gp_name" doc:"Legal name of the GP; null where the catalogue does not list it any more. Source: Form ADV, item 1.A." example:"Harbor Ridge Capital Partners LLC"`
	City          *string   `json:"city" doc:"City of its principal office; null where it is not known. Source: Form ADV, item 1.F." example:"Boston"`
	State         *string   `json:"state" doc:"State of its principal office; null where it is not known. Source: Form ADV, item 1.F." example:"MA"`
}

// SchemaName is its name in the OpenAPI document.
func (Item) SchemaName() string { return "WatchlistItem" }

// The refusals, in the caller's words. Another's item is answered like one that does not exist.
var (
	errNoItem = apperr.NotFound("Watchlist item not found")
	errGone   = apperr.New(apperr.KindUnauthenticated, "Could not validate credentials")
)

func errNoGP(crd string) error { return apperr.NotFound("GP with CRD %s not found", crd) }

func errWatched(crd string) error {
	return apperr.New(apperr.KindConflict, "GP with CRD %s is on the watchlist already", crd)
}
