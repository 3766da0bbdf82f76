package run

import (
	"context"
	"fmt"
	"slices"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/alert"
	"gpatlas/modules/dataops/internal/gate"
	"gpatlas/platform/audit"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
)

// Resolves the alerts of a series, because an edition of it is loaded that had not been loaded before. A list makes up for an older edition that
// was stopped. An archive of filings, withdrawals or notices (@delta) does not: only the same edition has what the stopped one lacked. One alert
// may be about several: those that failed since a day before it was raised, which is longer than a run takes. Neither makes up for rows that an
// earlier document may lack.
const resolveSQL = `UPDATE dataops.alerts a SET resolved_at = @at, resolution = 'run ' || @run::bigint || ' loaded a new document of the series'
WHERE a.subject = @series AND a.kind <> 'rows_doubtful' AND a.resolved_at IS NULL AND EXISTS (
	SELECT FROM dataops.ingestion_runs r WHERE r.id = a.run_id
		AND (r.edition IS NULL OR @edition::date IS NULL OR CASE WHEN @delta THEN r.edition = @edition OR r.state = 'failed' ELSE r.edition <= @edition END)
) AND NOT (@delta AND EXISTS (
	SELECT FROM dataops.ingestion_runs o WHERE o.series = @series AND o.state = 'failed' AND o.started_at >= a.created_at - interval '1 day'
		AND o.edition <> @edition::date AND NOT EXISTS (
			SELECT FROM dataops.ingestion_runs d WHERE d.series = @series AND d.state = 'completed' AND d.edition = o.edition AND d.id > o.id))
) AND NOT EXISTS (
	SELECT 1 FROM dataops.ingestion_runs b WHERE b.state = 'completed' AND b.series = @series AND b.sha256 = @sha256 AND b.id <> @run
		AND (b.edition = @edition::date OR b.edition IS NULL OR @edition::date IS NULL))`

// deltas are the kinds of documents that add filings, so that the next document does not repeat them.
var deltas = []string{string(catalogapi.SourceADVArchive), string(catalogapi.SourceADVW), string(catalogapi.SourceFormD)}

// raise writes the alerts that follow from a run. What was stopped stays open until a document is loaded that makes up for it: see resolveSQL. So
// does a doubt about a document that was loaded. What the operator let pass is kept as seen to.
func (s *Store) raise(ctx context.Context, id int64, start Start, e End) error {
	var raised []alert.Raise
	raise := func(f gate.Finding, passed bool) {
		r := alert.Raise{
			RunID: &id, Source: start.Source, Kind: string(f.Check), Subject: e.Series, Reason: storable(start.Document + ": " + f.Reason), At: e.At, Passed: passed,
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
		Action: "ingest.accept", Subject: fmt.Sprintf("run %d", id), After: map[string]any{"document": storable(start.Document), "checks": checks},
	})
}

// OpenAlerts counts the alerts that are not resolved, by kind.
func (s *Store) OpenAlerts(ctx context.Context) (map[string]int64, error) {
	return s.alerts.CountOpen(ctx)
}
