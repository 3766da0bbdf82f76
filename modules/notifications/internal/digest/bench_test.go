package digest_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// BenchmarkRun makes the digests of 1,000 accounts that watch 40 of 300 GPs each. All GPs have news.
func BenchmarkRun(b *testing.B) {
	k := newBench(b)
	const accounts, watched, gps = 1000, 40, 300
	var filings []string
	for i := range gps {
		for day := range 8 {
			filings = append(filings, fmt.Sprintf("%d 2026-11-%02d+", 900100+i, 1+day))
		}
	}
	k.clock.Set(instant("2026-11-18 12:00"))
	k.load(filings...)
	for i := range accounts {
		id := k.account(fmt.Sprintf("Ada%d", i))
		k.exec(`INSERT INTO accounts.watchlist_items (id, user_id, adviser_crd, canonical_gp_id, alert_enabled, created_at)
			SELECT gen_random_uuid(), $1, crd::text, crd, true, '2026-01-01' FROM generate_series(1, $2::int) n, LATERAL (SELECT 900100 + ($3::int * 7 + n * 7) % 300 AS crd) g`,
			id, watched, i)
	}
	k.exec("ANALYZE")
	for b.Loop() {
		k.exec("TRUNCATE notifications.digests, notifications.queue")
		mails, err := k.service.Run(b.Context(), "2026-11-19")
		require.NoError(b, err)
		require.Equal(b, accounts, mails)
	}
	b.ReportMetric(float64(accounts*b.N)/b.Elapsed().Seconds(), "digests/s")
}
