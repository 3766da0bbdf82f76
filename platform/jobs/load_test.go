package jobs_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/apperr"
	"gpatlas/platform/jobs"
	"gpatlas/platform/testkit/dbtest"
)

func inspector(t *testing.T, url string) *jobs.Inspector {
	t.Helper()
	i, err := jobs.NewInspector(url)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, i.Close()) })
	return i
}

// Jobs that wait and jobs that failed for good are counted over all queues.
func TestLoad(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.worker(t, jobs.Deps{Handlers: []jobs.Handler{
		{Type: "test.give_up", Run: func(context.Context, []byte) error { return jobs.Never(errors.New("no")) }},
		{Type: "test.give_up_soon", Queue: jobs.Critical, Run: func(context.Context, []byte) error { return errors.New("no") }},
		{Type: "test.later", Queue: jobs.Low, Run: func(context.Context, []byte) error { return nil }},
	}}, jobs.Config{Concurrency: 1})
	for _, kind := range []string{"test.give_up", "test.give_up", "test.give_up_soon"} {
		require.NoError(t, b.in.Enqueue(t.Context(), jobs.Job{Type: kind}))
	}
	require.NoError(t, b.in.Enqueue(t.Context(), jobs.Job{Type: "test.later", RunAt: time.Now().Add(time.Hour)}))
	counts := inspector(t, b.url)
	require.Eventually(t, func() bool {
		waiting, dead, err := counts.Load(t.Context())
		return err == nil && waiting == 1 && dead == 3
	}, soon, often)
}

func TestLoadWithoutRedis(t *testing.T) {
	t.Parallel()
	server := dbtest.RedisServer(t)
	counts := inspector(t, server.RedisURL()+"?max_retries=-1&dial_timeout=200ms")
	require.NoError(t, server.Stop(t.Context()))
	_, _, err := counts.Load(t.Context())
	require.Equal(t, apperr.KindUnavailable, apperr.From(err).Kind)
	_, err = jobs.NewInspector("http://127.0.0.1")
	require.ErrorContains(t, err, "URL of Redis")
}
