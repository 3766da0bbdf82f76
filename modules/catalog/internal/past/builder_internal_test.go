package past

import (
	"context"
	"errors"
	"log/slog"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/index"
	"gpatlas/platform/apperr"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/testkit/dbtest"
)

var today = time.Date(2026, time.November, 21, 0, 0, 0, 0, time.UTC)

// works is a builder whose builds are the test's: each is noted, and waits until it may end.
type works struct {
	*Builder
	mu     sync.Mutex
	built  []AsOf
	at     int64 // the publication that builds find
	finish chan struct{}
	err    error
}

func newWorks(db *database.DB) *works {
	w := &works{Builder: NewBuilder(db, clock.Fixed(today.Add(9*time.Hour)), slog.New(slog.DiscardHandler), false), at: 5, finish: make(chan struct{})}
	w.load = func(ctx context.Context, c AsOf) (*index.Analysis, error) {
		w.mu.Lock()
		w.built = append(w.built, c)
		publication := w.at
		w.mu.Unlock()
		select {
		case <-w.finish:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		if w.err != nil {
			return nil, w.err
		}
		return index.BuildAnalysis(nil, nil, nil, index.Freshness{Publication: publication, LatestFilingDate: c.Filed}, nil), nil
	}
	return w
}

func (w *works) days() (out []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range w.built {
		out = append(out, c.Filed.Format(time.DateOnly))
	}
	return out
}

func snapshot(publication int64) *index.Snapshot {
	return index.Build(nil, nil, index.Freshness{Publication: publication})
}

func before(days int) catalogapi.Moment { return catalogapi.Moment{Day: today.AddDate(0, 0, -days)} }

// ask asks for a moment and says of which day the answer is.
func (w *works) ask(ctx context.Context, t *testing.T, days int, publication int64) string {
	t.Helper()
	ix, err := w.At(ctx, before(days), snapshot(publication))
	require.NoError(t, err)
	return ix.Freshness().LatestFilingDate.Format(time.DateOnly)
}

func TestThePresentIsTheIndexInUse(t *testing.T) {
	t.Parallel()
	w := newWorks(nil)
	current := snapshot(5)
	for _, at := range []catalogapi.Moment{{}, {Day: today}, {Day: today.AddDate(0, 0, 3)}, {Day: today.Add(5 * time.Hour)}} {
		got, err := w.At(t.Context(), at, current)
		require.NoError(t, err)
		require.Same(t, current, got)
	}
	require.Empty(t, w.days())
}

func TestOneBuildForAllWhoWait(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorks(nil)
		var answered []Index
		var mu sync.Mutex
		var callers sync.WaitGroup
		for range 20 {
			callers.Go(func() {
				ix, err := w.At(t.Context(), before(9), snapshot(5))
				require.NoError(t, err)
				mu.Lock()
				defer mu.Unlock()
				answered = append(answered, ix)
			})
		}
		synctest.Wait()
		require.Equal(t, []string{"2026-11-12"}, w.days())
		close(w.finish)
		callers.Wait()
		require.Len(t, answered, 20)
		for _, ix := range answered {
			require.Same(t, answered[0], ix)
		}
		require.Equal(t, "2026-11-12", w.ask(t.Context(), t, 9, 5))
		require.Len(t, w.days(), 1, "kept")
	})
}

func TestOneBuildAtATime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorks(nil)
		var callers sync.WaitGroup
		for days := range 5 {
			callers.Go(func() { w.ask(as(t, int64(1+days)), t, 1+days, 5) })
		}
		for n := range 5 {
			synctest.Wait()
			require.Len(t, w.days(), n+1)
			w.finish <- struct{}{}
		}
		callers.Wait()
		require.ElementsMatch(t, []string{"2026-11-20", "2026-11-19", "2026-11-18", "2026-11-17", "2026-11-16"}, w.days())
	})
}

// Guarantee: a caller that gives up has its answer at once, and the others have theirs; a build whose callers all gave up
// before its turn is left out, one that goes on is finished.
func TestCallersThatGiveUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorks(nil)
		patient := make(chan string, 1)
		go func() { patient <- w.ask(t.Context(), t, 1, 5) }()
		synctest.Wait()
		for _, days := range []int{1, 2} { // the one that goes on, and one that waits for its turn
			ctx, cancel := context.WithCancel(t.Context())
			gone := make(chan error, 1)
			go func() {
				_, err := w.At(ctx, before(days), snapshot(5))
				gone <- err
			}()
			synctest.Wait()
			cancel()
			require.ErrorIs(t, <-gone, context.Canceled)
		}
		close(w.finish)
		require.Equal(t, "2026-11-20", <-patient)
		synctest.Wait()
		require.Equal(t, []string{"2026-11-20"}, w.days())
		require.Equal(t, "2026-11-19", w.ask(t.Context(), t, 2, 5), "asked again, it is built")

		alone, cancel := context.WithCancel(t.Context())
		w.finish = make(chan struct{})
		gone := make(chan error, 1)
		go func() {
			_, err := w.At(alone, before(3), snapshot(5))
			gone <- err
		}()
		synctest.Wait()
		cancel()
		require.ErrorIs(t, <-gone, context.Canceled)
		close(w.finish)
		synctest.Wait()
		require.Equal(t, "2026-11-18", w.ask(t.Context(), t, 3, 5))
		require.Len(t, w.days(), 3, "kept although its caller had gone")
	})
}

func TestTheLeastRecentlyAskedForGoes(t *testing.T) {
	t.Parallel()
	w := newWorks(nil)
	close(w.finish)
	for _, days := range []int{1, 2, 3, 1, 4, 1, 3} {
		w.ask(t.Context(), t, days, 5)
	}
	require.Equal(t, []string{"2026-11-20", "2026-11-19", "2026-11-18", "2026-11-17"}, w.days())
	w.ask(t.Context(), t, 2, 5)
	require.Len(t, w.days(), 5)
	require.Len(t, w.kept, keptMax)
}

// Guarantee: after the fourth index the first is gone from memory.
func TestAnIndexThatGoesIsCollected(t *testing.T) {
	t.Parallel()
	w := newWorks(nil)
	close(w.finish)
	ix, err := w.At(t.Context(), before(1), snapshot(5))
	require.NoError(t, err)
	gone := make(chan struct{})
	runtime.AddCleanup(ix.(*index.Analysis), func(done chan struct{}) { close(done) }, gone)
	ix = nil
	for days := range 3 {
		w.ask(t.Context(), t, 2+days, 5)
	}
	require.Eventually(t, func() bool {
		runtime.GC()
		select {
		case <-gone:
			return true
		default:
			return false
		}
	}, time.Minute, 10*time.Millisecond)
	_ = ix
}

func TestAPublicationEndsWhatIsKept(t *testing.T) {
	t.Parallel()
	w := newWorks(nil)
	close(w.finish)
	w.ask(t.Context(), t, 1, 5)
	w.ask(t.Context(), t, 2, 5)
	w.at = 7
	w.ask(t.Context(), t, 1, 6) // the build finds one that the index in use does not know yet
	require.Len(t, w.kept, 1, "nothing of an earlier publication")
	w.ask(t.Context(), t, 1, 7)
	require.Equal(t, []string{"2026-11-20", "2026-11-19", "2026-11-20"}, w.days())
	w.ask(t.Context(), t, 2, 7)
	require.Len(t, w.days(), 4)
}

func TestABuildThatFails(t *testing.T) {
	t.Parallel()
	w := newWorks(nil)
	close(w.finish)
	w.err = context.DeadlineExceeded
	_, err := w.At(t.Context(), before(1), snapshot(5))
	require.Equal(t, apperr.KindUnavailable, apperr.From(err).Kind, "no response in time")
	w.err = errors.New("a wrong statement")
	_, err = w.At(t.Context(), before(1), snapshot(5))
	require.ErrorIs(t, err, w.err)
	made := w.load
	w.load = func(context.Context, AsOf) (*index.Analysis, error) { panic("a value that nobody thought of") }
	_, err = w.At(t.Context(), before(1), snapshot(5))
	require.ErrorContains(t, err, "a value that nobody thought of")
	w.load, w.err = made, nil
	require.Equal(t, "2026-11-20", w.ask(t.Context(), t, 1, 5), "the next one succeeds")
}

func TestStop(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorks(nil)
		failed := make(chan error, 2)
		for days := range 2 { // one goes on, one waits for its turn
			go func() {
				_, err := w.At(t.Context(), before(1+days), snapshot(5))
				failed <- err
			}()
		}
		synctest.Wait()
		require.NoError(t, w.Stop(t.Context()))
		for range 2 {
			require.Equal(t, apperr.KindUnavailable, apperr.From(<-failed).Kind)
		}
		_, err := w.At(t.Context(), before(1), snapshot(5))
		require.Equal(t, apperr.KindUnavailable, apperr.From(err).Kind)
		require.Len(t, w.days(), 1)
	})
}

func TestTheDatabaseIsAway(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	b := NewBuilder(db, clock.Fixed(today), slog.New(slog.DiscardHandler), false)
	kept, err := b.At(t.Context(), before(1), snapshot(0))
	require.NoError(t, err)
	db.Close()
	for _, at := range []catalogapi.Moment{before(2), {Known: today.AddDate(0, 0, -1)}} {
		_, err := b.At(t.Context(), at, snapshot(0))
		require.Equal(t, apperr.KindUnavailable, apperr.From(err).Kind)
	}
	again, err := b.At(t.Context(), before(1), snapshot(0))
	require.NoError(t, err)
	require.Same(t, kept, again, "what is kept answers without the database")
}
