package apikey

import (
	"maps"
	"sync"
	"time"

	"gpatlas/modules/keys/internal/secret"
	"gpatlas/platform/auth"
)

const (
	// knownFor is how long an answer of the database is used while announcements are received: if one is lost with a connection
	// that seems alive, its change takes effect within this time.
	knownFor = 30 * time.Second
	// unheardFor is how long a key counts as valid while no announcements can be received.
	unheardFor = time.Second
	// shards keep requests on several cores from waiting for each other.
	shards = 16
	// known and unknown keys are kept separately, each up to its limit: a flood of invalid keys does not evict customers' keys.
	knownMax, unknownMax = 16_384 / shards, 16_384 / shards
)

// entry is the database's answer for a hash.
type entry struct {
	principal *auth.Principal // nil: no such key. Shared by requests, and therefore never written
	at        time.Time
	until     time.Time // when the account's trial ends, and the answer expires; zero = never
}

// fresh reports whether the answer can be used without asking the database again. heard is whether announcements of changes are
// received. An administrator's key is always looked up, so that revoked rights end at once.
func (e entry) fresh(now time.Time, heard bool) bool {
	life := knownFor
	if e.principal != nil && !heard {
		life = unheardFor
	}
	return now.Sub(e.at) < life && (e.until.IsZero() || now.Before(e.until)) && (e.principal == nil || !e.principal.Admin)
}

// cache holds answers by the hash of the key. It is bounded: when it is full, it evicts an outdated entry, or any other.
type cache [shards]shard

type shard struct {
	mu             sync.RWMutex
	known, unknown map[secret.Hash]entry
	// dropped counts revocations and changes of accounts: an answer requested before one must not be stored after it.
	dropped uint64
}

func (c *cache) of(h secret.Hash) *shard { return &c[h[0]%shards] }

// find returns the stored answer, outdated or not, and the mark that keep needs.
func (c *cache) find(h secret.Hash) (e entry, found bool, mark uint64) {
	s := c.of(h)
	s.mu.RLock()
	defer s.mu.RUnlock()
	if e, found = s.known[h]; !found {
		e, found = s.unknown[h]
	}
	return e, found, s.dropped
}

// keep stores an answer that was requested at mark, unless a key has been revoked since.
func (c *cache) keep(h secret.Hash, e entry, mark uint64) {
	s := c.of(h)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.dropped != mark {
		return
	}
	if e.principal != nil {
		delete(s.unknown, h)
		put(&s.known, h, e, knownMax)
	} else {
		delete(s.known, h)
		put(&s.unknown, h, e, unknownMax)
	}
}

// forget drops one key.
func (c *cache) forget(h secret.Hash) {
	s := c.of(h)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dropped++
	delete(s.known, h)
}

// forgetUser drops all keys of an account.
func (c *cache) forgetUser(id int64) {
	for i := range c {
		s := &c[i]
		s.mu.Lock()
		s.dropped++
		maps.DeleteFunc(s.known, func(_ secret.Hash, e entry) bool { return e.principal.UserID == id })
		s.mu.Unlock()
	}
}

// clear drops all.
func (c *cache) clear() {
	for i := range c {
		s := &c[i]
		s.mu.Lock()
		s.dropped++
		s.known, s.unknown = nil, nil
		s.mu.Unlock()
	}
}

// lookAt is how many entries are checked for an outdated one to evict.
const lookAt = 8

func put(m *map[secret.Hash]entry, h secret.Hash, e entry, most int) {
	if *m == nil {
		*m = map[secret.Hash]entry{}
	}
	if _, there := (*m)[h]; !there && len(*m) >= most {
		var victim secret.Hash
		n := 0
		for other, old := range *m { // map order, which no caller can predict
			victim = other
			if n++; n >= lookAt || !old.fresh(e.at, true) {
				break
			}
		}
		delete(*m, victim)
	}
	(*m)[h] = e
}
