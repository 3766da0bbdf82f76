package jobs

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"github.com/hibiken/asynq"
	"github.com/redis/go-redis/v9"

	"gpatlas/platform/apperr"
	"gpatlas/platform/redisclient"
)

// Inspector counts jobs. The monitoring page shows them one by one.
type Inspector struct {
	tasks *asynq.Inspector
	redis redis.UniversalClient
}

// NewInspector connects on first use. Close ends the connection.
func NewInspector(redisURL string) (*Inspector, error) {
	options, err := redisclient.Options(redisURL)
	if err != nil {
		return nil, err
	}
	client := redis.NewUniversalClient(options)
	return &Inspector{asynq.NewInspectorFromRedisClient(client), client}, nil
}

// Close ends the connection to Redis.
func (i *Inspector) Close() error { return i.redis.Close() }

// loadLimit bounds the queries of Load: its caller needs a quick answer, also while Redis is unavailable.
const loadLimit = 2 * time.Second

// Load returns how many jobs wait in all queues, including retries and scheduled ones, and how many are dead letters: they
// failed for good, by their last attempt, by Never, or because their type has no handler.
func (i *Inspector) Load(ctx context.Context) (waiting, dead int, err error) {
	type load struct {
		waiting, dead int
		err           error
	}
	answer := make(chan load, 1)
	go func() {
		w, d, err := i.load()
		answer <- load{w, d, err}
	}()
	ctx, cancel := context.WithTimeout(ctx, loadLimit)
	defer cancel()
	select {
	case a := <-answer:
		return a.waiting, a.dead, a.err
	case <-ctx.Done():
		return 0, 0, queueAway(ctx.Err())
	}
}

func (i *Inspector) load() (waiting, dead int, err error) {
	known, err := i.tasks.Queues()
	if err != nil {
		return 0, 0, queueAway(err)
	}
	for _, name := range known {
		if _, ours := ParseQueue(name); !ours {
			continue
		}
		info, err := i.tasks.GetQueueInfo(name)
		if err != nil {
			return 0, 0, queueAway(err)
		}
		waiting += info.Pending + info.Scheduled + info.Retry
		dead += info.Archived
	}
	return waiting, dead, nil
}

// Scheduled is a schedule that a running worker has.
type Scheduled struct {
	Type, Cron string
	Next       time.Time
	Last       *time.Time // nil: not since the worker started
}

// Schedules returns the schedules of the running workers, the next one first. Without a worker there are none.
func (i *Inspector) Schedules() ([]Scheduled, error) {
	entries, err := i.tasks.SchedulerEntries()
	if err != nil {
		return nil, queueAway(err)
	}
	by := map[[2]string]Scheduled{} // each worker has all of them
	for _, e := range entries {
		key := [2]string{e.Task.Type(), e.Spec}
		s, known := by[key]
		if !known || e.Next.Before(s.Next) {
			s.Type, s.Cron, s.Next = e.Task.Type(), e.Spec, e.Next.UTC()
		}
		if !e.Prev.IsZero() && (s.Last == nil || e.Prev.After(*s.Last)) {
			s.Last = new(e.Prev.UTC())
		}
		by[key] = s
	}
	return slices.SortedFunc(maps.Values(by), func(a, b Scheduled) int {
		return cmp.Or(a.Next.Compare(b.Next), cmp.Compare(a.Type, b.Type))
	}), nil
}

func queueAway(err error) error {
	return apperr.Unavailable("The job queue is unavailable; try again").Wrap(err)
}
