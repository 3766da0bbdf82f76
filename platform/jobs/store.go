package jobs

import (
	"context"
	"time"

	"gpatlas/platform/database"
)

// channel is notified at commit, for the relays.
const channel = "platform_outbox"

// store is the only code that uses the outbox table.
type store struct{ db *database.DB }

// waiting is one row of the outbox: a job that waits, or that the queue has and has not ended yet.
type waiting struct {
	ID       string
	Type     string
	Payload  string
	TaskID   *string
	RunAt    *time.Time
	Attempts int
}

// Writes a job and notifies the relays, once a transaction, with its commit.
const addSQL = `WITH row AS (
	INSERT INTO platform.outbox (type, payload, task_id, run_at)
	VALUES (@type, @payload, nullif(@task, ''), @run_at) RETURNING id
)
SELECT pg_notify(@channel, '') FROM row`

func (s *store) add(ctx context.Context, job Job, payload []byte) error {
	_, err := database.Run(ctx, s.db, "enqueue "+job.Type, addSQL, database.Args{
		"type": job.Type, "payload": payload, "task": job.TaskID, "run_at": job.notBefore(), "channel": channel,
	})
	return err
}

// addOnce is add, unless the job's key was started already. Of concurrent calls one is the first: the others wait for its
// transaction.
func (s *store) addOnce(ctx context.Context, job Job, payload []byte) (started time.Time, first bool, err error) {
	const (
		forget = "DELETE FROM platform.started_runs WHERE started_at < now() - make_interval(secs => @seconds)"
		start  = "INSERT INTO platform.started_runs (task_id) VALUES (@task) ON CONFLICT (task_id) DO NOTHING"
		find   = "SELECT started_at FROM platform.started_runs WHERE task_id = @task"
	)
	what, task := "remember the start", database.Args{"task": job.TaskID}
	err = s.db.InTx(ctx, func(ctx context.Context) error {
		if _, err := database.Run(ctx, s.db, what, forget, database.Args{"seconds": keyRetention.Seconds()}); err != nil {
			return err
		}
		inserted, err := database.Run(ctx, s.db, what, start, task)
		if err != nil {
			return err
		}
		times, err := database.Values[time.Time](ctx, s.db, what, find, task)
		if err != nil {
			return err
		}
		for _, at := range times { // empty if another has removed it in between
			started = at.UTC()
		}
		if first = inserted == 1; !first {
			return nil
		}
		return s.add(ctx, job, payload)
	})
	return started, first, err
}

const takeSQL = `SELECT id::text, type, payload::text, task_id, run_at, attempts
FROM platform.outbox WHERE handed_at IS NULL ORDER BY attempts, created_at, id LIMIT @limit FOR UPDATE SKIP LOCKED`

// lockRows locks the oldest rows that no other relay holds. It must run in a transaction. Rows that failed before come last, so
// that one that always fails does not stop the others.
func (s *store) lockRows(ctx context.Context, limit int) ([]waiting, error) {
	return database.Select[waiting](ctx, s.db, "read the outbox", takeSQL, database.Args{"limit": limit})
}

const takeHandedSQL = `SELECT id::text, type, payload::text, task_id, run_at, attempts FROM platform.outbox
WHERE handed_at < now() - make_interval(secs => @seconds) ORDER BY handed_at LIMIT @limit FOR UPDATE SKIP LOCKED`

// lockHanded locks rows of jobs that the queue was last known to have a while ago. It must run in a transaction.
func (s *store) lockHanded(ctx context.Context, ago time.Duration, limit int) ([]waiting, error) {
	args := database.Args{"seconds": ago.Seconds(), "limit": limit}
	return database.Select[waiting](ctx, s.db, "read the jobs that were handed over", takeHandedSQL, args)
}

// handed notes that the queue has the jobs.
func (s *store) handed(ctx context.Context, ids []string) error {
	const statement = "UPDATE platform.outbox SET handed_at = now() WHERE id = ANY (@ids::text[]::uuid[])"
	_, err := database.Run(ctx, s.db, "note that jobs are in the queue", statement, database.Args{"ids": ids})
	return err
}

func (s *store) remove(ctx context.Context, ids []string) error {
	const statement = "DELETE FROM platform.outbox WHERE id = ANY (@ids::text[]::uuid[])"
	_, err := database.Run(ctx, s.db, "remove jobs from the outbox", statement, database.Args{"ids": ids})
	return err
}

func (s *store) failed(ctx context.Context, id, reason string) error {
	const statement = "UPDATE platform.outbox SET attempts = attempts + 1, last_error = left(@reason, 500) WHERE id = @id::uuid"
	_, err := database.Run(ctx, s.db, "keep why a job waits", statement, database.Args{"id": id, "reason": reason})
	return err
}

// backlog is how many jobs wait in the outbox, and since when.
func (s *store) backlog(ctx context.Context) (count int64, oldest time.Time, err error) {
	type backlog struct {
		Count  int64
		Oldest time.Time // now if none waits
	}
	const statement = "SELECT count(*), coalesce(min(created_at), now()) AS oldest FROM platform.outbox WHERE handed_at IS NULL"
	list, err := database.Select[backlog](ctx, s.db, "count the jobs of the outbox", statement, nil)
	if err != nil {
		return 0, time.Time{}, err
	}
	return list[0].Count, list[0].Oldest.UTC(), nil
}
