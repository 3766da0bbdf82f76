package usage

import (
	"context"
	"time"

	"gpatlas/platform/auth"
	"gpatlas/platform/database"
)

// scope selects usage: one key's, or all keys' of an account.
type scope struct {
	keyID  *string
	userID int64
}

// scopeOf is what a caller may see.
//
// Spec: usage is keyed by API key; the contract does not mention sessions, which see all keys of their account together.
func scopeOf(caller *auth.Principal) scope {
	if caller.Kind == auth.Key {
		return scope{keyID: &caller.KeyID, userID: caller.UserID}
	}
	return scope{userID: caller.UserID}
}

func (of scope) args() database.Args { return database.Args{"key": of.keyID, "user": of.userID} }

func (of scope) span(from, to time.Time) database.Args {
	return database.Args{"key": of.keyID, "user": of.userID, "from": from, "to": to}
}

// day is a row of the usage by day: of one operation, or of all.
type day struct {
	Day              time.Time
	Operation        string
	Requests, Failed int64
	TotalUS          int64
	MinUS, MaxUS     int64
}

const daysSQL = `SELECT day, operation, sum(requests)::bigint AS requests, sum(failed)::bigint AS failed, sum(total_us)::bigint AS total_us,
	min(min_us) AS min_us, max(max_us) AS max_us
FROM keys.usage_days
WHERE key_id IN (SELECT id FROM keys.api_keys WHERE user_id = @user AND (@key::uuid IS NULL OR id = @key)) AND day BETWEEN @from AND @to
GROUP BY day, operation`

// days reads the usage on the days of a span, both ends included, by day and operation.
func (s *Store) days(ctx context.Context, of scope, from, to time.Time) (rows []day, err error) {
	rows, err = database.Select[day](ctx, s.db, "read usage", daysSQL, of.span(from, to))
	for i := range rows {
		rows[i].Day = rows[i].Day.UTC()
	}
	return rows, err
}

const histogramsSQL = `SELECT day, (h.place - 1)::integer AS step, sum(n)::bigint AS n
FROM keys.usage_days, unnest(histogram) WITH ORDINALITY AS h (n, place)
WHERE key_id IN (SELECT id FROM keys.api_keys WHERE user_id = @user AND (@key::uuid IS NULL OR id = @key)) AND day BETWEEN @from AND @to
	AND n > 0
GROUP BY day, h.place`

// histograms reads the durations of each day of a span.
func (s *Store) histograms(ctx context.Context, of scope, from, to time.Time) (map[time.Time][]int64, error) {
	type count struct {
		Day  time.Time
		Step int
		N    int64
	}
	counts, err := database.Select[count](ctx, s.db, "read durations", histogramsSQL, of.span(from, to))
	list := map[time.Time][]int64{}
	for _, c := range counts {
		at := c.Day.UTC()
		if list[at] == nil {
			list[at] = make([]int64, steps)
		}
		if c.Step < steps {
			list[at][c.Step] = c.N
		}
	}
	return list, err
}

// totals are the requests of today, of the month and of all time.
type totals struct {
	Today, TodayFailed int64
	Month, MonthFailed int64
	All, AllFailed     int64
}

const totalsSQL = `SELECT coalesce(sum(requests) FILTER (WHERE day = @today), 0)::bigint AS today,
	coalesce(sum(failed) FILTER (WHERE day = @today), 0)::bigint AS today_failed,
	coalesce(sum(requests) FILTER (WHERE day >= @month), 0)::bigint AS month,
	coalesce(sum(failed) FILTER (WHERE day >= @month), 0)::bigint AS month_failed,
	coalesce(sum(requests), 0)::bigint AS "all", coalesce(sum(failed), 0)::bigint AS all_failed
FROM keys.usage_days
WHERE key_id IN (SELECT id FROM keys.api_keys WHERE user_id = @user AND (@key::uuid IS NULL OR id = @key))`

func (s *Store) totals(ctx context.Context, of scope, today, month time.Time) (totals, error) {
	args := of.args()
	args["today"], args["month"] = today, month
	list, err := database.Select[totals](ctx, s.db, "read the sums of usage", totalsSQL, args)
	if err != nil {
		return totals{}, err
	}
	return list[0], nil
}

const exportedSQL = `SELECT key_id::text AS key_id, day::text AS date, operation AS endpoint, requests, failed
FROM keys.usage_days
WHERE key_id IN (SELECT id FROM keys.api_keys WHERE user_id = @user)
ORDER BY day, usage_days.key_id, operation`

// Exported is the usage of a key at an endpoint on a day (UTC).
type Exported struct {
	KeyID    string `json:"key_id"`
	Date     string `json:"date"`
	Endpoint string `json:"endpoint"`
	Requests int64  `json:"requests"`
	Failed   int64  `json:"failed"`
}

// exported reads the usage of all keys of an account, revoked ones too, by day.
func (s *Store) exported(ctx context.Context, userID int64) ([]Exported, error) {
	return database.Select[Exported](ctx, s.db, "read all usage", exportedSQL, database.Args{"user": userID})
}
