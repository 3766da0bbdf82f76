package usage

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"gpatlas/platform/auth"
	"gpatlas/platform/database"
)

// scope is whose usage is asked for: one key's, or all keys' of an account.
type scope struct {
	keyID  *string
	userID int64
}

// scopeOf is what a caller may see.
//
// Spec: usage is keyed by API key; the contract says nothing of sessions, which see all keys of their account together.
func scopeOf(caller *auth.Principal) scope {
	if caller.Kind == auth.Key {
		return scope{keyID: &caller.KeyID, userID: caller.UserID}
	}
	return scope{userID: caller.UserID}
}

// day is a row of the usage by day: of one operation, or of all.
type day struct {
	Day              time.Time
	Operation        string
	Requests, Failed int64
	TotalUS          int64
	MinUS, MaxUS     int64
}

const (
	// ofScope names the keys of a scope: $1 is the key or null, $2 the account.
	ofScope = `key_id IN (SELECT id FROM keys.api_keys WHERE user_id = $2 AND ($1::uuid IS NULL OR id = $1))`

	readDays = `SELECT day, operation, sum(requests)::bigint, sum(failed)::bigint, sum(total_us)::bigint, min(min_us), max(max_us)
		FROM keys.usage_days WHERE ` + ofScope + ` AND day BETWEEN $3 AND $4 GROUP BY day, operation`

	readSteps = `SELECT day, (step - 1)::integer, sum(n)::bigint
		FROM keys.usage_days, unnest(histogram) WITH ORDINALITY AS h (n, step)
		WHERE ` + ofScope + ` AND day BETWEEN $3 AND $4 AND n > 0 GROUP BY day, step`
)

// days reads what was done on the days of a span, both ends included, by day and operation.
func (s *Store) days(ctx context.Context, of scope, from, to time.Time) (rows []day, err error) {
	err = s.query(ctx, readDays, func(r pgx.Rows) error {
		var d day
		if err := r.Scan(&d.Day, &d.Operation, &d.Requests, &d.Failed, &d.TotalUS, &d.MinUS, &d.MaxUS); err != nil {
			return err
		}
		d.Day = d.Day.UTC()
		rows = append(rows, d)
		return nil
	}, of.keyID, of.userID, from, to)
	return rows, database.Failure("read usage", err)
}

// histograms reads the durations of each day of a span.
func (s *Store) histograms(ctx context.Context, of scope, from, to time.Time) (map[time.Time][]int64, error) {
	list := map[time.Time][]int64{}
	err := s.query(ctx, readSteps, func(r pgx.Rows) error {
		var at time.Time
		var step int
		var n int64
		if err := r.Scan(&at, &step, &n); err != nil {
			return err
		}
		at = at.UTC()
		if list[at] == nil {
			list[at] = make([]int64, steps)
		}
		if step < steps {
			list[at][step] = n
		}
		return nil
	}, of.keyID, of.userID, from, to)
	return list, database.Failure("read durations", err)
}

// sums are requests since a day.
type sums struct{ requests, failed int64 }

// totals reads the sums of today, of the month and of all time.
func (s *Store) totals(ctx context.Context, of scope, today, month time.Time) (list [3]sums, err error) {
	err = s.query(ctx, `SELECT coalesce(sum(requests) FILTER (WHERE day = $3), 0)::bigint, coalesce(sum(failed) FILTER (WHERE day = $3), 0)::bigint,
			coalesce(sum(requests) FILTER (WHERE day >= $4), 0)::bigint, coalesce(sum(failed) FILTER (WHERE day >= $4), 0)::bigint,
			coalesce(sum(requests), 0)::bigint, coalesce(sum(failed), 0)::bigint
		FROM keys.usage_days WHERE `+ofScope, func(r pgx.Rows) error {
		return r.Scan(&list[0].requests, &list[0].failed, &list[1].requests, &list[1].failed, &list[2].requests, &list[2].failed)
	}, of.keyID, of.userID, today, month)
	return list, database.Failure("read the sums of usage", err)
}

// exported reads all that is kept of an account, by day.
func (s *Store) exported(ctx context.Context, userID int64) ([]Exported, error) {
	list := []Exported{}
	err := s.query(ctx, `SELECT key_id::text, day::text, operation, requests, failed FROM keys.usage_days
		WHERE key_id IN (SELECT id FROM keys.api_keys WHERE user_id = $1) ORDER BY day, key_id, operation`, func(r pgx.Rows) error {
		var e Exported
		if err := r.Scan(&e.KeyID, &e.Date, &e.Endpoint, &e.Requests, &e.Failed); err != nil {
			return err
		}
		list = append(list, e)
		return nil
	}, userID)
	return list, database.Failure("read all usage", err)
}

func (s *Store) query(ctx context.Context, sql string, each func(pgx.Rows) error, args ...any) error {
	return s.db.Conn(ctx, func(c *pgx.Conn) error {
		rows, err := c.Query(ctx, sql, args...)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			if err := each(rows); err != nil {
				return err
			}
		}
		return rows.Err()
	})
}
