package queue

import (
	"context"
	_ "embed"
	"fmt"
	"time"

	"gpatlas/modules/notifications/internal/kind"
	"gpatlas/platform/database"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/jobs"
	"gpatlas/platform/mail"
)

type store struct{ db *database.DB }

//go:embed add.sql
var addSQL string

//go:embed add_all.sql
var addAllSQL string

func (s *store) addAll(ctx context.Context, k kind.Kind, items []Item, now time.Time) (int, error) {
	users, keys, list, ids := make([]int64, len(items)), make([]string, len(items)), make([]string, len(items)), make([]string, len(items))
	for i, item := range items {
		data, err := httpapi.Marshal(item.Data)
		if err != nil {
			return 0, jobs.Never(fmt.Errorf("notification of kind %q: %w", k.ID, err))
		}
		users[i], keys[i], list[i], ids[i] = item.UserID, item.Key, string(data), mail.MessageID(item.Key)
	}
	n, err := database.Run(ctx, s.db, "queue mails", addAllSQL, database.Args{
		"kind": k.ID, "category": k.Category, "users": users, "keys": keys, "data": list, "message_ids": ids, "now": now,
	})
	return int(n), err
}

//go:embed claim.sql
var claimSQL string

func (s *store) claim(ctx context.Context, now, until time.Time, most int) ([]Entry, error) {
	return database.Select[Entry](ctx, s.db, "claim mails", claimSQL, database.Args{"now": now, "until": until, "most": most})
}

//go:embed finish.sql
var finishSQL string

func (s *store) finish(ctx context.Context, e Entry, state, reason string, now time.Time) error {
	_, err := database.Run(ctx, s.db, "finish a mail", finishSQL, database.Args{
		"id": e.ID, "attempt": e.Attempt, "state": state, "reason": reason, "now": now,
	})
	return err
}

//go:embed put_back.sql
var putBackSQL string

func (s *store) putBack(ctx context.Context, e Entry, reason string, at time.Time, uncounted bool) error {
	less := 0
	if uncounted {
		less = 1
	}
	_, err := database.Run(ctx, s.db, "put a mail back", putBackSQL, database.Args{
		"id": e.ID, "attempt": e.Attempt, "reason": reason, "at": at, "uncounted": less,
	})
	return err
}

//go:embed waiting.sql
var waitingSQL string

func (s *store) waiting(ctx context.Context, now time.Time) (int64, error) {
	rows, err := database.Values[int64](ctx, s.db, "count waiting mails", waitingSQL, database.Args{"now": now})
	if err != nil {
		return 0, err
	}
	return rows[0], nil
}
