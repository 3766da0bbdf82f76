package export_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/accounts/internal/export"
	"gpatlas/modules/accounts/internal/mailing"
	"gpatlas/modules/accounts/internal/testkit/mailingtest"
	"gpatlas/modules/accounts/internal/testkit/sessiontest"
	"gpatlas/modules/accounts/internal/user"
	"gpatlas/platform/auth"
	"gpatlas/platform/testkit/httpapitest"
	"gpatlas/platform/testkit/jobstest"
)

// Ten within a day, each announced by mail; the eleventh gets Retry-After and sends no mail. Another account has its own ten,
// and a document that cannot be made is not counted.
func TestExportIsLimitedAndTold(t *testing.T) {
	t.Parallel()
	b := sessiontest.New(t)
	u, other := b.MakeUser(t, "ada@larkspur.example"), b.MakeUser(t, "grace@mossgate.example")
	mailer, mails := mailingtest.Mailer(t)
	notices := mailing.NoticeHandler(b.Users, mailer)
	_, err := service(b, part("keys", errors.New("broken"))).Export(t.Context(), u.ID, b.Login(t, u.Email).SessionID)
	require.ErrorContains(t, err, "broken")
	require.Empty(t, jobstest.Waiting(t, b.DB))

	host := httpapitest.New(t, export.Routes(service(b))...)
	ask := func(u *user.User, status int) httpapitest.Response {
		t.Helper()
		return host.Do(t, httpapitest.Scenario{Path: "/v1/me/account/export", As: &auth.Principal{Kind: auth.Session, UserID: u.ID, SessionID: b.Login(t, u.Email).SessionID}, Status: status})
	}
	for range 10 {
		ask(u, 200)
		b.Clock.Move(time.Minute)
	}
	for range 2 {
		refused := ask(u, 429)
		require.Equal(t, "85800", refused.Header.Get("Retry-After"), "a day but ten minutes")
		require.Contains(t, refused.Body, "ten times within a day")
	}
	ask(other, 200)
	jobstest.Deliver(t, b.DB, notices)
	require.Len(t, mails.To(u.Email), 10)
	require.Len(t, mails.To(other.Email), 1)
	told := mails.To(u.Email)[0]
	require.Equal(t, "Your GP Atlas data was exported", told.Subject)
	require.Contains(t, told.Text, "November 2026 at 09:30 UTC")
	require.Contains(t, told.Text, "/forgot-password")

	b.Clock.Set(sessiontest.Start.Add(24*time.Hour - time.Millisecond))
	ask(u, 429)
	b.Clock.Move(time.Millisecond)
	ask(u, 200)
	ask(u, 429)
}

// Guarantee: the document needs a sign-in of the last ten minutes. New tokens do not make a session younger, and another
// account's session does not help.
func TestExportNeedsARecentSignIn(t *testing.T) {
	t.Parallel()
	b := sessiontest.New(t)
	u, other := b.MakeUser(t, "ada@larkspur.example"), b.MakeUser(t, "grace@mossgate.example")
	host := httpapitest.New(t, export.Routes(service(b))...)
	ask := func(session string, status int) {
		t.Helper()
		host.Do(t, httpapitest.Scenario{Path: "/v1/me/account/export", As: &auth.Principal{Kind: auth.Session, UserID: u.ID, SessionID: session}, Status: status})
	}
	tokens := b.Login(t, u.Email)
	b.Clock.Move(10 * time.Minute)
	ask(tokens.SessionID, 200)
	b.Clock.Move(time.Millisecond)
	_, err := b.Sessions.Refresh(t.Context(), tokens.RefreshToken)
	require.NoError(t, err)
	ask(tokens.SessionID, 403)
	ask("", 403)
	ask(b.Login(t, other.Email).SessionID, 403)
	jobs := len(jobstest.Waiting(t, b.DB))
	require.Equal(t, 1, jobs, "the owner is told of what was exported, and of nothing else")
	ask(b.Login(t, u.Email).SessionID, 200)
}
