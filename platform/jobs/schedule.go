package jobs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/hibiken/asynq"
	"github.com/redis/go-redis/v9"
	"github.com/robfig/cron/v3"

	"gpatlas/platform/clock"
	"gpatlas/platform/redisclient"
)

const (
	// wakeEvery is the longest sleep before the clock is checked again: it may have been set, or the machine suspended.
	wakeEvery = 30 * time.Second
	// writePause is the wait before a failed write to the outbox is retried.
	writePause = 5 * time.Second
	// showEvery is how often the schedules are written for the monitoring page. They expire after twice that time.
	showEvery = 5 * time.Second
)

// scheduler writes a schedule's jobs to the outbox when they are due.
type scheduler struct {
	enqueuer *Enqueuer
	clock    clock.Clock
	log      *slog.Logger
	entries  []entry
}

type entry struct {
	Schedule
	times cron.Schedule
}

func newScheduler(list []Schedule, known map[string]Handler) (*scheduler, error) {
	s := &scheduler{}
	var faults []error
	for _, e := range list {
		times, err := cron.ParseStandard(e.Cron)
		_, handled := known[e.Type]
		switch {
		case err != nil:
			faults = append(faults, fmt.Errorf("schedule of %s: cron %q: %w", e.Type, e.Cron, err))
		case e.Bucket == nil:
			faults = append(faults, fmt.Errorf("schedule of %s: no bucket: every worker would run it", e.Type))
		case !handled:
			faults = append(faults, fmt.Errorf("schedule of %s: no handler of that type", e.Type))
		}
		s.entries = append(s.entries, entry{e, times})
	}
	return s, errors.Join(faults...)
}

// run waits for one schedule's times until ctx ends. A time missed while the machine slept is skipped.
func (s *scheduler) run(ctx context.Context, e entry) {
	last := s.clock.Now()
	if e.AtStart {
		s.fire(ctx, e, "start "+last.UTC().Format(time.RFC3339Nano), last)
	}
	for {
		next := e.times.Next(last)
		if next.IsZero() || !s.sleepUntil(ctx, next) {
			return
		}
		s.fire(ctx, e, e.Bucket(next.UTC()), next)
		last = next
		if now := s.clock.Now(); now.After(last) {
			last = now
		}
	}
}

func (s *scheduler) sleepUntil(ctx context.Context, at time.Time) bool {
	for {
		left := at.Sub(s.clock.Now())
		if left <= 0 {
			return ctx.Err() == nil
		}
		if clock.Sleep(ctx, min(left, wakeEvery)) != nil {
			return false
		}
	}
}

// fire enqueues the run of a bucket, at an instant. While the database is unavailable it retries, until the next run's time.
func (s *scheduler) fire(ctx context.Context, e entry, bucket string, at time.Time) {
	job := Job{Type: e.Type, Payload: Bucket{bucket}, TaskID: Key(e.Type, bucket)}
	for {
		_, _, err := s.enqueuer.EnqueueOnce(ctx, job)
		if err == nil || ctx.Err() != nil {
			return
		}
		s.log.ErrorContext(ctx, "a scheduled job could not be enqueued", slog.String("job", e.Type), slog.String("task_id", job.TaskID), slog.Any("error", err))
		if clock.Sleep(ctx, writePause) != nil || !s.clock.Now().Before(e.times.Next(at)) {
			return
		}
	}
}

// display lists the schedules and their next times on the Schedulers tab of asynq's monitoring page. asynq's scheduler does
// not run them: it writes to Redis alone, so that a run is lost while Redis is unavailable, and it fixes the payload when an
// entry is registered, so that a handler would not learn its bucket. It rejects the empty task ID and enqueues nothing.
func (s *scheduler) display(options *redis.UniversalOptions) (*asynq.Scheduler, error) {
	shown := asynq.NewScheduler(redisclient.Connection{UniversalOptions: options}, &asynq.SchedulerOpts{
		HeartbeatInterval: showEvery, Logger: asynqLog{s.log}, LogLevel: asynq.WarnLevel,
	})
	for _, e := range s.entries {
		if _, err := shown.Register(e.Cron, asynq.NewTask(e.Type, nil), asynq.TaskID("")); err != nil {
			return nil, fmt.Errorf("show the schedule of %s: %w", e.Type, err)
		}
	}
	return shown, nil
}
