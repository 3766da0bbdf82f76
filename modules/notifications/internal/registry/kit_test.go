package registry_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/accounts/accountsapi"
	"gpatlas/modules/notifications/internal/digest"
	"gpatlas/modules/notifications/internal/marketintel"
	"gpatlas/modules/notifications/internal/registry"
	"gpatlas/modules/notifications/internal/render"
	"gpatlas/platform/auth"
	"gpatlas/platform/database"
	"gpatlas/platform/testkit/clocktest"
	"gpatlas/platform/testkit/dbtest"
	"gpatlas/platform/testkit/httpapitest"
	"gpatlas/platform/testkit/mailtest"
)

const path = "/v1/admin/notifications/"

// admin is the administrator of tests.
var admin = &auth.Principal{Kind: auth.Session, UserID: 7, Admin: true}

// directory knows one account.
type directory struct{}

func (directory) FindAccount(_ context.Context, id int64) (accountsapi.Account, bool, error) {
	return accountsapi.Account{ID: id, Email: "ada@larkspur.example", FullName: "Ada Larkspur", Admin: true}, id == admin.UserID, nil
}

// pages gives addresses to unsubscribe at.
type pages struct{}

func (pages) URL(_ context.Context, _ int64, category string) (string, error) {
	return "https://atlas.example/v1/unsubscribe/" + category, nil
}

type bench struct {
	db      *database.DB
	clock   *clocktest.Clock
	mails   *mailtest.Capture
	service *registry.Service
	host    *httpapitest.Host
}

func setup(t *testing.T) *bench {
	t.Helper()
	b := &bench{db: dbtest.New(t), clock: clocktest.At("2026-11-20T09:30:00Z"), mails: mailtest.NewCapture()}
	b.service = registry.NewService(b.db, b.clock, directory{}, render.Post{
		Renderers: render.Join(render.Letters(), digest.Renderers(), marketintel.Renderers()), Unsubscriber: pages{}, Sender: b.mails, URL: "https://atlas.example",
		Samples: render.Join(render.LetterSamples(), digest.Samples(), marketintel.Samples()),
	})
	b.host = httpapitest.New(t, registry.Routes(b.service)...)
	return b
}

// do calls as the administrator.
func (b *bench) do(t *testing.T, method, at, body string, status int) string {
	t.Helper()
	return b.host.Do(t, httpapitest.Scenario{Method: method, Path: path + at, Body: body, As: admin, Status: status}).Body
}

// export is the registry, to the byte.
func (b *bench) export(t *testing.T) string {
	t.Helper()
	return b.do(t, "GET", "export", "", 200)
}

// entry is the body of a kind.
func entry(id, more string) string {
	return `{"id":"` + id + `","name":"Notice","category":"product","subject":"Maintenance","text":"On Sunday."` + more + `}`
}

func document(entries ...string) string {
	return `{"version":1,"notifications":[` + strings.Join(entries, ",") + `]}`
}

// mail puts a mail into the queue; it was queued some days ago. It gives the row's ID.
func (b *bench) mail(t *testing.T, kind, category, state string, days int) int64 {
	t.Helper()
	at := b.clock.Now().Add(-time.Duration(days) * 24 * time.Hour)
	var sent, lease *time.Time
	switch state {
	case "sent":
		sent = &at
	case "sending":
		lease = &at
	}
	var id int64
	require.NoError(t, b.db.From(t.Context()).Raw(`INSERT INTO notifications.queue (kind, category, user_id, natural_key, data, state, lease_until, not_before, created_at, sent_at, message_id)
		VALUES (?, ?, 8, gen_random_uuid()::text, '{}', ?, ?, ?, ?, ?, 'm') RETURNING id`, kind, category, state, lease, at, at, sent).Scan(&id).Error)
	return id
}

// tracked makes a mail's opens and clicks countable.
func (b *bench) tracked(t *testing.T, mail int64, id string) {
	t.Helper()
	require.NoError(t, b.db.From(t.Context()).Exec(`INSERT INTO notifications.tracked_mails (id, queue_id, user_id, kind, created_at)
		SELECT ?, id, user_id, kind, created_at FROM notifications.queue WHERE id = ?`, id, mail).Error)
}

func (b *bench) hit(t *testing.T, id, link string, machine bool) {
	t.Helper()
	require.NoError(t, b.db.From(t.Context()).Exec(`INSERT INTO notifications.hits VALUES (?, ?, ?, 3, now(), now())`, id, link, machine).Error)
}
