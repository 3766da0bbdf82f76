package ledger_test

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/billing/internal/ledger"
	"gpatlas/platform/database"
	"gpatlas/platform/localserver"
	"gpatlas/platform/testkit/clocktest"
)

// BenchmarkCharge measures a fee and a bare insert of the same row in turn, each committed to the disk: the test server does not
// wait for the disk, so the benchmark starts one that does.
func BenchmarkCharge(b *testing.B) {
	dir, err := os.MkdirTemp("", "gpc")
	require.NoError(b, err)
	require.NoError(b, os.Chmod(dir, 0o755)) // the server's user passes through
	defer func() { require.NoError(b, os.RemoveAll(dir)) }()
	stack, err := localserver.Start(b.Context(), localserver.Config{Dir: filepath.Join(dir, "data"), NoRedis: true})
	require.NoError(b, err)
	defer func() { require.NoError(b, stack.Stop(context.WithoutCancel(b.Context()))) }()
	require.NoError(b, database.MigrateUp(b.Context(), stack.DatabaseURL()))
	db, err := database.Open(b.Context(), database.Config{URL: stack.DatabaseURL(), MaxConns: 2})
	require.NoError(b, err)
	defer db.Close()
	const insert = `INSERT INTO billing.charges
		(period, at, user_id, key_id, operation, subject, crd, quantity, unit_micros, amount_micros, mode, request_id)
		VALUES ('2026-11-01', now(), 2, $1, 'get-gp-regulatory', '900001', '900001', 1, 500000, 500000, 'live', 'req-1')`
	m := ledger.NewMeter(db, clocktest.At(start), slog.New(slog.DiscardHandler), ledger.Rules{}, ledger.Hooks{})
	ctx := as(b.Context(), 1, "live")
	_, err = m.Charge(ctx, fee()) // the account's row
	require.NoError(b, err)
	var inserts, charges []time.Duration
	for b.Loop() {
		began := time.Now()
		_, err := db.Pool().Exec(ctx, insert, keyID)
		inserts = append(inserts, time.Since(began))
		require.NoError(b, err)
		began = time.Now()
		_, err = m.Charge(ctx, fee())
		charges = append(charges, time.Since(began))
		require.NoError(b, err)
	}
	slices.Sort(inserts)
	slices.Sort(charges)
	p50 := func(list []time.Duration) float64 { return float64(list[len(list)/2].Nanoseconds()) / 1e6 }
	b.ReportMetric(p50(inserts), "p50-insert-ms")
	b.ReportMetric(p50(charges), "p50-charge-ms")
	b.ReportMetric(p50(charges)/p50(inserts), "x-insert")
}
