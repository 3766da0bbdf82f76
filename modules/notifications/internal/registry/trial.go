package registry

import (
	"context"
	"time"

	"gpatlas/modules/accounts/accountsapi"
	"gpatlas/modules/notifications/internal/kind"
	"gpatlas/modules/notifications/internal/render"
	"gpatlas/platform/apperr"
	"gpatlas/platform/mail"
	"gpatlas/templates/email"
)

// Tested says what a test has sent.
type Tested struct {
	ID        string    `json:"id" doc:"ID of the notification." example:"activity_digest"`
	Recipient string    `json:"recipient" doc:"Address of the administrator who called." example:"ada@larkspur.example"`
	Subject   string    `json:"subject" doc:"Subject of the email." example:"[Test] 5 new filings"`
	SentAt    time.Time `json:"sent_at" doc:"When the mail server accepted it (UTC)." example:"2026-11-20T09:30:00.000000Z"`
}

// SchemaName is its name in the OpenAPI document.
func (Tested) SchemaName() string { return "NotificationTestResult" }

// Test sends a mail of a kind to an administrator at once: built-in ones with the texts of the real email and invented data, others with their own text.
// Neither preferences nor limits nor whether the kind is enabled matter, and nothing is tracked or counted.
func (s *Service) Test(ctx context.Context, by int64, id string) (*Tested, error) {
	n, err := s.find(ctx, id)
	if err != nil {
		return nil, err
	}
	if n == nil {
		return nil, errUnknown(id)
	}
	to, found, err := s.directory.FindAccount(ctx, by)
	if err != nil {
		return nil, err
	}
	if !found {
		return nil, errGone
	}
	var stop string
	if s.unsubscriber != nil && kind.Refusable(n.Category) {
		if stop, err = s.unsubscriber.URL(ctx, by, n.Category); err != nil {
			return nil, err
		}
	}
	content, err := s.sample(ctx, n, to, stop)
	if err != nil {
		return nil, apperr.Internal(err)
	}
	m := mail.Message{
		To: mail.Address{Name: to.FullName, Email: to.Email}, Subject: content.Subject, Text: content.Text, HTML: content.HTML,
		Category: n.Category, UnsubscribeURL: stop,
	}
	if err := s.sender.Send(ctx, m); err != nil {
		return nil, apperr.Unavailable("The email was not sent: the mail server did not accept it. Try again in a few minutes").Wrap(err)
	}
	return &Tested{ID: id, Recipient: to.Email, Subject: m.Subject, SentAt: s.now()}, nil
}

// sample is a mail of a kind.
func (s *Service) sample(ctx context.Context, n *Notification, to accountsapi.Account, stop string) (email.Content, error) {
	if n.Text != nil && n.Subject != nil {
		content, err := email.NewNotice(to.FullName, "[Test] "+*n.Subject, *n.Text, stop).Content()
		return content, err
	}
	return s.renderers.Sample(ctx, s.samples, n.ID, to, s.now(), render.Links{PublicURL: s.url, Unsubscribe: stop})
}
