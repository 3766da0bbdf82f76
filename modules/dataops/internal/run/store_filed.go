package run

import (
	"context"
	"encoding/json"
	"maps"
	"time"

	"gpatlas/modules/dataops/internal/gate"
	"gpatlas/platform/database"
)

const filedSQL = `SELECT crd, filing_id, submitted, rows FROM dataops.filed_rows WHERE kind = @kind AND crd = ANY (@crds)`

const keepFiledSQL = `INSERT INTO dataops.filed_rows AS f (kind, crd, filing_id, submitted, rows)
SELECT @kind, n.crd, n.filing_id, n.submitted, n.rows::jsonb
FROM unnest(@crds::text[], @ids::text[], @submitted::timestamptz[], @rows::text[]) AS n (crd, filing_id, submitted, rows)
ORDER BY n.crd
ON CONFLICT (kind, crd) DO UPDATE
SET filing_id = excluded.filing_id, submitted = excluded.submitted, rows = (f.rows - @tables::text[]) || excluded.rows
WHERE excluded.submitted >= f.submitted AND (f.filing_id, f.rows) IS DISTINCT FROM (excluded.filing_id, (f.rows - @tables::text[]) || excluded.rows)`

const spreadsSQL = `SELECT t.key AS table_name, sum((t.value ->> 'Filings')::bigint)::bigint AS filings, sum((t.value ->> 'Rows')::bigint)::bigint AS rows,
       sum((t.value ->> 'Squares')::bigint)::bigint AS squares
FROM dataops.ingestion_runs r, jsonb_each(r.table_rows) AS t
WHERE r.state = 'completed' AND r.series = @series AND (r.edition <= @edition::date OR r.edition IS NULL OR @edition::date IS NULL) AND NOT EXISTS (
		SELECT 1 FROM dataops.ingestion_runs e
		WHERE e.state = 'completed' AND e.series = r.series AND e.sha256 = r.sha256 AND e.edition IS NOT DISTINCT FROM r.edition AND e.id < r.id
	)
GROUP BY t.key`

// Filed gives the newest filings of advisers of a kind that are known, with their rows by table.
func (s *Store) Filed(ctx context.Context, kind string, crds []string) (map[string]*gate.Filed, error) {
	type filed struct {
		CRD, FilingID string
		Submitted     time.Time
		Rows          map[string]int32
	}
	rows, err := database.Select[filed](ctx, s.db, "look for earlier filings", filedSQL, database.Args{"kind": kind, "crds": crds})
	out := make(map[string]*gate.Filed, len(rows))
	for _, r := range rows {
		out[r.CRD] = &gate.Filed{FilingID: r.FilingID, Submitted: r.Submitted, Rows: r.Rows}
	}
	return out, err
}

// Spreads sums up how many rows the filings of a series have by table, over all documents that Baseline may choose from.
func (s *Store) Spreads(ctx context.Context, series string, edition time.Time) (map[string]gate.Spread, error) {
	type spread struct {
		TableName string
		gate.Spread
	}
	args := database.Args{"series": series, "edition": dayOf(edition)}
	rows, err := database.Select[spread](ctx, s.db, "sum up the rows of a series", spreadsSQL, args)
	out := make(map[string]gate.Spread, len(rows))
	for _, r := range rows {
		out[r.TableName] = r.Spread
	}
	return out, err
}

// keepFiled keeps the rows of the newest filing of each adviser that a loaded document names. A table that the document lacks
// keeps what an earlier filing had in it.
func (s *Store) keepFiled(ctx context.Context, e End) error {
	filed := e.Looks.Filed
	if e.Err != nil {
		filed = nil
	}
	for _, g := range filed {
		if !g.Named() {
			continue
		}
		tables := make([]string, 0, len(g.Tables))
		for table := range maps.Keys(g.Tables) {
			tables = append(tables, table)
		}
		crds, ids := make([]string, len(g.Filers)), make([]string, len(g.Filers))
		submitted, rows := make([]time.Time, len(g.Filers)), make([]string, len(g.Filers))
		for i, f := range g.Filers {
			crds[i], ids[i], submitted[i] = f.CRD, f.FilingID, f.Submitted
			text, err := json.Marshal(g.Of(i))
			if err != nil {
				return err
			}
			rows[i] = string(text)
		}
		args := database.Args{"kind": g.Kind, "tables": tables, "crds": crds, "ids": ids, "submitted": submitted, "rows": rows}
		if _, err := database.Run(ctx, s.db, "keep the rows of filings", keepFiledSQL, args); err != nil {
			return err
		}
	}
	return nil
}
