package usage

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"gpatlas/platform/database"
)

// Store reads and writes usage.
type Store struct {
	db *database.DB

	mu     sync.Mutex
	months map[time.Time]bool // whose partitions are known to be there
}

// NewStore works on db.
func NewStore(db *database.DB) *Store { return &Store{db: db, months: map[time.Time]bool{}} }

// rowsMax bounds one statement.
const rowsMax = 2_000

// columns are the rows of one statement, column by column.
type columns struct {
	keys, operations, histograms                []string
	at                                          []time.Time
	requests, failed, totals, shortest, longest []int64
}

func (c *columns) add(k slot, t *tally) {
	c.keys, c.operations, c.histograms = append(c.keys, k.keyID), append(c.operations, k.operation), append(c.histograms, t.histogram.literal())
	c.at = append(c.at, time.Unix(k.minute, 0).UTC())
	c.requests, c.failed, c.totals = append(c.requests, t.requests), append(c.failed, t.failed), append(c.totals, t.totalUS)
	c.shortest, c.longest = append(c.shortest, t.minUS), append(c.longest, t.maxUS)
}

// insert adds to the rows that are there. The histograms are added step by step; the shorter one ends earlier.
const insert = `INSERT INTO keys.usage_TABLE AS u (key_id, operation, COLUMN, requests, failed, total_us, min_us, max_us, histogram)
SELECT key_id, operation, at::TYPE, requests, failed, total_us, min_us, max_us, histogram::integer[]
FROM unnest($1::uuid[], $2::text[], $3::TYPE[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[], $9::text[])
	WITH ORDINALITY AS n (key_id, operation, at, requests, failed, total_us, min_us, max_us, histogram, place)
ORDER BY place
ON CONFLICT (TARGET) DO UPDATE SET
	requests = u.requests + excluded.requests, failed = u.failed + excluded.failed, total_us = u.total_us + excluded.total_us,
	min_us = least(u.min_us, excluded.min_us), max_us = greatest(u.max_us, excluded.max_us),
	histogram = (SELECT array_agg(coalesce(a, 0) + coalesce(b, 0) ORDER BY step)
		FROM unnest(u.histogram, excluded.histogram) WITH ORDINALITY AS s (a, b, step))`

func statement(table, column, kind, target string) string {
	return strings.NewReplacer("TABLE", table, "COLUMN", column, "TYPE", kind, "TARGET", target).Replace(insert)
}

var (
	insertMinutes = statement("minutes", "minute", "timestamptz", "key_id, operation, minute")
	insertDays    = statement("days", "day", "date", "key_id, day, operation")
)

// write adds counts to the minutes and to the days, all or none of them. Rows are written in one order, so that two
// processes do not lock each other.
func (s *Store) write(ctx context.Context, minutes map[slot]*tally) error {
	days := map[slot]*tally{}
	months := map[time.Time]bool{}
	for k, t := range minutes {
		months[monthOf(time.Unix(k.minute, 0))] = true
		day := slot{k.keyID, k.operation, k.minute - k.minute%(24*60*60)}
		if days[day] == nil {
			days[day] = &tally{}
		}
		days[day].add(t)
	}
	if err := s.ensureMonths(ctx, slices.Collect(maps.Keys(months))...); err != nil && database.Away(err) {
		return err // a month that could not be made is no reason: there is the default partition
	}
	return s.db.InTx(ctx, func(ctx context.Context) error {
		return s.db.Conn(ctx, func(c *pgx.Conn) error {
			if err := insertAll(ctx, c, insertMinutes, minutes); err != nil {
				return err
			}
			return insertAll(ctx, c, insertDays, days)
		})
	})
}

func insertAll(ctx context.Context, c *pgx.Conn, statement string, counts map[slot]*tally) error {
	order := slices.SortedFunc(maps.Keys(counts), func(a, b slot) int {
		return cmp.Or(strings.Compare(a.keyID, b.keyID), strings.Compare(a.operation, b.operation), cmp.Compare(a.minute, b.minute))
	})
	for chunk := range slices.Chunk(order, rowsMax) {
		var n columns
		for _, k := range chunk {
			n.add(k, counts[k])
		}
		_, err := c.Exec(ctx, statement, n.keys, n.operations, n.at, n.requests, n.failed, n.totals, n.shortest, n.longest, n.histograms)
		if err != nil {
			return err
		}
	}
	return nil
}

// touch writes last uses, unless another process has written one less than a minute before.
func (s *Store) touch(ctx context.Context, used map[string]time.Time) error {
	order := slices.Sorted(maps.Keys(used))
	at := make([]time.Time, len(order))
	for i, k := range order {
		at[i] = used[k]
	}
	err := s.db.Conn(ctx, func(c *pgx.Conn) error {
		_, err := c.Exec(ctx, `UPDATE keys.api_keys k SET last_used_at = n.at
			FROM (SELECT id, at FROM unnest($1::uuid[], $2::timestamptz[]) AS u (id, at) ORDER BY id) n
			WHERE k.id = n.id AND (k.last_used_at IS NULL OR k.last_used_at <= n.at - interval '1 minute')`, order, at)
		return err
	})
	return database.Failure("write the last use of keys", err)
}
