// Package deliverytest supports tests of notifications: accounts, and a delivery over a real database.
package deliverytest

import (
	"context"
	"encoding/json"
	"fmt"
	"html"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/accounts/accountsapi"
	"gpatlas/modules/notifications/internal/delivery"
	"gpatlas/modules/notifications/internal/kind"
	"gpatlas/modules/notifications/internal/linkkey"
	"gpatlas/modules/notifications/internal/preference"
	"gpatlas/modules/notifications/internal/queue"
	"gpatlas/modules/notifications/internal/render"
	"gpatlas/modules/notifications/internal/unsubscribe"
	"gpatlas/platform/database"
	"gpatlas/platform/jobs"
	"gpatlas/platform/mail"
	"gpatlas/platform/testkit/clocktest"
	"gpatlas/templates/email"
)

// Base is the public URL in links.
const Base accountsapi.PublicURL = "https://atlas.example"

// Start is the initial time of every bench.
const Start = "2026-11-22T12:00:00Z"

// Ends is the end of Account's trial.
var Ends = clocktest.Instant("2026-11-24T09:30:00Z")

// Directory replaces module accounts. Every account exists unless it was removed.
type Directory struct {
	mutex sync.Mutex
	known map[int64]accountsapi.Account
	gone  map[int64]bool
	fault error
}

// NewDirectory has every account.
func NewDirectory() *Directory {
	return &Directory{known: map[int64]accountsapi.Account{}, gone: map[int64]bool{}}
}

// Account is an account on trial with a verified address.
func Account(id int64) accountsapi.Account {
	return accountsapi.Account{
		ID: id, Email: fmt.Sprintf("person%d@larkspur.example", id), FullName: fmt.Sprintf("Person %d Larkspur", id), EmailVerified: true,
		SubscriptionPlan: "pro", TrialEndsAt: Ends, MarketingConsent: true,
	}
}

// FindAccount finds an account.
func (d *Directory) FindAccount(_ context.Context, id int64) (accountsapi.Account, bool, error) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	if d.fault != nil || d.gone[id] {
		return accountsapi.Account{}, false, d.fault
	}
	if a, known := d.known[id]; known {
		return a, true, nil
	}
	return Account(id), true, nil
}

// Put replaces an account.
func (d *Directory) Put(a accountsapi.Account) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	d.known[a.ID] = a
}

// Remove deletes an account.
func (d *Directory) Remove(id int64) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	d.gone[id] = true
}

// Fail makes every further call return err; nil ends that.
func (d *Directory) Fail(err error) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	d.fault = err
}

// Kinds are the built-in kinds, some of them changed, and others.
type Kinds map[string]kind.Kind

// Find implements kind.Kinds.
func (k Kinds) Find(ctx context.Context, id string) (kind.Kind, bool, error) {
	if found, changed := k[id]; changed {
		return found, found.ID != "", nil
	}
	return kind.InCode{}.Find(ctx, id)
}

// Bench is a delivery.
type Bench struct {
	DB          *database.DB
	Clock       *clocktest.Clock
	Accounts    *Directory
	Kinds       Kinds
	Queue       *queue.Service
	Preferences *preference.Service
	Bounces     *delivery.Bounces
	Tokens      *unsubscribe.Tokens
	Parts       delivery.Parts // for further services over the same database
	Delivery    *delivery.Service
}

// New delivers through sender. It renders the kinds of letters, and plain, which Plain renders.
func New(tb testing.TB, db *database.DB, sender mail.Sender) *Bench {
	tb.Helper()
	clk := clocktest.At(Start)
	key := linkkey.New(db, clk)
	accounts := NewDirectory()
	b := &Bench{
		DB: db, Clock: clk, Accounts: accounts, Kinds: Kinds{},
		Preferences: preference.NewService(db, clk, accounts), Bounces: delivery.NewBounces(db, clk, key), Tokens: unsubscribe.NewTokens(key, Base),
	}
	b.Queue = queue.NewService(db, clk, b.Kinds)
	b.Parts = delivery.Parts{
		Queue: b.Queue, Kinds: b.Kinds, Accounts: b.Accounts, Preferences: b.Preferences, Bounces: b.Bounces,
		Post: render.Post{
			Renderers: render.Join(render.Letters(), render.Renderers{kind.Digest: Plain, kind.Market: Plain}), Unsubscriber: b.Tokens,
			Samples: render.LetterSamples(), Sender: sender, URL: Base,
		},
		Connections: 4,
	}
	b.Delivery = b.Service()
	return b
}

// Service is another delivery over the same database, of another process.
func (b *Bench) Service() *delivery.Service {
	return delivery.NewService(b.DB, b.Clock, slog.New(slog.DiscardHandler), jobs.NewEnqueuer(b.DB), b.Parts)
}

// Plain is a renderer that needs no data. Its text contains the unsubscribe link.
func Plain(_ context.Context, to accountsapi.Account, _ json.RawMessage, links render.Links) (email.Content, bool, error) {
	text := "For " + to.FullName + "\n" + links.Unsubscribe + "\n"
	return email.Content{Subject: "Plain mail", Text: text, HTML: "<p>" + html.EscapeString(text) + "</p>"}, true, nil
}

// Add queues a mail that can be refused, of category product.
func (b *Bench) Add(tb testing.TB, userID int64, key string) {
	tb.Helper()
	b.AddKind(tb, kind.Test, userID, key)
}

// AddKind queues a mail of a kind.
func (b *Bench) AddKind(tb testing.TB, id string, userID int64, key string) {
	tb.Helper()
	added, err := b.Queue.Add(tb.Context(), queue.Item{Kind: id, UserID: userID, Key: key, Data: render.At{At: Ends}})
	require.NoError(tb, err)
	require.True(tb, added, key)
}

// Row is a row of the queue.
type Row struct {
	NaturalKey string
	State      string
	Reason     string
	Attempts   int
	NotBefore  time.Time
}

// Rows are those of the queue, by their keys.
func (b *Bench) Rows(tb testing.TB) map[string]Row {
	tb.Helper()
	const statement = "SELECT natural_key, state, coalesce(reason, '') AS reason, attempts, not_before FROM notifications.queue"
	list, err := database.Select[Row](tb.Context(), b.DB, "read the queue", statement, nil)
	require.NoError(tb, err)
	rows := map[string]Row{}
	for _, r := range list {
		rows[r.NaturalKey] = r
	}
	return rows
}

// States counts the rows of the queue by their state.
func (b *Bench) States(tb testing.TB) map[string]int {
	tb.Helper()
	counts := map[string]int{}
	for _, r := range b.Rows(tb) {
		counts[r.State]++
	}
	return counts
}

// Process delivers what is due.
func (b *Bench) Process(tb testing.TB) delivery.Processed {
	tb.Helper()
	done, err := b.Delivery.Process(tb.Context())
	require.NoError(tb, err)
	return done
}
