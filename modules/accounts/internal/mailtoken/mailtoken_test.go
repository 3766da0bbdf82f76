package mailtoken_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/accounts/internal/mailtoken"
	"gpatlas/modules/accounts/internal/testkit/sessiontest"
	"gpatlas/platform/apperr"
)

const ada = "ada@larkspur.example"

// Of tokens that are issued at once one is left, and only for its own purpose; used ones keep their times.
func TestIssue(t *testing.T) {
	t.Parallel()
	b := sessiontest.New(t)
	s := mailtoken.NewStore(b.DB)
	u, other := b.MakeUser(t, ada), b.MakeUser(t, "grace@mossgate.example")
	theirs, err := s.Issue(t.Context(), other, mailtoken.Verify, b.Clock.Now())
	require.NoError(t, err)
	reset, err := s.Issue(t.Context(), u, mailtoken.Reset, b.Clock.Now())
	require.NoError(t, err)
	used, err := s.Issue(t.Context(), u, mailtoken.Verify, b.Clock.Now())
	require.NoError(t, err)
	row, err := s.Find(t.Context(), mailtoken.Verify, used.Secret)
	require.NoError(t, err)
	ok, err := s.Use(t.Context(), row, b.Clock.Now())
	require.NoError(t, err)
	require.True(t, ok)
	ok, err = s.Use(t.Context(), row, b.Clock.Now())
	require.NoError(t, err)
	require.False(t, ok, "once")
	b.Clock.Move(time.Minute)

	secrets := make([]string, 8)
	var wg sync.WaitGroup
	for i := range secrets {
		wg.Go(func() {
			require.NoError(t, b.DB.InTx(t.Context(), func(ctx context.Context) error {
				locked, err := b.Users.Lock(ctx, u.ID)
				if err != nil {
					return err
				}
				issued, err := s.Issue(ctx, locked, mailtoken.Verify, b.Clock.Now())
				secrets[i] = issued.Secret
				return err
			}))
		})
	}
	wg.Wait()
	good := 0
	for _, secret := range secrets {
		row, err := s.Find(t.Context(), mailtoken.Verify, secret)
		require.NoError(t, err)
		if row.Good(u, b.Clock.Now()) {
			good++
		}
		require.False(t, row.Good(other, b.Clock.Now()), "another's")
		require.False(t, row.Good(nil, b.Clock.Now()))
		wrong, err := s.Find(t.Context(), mailtoken.Reset, secret)
		require.NoError(t, err)
		require.Nil(t, wrong, "of the other purpose")
	}
	require.Equal(t, 1, good)
	for secret, purpose := range map[string]mailtoken.Purpose{theirs.Secret: mailtoken.Verify, reset.Secret: mailtoken.Reset} {
		row, err := s.Find(t.Context(), purpose, secret)
		require.NoError(t, err)
		require.True(t, row.ExpiresAt.After(b.Clock.Now()), "%s goes on", purpose)
	}
	row, err = s.Find(t.Context(), mailtoken.Verify, used.Secret)
	require.NoError(t, err)
	require.True(t, row.ExpiresAt.Equal(sessiontest.Start.Add(24*time.Hour)), "a used one keeps its times")
	for _, nonsense := range []string{"", "x", "\x00", strings.Repeat("x", 1<<20)} {
		row, err := s.Find(t.Context(), mailtoken.Verify, nonsense)
		require.NoError(t, err)
		require.Nil(t, row)
	}
}

func TestSweep(t *testing.T) {
	t.Parallel()
	b := sessiontest.New(t)
	s := mailtoken.NewStore(b.DB)
	u := b.MakeUser(t, ada)
	_, err := s.Issue(t.Context(), u, mailtoken.Reset, b.Clock.Now())
	require.NoError(t, err)
	over := b.Clock.Now().Add(mailtoken.ResetLifetime + 90*24*time.Hour)
	n, err := s.Sweep(t.Context(), over)
	require.NoError(t, err)
	require.Zero(t, n)
	n, err = s.Sweep(t.Context(), over.Add(time.Microsecond))
	require.NoError(t, err)
	require.EqualValues(t, 1, n)
}

func TestWithoutDatabase(t *testing.T) {
	t.Parallel()
	b := sessiontest.New(t)
	s := mailtoken.NewStore(b.DB)
	b.DB.Close()
	_, err := s.Find(t.Context(), mailtoken.Verify, "x")
	require.Equal(t, apperr.KindUnavailable, apperr.From(err).Kind)
}
