// Package mailing sends the mails of accounts. Nothing is sent inside a request: services enqueue jobs in their
// transactions, and the jobs render and send.
package mailing

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"time"

	"gpatlas/modules/accounts/accountsapi"
	"gpatlas/modules/accounts/internal/user"
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

// Pages are the addresses that links in mails lead to, under the address at which people reach the service.
type Pages struct{ base accountsapi.PublicURL }

// ParsePages makes the addresses under a public address: "https://atlas.example", with a path where the pages have one.
func ParsePages(base string) (Pages, error) {
	u, err := url.Parse(base)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return Pages{}, fmt.Errorf("%q is not a URL such as https://atlas.example", base)
	}
	return Pages{accountsapi.PublicURL(strings.TrimRight(base, "/"))}, nil
}

// The paths of pages. Those of VerifyEmail and ResetPassword carry ?token=….
const (
	verifyPath  = "/verify-email"
	resetPath   = "/reset-password"
	forgotPath  = "/forgot-password"
	recoverPath = "/recover-account"
	signInPath  = "/login"
)

// Verify is the page that confirms an address by a token.
func (p Pages) Verify(token string) string { return email.Link(string(p.base), verifyPath, token) }

// Reset is the page that asks for the new password, with a token.
func (p Pages) Reset(token string) string { return email.Link(string(p.base), resetPath, token) }

// Base is the public address itself, for other modules.
func (p Pages) Base() accountsapi.PublicURL { return p.base }

func (p Pages) page(path string) string { return p.base.Page(path) }

// Mailer addresses and sends mails.
type Mailer struct {
	sender mail.Sender
	Pages  Pages
}

// NewMailer sends through a sender.
func NewMailer(sender mail.Sender, pages Pages) *Mailer { return &Mailer{sender: sender, Pages: pages} }

// Content is one of the mails of templates/email.
type Content interface {
	Content() (email.Content, error)
}

// Send renders a mail and sends it to an account's address. key is the mail's natural key: a mail that is sent again with
// the same one is the same mail to mail programs. An error after which trying again is of no use is marked by jobs.Never.
func (m *Mailer) Send(ctx context.Context, u *user.User, key string, content Content) error {
	c, err := content.Content()
	if err == nil && c.Category != email.CategoryAccount {
		err = fmt.Errorf("%q is a mail of category %q: it has to ask whether it is wanted", c.Subject, c.Category)
	}
	if err != nil {
		return jobs.Never(err)
	}
	err = m.sender.Send(ctx, mail.Message{
		To: recipient(u), Subject: c.Subject, Text: c.Text, HTML: c.HTML, Category: c.Category, MessageID: mail.MessageID(key),
	})
	if mail.IsPermanent(err) {
		return jobs.Never(err)
	}
	return err
}

// recipient leaves the name out until the address is known to be the person's: whoever registers with somebody else's
// address chooses the name that would stand in front of it.
func recipient(u *user.User) mail.Address {
	to := mail.Address{Email: u.Email}
	if u.EmailVerifiedAt != nil {
		to.Name = u.FullName
	}
	return to
}
