package marketintel

import (
	"context"
	"fmt"
	"time"

	"gpatlas/modules/accounts/accountsapi"
	"gpatlas/modules/notifications/internal/kind"
	"gpatlas/modules/notifications/internal/queue"
	"gpatlas/modules/notifications/internal/render"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/jobs"
	"gpatlas/templates/email"
)

// Service makes the mails of market intel.
type Service struct {
	clock clock.Clock
	queue *queue.Service
	kinds kind.Kinds
	jobs  *jobs.Enqueuer
	store *store
}

// NewService works on db.
func NewService(db *database.DB, clk clock.Clock, mails *queue.Service, kinds kind.Kinds, enqueuer *jobs.Enqueuer) *Service {
	return &Service{clock: clk, queue: mails, kinds: kinds, jobs: enqueuer, store: &store{db}}
}

// Run queues the mails of the last whole week before a day, "2026-11-23", and returns how many. An account gets one mail a
// week, however often this runs. While the kind is disabled in the registry nothing happens, nor for a week without news.
func (s *Service) Run(ctx context.Context, day string) (mails int, err error) {
	date, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return 0, jobs.Never(fmt.Errorf("%s: %q is not a day", Job, day))
	}
	k, found, err := s.kinds.Find(ctx, kind.Market)
	if err != nil || !found || !k.Enabled {
		return 0, err
	}
	w := weekBefore(date)
	news, err := s.report(ctx, w)
	if err != nil || news.empty() {
		return 0, err
	}
	for after := int64(0); ; {
		readers, err := s.store.readers(ctx, w.name(), after)
		if err != nil || len(readers) == 0 {
			return mails, err
		}
		items := make([]queue.Item, len(readers))
		for i, id := range readers {
			items[i] = queue.Item{UserID: id, Key: fmt.Sprintf("market_intel:%d:%s", id, w.name()), Data: news}
		}
		n, err := s.queue.AddAll(ctx, kind.Market, items)
		if err != nil {
			return mails, err
		}
		mails += n
		after = readers[len(readers)-1]
	}
}

// report reads what became known in a week.
func (s *Service) report(ctx context.Context, w week) (r report, err error) {
	r.From, r.Until = w.days()
	b, err := s.store.bounds(ctx, w)
	if err != nil || b.Low < 0 { // nothing was known before the week
		return r, err
	}
	for _, table := range []struct {
		what, statement string
		into            *list
	}{
		{"new advisers", registrationsSQL, &r.Registrations},
		{"changes of assets", changesSQL, &r.Changes},
		{"new funds", launchesSQL, &r.Launches},
		{"closings", closingsSQL, &r.Closings},
	} {
		if *table.into, err = s.store.read(ctx, table.what, table.statement, b, w.from.Add(-recent)); err != nil {
			return r, err
		}
	}
	return r, nil
}

// Renderers render the mails when they are delivered.
func Renderers() render.Renderers {
	return render.Renderers{kind.Market: render.Typed(
		func(to accountsapi.Account, r report, links render.Links) email.Mail {
			return r.content(to.FullName, links.Unsubscribe, links.Page)
		},
	)}
}

// Handlers are the jobs of market intel.
func Handlers(s *Service) []jobs.Handler {
	return []jobs.Handler{{Type: Job, Timeout: timeout, Retries: retries, Run: jobs.InBucket(s.Run)}}
}
