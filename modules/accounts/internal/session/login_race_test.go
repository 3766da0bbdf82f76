package session_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/accounts/internal/testkit/sessiontest"
	"gpatlas/platform/apperr"
)

// What happens to an account between the check of its password and the opening of the session counts: a password that was reset
// opens nothing any more, nor does a deleted account; a hash made again by another sign-in is no other password.
func TestLoginMeetsAChange(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(b *sessiontest.Bench) map[string]any
		good   bool
	}{
		"reset": {func(b *sessiontest.Bench) map[string]any {
			return map[string]any{"password_hash": hashOf(t, b, "another password")}
		}, false},
		"rehash": {func(b *sessiontest.Bench) map[string]any {
			return map[string]any{"password_hash": hashOf(t, b, sessiontest.Password)}
		}, true},
		"deleted": {func(b *sessiontest.Bench) map[string]any { return map[string]any{"deleted_at": b.Clock.Now()} }, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := sessiontest.New(t)
			u := b.MakeUser(t, ada)
			columns := c.change(b)
			result := make(chan error, 1)
			require.NoError(t, b.DB.InTx(t.Context(), func(ctx context.Context) error {
				if _, err := b.Users.Lock(ctx, u.ID); err != nil {
					return err
				}
				go func() {
					_, _, err := b.Sessions.Login(t.Context(), ada, sessiontest.Password, sessiontest.Client())
					result <- err
				}()
				require.Eventually(t, func() bool { // it has checked the password and waits for the row
					var waiting int64
					err := b.DB.From(t.Context()).Raw(`SELECT count(*) FROM pg_stat_activity
						WHERE datname = current_database() AND wait_event_type = 'Lock'`).Scan(&waiting).Error
					return err == nil && waiting == 1
				}, time.Minute, 5*time.Millisecond)
				return b.Users.Update(ctx, u.ID, columns)
			}))
			err := <-result
			if c.good {
				require.NoError(t, err)
				return
			}
			require.Equal(t, apperr.KindUnauthenticated, kind(err), "%v", err)
			list, err := b.Sessions.List(t.Context(), u.ID, "")
			require.NoError(t, err)
			require.Empty(t, list)
		})
	}
}

func hashOf(t *testing.T, b *sessiontest.Bench, secret string) string {
	t.Helper()
	hash, err := b.Passwords.Hash(t.Context(), secret)
	require.NoError(t, err)
	return hash
}
