package delivery_test

import (
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/notifications/internal/digest"
	"gpatlas/modules/notifications/internal/testkit/deliverytest"
	"gpatlas/modules/notifications/internal/tracking"
	"gpatlas/platform/clock"
	"gpatlas/platform/mail"
	"gpatlas/platform/testkit/dbtest"
	"gpatlas/platform/testkit/mailtest"
)

// BenchmarkProcess sends mails to a server on this machine. Wanted: 200 a second.
func BenchmarkProcess(b *testing.B) {
	for name, options := range map[string]mailtest.Options{"plain": {}, "STARTTLS": {StartTLS: true}} {
		b.Run(name, func(b *testing.B) {
			server := mailtest.NewServer(b, options)
			sender, err := mail.New(server.Config(), clock.System{})
			require.NoError(b, err)
			d := deliverytest.New(b, dbtest.New(b), sender)
			d.Parts.Connections = 8
			fill(b, d, b.N)
			b.ResetTimer()
			done, err := d.Service().Process(b.Context())
			require.NoError(b, err)
			require.EqualValues(b, b.N, done.Sent)
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "mails/s")
		})
	}
}

// BenchmarkDigests sends tracked digests of 30 GPs with five pieces of news each. Wanted: 200 a second.
func BenchmarkDigests(b *testing.B) {
	server := mailtest.NewServer(b, mailtest.Options{})
	sender, err := mail.New(server.Config(), clock.System{})
	require.NoError(b, err)
	d := deliverytest.New(b, dbtest.New(b), sender)
	d.Parts.Connections, d.Parts.Tracker = 8, tracking.NewTracker(d.DB, d.Clock, deliverytest.Base)
	maps.Copy(d.Parts.Renderers, digest.Renderers())
	_, err = d.DB.Pool().Exec(b.Context(), `
		WITH news AS (SELECT jsonb_agg(jsonb_build_object('what', 'ADV/A', 'day', $2::timestamptz)) AS list FROM generate_series(1, 5)),
			gps AS (SELECT jsonb_agg(jsonb_build_object('crd', n::text, 'name', 'Larkspur Partners ' || n, 'news', list)) AS list FROM generate_series(900001, 900030) n, news)
		INSERT INTO notifications.queue (kind, category, user_id, natural_key, data, not_before, created_at, message_id)
		SELECT 'activity_digest', 'activity_digest', n, 'digest:' || n, jsonb_build_object('since', $2::timestamptz, 'filings', 150, 'gps', list), $2, $2, md5('x' || n)
		FROM generate_series(1, $1) n, gps`, b.N, d.Clock.Now())
	require.NoError(b, err)
	b.ResetTimer()
	done, err := d.Service().Process(b.Context())
	require.NoError(b, err)
	require.EqualValues(b, b.N, done.Sent)
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "mails/s")
}

// BenchmarkClaim claims with 100,000 mails waiting. Wanted: 20 ms at p99.
func BenchmarkClaim(b *testing.B) {
	d := deliverytest.New(b, dbtest.New(b), mailtest.NewCapture())
	fill(b, d, 100_000)
	_, err := d.DB.Pool().Exec(b.Context(), "ANALYZE notifications.queue")
	require.NoError(b, err)
	var times []time.Duration
	for b.Loop() {
		start := time.Now()
		list, err := d.Queue.Claim(b.Context(), 10, 20*time.Minute)
		require.NoError(b, err)
		times = append(times, time.Since(start))
		for _, e := range list { // so that there are always as many
			require.NoError(b, d.Queue.PutBack(b.Context(), e, "", 0, true))
		}
	}
	slices.Sort(times)
	b.ReportMetric(float64(times[len(times)*99/100].Microseconds())/1000, "p99-ms")
	b.ReportMetric(float64(times[len(times)/2].Microseconds())/1000, "p50-ms")
}
