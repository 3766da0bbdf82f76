// Package ask holds the parameters that the module's operations share.
package ask

import (
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/clock"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/moment"
)

// Limit bounds the lists of filings and changes.
type Limit struct {
	Limit httpapi.Opt[int] `query:"limit" minimum:"1" maximum:"100" example:"50" doc:"Rows to return, 1 to 100 (default 50). Newest first."`
}

// defaultLimit is the contract's.
const defaultLimit = 50

// Rows is the requested number of rows.
func (l Limit) Rows() int { return l.Limit.Or(defaultLimit) }

// Moment has the two time parameters, as_of and known_at.
type Moment struct{ moment.Input }

// Resolve returns the requested moment; a future one is rejected.
func (m Moment) Resolve(clk clock.Clock) (catalogapi.Moment, error) {
	day, known, err := m.Input.Resolve(clk)
	return catalogapi.Moment{Day: day, Known: known}, err
}

// Day formats a calendar day for responses.
func Day(t time.Time) string { return t.Format(time.DateOnly) }
