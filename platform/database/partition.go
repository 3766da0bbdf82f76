package database

import (
	"context"
	_ "embed"
	"strings"
	"sync"
	"time"
)

// Partitioned is a table with a partition for each month. Its migration creates it with PARTITION BY RANGE of a column, and
// with a default partition named like the table with "_rest", for rows without a month's partition.
type Partitioned struct {
	Table  string // with its schema: "keys.usage_days"
	Column string // a date or a timestamptz
}

// Months creates the partitions of tables, month by month in UTC. It is safe for concurrent use.
type Months struct {
	db     *DB
	tables []Partitioned

	mu    sync.Mutex
	known map[time.Time]bool // months whose partitions exist
}

// NewMonths creates partitions of some tables.
func NewMonths(db *DB, tables ...Partitioned) *Months {
	return &Months{db: db, tables: tables, known: map[time.Time]bool{}}
}

// Month is the beginning of the month of an instant, in UTC.
func Month(t time.Time) time.Time {
	t = t.UTC()
	return time.Date(t.Year(), t.Month(), 1, 0, 0, 0, 0, time.UTC)
}

// Ensure creates the missing partitions of the months of some instants. Without a partition, rows go into the default one, from
// which a later call moves them.
func (m *Months) Ensure(ctx context.Context, instants ...time.Time) error {
	for _, at := range instants {
		month := Month(at)
		m.mu.Lock()
		known := m.known[month]
		m.mu.Unlock()
		if known {
			continue
		}
		for _, table := range m.tables {
			if err := m.add(ctx, table, month); err != nil {
				return err
			}
		}
		m.mu.Lock()
		m.known[month] = true
		m.mu.Unlock()
	}
	return nil
}

// Ahead creates the partitions of this month and the next.
func (m *Months) Ahead(ctx context.Context, now time.Time) error {
	return m.Ensure(ctx, now, Month(now).AddDate(0, 1, 0))
}

//go:embed partition.sql
var partitionSQL string

// add creates one partition, in a transaction that excludes other processes. Rows of the month in the default partition are
// moved first, because otherwise the partition could not be attached.
func (m *Months) add(ctx context.Context, table Partitioned, month time.Time) error {
	statement := strings.NewReplacer("{{table}}", table.Table, "{{column}}", table.Column, "{{month}}", month.Format("2006_01"),
		"{{from}}", month.Format(time.DateOnly), "{{to}}", month.AddDate(0, 1, 0).Format(time.DateOnly)).Replace(partitionSQL)
	_, err := Run(ctx, m.db, "make the partition of a month", statement, nil)
	return err
}
