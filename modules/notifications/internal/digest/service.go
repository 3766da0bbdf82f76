package digest

import (
	"context"
	"fmt"
	"time"

	"gpatlas/modules/accounts/accountsapi"
	"gpatlas/modules/billing/billingapi"
	"gpatlas/modules/notifications/internal/kind"
	"gpatlas/modules/notifications/internal/queue"
	"gpatlas/modules/notifications/internal/render"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/jobs"
	"gpatlas/templates/email"
)

// Service makes digests.
type Service struct {
	db     *database.DB
	clock  clock.Clock
	queue  *queue.Service
	kinds  kind.Kinds
	weekly billingapi.Preferences
	jobs   *jobs.Enqueuer
	store  *store
}

// NewService works on db.
func NewService(
	db *database.DB, clk clock.Clock, mails *queue.Service, kinds kind.Kinds, weekly billingapi.Preferences, enqueuer *jobs.Enqueuer,
) *Service {
	return &Service{db: db, clock: clk, queue: mails, kinds: kinds, weekly: weekly, jobs: enqueuer, store: &store{db}}
}

// Run queues the digests of a day, "2026-11-23", and returns how many. It may run twice, also concurrently: each account is
// processed once a day. A batch of accounts, its mails and their new points are one transaction.
//
// While the kind is disabled in the registry nothing happens. Once it is enabled again, digests cover the time between, as far
// as reach.
func (s *Service) Run(ctx context.Context, day string) (mails int, err error) {
	date, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return 0, jobs.Never(fmt.Errorf("%s: %q is not a day", Job, day))
	}
	k, found, err := s.kinds.Find(ctx, kind.Digest)
	if err != nil || !found || !k.Enabled {
		return 0, err
	}
	high, err := s.store.newest(ctx)
	if err != nil {
		return 0, err
	}
	now := s.clock.Now().UTC().Truncate(time.Microsecond) // PostgreSQL's precision
	if err := s.store.begin(ctx, day, high, now); err != nil {
		return 0, err
	}
	r := run{s, day, date.Weekday() == time.Monday, high, now, &known{store: s.store, high: high}}
	for after := int64(0); ; {
		var n int
		err := s.db.InTx(ctx, func(ctx context.Context) (err error) {
			n, after, err = r.batch(ctx, after)
			return err
		})
		if mails += n; err != nil || after == 0 {
			return mails, err
		}
	}
}

// run is one run of the job.
type run struct {
	*Service

	day    string
	monday bool
	high   int64 // the newest arrival that it covers
	now    time.Time
	known  *known
}

// batch processes the next accounts. last is the last of them; 0 if there are no more.
func (r run) batch(ctx context.Context, after int64) (mails int, last int64, err error) {
	if err := r.store.lock(ctx); err != nil {
		return 0, after, err
	}
	list, err := r.store.due(ctx, r.day, after, r.now)
	if err != nil || len(list) == 0 {
		return 0, 0, err
	}
	last = list[len(list)-1].UserID
	if list, err = r.today(ctx, list); err != nil || len(list) == 0 {
		return 0, last, err
	}
	watched, err := r.store.watched(ctx, list)
	if err != nil {
		return 0, last, err
	}
	if err := r.known.look(ctx, watched, lowest(list)); err != nil {
		return 0, last, err
	}
	keys := make([]string, len(list)) // empty: no news
	var items []queue.Item
	for i, c := range list {
		n := 0
		for n < len(watched) && watched[n].UserID == c.UserID { // both are ordered by account
			n++
		}
		d := r.known.digestOf(c, watched[:n])
		watched = watched[n:]
		if len(d.GPs) == 0 {
			continue
		}
		keys[i] = key(c.UserID, r.day)
		items = append(items, queue.Item{UserID: c.UserID, Key: keys[i], Data: d})
	}
	if mails, err = r.queue.AddAll(ctx, kind.Digest, items); err != nil {
		return 0, last, err
	}
	return mails, last, r.store.keep(ctx, list, keys, r.day, r.high, r.now)
}

// lowest is the lowest point of the accounts.
func lowest(list []candidate) int64 {
	low := list[0].Low
	for _, c := range list {
		low = min(low, c.Low)
	}
	return low
}

// today leaves out accounts with weekly digests, except on Mondays.
func (r run) today(ctx context.Context, list []candidate) ([]candidate, error) {
	if r.monday {
		return list, nil
	}
	users := make([]int64, len(list))
	for i, c := range list {
		users[i] = c.UserID
	}
	weekly, err := r.weekly.WeeklyDigests(ctx, users)
	if err != nil {
		return nil, err
	}
	daily := list[:0]
	for _, c := range list {
		if !weekly[c.UserID] {
			daily = append(daily, c)
		}
	}
	return daily, nil
}

// Renderers render digests when they are delivered.
func Renderers() render.Renderers {
	return render.Renderers{kind.Digest: render.Typed(
		func(to accountsapi.Account, d data, links render.Links) email.Mail {
			return d.content(to.FullName, links.Unsubscribe, links.Page)
		},
	)}
}

// Handlers are the jobs of digests.
func Handlers(s *Service) []jobs.Handler {
	return []jobs.Handler{{Type: Job, Timeout: timeout, Retries: retries, Run: jobs.InBucket(s.Run)}}
}
