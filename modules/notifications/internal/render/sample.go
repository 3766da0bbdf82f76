package render

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"gpatlas/modules/accounts/accountsapi"
	"gpatlas/modules/notifications/internal/kind"
	"gpatlas/platform/mail"
	"gpatlas/templates/email"
)

// Samples are invented data by kind, as the kinds' renderers take them.
type Samples map[string]func(now time.Time) any

// Post renders, links and sends mails.
type Post struct {
	Renderers    Renderers
	Samples      Samples // for tests
	Unsubscriber Unsubscriber
	Sender       mail.Sender
	URL          accountsapi.PublicURL
}

// Links are the links of a mail of a category to an account.
func (p Post) Links(ctx context.Context, userID int64, category string) (links Links, err error) {
	links = Links{PublicURL: p.URL, Preferences: p.URL.Page("/account/notifications")}
	if kind.Refusable(category) {
		links.Unsubscribe, err = p.Unsubscriber.URL(ctx, userID, category)
	}
	return links, err
}

// Message addresses a mail.
func Message(to accountsapi.Account, category string, c email.Content, links Links, id string) mail.Message {
	return mail.Message{
		To: mail.To(to.Email, to.FullName), Subject: c.Subject, Text: c.Text, HTML: c.HTML, Category: category,
		UnsubscribeURL: links.Unsubscribe, MessageID: id,
	}
}

// Sample renders a test of a kind. The texts are those of the real emails, the data is invented.
func (p Post) Sample(ctx context.Context, id string, to accountsapi.Account, now time.Time, links Links) (email.Content, error) {
	const trial = 3 * 24 * time.Hour
	write, invent := p.Renderers[id], p.Samples[id]
	if write == nil || invent == nil {
		return email.Content{}, fmt.Errorf("there is no sample of the email %q", id)
	}
	to.SubscriptionPlan, to.TrialEndsAt = "free", now.Add(trial) // some emails have no text for other accounts
	data, err := json.Marshal(invent(now))
	if err != nil {
		return email.Content{}, err
	}
	content, something, err := write(ctx, to, data, links)
	if err == nil && !something {
		err = fmt.Errorf("the sample of the email %q is empty", id)
	}
	content.Subject = "[Test] " + content.Subject
	return content, err
}
