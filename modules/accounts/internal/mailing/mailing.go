// Package mailing sends the mails of accounts. Nothing is sent inside a request: services enqueue jobs in their
// transactions, and the jobs render and send.
package mailing

import (
	"context"
	"fmt"
	"net/url"
	"strings"

	"gpatlas/modules/accounts/accountsapi"
	"gpatlas/modules/accounts/internal/user"
	"gpatlas/platform/mail"
	"gpatlas/templates/email"
)

// Pages are the URLs of pages in mails, under the service's public URL.
type Pages struct{ base accountsapi.PublicURL }

// ParsePages makes the URLs under a public URL: "https://atlas.example", with an optional path.
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

// Verify is the page that verifies an address by a token.
func (p Pages) Verify(token string) string { return email.Link(string(p.base), verifyPath, token) }

// Reset is the page that asks for the new password, with a token.
func (p Pages) Reset(token string) string { return email.Link(string(p.base), resetPath, token) }

// Base is the public URL itself, for other modules.
func (p Pages) Base() accountsapi.PublicURL { return p.base }

func (p Pages) page(path string) string { return p.base.Page(path) }

// Mailer sends mails about accounts, whose links lead to Pages.
type Mailer struct {
	mails *mail.Mailer
	Pages Pages
}

// NewMailer sends through a sender.
func NewMailer(sender mail.Sender, pages Pages) *Mailer {
	return &Mailer{mail.NewMailer(sender), pages}
}

// Send sends a mail of category account to an account, whose address may be unverified. key is the mail's natural key.
func (m *Mailer) Send(ctx context.Context, u *user.User, key string, letter email.Mail) error {
	return m.mails.Send(ctx, mail.To(u.Email, u.ConfirmedName()), key, letter, mail.Choice{})
}
