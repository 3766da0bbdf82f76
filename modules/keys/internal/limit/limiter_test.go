package limit_test

import (
	"bytes"
	"context"
	"log/slog"
	"net"
	"net/netip"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"gpatlas/modules/keys/internal/limit"
	"gpatlas/platform/auth"
	"gpatlas/platform/localserver"
	"gpatlas/platform/ratelimit"
	"gpatlas/platform/testkit/clocktest"
	"gpatlas/platform/testkit/dbtest"
)

func key(tier, id string) *auth.Principal {
	return &auth.Principal{Kind: auth.Key, KeyID: id, APITier: tier, UserID: 1}
}

func testKey(id string, userID int64) *auth.Principal {
	return &auth.Principal{Kind: auth.Key, KeyID: id, APITier: "starter", UserID: userID, Mode: auth.ModeTest}
}

func address(text string) *auth.Principal {
	return &auth.Principal{Address: netip.MustParseAddr(text)}
}

// newLimiter is one over a Redis of the test's own, with a client that is patient: the machine may be busy.
func newLimiter(tb testing.TB, clk *clocktest.Clock) *limit.Limiter {
	tb.Helper()
	l := limit.NewLimiter(limit.Options{Redis: dbtest.Redis(tb), Clock: clk, Log: slog.New(slog.DiscardHandler)})
	tb.Cleanup(func() { _ = l.Stop(context.WithoutCancel(tb.Context())) })
	return l
}

// spend sends n requests, which all pass.
func spend(t *testing.T, l *limit.Limiter, caller *auth.Principal, n int) (last ratelimit.Decision) {
	t.Helper()
	for i := range n {
		last = l.Allow(t.Context(), caller)
		require.True(t, last.Allowed, "request %d", i+1)
	}
	return last
}

func TestWindows(t *testing.T) {
	t.Parallel()
	clk := clocktest.At("2026-11-20T10:00:02.5Z")
	l := newLimiter(t, clk)
	caller := key("starter", "k1")

	d := spend(t, l, caller, 1)
	require.True(t, d.Limited)
	require.EqualValues(t, 100, d.Limit)
	require.EqualValues(t, 99, d.Remaining)
	require.Equal(t, "2026-11-21T00:00:00Z", d.Reset.Format(time.RFC3339))
	require.Equal(t, []ratelimit.Policy{
		{Name: "burst", Quota: 10, Seconds: 5, Remaining: 9, Reset: 3},
		{Name: "minute", Quota: 60, Seconds: 60, Remaining: 59, Reset: 58},
		{Name: "day", Quota: 100, Seconds: 86400, Remaining: 99, Reset: 14*3600 - 2},
	}, d.Policies)

	spend(t, l, caller, 9)
	for range 3 { // a refused request counts in no window
		d = l.Allow(t.Context(), caller)
		require.False(t, d.Allowed)
		require.Equal(t, "burst", d.Window)
		require.Equal(t, 2500*time.Millisecond, d.RetryAfter)
		require.EqualValues(t, 90, d.Remaining)
	}
	for range 5 { // the next windows of five seconds
		clk.Move(5 * time.Second)
		spend(t, l, caller, 10)
	}
	clk.Move(5 * time.Second)
	d = l.Allow(t.Context(), caller)
	require.False(t, d.Allowed)
	require.Equal(t, "minute", d.Window)
	require.Equal(t, 27500*time.Millisecond, d.RetryAfter)

	clk.Set(clocktest.Instant("2026-11-20T10:01:00Z"))
	spend(t, l, caller, 10)
	for range 3 {
		clk.Move(5 * time.Second)
		spend(t, l, caller, 10)
	}
	d = l.Allow(t.Context(), caller)
	require.False(t, d.Allowed)
	require.Equal(t, "day", d.Window, "the burst is full as well, and the day lasts longer")
	require.Equal(t, 14*time.Hour-75*time.Second, d.RetryAfter)
	require.Zero(t, d.Remaining)

	clk.Set(clocktest.Instant("2026-11-20T23:59:59.999Z"))
	require.False(t, l.Allow(t.Context(), caller).Allowed)
	clk.Set(clocktest.Instant("2026-11-21T00:00:00Z"))
	require.EqualValues(t, 99, spend(t, l, caller, 1).Remaining, "midnight UTC begins a new day")
}

func TestEachCallerHasItsOwnLimits(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		caller               *auth.Principal
		burst, minute, daily int64
	}{
		"starter":     {key("starter", "s"), 10, 60, 100},
		"growth":      {key("growth", "g"), 100, 1000, 10000},
		"scale":       {key("scale", "x"), 500, 10000, 0},
		"no tier":     {key("", "n"), 10, 60, 100},
		"session":     {&auth.Principal{Kind: auth.Session, UserID: 7, APITier: "scale"}, 100, 600, 10000},
		"anonymous":   {address("192.0.2.1"), 10, 60, 100},
		"no address":  {&auth.Principal{}, 10, 60, 100},
		"IPv6":        {address("2001:db8::1"), 10, 60, 100},
		"IPv4 mapped": {address("::ffff:192.0.2.77"), 10, 60, 100},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLimiter(t, clocktest.At("2026-11-20T10:00:00Z"))
			d := spend(t, l, c.caller, int(c.burst))
			require.Equal(t, c.daily > 0, d.Limited)
			require.Equal(t, c.daily, d.Limit)
			require.False(t, d.None)
			require.Equal(t, c.burst, d.Policies[0].Quota)
			require.Equal(t, c.minute, d.Policies[1].Quota)
			d = l.Allow(t.Context(), c.caller)
			require.False(t, d.Allowed)
			require.Equal(t, "burst", d.Window)
		})
	}
}

// Who shares a count and who does not.
func TestSubjects(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		a, b   *auth.Principal
		shared bool
	}{
		"two keys of an account":       {key("starter", "1"), key("starter", "2"), false},
		"two test keys of an account":  {testKey("1", 7), testKey("2", 7), true}, // one that is revoked and its successor, too
		"test keys of two accounts":    {testKey("1", 7), testKey("1", 8), false},
		"a test key and a live key":    {testKey("1", 1), key("starter", "1"), false},
		"a test key and a session":     {testKey("1", 7), &auth.Principal{Kind: auth.Session, UserID: 7}, false},
		"two addresses":                {address("192.0.2.1"), address("192.0.2.2"), false},
		"one /64":                      {address("2001:db8:0:1::1"), address("2001:db8:0:1:ffff::2"), true},
		"two /64":                      {address("2001:db8:0:1::1"), address("2001:db8:0:2::1"), false},
		"IPv4 and the same in IPv6":    {address("192.0.2.1"), address("::ffff:192.0.2.1"), true},
		"with a zone":                  {address("fe80::1%eth0"), address("fe80::2"), true},
		"two sessions of an account":   {&auth.Principal{Kind: auth.Session, UserID: 7, SessionID: "a"}, &auth.Principal{Kind: auth.Session, UserID: 7}, true},
		"sessions of two accounts":     {&auth.Principal{Kind: auth.Session, UserID: 7}, &auth.Principal{Kind: auth.Session, UserID: 8}, false},
		"a key from two addresses":     {&auth.Principal{Kind: auth.Key, KeyID: "1", Address: netip.MustParseAddr("192.0.2.1")}, key("starter", "1"), true},
		"a key that continues another": {key("starter", "1"), &auth.Principal{Kind: auth.Key, KeyID: "2", CountedAs: "1"}, true},
		"a session and a key that fit": {&auth.Principal{Kind: auth.Session, UserID: 7}, key("starter", "7"), false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLimiter(t, clocktest.At("2026-11-20T10:00:00Z"))
			spend(t, l, c.a, 3)
			d := l.Allow(t.Context(), c.b)
			left := d.Policies[0].Quota - d.Policies[0].Remaining
			if c.shared {
				require.EqualValues(t, 4, left)
			} else {
				require.EqualValues(t, 1, left)
			}
		})
	}
}

func TestAnonymousLimitsOff(t *testing.T) {
	t.Parallel()
	l := limit.NewLimiter(limit.Options{
		Redis: dbtest.Redis(t), Clock: clocktest.At("2026-11-20T10:00:00Z"), Log: slog.New(slog.DiscardHandler), Unlimited: true,
	})
	for range 20 {
		require.Equal(t, ratelimit.Decision{Allowed: true, None: true}, l.Allow(t.Context(), address("192.0.2.1")))
	}
	spend(t, l, key("starter", "k"), 10)
	require.False(t, l.Allow(t.Context(), key("starter", "k")).Allowed, "keys keep theirs")
}

// 150 parallel calls of a key with 100 a day, from two processes whose clocks differ by a window: exactly 100 pass.
func TestParallelCalls(t *testing.T) {
	t.Parallel()
	const calls = 150
	url := dbtest.RedisURL(t)
	options, err := redis.ParseURL(url)
	require.NoError(t, err)
	limiters := make([]*limit.Limiter, 2)
	clk := clocktest.At("2026-11-20T10:00:00Z")
	for i := range limiters {
		rdb := redis.NewClient(options)
		t.Cleanup(func() { _ = rdb.Close() })
		limiters[i] = limit.NewLimiter(limit.Options{Redis: rdb, Clock: clk, Log: slog.New(slog.DiscardHandler)})
	}
	caller := key("starter", "k")
	var passed, refused atomic.Int64
	ask := func(n int) {
		var wait sync.WaitGroup
		for i := range n {
			wait.Go(func() {
				if d := limiters[i%2].Allow(t.Context(), caller); d.Allowed {
					passed.Add(1)
				} else {
					refused.Add(1)
				}
			})
		}
		wait.Wait()
	}
	ask(calls) // of these the burst lets ten through
	require.EqualValues(t, 10, passed.Load())
	require.EqualValues(t, calls-10, refused.Load())
	for range 8 {
		clk.Move(12 * time.Second)
		spend(t, limiters[0], caller, 10)
	}
	passed.Store(90)
	clk.Move(5 * time.Second)
	spend(t, limiters[1], caller, 5)
	clk.Move(5 * time.Second)
	passed.Add(5)
	ask(calls)
	require.EqualValues(t, 100, passed.Load(), "exactly 100 a day")
}

// The same for limits that parallel calls reach at once: growth's hundred in five seconds.
func TestParallelCallsOnAHundred(t *testing.T) {
	t.Parallel()
	l := newLimiter(t, clocktest.At("2026-11-20T10:00:00Z"))
	var passed atomic.Int64
	var wait sync.WaitGroup
	for range 150 {
		wait.Go(func() {
			if l.Allow(t.Context(), key("growth", "g")).Allowed {
				passed.Add(1)
			}
		})
	}
	wait.Wait()
	require.EqualValues(t, 100, passed.Load())
}

// Questions that travel together get the answers of their own subjects, each of them counted once.
func TestParallelCallsOfManyKeys(t *testing.T) {
	t.Parallel()
	const keys, calls = 60, 10
	l := newLimiter(t, clocktest.At("2026-11-20T10:00:00Z"))
	left := make([]int64, keys*calls)
	var wait sync.WaitGroup
	for i := range left {
		wait.Go(func() {
			tier := []string{"starter", "growth"}[i%2]
			left[i] = l.Allow(t.Context(), key(tier, strconv.Itoa(i%keys))).Remaining
		})
	}
	wait.Wait()
	for k := range keys {
		day := []int64{100, 10_000}[k%2]
		var of []int64
		for i := k; i < len(left); i += keys {
			of = append(of, day-left[i])
		}
		slices.Sort(of)
		require.Equal(t, []int64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, of, "key %d", k)
	}
}

// Midnight begins a new day and, being a full minute, a new minute; a minute before it nothing of the day is forgotten, and a
// clock that is a window behind does not begin the old one again.
func TestClocksThatDiffer(t *testing.T) {
	t.Parallel()
	clk := clocktest.At("2026-11-20T23:59:58Z")
	l := newLimiter(t, clk)
	caller := key("starter", "k")
	spend(t, l, caller, 10)
	clk.Set(clocktest.Instant("2026-11-21T00:00:01Z"))
	require.EqualValues(t, 97, spend(t, l, caller, 3).Remaining)
	clk.Set(clocktest.Instant("2026-11-20T23:59:59Z")) // another process is two seconds behind
	require.EqualValues(t, 96, spend(t, l, caller, 1).Remaining)
	clk.Set(clocktest.Instant("2026-11-21T00:00:02Z"))
	require.EqualValues(t, 95, spend(t, l, caller, 1).Remaining)
	clk.Set(clocktest.Instant("2026-11-19T00:00:00Z")) // far behind: the counts of the future do not hold for ever
	require.EqualValues(t, 99, spend(t, l, caller, 1).Remaining)
}

// Counts do not stay in Redis for ever, nor is there more than one key per caller.
func TestCountsAreForgotten(t *testing.T) {
	t.Parallel()
	rdb := dbtest.Redis(t)
	l := limit.NewLimiter(limit.Options{Redis: rdb, Clock: clocktest.At("2026-11-20T10:00:00Z"), Log: slog.New(slog.DiscardHandler)})
	spend(t, l, key("starter", "k"), 2)
	spend(t, l, key("scale", "x"), 2)
	names, err := rdb.Keys(t.Context(), "*").Result()
	require.NoError(t, err)
	require.ElementsMatch(t, []string{"gpa:limit:k:k", "gpa:limit:k:x"}, names)
	for name, most := range map[string]time.Duration{"gpa:limit:k:k": 24*time.Hour + time.Minute, "gpa:limit:k:x": 2 * time.Minute} {
		ttl, err := rdb.TTL(t.Context(), name).Result()
		require.NoError(t, err)
		require.InDelta(t, most.Seconds(), ttl.Seconds(), 60)
		require.LessOrEqual(t, ttl, most)
	}
	require.NoError(t, rdb.ScriptFlush(t.Context()).Err()) // as after a restart: the script is sent again
	require.EqualValues(t, 97, spend(t, l, key("starter", "k"), 1).Remaining)
}

// lines is a log that may be read while it is written.
type lines struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lines) count(part string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Count(l.b.String(), part)
}

// Redis is stopped and comes back: meanwhile requests pass, none waits for it, a metric counts them and the log has one
// line a minute; afterwards the limits hold again.
func TestRedisAway(t *testing.T) {
	t.Parallel()
	server := dbtest.RedisServer(t)
	rdb, err := limit.Open(server.RedisURL())
	require.NoError(t, err)
	t.Cleanup(func() { _ = rdb.Close() })
	registry, log := prometheus.NewRegistry(), &lines{}
	clk := clocktest.At("2026-11-20T10:00:00Z")
	l := limit.NewLimiter(limit.Options{
		Redis: rdb, Clock: clk, Log: slog.New(slog.NewTextHandler(log, nil)), Metrics: limit.NewMetrics(registry),
	})
	t.Cleanup(func() { require.NoError(t, l.Stop(context.WithoutCancel(t.Context()))) })
	caller := key("starter", "k")
	require.NoError(t, rdb.Ping(t.Context()).Err())
	spend(t, l, caller, 10)
	require.False(t, l.Allow(t.Context(), caller).Allowed)

	require.NoError(t, server.Stop(t.Context()))
	spend(t, l, caller, 1) // finds out
	began := time.Now()
	d := spend(t, l, caller, 1999)
	took := time.Since(began)
	require.Less(t, took, 5*time.Second, "2,000 requests do not wait for Redis")
	t.Logf("without Redis a request takes %s", took/1999)
	require.EqualValues(t, 100, d.Remaining)
	require.EqualValues(t, 100, d.Limit)
	require.Equal(t, 1, log.count("level=WARN"))
	clk.Move(time.Minute)
	spend(t, l, caller, 500)
	require.Equal(t, 2, log.count("level=WARN"), "one line a minute")
	require.InDelta(t, 2500, counted(t, registry, "gpatlas_limit_unlimited_total"), 0)

	restart(t, strings.Split(server.RedisURL(), "/")[2])
	require.Eventually(t, func() bool { return log.count("is available again") == 1 && counts(t, l, caller) }, time.Minute, 20*time.Millisecond)
	for range 9 {
		l.Allow(t.Context(), caller)
	}
	require.False(t, l.Allow(t.Context(), caller).Allowed, "limits hold again")
	require.InDelta(t, 2, counted(t, registry, `gpatlas_limit_refused_total`), 0)
}

// counts reports whether a request is counted.
func counts(t *testing.T, l *limit.Limiter, caller *auth.Principal) bool {
	t.Helper()
	return l.Allow(t.Context(), caller).Remaining < 100
}

func counted(t *testing.T, g prometheus.Gatherer, name string) (n float64) {
	t.Helper()
	families, err := g.Gather()
	require.NoError(t, err)
	for _, f := range families {
		for _, m := range f.GetMetric() {
			if f.GetName() == name {
				n += m.GetCounter().GetValue()
			}
		}
	}
	return n
}

// restart starts a server where another one was.
func restart(t *testing.T, addr string) {
	t.Helper()
	bin, err := localserver.FindRedis()
	require.NoError(t, err)
	_, port, _ := strings.Cut(addr, ":")
	server := exec.Command(bin, "--bind", "127.0.0.1", "--port", port, "--save", "", "--appendonly", "no", "--dir", t.TempDir())
	require.NoError(t, server.Start())
	t.Cleanup(func() {
		_ = server.Process.Kill()
		_ = server.Wait()
	})
}

// A Redis that accepts the connection and does not respond costs one short wait, not one a request.
func TestRedisHangs(t *testing.T) {
	t.Parallel()
	silent, err := net.Listen("tcp", "127.0.0.1:0") // connects, and is never read
	require.NoError(t, err)
	t.Cleanup(func() { _ = silent.Close() })
	rdb, err := limit.Open("redis://" + silent.Addr().String() + "/0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = rdb.Close() })
	l := limit.NewLimiter(limit.Options{Redis: rdb, Clock: clocktest.At("2026-11-20T10:00:00Z"), Log: slog.New(slog.DiscardHandler)})
	began := time.Now()
	spend(t, l, key("starter", "k"), 200)
	require.Less(t, time.Since(began), 20*time.Second)
	require.NoError(t, l.Stop(t.Context()))
}

func TestOpenRefusesWhatIsNoAddress(t *testing.T) {
	t.Parallel()
	_, err := limit.Open("http://127.0.0.1")
	require.ErrorContains(t, err, "URL of Redis")
}

func BenchmarkAllow(b *testing.B) {
	l := newLimiter(b, clocktest.At("2026-11-20T10:00:00Z"))
	caller := key("scale", "k")
	b.Run("alone", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			l.Allow(b.Context(), caller)
		}
	})
	b.Run("parallel", func(b *testing.B) {
		b.ReportAllocs()
		b.SetParallelism(32)
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				l.Allow(b.Context(), caller)
			}
		})
	})
}

// What is given back is out of the day, and out of nothing else; nothing is given back twice, below nothing, for a caller
// without a daily limit, or after the day.
func TestGiveBack(t *testing.T) {
	t.Parallel()
	clk := clocktest.At("2026-11-20T10:00:00Z")
	l := newLimiter(t, clk)
	caller := key("starter", "k1")
	d := spend(t, l, caller, 3)
	l.GiveBack(t.Context(), caller, &d)
	require.EqualValues(t, 98, d.Remaining)
	require.Equal(t, []int64{7, 57, 98}, remaining(d))
	l.GiveBack(t.Context(), caller, &d)
	require.EqualValues(t, 98, d.Remaining, "once")
	d = spend(t, l, caller, 1)
	require.Equal(t, []int64{6, 56, 97}, remaining(d), "the short windows have counted it")

	// A day of unchanged answers is as long as one likes.
	for range 150 {
		clk.Move(5 * time.Second)
		d = l.Allow(t.Context(), caller)
		require.True(t, d.Allowed)
		l.GiveBack(t.Context(), caller, &d)
	}
	require.EqualValues(t, 97, d.Remaining)

	endless := key("scale", "k2")
	d = spend(t, l, endless, 1)
	before := d
	before.Counted = d.Counted
	l.GiveBack(t.Context(), endless, &d)
	require.Equal(t, before, d)

	late := spend(t, l, caller, 1)
	clk.Move(14 * time.Hour)
	fresh := spend(t, l, caller, 1)
	require.EqualValues(t, 99, fresh.Remaining)
	l.GiveBack(t.Context(), caller, &late)
	require.EqualValues(t, 98, spend(t, l, caller, 1).Remaining, "yesterday is over")
}

// A heavy request counts as several in every window, at most as many as the burst. If a window has no room for them, it counts in none.
func TestWeigh(t *testing.T) {
	t.Parallel()
	clk := clocktest.At("2026-11-20T10:00:00Z")
	l := newLimiter(t, clk)
	caller := key("starter", "k1")
	d := spend(t, l, caller, 1)
	l.Weigh(t.Context(), caller, &d, 4)
	require.True(t, d.Allowed)
	require.Equal(t, []int64{6, 56, 96}, remaining(d))
	require.Equal(t, []int64{4, 96}, []int64{d.Weight, d.Remaining})
	again := spend(t, l, caller, 1)
	require.Equal(t, []int64{5, 55, 95}, remaining(again))
	l.Weigh(t.Context(), caller, &again, 7)
	require.Equal(t, []any{false, "burst", 5 * time.Second, int64(7)}, []any{again.Allowed, again.Window, again.RetryAfter, again.Weight})
	require.Equal(t, []int64{6, 56, 96}, remaining(again), "it is taken out of all windows")
	l.GiveBack(t.Context(), caller, &d)
	require.Equal(t, []int64{6, 56, 100}, remaining(d), "an unchanged answer takes nothing from the day")

	clk.Move(5 * time.Second)
	d = spend(t, l, caller, 1)
	l.Weigh(t.Context(), caller, &d, 1_000)
	require.True(t, d.Allowed, "no request is too heavy for a caller who sends no other")
	require.Equal(t, []int64{0, 46, 90}, remaining(d))
	for range 4 {
		clk.Move(5 * time.Second)
		d = spend(t, l, caller, 1)
		l.Weigh(t.Context(), caller, &d, 10)
		require.True(t, d.Allowed)
	}
	clk.Move(5 * time.Second)
	d = spend(t, l, caller, 1)
	l.Weigh(t.Context(), caller, &d, 10)
	require.Equal(t, []any{false, "minute"}, []any{d.Allowed, d.Window})
	require.Equal(t, []int64{10, 6, 50}, remaining(d))

	large := key("scale", "k2")
	d = spend(t, l, large, 1)
	l.Weigh(t.Context(), large, &d, 20)
	require.Equal(t, []int64{480, 9_980}, remaining(d))
	page := l.AllowPage(t.Context(), large)
	before := page
	l.Weigh(t.Context(), large, &page, 20)
	require.Equal(t, before, page, "pages have counts of their own")
}

func remaining(d ratelimit.Decision) []int64 {
	var list []int64
	for _, p := range d.Policies {
		list = append(list, p.Remaining)
	}
	return list
}

// A used-up day does not refuse the operations that show the limits; the short windows do. Such requests are not counted in the
// day.
func TestAllowSpent(t *testing.T) {
	t.Parallel()
	clk := clocktest.At("2026-11-20T10:00:00Z")
	l := newLimiter(t, clk)
	caller := key("starter", "k1")
	for i := range 100 {
		if i%10 == 0 {
			clk.Move(time.Minute)
		}
		spend(t, l, caller, 1)
	}
	clk.Move(time.Minute)
	require.Equal(t, "day", l.Allow(t.Context(), caller).Window)
	for i := range 10 {
		d := l.AllowSpent(t.Context(), caller)
		require.True(t, d.Allowed)
		require.Equal(t, []int64{int64(9 - i), int64(59 - i), 0}, remaining(d))
		l.GiveBack(t.Context(), caller, &d)
		require.Zero(t, d.Remaining, "what the day has not counted is not given back")
	}
	d := l.AllowSpent(t.Context(), caller)
	require.False(t, d.Allowed)
	require.Equal(t, "burst", d.Window)
	clk.Move(time.Minute)
	require.Equal(t, "day", l.Allow(t.Context(), caller).Window)

	fresh := key("starter", "k2")
	d = l.AllowSpent(t.Context(), fresh)
	require.EqualValues(t, 99, d.Remaining, "while some are left it takes one as all do")
	l.GiveBack(t.Context(), fresh, &d)
	require.EqualValues(t, 100, d.Remaining, "and gives it back as all do")
	for i := range 99 {
		if i%10 == 0 {
			clk.Move(time.Minute)
		}
		spend(t, l, fresh, 1)
	}
	clk.Move(time.Minute)
	d = l.AllowSpent(t.Context(), fresh)
	require.Zero(t, d.Remaining, "the last of the day")
	l.GiveBack(t.Context(), fresh, &d)
	require.EqualValues(t, 1, d.Remaining)
}

// Both pass, uncounted, while Redis is unavailable.
func TestGiveBackWithoutRedis(t *testing.T) {
	t.Parallel()
	closed := redis.NewClient(&redis.Options{Addr: "127.0.0.1:1", MaxRetries: -1})
	t.Cleanup(func() { _ = closed.Close() })
	l := limit.NewLimiter(limit.Options{Redis: closed, Clock: clocktest.At("2026-11-20T10:00:00Z"), Log: slog.New(slog.DiscardHandler)})
	t.Cleanup(func() { _ = l.Stop(context.WithoutCancel(t.Context())) })
	caller := key("starter", "k1")
	d := l.Allow(t.Context(), caller)
	require.True(t, d.Allowed)
	require.False(t, d.Counted)
	l.GiveBack(t.Context(), caller, &d)
	require.EqualValues(t, 100, d.Remaining)
	require.True(t, l.AllowSpent(t.Context(), caller).Allowed)
}

// Pages are counted apart from the data: neither uses up what the other has, and a flood of them is refused.
func TestAllowPage(t *testing.T) {
	t.Parallel()
	clk := clocktest.At("2026-11-20T10:00:00Z")
	l := newLimiter(t, clk)
	for _, caller := range []*auth.Principal{address("192.0.2.1"), key("starter", "k"), {Kind: auth.Session, UserID: 7}} {
		burst := int64(60)
		if caller.Kind == auth.Session {
			burst = 300
		}
		d := l.Allow(t.Context(), caller)
		data := d.Policies[0].Remaining
		for i := range burst {
			d = l.AllowPage(t.Context(), caller)
			require.True(t, d.Allowed, i)
			require.False(t, d.Limited, "there is no day")
		}
		d = l.AllowPage(t.Context(), caller)
		require.False(t, d.Allowed)
		require.Equal(t, "burst", d.Window)
		require.Equal(t, burst, d.Policies[0].Quota)
		require.Equal(t, 5*burst, d.Policies[1].Quota)
		require.Len(t, d.Policies, 2)
		d = l.Allow(t.Context(), caller)
		require.True(t, d.Allowed)
		require.Equal(t, data-1, d.Policies[0].Remaining)
	}
	stranger := address("192.0.2.9")
	for range 10 {
		spend(t, l, stranger, 10)
		clk.Move(time.Minute)
	}
	require.Equal(t, "day", l.Allow(t.Context(), stranger).Window)
	require.True(t, l.AllowPage(t.Context(), stranger).Allowed)
	require.True(t, l.AllowPage(t.Context(), address("198.51.100.1")).Allowed, "each address has its own")
}

// In a Cluster each subject is on its own node: parallel calls of many keys are counted exactly, also by a primary that has
// not seen the script.
func TestLimitsInACluster(t *testing.T) {
	t.Parallel()
	const keys, calls = 40, 15
	url, nodes := dbtest.RedisCluster(t)
	rdb, err := limit.Open(url)
	require.NoError(t, err)
	t.Cleanup(func() { _ = rdb.Close() })
	l := limit.NewLimiter(limit.Options{Redis: rdb, Clock: clocktest.At("2026-11-20T10:00:00Z"), Log: slog.New(slog.DiscardHandler)})
	var passed atomic.Int64
	ask := func(prefix string) {
		passed.Store(0)
		var wait sync.WaitGroup
		for i := range keys * calls {
			wait.Go(func() {
				if l.Allow(t.Context(), key("starter", prefix+strconv.Itoa(i%keys))).Allowed {
					passed.Add(1)
				}
			})
		}
		wait.Wait()
	}
	ask("a")
	require.EqualValues(t, keys*10, passed.Load(), "the burst of starter")
	require.NoError(t, nodes[1].ScriptFlush(t.Context()).Err())
	ask("b")
	require.EqualValues(t, keys*10, passed.Load())
}

// Counts go on at the replica after its primary is lost.
func TestLimitsAfterAFailover(t *testing.T) {
	t.Parallel()
	url, primary, replica := dbtest.RedisSentinel(t)
	rdb, err := limit.Open(url)
	require.NoError(t, err)
	t.Cleanup(func() { _ = rdb.Close() })
	l := limit.NewLimiter(limit.Options{Redis: rdb, Clock: clocktest.At("2026-11-20T10:00:00Z"), Log: slog.New(slog.DiscardHandler)})
	spend(t, l, key("starter", "k"), 10)
	require.False(t, l.Allow(t.Context(), key("starter", "k")).Allowed)
	require.NoError(t, primary.Set(t.Context(), "written later", 1, 0).Err())
	require.Eventually(t, func() bool { return replica.Exists(t.Context(), "written later").Val() == 1 }, time.Minute, 10*time.Millisecond)
	primary.Kill(t)
	require.Eventually(t, func() bool { return rdb.Ping(t.Context()).Err() == nil }, time.Minute, 50*time.Millisecond)
	require.Eventually(t, func() bool { return !l.Allow(t.Context(), key("starter", "k")).Allowed }, time.Minute, 50*time.Millisecond)
}
