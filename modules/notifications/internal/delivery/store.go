package delivery

import (
	"context"
	_ "embed"
	"time"

	"gpatlas/modules/notifications/internal/queue"
	"gpatlas/platform/database"
)

type store struct{ db *database.DB }

//go:embed reserve.sql
var reserveSQL string

// reserve counts a mail among those of its account, kind and day, unless there are most already. A further try of a mail counts
// once. Two workers cannot both take the last place: the row is locked.
func (s *store) reserve(ctx context.Context, e queue.Entry, most int, now time.Time) (bool, error) {
	if most <= 0 {
		return true, nil
	}
	rows, err := database.Values[bool](ctx, s.db, "count the mails of a day", reserveSQL, database.Args{
		"user": e.UserID, "kind": e.Kind, "day": now.Format(time.DateOnly), "mail": e.ID, "most": most,
	})
	return len(rows) == 1, err
}

//go:embed count_test_mail.sql
var countTestMailSQL string

// countTest counts a test mail that an account sends itself, and gives its number of the day; 0 where there were most already.
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
