package delivery_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/notifications/internal/deliverytest"
	"gpatlas/platform/clock"
	"gpatlas/platform/dbtest"
	"gpatlas/platform/mail"
	"gpatlas/platform/mail/mailtest"
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
