package main

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

const (
	regulatory = "/v1/gps/" + shownGP + "/regulatory"
	aggregate  = "/v1/search/aggregate?group_by=strategy" // answered from memory
)

// prices are operations of each price, in micro-dollars.
var prices = map[string]int64{
	regulatory:                            500_000,
	"/v1/gps/" + shownGP + "/amendments":  250_000,
	"/v1/gps/" + shownGP + "/metrics":     150_000,
	aggregate:                             150_000,
	"/v1/gps/" + shownGP + "/related":     150_000,
	"/v1/gps/" + shownGP + "/changes":     250_000,
	"/v1/search/aggregate?group_by=state": 150_000,
}

// atOnce sends requests at the same time, each to the next of some processes. Each answer is 200 or 402.
func (p *payer) atOnce(name string, paths []string, houses ...*house) (answers []answer) {
	t := p.shop.t
	t.Helper()
	answers = make([]answer, len(paths))
	errs := make([]error, len(paths))
	ready := make(chan struct{})
	var wg sync.WaitGroup
	for i, path := range paths {
		wg.Go(func() {
			<-ready
			answers[i], errs[i] = p.buy(houses[i%len(houses)].base, path, fmt.Sprintf("%s-%d", name, i), "")
		})
	}
	close(ready)
	wg.Wait()
	for i, a := range answers {
		require.NoError(t, errs[i])
		require.Contains(t, []int{http.StatusOK, http.StatusPaymentRequired}, a.status, a.body)
	}
	return answers
}

// Of 100 requests at once for $0.50, over two processes, a cap of $10 lets 20 pass; of requests for different prices as many as fit.
func TestTheCapHoldsOverTwoProcesses(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	first, second := s.web(), s.web()

	equal := s.sellTo(first, "ada@larkspur.example", "live", 2)
	equal.setCap(10_000_000)
	paths := make([]string, 100)
	for i := range paths {
		paths[i] = regulatory
	}
	bought := 0
	for _, a := range equal.atOnce("equal", paths, first, second) {
		if a.status == http.StatusOK {
			require.EqualValues(t, 500_000, paid(t, a))
			bought++
			continue
		}
		require.Equal(t, "spending_cap", code(t, a))
		require.Equal(t, "0.00", a.header.Get("X-Charge"))
	}
	require.Equal(t, 20, bought)
	require.EqualValues(t, 10_000_000, equal.spent())
	require.Len(t, equal.ledger(), 20)

	mixed := s.sellTo(first, "grace@mossgate.example", "live", 2)
	const limit = 8_070_000
	mixed.setCap(limit)
	paths = paths[:0]
	for path := range prices {
		for range 14 {
			paths = append(paths, path)
		}
	}
	rand.Shuffle(len(paths), func(i, j int) { paths[i], paths[j] = paths[j], paths[i] })
	var sum int64
	var refused []int64
	for i, a := range mixed.atOnce("mixed", paths, first, second) {
		if a.status == http.StatusOK {
			require.Equal(t, prices[paths[i]], paid(t, a), paths[i])
			sum += paid(t, a)
		} else {
			refused = append(refused, prices[paths[i]])
		}
	}
	require.LessOrEqual(t, sum, int64(limit))
	require.NotEmpty(t, refused)
	for _, price := range refused {
		require.Greater(t, sum+price, int64(limit), "a request for %d micro-dollars was refused, but fits", price)
	}
	require.Equal(t, sum, mixed.spent())
	s.audit()
}
