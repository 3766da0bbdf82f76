// Package queue keeps the mails that are to be sent. Other modules add to it through mail.Notify, slices of this module by
// Add in their own transactions. Package delivery claims from it.
package queue

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"gpatlas/modules/notifications/internal/kind"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/jobs"
	"gpatlas/platform/mail"
	"gpatlas/platform/module"
)

// The states of a mail.
const (
	Queued     = "queued"
	Sending    = "sending"
	Sent       = "sent"
	Failed     = "failed"     // given up
	Suppressed = "suppressed" // not to be sent: refused, disabled, outdated
)

// The reasons of suppressed mails, and of failed ones besides the mail server's replies.
const (
	NoAccount     = "no_account"     // deleted, or unknown
	NotVerified   = "not_verified"   // the address is not verified
	Refused       = "refused"        // the account does not want the category
	Bounced       = "bounced"        // mail servers have refused the address twice
	Disabled      = "disabled"       // the kind is disabled
	UnknownKind   = "unknown_kind"   // the kind is no longer in the registry
	Overtaken     = "overtaken"      // the mail has no contents any more
	DailyLimit    = "daily_limit"    // the account has reached the registry's daily limit of the kind
	Fault         = "fault"          // an error of ours; the log has it
	NotRenderable = "not_renderable" // its data do not fit its template
)

// Item is a mail to be added.
type Item struct {
	Kind      string
	UserID    int64
	Key       string    // natural key: at most one mail for each, as long as rows are kept
	Data      any       // for the renderer; encoded as JSON
	NotBefore time.Time // zero: now
}

// Entry is a mail that was claimed.
type Entry struct {
	ID        int64
	Kind      string
	Category  string
	UserID    int64
	Data      json.RawMessage
	Attempt   int // number of the claim
	MessageID string
	CreatedAt time.Time
}

// Service keeps the queue.
type Service struct {
	store *store
	clock clock.Clock
	kinds kind.Kinds
}

// NewService works on db.
func NewService(db *database.DB, clk clock.Clock, kinds kind.Kinds) *Service {
	return &Service{store: &store{db}, clock: clk, kinds: kinds}
}

// Part has the job that accepts notifications of other modules, and the listener for accounts.
func (s *Service) Part() module.Part {
	return module.Part{
		Jobs: []jobs.Handler{
			{Type: mail.NotifyJob, Timeout: time.Minute, Retries: acceptRetries, Run: s.accept},
			{Type: SweepJob, Queue: jobs.Low, Timeout: sweepTimeout, Retries: 3, Run: jobs.Plain(s.Sweep)},
		},
		Schedules: []jobs.Schedule{{Type: SweepJob, Cron: "50 3 * * *", Bucket: jobs.Daily}},
		Exporters: []module.Exporter{{Name: "notifications", For: s.ExportFor}}, Purged: []module.AccountListener{s.AccountPurged},
	}
}

// acceptRetries span the hours for which the database may be unavailable.
const acceptRetries = 10

// payload is a notification in its job.
type payload struct {
	Kind   string          `json:"kind"`
	UserID int64           `json:"user_id"`
	Key    string          `json:"key"`
	Data   json.RawMessage `json:"data"`
}

func (s *Service) accept(ctx context.Context, encoded []byte) error {
	n, err := jobs.Decode[payload](encoded)
	if err != nil {
		return err
	}
	_, err = s.Add(ctx, Item{Kind: n.Kind, UserID: n.UserID, Key: n.Key, Data: n.Data})
	return err
}

// Add adds a mail to the queue, in the transaction of ctx if there is one. added is false if a mail of the same key is queued
// or was sent. A kind that is not in the registry is an error.
func (s *Service) Add(ctx context.Context, item Item) (added bool, err error) {
	k, found, err := s.kinds.Find(ctx, item.Kind)
	if err != nil {
		return false, err
	}
	if !found {
		return false, jobs.Never(fmt.Errorf("notification of kind %q: there is no such kind", item.Kind))
	}
	data, err := httpapi.Marshal(item.Data)
	if err != nil {
		return false, jobs.Never(fmt.Errorf("notification of kind %q: %w", item.Kind, err))
	}
	now := s.clock.Now().UTC()
	if item.NotBefore.IsZero() {
		item.NotBefore = now
	}
	n, err := database.Run(ctx, s.store.db, "queue a mail", addSQL, database.Args{
		"kind": k.ID, "category": k.Category, "user": item.UserID, "key": item.Key, "data": json.RawMessage(data),
		"not_before": item.NotBefore.UTC(), "now": now, "message_id": mail.MessageID(item.Key),
	})
	return n == 1, err
}

// AddAll is Add for many mails of one kind, due now. added is how many of them are new.
func (s *Service) AddAll(ctx context.Context, kindID string, items []Item) (added int, err error) {
	if len(items) == 0 {
		return 0, nil
	}
	k, found, err := s.kinds.Find(ctx, kindID)
	if err != nil {
		return 0, err
	}
	if !found {
		return 0, jobs.Never(fmt.Errorf("notifications of kind %q: there is no such kind", kindID))
	}
	return s.store.addAll(ctx, k, items, s.clock.Now().UTC())
}
