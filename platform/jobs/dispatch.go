package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"strings"

	"github.com/hibiken/asynq"

	"gpatlas/platform/clock"
	"gpatlas/platform/log"
)

// dispatcher finds the handler of a task by its exact type. asynq's own mux matches prefixes: it would pass a task
// "people.enrich_all" to "people.enrich".
type dispatcher struct {
	handlers map[string]Handler
	log      *slog.Logger
	clock    clock.Clock
	metrics  *metrics
}

// ProcessTask implements asynq.Handler.
func (d *dispatcher) ProcessTask(ctx context.Context, task *asynq.Task) error {
	id, _ := asynq.GetTaskID(ctx)
	retried, _ := asynq.GetRetryCount(ctx)
	log := d.log.With(slog.String("job", task.Type()), slog.String("task_id", id), slog.Int("attempt", retried+1))
	h, known := d.handlers[task.Type()]
	if !known {
		d.metrics.ran(task.Type(), "unknown", 0)
		log.ErrorContext(ctx, "no handler for this type of job: the job is archived and will not run. The worker may be older than the web process")
		return fmt.Errorf("no handler for %q: %w", task.Type(), asynq.SkipRetry)
	}
	begun := d.clock.Now()
	err := run(ctx, h, task.Payload())
	took := d.clock.Now().Sub(begun)
	d.metrics.ran(h.Type, outcome(err), took)
	switch {
	case err == nil:
		log.InfoContext(ctx, "job done", slog.Duration("took", took))
	case retried >= h.Retries || errors.Is(err, asynq.SkipRetry):
		log.ErrorContext(ctx, "job failed permanently and is archived", slog.Duration("took", took), slog.Any("error", err))
	default:
		log.WarnContext(ctx, "job failed and will be retried", slog.Duration("took", took), slog.Any("error", err))
	}
	return shown(err)
}

// shownMax is the maximum size of a stored error in bytes.
const shownMax = 500

// shownError is a failure as the queue stores it for operators: one line, without stack and secrets.
type shownError struct {
	text  string
	cause error
}

func (e *shownError) Error() string { return e.text }

// Unwrap exposes the error's marks to asynq.
func (e *shownError) Unwrap() error { return e.cause }

func shown(err error) error {
	if err == nil {
		return nil
	}
	text := err.Error()
	if p, ok := errors.AsType[*panicError](err); ok {
		text = fmt.Sprintf("panic: %v", p.value)
	}
	text = strings.Join(strings.Fields(log.Scrub(text)), " ")
	if len(text) > shownMax {
		text = strings.ToValidUTF8(text[:shownMax], "") + "…"
	}
	return &shownError{text, err}
}

// panicError is a panic in a handler, with its stack.
type panicError struct {
	value any
	stack []byte
}

// Error includes the stack, for the log.
func (e *panicError) Error() string { return fmt.Sprintf("panic: %v\n%s", e.value, e.stack) }

// run calls the handler within its time limit. A panic counts as an error.
func run(ctx context.Context, h Handler, payload []byte) (err error) {
	ctx, cancel := context.WithTimeout(ctx, h.Timeout)
	defer cancel()
	defer func() {
		if v := recover(); v != nil {
			err = &panicError{v, debug.Stack()}
		}
	}()
	return h.Run(ctx, payload)
}

func outcome(err error) string {
	var p *panicError
	switch {
	case err == nil:
		return "done"
	case errors.As(err, &p):
		return "panicked"
	case errors.Is(err, context.DeadlineExceeded):
		return "timed_out"
	default:
		return "failed"
	}
}

// Never marks an error as permanent, such as a payload that cannot be decoded: the job is archived at once.
func Never(err error) error { return fmt.Errorf("%w: %w", err, asynq.SkipRetry) }

// Decode reads the payload of a job. A failure is permanent.
func Decode[P any](payload []byte) (P, error) {
	var p P
	if err := json.Unmarshal(payload, &p); err != nil {
		return p, Never(fmt.Errorf("payload: %w", err))
	}
	return p, nil
}
