package session_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/accounts/internal/session"
	"gpatlas/modules/accounts/internal/testkit/sessiontest"
	"gpatlas/modules/accounts/internal/throttle"
)

// The job removes what is old of both, may run twice, and is what the schedule names.
func TestSweepJob(t *testing.T) {
	t.Parallel()
	b := sessiontest.New(t)
	u := b.MakeUser(t, ada)
	tokens := b.Login(t, ada)
	require.NoError(t, b.Sessions.Logout(t.Context(), u.ID, tokens.SessionID))
	_, _, err := b.Sessions.Login(t.Context(), ada, "not the password", session.Client{})
	require.Error(t, err)
	b.Clock.Move(91 * 24 * time.Hour)
	b.Login(t, ada)
	handlers := session.Jobs(b.Sessions)
	require.Len(t, handlers, 1)
	require.Equal(t, b.Sessions.Part().Schedules[0].Type, handlers[0].Type)
	for range 2 {
		require.NoError(t, handlers[0].Run(t.Context(), []byte(`{"bucket": "2026-11-20"}`)))
		for model, want := range map[any]int64{&session.Row{}: 1, &session.RefreshRow{}: 1, &throttle.Attempt{}: 0} {
			var count int64
			require.NoError(t, b.DB.From(t.Context()).Model(model).Count(&count).Error)
			require.Equal(t, want, count, "%T", model)
		}
	}
	b.DB.Close()
	require.Error(t, handlers[0].Run(t.Context(), nil))
}
