// Package mailing sends mails about money to accounts that want them.
package mailing

import (
	"context"

	"gpatlas/modules/accounts/accountsapi"
	"gpatlas/modules/billing/billingapi"
	"gpatlas/platform/mail"
	"gpatlas/templates/email"
)

// Mailer finds accounts, checks their preferences, and sends mails.
type Mailer struct {
	billingapi.Wishes
	accountsapi.PublicURL // links in the mails begin with it

	accounts accountsapi.Directory
	mails    *mail.Mailer
}

// NewMailer sends through a sender to accounts of the directory that want the mail.
func NewMailer(accounts accountsapi.Directory, wishes billingapi.Wishes, sender mail.Sender, url accountsapi.PublicURL) *Mailer {
	return &Mailer{Wishes: wishes, PublicURL: url, accounts: accounts, mails: mail.NewMailer(sender)}
}

// Recipient is the account that a mail is written for.
type Recipient struct {
	accountsapi.Account

	UnsubscribeURL string // of the page that stops mails of category billing; unused for category account
}

// Send sends a mail of category account or billing to an account; write makes it. An account that is unknown, deleted or does not want the
// category gets no mail, which is no error. key is the mail's natural key ("billing.alert:7:2026-11:80").
func (m *Mailer) Send(ctx context.Context, userID int64, key string, write func(to Recipient) email.Mail) error {
	to, found, err := m.accounts.FindAccount(ctx, userID)
	if err != nil || !found {
		return err
	}
	stop, wanted, err := m.Billing(ctx, userID)
	if err != nil {
		return err
	}
	choice := mail.Choice{Category: email.CategoryBilling, Refused: !wanted, UnsubscribeURL: stop}
	return m.mails.Send(ctx, mail.To(to.Email, to.FullName), key, write(Recipient{to, stop}), choice)
}
