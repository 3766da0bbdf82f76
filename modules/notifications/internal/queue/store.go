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

const addSQL = `INSERT INTO notifications.queue (kind, category, user_id, natural_key, data, not_before, created_at, message_id)
VALUES (@kind, @category, @user, @key, @data, @not_before, @now, @message_id)
ON CONFLICT (natural_key) DO NOTHING`

// The order avoids deadlocks between two runs.
const addAllSQL = `INSERT INTO notifications.queue (kind, category, user_id, natural_key, data, not_before, created_at, message_id)
SELECT @kind, @category, m.user_id, m.key, m.data::jsonb, @now, @now, m.message_id
FROM unnest(@users::bigint[], @keys::text[], @data::text[], @message_ids::text[]) AS m(user_id, key, data, message_id)
ORDER BY m.key COLLATE "C"
ON CONFLICT (natural_key) DO NOTHING`

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

const finishSQL = `UPDATE notifications.queue
SET state = @state, reason = nullif(@reason, ''), lease_until = NULL, sent_at = CASE WHEN @state = 'sent' THEN @now::timestamptz END
WHERE id = @id AND state = 'sending' AND attempts = @attempt`

func (s *store) finish(ctx context.Context, e Entry, state, reason string, now time.Time) error {
	_, err := database.Run(ctx, s.db, "finish a mail", finishSQL, database.Args{
		"id": e.ID, "attempt": e.Attempt, "state": state, "reason": reason, "now": now,
	})
	return err
}

const putBackSQL = `UPDATE notifications.queue
SET state = 'queued', reason = nullif(@reason, ''), lease_until = NULL, not_before = @at, attempts = attempts - @uncounted::int
WHERE id = @id AND state = 'sending' AND attempts = @attempt`

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
