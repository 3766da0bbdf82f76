package jobs

import (
	"context"
	"regexp"
	"time"
	_ "time/tzdata" // schedules name zones, which some systems lack
)

// Handler runs the tasks of one type. Names match exactly, never by prefix.
type Handler struct {
	Type    string        // module.verb_noun
	Queue   Queue         // empty = Default
	Timeout time.Duration // of one run; 0 means ten minutes
	// Retries is the number of further runs after a failed one, each after a longer wait (seconds at first, an hour at most); 0
	// = none. A run whose worker is killed (kill -9) counts as failed, so jobs that must survive that need at least one retry.
	Retries int
	Run     func(ctx context.Context, payload []byte) error
}

// Schedule enqueues one task of a type by a cron expression. Every worker may run the same schedule: the date bucket
// in the task's key makes it run once.
type Schedule struct {
	Type string
	Cron string // five fields, with a CRON_TZ= prefix if the zone matters; else UTC
	// Bucket names the run of an instant, "2026-11-20" for a daily one: it completes the task's key. The instant is the one of
	// the cron expression, in UTC.
	Bucket func(time.Time) string
	// AtStart adds a run when a worker starts, besides those of the cron expression.
	AtStart bool
}

// Job is one piece of work to be enqueued.
type Job struct {
	Type    string // of the handler, matched exactly
	Payload any    // encoded as JSON: ids and options, not data; nil = {}
	// TaskID is a natural key. A second job of the same key is the same job while the first one waits, runs, is a dead letter,
	// or ended within the last 25 hours. Empty: each job is its own.
	TaskID string
	RunAt  time.Time // not before; zero = now
}

// Bucket is the payload of scheduled jobs.
type Bucket struct {
	Bucket string `json:"bucket"`
}

// Plain is a handler of jobs without a payload. Only the error of run is used.
func Plain[T any](run func(ctx context.Context) (T, error)) func(ctx context.Context, payload []byte) error {
	return func(ctx context.Context, _ []byte) error {
		_, err := run(ctx)
		return err
	}
}

// InBucket is a handler of scheduled jobs that receives the bucket. Only the error of run is used.
func InBucket[T any](run func(ctx context.Context, bucket string) (T, error)) func(ctx context.Context, payload []byte) error {
	return func(ctx context.Context, payload []byte) error {
		b, err := Decode[Bucket](payload)
		if err == nil {
			_, err = run(ctx, b.Bucket)
		}
		return err
	}
}

// Key is the natural key of a type's run in a bucket, for a schedule and for an endpoint that starts the same run by hand.
func Key(taskType, bucket string) string { return taskType + ":" + bucket }

// Daily is the bucket of schedules that run once a day.
func Daily(t time.Time) string { return t.UTC().Format(time.DateOnly) }

// Eastern is the time zone of schedules by the day of New York.
var Eastern = eastern()

func eastern() *time.Location {
	zone, err := time.LoadLocation("America/New_York")
	if err != nil {
		panic(err) // the zones are part of the program: time/tzdata
	}
	return zone
}

// DailyEastern is the bucket of schedules that run once a day of New York.
func DailyEastern(t time.Time) string { return t.In(Eastern).Format(time.DateOnly) }

// Hourly is the bucket of schedules that run once an hour.
func Hourly(t time.Time) string { return t.UTC().Format("2006-01-02T15") }

// Minutely is the bucket of schedules that run at most once a minute.
func Minutely(t time.Time) string { return t.UTC().Format("2006-01-02T15:04") }

const (
	// keyRetention is how long the key of a finished job is kept: longer than a day, so that a worker whose clock is behind
	// does not repeat a daily run.
	keyRetention = 25 * time.Hour
	// defaultTimeout bounds the run of a handler without a limit.
	defaultTimeout = 10 * time.Minute
	// keyMax is the longest natural key.
	keyMax = 200
)

var typePattern = regexp.MustCompile(`^[a-z][a-z0-9]*\.[a-z][a-z0-9_]*$`)
