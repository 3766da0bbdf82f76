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
	Queue   Queue         // Default unless it is named
	Timeout time.Duration // of one run; 0 means ten minutes
	// Retries are further runs after a failed one, each after a longer wait (seconds at first, an hour at most); 0 = none. A
	// run that ends with its worker, by kill -9 say, is a failed one: what must outlive that has one retry at least.
	Retries int
	Run     func(ctx context.Context, payload []byte) error
}

// Schedule enqueues one task of a type by a cron expression. Every worker may run the same schedule: the date bucket
// in the task's key makes it run once.
type Schedule struct {
	Type string
	Cron string // five fields, with a CRON_TZ= prefix where the zone matters; else UTC
	// Bucket names the run that an instant belongs to, "2026-11-20" for a daily one: it completes the task's key.
	// The instant is the one that the cron expression names, in UTC.
	Bucket func(time.Time) string
	// AtStart adds a run when a worker starts, beside those of the cron expression.
	AtStart bool
}

// Job is one piece of work to be enqueued.
type Job struct {
	Type    string // of the handler, matched exactly
	Payload any    // encoded as JSON: ids and options, not data; nil = {}
	// TaskID is a natural key. A second job of the same key is the same job while the first one waits, runs, lies
	// among the dead letters, or was done in the last 25 hours. Empty: each job is its own.
	TaskID string
	RunAt  time.Time // not before; zero = now
}

// Bucket is the payload of scheduled jobs.
type Bucket struct {
	Bucket string `json:"bucket"`
}

// InBucket is a handler of scheduled jobs that is told its bucket.
func InBucket(run func(ctx context.Context, bucket string) error) func(ctx context.Context, payload []byte) error {
	return func(ctx context.Context, payload []byte) error {
		b, err := Decode[Bucket](payload)
		if err != nil {
			return err
		}
		return run(ctx, b.Bucket)
	}
}

// Key is the natural key of a type's run in a bucket: what a schedule uses, and what an endpoint that starts the same
// run by hand has to use.
func Key(taskType, bucket string) string { return taskType + ":" + bucket }

// Daily is the bucket of schedules that run once a day.
func Daily(t time.Time) string { return t.UTC().Format(time.DateOnly) }

// Eastern is the time zone of the schedules that go by the day of New York.
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
	// keyRetention is how long the key of a finished job is remembered: longer than a day, so that a daily run is not
	// repeated by a worker whose clock is behind.
	keyRetention = 25 * time.Hour
	// defaultTimeout bounds the run of a handler that names no limit.
	defaultTimeout = 10 * time.Minute
	// keyMax is the longest natural key.
	keyMax = 200
)

var typePattern = regexp.MustCompile(`^[a-z][a-z0-9]*\.[a-z][a-z0-9_]*$`)
