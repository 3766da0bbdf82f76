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

var (
	errNotRefusable = errors.New("mails that cannot be refused are not tracked")
	errTwice        = errors.New("a mail is tracked by two workers at once")
)

// Track implements render.Tracker. A further attempt of a mail gets the URLs of the first: it has the same Message-ID, and the
// recipient sees one of the two.
func (t *Tracker) Track(ctx context.Context, drafts ...render.Draft) ([]email.Content, error) {
	now := t.clock.Now().UTC().Truncate(time.Microsecond)
	mails, rows := make([]mailRow, len(drafts)), []tracked{}
	for i, d := range drafts {
		if !kind.Refusable(d.Kind.Category) {
			return nil, errNotRefusable
		}
		mails[i] = mailRow{ID: newID(), QueueID: d.ID, UserID: d.UserID, Kind: d.Kind.ID}
		for _, destination := range destinations(d.Content, d.Links) {
			rows = append(rows, tracked{QueueID: d.ID, ID: newID(), Destination: destination})
		}
		rows = append(rows, tracked{QueueID: d.ID, ID: newID(), Destination: t.base, Hidden: true})
	}
	stored, err := t.store.track(ctx, mails, rows, now)
	if err != nil {
		return nil, err
	}
	of := map[int64]*links{}
	for _, r := range stored {
		l := of[r.QueueID]
		if l == nil {
			l = &links{base: t.base, mailID: r.MailID, ids: map[string]string{}}
			of[r.QueueID] = l
		}
		if r.Hidden {
			l.hidden = r.ID
		} else {
			l.ids[r.Destination] = r.ID
		}
	}
	list := make([]email.Content, len(drafts))
	for i, d := range drafts {
		l := of[d.ID]
		if l == nil { // another process is storing it, whose lease must have ended
			return nil, errTwice
		}
		list[i] = l.rewrite(d.Content)
	}
	return list, nil
}
