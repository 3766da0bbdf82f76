package main

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/jobs"
	"gpatlas/platform/testkit/dbtest"
)

// Guarantee: a worker that is killed outright while it makes digests leaves whole batches behind. Runs after it, two at once, make
// what is missing: one digest for each account, and no other.
func TestDigestsOutliveKill(t *testing.T) {
	t.Parallel()
	const accounts = 2000
	db, redis := dbtest.New(t), dbtest.RedisURL(t)
	h := startHouse(t, dbtest.URL(t, db), redis)
	archive := filepath.Join(t.TempDir(), "ADV_Filing_Data_20261101_20261130")
	require.NoError(t, os.Mkdir(archive, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(archive, "IA_ADV_Base_A_20261101_20261130.csv"),
		[]byte("FilingID,DateSubmitted,1A,1E1\n9000001,11/12/2026 03:04:05 PM,Larkspur Test Filing LLC,900001\n"), 0o600))
	ingest, said := gpatlas(t, "ingest", archive)
	ingest.Env = append(ingest.Env, "DATABASE_URL="+dbtest.URL(t, db))
	require.NoError(t, ingest.Run(), said)
	_, err := db.Pool().Exec(t.Context(), `WITH people AS (
		INSERT INTO accounts.users (email, email_key, full_name, password_hash, tier, subscription_plan, api_tier, email_verified_at, created_at, updated_at)
		SELECT e, e, 'Ada Larkspur', '', 'free', 'free', 'starter', now(), now(), now()
		FROM generate_series(1, $1::int) n, LATERAL (SELECT 'digest' || n || '@larkspur.example' AS e) named RETURNING id
	) INSERT INTO accounts.watchlist_items (id, user_id, adviser_crd, canonical_gp_id, alert_enabled, created_at)
		SELECT gen_random_uuid(), id, '900001', 900001, true, '2026-01-01' FROM people`, accounts)
	require.NoError(t, err)
	count := func(statement string) (n int) {
		require.NoError(t, db.Pool().QueryRow(t.Context(), statement).Scan(&n))
		return n
	}
	start := func() {
		require.NoError(t, db.InTx(t.Context(), func(ctx context.Context) error {
			return jobs.NewEnqueuer(db).Enqueue(ctx, jobs.Job{Type: "notifications.daily_digest", Payload: jobs.Bucket{Bucket: jobs.DailyEastern(time.Now())}})
		}))
	}
	const mails, reached = "SELECT count(*) FROM notifications.queue", "SELECT count(*) FROM notifications.digests"
	start()
	require.Eventually(t, func() bool { return count(mails) > 0 }, patience, time.Millisecond, h.out)
	require.NoError(t, h.cmd.Process.Kill())
	_ = h.cmd.Wait()
	require.Eventually(t, func() bool { // its last transaction is over
		return count("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction'") == 0
	}, patience, glance)
	require.Equal(t, count(mails), count(reached), "whole batches")
	require.Less(t, count(mails), accounts, "it was killed too late to see anything")

	again := startHouse(t, dbtest.URL(t, db), redis)
	start()
	start()
	require.Eventually(t, func() bool { return count(reached) == accounts }, patience, glance, again.out)
	require.Equal(t, accounts, count("SELECT count(DISTINCT user_id) FROM notifications.queue"))
	require.Equal(t, accounts, count(mails))
}
