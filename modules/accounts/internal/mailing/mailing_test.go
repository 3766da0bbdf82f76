package mailing_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/accounts/internal/mailing"
	"gpatlas/modules/accounts/internal/testkit/mailingtest"
	"gpatlas/modules/accounts/internal/testkit/sessiontest"
	"gpatlas/platform/apperr"
	"gpatlas/platform/jobs"
	"gpatlas/platform/testkit/jobstest"
	"gpatlas/platform/testkit/mailtest"
)

const ada = "ada@larkspur.example"

// Each kind of notice is sent with its own words, and twice only as the same mail; its job has ids, a kind and a time.
func TestNotices(t *testing.T) {
	t.Parallel()
	b := sessiontest.New(t)
	u := b.MakeUser(t, ada)
	require.NoError(t, b.Users.Update(t.Context(), u.ID, map[string]any{"email_verified_at": b.Clock.Now(), "deleted_at": b.Clock.Now()}))
	mailer, mails := mailingtest.Mailer(t)
	handler := mailing.NoticeHandler(b.Users, mailer)
	send := func(kind mailing.Kind) int {
		t.Helper()
		mails.Reset()
		require.NoError(t, mailing.Enqueue(t.Context(), jobs.NewEnqueuer(b.DB), kind, u.ID, b.Clock.Now()))
		waiting := jobstest.Waiting(t, b.DB)
		require.Len(t, waiting, 1)
		require.JSONEq(t, fmt.Sprintf(`{"kind":%q,"user_id":%d,"at":"2026-11-20T09:30:00Z"}`, kind, u.ID), waiting[0].Payload)
		require.NoError(t, handler.Run(t.Context(), []byte(waiting[0].Payload)))
		jobstest.Deliver(t, b.DB, handler)
		list := mails.Messages()
		ids := map[string]bool{}
		for _, m := range list {
			ids[m.MessageID] = true
			require.Equal(t, ada, m.To.Email)
			require.Equal(t, "Ada Larkspur", m.To.Name)
			require.Contains(t, m.Text, "Hello Ada Larkspur")
			require.True(t, strings.HasPrefix(mailtest.Link(t, m.Text), mailingtest.Base+"/"))
			require.NotContains(t, m.Text, mailingtest.Base+"//")
		}
		require.LessOrEqual(t, len(ids), 1, "a second run sends the same mail")
		return len(list)
	}
	sent := func() map[mailing.Kind]int {
		t.Helper()
		got := map[mailing.Kind]int{}
		for _, kind := range []mailing.Kind{
			mailing.PasswordChanged, mailing.DataExported, mailing.AccountDeleted, mailing.AccountRecovered,
		} {
			if n := send(kind); n > 0 {
				got[kind] = n
			}
		}
		return got
	}
	require.Equal(t, map[mailing.Kind]int{mailing.PasswordChanged: 2, mailing.DataExported: 2, mailing.AccountDeleted: 2, mailing.AccountRecovered: 2}, sent())
	require.NoError(t, b.Users.Update(t.Context(), u.ID, map[string]any{"deleted_at": nil}))
	require.Equal(t, map[mailing.Kind]int{mailing.PasswordChanged: 2, mailing.DataExported: 2, mailing.AccountRecovered: 2}, sent())
	require.NoError(t, b.DB.From(t.Context()).Exec("DELETE FROM accounts.users").Error)
	require.Empty(t, sent(), "the account is purged")
}

// What cannot succeed is not tried again; everything else is.
func TestNoticeFailures(t *testing.T) {
	t.Parallel()
	b := sessiontest.New(t)
	u := b.MakeUser(t, ada)
	mailer, mails := mailingtest.Mailer(t)
	handler := mailing.NoticeHandler(b.Users, mailer)
	run := func(payload string) error { return handler.Run(t.Context(), []byte(payload)) }
	good := fmt.Sprintf(`{"kind":"password_changed","user_id":%d,"at":%q}`, u.ID, b.Clock.Now().Format(time.RFC3339Nano))
	for name, payload := range map[string]string{
		"no JSON": "x", "no such kind": strings.Replace(good, "password_changed", "party", 1), "no time": fmt.Sprintf(`{"kind":"password_changed","user_id":%d}`, u.ID),
	} {
		require.True(t, jobstest.Never(run(payload)), name)
	}
	mails.Fail(mailtest.Permanent())
	require.True(t, jobstest.Never(run(good)))
	for _, fault := range []error{mailtest.Temporary(), errors.New("away")} {
		mails.Fail(fault)
		err := run(good)
		require.Error(t, err)
		require.False(t, jobstest.Never(err))
	}
	mails.Fail(nil)
	require.NoError(t, run(good))
	require.Empty(t, mails.Messages()[0].To.Name, "an address that is not verified")
	require.True(t, strings.HasPrefix(mails.Messages()[0].Text, "Hello,"), "the greeting neither")
	require.NotContains(t, mails.Messages()[0].HTML, "Larkspur")
	b.DB.Close()
	err := run(good)
	require.Equal(t, apperr.KindUnavailable, apperr.From(err).Kind)
	require.False(t, jobstest.Never(err))
	require.Positive(t, handler.Retries)
}

func TestParsePages(t *testing.T) {
	t.Parallel()
	for _, good := range []string{"https://atlas.example", "http://127.0.0.1:8080/", "https://example.com/atlas/"} {
		pages, err := mailing.ParsePages(good)
		require.NoError(t, err)
		require.Equal(t, strings.TrimRight(good, "/")+"/verify-email?token=a_b-c", pages.Verify("a_b-c"))
		require.Equal(t, strings.TrimRight(good, "/")+"/reset-password?token=a_b-c", pages.Reset("a_b-c"))
	}
	for _, bad := range []string{"", "atlas.example", "/app", "ftp://atlas.example", "https://", "https://a:b@atlas.example", "https://atlas.example?x=1", "https://atlas.example#x", "https://a\n.example"} {
		_, err := mailing.ParsePages(bad)
		require.Error(t, err, bad)
	}
}
