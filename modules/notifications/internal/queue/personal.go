package queue

import (
	"context"
	_ "embed"
	"encoding/json"
	"time"

	"gpatlas/platform/database"
)

// SweepJob removes rows that are no longer needed.
const SweepJob = "notifications.sweep_queue"

const (
	sweepTimeout = 30 * time.Minute
	sweepBatch   = 5000
	// keep is how long finished mails are kept, for statistics and so that nothing is sent twice. It is longer than a year, so
	// that yearly mails are not repeated.
	keep = 400 * 24 * time.Hour
)

// Exported is a mail in the personal export.
type Exported struct {
	Kind      string          `json:"kind"`
	Category  string          `json:"category"`
	State     string          `json:"state"`
	Reason    *string         `json:"reason"`
	CreatedAt time.Time       `json:"created_at"`
	SentAt    *time.Time      `json:"sent_at"`
	Data      json.RawMessage `json:"data"` // the contents of the mail besides the account's name
}

const exportSQL = `SELECT kind, category, state, reason, created_at, sent_at, data
FROM notifications.queue WHERE user_id = @user ORDER BY id`

// ExportFor returns the mails that the queue has of an account.
func (s *Service) ExportFor(ctx context.Context, userID int64) (any, error) {
	list, err := database.Select[Exported](ctx, s.store.db, "export mails", exportSQL, database.Args{"user": userID})
	if list == nil {
		list = []Exported{}
	}
	return list, err
}

const purgeSQL = `WITH counts AS (DELETE FROM notifications.daily WHERE user_id = @user)
DELETE FROM notifications.queue WHERE user_id = @user`

// AccountPurged removes the mails of an account, and its daily counts.
func (s *Service) AccountPurged(ctx context.Context, userID int64) error {
	_, err := database.Run(ctx, s.store.db, "purge mails", purgeSQL, database.Args{"user": userID})
	return err
}

//go:embed sweep.sql
var sweepSQL string

// Sweep removes mails that were finished long ago, the counts of past days, and bounces that no longer count. It returns how
// many mails it removed.
func (s *Service) Sweep(ctx context.Context) (removed int64, err error) {
	now := s.clock.Now().UTC()
	for {
		n, err := database.Values[int64](ctx, s.store.db, "sweep the queue of mails", sweepSQL, database.Args{
			"before": now.Add(-keep), "day": now.AddDate(0, 0, -2).Format(time.DateOnly), "most": sweepBatch,
		})
		if err != nil {
			return removed, err
		}
		if removed += n[0]; n[0] < sweepBatch {
			return removed, nil
		}
	}
}
