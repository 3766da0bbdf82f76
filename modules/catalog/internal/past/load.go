package past

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"gpatlas/modules/catalog/internal/index"
	"gpatlas/modules/catalog/internal/publish"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
)

// The rows are streamed, for longer than any request may take.
const (
	settings  = `SET LOCAL statement_timeout = '10min'; SET LOCAL work_mem = '64MB'; SET LOCAL jit = off`
	loadLimit = 10 * time.Minute // the client's
)

// Load reads what counts as of a moment in one database snapshot, folds it on all processors and makes the index over it.
// Former advisers are in a separate analysis, as in the current index.
func Load(ctx context.Context, db *database.DB, clk clock.Clock, c AsOf) (*index.Analysis, error) {
	ctx = database.WithStatementLimit(ctx, loadLimit)
	f := newSnapshotBuilder(c)
	err := db.Conn(ctx, func(conn *pgx.Conn) error {
		tx, err := conn.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly})
		if err != nil {
			return fmt.Errorf("begin: %w", err)
		}
		defer func() { _ = tx.Rollback(context.WithoutCancel(ctx)) }() // it only reads
		if _, err := tx.Exec(ctx, settings); err != nil {
			return fmt.Errorf("set the timeout: %w", err)
		}
		return f.read(ctx, tx)
	})
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	f.fresh.BuiltAt = clk.Now()
	var present, former part
	for _, by := range f.folders {
		present.add(&by.present)
		former.add(&by.former)
	}
	before := index.BuildAnalysis(former.gps, former.open, former.closed, f.fresh, nil)
	return index.BuildAnalysis(present.gps, present.open, present.closed, f.fresh, before).WithNotices(f.noticed), nil
}

// read streams the tables, each once.
func (f *snapshotBuilder) read(ctx context.Context, tx pgx.Tx) error {
	var err error
	if f.fresh.Publication, err = publish.Latest(ctx, tx); err != nil {
		return err
	}
	for _, step := range []struct {
		what string
		read func(ctx context.Context, tx pgx.Tx) error
	}{
		{"notices", f.readNotices},
		{"issuers", f.readIssuers},
		{"listings", f.readUnlisted},
		{"overrides", f.readOverrides},
		{"records", f.readRecords},
	} {
		if err := step.read(ctx, tx); err != nil {
			return fmt.Errorf("read %s: %w", step.what, err)
		}
	}
	return nil
}

// stream runs a statement and calls fn for each row, which was scanned into targets.
func (f *snapshotBuilder) stream(ctx context.Context, tx pgx.Tx, template string, targets []any, fn func() error) error {
	statement, args := f.asOf.statement(template)
	rows, err := tx.Query(ctx, statement, args)
	if err != nil {
		return err
	}
	_, err = pgx.ForEachRow(rows, targets, fn)
	return err
}
