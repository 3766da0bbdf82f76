package changes_test

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/changes"
	"gpatlas/platform/database"
	"gpatlas/platform/testkit/dbtest"
)

func listening(b *testing.B, db *database.DB) *changes.Hub {
	b.Helper()
	hub := changes.NewHub(db, slog.New(slog.DiscardHandler))
	hub.Start(b.Context())
	b.Cleanup(func() { require.NoError(b, hub.Stop(context.WithoutCancel(b.Context()))) })
	require.Eventually(b, func() bool { _, ok := hub.Head(); return ok }, 10*time.Second, time.Millisecond)
	return hub
}

func write(b *testing.B, db *database.DB, query string) {
	b.Helper()
	require.NoError(b, db.InTx(b.Context(), func(ctx context.Context) error {
		_, err := changes.AppendQuery(ctx, db, query, nil)
		return err
	}))
}

const rowsSQL = `SELECT 'k' || n % 12 AS kind, (n % 17000)::text AS crd, '805-' || n AS subject, '' AS accession, NULL::date AS day, 0::bigint AS arrival,
	'{"gp_name": "Harbor Ridge Capital Partners LLC", "reason": "filing", "changed": [{"field": "total_aum", "before": 2300000000, "after": 2500000000}]}'::jsonb AS said
FROM generate_series(1, `

// report gives the median and the 99th percentile of some times.
func report(b *testing.B, times []time.Duration) {
	b.Helper()
	slices.Sort(times)
	b.ReportMetric(float64(times[len(times)/2].Microseconds())/1000, "ms-p50")
	b.ReportMetric(float64(times[len(times)*99/100].Microseconds())/1000, "ms-p99")
}

// BenchmarkWaiters is the time from a commit until the last of 1,000 readers that wait has the event; the target is 200 ms.
func BenchmarkWaiters(b *testing.B) {
	db := dbtest.New(b)
	hub := listening(b, db)
	const waiters = 1000
	var times []time.Duration
	for b.Loop() {
		head, err := changes.HeadOf(b.Context(), db)
		require.NoError(b, err)
		got := make(chan int, waiters)
		for range waiters {
			go func() {
				p, _ := hub.Wait(b.Context(), head.At(head.Newest), 10, changes.Filter{Kinds: []string{"k1"}})
				got <- len(p.Events)
			}()
		}
		write(b, db, rowsSQL+"1) n")
		begun := time.Now()
		for range waiters {
			require.Equal(b, 1, <-got)
		}
		times = append(times, time.Since(begun))
	}
	report(b, times)
}

// BenchmarkPages reads 100 events of a log of five million: from the ring of a process, and from the table, of all kinds and of one. The target from the
// table is a 99th percentile of 3 ms.
func BenchmarkPages(b *testing.B) {
	db := dbtest.New(b)
	const size = 5_020_000
	for range 50 { // within the time limit of a statement
		write(b, db, rowsSQL+"100000) n")
	}
	_, err := database.Run(database.WithoutLimit(b.Context()), db, "analyze", "ANALYZE platform.changes", nil)
	require.NoError(b, err)
	hub := listening(b, db)
	write(b, db, rowsSQL+"20000) n")
	require.Eventually(b, func() bool { return hub.End() == size }, 5*time.Minute, time.Millisecond)
	for _, c := range []struct {
		name   string
		lowest int64
		filter changes.Filter
	}{
		{"ring", hub.Begin(), changes.Filter{}},
		{"table", 0, changes.Filter{}},
		{"table, a kind", 0, changes.Filter{Kinds: []string{"k3"}}},
		{"table, 20 GPs", 0, changes.Filter{CRDs: []string{"1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16", "17", "18", "19", "20"}}},
	} {
		b.Run(c.name, func(b *testing.B) {
			var times []time.Duration
			for b.Loop() {
				begun := time.Now()
				_, err := hub.After(b.Context(), c.lowest+rand.Int64N(size-200-c.lowest), 100, c.filter)
				require.NoError(b, err)
				times = append(times, time.Since(begun))
			}
			report(b, times)
		})
	}
}
