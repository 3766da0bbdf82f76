package run

import (
	"context"
	_ "embed"
	"encoding/json"
	"maps"
	"time"

	"gpatlas/modules/dataops/internal/gate"
	"gpatlas/platform/database"
)

const filedSQL = `SELECT n.crd, f.filing_id, f.submitted, CASE WHEN f.filing_id = n.filing_id THEN f.rows ELSE f.carried || f.rows END AS rows
FROM unnest(@crds::text[], @ids::text[], @submitted::timestamptz[]) AS n (crd, filing_id, submitted)
CROSS JOIN LATERAL (
	SELECT o.filing_id, o.submitted, o.rows, o.carried FROM dataops.filed_rows o
	WHERE o.kind = @kind AND o.crd = n.crd AND (o.filing_id = n.filing_id OR o.submitted <= n.submitted)
	ORDER BY o.filing_id = n.filing_id DESC, o.submitted DESC, length(o.filing_id) DESC, o.filing_id DESC
	LIMIT 1
) f`

//go:embed keep_filed.sql
var keepFiledSQL string

var countedSQL = earlier.Replace(`SELECT r.id AS run_id, r.document, coalesce(r.table_rows, '{}') AS spreads, coalesce(r.filled, '{}') AS filled
FROM dataops.ingestion_runs r
WHERE (r.table_rows IS NOT NULL OR r.filled IS NOT NULL) AND {{earlier}}
ORDER BY r.id`)

// Filed returns the stored filing for each of filers, by CRD: the same filing, or else the adviser's last one that is not later.
func (s *Store) Filed(ctx context.Context, kind string, filers []gate.Filer) (map[string]*gate.Filed, error) {
	type filed struct {
		CRD, FilingID string
		Submitted     time.Time
		Rows          map[string]int32
	}
	rows, err := database.Select[filed](ctx, s.db, "look for earlier filings", filedSQL, filerArgs(kind, filers))
	out := make(map[string]*gate.Filed, len(rows))
	for _, r := range rows {
		out[r.CRD] = &gate.Filed{FilingID: r.FilingID, Submitted: r.Submitted, Rows: r.Rows}
	}
	return out, err
}

func filerArgs(kind string, filers []gate.Filer) database.Args {
	crds, ids, submitted := make([]string, len(filers)), make([]string, len(filers)), make([]time.Time, len(filers))
	for i, f := range filers {
		crds[i], ids[i], submitted[i] = f.CRD, f.FilingID, f.Submitted
	}
	return database.Args{"kind": kind, "crds": crds, "ids": ids, "submitted": submitted}
}

// Counted returns how many rows the filings of a series have by table, for each document that Baseline may choose from.
func (s *Store) Counted(ctx context.Context, series string, edition time.Time) ([]gate.Counted, error) {
	args := database.Args{"series": series, "edition": dayOf(edition)}
	return database.Select[gate.Counted](ctx, s.db, "read the rows of a series", countedSQL, args)
}

// keepFiled keeps the rows of the newest filing of each adviser that a loaded document names. For a table that the document lacks
// it carries over what the adviser's filing before had in it.
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
		rows := make([]string, len(g.Filers))
		for i := range g.Filers {
			text, err := json.Marshal(g.Of(i))
			if err != nil {
				return err
			}
			rows[i] = string(text)
		}
		args := filerArgs(g.Kind, g.Filers)
		args["tables"], args["rows"] = tables, rows
		if _, err := database.Run(ctx, s.db, "keep the rows of filings", keepFiledSQL, args); err != nil {
			return err
		}
	}
	return nil
}
