package index_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/internal/index"
	"gpatlas/platform/apperr"
	"gpatlas/platform/clock"
)

var quick = index.RefreshConfig{
	Debounce: 10 * time.Millisecond, Tick: time.Minute, MinBackoff: 5 * time.Millisecond, MaxBackoff: 50 * time.Millisecond,
}

// script is a Catalog that reports the publications sent to it.
type script struct {
	newest chan int64
	lost   chan error
	load   func(ctx context.Context) (*index.Snapshot, error)
	loads  atomic.Int64
}

func newScript() *script {
	s := &script{newest: make(chan int64, 8), lost: make(chan error)}
	s.load = func(context.Context) (*index.Snapshot, error) {
		return index.Build(nil, nil, index.Freshness{Publication: s.loads.Load()}), nil
	}
	return s
}

func (s *script) Load(ctx context.Context) (*index.Snapshot, error) {
	s.loads.Add(1)
	return s.load(ctx)
}

func (s *script) Watch(ctx context.Context, _, _ time.Duration, changed func(int64) error) error {
	for {
		select {
		case n := <-s.newest:
			if err := changed(n); err != nil {
				return err
			}
		case err := <-s.lost:
			return err
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func silent() *slog.Logger { return slog.New(slog.DiscardHandler) }

func eventually(t *testing.T, what string, condition func() bool) {
	t.Helper()
	require.Eventually(t, condition, 40*time.Second, 2*time.Millisecond, what) // before quick.Tick could bring it about
}

func publication(h *index.Holder) int64 {
	s, err := h.Snapshot()
	if err != nil {
		return -1
	}
	return s.Freshness().Publication
}

func TestHolderBeforeTheFirstSnapshot(t *testing.T) {
	t.Parallel()
	var h index.Holder
	_, err := h.Snapshot()
	require.Equal(t, apperr.KindUnavailable, apperr.From(err).Kind)
	require.Equal(t, "The catalog is being loaded", apperr.From(err).Message)
}

func TestRefresherBuildsOnlyWhatIsNew(t *testing.T) {
	t.Parallel()
	source, holder := newScript(), &index.Holder{}
	registry := prometheus.NewPedanticRegistry()
	r := index.NewRefresher(source, holder, clock.System{}, silent(), index.NewMetrics(registry, clock.System{}), quick)
	r.Start(t.Context())
	r.Start(t.Context()) // the second start does nothing
	source.newest <- 1
	eventually(t, "the first snapshot", func() bool { return publication(holder) == 1 })
	source.newest <- 1
	source.newest <- 1
	source.newest <- 2
	eventually(t, "the second snapshot", func() bool { return publication(holder) == 2 })
	require.NoError(t, r.Stop(t.Context()))
	require.NoError(t, r.Stop(t.Context()))
	require.EqualValues(t, 2, source.loads.Load())
	require.True(t, r.Status().Connected)
	require.NoError(t, testutil.GatherAndCompare(registry, strings.NewReader(`
# HELP gpatlas_index_builds_total Search indexes built and swapped in.
# TYPE gpatlas_index_builds_total counter
gpatlas_index_builds_total 2
# HELP gpatlas_index_publication Number of the newest publication that the index contains.
# TYPE gpatlas_index_publication gauge
gpatlas_index_publication 2
`), "gpatlas_index_builds_total", "gpatlas_index_publication"))
}

func TestRefresherKeepsTheOldSnapshotThroughFailures(t *testing.T) {
	t.Parallel()
	source, holder := newScript(), &index.Holder{}
	good := source.load
	var mode atomic.Int32
	source.load = func(ctx context.Context) (*index.Snapshot, error) {
		switch mode.Load() {
		case 1:
			return nil, errors.New("the disk is full")
		case 2:
			panic("a record from hell")
		}
		return good(ctx)
	}
	registry := prometheus.NewPedanticRegistry()
	r := index.NewRefresher(source, holder, clock.System{}, silent(), index.NewMetrics(registry, clock.System{}), quick)
	r.Start(t.Context())
	source.newest <- 1
	eventually(t, "the first snapshot", func() bool { return publication(holder) == 1 })
	for _, m := range []int32{1, 2} {
		mode.Store(m)
		before := source.loads.Load()
		source.newest <- 99
		eventually(t, "a failed load", func() bool { return source.loads.Load() > before && !r.Status().Connected })
		require.NotEmpty(t, r.Status().LastError)
		require.EqualValues(t, 1, publication(holder))
	}
	source.lost <- errors.New("connection reset")
	mode.Store(0)
	source.newest <- 100
	eventually(t, "a snapshot after the failures", func() bool { return publication(holder) == source.loads.Load() && r.Status().Connected })
	require.Empty(t, r.Status().LastError)
	require.NoError(t, r.Stop(t.Context()))
	failures, err := testutil.GatherAndCount(registry, "gpatlas_index_failures_total")
	require.NoError(t, err)
	require.Equal(t, 1, failures)
}

func TestRefresherStopsAtAnyTime(t *testing.T) {
	t.Parallel()
	t.Run("before the start", func(t *testing.T) {
		t.Parallel()
		source := newScript()
		r := index.NewRefresher(source, &index.Holder{}, clock.System{}, silent(), nil, quick)
		require.NoError(t, r.Stop(t.Context()))
		r.Start(t.Context()) // too late
		require.NoError(t, r.Stop(t.Context()))
		require.Zero(t, source.loads.Load())
	})
	t.Run("while it loads", func(t *testing.T) {
		t.Parallel()
		source := newScript()
		loading := make(chan struct{})
		source.load = func(ctx context.Context) (*index.Snapshot, error) {
			close(loading)
			<-ctx.Done()
			return nil, ctx.Err()
		}
		r := index.NewRefresher(source, &index.Holder{}, clock.System{}, silent(), nil, quick)
		r.Start(t.Context())
		source.newest <- 1
		<-loading
		require.NoError(t, r.Stop(t.Context()))
	})
	t.Run("not longer than the caller waits", func(t *testing.T) {
		t.Parallel()
		source := newScript()
		loading, release := make(chan struct{}), make(chan struct{})
		source.load = func(context.Context) (*index.Snapshot, error) {
			close(loading)
			<-release
			return nil, errors.New("too late")
		}
		r := index.NewRefresher(source, &index.Holder{}, clock.System{}, silent(), nil, quick)
		r.Start(t.Context())
		source.newest <- 1
		<-loading
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
		defer cancel()
		require.ErrorIs(t, r.Stop(ctx), context.DeadlineExceeded)
		close(release)
		require.NoError(t, r.Stop(t.Context()))
	})
	t.Run("with the start's context over", func(t *testing.T) {
		t.Parallel()
		source, holder := newScript(), &index.Holder{}
		r := index.NewRefresher(source, holder, clock.System{}, silent(), nil, quick)
		ctx, cancel := context.WithCancel(t.Context())
		r.Start(ctx)
		cancel()
		source.newest <- 1
		eventually(t, "work goes on", func() bool { return publication(holder) == 1 })
		require.NoError(t, r.Stop(t.Context()))
	})
}
