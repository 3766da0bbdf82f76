package httpapitest

import (
	"strconv"
	"sync"
	"testing"

	"github.com/gofiber/fiber/v2"
	"github.com/stretchr/testify/require"

	"gpatlas/platform/auth"
	"gpatlas/platform/ratelimit"
)

// callerHeader carries the number of a scenario's caller to the app, because a connection does not carry a context. Only the
// hosts of New know it.
const callerHeader = "X-Httpapitest-Caller"

// WeightHeader of a response is how many requests its request counts as in the limits; absent: one. The hosts of New set it.
const WeightHeader = "X-Httpapitest-Weight"

// callers puts the callers of scenarios into the contexts of their requests, as the web process does after it has
// verified their credentials.
type callers struct {
	mu    sync.Mutex
	known []*auth.Principal
}

// add stores a caller and returns its value of the header.
func (k *callers) add(tb testing.TB, as *auth.Principal) string {
	tb.Helper()
	require.NotNil(tb, k, "Scenario.As needs a host made by New or NewMetered; send the others a credential")
	k.mu.Lock()
	defer k.mu.Unlock()
	k.known = append(k.known, as)
	return strconv.Itoa(len(k.known) - 1)
}

func (k *callers) handle(c *fiber.Ctx) error {
	if n, err := strconv.Atoi(c.Get(callerHeader)); err == nil {
		k.mu.Lock()
		as := k.known[n]
		k.mu.Unlock()
		c.SetUserContext(auth.With(c.UserContext(), as))
	}
	c.SetUserContext(ratelimit.WithWeigher(c.UserContext(), func(weight int64) error {
		c.Set(WeightHeader, strconv.FormatInt(weight, 10))
		return nil
	}))
	return c.Next()
}
