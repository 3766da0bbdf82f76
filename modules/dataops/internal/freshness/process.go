package freshness

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"time"

	"gpatlas/modules/dataops/internal/extraction"
	"gpatlas/platform/apperr"
	"gpatlas/platform/audit"
	"gpatlas/platform/jobs"
)

// The jobs of freshness: one refreshes what waits, the other one looks every hour for late sources, too.
const (
	ProcessJob = "dataops.process_queue"
	WatchJob   = "dataops.watch_freshness"
)

const (
	processTimeout = 30 * time.Minute
	attemptsMax    = 3 // of an entry whose process ended
	hourlyLimit    = 100
)

// nothing is the result of an entity that is as new as it can be.
const nothing = "nothing to refresh"

// Payload is how many entries a job refreshes at most.
type Payload struct {
	Limit int `json:"limit"`
}

func (s *Service) jobs() []jobs.Handler {
	return []jobs.Handler{
		{Type: ProcessJob, Timeout: processTimeout, Run: func(ctx context.Context, payload []byte) error {
			var p Payload
			if err := json.Unmarshal(payload, &p); err != nil {
				return fmt.Errorf("payload of %s: %w", ProcessJob, err)
			}
			_, err := s.Process(ctx, p.Limit)
			return err
		}},
		{Type: WatchJob, Timeout: processTimeout, Run: func(ctx context.Context, _ []byte) error {
			if err := s.Watch(ctx); err != nil {
				return err
			}
			_, err := s.Process(ctx, hourlyLimit)
			return err
		}},
	}
}

// Start has up to limit entries refreshed in the background, and returns how many wait.
func (s *Service) Start(ctx context.Context, limit int) (waiting int64, err error) {
	err = s.db.InTx(ctx, func(ctx context.Context) error {
		counts, err := s.Queue(ctx)
		if err != nil {
			return err
		}
		waiting = counts.Queued
		if err := s.queue.Enqueue(ctx, jobs.Job{Type: ProcessJob, Payload: Payload{limit}}); err != nil {
			return err
		}
		after := map[string]any{"limit": limit, "queued": waiting}
		return s.audit.Write(ctx, audit.Change{Action: "freshness.process", Subject: "queue", After: after})
	})
	return waiting, err
}

// Process refreshes up to limit entries, those of the highest priority first, and returns how many. It may run more than once at a
// time. An entry whose process ends is taken again after a while.
func (s *Service) Process(ctx context.Context, limit int) (done int, err error) {
	p := &pass{Service: s}
	for done < limit && ctx.Err() == nil {
		now := s.clock.Now()
		e, err := s.store.claim(ctx, now, now.Add(processTimeout))
		if err != nil || e == nil {
			return done, err
		}
		state, result, run := p.refresh(ctx, e)
		if ctx.Err() != nil {
			break // it is taken again
		}
		if err := s.store.finish(ctx, e.ID, state, result, run, s.clock.Now()); err != nil {
			return done, err
		}
		done++
	}
	return done, ctx.Err()
}

// pass is one run over the queue. People are read again once, for all of its entries.
type pass struct {
	*Service

	resolved bool
	advisers int
	err      error
}

func (p *pass) refresh(ctx context.Context, e *Entry) (state, result string, run *int64) {
	if e.Attempts > attemptsMax {
		return Failed, fmt.Sprintf("its process ended %d times", attemptsMax), nil
	}
	switch e.EntityType {
	case GP, Person:
		return p.person(ctx)
	case LP: // the same reading matches the managers of LPs' investments
		if state, result, run = p.person(ctx); state == Done && p.people != nil {
			result = "its investments were matched to managers again"
		}
		return state, result, run
	case BySource:
		return p.source(ctx, e)
	default:
		return Failed, "it cannot be refreshed by the queue", nil
	}
}

// person updates the people from the catalog.
func (p *pass) person(ctx context.Context) (state, result string, run *int64) {
	if p.people == nil {
		return Done, nothing, nil
	}
	if !p.resolved {
		p.advisers, p.err = p.people.Refresh(ctx)
		p.resolved = true
		if p.err != nil {
			p.log.ErrorContext(ctx, "people could not be read anew", slog.Any("error", p.err))
		}
	}
	switch {
	case p.err != nil:
		return Failed, "the people could not be read anew; the log says why", nil
	case p.advisers == 0:
		return Done, nothing, nil
	}
	return Done, fmt.Sprintf("the people of %d advisers were read anew", p.advisers), nil
}

// source has a source extracted. One that is being extracted needs no other extraction.
func (p *pass) source(ctx context.Context, e *Entry) (state, result string, run *int64) {
	made, err := p.uses.Trigger(ctx, e.EntityID, extraction.ByQueue, nil, e.RequestedBy)
	if id := extraction.Active(err); id != 0 {
		return Done, "an extraction was active", &id
	}
	if err != nil {
		p.log.ErrorContext(ctx, "a source of the queue was not extracted", slog.String("source", e.EntityID), slog.Any("error", err))
		return Failed, apperr.From(err).Message, nil
	}
	return Done, "an extraction was triggered", &made.RunID
}
