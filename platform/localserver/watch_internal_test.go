package localserver

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/testkit/clocktest"
)

// ending watches a server that ends at once each time it is started, each time after, and returns how often it was started.
func ending(t *testing.T, after time.Duration, enough int) (starts int, failure error) {
	t.Helper()
	clock := clocktest.At("2026-11-20T10:00:00Z")
	ended := func() *server {
		s := &server{name: "PostgreSQL", log: "its log", exited: make(chan struct{}), result: "signal: killed"}
		close(s.exited)
		return s
	}
	s := &Stack{cfg: Config{Clock: clock, Log: slog.New(slog.DiscardHandler)}, failed: make(chan error, 1), pg: ended()}
	ctx, cancel := context.WithCancel(t.Context())
	s.watch(ctx, &s.pg, func(context.Context, Config) (*server, error) {
		if starts++; starts == enough {
			cancel()
		}
		clock.Move(after)
		return ended(), nil
	})
	cancel()
	select {
	case failure = <-s.failed:
	default:
	}
	return starts, failure
}

// A server is started again three times within a minute, and not a fourth time. One that ends less often is always started again.
func TestRestartLimit(t *testing.T) {
	t.Parallel()
	for _, after := range []time.Duration{0, 19 * time.Second} {
		starts, err := ending(t, after, 100)
		require.Equal(t, restartsMax, starts)
		require.EqualError(t, err, "PostgreSQL ended unexpectedly (signal: killed): see its log; it ended 4 times within a minute")
	}
	starts, err := ending(t, 20*time.Second, 100)
	require.NoError(t, err)
	require.Equal(t, 100, starts)
}

// A server that cannot be started is tried three times.
func TestStartIsTriedAgain(t *testing.T) {
	t.Parallel()
	s := &Stack{cfg: Config{Clock: clocktest.At("2026-11-20T10:00:00Z")}, failed: make(chan error, 1), redis: &server{name: "Redis", exited: make(chan struct{})}}
	close(s.redis.exited)
	tries := 0
	s.watch(t.Context(), &s.redis, func(context.Context, Config) (*server, error) {
		tries++
		return nil, errors.New("no memory")
	})
	require.Equal(t, restartsMax, tries)
	require.ErrorContains(t, <-s.failed, "it cannot be started again: no memory")
}
