package registry

import (
	"context"
	"time"

	"gpatlas/modules/accounts/accountsapi"
	"gpatlas/modules/notifications/internal/render"
	"gpatlas/platform/apperr"
	"gpatlas/templates/email"
)

// Tested is the result of a test.
type Tested struct {
	ID        string    `json:"id" doc:"ID of the notification." example:"activity_digest"`
	Recipient string    `json:"recipient" doc:"Address of the administrator who called." example:"ada@larkspur.example"`
	Subject   string    `json:"subject" doc:"Subject of the email." example:"[Test] 5 new filings"`
	SentAt    time.Time `json:"sent_at" doc:"When the mail server accepted it (UTC)." example:"2026-11-20T09:30:00.000000Z"`
}

// SchemaName is its name in the OpenAPI document.
func (Tested) SchemaName() string { return "NotificationTestResult" }

// Test sends a mail of a kind to an administrator at once: built-in ones with the texts of the real email and invented data,
// others with their own text. It ignores preferences, limits and whether the kind is enabled, and nothing is tracked or
// counted.
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
	links, err := s.post.Links(ctx, by, n.Category)
	if err != nil {
		return nil, err
	}
	content, err := s.sample(ctx, n, to, links)
	if err != nil {
		return nil, apperr.Internal(err)
	}
	if err := s.post.Sender.Send(ctx, render.Message(to, n.Category, content, links, "")); err != nil {
		return nil, apperr.Unavailable("The email was not sent: the mail server did not accept it. Try again in a few minutes").Wrap(err)
	}
	return &Tested{ID: id, Recipient: to.Email, Subject: content.Subject, SentAt: s.now()}, nil
}

// sample is a mail of a kind.
func (s *Service) sample(ctx context.Context, n *Notification, to accountsapi.Account, links render.Links) (email.Content, error) {
	if n.Text != nil && n.Subject != nil {
		return email.NewNotice(to.FullName, "[Test] "+*n.Subject, *n.Text, links.Unsubscribe).Content()
	}
	return s.post.Sample(ctx, n.ID, to, s.now(), links)
}
