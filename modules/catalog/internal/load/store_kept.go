package load

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"gpatlas/modules/catalog/internal/fold"
	"gpatlas/modules/catalog/internal/history"
	"gpatlas/modules/catalog/internal/keep"
)

// keptTogether is how many advisers are read and folded at a time.
const keptTogether = 500

// keepHistories writes what the fold finds of the affected advisers (t_crd), and of those who ever named a fund that one of these
// named: they are told by each other's filings.
func (s *session) keepHistories(ctx context.Context, today time.Time) error {
	rows, err := s.query(ctx, "kept_advisers")
	if err != nil {
		return fmt.Errorf("catalog load: read whose histories to keep: %w", err)
	}
	crds, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return fmt.Errorf("catalog load: read whose histories to keep: %w", err)
	}
	if s.all {
		return s.fill(ctx, "adviser_histories", func() error { return s.copyHistories(ctx, crds, today, "catalog.adviser_histories") })
	}
	if err := s.exec(ctx, "histories", "CREATE TEMP TABLE d_history (LIKE catalog.adviser_histories) ON COMMIT DROP"); err != nil {
		return err
	}
	if err := s.copyHistories(ctx, crds, today, "d_history"); err != nil {
		return err
	}
	return s.run(ctx, "keep_histories")
}

// copyHistories folds advisers and copies what is kept of them into a table.
func (s *session) copyHistories(ctx context.Context, crds []string, today time.Time, table string) error {
	for some := range slices.Chunk(crds, keptTogether) {
		records, err := history.Records(ctx, s.c, some)
		if err != nil {
			return fmt.Errorf("catalog load: read filings of advisers: %w", err)
		}
		work := newWorkers(runtime.GOMAXPROCS(0))
		for _, r := range records {
			work.add(func(out *rowBuffer) {
				out.history(keep.Encode(keep.RowOf(r, r.State(today, fold.Provenance{}))), r.CRD)
			})
		}
		for _, part := range work.wait() {
			if err := s.copyIn(ctx, table, part.reader()); err != nil {
				return err
			}
		}
	}
	return nil
}

// history appends the row of an adviser.
func (r *rowBuffer) history(p keep.Parts, crd string) {
	r.text(crd)
	r.integer(keep.Encoding)
	for _, part := range [][]byte{p.States, p.Funds, p.Sources, p.FundSources} {
		r.bytes(part)
	}
}
