package mailing_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/accounts/accountsapi"
	"gpatlas/modules/billing/internal/mailing"
	"gpatlas/modules/billing/internal/mailing/mailingtest"
	"gpatlas/platform/jobs/jobstest"
	"gpatlas/platform/mail"
	"gpatlas/platform/mail/mailtest"
	"gpatlas/templates/email"
)

const key = "billing.test:7"

var mailTime = time.Date(2026, 11, 20, 9, 30, 0, 0, time.UTC)

func recovered(m *mailing.Mailer) func(accountsapi.Account) mailing.Content {
	return func(a accountsapi.Account) mailing.Content {
		return email.AccountRecovered{FullName: a.FullName, RecoveredAt: mailTime, SignInURL: m.Page("/login"), ResetURL: m.Page("/forgot-password")}
	}
}

// A mail reaches the account under its category; the same key makes the same mail.
func TestSend(t *testing.T) {
	t.Parallel()
	accounts := mailingtest.NewDirectory(mailingtest.Ada(7))
	mailer, mails := mailingtest.Mailer(accounts)
	for range 2 {
		require.NoError(t, mailer.Send(t.Context(), 7, key, recovered(mailer)))
	}
	sent := mails.Messages()
	require.Len(t, sent, 2)
	require.Equal(t, mail.MessageID(key), sent[0].MessageID)
	require.Equal(t, sent[0], sent[1])
	require.Equal(t, mail.Address{Name: "Ada Larkspur", Email: "ada@larkspur.example"}, sent[0].To)
	require.Equal(t, "billing", sent[0].Category)
	require.Equal(t, "https://atlas.example/login", mailtest.Link(t, sent[0].Text))

	unverified := mailingtest.Ada(7)
	unverified.EmailVerified = false
	accounts.Put(unverified)
	mails.Reset()
	require.NoError(t, mailer.Send(t.Context(), 7, key, recovered(mailer)))
	require.Empty(t, mails.Messages()[0].To.Name, "an address that is not verified")
}

// An account that is gone gets nothing, and neither does one for which there is nothing to tell any more.
func TestSendNothing(t *testing.T) {
	t.Parallel()
	accounts := mailingtest.NewDirectory(mailingtest.Ada(7))
	mailer, mails := mailingtest.Mailer(accounts)
	require.NoError(t, mailer.Send(t.Context(), 8, key, recovered(mailer)))
	require.NoError(t, mailer.Send(t.Context(), 7, key, func(accountsapi.Account) mailing.Content { return nil }))
	accounts.Remove(7)
	require.NoError(t, mailer.Send(t.Context(), 7, key, recovered(mailer)))
	require.Empty(t, mails.Messages())
}

// What cannot succeed is not tried again; everything else is.
func TestSendFailures(t *testing.T) {
	t.Parallel()
	accounts := mailingtest.NewDirectory(mailingtest.Ada(7))
	mailer, mails := mailingtest.Mailer(accounts)
	send := func() error { return mailer.Send(t.Context(), 7, key, recovered(mailer)) }
	require.True(t, jobstest.Never(mailer.Send(t.Context(), 7, key, func(accountsapi.Account) mailing.Content { return email.AccountRecovered{} })))
	mails.Fail(mailtest.Permanent())
	require.True(t, jobstest.Never(send()))
	for _, fault := range []error{mailtest.Temporary(), errors.New("away")} {
		mails.Fail(fault)
		require.ErrorIs(t, send(), fault)
		require.False(t, jobstest.Never(send()))
	}
	mails.Fail(nil)
	away := errors.New("the database is away")
	accounts.Fail(away)
	require.ErrorIs(t, send(), away)
	require.False(t, jobstest.Never(send()))
	require.Empty(t, mails.Messages())
}
