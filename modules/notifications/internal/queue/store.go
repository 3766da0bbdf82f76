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

// Claim takes mails that are due, the longest waiting first, until the lease ends. Mails whose lease ended without a result
// (their worker was killed) are due again. Mails that another worker is claiming are skipped.
func (s *Service) Claim(ctx context.Context, most int, lease time.Duration) ([]Entry, error) {
	now := s.clock.Now().UTC()
	return database.Select[Entry](ctx, s.store.db, "claim mails", claimSQL, database.Args{"now": now, "until": now.Add(lease), "most": most})
}

const finishSQL = `UPDATE notifications.queue
SET state = @state, reason = nullif(@reason, ''), lease_until = NULL, sent_at = CASE WHEN @state = 'sent' THEN @now::timestamptz END
WHERE id = @id AND state = 'sending' AND attempts = @attempt`

// Finish stores the result of a claimed mail: Sent, Failed or Suppressed. It does nothing if the lease has ended and another
// worker has claimed the mail.
func (s *Service) Finish(ctx context.Context, e Entry, state, reason string) error {
	_, err := database.Run(ctx, s.store.db, "finish a mail", finishSQL, database.Args{
		"id": e.ID, "attempt": e.Attempt, "state": state, "reason": reason, "now": s.clock.Now().UTC(),
	})
	return err
}

const putBackSQL = `UPDATE notifications.queue
SET state = 'queued', reason = nullif(@reason, ''), lease_until = NULL, not_before = @at, attempts = attempts - @uncounted::boolean::int
WHERE id = @id AND state = 'sending' AND attempts = @attempt`

// PutBack schedules a claimed mail again after a wait. uncounted: the claim does not count as an attempt, because none was
// made.
func (s *Service) PutBack(ctx context.Context, e Entry, reason string, wait time.Duration, uncounted bool) error {
	_, err := database.Run(ctx, s.store.db, "put a mail back", putBackSQL, database.Args{
		"id": e.ID, "attempt": e.Attempt, "reason": reason, "at": s.clock.Now().UTC().Add(wait), "uncounted": uncounted,
	})
	return err
}
