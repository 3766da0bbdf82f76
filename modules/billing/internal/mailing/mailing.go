// Package mailing sends mails about money to accounts. Nothing is sent inside a request: services enqueue jobs in their
// transactions, and the jobs render and send.
package mailing

import (
	"context"
	"fmt"
	"time"

	"gpatlas/modules/accounts/accountsapi"
	"gpatlas/modules/billing/billingapi"
	"gpatlas/platform/jobs"
	"gpatlas/platform/mail"
	"gpatlas/templates/email"
)

// The jobs of mails: how long one may take, and how often it is tried again. Ten tries at growing intervals span the
// hours for which a mail server is away.
const (
	Timeout = time.Minute
	Retries = 10
)

// Mailer addresses and sends mails.
type Mailer struct {
	accounts accountsapi.Directory
	wishes   billingapi.Wishes
	sender   mail.Sender
	url      accountsapi.PublicURL
}

// NewMailer sends through a sender to accounts of the directory, as they wish. Links in the mails begin with url.
func NewMailer(accounts accountsapi.Directory, wishes billingapi.Wishes, sender mail.Sender, url accountsapi.PublicURL) *Mailer {
	return &Mailer{accounts: accounts, wishes: wishes, sender: sender, url: url}
}

// Page is the URL of a page of the service; path begins with a slash: "/account".
func (m *Mailer) Page(path string) string { return m.url.Page(path) }

// Recipient is the account that a mail is written for.
type Recipient struct {
	accountsapi.Account

	UnsubscribeURL string // of the page that stops mails of category billing; not for those of category account
}

// Managers are the legal names of some managers, by CRD, as billingapi.Wishes gives them.
func (m *Mailer) Managers(ctx context.Context, crds []string) (map[string]string, error) {
	return m.wishes.Managers(ctx, crds)
}

// Content is one of the mails of templates/email.
type Content interface {
	Content() (email.Content, error)
}

// Send renders a mail and sends it to an account's address. content makes the mail for the account; nil: there is nothing
// to tell any more. An account that is unknown or deleted gets nothing, and that is no error. A mail of category billing is sent
// only to who wants them, and says how to stop them.
//
// key is the mail's natural key ("billing.alert:7:2026-11:80"): a mail that is sent again with the same one is the same mail
// to mail programs. An error after which trying again is of no use is marked by jobs.Never.
func (m *Mailer) Send(ctx context.Context, userID int64, key string, content func(to Recipient) Content) error {
	account, found, err := m.accounts.FindAccount(ctx, userID)
	if err != nil || !found {
		return err
	}
	stop, wanted, err := m.wishes.Billing(ctx, userID)
	if err != nil {
		return err
	}
	letter := content(Recipient{account, stop})
	if letter == nil {
		return nil
	}
	c, err := letter.Content()
	switch {
	case err != nil:
		return jobs.Never(err)
	case c.Category == email.CategoryAccount:
		stop = ""
	case c.Category != email.CategoryBilling:
		return jobs.Never(fmt.Errorf("%q is a mail of category %q, which billing does not send", c.Subject, c.Category))
	case !wanted:
		return nil
	}
	err = m.sender.Send(ctx, mail.Message{
		To: recipient(account), Subject: c.Subject, Text: c.Text, HTML: c.HTML, Category: c.Category, UnsubscribeURL: stop,
		MessageID: mail.MessageID(key),
	})
	if mail.IsPermanent(err) {
		return jobs.Never(err)
	}
	return err
}

// recipient leaves the name out until the address is known to be the person's: whoever registers with somebody else's
// address chooses the name that would stand in front of it.
func recipient(a accountsapi.Account) mail.Address {
	to := mail.Address{Email: a.Email}
	if a.EmailVerified {
		to.Name = a.FullName
	}
	return to
}
