package usage

import (
	"context"
	_ "embed"
	"strings"
	"time"

	"gpatlas/platform/database"
)

// partitioned are the tables that have a partition a month, and the column that they are partitioned by.
var partitioned = []struct{ table, column string }{{"usage_minutes", "minute"}, {"usage_days", "day"}}

// monthOf is the beginning of a month in UTC.
func monthOf(t time.Time) time.Time {
	t = t.UTC()
	return time.Date(t.Year(), t.Month(), 1, 0, 0, 0, 0, time.UTC)
}

// ensureMonths makes the partitions of the months given where they are missing. Without one, rows go into the default
// partition, from which a later attempt takes them.
func (s *Store) ensureMonths(ctx context.Context, days ...time.Time) error {
	for _, day := range days {
		month := monthOf(day)
		s.mu.Lock()
		known := s.months[month]
		s.mu.Unlock()
		if known {
			continue
		}
		for _, p := range partitioned {
			if err := s.ensurePartition(ctx, p.table, p.column, month); err != nil {
				return err
			}
		}
		s.mu.Lock()
		s.months[month] = true
		s.mu.Unlock()
	}
	return nil
}

//go:embed partition.sql
var partitionSQL string

// ensurePartition makes one partition, in a transaction in which no other process does. Rows of the month that lie in the
// default partition are moved, for the partition could not be attached beside them.
func (s *Store) ensurePartition(ctx context.Context, table, column string, month time.Time) error {
	statement := strings.NewReplacer("{{table}}", table, "{{column}}", column, "{{name}}", table+month.Format("_2006_01"),
		"{{from}}", month.Format(time.DateOnly), "{{to}}", month.AddDate(0, 1, 0).Format(time.DateOnly)).Replace(partitionSQL)
	_, err := database.Run(ctx, s.db, "make the partition of a month", statement, nil)
	return err
}
