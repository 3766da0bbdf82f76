// Package audit records changes by operators: who changed what, and its state before and after. Any module writes to it in the
// transaction of the change; `gpatlas admin audit` and GET /v1/admin/audit list it.
package audit

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"gpatlas/platform/auth"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
)

// Change is one change by an operator. Before and After become JSON; nil means none. They contain no personal data.
type Change struct {
	Action        string // "alert.resolve"
	Subject       string // "alert 17"
	Before, After any
}

// Entry is a recorded change.
type Entry struct {
	ID      int64           `json:"id" doc:"ID of the change." example:"9"`
	At      time.Time       `json:"at" doc:"When it was made (UTC)." example:"2026-11-22T09:00:00.000000Z"`
	ActorID *int64          `json:"actor_id" doc:"Account that made it; null for the command line." example:"3"`
	Action  string          `json:"action" doc:"What was done." example:"alert.resolve"`
	Subject string          `json:"subject" doc:"What it was done to." example:"alert 17"`
	Before  json.RawMessage `json:"before" doc:"State before; null if there was none." example:"{\"state\":\"open\"}"`
	After   json.RawMessage `json:"after" doc:"State after; null if there is none." example:"{\"state\":\"resolved\"}"`
}

// SchemaName is its name in the OpenAPI document.
func (Entry) SchemaName() string { return "AuditEntry" }

// Log is the record of changes.
type Log struct {
	store *store
	clock clock.Clock
}

// New makes a log over a database.
func New(db *database.DB, clk clock.Clock) *Log { return &Log{&store{db}, clk} }

// Write records a change by the caller of the request, in the transaction of ctx if there is one.
func (l *Log) Write(ctx context.Context, c Change) error {
	r := row{At: l.clock.Now(), Action: c.Action, Subject: c.Subject}
	if id := auth.From(ctx).UserID; id != 0 {
		r.ActorID = &id
	}
	var err error
	if r.Before, err = encode(c.Before); err == nil {
		r.After, err = encode(c.After)
	}
	if err != nil {
		return fmt.Errorf("record %s of %s: %w", c.Action, c.Subject, err)
	}
	return l.store.add(ctx, r)
}

func encode(v any) ([]byte, error) {
	if v == nil {
		return nil, nil
	}
	return json.Marshal(v)
}

// List returns the latest changes, newest first.
func (l *Log) List(ctx context.Context, limit int) ([]Entry, error) {
	return l.store.list(ctx, limit, 0)
}
