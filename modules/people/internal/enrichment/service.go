package enrichment

import (
	"context"
	"log/slog"
	"time"

	"golang.org/x/sync/singleflight"

	"gpatlas/modules/people/internal/enrichment/provider"
	"gpatlas/modules/people/internal/identity"
	"gpatlas/modules/people/internal/unread"
	"gpatlas/platform/apperr"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/jobs"
)

// Settings are which providers to ask, and how often.
type Settings struct {
	Providers []provider.Provider // in the order in which they are asked
	PeopleMax int                 // people per job
	AskAgain  time.Duration       // age after which a provider is asked again about a person
	Wait      time.Duration       // the longest that a request waits for its job
	// Sleep waits; nil = by the system timer.
	Sleep func(ctx context.Context, d time.Duration) error
}

// Service enriches people.
type Service struct {
	store    *store
	unread   *unread.Store
	queue    *jobs.Enqueuer
	settings Settings
	clock    clock.Clock
	log      *slog.Logger
	flights  singleflight.Group // concurrent refreshes
}

// NewService works on db.
func NewService(db *database.DB, queue *jobs.Enqueuer, settings Settings, clk clock.Clock, log *slog.Logger) *Service {
	if settings.Sleep == nil {
		settings.Sleep = clock.Sleep
	}
	return &Service{store: &store{db}, unread: unread.NewStore(db), queue: queue, settings: settings, clock: clk, log: log.With(slog.String("part", "enrichment"))}
}

// Enriched returns those of some people who have an enriched adviser, whoever requested it. Uids must be current ones. The same
// in SQL is a join of people.posts with people.enriched_firms by crd.
func (s *Service) Enriched(ctx context.Context, uids []string) (map[string]bool, error) {
	list, err := s.store.enriched(ctx, uids)
	if err != nil {
		return nil, err
	}
	known := make(map[string]bool, len(list))
	for _, uid := range list {
		known[uid] = true
	}
	return known, nil
}

// Profile returns what is known about a person, by a current or former uid. People without an enriched adviser are not found.
func (s *Service) Profile(ctx context.Context, uid string) (Profile, error) {
	now, err := identity.Current(ctx, s.store.db, uid)
	if err != nil {
		return Profile{}, err
	}
	known, err := s.Enriched(ctx, []string{now})
	if err != nil {
		return Profile{}, err
	}
	if !known[now] {
		return Profile{}, apperr.NotFound("Person %s not found", uid)
	}
	return s.Filed(ctx, now)
}

// Filed returns what is known about a person in filings, with or without an enriched adviser, by a current or former
// uid.
func (s *Service) Filed(ctx context.Context, uid string) (Profile, error) {
	now, err := identity.Current(ctx, s.store.db, uid)
	if err != nil {
		return Profile{}, err
	}
	posts, err := s.store.posts(ctx, now)
	if err != nil {
		return Profile{}, err
	}
	if len(posts) == 0 {
		return Profile{}, apperr.NotFound("Person %s not found", uid)
	}
	k, err := s.store.kept(ctx, now)
	if err != nil {
		return Profile{}, err
	}
	return compose(now, posts, k)
}
