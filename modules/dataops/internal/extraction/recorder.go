package extraction

import (
	"context"
	"errors"
	"slices"

	"gpatlas/modules/dataops/internal/ingest"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/plaintext"
)

// How is who or what uses a source.
type How struct {
	ID      int64 // of the queued extraction that is to be carried out; 0 = the one that waits, or a new one
	Trigger string
	Accept  []string
}

func (h How) accept() []string {
	if h.Accept == nil {
		return []string{}
	}
	list := slices.Sorted(slices.Values(h.Accept))
	return slices.Compact(list)
}

// Recorder writes down the uses of sources.
type Recorder struct {
	store *Store
	how   How
	clock clock.Clock
}

// NewRecorder works on db.
func NewRecorder(db *database.DB, how How, clk clock.Clock) *Recorder {
	return &Recorder{NewStore(db), how, clk}
}

// Take begins a use of a source whose lock the caller holds; 0 where the extraction that was to be carried out is over.
func (r *Recorder) Take(ctx context.Context, name string) (id int64, err error) {
	return r.store.take(ctx, name, r.how, r.clock.Now())
}

// Finish writes what came of it. An extraction that was interrupted and is to run again waits again.
func (r *Recorder) Finish(ctx context.Context, id int64, report ingest.SourceReport, fault error) error {
	state, reason := Completed, (*string)(nil)
	if fault != nil {
		text := plaintext.Storable(fault.Error())
		state, reason = Failed, &text
	}
	if r.how.ID != 0 && errors.Is(fault, context.Canceled) {
		state, reason = Queued, nil
	}
	return r.store.finish(ctx, id, state, report, reason, r.clock.Now())
}
