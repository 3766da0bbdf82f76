package jobs

import (
	"context"
	"time"
)

// Handler runs the tasks of one type. Names match exactly, never by prefix.
type Handler struct {
	Type    string // module.verb_noun
	Timeout time.Duration
	Retries int
	Run     func(ctx context.Context, payload []byte) error
}

// Schedule enqueues one task of a type by a cron expression. Every worker may run the same schedule: the date bucket
// in the task's key makes it run once.
type Schedule struct {
	Type string
	Cron string // five fields, with a CRON_TZ= prefix where the zone matters
	// Bucket names the run that an instant belongs to, "2026-11-20" for a daily one: it completes the task's key.
	Bucket func(time.Time) string
}
