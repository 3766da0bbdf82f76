package jobs

import (
	"context"
	"database/sql"
	"time"

	"gpatlas/platform/database"
)

// channel is where a commit tells the relays that there is something new.
const channel = "platform_outbox"

// store is the only place that knows the outbox table.
type store struct{ db *database.DB }

// waiting is one row of the outbox.
type waiting struct {
	ID       string
	Type     string
	Payload  string
	TaskID   sql.NullString
	RunAt    sql.NullTime
	Attempts int
}

func (s *store) add(ctx context.Context, job Job, payload []byte) error {
	// The notice is delivered with the commit, once a transaction; a CTE keeps it one round trip.
	return s.db.From(ctx).Exec(`WITH row AS (
			INSERT INTO platform.outbox (type, payload, task_id, run_at) VALUES (?, ?::jsonb, nullif(?, ''), ?::timestamptz) RETURNING id)
		SELECT pg_notify(?, '') FROM row`, job.Type, string(payload), job.TaskID, job.notBefore(), channel).Error
}

// addOnce is add, unless the job's key was started already. Of many at once one is the first: the others wait for its
// transaction.
func (s *store) addOnce(ctx context.Context, job Job, payload []byte) (started time.Time, first bool, err error) {
	err = s.db.InTx(ctx, func(ctx context.Context) error {
		tx := s.db.From(ctx)
		if err := tx.Exec("DELETE FROM platform.started_runs WHERE started_at < now() - make_interval(secs => ?)", keyRetention.Seconds()).Error; err != nil {
			return err
		}
		inserted := tx.Exec("INSERT INTO platform.started_runs (task_id) VALUES (?) ON CONFLICT (task_id) DO NOTHING", job.TaskID)
		if inserted.Error != nil {
			return inserted.Error
		}
		if err := tx.Raw("SELECT started_at FROM platform.started_runs WHERE task_id = ?", job.TaskID).Scan(&started).Error; err != nil {
			return err
		}
		if first = inserted.RowsAffected == 1; !first {
			return nil
		}
		return s.add(ctx, job, payload)
	})
	return started.UTC(), first, err
}

// take locks the oldest rows that no other relay holds. It must run in a transaction. Rows that failed before come
// last, so that one that always fails does not stop the others.
func (s *store) take(ctx context.Context, limit int) ([]waiting, error) {
	var rows []waiting
	err := s.db.From(ctx).Raw(`SELECT id::text AS id, type, payload::text AS payload, task_id, run_at, attempts
		FROM platform.outbox ORDER BY attempts, created_at, id LIMIT ? FOR UPDATE SKIP LOCKED`, limit).Scan(&rows).Error
	return rows, err
}

func (s *store) remove(ctx context.Context, ids []string) error {
	if len(ids) == 0 {
		return nil
	}
	return s.db.From(ctx).Exec(`DELETE FROM platform.outbox WHERE id IN (SELECT unnest(?::text[])::uuid)`, textArray(ids)).Error
}

func (s *store) failed(ctx context.Context, id, reason string) error {
	return s.db.From(ctx).Exec(`UPDATE platform.outbox SET attempts = attempts + 1, last_error = left(?, 500) WHERE id = ?::uuid`, reason, id).Error
}

// backlog is how many jobs wait in the outbox, and since when.
func (s *store) backlog(ctx context.Context) (count int64, oldest time.Time, err error) {
	var row struct {
		Count  int64
		Oldest sql.NullTime
	}
	err = s.db.From(ctx).Raw(`SELECT count(*) AS count, min(created_at) AS oldest FROM platform.outbox`).Scan(&row).Error
	return row.Count, row.Oldest.Time.UTC(), err
}

// textArray is a PostgreSQL array of ids, which hold no character that would need quoting.
func textArray(ids []string) string {
	b := []byte{'{'}
	for i, id := range ids {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, id...)
	}
	return string(append(b, '}'))
}
