package dataops

import (
	"context"
	"io"

	"gpatlas/modules/dataops/internal/ingest"
	"gpatlas/platform/clock"
	"gpatlas/platform/stage"
)

// Signs shows that long work goes on: a plain line every two seconds with what is done at the moment, and nothing else.
type Signs struct{ progress ingest.Progress }

// NewSigns makes signs on out. Close ends them.
func NewSigns(out io.Writer, clk clock.Clock) *Signs { return &Signs{ingest.NewSigns(out, clk)} }

// Watch returns a context whose stages are shown.
func (s *Signs) Watch(ctx context.Context) context.Context {
	return stage.Watch(ctx, func(name string) func() {
		s.progress.Stage(name)
		return func() { s.progress.StageEnd(ingest.Stage{Name: name}) }
	})
}

// Close ends the signs.
func (s *Signs) Close() { s.progress.Close() }

// lasting is a Progress that outlives an ingestion.
type lasting struct{ ingest.Progress }

func (lasting) Close() {}
