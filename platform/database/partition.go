package database

import (
	"context"
	_ "embed"
	"strings"
	"sync"
	"time"
)

// Partitioned is a table that has a partition a month. Its migration makes it with PARTITION BY RANGE of a column, and with a
// default partition called like the table with "_rest", which takes what finds no month.
type Partitioned struct {
	Table  string // with its schema: "keys.usage_days"
	Column string // a date or a timestamptz
}

// Months makes the partitions of tables, month by month in UTC. It is safe for concurrent use.
type Months struct {
	db     *DB
	tables []Partitioned

	mu    sync.Mutex
	known map[time.Time]bool // months whose partitions are there
}

// NewMonths makes partitions of some tables.
func NewMonths(db *DB, tables ...Partitioned) *Months {
	return &Months{db: db, tables: tables, known: map[time.Time]bool{}}
}

// Month is the beginning of the month of an instant, in UTC.
func Month(t time.Time) time.Time {
	t = t.UTC()
	return time.Date(t.Year(), t.Month(), 1, 0, 0, 0, 0, time.UTC)
}

// Ensure makes the partitions of the months of some instants where they are missing. Without one, rows go into the default
// partition, from which a later call takes them.
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

// Ahead makes the partitions of this month and the next.
func (m *Months) Ahead(ctx context.Context, now time.Time) error {
	return m.Ensure(ctx, now, Month(now).AddDate(0, 1, 0))
}

//go:embed partition.sql
var partitionSQL string

// add makes one partition, in a transaction in which no other process does. Rows of the month that lie in the default
// partition are moved, for the partition could not be attached beside them.
func (m *Months) add(ctx context.Context, table Partitioned, month time.Time) error {
	statement := strings.NewReplacer("{{table}}", table.Table, "{{column}}", table.Column, "{{month}}", month.Format("2006_01"),
		"{{from}}", month.Format(time.DateOnly), "{{to}}", month.AddDate(0, 1, 0).Format(time.DateOnly)).Replace(partitionSQL)
	_, err := Run(ctx, m.db, "make the partition of a month", statement, nil)
	return err
}
