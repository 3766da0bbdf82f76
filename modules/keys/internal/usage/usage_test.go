package usage_test

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/keys/internal/testkit/fixture"
	"gpatlas/modules/keys/internal/usage"
	"gpatlas/platform/auth"
	"gpatlas/platform/database"
	"gpatlas/platform/ratelimit"
	"gpatlas/platform/testkit/clocktest"
	"gpatlas/platform/testkit/dbtest"
	"gpatlas/platform/testkit/httpapitest"
)

var _ ratelimit.Recorder = (*usage.Recorder)(nil)

const (
	keyA = "0190a5b2-7c41-4d6e-9a3f-1c2b3d4e5f60"
	keyB = "0190a5b2-7c41-4d6e-9a3f-1c2b3d4e5f61"
	keyC = "0190a5b2-7c41-4d6e-9a3f-1c2b3d4e5f62" // another account's
)

type bench struct {
	db       *database.DB
	clock    *clocktest.Clock
	recorder *usage.Recorder
	host     *httpapitest.Host
}

// setup has an account 1 with two keys, and an account 2 with one.
func setup(t *testing.T) *bench {
	t.Helper()
	db, clk := dbtest.New(t), clocktest.At("2026-11-20T10:00:30Z")
	for i, id := range []string{keyA, keyB, keyC} {
		fixture.Exec(t, db, `INSERT INTO keys.api_keys (id, user_id, name, tier, mode, hash, last_four, created_at)
			VALUES ($1, $2, 'x', 'starter', 'live', $3, 'xxxx', now())`, id, 1+i/2, []byte(id))
	}
	store := usage.NewStore(db) // as in the module: the recorder learns the names in reports
	recorder := usage.NewRecorder(store, clk, slog.New(slog.DiscardHandler), nil)
	recorder.Learn("search-gps", "GET", "/v1/gps")
	return &bench{db, clk, recorder, httpapitest.New(t, usage.Routes(usage.NewService(store, clk))...)}
}

func newRecorder(db *database.DB, clk *clocktest.Clock) *usage.Recorder {
	return usage.NewRecorder(usage.NewStore(db), clk, slog.New(slog.DiscardHandler), nil)
}

func caller(id string) *auth.Principal {
	user := int64(1)
	if id == keyC {
		user = 2
	}
	return &auth.Principal{Kind: auth.Key, KeyID: id, UserID: user, Mode: "live"}
}

func (b *bench) record(id, operation string, status int, elapsed time.Duration) {
	b.recorder.Record(ratelimit.Usage{Caller: caller(id), Operation: operation, Status: status, At: b.clock.Now(), Elapsed: elapsed})
}

func (b *bench) flush(t *testing.T) {
	t.Helper()
	require.NoError(t, b.recorder.Flush(t.Context()))
}

func (b *bench) number(t *testing.T, sql string, args ...any) (n int64) {
	t.Helper()
	require.NoError(t, b.db.Pool().QueryRow(t.Context(), sql, args...).Scan(&n))
	return n
}

func TestReports(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.clock.Set(clocktest.Instant("2026-11-18T23:59:59.999Z"))
	for range 3 {
		b.record(keyA, "search-gps", 200, 2*time.Millisecond)
	}
	b.flush(t)
	b.clock.Set(clocktest.Instant("2026-11-20T00:00:00Z"))
	b.record(keyA, "search-gps", 200, time.Millisecond)
	b.record(keyA, "get-gp", 404, 5*time.Millisecond)
	b.record(keyA, "get-gp", 304, 3*time.Millisecond)
	b.record(keyB, "get-gp", 500, 7*time.Millisecond)
	b.record(keyC, "get-gp", 200, 9*time.Millisecond)
	b.recorder.Record(ratelimit.Usage{Caller: fixture.Session(1), Operation: "get-gp", Status: 200, At: b.clock.Now()})
	b.recorder.Record(ratelimit.Usage{Caller: &auth.Principal{}, Operation: "get-gp", Status: 200, At: b.clock.Now()})
	b.flush(t)
	b.flush(t) // nothing is written twice
	b.clock.Set(clocktest.Instant("2026-11-20T10:00:00Z"))
	b.host.Run(t, []httpapitest.Scenario{
		{
			Name: "at a glance", Path: "/v1/usage", As: caller(keyA), WantHeader: map[string]string{"ETag": ""},
			WantJSON: `{"data": {"today": {"total": 3, "successful": 2, "failed": 1}, "this_month": {"total": 6, "successful": 5, "failed": 1},
				"all_time": {"total": 6, "successful": 5, "failed": 1}}, "meta": {"key_id": "` + keyA + `", "as_of": "2026-11-20T10:00:00.000000Z"}}`,
		},
		{
			Name: "all keys of the account", Path: "/v1/usage", As: fixture.Session(1),
			Contains: []string{`"today":{"total":4,"successful":2,"failed":2}`, `"key_id":null`},
		},
		{
			Name: "one key of the account", Path: "/v1/usage?key=" + keyB, As: fixture.Session(1),
			Contains: []string{`"today":{"total":1,"successful":0,"failed":1}`, `"key_id":"` + keyB + `"`},
		},
		{Name: "one key by day", Path: "/v1/usage/daily?days=1&key=" + keyB, As: fixture.Session(1), Contains: []string{`"requests":{"total":1,"successful":0,"failed":1}`}},
		{Name: "one key by endpoint", Path: "/v1/usage/endpoints?key=" + keyB, As: fixture.Session(1), Contains: []string{`"request_count":1,`}},
		{Name: "the key of another account", Path: "/v1/usage?key=" + keyC, As: fixture.Session(1), Contains: []string{`"all_time":{"total":0,"successful":0,"failed":0}`}},
		{Name: "a key of itself", Path: "/v1/usage?key=" + keyA, As: caller(keyA), Contains: []string{`"all_time":{"total":6,`}},
		{Name: "a key of another", Path: "/v1/usage?key=" + keyB, As: caller(keyA), Status: 400, Contains: []string{"must be the ID of the API key of the request"}},
		{Name: "another account", Path: "/v1/usage", As: fixture.Session(2), Contains: []string{`"all_time":{"total":1,"successful":1,"failed":0}`}},
		{
			Name: "by day", Path: "/v1/usage/daily?days=3", As: caller(keyA), WantHeader: map[string]string{"ETag": ""},
			WantJSON: `{"data": [
				{"date": "2026-11-18", "requests": {"total": 3, "successful": 3, "failed": 0}, "response_times_ms": {"avg": 2, "min": 2, "max": 2, "p95": 2},
					"top_endpoints": [{"endpoint": "search-gps", "method": "GET", "path": "/v1/gps", "request_count": 3}]},
				{"date": "2026-11-19", "requests": {"total": 0, "successful": 0, "failed": 0},
					"response_times_ms": {"avg": null, "min": null, "max": null, "p95": null}, "top_endpoints": []},
				{"date": "2026-11-20", "requests": {"total": 3, "successful": 2, "failed": 1}, "response_times_ms": {"avg": 3, "min": 1, "max": 5, "p95": 4.966},
					"top_endpoints": [{"endpoint": "get-gp", "method": null, "path": null, "request_count": 2}, {"endpoint": "search-gps", "method": "GET", "path": "/v1/gps", "request_count": 1}]}
			], "meta": {"days": 3, "from": "2026-11-18", "to": "2026-11-20"}}`,
		},
		{Name: "seven days", Path: "/v1/usage/daily", As: caller(keyA), Contains: []string{`"meta":{"days":7,"from":"2026-11-14","to":"2026-11-20"}`}},
		{
			Name: "by endpoint", Path: "/v1/usage/endpoints", As: caller(keyA), WantHeader: map[string]string{"ETag": ""},
			WantJSON: `{"data": [{"endpoint": "search-gps", "method": "GET", "path": "/v1/gps", "request_count": 4, "avg_response_time_ms": 1.75, "success_rate": 100},
				{"endpoint": "get-gp", "method": null, "path": null, "request_count": 2, "avg_response_time_ms": 4, "success_rate": 50}],
				"meta": {"days": 30, "from": "2026-10-22", "to": "2026-11-20"}}`,
		},
		{Name: "today by endpoint", Path: "/v1/usage/endpoints?days=1", As: caller(keyA), Contains: []string{`"search-gps","method":"GET","path":"/v1/gps","request_count":1`}},
		{Name: "nothing yet", Path: "/v1/usage/endpoints", As: &auth.Principal{Kind: auth.Key, KeyID: "11111111-2222-4333-8444-555555555555", UserID: 1}, Contains: []string{`"data":[]`}},
		{Name: "another's key id", Path: "/v1/usage/endpoints", As: &auth.Principal{Kind: auth.Key, KeyID: keyA, UserID: 2}, Contains: []string{`"data":[]`}},
		{Name: "no day", Path: "/v1/usage/daily?days=0", As: caller(keyA), Status: 400, Contains: []string{"from 1 to 90"}},
		{Name: "too many days", Path: "/v1/usage/endpoints?days=91", As: caller(keyA), Status: 400, Contains: []string{"from 1 to 90"}},
		{Name: "anonymous", Path: "/v1/usage", Status: http.StatusUnauthorized},
		{Name: "anonymous by day", Path: "/v1/usage/daily", Status: http.StatusUnauthorized},
		{Name: "anonymous by endpoint", Path: "/v1/usage/endpoints", Status: http.StatusUnauthorized},
	})
}

// Several processes add to the same minutes: nothing is lost and nothing counted twice.
func TestProcessesAddUp(t *testing.T) {
	t.Parallel()
	b := setup(t)
	const processes, each = 4, 500
	var wait sync.WaitGroup
	for range processes {
		recorder := newRecorder(b.db, b.clock)
		wait.Go(func() {
			for i := range each {
				recorder.Record(ratelimit.Usage{
					Caller: caller([]string{keyA, keyB, keyC}[i%3]), Operation: fmt.Sprintf("operation-%d", i%7), Status: 200 + 300*(i%2), At: b.clock.Now(),
					Elapsed: time.Duration(i) * time.Microsecond,
				})
				if i%50 == 0 {
					if err := recorder.Flush(t.Context()); err != nil {
						t.Error(err)
					}
				}
			}
			if err := recorder.Stop(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	for _, table := range []string{"minutes", "days"} {
		require.EqualValues(t, processes*each, b.number(t, "SELECT sum(requests) FROM keys.usage_"+table), table)
		require.EqualValues(t, processes*each/2, b.number(t, "SELECT sum(failed) FROM keys.usage_"+table), table)
		require.EqualValues(t, processes*each*(each-1)/2, b.number(t, "SELECT sum(total_us) FROM keys.usage_"+table), table)
		require.EqualValues(t, processes*each, b.number(t, "SELECT sum(n) FROM keys.usage_"+table+", unnest(histogram) n"), table)
		require.EqualValues(t, 21, b.number(t, "SELECT count(*) FROM keys.usage_"+table), table)
		require.EqualValues(t, each-1, b.number(t, "SELECT max(max_us) FROM keys.usage_"+table), table)
		require.Zero(t, b.number(t, "SELECT min(min_us) FROM keys.usage_"+table), table)
	}
}

// The 95th percentile of a day is near the true one, whatever the durations.
func TestPercentileIsNear(t *testing.T) {
	t.Parallel()
	b := setup(t)
	random := rand.New(rand.NewPCG(1, 2))
	var all []float64
	for i := range 5000 {
		us := int64(200 * (1 + random.ExpFloat64()*float64(1+i%5)))
		all = append(all, float64(us)/1000)
		b.record(keyA, "search-gps", 200, time.Duration(us)*time.Microsecond)
	}
	b.flush(t)
	slices.Sort(all)
	list, _, err := usage.NewService(usage.NewStore(b.db), b.clock).Daily(t.Context(), caller(keyA), 1)
	require.NoError(t, err)
	require.InEpsilon(t, all[len(all)*95/100], *list[0].Times.P95, 0.06)
	require.InDelta(t, all[0], *list[0].Times.Min, 0.001)
	require.InDelta(t, all[len(all)-1], *list[0].Times.Max, 0.001)
}

// Months are made ahead, rows that were there before their month are moved into it, and what finds no month is kept.
func TestPartitions(t *testing.T) {
	t.Parallel()
	b := setup(t)
	fixture.Exec(t, b.db, "INSERT INTO keys.usage_minutes VALUES ($1, 'early', '2026-12-31 23:59:00Z', 1, 0, 5, 5, 5, '{1}')", keyA)
	fixture.Exec(t, b.db, "INSERT INTO keys.usage_minutes VALUES ($1, 'late', '2027-01-01 00:00:00Z', 1, 0, 5, 5, 5, '{1}')", keyA)
	b.recorder.Start(t.Context())
	b.recorder.Start(t.Context()) // does nothing
	partitions := func() (names string) {
		require.NoError(t, b.db.Pool().QueryRow(t.Context(), `SELECT string_agg(c.relname, ' ' ORDER BY c.relname)
			FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid JOIN pg_class p ON p.oid = i.inhparent WHERE p.relkind = 'p' AND p.relnamespace = 'keys'::regnamespace`).Scan(&names))
		return names
	}
	const ahead = "usage_days_2026_11 usage_days_2026_12 usage_days_rest usage_minutes_2026_11 usage_minutes_2026_12 usage_minutes_rest"
	require.Eventually(t, func() bool { return partitions() == ahead }, time.Minute, 10*time.Millisecond)
	require.EqualValues(t, 1, b.number(t, "SELECT count(*) FROM ONLY keys.usage_minutes_2026_12"))
	require.EqualValues(t, 1, b.number(t, "SELECT count(*) FROM ONLY keys.usage_minutes_rest"))

	b.clock.Set(clocktest.Instant("2026-11-30T23:59:59Z"))
	b.record(keyA, "search-gps", 200, time.Millisecond)
	b.clock.Set(clocktest.Instant("2026-12-01T00:00:00Z"))
	b.record(keyA, "search-gps", 200, time.Millisecond)
	b.clock.Set(clocktest.Instant("2027-02-01T00:00:00Z"))
	b.record(keyA, "search-gps", 200, time.Millisecond)
	require.NoError(t, b.recorder.Stop(t.Context()), "a stop writes what is left")
	require.Contains(t, partitions(), "usage_minutes_2027_02")
	for table, rows := range map[string]int64{"minutes_2026_11": 1, "minutes_2026_12": 2, "minutes_2027_02": 1, "days_2026_11": 1, "days_2026_12": 1, "days_2027_02": 1} {
		require.Equal(t, rows, b.number(t, "SELECT count(*) FROM ONLY keys.usage_"+table), table)
	}
	var wait sync.WaitGroup
	for range 4 { // processes that begin together
		wait.Go(func() {
			r := newRecorder(b.db, b.clock)
			r.Record(ratelimit.Usage{Caller: caller(keyB), Operation: "x", Status: 200, At: time.Date(2027, 5, 1, 0, 0, 0, 0, time.UTC)})
			if err := r.Stop(context.WithoutCancel(t.Context())); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	require.EqualValues(t, 4, b.number(t, "SELECT requests FROM ONLY keys.usage_minutes_2027_05"))
}

// Usage counts wait in memory while the database is unavailable; those that could not be written are written later, once.
func TestWithoutDatabase(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.record(keyA, "search-gps", 200, time.Millisecond)
	fixture.Exec(t, b.db, "ALTER TABLE keys.usage_days RENAME TO hidden")
	require.Error(t, b.recorder.Flush(t.Context()))
	require.Zero(t, b.number(t, "SELECT count(*) FROM keys.usage_minutes"), "all or nothing")
	b.record(keyA, "search-gps", 500, 3*time.Millisecond)
	require.Error(t, b.recorder.Flush(t.Context()))
	fixture.Exec(t, b.db, "ALTER TABLE keys.hidden RENAME TO usage_days")
	b.flush(t)
	require.EqualValues(t, 2, b.number(t, "SELECT requests FROM keys.usage_minutes WHERE min_us = 1000 AND max_us = 3000 AND failed = 1"))
	require.EqualValues(t, 2, b.number(t, "SELECT requests FROM keys.usage_days"))
	b.db.Close()
	b.host.Do(t, httpapitest.Scenario{Path: "/v1/usage/daily", As: caller(keyA), Status: 503})
	b.record(keyA, "search-gps", 200, time.Millisecond)
	require.Error(t, b.recorder.Stop(t.Context()))
}

// The last use of a key is written once a minute at most.
func TestLastUse(t *testing.T) {
	t.Parallel()
	b := setup(t)
	last := func() string {
		var at *time.Time
		require.NoError(t, b.db.Pool().QueryRow(t.Context(), "SELECT last_used_at FROM keys.api_keys WHERE id = $1", keyA).Scan(&at))
		if at == nil {
			return ""
		}
		return at.UTC().Format(time.TimeOnly)
	}
	use := func(at, want string) {
		b.clock.Set(clocktest.Instant("2026-11-20T" + at + "Z"))
		b.record(keyA, "search-gps", 200, time.Millisecond)
		b.flush(t)
		require.Equal(t, want, last(), at)
	}
	require.Empty(t, last())
	use("10:00:00", "10:00:00")
	use("10:00:05", "10:00:00")
	use("10:00:59", "10:00:00")
	use("10:01:00", "10:01:00")
	use("10:05:00", "10:05:00")
	other := newRecorder(b.db, b.clock) // another process
	other.Record(ratelimit.Usage{Caller: caller(keyA), Operation: "x", Status: 200, At: b.clock.Now().Add(30 * time.Second)})
	require.NoError(t, other.Stop(t.Context()))
	require.Equal(t, "10:05:00", last())
	var none *time.Time
	require.NoError(t, b.db.Pool().QueryRow(t.Context(), "SELECT last_used_at FROM keys.api_keys WHERE id = $1", keyB).Scan(&none))
	require.Nil(t, none)
}

func TestExport(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.record(keyA, "search-gps", 200, time.Millisecond)
	b.record(keyB, "get-gp", 500, time.Millisecond)
	b.record(keyC, "get-gp", 200, time.Millisecond)
	b.flush(t)
	part, err := usage.NewService(usage.NewStore(b.db), b.clock).Part().Exporters[0].For(t.Context(), 1)
	require.NoError(t, err)
	require.Equal(t, []usage.Exported{
		{KeyID: keyA, Date: "2026-11-20", Endpoint: "search-gps", Requests: 1}, {KeyID: keyB, Date: "2026-11-20", Endpoint: "get-gp", Requests: 1, Failed: 1},
	}, part)
}

// What has waited for long is written in portions, all of it.
func TestALotIsWritten(t *testing.T) {
	t.Parallel()
	b := setup(t)
	const minutes = 12_000
	for i := range minutes {
		b.recorder.Record(ratelimit.Usage{Caller: caller(keyA), Operation: "search-gps", Status: 200, At: b.clock.Now().Add(-time.Duration(i) * time.Minute)})
	}
	b.flush(t)
	require.EqualValues(t, minutes, b.number(t, "SELECT count(*) FROM keys.usage_minutes"))
	require.EqualValues(t, minutes, b.number(t, "SELECT sum(requests) FROM keys.usage_days"))
}

// The documentation matches the code.
func TestOperationsNameTheirDays(t *testing.T) {
	t.Parallel()
	for _, r := range usage.Routes(nil) {
		require.Contains(t, r.Operation.Description, "10 seconds late", r.Operation.OperationID)
		require.True(t, strings.HasPrefix(r.Operation.Path, "/v1/usage"))
		require.True(t, r.Volatile)
	}
}

func BenchmarkRecord(b *testing.B) {
	clk := clocktest.At("2026-11-20T10:00:00Z")
	r := newRecorder(nil, clk)
	u := ratelimit.Usage{Caller: caller(keyA), Operation: "search-gps", Status: 200, At: clk.Now(), Elapsed: 300 * time.Microsecond}
	b.Run("alone", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			r.Record(u)
		}
	})
	b.Run("parallel", func(b *testing.B) {
		b.ReportAllocs()
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				r.Record(u)
			}
		})
	})
}
