package jobs

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/hibiken/asynq"
	"github.com/redis/go-redis/v9"

	"gpatlas/platform/database"
	"gpatlas/platform/log"
)

const (
	relayBatch   = 200
	enqueueLimit = 5 * time.Second // one move to Redis
	// patience limits the database work of a batch, so that a stopped server holds the relay no longer.
	patience = 10 * time.Second
	// handedRetention is how long the queue remembers a finished job without a natural key. A job whose row is still there after
	// that runs again.
	handedRetention = 15 * time.Minute
	// confirmAfter is how long after the hand-over, and how often from then on, the queue is asked for a job.
	confirmAfter = time.Minute
)

// relay moves committed jobs from the outbox to the queue. Any number may run: each row is locked by one.
type relay struct {
	db       *database.DB
	outbox   *store
	redis    redis.UniversalClient
	client   *asynq.Client // over redis
	tasks    *asynq.Inspector
	handlers map[string]Handler
	log      *slog.Logger
	metrics  *metrics
	interval time.Duration
	patience time.Duration
	wake     chan struct{}
}

// run works until ctx ends.
func (r *relay) run(ctx context.Context) {
	var wg sync.WaitGroup
	wg.Go(func() { r.listen(ctx) })
	defer wg.Wait()
	tick := time.NewTicker(r.interval)
	defer tick.Stop()
	for {
		r.drain(ctx)
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			r.confirmAll(ctx)
		case <-r.wake:
		}
	}
}

func (r *relay) nudge() {
	select {
	case r.wake <- struct{}{}:
	default: // a nudge is already waiting
	}
}

func (r *relay) listen(ctx context.Context) {
	r.db.Follow(ctx, database.Follower{
		Listening: r.nudge, // for jobs from before
		Heard:     func(database.Notice) { r.nudge() },
		Lost: func(err error) {
			r.log.WarnContext(ctx, "the relay receives no notifications of new jobs and polls the outbox until it does", slog.Any("error", err))
		},
	}, channel)
}

// drain moves jobs until none are left, or an error occurs; the next tick retries.
func (r *relay) drain(ctx context.Context) {
	for ctx.Err() == nil {
		more, err := r.batch(ctx)
		if err != nil {
			if ctx.Err() == nil {
				r.log.ErrorContext(ctx, "jobs are waiting in the outbox: the queue is unavailable", slog.Any("error", err))
			}
			return
		}
		if !more {
			return
		}
	}
}

// batch moves the rows that it can lock. A row is marked in the transaction that locked it, after the queue has accepted the
// job: a crash in between moves it once more, under the same ID. stopping ends the batch between two rows, never the
// transaction, so that moved jobs are marked.
func (r *relay) batch(stopping context.Context) (more bool, err error) {
	var trouble error
	unstopped := database.WithLimit(context.WithoutCancel(stopping), r.patience)
	err = r.db.InTx(unstopped, func(ctx context.Context) error {
		rows, err := r.outbox.lockRows(ctx, relayBatch)
		if err != nil {
			return err
		}
		var done []string
		for _, row := range rows {
			if stopping.Err() != nil {
				break
			}
			err := r.enqueue(ctx, row)
			if err == nil {
				done = append(done, row.ID)
				continue
			}
			trouble = err
			r.metrics.relayed("failed")
			if err := r.outbox.failed(ctx, row.ID, log.Scrub(err.Error())); err != nil {
				return err
			}
			if writable(ctx, r.redis) != nil {
				break // the queue is unavailable: the other rows would fail too
			}
		}
		more = len(rows) == relayBatch && trouble == nil
		return r.outbox.handed(ctx, done)
	})
	return more, errors.Join(err, trouble)
}

// confirmAll asks the queue for the jobs that were handed over; the next tick goes on after an error.
func (r *relay) confirmAll(ctx context.Context) {
	for more := true; more && ctx.Err() == nil; {
		var err error
		if more, err = r.confirm(ctx); err != nil && ctx.Err() == nil {
			r.log.WarnContext(ctx, "it is not known whether the queue still has its jobs", slog.Any("error", err))
		}
	}
}

// confirm removes the rows of jobs that ended, and hands over again what the queue has lost: a Redis that failed over may lack
// the last second, one without its file everything.
func (r *relay) confirm(stopping context.Context) (more bool, err error) {
	var trouble error
	err = r.db.InTx(database.WithLimit(context.WithoutCancel(stopping), r.patience), func(ctx context.Context) error {
		rows, err := r.outbox.lockHanded(ctx, confirmAfter, relayBatch)
		if err != nil {
			return err
		}
		var ended, kept []string
		for _, row := range rows {
			if stopping.Err() != nil {
				break
			}
			over, err := r.ended(ctx, row)
			if err != nil {
				trouble = err
				break
			}
			if over {
				ended = append(ended, row.ID)
			} else {
				kept = append(kept, row.ID)
			}
		}
		more = len(rows) == relayBatch && trouble == nil
		if err := r.outbox.handed(ctx, kept); err != nil {
			return err
		}
		return r.outbox.remove(ctx, ended)
	})
	return more && err == nil, errors.Join(err, trouble)
}

// ended reports whether a job has run to its end, or failed for good. A job that the queue does not know is handed over again.
func (r *relay) ended(ctx context.Context, row waiting) (bool, error) {
	info, err := r.tasks.GetTaskInfo(r.handlers[row.Type].Queue.String(), row.key())
	switch {
	case errors.Is(err, asynq.ErrTaskNotFound), errors.Is(err, asynq.ErrQueueNotFound):
		r.log.WarnContext(ctx, "the queue has lost a job, which is handed over again", slog.String("job", row.Type), slog.String("task_id", row.key()))
		r.metrics.relayed("lost")
		r.client = asynq.NewClientFromRedisClient(r.redis) // one that knows no queue names each to Redis, which may have lost them
		return false, r.enqueue(ctx, row)
	case err != nil:
		return false, err
	}
	return info.State == asynq.TaskStateCompleted || info.State == asynq.TaskStateArchived, nil
}

// key is the job's ID in the queue.
func (w waiting) key() string {
	if w.TaskID != nil {
		return *w.TaskID
	}
	return w.ID
}

// writable reports why the queue accepts no jobs now. A replica answers a ping, but refuses to write.
func writable(ctx context.Context, rdb redis.UniversalClient) error {
	return rdb.Del(ctx, "gpatlas:jobs:probe").Err() // there is no such key
}

// enqueue moves one job to the queue. A job that is already there counts as moved.
func (r *relay) enqueue(ctx context.Context, row waiting) error {
	ctx, cancel := context.WithTimeout(ctx, enqueueLimit)
	defer cancel()
	_, err := r.client.EnqueueContext(ctx, asynq.NewTask(row.Type, []byte(row.Payload)), r.options(row)...)
	switch {
	case errors.Is(err, asynq.ErrTaskIDConflict):
		r.metrics.relayed("duplicate")
		return nil
	case err != nil:
		return err
	}
	r.metrics.relayed("queued")
	return nil
}

func (r *relay) options(row waiting) []asynq.Option {
	h, known := r.handlers[row.Type]
	if !known {
		h.Timeout = defaultTimeout // the dispatcher archives it and logs so
	}
	options := []asynq.Option{asynq.Queue(h.Queue.String()), asynq.MaxRetry(h.Retries), asynq.Timeout(h.Timeout)}
	retention := handedRetention
	if row.TaskID != nil {
		retention = keyRetention
	}
	options = append(options, asynq.TaskID(row.key()), asynq.Retention(retention))
	if row.RunAt != nil {
		options = append(options, asynq.ProcessAt(*row.RunAt))
	}
	return options
}
