// Package dataopsapi is the face of data operations to the other modules.
package dataopsapi

import (
	"context"
	"time"
)

// Run is one ingested document.
type Run struct {
	ID          int64
	Source      string // the kind: adv_archive, advw, fund_list, roster, iapd_feed, form_d; "unknown" if it was not recognized
	Document    string // base name of the file, or the last part of the URL
	State       string // running, completed, failed
	StartedAt   time.Time
	FinishedAt  time.Time // zero while running
	RowsRead    int64
	Quarantined int64
	Error       string // why it failed
}

// Runs lists ingestions, for pages that show how old the data are.
type Runs interface {
	// List returns the newest runs, newest first, at most limit.
	List(ctx context.Context, limit int) ([]Run, error)
}
