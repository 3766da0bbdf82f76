package load

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
)

// bulkTables are the large tables that a merge only adds to while they are filled for the first time: nothing is looked
// up in them before the end of the batch, so that their indexes may be built then, at once. The first of them tells
// whether this is a first load at all: later, an empty table of children is not worth the lock.
func bulkTables() []string {
	tables := []string{"fund_versions"}
	for _, t := range childTables() {
		tables = append(tables, t.name)
	}
	return tables
}

// bulk is what a first load puts off.
type bulk struct {
	tables  map[string]bool
	restore []string // statements that bring the indexes back
}

// putOff drops the indexes of those of the tables that are empty. They are gone for this transaction alone until it
// commits; readers of such a table wait that long, which they would not find anything in.
func (s *session) putOff(ctx context.Context) (bulk, error) {
	b := bulk{tables: map[string]bool{}}
	for i, table := range bulkTables() {
		filled, err := s.number(ctx, "look for rows", "SELECT count(*) FROM (SELECT FROM catalog."+table+" LIMIT 1) t")
		if err != nil {
			return b, err
		}
		if filled > 0 && i == 0 {
			return b, nil
		}
		if filled > 0 {
			continue
		}
		drop, restore, err := s.indexes(ctx, table)
		if err != nil {
			return b, err
		}
		if err := s.exec(ctx, "put off the indexes of "+table, strings.Join(drop, ";")); err != nil {
			return b, err
		}
		b.tables[table], b.restore = true, append(b.restore, restore...)
	}
	return b, nil
}

// indexes gives the statements that drop a table's indexes, and those that make them again.
func (s *session) indexes(ctx context.Context, table string) (drop, restore []string, err error) {
	rows, err := s.c.Query(ctx, `SELECT
			CASE WHEN c.oid IS NULL THEN format('DROP INDEX %s', i.indexrelid::regclass)
			ELSE format('ALTER TABLE %s DROP CONSTRAINT %I', i.indrelid::regclass, c.conname) END,
			CASE WHEN c.oid IS NULL THEN pg_get_indexdef(i.indexrelid)
			ELSE format('ALTER TABLE %s ADD CONSTRAINT %I %s', i.indrelid::regclass, c.conname, pg_get_constraintdef(c.oid)) END
		FROM pg_index i LEFT JOIN pg_constraint c ON c.conindid = i.indexrelid AND c.conrelid = i.indrelid
		WHERE i.indrelid = `+literal("catalog."+table)+`::regclass ORDER BY 1`, pgx.QueryExecModeSimpleProtocol)
	if err != nil {
		return nil, nil, fmt.Errorf("catalogue load: indexes of %s: %w", table, err)
	}
	var from, to string
	_, err = pgx.ForEachRow(rows, []any{&from, &to}, func() error {
		drop, restore = append(drop, from), append(restore, to)
		return nil
	})
	if err != nil {
		return nil, nil, fmt.Errorf("catalogue load: indexes of %s: %w", table, err)
	}
	return drop, restore, nil
}

// build makes the indexes that were put off.
func (s *session) build(ctx context.Context, b bulk) error {
	if len(b.restore) == 0 {
		return nil
	}
	return s.exec(ctx, "build indexes", "SET LOCAL maintenance_work_mem = '256MB'; "+strings.Join(b.restore, ";"))
}
