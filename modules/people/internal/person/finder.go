package person

import (
	"context"
	"sync"
	"time"
)

// finder keeps an in-memory index of all people who can be found. Before each search it checks for changes: an enrichment adds
// people to the index, everything else rebuilds it. The index holds names only, and results are read from the database, so
// people who were removed are never shown.
type finder struct {
	store *Store

	mu    sync.RWMutex
	index *index
	state state
}

// overlap is how much older than the newest enrichment seen one may be that was committed after it.
const overlap = 10 * time.Minute

// find returns the best hits.
func (f *finder) find(ctx context.Context, query, company string, most int) ([]hit, error) {
	now, err := f.store.state(ctx)
	if err != nil {
		return nil, err
	}
	f.mu.RLock()
	if f.index != nil && f.state == now {
		defer f.mu.RUnlock()
		return f.index.find(query, company, most), nil
	}
	f.mu.RUnlock()
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.refresh(ctx, now); err != nil {
		return nil, err
	}
	return f.index.find(query, company, most), nil
}

// refresh updates the index.
func (f *finder) refresh(ctx context.Context, now state) error {
	if f.index != nil && f.state == now {
		return nil // another search has
	}
	since, next := time.Time{}, newIndex()
	if f.index != nil && f.state.Basis == now.Basis {
		since, next = f.state.Enriched.Add(-overlap), f.index
	}
	people, err := f.store.known(ctx, since)
	if err != nil {
		return err
	}
	for _, p := range people {
		next.add(p.PersonUID, p.Names, p.Firms)
	}
	f.index, f.state = next, now
	return nil
}
