package past

import (
	"context"
	"errors"
	"net/netip"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/apperr"
	"gpatlas/platform/auth"
	"gpatlas/platform/httpapi"
)

// as is a question of an account's.
func as(t *testing.T, account int64) context.Context {
	t.Helper()
	return auth.With(t.Context(), &auth.Principal{Kind: auth.Key, UserID: account, Address: netip.MustParseAddr("192.0.2.1")})
}

// line asks many questions, each when the one before waits, and says how they ended.
type line struct {
	*works
	t       *testing.T
	callers sync.WaitGroup
	mu      sync.Mutex
	refused []error
}

func (l *line) ask(account int64, days ...int) {
	for _, day := range days {
		l.callers.Go(func() {
			if _, err := l.At(as(l.t, account), before(day), snapshot(5)); err != nil {
				l.mu.Lock()
				defer l.mu.Unlock()
				l.refused = append(l.refused, err)
			}
		})
		synctest.Wait()
	}
}

// finishOne lets the build that goes on end.
func (l *line) finishOne() {
	l.finish <- struct{}{}
	synctest.Wait()
}

func (l *line) days() (out []int) {
	l.works.mu.Lock()
	defer l.works.mu.Unlock()
	for _, c := range l.built {
		out = append(out, int(today.Sub(c.Filed).Hours()/24))
	}
	return out
}

// One caller may wait for three builds; the rest is refused, and the answer says how long to wait. Nobody else is refused.
func TestACallerHasAShare(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := &line{works: newWorks(nil), t: t}
		for day := range 24 {
			l.ask(7, 1+day)
		}
		require.Len(t, l.refused, 21)
		for _, err := range l.refused {
			require.Equal(t, apperr.KindRateLimited, apperr.From(err).Kind)
			require.ErrorContains(t, err, "You have 3 requests for other past days in progress")
			waiter, ok := errors.AsType[httpapi.Waiter](err)
			require.True(t, ok)
			require.GreaterOrEqual(t, waiter.RetryAfter(), time.Second)
		}
		l.ask(7, 1, 2, 3) // the same days again, each built once
		l.ask(8, 30)
		require.Len(t, l.refused, 21)
		for range 4 {
			l.finishOne()
		}
		l.callers.Wait()
		require.Equal(t, []int{1, 30, 2, 3}, l.days(), "the other caller waited for one build")
		close(l.finish)
		l.ask(7, 4)
		require.Len(t, l.refused, 21, "the share is free again")
	})
}

// Callers take turns: whoever had no build yet comes first, then whoever waits longest for the next.
func TestCallersTakeTurns(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := &line{works: newWorks(nil), t: t}
		l.ask(1, 11, 12, 13)
		l.ask(2, 21, 22, 23)
		l.finishOne() // 11 has ended, 21 goes on
		l.ask(3, 31)
		l.finishOne()
		require.Equal(t, []int{11, 21, 31}, l.days(), "the first build of a third caller")
		l.finishOne()
		require.Equal(t, []int{11, 21, 31, 12}, l.days())
		l.ask(3, 32) // it had its turn after the two others
		for range 6 {
			select {
			case l.finish <- struct{}{}:
				synctest.Wait()
			default:
			}
		}
		l.callers.Wait()
		require.Equal(t, []int{11, 21, 31, 12, 22, 32, 13, 23}, l.days())
		require.Empty(t, l.refused)
		require.Empty(t, l.queue.callers, "nobody waits, nobody is remembered")
		require.Empty(t, l.queue.builds)
	})
}

// A day that several ask for is built once, at the first turn of any of them; when one gives up, the others keep it.
func TestADayIsShared(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := &line{works: newWorks(nil), t: t}
		ctx, cancel := context.WithCancel(as(t, 1))
		for _, day := range []int{11, 12, 13} {
			l.callers.Go(func() { _, _ = l.At(ctx, before(day), snapshot(5)) })
			synctest.Wait()
		}
		l.ask(2, 13)
		l.ask(3, 13, 31)
		cancel() // 12 is asked for by nobody any more
		synctest.Wait()
		for range 3 {
			l.finishOne()
		}
		l.callers.Wait()
		require.Equal(t, []int{11, 13, 31}, l.days())
		require.Empty(t, l.refused)
	})
}

// When very many callers wait the next one is refused, and told when to try again.
func TestManyCallersWait(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := &line{works: newWorks(nil), t: t}
		for account := range int64(callersMax) {
			l.ask(1+account, 1+int(account))
		}
		require.Empty(t, l.refused)
		l.ask(99, 99)
		require.Len(t, l.refused, 1)
		require.Equal(t, apperr.KindUnavailable, apperr.From(l.refused[0]).Kind)
		require.Implements(t, new(httpapi.Waiter), apperr.From(l.refused[0]).Unwrap())
		l.ask(99, 1) // the build that goes on
		require.Len(t, l.refused, 1)
		close(l.finish)
		l.callers.Wait()
		require.Len(t, l.days(), callersMax)
	})
}

// Those that wait for nothing any more are forgotten when there are too many of them.
func TestCallersAreForgotten(t *testing.T) {
	t.Parallel()
	q := newQueue()
	moment := func(n int) key { return key{AsOf{Filed: today.AddDate(0, 0, -n)}, 5} }
	_, err := q.join(t.Context(), moment(0), "stays")
	require.NoError(t, err)
	for n := range rememberedMax + 10 {
		f, err := q.join(t.Context(), moment(n+1), strconv.Itoa(n))
		require.NoError(t, err)
		q.leave(f, strconv.Itoa(n))
	}
	require.LessOrEqual(t, len(q.callers), rememberedMax)
	require.Contains(t, q.callers, "stays")
}

func TestWhoCalls(t *testing.T) {
	t.Parallel()
	for want, p := range map[string]auth.Principal{
		"account 7":         {Kind: auth.Session, UserID: 7, Address: netip.MustParseAddr("192.0.2.1")},
		"192.0.2.1":         {Address: netip.MustParseAddr("::ffff:192.0.2.1")},
		"2001:db8:1:2::/64": {Address: netip.MustParseAddr("2001:db8:1:2:3:4:5:6")},
		"unknown":           {},
	} {
		require.Equal(t, want, callerOf(auth.With(t.Context(), &p)))
	}
	require.Equal(t, "unknown", callerOf(t.Context()))
}

// The refusal reaches the caller as an answer that says when to come back.
func TestTheRefusalSaysWhenToComeBack(t *testing.T) {
	t.Parallel()
	q := newQueue()
	q.took = 4 * time.Second
	var err error
	for n := range shareMax + 1 {
		_, err = q.join(t.Context(), key{AsOf{Filed: today.AddDate(0, 0, -n)}, 5}, "one")
	}
	require.Error(t, err)
	require.Equal(t, 429, httpapi.NewProblem(err).GetStatus())
	require.Equal(t, wait(4*time.Second), apperr.From(err).Unwrap())
}

// V42: five callers ask for twenty days at once. Each gets the three of its share, in turns; the rest is refused as too many requests. One build runs
// at a time, each day is built once, and three indexes are kept.
func TestTwentyDaysByFiveCallers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := &line{works: newWorks(nil), t: t}
		for ask := range 4 {
			for account := range 5 {
				l.ask(int64(1+account), 1+4*account+ask)
			}
		}
		require.Len(t, l.refused, 5, "the fourth day of each caller")
		for _, err := range l.refused {
			require.Equal(t, apperr.KindRateLimited, apperr.From(err).Kind)
		}
		for built := range 15 {
			require.Len(t, l.days(), 1+built, "one build at a time")
			l.finishOne()
		}
		l.callers.Wait()
		require.Equal(t, []int{1, 5, 9, 13, 17, 2, 6, 10, 14, 18, 3, 7, 11, 15, 19}, l.days(), "callers take turns")
		require.Len(t, l.kept, keptMax)
	})
}
