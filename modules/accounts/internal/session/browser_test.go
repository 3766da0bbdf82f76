package session_test

import (
	"crypto/sha256"
	"encoding/hex"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/accounts/internal/session"
	"gpatlas/modules/accounts/internal/testkit/sessiontest"
	"gpatlas/platform/apperr"
	"gpatlas/platform/auth"
)

// signInBrowser signs in as the sign-in page does.
func signInBrowser(t *testing.T, bench *sessiontest.Bench, email string) session.Tokens {
	t.Helper()
	from := sessiontest.Client()
	from.Browser = true
	tokens, _, err := bench.Sessions.Login(t.Context(), email, sessiontest.Password, from)
	require.NoError(t, err)
	return tokens
}

// Guarantee: a browser gets a secret and no tokens, and only the secret's SHA-256 is stored, on the session's row.
func TestBrowserSession(t *testing.T) {
	t.Parallel()
	bench := sessiontest.New(t)
	u := bench.MakeUser(t, ada)
	tokens := signInBrowser(t, bench, ada)
	require.Regexp(t, `^[A-Za-z0-9_-]{43}$`, tokens.BrowserSecret)
	require.Equal(t, session.Tokens{SessionID: tokens.SessionID, BrowserSecret: tokens.BrowserSecret}, tokens, "no tokens")
	var stored string
	require.NoError(t, bench.DB.Pool().QueryRow(t.Context(), "SELECT encode(browser_hash, 'hex') FROM accounts.sessions").Scan(&stored))
	sum := sha256.Sum256([]byte(tokens.BrowserSecret))
	require.Equal(t, hex.EncodeToString(sum[:]), stored)

	caller, renewed, err := bench.Sessions.VerifyBrowser(t.Context(), tokens.BrowserSecret)
	require.NoError(t, err)
	require.False(t, renewed)
	require.Equal(t, &auth.Principal{Kind: auth.Session, UserID: u.ID, SessionID: tokens.SessionID, APITier: "starter", Plan: "pro", Unverified: true}, caller)
	_, err = bench.Sessions.VerifySession(t.Context(), tokens.BrowserSecret)
	require.Equal(t, apperr.KindUnauthenticated, apperr.From(err).Kind, "the secret is no access token")
	_, err = bench.Sessions.Refresh(t.Context(), tokens.BrowserSecret)
	require.Equal(t, apperr.KindUnauthenticated, apperr.From(err).Kind, "nor a refresh token")
	_, _, err = bench.Sessions.VerifyBrowser(t.Context(), bench.Login(t, ada).RefreshToken)
	require.Equal(t, apperr.KindUnauthenticated, apperr.From(err).Kind, "nor the other way round")
}

// Guarantee: what ends a session ends the browser's with its next request.
func TestBrowserSessionEnds(t *testing.T) {
	t.Parallel()
	bench := sessiontest.New(t)
	u := bench.MakeUser(t, ada)
	for name, end := range map[string]func(id string) error{
		"sign-out":        func(id string) error { return bench.Sessions.Logout(t.Context(), u.ID, id) },
		"another sign-in": func(string) error { signInBrowser(t, bench, ada); return nil },
		"a new password": func(string) error {
			_, err := bench.Sessions.EndAll(t.Context(), u.ID, session.ByPassword, "")
			return err
		},
		"thirty days": func(string) error { bench.Clock.Move(auth.BrowserLifetime); return nil },
		"a deleted account": func(string) error {
			return bench.Users.Update(t.Context(), u.ID, map[string]any{"deleted_at": bench.Clock.Now()})
		},
	} {
		require.NoError(t, bench.Users.Update(t.Context(), u.ID, map[string]any{"deleted_at": nil}))
		tokens := signInBrowser(t, bench, ada)
		_, _, err := bench.Sessions.VerifyBrowser(t.Context(), tokens.BrowserSecret)
		require.NoError(t, err, name)
		require.NoError(t, end(tokens.SessionID))
		_, _, err = bench.Sessions.VerifyBrowser(t.Context(), tokens.BrowserSecret)
		require.Equal(t, apperr.KindUnauthenticated, apperr.From(err).Kind, name)
	}
}

// Guarantee: signing in by API ends the other sessions that have tokens, and leaves the browser signed in. Signing in with a
// browser ends both.
func TestAPISignInLeavesTheBrowser(t *testing.T) {
	t.Parallel()
	bench := sessiontest.New(t)
	bench.MakeUser(t, ada)
	secret := signInBrowser(t, bench, ada).BrowserSecret
	first := bench.Login(t, ada)
	second := bench.Login(t, ada)
	_, err := bench.Sessions.VerifySession(t.Context(), first.AccessToken)
	require.Equal(t, apperr.KindUnauthenticated, apperr.From(err).Kind)
	_, err = bench.Sessions.VerifySession(t.Context(), second.AccessToken)
	require.NoError(t, err)
	_, _, err = bench.Sessions.VerifyBrowser(t.Context(), secret)
	require.NoError(t, err)
	signInBrowser(t, bench, ada)
	_, err = bench.Sessions.VerifySession(t.Context(), second.AccessToken)
	require.Equal(t, apperr.KindUnauthenticated, apperr.From(err).Kind)
	_, _, err = bench.Sessions.VerifyBrowser(t.Context(), secret)
	require.Equal(t, apperr.KindUnauthenticated, apperr.From(err).Kind)
}

// Guarantee: visits let a session go on, and write so once a day at most.
func TestBrowserSessionIsProlonged(t *testing.T) {
	t.Parallel()
	bench := sessiontest.New(t)
	bench.MakeUser(t, ada)
	secret := signInBrowser(t, bench, ada).BrowserSecret
	times := 0
	for range 40 * 4 { // forty days, a visit every six hours
		bench.Clock.Move(6 * time.Hour)
		_, renewed, err := bench.Sessions.VerifyBrowser(t.Context(), secret)
		require.NoError(t, err)
		if renewed {
			times++
		}
	}
	require.Equal(t, 40, times)
}

// Both kinds of sessions have the free plan from the second on in which a trial ends, before the job has written so.
func TestTrialEndsForSessions(t *testing.T) {
	t.Parallel()
	b := sessiontest.New(t)
	for _, email := range []string{ada, "grace@mossgate.example"} {
		u := b.MakeUser(t, email)
		require.NoError(t, b.Users.Update(t.Context(), u.ID, map[string]any{"trial_ends_at": b.Clock.Now().Add(time.Minute)}))
	}
	tokens, browser := b.Login(t, ada), signInBrowser(t, b, "grace@mossgate.example")
	for _, plan := range []string{"pro", auth.PlanFree} {
		program, err := b.Sessions.VerifySession(t.Context(), tokens.AccessToken)
		require.NoError(t, err)
		person, _, err := b.Sessions.VerifyBrowser(t.Context(), browser.BrowserSecret)
		require.NoError(t, err)
		require.Equal(t, []string{plan, plan}, []string{program.Plan, person.Plan})
		b.Clock.Move(time.Minute)
	}
}
