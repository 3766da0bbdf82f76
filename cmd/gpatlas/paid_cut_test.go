package main

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/idempotency"
	"gpatlas/platform/testkit/cutproxy"
)

// The connection to PostgreSQL is lost after each message of a paid request in turn. Who has the answer is charged, who is told 503
// was charged wholly or not at all, and who then sends the request again under its Idempotency-Key gets the answer and pays once.
func TestPaidRequestsWhoseConnectionIsCut(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	proxy := cutproxy.New(t, s.url)
	s.url = proxy.URL()
	h := s.web()
	for name, keyed := range map[string]bool{"fee": false, "keyed-fee": true} {
		p := s.sellTo(h, name+"@larkspur.example", "live", 1)
		const price = 150_000 // of aggregate, which asks the database for nothing but the charge
		_, err := p.buy(h.base, aggregate, name, "")
		require.NoError(t, err)
		unheard, spent := 0, p.spent()
		// Requests have more messages on a new connection, and fewer on one that has prepared their statements. After its
		// connection for notices is lost, the process looks up the key when it has not done so for a second. On a busy machine the cuts
		// may hit the look-ups alone, and no commit's answer is lost. All is then done again, each time after a request that is not cut.
		for k, whole, turn, sent := 1, 0, 0, 0; whole < 3 || unheard == 0; k++ {
			if whole == 3 {
				k, whole, turn = 1, 0, turn+1
			}
			sent++
			if turn > 0 {
				s.answered(p, h, fmt.Sprintf("%s-before-%d", name, sent), "")
				spent = p.spent()
			}
			require.Less(t, sent, 300, "no commit's answer was lost")
			id, key, atOnce := fmt.Sprintf("%s-%d", name, sent), "", (k+turn)%2 == 0
			if keyed {
				key = id
			}
			proxy.Arm(cutproxy.Cut{After: k, AtOnce: atOnce})
			a, err := p.buy(h.base, aggregate, id, key)
			_, cut := proxy.Disarm()
			require.NoError(t, err)
			if !keyed || !atOnce || a.status == http.StatusOK { // otherwise it is sent again while the server may be at work
				proxy.Settle()
			}
			now := p.spent()
			switch a.status {
			case http.StatusOK:
				require.EqualValues(t, price, paid(t, a))
				require.Equal(t, spent+price, now, id)
				if !cut {
					whole++
				}
			case http.StatusServiceUnavailable:
				require.Contains(t, []int64{spent, spent + price}, now, id)
				if now > spent {
					require.True(t, cut, id)
					require.Equal(t, "unknown", a.header.Get("X-Charge"), "%s: %s", id, a.body)
					unheard++
				}
			default:
				require.Fail(t, "answered otherwise", "%s: %d %s", id, a.status, a.body)
			}
			if keyed {
				s.answered(p, h, id+"-again", id)
				now = spent + price
				require.Equal(t, now, p.spent(), "%s is charged once", id)
			}
			spent = now
		}
		t.Logf("%s: charged, but told 503: %d", name, unheard)
	}
	s.audit()
}

// answered sends a paid request, under a key if there is one, until it is answered. A connection that was lost while nobody used it
// is noticed by the next request; a request that could not be released is free when its lease ends.
func (s *shop) answered(p *payer, h *house, id, key string) {
	s.t.Helper()
	for range 4 {
		a, err := p.buy(h.base, aggregate, id, key)
		require.NoError(s.t, err)
		switch a.status {
		case http.StatusOK:
			return
		case http.StatusConflict:
			s.ahead(2 * idempotency.Lease)
		case http.StatusServiceUnavailable:
		default:
			require.Fail(s.t, "answered otherwise", "%s: %d %s", id, a.status, a.body)
		}
	}
	require.Fail(s.t, "not answered", id)
}
