package mail

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode"

	"gpatlas/platform/jobs"
	"gpatlas/templates/email"
)

// Mailer renders mails of templates/email and sends them to the holders of accounts, in jobs.
type Mailer struct{ sender Sender }

// NewMailer sends through a sender.
func NewMailer(sender Sender) *Mailer { return &Mailer{sender} }

// Choice is an account's preference for a category that can be refused. The zero Choice sends mails of category account only.
type Choice struct {
	Category       string
	Refused        bool
	UnsubscribeURL string // of the page that stops the category
}

// Send renders a mail and sends it. A mail of category account ignores the choice; other mails need the choice of their
// category.
//
// key is the mail's natural key ("billing.alert:7:2026-11:80"): mail programs treat two mails with the same key as one.
// Permanent errors are marked by jobs.Never.
func (m *Mailer) Send(ctx context.Context, to Address, key string, letter email.Mail, choice Choice) error {
	c, err := letter.Content()
	switch {
	case err != nil:
		return jobs.Never(err)
	case c.Category == email.CategoryAccount:
		choice.UnsubscribeURL = ""
	case c.Category != choice.Category:
		return jobs.Never(fmt.Errorf("%q is a mail of category %q: its sender must ask whether the account wants it", c.Subject, c.Category))
	case choice.Refused:
		return nil
	}
	err = m.sender.Send(ctx, Message{
		To: to, Subject: c.Subject, Text: c.Text, HTML: c.HTML, Category: c.Category, UnsubscribeURL: choice.UnsubscribeURL, MessageID: MessageID(key),
	})
	if IsPermanent(err) {
		return jobs.Never(err)
	}
	return err
}

// To returns an address with its holder's name, without characters that a header cannot contain.
func To(address, name string) Address {
	words := strings.FieldsFunc(name, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) })
	return Address{Name: strings.Join(words, " "), Email: address}
}

// Job handles a job that sends one mail. Ten tries at growing intervals span the hours for which a mail server is unavailable.
func Job[P any](name string, send func(ctx context.Context, payload P) error) jobs.Handler {
	return jobs.Handler{Type: name, Timeout: time.Minute, Retries: 10, Run: func(ctx context.Context, payload []byte) error {
		p, err := jobs.Decode[P](payload)
		if err != nil {
			return err
		}
		return send(ctx, p)
	}}
}
