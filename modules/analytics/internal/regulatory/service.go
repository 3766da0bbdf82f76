package regulatory

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"

	"golang.org/x/sync/singleflight"

	"gpatlas/platform/apperr"
	"gpatlas/platform/clock"
)

// lifetime is how long an answer is served without asking again: the contract's 24 hours.
const lifetime = 24 * time.Hour

// answerFormat is part of every edition, so that cached answers in another format are not used.
const answerFormat = "3"

// CacheStatus is how an answer was obtained.
type CacheStatus string

// The states of the contract.
const (
	CacheHit    CacheStatus = "hit"    // cached, younger than 24 hours and of the present edition
	CacheMiss   CacheStatus = "miss"   // requested now
	CacheBypass CacheStatus = "bypass" // requested now, because the caller forced it
	CacheStale  CacheStatus = "stale"  // the last answer of a provider that is unavailable
)

// Service answers from providers and their cached answers. It is safe for concurrent use.
type Service struct {
	store     *Store
	providers []Provider
	clock     clock.Clock
	log       *slog.Logger
	flights   singleflight.Group
}

// NewService asks the providers in order: of an event that several know, the first one's data is shown.
func NewService(store *Store, providers []Provider, clk clock.Clock, log *slog.Logger) *Service {
	return &Service{store: store, providers: providers, clock: clk, log: log}
}

// part is one provider's answer.
type part struct {
	name      string
	answer    Answer
	status    CacheStatus
	checkedAt time.Time
}

// Report is the answers of all providers about one adviser, the newest event first.
type Report struct {
	CRD         string
	FirmName    string
	Events      []Event
	NotItemized []NotItemized
	Sources     []string // that answered, now or before
	Unavailable []string // neither reachable nor cached
	Stated      bool     // a source states the disclosures of the adviser
	Status      CacheStatus
	CheckedAt   time.Time // of the oldest part
	Expires     time.Time
}

// Report asks every provider, or uses its cached answer. force asks even if an answer is cached.
//
// Spec: not shown; cache_status is of the whole answer. With several sources it is stale when one of them is unavailable and
// its last answer is shown, else bypass when the caller forced it, else miss when one was asked now, else hit. A source that is
// unavailable and not cached is named, and the others answer without it; only if all are, the response is 503.
func (s *Service) Report(ctx context.Context, crd string, force bool) (*Report, error) {
	name, err := s.store.firmName(ctx, crd)
	if err != nil {
		return nil, err
	}
	r := &Report{CRD: crd, FirmName: name, Sources: []string{}, Unavailable: []string{}}
	var parts []part
	var faults []error
	for _, p := range s.providers {
		known, err := s.ask(ctx, p, crd, force)
		switch {
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case err != nil:
			faults = append(faults, fmt.Errorf("%s: %w", p.Name(), err))
			r.Unavailable = append(r.Unavailable, p.Name())
		default:
			parts = append(parts, known)
			if a := &known.answer; !a.Unstated || len(a.Events) > 0 {
				r.Sources = append(r.Sources, p.Name())
			}
		}
	}
	if len(parts) == 0 {
		return nil, apperr.Unavailable("Regulatory data are unavailable; try again").Wrap(errors.Join(faults...))
	}
	r.assemble(parts, force, s.clock.Now())
	return r, nil
}

// assemble joins the parts.
func (r *Report) assemble(parts []part, force bool, now time.Time) {
	r.Status = CacheHit
	for i, p := range parts {
		r.Stated = r.Stated || !p.answer.Unstated
		r.Events = union(r.Events, p.answer.Events)
		r.NotItemized = append(r.NotItemized, p.answer.NotItemized...)
		if i == 0 || p.checkedAt.Before(r.CheckedAt) {
			r.CheckedAt = p.checkedAt
		}
		switch {
		case p.status == CacheStale:
			r.Status = CacheStale
		case r.Status == CacheHit && p.status == CacheMiss:
			r.Status = CacheMiss
		}
	}
	if force && r.Status != CacheStale {
		r.Status = CacheBypass
	}
	r.Expires = r.CheckedAt.Add(lifetime)
	if r.Status == CacheStale && r.Expires.After(now) {
		r.Expires = now
	}
	for i := range r.Events {
		r.Events[i].complete()
	}
	sortEvents(r.Events)
}

// ask returns one provider's part: from the cache, from the provider, or, if that fails, its last answer.
func (s *Service) ask(ctx context.Context, p Provider, crd string, force bool) (part, error) {
	last, err := s.recall(ctx, p, crd)
	if err != nil {
		return part{}, err
	}
	edition, err := p.Edition(ctx, crd)
	edition = answerFormat + " " + edition
	if err == nil && !force && s.fresh(last, edition) {
		return part{p.Name(), last.Answer, CacheHit, last.CheckedAt}, nil
	}
	if err == nil {
		var now part
		if now, err = s.question(ctx, p, crd, edition, force); err == nil {
			return now, nil
		}
	}
	switch {
	case ctx.Err() != nil: // the caller has gone; the provider may be fine
		return part{}, context.Cause(ctx)
	case last == nil:
		s.log.WarnContext(ctx, "a source of regulatory events is unavailable and has no cached response",
			slog.String("source", p.Name()), slog.String("crd", crd), slog.Any("error", err))
		return part{}, err
	}
	s.log.WarnContext(ctx, "a source of regulatory events is unavailable; its cached response is served",
		slog.String("source", p.Name()), slog.String("crd", crd), slog.Any("error", err), slog.Time("checked_at", last.CheckedAt))
	return part{p.Name(), last.Answer, CacheStale, last.CheckedAt}, nil
}

// recall reads the cache; an unreadable entry counts as missing: it is requested and written again.
func (s *Service) recall(ctx context.Context, p Provider, crd string) (*remembered, error) {
	last, err := s.store.recall(ctx, crd, p.Name())
	if err == nil || apperr.From(err).Kind == apperr.KindUnavailable || ctx.Err() != nil {
		return last, err
	}
	s.log.ErrorContext(ctx, "a cached regulatory response cannot be used",
		slog.String("source", p.Name()), slog.String("crd", crd), slog.Any("error", err))
	return nil, nil //nolint:nilnil // forgotten
}

func (s *Service) fresh(last *remembered, edition string) bool {
	return last != nil && last.Edition == edition && s.clock.Now().Before(last.CheckedAt.Add(lifetime))
}

// question asks the provider. Concurrent callers share one request, which continues if the first caller disconnects.
func (s *Service) question(ctx context.Context, p Provider, crd, edition string, force bool) (part, error) {
	key := fmt.Sprintf("%s %s %t %s", p.Name(), crd, force, edition)
	flight := s.flights.DoChan(key, func() (shared any, err error) {
		defer func() { // in a goroutine of its own a panic would end the process
			if r := recover(); r != nil {
				err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
			}
		}()
		return s.fetch(context.WithoutCancel(ctx), p, crd, edition, force)
	})
	select {
	case <-ctx.Done():
		return part{}, context.Cause(ctx)
	case done := <-flight:
		if done.Err != nil {
			return part{}, done.Err
		}
		got, _ := done.Val.(part)
		return got, nil
	}
}

// fetch asks the provider and caches the answer. If it cannot be cached it is still returned.
func (s *Service) fetch(ctx context.Context, p Provider, crd, edition string, force bool) (part, error) {
	if !force { // another request may have been answered since the cache was read
		if last, err := s.recall(ctx, p, crd); err == nil && s.fresh(last, edition) {
			return part{p.Name(), last.Answer, CacheHit, last.CheckedAt}, nil
		}
	}
	answer, err := p.Events(ctx, crd)
	if err != nil {
		return part{}, err
	}
	// PostgreSQL's precision: the time that is shown now is the one that the cache returns.
	now := s.clock.Now().UTC().Truncate(time.Microsecond)
	if err := s.store.remember(ctx, crd, p.Name(), remembered{Answer: answer, Edition: edition, CheckedAt: now}); err != nil {
		s.log.ErrorContext(ctx, "a regulatory response could not be cached",
			slog.String("source", p.Name()), slog.String("crd", crd), slog.Any("error", err))
	}
	return part{p.Name(), answer, CacheMiss, now}, nil
}
