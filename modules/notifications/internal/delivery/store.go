package delivery

import (
	"context"
	_ "embed"
	"time"

	"gpatlas/platform/database"
)

type store struct{ db *database.DB }

//go:embed reserve.sql
var reserveSQL string

// reserve counts mails among those of their account, kind and day, up to the limit, and returns those that are counted. A
// repeated attempt counts once. The row is locked, so that two workers cannot both take the last place.
func (s *store) reserve(ctx context.Context, list []*prepared, now time.Time) (map[int64]bool, error) {
	var users, mails []int64
	var kinds []string
	var mosts []int
	counted := map[int64]bool{}
	for _, p := range list {
		if p.kind.MaxPerDay <= 0 {
			counted[p.entry.ID] = true
			continue
		}
		users, mails = append(users, p.entry.UserID), append(mails, p.entry.ID)
		kinds, mosts = append(kinds, p.entry.Kind), append(mosts, p.kind.MaxPerDay)
	}
	if len(mails) == 0 {
		return counted, nil
	}
	rows, err := database.Values[[]int64](ctx, s.db, "count the mails of a day", reserveSQL, database.Args{
		"users": users, "kinds": kinds, "day": now.Format(time.DateOnly), "mails": mails, "mosts": mosts,
	})
	for _, ids := range rows {
		for _, id := range ids {
			counted[id] = true
		}
	}
	return counted, err
}

const countTestMailSQL = `INSERT INTO notifications.daily AS d (user_id, kind, day, mails)
VALUES (@user, '', @day::text::date, ARRAY[1::bigint])
ON CONFLICT (user_id, kind, day) DO UPDATE SET mails = d.mails || (cardinality(d.mails) + 1)::bigint
WHERE cardinality(d.mails) < @most
RETURNING cardinality(mails)`

// countTest counts a test mail that an account sends itself, and returns its number of the day; 0 if the limit is reached.
// Tests are counted under no kind: they do not pass through the queue.
func (s *store) countTest(ctx context.Context, userID int64, most int, now time.Time) (int, error) {
	rows, err := database.Values[int](ctx, s.db, "count a test mail", countTestMailSQL, database.Args{
		"user": userID, "day": now.Format(time.DateOnly), "most": most,
	})
	if err != nil || len(rows) == 0 {
		return 0, err
	}
	return rows[0], nil
}
