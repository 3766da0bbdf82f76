package run

import (
	"context"
	"strings"
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/gate"
	"gpatlas/platform/database"
)

// earlier keeps completed runs r of a series whose editions are not newer than one, each edition of the same bytes once.
var earlier = strings.NewReplacer("{{loaded}}", loadedSQL, "{{earlier}}", `r.state = 'completed' AND r.series = @series AND (r.edition <= @edition::date OR r.edition IS NULL OR @edition::date IS NULL) AND NOT EXISTS (
	SELECT 1 FROM dataops.ingestion_runs e
	WHERE e.state = 'completed' AND e.series = r.series AND e.sha256 = r.sha256 AND e.edition IS NOT DISTINCT FROM r.edition AND e.id < r.id)`)

var baselineSQL = earlier.Replace(`SELECT r.id AS run_id, r.document, coalesce(r.edition, '0001-01-01'::date)::timestamp AS edition, coalesce(r.advisers_seen, 0) AS advisers, r.layout
FROM dataops.ingestion_runs r
WHERE {{earlier}} AND NOT EXISTS ({{loaded}})
ORDER BY CASE WHEN @edition::date IS NOT NULL THEN r.edition END DESC NULLS LAST, r.id DESC LIMIT 1`)

// Baseline gives the document that a new one of the series is held against: the newest edition that is not newer than it, of
// several of one day the last one loaded for the first time. Where the days of editions are not known (edition is zero, or a run
// has none), the order of loading counts. There is none (held is false) when the series has nothing before this document, and when
// the same bytes were loaded before as the same edition: they were judged then, and loading them again changes nothing.
func (s *Store) Baseline(ctx context.Context, series, sha256 string, edition time.Time) (b gate.Baseline, held bool, err error) {
	args := database.Args{"series": series, "sha256": sha256, "edition": dayOf(edition)}
	rows, err := database.Select[gate.Baseline](ctx, s.db, "look for the document before", baselineSQL, args)
	if err != nil || len(rows) == 0 {
		return b, false, err
	}
	return rows[0], true, nil
}

const baselinesSQL = `SELECT id AS run_id, document, coalesce(edition, '0001-01-01'::date)::timestamp AS edition, coalesce(advisers_seen, 0) AS advisers, layout
FROM dataops.ingestion_runs
WHERE id = ANY (@runs) AND state = 'completed'`

// Baselines gives the documents of completed runs.
func (s *Store) Baselines(ctx context.Context, runs []int64) ([]gate.Baseline, error) {
	return database.Select[gate.Baseline](ctx, s.db, "read the documents before", baselinesSQL, database.Args{"runs": runs})
}

// Named returns the runs before one that loaded documents of a name, whose last extension may differ.
func (s *Store) Named(ctx context.Context, document string, before int64) ([]int64, error) {
	named := "SELECT id FROM dataops.ingestion_runs WHERE " + catalogapi.SameDocumentSQL("document", "@document") + " AND id < @before ORDER BY id"
	return database.Values[int64](ctx, s.db, "look for documents of a name", named, database.Args{"document": document, "before": before})
}

// Documents returns the names of the documents of runs.
func (s *Store) Documents(ctx context.Context, runs []int64) ([]string, error) {
	const names = "SELECT DISTINCT document FROM dataops.ingestion_runs WHERE id = ANY (@runs) ORDER BY document"
	return database.Values[string](ctx, s.db, "read the names of documents", names, database.Args{"runs": runs})
}

// dayOf is an edition's day as an argument: nil = not known.
func dayOf(edition time.Time) any {
	if edition.IsZero() {
		return nil
	}
	return edition.Format(time.DateOnly)
}

const loadedSQL = `SELECT id FROM dataops.ingestion_runs
WHERE state = 'completed' AND series = @series AND sha256 = @sha256
	AND (edition = @edition::date OR edition IS NULL OR @edition::date IS NULL)
LIMIT 1`

// Loaded reports whether the same bytes were loaded before as the same edition.
func (s *Store) Loaded(ctx context.Context, series, sha256 string, edition time.Time) (bool, error) {
	args := database.Args{"series": series, "sha256": sha256, "edition": dayOf(edition)}
	runs, err := database.Values[int64](ctx, s.db, "look for an earlier load", loadedSQL, args)
	return len(runs) > 0, err
}

// Who has left: advisers that have withdrawn or are in no list any more, and funds that are no longer reported.
const leftSQL = `SELECT (SELECT count(*) FROM catalog.pub_gp WHERE former) AS advisers,
       (SELECT count(*) FROM catalog.pub_fund WHERE status = 'closed') AS funds`

// Left counts the advisers that have withdrawn or are no longer listed, and the funds that are no longer reported.
func (s *Store) Left(ctx context.Context) (advisers, funds int64, err error) {
	type counts struct{ Advisers, Funds int64 }
	list, err := database.Select[counts](ctx, s.db, "count who has left", leftSQL, nil)
	if err != nil {
		return 0, 0, err
	}
	return list[0].Advisers, list[0].Funds, nil
}

const lossSQL = `WITH named AS (SELECT * FROM unnest(@crds::text[], @days::date[]) AS n(crd, day))
SELECT count(*) AS current, count(*) FILTER (WHERE n.day IS NOT NULL AND NOT EXISTS (
	SELECT FROM catalog.pub_gp_version v WHERE v.crd = g.crd AND v.filing_date >= n.day)) AS lost
FROM catalog.pub_gp g LEFT JOIN named n USING (crd)
WHERE NOT g.former`

// Loss returns how many advisers are current, and how many of these withdrawals of the given days would end. Both come from
// the views that the catalog publishes. As in the catalog, a withdrawal counts if nothing was filed on its day or later:
// TestLossIsWhatTheCatalogDecides compares them.
func (s *Store) Loss(ctx context.Context, withdrawn map[string]time.Time) (current, lost int64, err error) {
	crds, days := make([]string, 0, len(withdrawn)), make([]time.Time, 0, len(withdrawn))
	for crd, day := range withdrawn {
		crds, days = append(crds, crd), append(days, day)
	}
	type counts struct{ Current, Lost int64 }
	args := database.Args{"crds": crds, "days": days}
	list, err := database.Select[counts](ctx, s.db, "count the current advisers", lossSQL, args)
	if err != nil {
		return 0, 0, err
	}
	return list[0].Current, list[0].Lost, nil
}
