package jobs

import (
	"log/slog"
	"testing"
	"time"

	"github.com/hibiken/asynq"
	"github.com/stretchr/testify/require"

	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/testkit/cutproxy"
	"gpatlas/platform/testkit/dbtest"
)

// A stopped database holds no batch for longer than the relay's patience, and the next one moves the jobs.
func TestRelayLeavesAStoppedDatabase(t *testing.T) {
	t.Parallel()
	direct := dbtest.New(t)
	proxy := cutproxy.New(t, dbtest.URL(t, direct))
	db, err := database.Open(t.Context(), database.Config{URL: proxy.URL()})
	require.NoError(t, err)
	t.Cleanup(db.Close)
	outbox, rdb := &store{db}, dbtest.Redis(t)
	r := &relay{
		db: db, outbox: outbox, redis: rdb, client: asynq.NewClientFromRedisClient(rdb), tasks: asynq.NewInspectorFromRedisClient(rdb), log: slog.New(slog.DiscardHandler),
		metrics: newMetrics(rdb, outbox, clock.System{}), patience: time.Minute,
	}
	_, err = r.batch(t.Context())
	require.NoError(t, err)
	require.NoError(t, NewEnqueuer(direct).Enqueue(t.Context(), Job{Type: "catalog.count_up"}))
	proxy.SetFrozen(true)
	r.patience = 50 * time.Millisecond
	_, err = r.batch(t.Context())
	require.Error(t, err)
	require.True(t, database.Away(err), "%v", err)
	proxy.SetFrozen(false)
	r.patience = time.Minute
	_, err = r.batch(t.Context())
	require.NoError(t, err)
	n, _, err := r.outbox.backlog(t.Context())
	require.NoError(t, err)
	require.Zero(t, n)
}
