package main

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/idempotency"
	"gpatlas/platform/testkit/testscale"
)

// window is a web process that is killed and replaced while callers buy.
type window struct {
	mu     sync.Mutex
	house  *house
	gone   chan struct{} // closed when it is killed
	bought int           // answers since it was opened
	kill   int           // it is killed after so many
	kills  int
}

// call is a request, and what came of it.
type call struct {
	id, key, path string
	answer        answer
	err           error
	base          string
}

// kill -9 amid paid requests, again and again: each answer that a caller has stands in the ledger with its price, and what stands
// there beside was being answered when the process was killed. A lost request that is sent again under its Idempotency-Key is
// charged once.
func TestWebIsKilledAmidPaidRequests(t *testing.T) {
	t.Parallel()
	const callers, between = 8, 60
	calls := testscale.Rounds(t, 500)
	s := openShop(t)
	w := &window{house: s.web(), gone: make(chan struct{}), kill: between}
	p := s.sellTo(w.house, "ada@larkspur.example", "live", 10)

	paths := slices.Sorted(maps.Keys(prices))
	list := make([]*call, calls)
	for i := range list {
		list[i] = &call{id: fmt.Sprintf("call-%d", i), path: paths[rand.IntN(len(paths))]}
		if i%2 == 0 {
			list[i].key = list[i].id
		}
	}
	next := make(chan *call)
	var wg sync.WaitGroup
	for range callers {
		wg.Go(func() {
			for c := range next {
				w.mu.Lock()
				c.base = w.house.base
				w.mu.Unlock()
				c.answer, c.err = p.buy(c.base, c.path, c.id, c.key)
				w.answered(c)
			}
		})
	}
	for _, c := range list {
		select {
		case <-w.gone:
			_ = w.house.cmd.Wait()
			again := s.web()
			w.mu.Lock()
			w.house, w.gone, w.bought, w.kill = again, make(chan struct{}), 0, 1+rand.IntN(2*between)
			w.mu.Unlock()
		default:
		}
		next <- c
	}
	close(next)
	wg.Wait()
	_ = w.house.cmd.Process.Kill()
	s.awaitDisconnect()

	rows := map[string]entry{}
	for _, e := range p.ledger() {
		require.NotContains(t, rows, e.Request, "charged twice")
		rows[e.Request] = e
	}
	var lost []*call
	unheard := 0
	for _, c := range list {
		e, charged := rows[c.id]
		if c.err == nil {
			require.Equal(t, http.StatusOK, c.answer.status, "%s: %s", c.path, c.answer.body)
			require.Equal(t, entry{c.id, paid(t, c.answer), "live"}, e)
			require.Equal(t, prices[c.path], e.Amount)
			delete(rows, c.id)
			continue
		}
		lost = append(lost, c)
		if charged {
			unheard++
			delete(rows, c.id)
		}
	}
	require.Empty(t, rows, "nobody asked for these")
	require.Positive(t, w.kills)
	require.LessOrEqual(t, len(lost), w.kills*(callers+1))
	require.LessOrEqual(t, unheard, len(lost))
	s.audit()

	s.ahead(2 * idempotency.Lease) // until then a request of the dead may still be under way
	last := s.web()
	before := p.spent()
	var due int64
	for _, c := range lost {
		if c.key == "" {
			continue
		}
		a, err := p.buy(last.base, c.path, c.id+"-again", c.key)
		require.NoError(t, err)
		require.Equal(t, http.StatusOK, a.status, a.body)
		if !slices.ContainsFunc(p.ledger(), func(e entry) bool { return e.Request == c.id }) {
			due += prices[c.path]
		}
	}
	require.Equal(t, before+due, p.spent(), "what was charged already is not charged again")
	s.audit()
	t.Logf("%d requests, %d kills, %d requests lost, of which %d were charged", calls, w.kills, len(lost), unheard)
}

// answered counts an answer, and kills the process when it is time.
func (w *window) answered(c *call) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if c.err != nil || c.base != w.house.base {
		return
	}
	w.bought++
	if w.bought == w.kill {
		w.kills++
		time.AfterFunc(time.Duration(rand.IntN(3000))*time.Microsecond, func() {
			close(w.gone) // no request is sent from now on, but for one
			_ = w.house.cmd.Process.Kill()
		})
	}
}

// awaitDisconnect waits until the server has ended the sessions of processes that were killed.
func (s *shop) awaitDisconnect() {
	s.t.Helper()
	require.Eventually(s.t, func() bool {
		var sessions int
		err := s.db.Pool().QueryRow(s.t.Context(), `SELECT count(*) FROM pg_stat_activity
			WHERE datname = current_database() AND application_name = 'gpatlas web'`).Scan(&sessions)
		return err == nil && sessions == 0
	}, patience, glance)
}
