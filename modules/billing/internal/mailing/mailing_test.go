package mailing_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/billing/internal/mailing"
	"gpatlas/modules/billing/internal/testkit/mailingtest"
	"gpatlas/platform/mail"
	"gpatlas/platform/testkit/jobstest"
	"gpatlas/platform/testkit/mailtest"
	"gpatlas/templates/email"
)

const key = "billing.test:7"

var mailTime = time.Date(2026, 11, 20, 9, 30, 0, 0, time.UTC)

func failed(m *mailing.Mailer) func(mailing.Recipient) email.Mail {
	return func(a mailing.Recipient) email.Mail {
		return email.PaymentFailed{FullName: a.FullName, Amount: "49.00 USD", FailedAt: mailTime, EndsAt: mailTime, PayURL: m.Page("/account")}
	}
}

func paid(m *mailing.Mailer) func(mailing.Recipient) email.Mail {
	return func(a mailing.Recipient) email.Mail {
		return email.PaymentReceipt{FullName: a.FullName, Amount: "49.00 USD", PaidAt: mailTime, InvoiceURL: m.Page("/account"), UnsubscribeURL: a.UnsubscribeURL}
	}
}

// Receipts say how to stop them, in the header too, and stop with the category. Failed payments do neither.
func TestCategories(t *testing.T) {
	t.Parallel()
	capture := mailtest.NewCapture()
	mailer := mailing.NewMailer(mailingtest.NewDirectory(mailingtest.Ada(7), mailingtest.Ada(8)), mailingtest.Wishes{8: true}, capture, mailingtest.Base)
	for userID, want := range map[int64][]string{7: {"account ", "billing " + mailingtest.Stop}, 8: {"account "}} {
		capture.Reset()
		require.NoError(t, mailer.Send(t.Context(), userID, key, failed(mailer)))
		require.NoError(t, mailer.Send(t.Context(), userID, key, paid(mailer)))
		var got []string
		for _, m := range capture.Messages() {
			got = append(got, m.Category+" "+m.UnsubscribeURL)
			require.Equal(t, m.UnsubscribeURL != "", strings.Contains(m.Text, mailingtest.Stop))
		}
		require.Equal(t, want, got)
	}
	require.True(t, jobstest.Never(mailer.Send(t.Context(), 7, key, func(a mailing.Recipient) email.Mail {
		return email.NotificationTest{Category: "product", SentAt: mailTime, URL: mailer.Page("/account")}
	})), "a mail of another module")
}

// A mail reaches the account under its category; the same key makes the same mail.
func TestSend(t *testing.T) {
	t.Parallel()
	accounts := mailingtest.NewDirectory(mailingtest.Ada(7))
	mailer, mails := mailingtest.Mailer(accounts)
	for range 2 {
		require.NoError(t, mailer.Send(t.Context(), 7, key, failed(mailer)))
	}
	sent := mails.Messages()
	require.Len(t, sent, 2)
	require.Equal(t, mail.MessageID(key), sent[0].MessageID)
	require.Equal(t, sent[0], sent[1])
	require.Equal(t, mail.Address{Name: "Ada Larkspur", Email: "ada@larkspur.example"}, sent[0].To)
	require.Equal(t, "account", sent[0].Category)
	require.Equal(t, "https://atlas.example/account", mailtest.Link(t, sent[0].Text))
}

// An account that is gone gets nothing.
func TestSendNothing(t *testing.T) {
	t.Parallel()
	accounts := mailingtest.NewDirectory(mailingtest.Ada(7))
	mailer, mails := mailingtest.Mailer(accounts)
	require.NoError(t, mailer.Send(t.Context(), 8, key, failed(mailer)))
	accounts.Remove(7)
	require.NoError(t, mailer.Send(t.Context(), 7, key, failed(mailer)))
	require.Empty(t, mails.Messages())
}

// What cannot succeed is not tried again; everything else is.
func TestSendFailures(t *testing.T) {
	t.Parallel()
	accounts := mailingtest.NewDirectory(mailingtest.Ada(7))
	mailer, mails := mailingtest.Mailer(accounts)
	send := func() error { return mailer.Send(t.Context(), 7, key, failed(mailer)) }
	require.True(t, jobstest.Never(mailer.Send(t.Context(), 7, key, func(mailing.Recipient) email.Mail { return email.PaymentFailed{} })))
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
