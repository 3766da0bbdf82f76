// Package mailing sends mails about money to accounts. Nothing is sent inside a request: services enqueue jobs in their
// transactions, and the jobs render and send.
package mailing

import (
	"context"
	"time"

	"gpatlas/modules/accounts/accountsapi"
	"gpatlas/platform/jobs"
	"gpatlas/platform/mail"
	"gpatlas/templates/email"
)

// category of all mails about money.
const category = "billing"

// The jobs of mails: how long one may take, and how often it is tried again. Ten tries at growing intervals span the
// hours for which a mail server is away.
const (
	Timeout = time.Minute
	Retries = 10
)

// Mailer addresses and sends mails.
type Mailer struct {
	accounts accountsapi.Directory
	sender   mail.Sender
	url      accountsapi.PublicURL
}

// NewMailer sends through a sender to accounts of the directory. Links in the mails begin with url.
func NewMailer(accounts accountsapi.Directory, sender mail.Sender, url accountsapi.PublicURL) *Mailer {
	return &Mailer{accounts: accounts, sender: sender, url: url}
}

// Page is the URL of a page of the service; path begins with a slash: "/account".
func (m *Mailer) Page(path string) string { return m.url.Page(path) }

// Content is one of the mails of templates/email.
type Content interface {
	Content() (email.Content, error)
}

// Send renders a mail and sends it to an account's address. content makes the mail for the account; nil: there is nothing
// to tell any more. An account that is unknown or deleted gets nothing, and that is no error.
//
// key is the mail's natural key ("billing.alert:7:2026-11:80"): a mail that is sent again with the same one is the same mail
// to mail programs. An error after which trying again is of no use is marked by jobs.Never.
func (m *Mailer) Send(ctx context.Context, userID int64, key string, content func(accountsapi.Account) Content) error {
	account, found, err := m.accounts.FindAccount(ctx, userID)
	if err != nil || !found {
		return err
	}
	wanted := content(account)
	if wanted == nil {
		return nil
	}
	c, err := wanted.Content()
	if err != nil {
		return jobs.Never(err)
	}
	err = m.sender.Send(ctx, mail.Message{
		To: recipient(account), Subject: c.Subject, Text: c.Text, HTML: c.HTML, Category: category, MessageID: mail.MessageID(key),
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
