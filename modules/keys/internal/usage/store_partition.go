package usage

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

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
				return database.Failure("make the partition of a month", err)
			}
		}
		s.mu.Lock()
		s.months[month] = true
		s.mu.Unlock()
	}
	return nil
}

// ensurePartition makes one partition, in a transaction in which no other process does. Rows of the month that lie in the
// default partition are moved, for the partition could not be attached beside them.
func (s *Store) ensurePartition(ctx context.Context, table, column string, month time.Time) error {
	name := fmt.Sprintf("%s_%s", table, month.Format("2006_01"))
	from, to := month.Format(time.DateOnly)+" 00:00:00+00", month.AddDate(0, 1, 0).Format(time.DateOnly)+" 00:00:00+00"
	return s.db.InTx(ctx, func(ctx context.Context) error {
		return s.db.Conn(ctx, func(c *pgx.Conn) error {
			if _, err := c.Exec(ctx, "SELECT pg_advisory_xact_lock(hashtextextended('keys.usage partitions', 0))"); err != nil {
				return err
			}
			var there bool
			if err := c.QueryRow(ctx, "SELECT to_regclass('keys."+name+"') IS NOT NULL").Scan(&there); err != nil || there {
				return err
			}
			for _, sql := range []string{
				"LOCK TABLE keys." + table + "_rest IN ACCESS EXCLUSIVE MODE",
				"CREATE TABLE keys." + name + " (LIKE keys." + table + " INCLUDING ALL)",
				"WITH moved AS (DELETE FROM keys." + table + "_rest WHERE " + column + " >= '" + from + "' AND " + column + " < '" + to +
					"' RETURNING *) INSERT INTO keys." + name + " SELECT * FROM moved",
				"ALTER TABLE keys." + table + " ATTACH PARTITION keys." + name + " FOR VALUES FROM ('" + from + "') TO ('" + to + "')",
			} {
				if _, err := c.Exec(ctx, sql); err != nil {
					return err
				}
			}
			return nil
		})
	})
}
