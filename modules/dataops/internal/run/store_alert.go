package run

import (
	"context"
	_ "embed"
	"fmt"
	"slices"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/alert"
	"gpatlas/modules/dataops/internal/gate"
	"gpatlas/platform/audit"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/plaintext"
)

//go:embed resolve.sql
var resolveSQL string

// deltas are the kinds of documents that add filings, so that the next document does not repeat them.
var deltas = []string{string(catalogapi.SourceADVArchive), string(catalogapi.SourceADVW), string(catalogapi.SourceFormD)}

// raise writes the alerts that follow from a run. What was stopped stays open until a document is loaded that makes up for it: see resolveSQL. So
// does a doubt about a document that was loaded. What the operator let pass is kept as seen to.
func (s *Store) raise(ctx context.Context, id int64, start Start, e End) error {
	var raised []alert.Raise
	raise := func(f gate.Finding, passed bool) {
		r := alert.Raise{
			RunID: &id, Source: start.Source, Kind: string(f.Check), Subject: e.Series, Reason: plaintext.Storable(start.Document + ": " + f.Reason), At: e.At, Passed: passed,
		}
		if passed {
			r.Reason += "; accepted by the operator"
		}
		raised = append(raised, r)
	}
	open := e.Stopped
	if e.Err == nil {
		open = e.Doubts
		for _, f := range e.Passed { // where it failed it did not pass after all
			raise(f, true)
		}
		if err := s.audit(ctx, id, start, e); err != nil {
			return err
		}
	}
	for _, f := range open {
		raise(f, false)
	}
	if e.Err == nil && e.Series != "" {
		args := database.Args{"at": e.At, "series": e.Series, "sha256": e.SHA256, "run": id, "edition": dayOf(e.Looks.Edition), "delta": slices.Contains(deltas, e.Source)}
		if _, err := database.Run(ctx, s.db, "resolve alerts", resolveSQL, args); err != nil {
			return err
		}
	}
	return s.alerts.Raise(ctx, raised)
}

// audit records which checks the operator let pass, by whichever way.
func (s *Store) audit(ctx context.Context, id int64, start Start, e End) error {
	if len(e.Passed) == 0 {
		return nil
	}
	var checks []string
	for _, f := range e.Passed {
		checks = append(checks, string(f.Check))
	}
	return audit.New(s.db, clock.Fixed(e.At)).Write(ctx, audit.Change{
		Action: "ingest.accept", Subject: fmt.Sprintf("run %d", id), After: map[string]any{"document": plaintext.Storable(start.Document), "checks": checks},
	})
}
