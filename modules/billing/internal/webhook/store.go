package webhook

import (
	"context"
	"time"

	"gpatlas/platform/database"
)

// The states of events.
const (
	applied = "applied"
	stale   = "stale"
	ignored = "ignored"
)

// row is a row of billing.stripe_events.
type row struct {
	ID         string    `gorm:"column:id;primaryKey"`
	Type       string    `gorm:"column:type"`
	Object     string    `gorm:"column:object"` // the ID of its object; empty if unknown
	Created    time.Time `gorm:"column:created"`
	State      string    `gorm:"column:state"`
	ReceivedAt time.Time `gorm:"column:received_at"`
}

// TableName is the table with its schema.
func (row) TableName() string { return "billing.stripe_events" }

type store struct{ db *database.DB }

const addSQL = `INSERT INTO billing.stripe_events (id, type, object, created, state, received_at)
VALUES (@id, @type, @object, @created, @state, @received)
ON CONFLICT (id) DO NOTHING`

// add stores an event, and reports whether it is new. It waits for a concurrent delivery of the same event.
func (s *store) add(ctx context.Context, r row) (bool, error) {
	n, err := database.Run(ctx, s.db, "store an event", addSQL, database.Args{
		"id": r.ID, "type": r.Type, "object": r.Object, "created": r.Created, "state": r.State, "received": r.ReceivedAt,
	})
	return n == 1, err
}

// administrators returns the IDs of all administrators.
func (s *store) administrators(ctx context.Context) ([]int64, error) {
	return database.Values[int64](ctx, s.db, "find the administrators", `SELECT id FROM accounts.pub_account WHERE is_admin ORDER BY id`, nil)
}

func (s *store) mark(ctx context.Context, id, state string) error {
	err := s.db.From(ctx).Model(&row{}).Where("id = ?", id).Update("state", state).Error
	return database.Failure("mark an event", err)
}

// removeBefore removes the events that came before an instant.
func (s *store) removeBefore(ctx context.Context, t time.Time) error {
	return database.Failure("remove events", s.db.From(ctx).Where("received_at < ?", t).Delete(&row{}).Error)
}
