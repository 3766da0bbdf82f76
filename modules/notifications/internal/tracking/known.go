package tracking

import (
	"sync"
	"time"
)

const (
	// knownFor is how long a link is cached: when another process removes a mail, its links work for at most that long.
	knownFor = time.Minute
	// generationMost bounds the bytes of a generation, approximately: most links have 60, and none more than 1,500.
	generationMost = 8 << 20
	// overhead is the size of a link besides its destination.
	overhead = 250
)

// generation are links that were found since an instant.
type generation struct {
	since time.Time
	links map[string]*linkRow
	bytes int
}

// known caches links that were found. A link is never changed, only removed. Missing links are not cached, so invented IDs take
// no room. Two generations bound size and age without a list by time: a new one starts when the younger one is full, or half of
// knownFor old. It is safe for concurrent use.
type known struct {
	mu             sync.RWMutex
	younger, older generation
}

// get returns a link that was found less than knownFor ago; nil if none.
func (k *known) get(id string, now time.Time) *linkRow {
	k.mu.RLock()
	defer k.mu.RUnlock()
	for _, g := range []*generation{&k.younger, &k.older} {
		if l := g.links[id]; l != nil && now.Sub(g.since) < knownFor {
			return l
		}
	}
	return nil
}

// put caches a link that was read at an instant.
func (k *known) put(l *linkRow, at time.Time) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.younger.links == nil || at.Sub(k.younger.since) >= knownFor/2 || k.younger.bytes >= generationMost {
		k.older, k.younger = k.younger, generation{at, map[string]*linkRow{}, 0}
	}
	if !at.Before(k.younger.since) { // it would be cached for too long
		k.younger.links[l.ID] = l
		k.younger.bytes += len(l.Destination) + overhead
	}
}

// clear drops all.
func (k *known) clear() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.younger, k.older = generation{}, generation{}
}
