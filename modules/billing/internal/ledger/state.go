package ledger

import (
	"context"
	"strconv"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"gpatlas/modules/billing/internal/account"
	"gpatlas/platform/charge"
)

const (
	// lookUpTimeout is how long a request waits for the state of its account.
	lookUpTimeout = 2 * time.Second
	// shards keep requests on several cores from waiting for each other; statesMax bounds what each of them remembers.
	shards    = 16
	statesMax = 1_024
)

// states caches accounts for charge.MaxStateAge. It is bounded: when it is full, it evicts an outdated entry, or any other.
type states struct {
	shards [shards]shard
	flight singleflight.Group
}

type shard struct {
	mu   sync.Mutex
	held map[int64]cachedAccount
}

// cachedAccount is an account at an instant, or just after.
type cachedAccount struct {
	account account.Account
	at      time.Time
}

func (s *states) of(userID int64) *shard { return &s.shards[uint64(userID)%shards] }

// find returns a cached account that is not outdated. If the clock was set back, all are outdated.
func (s *shard) find(userID int64, now time.Time) (account.Account, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	h, found := s.held[userID]
	return h.account, found && h.fresh(now)
}

func (h cachedAccount) fresh(now time.Time) bool {
	age := now.Sub(h.at)
	return age >= 0 && age < charge.MaxStateAge
}

// lookAt is how many entries are checked for an outdated one to evict.
const lookAt = 8

func (s *shard) keep(userID int64, h cachedAccount) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.held == nil {
		s.held = map[int64]cachedAccount{}
	}
	if _, there := s.held[userID]; !there && len(s.held) >= statesMax {
		var victim int64
		n := 0
		for other, old := range s.held { // map order, which no caller can predict
			victim = other
			if n++; n >= lookAt || !old.fresh(h.at) {
				break
			}
		}
		delete(s.held, victim)
	}
	s.held[userID] = h
}

// state is an account as it was at most charge.MaxStateAge ago. Concurrent requests share one query.
func (m *Meter) state(ctx context.Context, userID int64) (account.Account, error) {
	now := m.clock.Now()
	if a, found := m.states.of(userID).find(userID, now); found {
		return a.At(now), nil
	}
	answer := m.states.flight.DoChan(strconv.FormatInt(userID, 10), func() (any, error) {
		if a, found := m.states.of(userID).find(userID, m.clock.Now()); found { // of the query that has just ended
			return a, nil
		}
		return m.visit(context.WithoutCancel(ctx), userID)
	})
	select {
	case got := <-answer:
		a, _ := got.Val.(account.Account)
		return a, got.Err
	case <-ctx.Done():
		return account.Account{}, ctx.Err()
	}
}

// visit reads an account, and caches it.
func (m *Meter) visit(ctx context.Context, userID int64) (account.Account, error) {
	s, now := m.states.of(userID), m.clock.Now()
	ctx, cancel := context.WithTimeout(ctx, lookUpTimeout)
	defer cancel()
	a, err := m.accounts.Find(ctx, userID, now)
	if err == nil {
		s.keep(userID, cachedAccount{a, now})
	}
	return a, err
}
