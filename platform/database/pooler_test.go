package database_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/database"
	"gpatlas/platform/testkit/dbtest"
)

// A URL that leads to a pooler is refused at the start, unless DATABASE_DIRECT_URL is set, and statements have a time limit.
func TestPoolerIsRefused(t *testing.T) {
	t.Parallel()
	direct := dbtest.URL(t, dbtest.New(t))
	pooled := dbtest.PgBouncer(t, direct)
	_, err := database.Open(t.Context(), database.Config{URL: pooled})
	require.ErrorContains(t, err, "unsupported startup parameter: statement_timeout")
	require.ErrorContains(t, err, "set DATABASE_DIRECT_URL to the URL of PostgreSQL itself")

	silent := dbtest.PgBouncer(t, direct, "ignore_startup_parameters = statement_timeout")
	_, err = database.Open(t.Context(), database.Config{URL: silent})
	require.EqualError(t, err, "DATABASE_URL leads to a pooler: set DATABASE_DIRECT_URL to the URL of PostgreSQL itself, for notices, workers and commands")
	_, err = database.Open(t.Context(), database.Config{URL: pooled, DirectURL: silent})
	require.ErrorContains(t, err, "DATABASE_DIRECT_URL: DATABASE_URL leads to a pooler", "the direct URL must not lead to one")
	_, err = database.Open(t.Context(), database.Config{URL: pooled, DirectURL: direct})
	require.ErrorContains(t, err, "have no time limit: ALTER ROLE")
	require.ErrorContains(t, err, "SET statement_timeout = '30s'")
	_, err = database.Open(t.Context(), database.Config{URL: direct, DirectURL: "postgres://a:secret@h:port/x"})
	require.EqualError(t, err, "DATABASE_DIRECT_URL: must look like DATABASE_URL")
}

// Many callers share the pooler's two sessions: none meets another's prepared statements, and notices arrive.
func TestPooler(t *testing.T) {
	t.Parallel()
	t.Run("statements described", func(t *testing.T) {
		t.Parallel()
		callThroughPooler(t, "")
	})
	t.Run("statements prepared", func(t *testing.T) {
		t.Parallel()
		if !dbtest.PgBouncerKeepsStatements(t) {
			t.Skip("NOT TESTED: this machine's PgBouncer is older than 1.21 and keeps no prepared statements")
		}
		callThroughPooler(t, "&default_query_exec_mode=cache_statement", "max_prepared_statements = 20")
	})
}

func callThroughPooler(t *testing.T, parameter string, settings ...string) {
	t.Helper()
	owner := dbtest.New(t)
	direct := dbtest.URL(t, owner)
	_, err := owner.Pool().Exec(t.Context(), `CREATE TABLE public.jobs (id bigint PRIMARY KEY, payload jsonb NOT NULL);
		DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET statement_timeout = 30000', current_database()); END $$`)
	require.NoError(t, err)
	cfg := database.Config{URL: dbtest.PgBouncer(t, direct, settings...) + parameter, DirectURL: direct, MaxConns: 8}
	require.Equal(t, database.Config{URL: direct, MaxConns: 8}, cfg.Direct(), "for workers and commands")
	db, err := database.Open(t.Context(), cfg)
	require.NoError(t, err)
	defer db.Close()

	ctx, stop := context.WithCancel(t.Context())
	listening, heard, ended := make(chan struct{}), make(chan string, 200), make(chan struct{})
	go func() {
		defer close(ended)
		db.Follow(ctx, database.Follower{
			Listening: func() { close(listening) }, Heard: func(n database.Notice) { heard <- n.Payload }, Lost: func(error) {},
		}, "added")
	}()
	<-listening
	var callers sync.WaitGroup
	failures := make(chan error, 200)
	for caller := range 8 {
		callers.Go(func() {
			for i := range 25 {
				id := 25*caller + i
				failures <- db.InTx(ctx, func(ctx context.Context) error {
					payload, _ := json.Marshal(map[string]int{"id": id})
					statement := fmt.Sprintf("INSERT INTO public.jobs (id, payload) VALUES (@id, @payload) RETURNING id + %d", i) // many different ones
					if _, err := database.Values[int64](ctx, db, "add", statement, database.Args{"id": id, "payload": payload}); err != nil {
						return err
					}
					return db.From(ctx).Exec("SELECT pg_notify('added', ?)", strconv.Itoa(id)).Error
				})
			}
		})
	}
	callers.Wait()
	for range 200 {
		require.NoError(t, <-failures)
		select {
		case <-heard:
		case <-time.After(10 * time.Second):
			require.Fail(t, "a notice is missing")
		}
	}
	stop()
	<-ended
	count, err := database.Values[int](t.Context(), db, "count", "SELECT count(*) FROM public.jobs WHERE (payload->>'id')::bigint = id", nil)
	require.NoError(t, err)
	require.Equal(t, []int{200}, count)
	left, err := database.Values[int](t.Context(), db, "count", "SELECT count(*) FROM pg_listening_channels()", nil)
	require.NoError(t, err)
	require.Equal(t, []int{0}, left)
}
