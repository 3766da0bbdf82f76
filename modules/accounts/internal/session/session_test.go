package session_test

import (
	"net/netip"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/accounts/internal/session"
	"gpatlas/modules/accounts/internal/testkit/sessiontest"
	"gpatlas/modules/accounts/internal/token"
	"gpatlas/platform/apperr"
	"gpatlas/platform/auth"
)

// An access token is valid for fifteen minutes, and identifies the caller.
func TestVerifySession(t *testing.T) {
	t.Parallel()
	b := sessiontest.New(t)
	u := b.MakeUser(t, ada)
	tokens := b.Login(t, ada)
	got, err := b.Sessions.VerifySession(t.Context(), tokens.AccessToken)
	require.NoError(t, err)
	require.Equal(t, &auth.Principal{Kind: auth.Session, UserID: u.ID, SessionID: tokens.SessionID, APITier: "starter", Plan: "pro", Unverified: true}, got)
	require.NoError(t, b.Users.Update(t.Context(), u.ID, map[string]any{"is_admin": true, "subscription_plan": "free", "api_tier": "scale", "email_verified_at": b.Clock.Now()}))
	got, err = b.Sessions.VerifySession(t.Context(), tokens.AccessToken)
	require.NoError(t, err)
	require.Equal(t, &auth.Principal{Kind: auth.Session, UserID: u.ID, SessionID: tokens.SessionID, APITier: "scale", Plan: "free", Admin: true}, got)

	b.Clock.Move(token.AccessLifetime - time.Second)
	_, err = b.Sessions.VerifySession(t.Context(), tokens.AccessToken)
	require.NoError(t, err)
	b.Clock.Move(time.Second)
	_, err = b.Sessions.VerifySession(t.Context(), tokens.AccessToken)
	require.Equal(t, apperr.KindUnauthenticated, kind(err))
}

// A good token of a session that has ended, or of an account that is deleted or another's, is dead on the next call.
func TestVerifyEndedSession(t *testing.T) {
	t.Parallel()
	b := sessiontest.New(t)
	grace := b.MakeUser(t, "grace@mossgate.example")
	u := b.MakeUser(t, ada)
	for name, end := range map[string]func(tokens session.Tokens) error{
		"logout":  func(s session.Tokens) error { return b.Sessions.Logout(t.Context(), u.ID, s.SessionID) },
		"by user": func(s session.Tokens) error { return b.Sessions.End(t.Context(), u.ID, s.SessionID) },
		"all": func(session.Tokens) error {
			_, err := b.Sessions.EndAll(t.Context(), u.ID, session.ByPassword, "")
			return err
		},
		"purged": func(s session.Tokens) error {
			return b.DB.From(t.Context()).Delete(&session.Row{}, "id = ?", s.SessionID).Error
		},
		"expired": func(s session.Tokens) error {
			return b.DB.From(t.Context()).Model(&session.Row{}).Where("id = ?", s.SessionID).Update("expires_at", b.Clock.Now()).Error
		},
		"another's": func(s session.Tokens) error {
			return b.DB.From(t.Context()).Model(&session.Row{}).Where("id = ?", s.SessionID).Update("user_id", grace.ID).Error
		},
		"deleted account": func(session.Tokens) error {
			return b.Users.Update(t.Context(), u.ID, map[string]any{"deleted_at": b.Clock.Now()})
		},
	} {
		require.NoError(t, b.Users.Update(t.Context(), u.ID, map[string]any{"deleted_at": nil}))
		tokens := b.Login(t, ada)
		_, err := b.Sessions.VerifySession(t.Context(), tokens.AccessToken)
		require.NoError(t, err, name)
		require.NoError(t, end(tokens), name)
		_, err = b.Sessions.VerifySession(t.Context(), tokens.AccessToken)
		require.Equal(t, apperr.KindUnauthenticated, kind(err), name)
		require.Equal(t, "Could not validate credentials", apperr.From(err).Message, name)
		if name != "another's" {
			_, err = b.Sessions.Refresh(t.Context(), tokens.RefreshToken)
			require.Equal(t, apperr.KindUnauthenticated, kind(err), name)
		}
	}
}

// The last use is written at most once a minute.
func TestLastActive(t *testing.T) {
	t.Parallel()
	b := sessiontest.New(t)
	u := b.MakeUser(t, ada)
	tokens := b.Login(t, ada)
	last := func() time.Time {
		list, err := b.Sessions.List(t.Context(), u.ID, tokens.SessionID)
		require.NoError(t, err)
		require.Len(t, list, 1)
		return list[0].LastActive
	}
	use := func(after time.Duration) {
		b.Clock.Move(after)
		_, err := b.Sessions.VerifySession(t.Context(), tokens.AccessToken)
		require.NoError(t, err)
	}
	use(time.Minute - time.Second)
	require.Equal(t, sessiontest.Start, last())
	use(time.Second)
	require.Equal(t, sessiontest.Start.Add(time.Minute), last())
	use(30 * time.Second)
	require.Equal(t, sessiontest.Start.Add(time.Minute), last())
}

// Refreshing gives a new pair and prolongs the session; each refresh token is good once, for thirty days.
func TestRefresh(t *testing.T) {
	t.Parallel()
	b := sessiontest.New(t)
	b.MakeUser(t, ada)
	tokens := b.Login(t, ada)
	for range 3 { // a session that is used goes on beyond thirty days
		b.Clock.Move(session.RefreshLifetime - time.Second)
		next, err := b.Sessions.Refresh(t.Context(), tokens.RefreshToken)
		require.NoError(t, err)
		require.Equal(t, tokens.SessionID, next.SessionID)
		require.NotEqual(t, tokens.RefreshToken, next.RefreshToken)
		require.NotEqual(t, tokens.AccessToken, next.AccessToken)
		require.Equal(t, 900, next.ExpiresIn)
		_, err = b.Sessions.VerifySession(t.Context(), next.AccessToken)
		require.NoError(t, err)
		tokens = next
	}
	b.Clock.Move(session.RefreshLifetime)
	_, err := b.Sessions.Refresh(t.Context(), tokens.RefreshToken)
	require.Equal(t, apperr.KindUnauthenticated, kind(err))
	for _, wrong := range []string{"", "gpar_", tokens.AccessToken, tokens.RefreshToken + "x", "\x00"} {
		_, err := b.Sessions.Refresh(t.Context(), wrong)
		require.Equal(t, apperr.KindUnauthenticated, kind(err))
		require.Equal(t, "Could not validate credentials", apperr.From(err).Message)
	}
}

// A used refresh token that comes back ends its session, but not within ten seconds.
func TestRefreshReuse(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		after time.Duration
		ends  bool
	}{{0, false}, {10*time.Second - time.Millisecond, false}, {10 * time.Second, true}, {29 * 24 * time.Hour, true}} {
		t.Run(c.after.String(), func(t *testing.T) {
			t.Parallel()
			b := sessiontest.New(t)
			b.MakeUser(t, ada)
			first := b.Login(t, ada)
			second, err := b.Sessions.Refresh(t.Context(), first.RefreshToken)
			require.NoError(t, err)
			b.Clock.Move(c.after)
			_, err = b.Sessions.Refresh(t.Context(), first.RefreshToken)
			require.Equal(t, apperr.KindUnauthenticated, kind(err))
			_, err = b.Sessions.Refresh(t.Context(), second.RefreshToken)
			if !c.ends {
				require.NoError(t, err)
				require.Empty(t, endings(t, b, first.SessionID))
				return
			}
			require.Equal(t, apperr.KindUnauthenticated, kind(err))
			require.Equal(t, []string{"reuse"}, endings(t, b, first.SessionID))
		})
	}
}

// Twenty refreshes at once leave one lineage: one succeeds, its tokens go on, the others are refused.
func TestParallelRefreshes(t *testing.T) {
	t.Parallel()
	b := sessiontest.New(t)
	b.MakeUser(t, ada)
	first := b.Login(t, ada)
	results, errs := make([]session.Tokens, 20), make([]error, 20)
	var wg sync.WaitGroup
	for i := range errs {
		wg.Go(func() { results[i], errs[i] = b.Sessions.Refresh(t.Context(), first.RefreshToken) })
	}
	wg.Wait()
	var won []session.Tokens
	for i, err := range errs {
		if err == nil {
			won = append(won, results[i])
			continue
		}
		require.Equal(t, apperr.KindUnauthenticated, kind(err), "%v", err)
	}
	require.Len(t, won, 1)
	_, err := b.Sessions.Refresh(t.Context(), won[0].RefreshToken)
	require.NoError(t, err)
	var live int64
	require.NoError(t, b.DB.From(t.Context()).Model(&session.RefreshRow{}).Where("used_at IS NULL").Count(&live).Error)
	require.EqualValues(t, 1, live)
}

// Neither refresh tokens nor access tokens are stored.
func TestTokensAreNotStored(t *testing.T) {
	t.Parallel()
	b := sessiontest.New(t)
	b.MakeUser(t, ada)
	tokens := b.Login(t, ada)
	var dump string
	require.NoError(t, b.DB.From(t.Context()).Raw(`SELECT coalesce((SELECT string_agg(r::text, '|') FROM accounts.refresh_tokens r), '')
		|| coalesce((SELECT string_agg(s::text, '|') FROM accounts.sessions s), '')
		|| coalesce((SELECT string_agg(u::text, '|') FROM accounts.users u), '')`).Scan(&dump).Error)
	require.Contains(t, dump, tokens.SessionID)
	for _, secret := range []string{tokens.RefreshToken, tokens.AccessToken, sessiontest.Password} {
		require.NotContains(t, dump, secret)
	}
}

// Another account's session looks like one that is not there.
func TestEndIsOnlyForOwn(t *testing.T) {
	t.Parallel()
	b := sessiontest.New(t)
	u := b.MakeUser(t, ada)
	b.MakeUser(t, "grace@mossgate.example")
	mine, other := b.Login(t, ada), b.Login(t, "grace@mossgate.example")
	foreign := b.Sessions.End(t.Context(), u.ID, other.SessionID)
	made := b.Sessions.End(t.Context(), u.ID, token.NewSessionID())
	require.Equal(t, apperr.KindNotFound, kind(foreign))
	require.Equal(t, made, foreign)
	_, err := b.Sessions.VerifySession(t.Context(), other.AccessToken)
	require.NoError(t, err)
	require.NoError(t, b.Sessions.Logout(t.Context(), u.ID, other.SessionID), "says nothing of whose it is")
	_, err = b.Sessions.VerifySession(t.Context(), other.AccessToken)
	require.NoError(t, err)
	require.NoError(t, b.Sessions.End(t.Context(), u.ID, mine.SessionID))
	require.Equal(t, made, b.Sessions.End(t.Context(), u.ID, mine.SessionID), "ended already")
}

// EndAll keeps the session named and counts those that went on; it is the caller's transaction that decides.
func TestEndAll(t *testing.T) {
	t.Parallel()
	b := sessiontest.New(t)
	u := b.MakeUser(t, ada)
	current := b.Login(t, ada)
	now := b.Clock.Now()
	for _, row := range []session.Row{
		{ID: "sess_a", ExpiresAt: now.Add(time.Hour)},
		{ID: "sess_b", ExpiresAt: now.Add(time.Hour)},
		{ID: "sess_over", ExpiresAt: now},
	} {
		row.UserID, row.Device, row.IPAddress, row.CreatedAt, row.LastActive = u.ID, "curl", "unknown", now, now.Add(-time.Hour)
		require.NoError(t, b.DB.From(t.Context()).Create(&row).Error)
	}
	list, err := b.Sessions.List(t.Context(), u.ID, current.SessionID)
	require.NoError(t, err)
	require.Len(t, list, 3, "one has expired")
	require.Equal(t, current.SessionID, list[0].ID, "the last used first")
	require.True(t, list[0].IsCurrent)
	require.False(t, list[1].IsCurrent)
	ended, err := b.Sessions.EndAll(t.Context(), u.ID, session.ByUser, current.SessionID)
	require.NoError(t, err)
	require.Equal(t, 2, ended)
	ended, err = b.Sessions.EndAll(t.Context(), u.ID, session.ByDeletion, "")
	require.NoError(t, err)
	require.Equal(t, 1, ended)
	require.Equal(t, []string{"deletion"}, endings(t, b, current.SessionID))
}

// Sessions are kept ninety days after their end.
func TestSweep(t *testing.T) {
	t.Parallel()
	b := sessiontest.New(t)
	u := b.MakeUser(t, ada)
	old := b.Login(t, ada)
	require.NoError(t, b.Sessions.Logout(t.Context(), u.ID, old.SessionID))
	b.Clock.Move(90 * 24 * time.Hour)
	kept := b.Login(t, ada)
	swept, err := b.Sessions.Sweep(t.Context())
	require.NoError(t, err)
	require.Zero(t, swept)
	b.Clock.Move(time.Second)
	swept, err = b.Sessions.Sweep(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 1, swept)
	_, err = b.Sessions.Refresh(t.Context(), kept.RefreshToken)
	require.NoError(t, err)
}

type places map[string]string

func (p places) Locate(address netip.Addr) (string, bool) {
	place, ok := p[address.String()]
	return place, ok
}

// A session has the place of its address if it is known.
func TestLocation(t *testing.T) {
	t.Parallel()
	b := sessiontest.New(t)
	u := b.MakeUser(t, ada)
	b.Sessions.Locator = places{"203.0.113.7": "Boston, US"}
	for address, want := range map[string]string{"203.0.113.7": "Boston, US", "203.0.113.8": ""} {
		_, _, err := b.Sessions.Login(t.Context(), ada, sessiontest.Password, session.Client{Address: netip.MustParseAddr(address)})
		require.NoError(t, err)
		list, err := b.Sessions.List(t.Context(), u.ID, "")
		require.NoError(t, err)
		require.Len(t, list, 1)
		require.Equal(t, address, list[0].IPAddress)
		if want == "" {
			require.Nil(t, list[0].Location)
		} else {
			require.Equal(t, want, *list[0].Location)
		}
	}
}
