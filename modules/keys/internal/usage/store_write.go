package usage

import (
	"cmp"
	"context"
	_ "embed"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"gpatlas/platform/database"
)

// Store reads and writes usage.
type Store struct {
	db     *database.DB
	months *database.Months
	names  sync.Map // names of operations in reports, by ID
}

// named is an operation's name in reports.
func (s *Store) named(operation string) Named {
	if known, ok := s.names.Load(operation); ok {
		if n, ok := known.(Named); ok {
			return n
		}
	}
	return Named{Endpoint: operation}
}

// NewStore works on db.
func NewStore(db *database.DB) *Store {
	return &Store{db: db, months: database.NewMonths(db,
		database.Partitioned{Table: "keys.usage_minutes", Column: "minute"}, database.Partitioned{Table: "keys.usage_days", Column: "day"})}
}

// rowsMax bounds one statement.
const rowsMax = 2_000

// columns are the rows of one statement, column by column.
type columns struct {
	keys, operations, histograms                []string
	at                                          []time.Time
	requests, failed, totals, shortest, longest []int64
}

func (c *columns) args() database.Args {
	return database.Args{
		"keys": c.keys, "operations": c.operations, "at": c.at, "requests": c.requests, "failed": c.failed, "totals": c.totals,
		"shortest": c.shortest, "longest": c.longest, "histograms": c.histograms,
	}
}

func (c *columns) add(k slot, t *tally) {
	c.keys, c.operations, c.histograms = append(c.keys, k.keyID), append(c.operations, k.operation), append(c.histograms, t.histogram.literal())
	c.at = append(c.at, time.Unix(k.minute, 0).UTC())
	c.requests, c.failed, c.totals = append(c.requests, t.requests), append(c.failed, t.failed), append(c.totals, t.totalUS)
	c.shortest, c.longest = append(c.shortest, t.minUS), append(c.longest, t.maxUS)
}

//go:embed insert.sql
var insertSQL string

func statement(table, column, kind, target string) string {
	return strings.NewReplacer("{{table}}", table, "{{column}}", column, "{{type}}", kind, "{{target}}", target).Replace(insertSQL)
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
		months[database.Month(time.Unix(k.minute, 0))] = true
		day := slot{k.keyID, k.operation, k.minute - k.minute%(24*60*60)}
		if days[day] == nil {
			days[day] = &tally{}
		}
		days[day].add(t)
	}
	if err := s.months.Ensure(ctx, slices.Collect(maps.Keys(months))...); err != nil && database.Away(err) {
		return err // a missing month is no problem: there is the default partition
	}
	return s.db.InTx(ctx, func(ctx context.Context) error {
		if err := s.insertAll(ctx, insertMinutes, minutes); err != nil {
			return err
		}
		return s.insertAll(ctx, insertDays, days)
	})
}

func (s *Store) insertAll(ctx context.Context, statement string, counts map[slot]*tally) error {
	order := slices.SortedFunc(maps.Keys(counts), func(a, b slot) int {
		return cmp.Or(strings.Compare(a.keyID, b.keyID), strings.Compare(a.operation, b.operation), cmp.Compare(a.minute, b.minute))
	})
	for chunk := range slices.Chunk(order, rowsMax) {
		var n columns
		for _, k := range chunk {
			n.add(k, counts[k])
		}
		if _, err := database.Run(ctx, s.db, "add to the usage of keys", statement, n.args()); err != nil {
			return err
		}
	}
	return nil
}

const touchSQL = `UPDATE keys.api_keys k SET last_used_at = n.at
FROM (SELECT id, at FROM unnest(@keys::uuid[], @at::timestamptz[]) AS u (id, at) ORDER BY id) n
WHERE k.id = n.id AND (k.last_used_at IS NULL OR k.last_used_at <= n.at - interval '1 minute')`

// touch writes last uses, unless another process has written one less than a minute before.
func (s *Store) touch(ctx context.Context, used map[string]time.Time) error {
	order := slices.Sorted(maps.Keys(used))
	at := make([]time.Time, len(order))
	for i, k := range order {
		at[i] = used[k]
	}
	_, err := database.Run(ctx, s.db, "write the last use of keys", touchSQL, database.Args{"keys": order, "at": at})
	return err
}
