package jobs

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"gpatlas/platform/database"
)

// Enqueuer writes jobs to the outbox. Inside database.DB.InTx a job belongs to that transaction: it moves to the queue if and
// when the transaction commits.
type Enqueuer struct{ outbox *store }

// NewEnqueuer makes an Enqueuer over a database.
func NewEnqueuer(db *database.DB) *Enqueuer { return &Enqueuer{outbox: &store{db: db}} }

// Enqueue writes one job. A job that could never run (no type, a payload that is no JSON) is rejected here.
func (e *Enqueuer) Enqueue(ctx context.Context, job Job) error {
	payload, err := job.encode()
	if err != nil {
		return err
	}
	return e.outbox.add(ctx, job, payload)
}

// EnqueueOnce writes a job with a natural key unless EnqueueOnce, called by a schedule or by hand, has written one of the same
// key in the last 25 hours. started is when that was; if first is true it is now, and the job is this one.
func (e *Enqueuer) EnqueueOnce(ctx context.Context, job Job) (started time.Time, first bool, err error) {
	if job.TaskID == "" {
		return time.Time{}, false, fmt.Errorf("job %s: nothing runs once without a task id", job.Type)
	}
	payload, err := job.encode()
	if err != nil {
		return time.Time{}, false, err
	}
	if started, first, err = e.outbox.addOnce(ctx, job, payload); err != nil {
		return time.Time{}, false, database.Failure("enqueue "+job.Type+" once", err)
	}
	return started, first, nil
}

func (j Job) encode() ([]byte, error) {
	if !typePattern.MatchString(j.Type) {
		return nil, fmt.Errorf("job type %q: want module.verb_noun", j.Type)
	}
	if j.TaskID != strings.TrimSpace(j.TaskID) || len(j.TaskID) > keyMax {
		return nil, fmt.Errorf("job %s: task id %q: want at most %d characters without blanks around", j.Type, j.TaskID, keyMax)
	}
	if j.Payload == nil {
		return []byte("{}"), nil
	}
	payload, err := json.Marshal(j.Payload)
	if err != nil {
		return nil, fmt.Errorf("job %s: payload: %w", j.Type, err)
	}
	if bytes.Contains(payload, []byte(`\u0000`)) {
		return nil, fmt.Errorf("job %s: payload: a NUL character cannot be stored", j.Type)
	}
	return payload, nil
}

// notBefore is RunAt as a column: null for now.
func (j Job) notBefore() *time.Time {
	if j.RunAt.IsZero() {
		return nil
	}
	at := j.RunAt.UTC()
	return &at
}

// EnqueueAll marks rows as enqueued and enqueues the job of each, in transactions of at most batch rows, until mark returns fewer. It returns
// how many.
func EnqueueAll[T any](
	ctx context.Context, db *database.DB, batch int, mark func(ctx context.Context) ([]T, error), enqueue func(ctx context.Context, row T) error,
) (total int, err error) {
	for {
		n := 0
		err := db.InTx(ctx, func(ctx context.Context) error {
			rows, err := mark(ctx)
			if err != nil {
				return err
			}
			for _, row := range rows {
				if err := enqueue(ctx, row); err != nil {
					return err
				}
			}
			n = len(rows)
			return nil
		})
		if err != nil {
			return total, err
		}
		if total += n; n < batch {
			return total, nil
		}
	}
}
