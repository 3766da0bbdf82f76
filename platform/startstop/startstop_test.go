package startstop_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/startstop"
)

type key struct{}

func TestStartStop(t *testing.T) {
	t.Parallel()
	var starts int
	began, ended := make(chan any, 1), false
	w := startstop.New("the work", func(ctx context.Context) {
		starts++
		began <- ctx.Value(key{})
		<-ctx.Done()
		ended = true
	})
	ctx, cancel := context.WithCancel(context.WithValue(t.Context(), key{}, "kept"))
	w.Start(ctx)
	w.Start(ctx)
	cancel()
	require.Equal(t, "kept", <-began)
	require.NoError(t, w.Stop(t.Context()))
	require.True(t, ended, "the work ends with Stop, not with the context of Start")
	require.NoError(t, w.Stop(t.Context()))
	w.Start(t.Context())
	require.Equal(t, 1, starts)
}

func TestStopBeforeStart(t *testing.T) {
	t.Parallel()
	w := startstop.New("the work", func(context.Context) { panic("it was stopped before") })
	require.NoError(t, w.Stop(t.Context()))
	w.Start(t.Context())
	require.NoError(t, w.Stop(t.Context()))
}

func TestStopGivesUp(t *testing.T) {
	t.Parallel()
	free := make(chan struct{})
	w := startstop.New("the work", func(context.Context) { <-free })
	w.Start(t.Context())
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := w.Stop(ctx)
	require.ErrorIs(t, err, context.Canceled)
	require.ErrorContains(t, err, "stop the work")
	close(free)
	require.NoError(t, w.Stop(t.Context()))
}

func TestWorkThatEndsByItself(t *testing.T) {
	t.Parallel()
	w := startstop.New("the work", func(context.Context) {})
	w.Start(t.Context())
	require.NoError(t, w.Stop(t.Context()))
}
