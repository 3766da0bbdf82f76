package load

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
)

// keyTables are those in which filings are looked up. A first load looks nothing up, so their indexes can wait.
func keyTables() []string { return []string{"filings", "adviser_versions"} }

// bulkTables are the large tables that a merge only adds to while they are filled for the first time: nothing is looked
// up in them before the end of the batch, so that their indexes may be built then, at once.
func bulkTables() []string {
	tables := []string{"fund_versions"}
	for _, t := range childTables {
		tables = append(tables, t.name)
	}
	return tables
}

// currentTables are the large ones that are derived. That of a first load fills them at once.
func currentTables() []string {
	return []string{"advisers", "funds", "fund_form_d_numbers", "offering_funds"}
}

// noticeTables are those of Form D, which are filled in the same way as long as no fund is known.
func noticeTables() []string {
	return []string{"offerings", "offering_issuers", "offering_people", "offering_recipients"}
}

// bulk is the work that a first load postpones: by table, the statements that create its indexes again.
type bulk map[string][]string

// putOff begins a first load where the catalog has no adviser: it drops the indexes of the tables that are filled.
func (b *batch) putOff(ctx context.Context) error {
	b.late = bulk{}
	bulky := bulkTables()
	empty, err := b.s.empty(ctx, slices.Concat(bulky, keyTables(), noticeTables(), currentTables()))
	if err != nil || !all(empty, currentTables()) {
		return err // a catalog with advisers has readers, which would wait for the locks
	}
	var tables []string
	if all(empty, slices.Concat(bulky, keyTables())) {
		b.first = &first{known: map[string]struct{}{}}
		tables = slices.Concat(bulky, keyTables())
		// The filings wait until their places among their advisers' are known (see endFirstLoad).
		if err := b.s.exec(ctx, "first load", filingTable.create(filingTable.final)); err != nil {
			return err
		}
	}
	if all(empty, noticeTables()) {
		b.notices = &first{known: map[string]struct{}{}}
		tables = slices.Concat(tables, noticeTables())
	}
	for _, table := range tables {
		if err := b.s.putOff(ctx, table, b.late); err != nil {
			return err
		}
	}
	b.s.unordered = b.first != nil
	return nil
}

func all(empty map[string]bool, tables []string) bool {
	return !slices.ContainsFunc(tables, func(table string) bool { return !empty[table] })
}

// empty returns the tables that have no rows.
func (s *session) empty(ctx context.Context, tables []string) (map[string]bool, error) {
	empty := make(map[string]bool, len(tables))
	for _, table := range tables {
		filled, err := s.number(ctx, "look for rows", "SELECT count(*) FROM (SELECT FROM catalog."+table+" LIMIT 1) t")
		if err != nil {
			return nil, err
		}
		if filled == 0 {
			empty[table] = true
		}
	}
	return empty, nil
}

// putOff drops the indexes of an empty table. Until the commit they are missing for this transaction only; readers of
// the empty table wait for it. TRUNCATE creates a new file. This removes leftovers of an aborted load, and avoids WAL for
// the rows where wal_level is minimal.
func (s *session) putOff(ctx context.Context, table string, late bulk) error {
	drop, restore, err := s.indexes(ctx, table)
	if err != nil {
		return err
	}
	late[table] = restore
	return s.exec(ctx, "put off the indexes of "+table, strings.Join(append(drop, "TRUNCATE catalog."+table), ";"))
}

// fill lets fn write into tables without their indexes, which are made at its end. Only for tables that are empty.
func (s *session) fill(ctx context.Context, tables []string, fn func() error) error {
	late := bulk{}
	for _, table := range tables {
		if err := s.putOff(ctx, table, late); err != nil {
			return err
		}
	}
	if err := fn(); err != nil {
		return err
	}
	return s.build(ctx, late, tables...)
}

// indexes returns the statements that drop a table's indexes, and those that make them again.
func (s *session) indexes(ctx context.Context, table string) (drop, restore []string, err error) {
	rows, err := s.query(ctx, "indexes", "$table$", literal("catalog."+table))
	if err != nil {
		return nil, nil, fmt.Errorf("catalog load: indexes of %s: %w", table, err)
	}
	var from, to string
	_, err = pgx.ForEachRow(rows, []any{&from, &to}, func() error {
		drop, restore = append(drop, from), append(restore, to)
		return nil
	})
	if err != nil {
		return nil, nil, fmt.Errorf("catalog load: indexes of %s: %w", table, err)
	}
	return drop, restore, nil
}

// buildLate makes the indexes that were put off, if they are not there yet.
func (b *batch) buildLate(ctx context.Context) error {
	b.s.unordered = false
	return b.s.build(ctx, b.late, slices.Concat(keyTables(), bulkTables())...)
}

// build makes the indexes of tables that were put off.
func (s *session) build(ctx context.Context, late bulk, tables ...string) error {
	for _, table := range tables {
		restore, there := late[table]
		if !there {
			continue
		}
		delete(late, table)
		if err := s.exec(ctx, "build indexes of "+table, "SET LOCAL maintenance_work_mem = '256MB'; "+strings.Join(restore, ";")); err != nil {
			return err
		}
	}
	return nil
}
