package sending_test

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/database"
)

// BenchmarkDeliveries sends 200 events to each of 40 endpoints, whose receiver is on this machine and answers at once. The target is 500 a second.
func BenchmarkDeliveries(b *testing.B) {
	k := newBench(b)
	receiver := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	b.Cleanup(receiver.Close)
	const endpoints, events = 40, 200
	for range endpoints {
		k.endpoint(b, k.ada, receiver.URL)
	}
	sent := 0
	var took time.Duration
	for b.Loop() {
		k.add(b, several(events)...)
		began := time.Now()
		k.all(b)
		took += time.Since(began)
		sent += endpoints * events
	}
	done, err := database.Values[int](b.Context(), k.db, "count", "SELECT count(*) FROM feed.messages WHERE state = 'done'", nil)
	require.NoError(b, err)
	require.Equal(b, []int{sent}, done)
	b.ReportMetric(float64(sent)/took.Seconds(), "deliveries/s")
}

// BenchmarkIdleEndpoints looks for work where 10,000 endpoints have none: what a dispatcher asks the database every second. The target is 10 ms.
func BenchmarkIdleEndpoints(b *testing.B) {
	k := newBench(b)
	k.add(b, several(1)...)
	for _, statement := range []string{
		`INSERT INTO accounts.users (email, email_key, password_hash, full_name, tier, subscription_plan, api_tier, created_at, updated_at, email_verified_at)
			SELECT e, e, 'x', 'Ada Larkspur', 'free_trial', 'free', 'starter', now(), now(), now() FROM generate_series(1, 1000) n, LATERAL (SELECT n || '@larkspur.example' AS e) x`,
		`INSERT INTO feed.endpoints (id, user_id, url, kinds, scope, crds, mode, header_names, state, position, created_at, updated_at)
			SELECT gen_random_uuid(), u.id, 'https://hooks.example.com/' || n, '{}', 'all', '{}', 'each', '{}', 'active', (SELECT max(seq) FROM platform.changes), now(), now()
			FROM accounts.users u CROSS JOIN generate_series(1, 10) n`,
		`ANALYZE feed.endpoints`,
	} {
		_, err := database.Run(b.Context(), k.db, "prepare", statement, nil)
		require.NoError(b, err)
	}
	var times []time.Duration
	for b.Loop() {
		began := time.Now()
		more, err := k.Dispatch(b.Context())
		require.NoError(b, err)
		require.False(b, more)
		require.NoError(b, k.SendDue(b.Context()))
		times = append(times, time.Since(began))
	}
	slices.Sort(times)
	b.ReportMetric(float64(times[len(times)/2].Microseconds())/1000, "ms-p50")
	b.ReportMetric(float64(times[len(times)*99/100].Microseconds())/1000, "ms-p99")
}
