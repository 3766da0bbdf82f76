package overview

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/alert"
	"gpatlas/modules/dataops/internal/extraction"
	"gpatlas/modules/dataops/internal/freshness"
	"gpatlas/modules/dataops/internal/quality"
	"gpatlas/modules/dataops/internal/source"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/jobs"
)

// Service looks at everything.
type Service struct {
	store   *store
	list    *source.Service
	fresh   *freshness.Service
	uses    *extraction.Store
	alerts  *alert.Store
	quality *quality.Service
	served  catalogapi.DataSource
	queues  *jobs.Inspector
	clock   clock.Clock
	log     *slog.Logger
}

// NewService works on db. Without job queues (nil) health does not look at them; served is nil where nothing is served.
func NewService(db *database.DB, list *source.Service, fresh *freshness.Service, metrics *quality.Service, served catalogapi.DataSource, queues *jobs.Inspector,
	clk clock.Clock, log *slog.Logger,
) *Service {
	return &Service{&store{db}, list, fresh, extraction.NewStore(db), alert.NewStore(db), metrics, served, queues, clk, log}
}

const shown = 5 // extractions and alerts of the dashboard

// Dashboard is what an operator looks at first.
func (s *Service) Dashboard(ctx context.Context) (out Dashboard, err error) {
	sum, err := s.fresh.Summary(ctx)
	if err != nil {
		return out, err
	}
	out.Managers, out.Queue, out.Index = sum.Managers, sum.Queue, s.index()
	for _, src := range sum.Sources {
		switch {
		case src.State == nil:
			out.Sources.Unwatched++
		case *src.State == freshness.Stale:
			out.Sources.Stale++
		case *src.State == freshness.Warn:
			out.Sources.Warn++
		default:
			out.Sources.Fresh++
		}
	}
	if out.Extractions, err = s.uses.List(ctx, "", 0, shown); err != nil {
		return out, err
	}
	if out.Ingestions, err = s.store.ingestions(ctx, s.clock.Now().Add(-24*time.Hour)); err != nil {
		return out, err
	}
	list, total, err := s.alerts.List(ctx, true, shown)
	if err != nil {
		return out, err
	}
	out.Alerts = Alerts{int64(total), list}
	_, meta, err := s.quality.Latest(ctx)
	out.Quality = Quality{meta.ComputedAt, meta.Alarms}
	return out, err
}

// Health reports whether the data is kept up to date. It answers also if the database is unavailable.
func (s *Service) Health(ctx context.Context) Health {
	h := Health{Status: OK, Problems: []string{}, CheckedAt: s.clock.Now().UTC(), Database: "connected", Index: s.index(), Sources: []freshness.Source{}}
	bad := func(status, format string, args ...any) {
		h.Problems = append(h.Problems, fmt.Sprintf(format, args...))
		if h.Status != Down {
			h.Status = status
		}
	}
	if h.Index.BuiltAt == nil {
		bad(Down, "No search index is loaded.")
	}
	if err := s.stored(ctx, &h); err != nil {
		s.log.WarnContext(ctx, "the health of the data could not be read", slog.Any("error", err))
		h.Database = "unreachable"
		bad(Down, "The database is unreachable.")
	}
	for _, src := range h.Sources {
		if src.State != nil && *src.State == freshness.Stale {
			bad(Degraded, "Source %s is stale.", src.Source)
		}
		if src.Failures > 0 {
			bad(Degraded, "Source %s failed %s.", src.Source, inARow(src.Failures))
		}
	}
	switch {
	case h.OpenAlerts == 1:
		bad(Degraded, "1 alert is not resolved.")
	case h.OpenAlerts > 1:
		bad(Degraded, "%d alerts are not resolved.", h.OpenAlerts)
	}
	if s.queues == nil {
		return h
	}
	waiting, dead, err := s.queues.Load(ctx)
	if err != nil {
		s.log.WarnContext(ctx, "the job queues could not be read", slog.Any("error", err))
		bad(Degraded, "The job queues are unreachable.")
		return h
	}
	h.Jobs = &Jobs{waiting, dead}
	if dead > 0 {
		bad(Degraded, "%d jobs failed for good.", dead)
	}
	return h
}

func inARow(n int64) string {
	if n == 1 {
		return "the last time"
	}
	return fmt.Sprintf("%d times in a row", n)
}

// stored reads what the database knows of health.
func (s *Service) stored(ctx context.Context, h *Health) error {
	list, err := s.fresh.Sources(ctx)
	if err != nil {
		return err
	}
	h.Sources = list
	waiting, err := s.fresh.Queue(ctx)
	if err != nil {
		return err
	}
	h.FreshnessQueue = waiting.Queued + waiting.Running
	kinds, err := s.alerts.CountOpen(ctx)
	for _, n := range kinds {
		h.OpenAlerts += n
	}
	return err
}

func (s *Service) index() (out Index) {
	if s.served == nil {
		return out
	}
	f := s.served.Freshness()
	out.Publication, out.Advisers, out.Funds = f.Publication, f.Advisers, f.Funds
	if !f.BuiltAt.IsZero() {
		out.BuiltAt = new(f.BuiltAt.UTC())
		out.AgeSeconds = new(int64(max(0, s.clock.Now().Sub(f.BuiltAt)) / time.Second))
	}
	if !f.LatestFilingDate.IsZero() {
		out.LatestFilingDate = new(f.LatestFilingDate.Format(time.DateOnly))
	}
	return out
}

// Sources returns the configured sources, each with its latest extraction.
func (s *Service) Sources(ctx context.Context) ([]Source, error) {
	list, err := s.list.List(ctx)
	if err != nil {
		return nil, err
	}
	states, err := s.fresh.Sources(ctx)
	if err != nil {
		return nil, err
	}
	out := make([]Source, len(list))
	for i, st := range list {
		out[i] = Source{Source: states[i], Kind: st.Kind, Enabled: st.Enabled}
		if st.Schedule != "" {
			out[i].Schedule = &st.Schedule
		}
		latest, err := s.uses.List(ctx, st.Name, 0, 1)
		if err != nil {
			return nil, err
		}
		if len(latest) > 0 {
			out[i].Latest = &latest[0]
		}
	}
	return out, nil
}
