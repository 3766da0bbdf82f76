// Package render is what the delivery needs from other packages for each mail: its text, its links, and their tracking.
package render

import (
	"context"
	"encoding/json"
	"maps"

	"gpatlas/modules/accounts/accountsapi"
	"gpatlas/modules/notifications/internal/kind"
	"gpatlas/templates/email"
)

// Links are the URLs that a mail can lead to.
type Links struct {
	accountsapi.PublicURL // pages of the service: links.Page("/plans")

	Unsubscribe string // page that refuses the mail's category; empty if the category cannot be refused
	Preferences string // page on which an account chooses its mails
}

// Renderer writes the mails of one kind. data is what was enqueued. false: the mail has no contents any more.
type Renderer func(ctx context.Context, to accountsapi.Account, data json.RawMessage, links Links) (email.Content, bool, error)

// Renderers are the renderers by kind.
type Renderers map[string]Renderer

// Draft is a mail that is about to be sent.
type Draft struct {
	ID      int64 // of the row in the queue; the same at a further attempt
	UserID  int64
	Kind    kind.Kind
	Content email.Content
	Links   Links
}

// Tracker puts tracked links and a pixel into the HTML of mails, of all or of none. It is not called for category account. A
// further attempt of the same mail calls it again, and must get the same URLs. links.Unsubscribe and links.Preferences stay as
// they are.
type Tracker interface {
	Track(ctx context.Context, drafts ...Draft) ([]email.Content, error)
}

// Unsubscriber returns the URL of the page that refuses a category, which is also the URL of the one-click POST.
type Unsubscriber interface {
	URL(ctx context.Context, userID int64, category string) (string, error)
}

// Typed makes a renderer of a function that takes its data decoded, and returns nil if the mail has no contents any more.
func Typed[D any](write func(to accountsapi.Account, data D, links Links) email.Mail) Renderer {
	return func(_ context.Context, to accountsapi.Account, data json.RawMessage, links Links) (email.Content, bool, error) {
		var d D
		if err := json.Unmarshal(data, &d); err != nil {
			return email.Content{}, false, err
		}
		m := write(to, d, links)
		if m == nil {
			return email.Content{}, false, nil
		}
		c, err := m.Content()
		return c, err == nil, err
	}
}

// Join joins the renderers, or the samples, of several slices.
func Join[M ~map[string]V, V any](lists ...M) M {
	all := M{}
	for _, list := range lists {
		maps.Copy(all, list)
	}
	return all
}
