package jobs_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
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

// What failed for good is listed over all queues, newest first, can be run again, and be forgotten.
func TestDeadLetters(t *testing.T) {
	t.Parallel()
	b := setup(t)
	letters := inspector(t, b.url)
	list, total, err := letters.DeadLetters(10)
	require.NoError(t, err, "before anything was enqueued")
	require.Empty(t, list)
	require.Zero(t, total)

	var heal atomic.Bool
	var healed atomic.Int64
	run := func(context.Context, []byte) error {
		if heal.Load() {
			healed.Add(1)
			return nil
		}
		return errors.New("send:\n  dial smtp://relay:hunter2secret@mail.example:25?token=abcdef123 failed " + strings.Repeat("é", 400))
	}
	never := func(context.Context, []byte) error { return jobs.Never(errors.New("a payload of nonsense")) }
	b.worker(t, jobs.Deps{Handlers: []jobs.Handler{
		{Type: "test.send_mail", Queue: jobs.Critical, Run: run},
		{Type: "test.give_up", Queue: jobs.Low, Retries: 5, Run: never},
		{Type: "test.wait_long", Run: run},
	}}, jobs.Config{})
	later := jobs.Job{Type: "test.wait_long", TaskID: "later", RunAt: time.Now().Add(time.Hour)}
	require.NoError(t, b.in.Enqueue(t.Context(), later))
	for i, id := range []string{"first", "second", "third"} {
		require.NoError(t, b.in.Enqueue(t.Context(), jobs.Job{Type: "test.send_mail", TaskID: id, Payload: number{i}}))
	}
	require.NoError(t, b.in.Enqueue(t.Context(), jobs.Job{Type: "test.give_up", TaskID: "hopeless"}))
	require.Eventually(t, func() bool {
		list, total, err = letters.DeadLetters(10)
		return err == nil && total == 4
	}, soon, often)
	require.Len(t, list, 4)
	byID := map[string]jobs.DeadLetter{}
	for i, d := range list {
		byID[d.ID] = d
		require.False(t, i > 0 && d.FailedAt.After(list[i-1].FailedAt), "newest first")
		require.WithinDuration(t, time.Now(), d.FailedAt, time.Minute)
		require.Equal(t, time.UTC, d.FailedAt.Location())
	}
	hopeless := byID["hopeless"]
	require.Equal(t, jobs.Low, hopeless.Queue)
	require.Equal(t, "test.give_up", hopeless.Type)
	require.Equal(t, 1, hopeless.Runs)
	require.Contains(t, hopeless.Error, "a payload of nonsense")
	second := byID["second"]
	require.Equal(t, jobs.Critical, second.Queue)
	require.JSONEq(t, `{"n": 1}`, second.Payload)
	require.Contains(t, second.Error, "send: dial smtp://relay:[redacted]@mail.example:25?token=[redacted] failed éé")
	require.NotContains(t, second.Error, "hunter2secret")
	require.LessOrEqual(t, len(second.Error), 503)

	few, total, err := letters.DeadLetters(2)
	require.NoError(t, err)
	require.Equal(t, list[:2], few)
	require.Equal(t, 4, total)

	heal.Store(true)
	require.NoError(t, letters.RunAgain(jobs.Critical, "second"))
	require.Eventually(t, func() bool { return healed.Load() == 1 }, soon, often)
	require.NoError(t, letters.Delete(jobs.Critical, "third"))
	for name, err := range map[string]error{
		"run again, but done":          letters.RunAgain(jobs.Critical, "second"),
		"delete, but gone":             letters.Delete(jobs.Critical, "third"),
		"of another queue":             letters.Delete(jobs.Low, "first"),
		"one that only waits":          letters.Delete(jobs.Default, "later"),
		"one that only waits, run now": letters.RunAgain(jobs.Default, "later"),
		"of no queue":                  letters.RunAgain(jobs.Queue(9), "first"),
	} {
		require.Error(t, err, name)
		require.Equal(t, apperr.KindNotFound, apperr.From(err).Kind, name)
	}
	_, total, err = letters.DeadLetters(10)
	require.NoError(t, err)
	require.Equal(t, 2, total)
	require.EqualValues(t, 1, healed.Load(), "what waits was not run")
}

// The latest are found wherever they lie in asynq's pages, which begin with the oldest.
func TestDeadLettersArePagedFromTheEnd(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.worker(t, jobs.Deps{Handlers: []jobs.Handler{
		{Type: "test.give_up", Run: func(context.Context, []byte) error { return errors.New("no") }},
	}}, jobs.Config{Concurrency: 1})
	const count = 7
	for i := range count {
		require.NoError(t, b.in.Enqueue(t.Context(), jobs.Job{Type: "test.give_up", Payload: number{i}}))
	}
	letters := inspector(t, b.url)
	require.Eventually(t, func() bool {
		_, total, err := letters.DeadLetters(1)
		return err == nil && total == count
	}, soon, often)
	for limit := range count + 3 {
		list, total, err := letters.DeadLetters(limit)
		require.NoError(t, err)
		require.Len(t, list, min(limit, count), limit)
		require.Equal(t, count, total)
		seen := map[string]bool{}
		for _, d := range list {
			seen[d.ID] = true
		}
		require.Len(t, seen, len(list), "none twice")
	}
}

func TestDeadLettersWithoutRedis(t *testing.T) {
	t.Parallel()
	server := dbtest.RedisServer(t)
	letters := inspector(t, server.RedisURL()+"?max_retries=-1&dial_timeout=200ms")
	require.NoError(t, server.Stop(t.Context()))
	_, _, err := letters.DeadLetters(10)
	require.Equal(t, apperr.KindUnavailable, apperr.From(err).Kind)
	require.Equal(t, apperr.KindUnavailable, apperr.From(letters.Delete(jobs.Low, "x")).Kind)
	_, err = jobs.NewInspector("http://127.0.0.1")
	require.ErrorContains(t, err, "URL of Redis")
}
