package changefeed

import (
	"context"
	"sync"
	"time"

	"gpatlas/platform/database"
)

// store reads what the log refers to.
type store struct {
	db *database.DB

	mu    sync.Mutex
	known map[int64]time.Time // when the rows of a load became known, by its arrival; it never changes
}

// keptInstants is how many loads are remembered.
const keptInstants = 1000

const (
	knownSQL      = "SELECT arrival, known_at FROM catalog.pub_arrival WHERE arrival = ANY (@arrivals)"
	watchedSQL    = "SELECT adviser_crd FROM accounts.pub_watch WHERE user_id = @user"
	collectionSQL = "SELECT adviser_crd FROM accounts.pub_collection_item WHERE user_id = @user AND collection_id = @id::uuid"
)

// instants returns when the rows of some loads became known.
func (s *store) instants(ctx context.Context, arrivals []int64) (map[int64]time.Time, error) {
	found, missing := map[int64]time.Time{}, []int64(nil)
	s.mu.Lock()
	for _, a := range arrivals {
		if at, ok := s.known[a]; ok {
			found[a] = at
		} else if a != 0 {
			missing = append(missing, a)
		}
	}
	s.mu.Unlock()
	if missing == nil {
		return found, nil
	}
	rows, err := database.Select[struct {
		Arrival int64
		KnownAt time.Time
	}](ctx, s.db, "read when loads became known", knownSQL, database.Args{"arrivals": missing})
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.known == nil || len(s.known) > keptInstants {
		s.known = map[int64]time.Time{}
	}
	for _, r := range rows {
		found[r.Arrival], s.known[r.Arrival] = r.KnownAt.UTC(), r.KnownAt.UTC()
	}
	return found, nil
}

// watched returns the GPs on an account's watchlist.
func (s *store) watched(ctx context.Context, user int64) ([]string, error) {
	return database.Values[string](ctx, s.db, "read a watchlist", watchedSQL, database.Args{"user": user})
}

// collected returns the GPs of an account's collection; ok is false if it has no such collection. An empty one has one row without a GP.
func (s *store) collected(ctx context.Context, user int64, id string) (crds []string, ok bool, err error) {
	rows, err := database.Values[*string](ctx, s.db, "read a collection", collectionSQL, database.Args{"user": user, "id": id})
	for _, crd := range rows {
		if crd != nil {
			crds = append(crds, *crd)
		}
	}
	return crds, len(rows) > 0, err
}
