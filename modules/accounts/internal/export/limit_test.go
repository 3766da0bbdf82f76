package export_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/accounts/internal/export"
	"gpatlas/modules/accounts/internal/mailing"
	"gpatlas/modules/accounts/internal/mailing/mailingtest"
	"gpatlas/modules/accounts/internal/session/sessiontest"
	"gpatlas/platform/auth"
	"gpatlas/platform/httpapi/httpapitest"
	"gpatlas/platform/jobs/jobstest"
)

// Ten within a day, each told by mail; the eleventh is told when to come again, and nobody is told of it. Another account has
// ten of its own, and a document that cannot be made is not counted.
func TestExportIsLimitedAndTold(t *testing.T) {
	t.Parallel()
	b := sessiontest.New(t)
	u, other := b.MakeUser(t, "ada@larkspur.example"), b.MakeUser(t, "grace@mossgate.example")
	mailer, mails := mailingtest.Mailer(t)
	notices := mailing.NoticeHandler(b.Users, mailer)
	_, err := service(b, part{name: "keys", err: errors.New("broken")}).Export(t.Context(), u.ID)
	require.ErrorContains(t, err, "broken")
	require.Empty(t, jobstest.Waiting(t, b.DB))

	host := httpapitest.New(t, export.Routes(service(b))...)
	ask := func(id int64, status int) httpapitest.Response {
		t.Helper()
		return host.Do(t, httpapitest.Scenario{Path: "/v1/me/account/export", As: &auth.Principal{Kind: auth.Session, UserID: id}, Status: status})
	}
	for range 10 {
		ask(u.ID, 200)
		b.Clock.Move(time.Minute)
	}
	for range 2 {
		refused := ask(u.ID, 429)
		require.Equal(t, "85800", refused.Header.Get("Retry-After"), "a day but ten minutes")
		require.Contains(t, refused.Body, "ten times within a day")
	}
	ask(other.ID, 200)
	jobstest.Deliver(t, b.DB, notices)
	require.Len(t, mails.To(u.Email), 10)
	require.Len(t, mails.To(other.Email), 1)
	told := mails.To(u.Email)[0]
	require.Equal(t, "Your GP Atlas data was exported", told.Subject)
	require.Contains(t, told.Text, "November 2026 at 09:30 UTC")
	require.Contains(t, told.Text, "/forgot-password")

	b.Clock.Set(sessiontest.Start.Add(24*time.Hour - time.Millisecond))
	ask(u.ID, 429)
	b.Clock.Move(time.Millisecond)
	ask(u.ID, 200)
	ask(u.ID, 429)
}
