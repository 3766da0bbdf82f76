package tracking

import (
	"sync"
	"time"
)

const (
	// knownFor is how long a link is known without being looked for: when a mail is removed by another process, its links lead
	// on for at most that long.
	knownFor = time.Minute
	// generationMost bounds the bytes of a generation, about: most links have 60, and none more than 1,500.
	generationMost = 8 << 20
	// overhead is what a link takes beside its destination.
	overhead = 250
)

// generation are links that were found since an instant.
type generation struct {
	since time.Time
	links map[string]*linkRow
	bytes int
}

// known remembers links that were found. A link is never changed, only removed. What does not exist is not remembered: whoever
// invents IDs takes no room. Two generations bound room and age without a list of who came when: a new one begins when the
// younger one is full, or half of knownFor old. It is safe for concurrent use.
type known struct {
	mu             sync.RWMutex
	younger, older generation
}

// get returns a link that was found less than knownFor ago; nil for none.
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

// put remembers a link that was looked for at an instant, and found.
func (k *known) put(l *linkRow, at time.Time) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.younger.links == nil || at.Sub(k.younger.since) >= knownFor/2 || k.younger.bytes >= generationMost {
		k.older, k.younger = k.younger, generation{at, map[string]*linkRow{}, 0}
	}
	if !at.Before(k.younger.since) { // it would be known for too long
		k.younger.links[l.ID] = l
		k.younger.bytes += len(l.Destination) + overhead
	}
}

// clear forgets all.
func (k *known) clear() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.younger, k.older = generation{}, generation{}
}
