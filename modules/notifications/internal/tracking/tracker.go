package tracking

import (
	"context"
	"errors"
	"strings"
	"time"

	"gpatlas/modules/accounts/accountsapi"
	"gpatlas/modules/notifications/internal/kind"
	"gpatlas/modules/notifications/internal/render"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/templates/email"
)

// Tracker makes the links of mails countable. It is a render.Tracker.
type Tracker struct {
	store *store
	clock clock.Clock
	base  string
}

// NewTracker works on db; tracked links begin with url.
func NewTracker(db *database.DB, clk clock.Clock, url accountsapi.PublicURL) *Tracker {
	return &Tracker{store: &store{db}, clock: clk, base: strings.TrimRight(string(url), "/")}
}

var errNotRefusable = errors.New("mails that cannot be refused are not tracked")

// Track implements render.Tracker. A further try of a mail gets the addresses that the first has got: it has the same Message-ID, and
// one of the two is what the recipient sees.
func (t *Tracker) Track(ctx context.Context, m render.Mail, content email.Content, to render.Links) (email.Content, error) {
	if !kind.Refusable(m.Kind.Category) {
		return content, errNotRefusable
	}
	wanted := destinations(content, to)
	rows := make([]linkRow, 0, len(wanted)+1)
	for _, destination := range wanted {
		rows = append(rows, linkRow{ID: newID(), Destination: destination})
	}
	rows = append(rows, linkRow{ID: newID(), Destination: t.base, Hidden: true})
	now := t.clock.Now().UTC().Truncate(time.Microsecond)
	stored, err := t.store.track(ctx, mailRow{ID: newID(), QueueID: m.ID, UserID: m.UserID, Kind: m.Kind.ID, CreatedAt: now}, rows)
	if err != nil {
		return content, err
	}
	l, mailID := links{base: t.base, ids: map[string]string{}}, ""
	for _, r := range stored {
		mailID = r.MailID
		if r.Hidden {
			l.hidden = r.ID
		} else {
			l.ids[r.Destination] = r.ID
		}
	}
	return l.rewrite(content, mailID), nil
}
