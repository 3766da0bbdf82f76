package alert

import (
	"context"
	"errors"
	"time"

	"gorm.io/gorm"

	"gpatlas/platform/database"
)

// row is a row of billing.alerts, which the ledger writes.
type row struct {
	UserID      int64      `gorm:"column:user_id;primaryKey;autoIncrement:false"`
	Period      time.Time  `gorm:"column:period;primaryKey"`
	Threshold   int16      `gorm:"column:threshold;primaryKey;autoIncrement:false"`
	CapMicros   int64      `gorm:"column:cap_micros"`
	SpentMicros int64      `gorm:"column:spent_micros"`
	CrossedAt   time.Time  `gorm:"column:crossed_at"`
	QueuedAt    *time.Time `gorm:"column:queued_at"`
}

// TableName is the table with its schema.
func (row) TableName() string { return "billing.alerts" }

type store struct{ db *database.DB }

const takeSQL = `UPDATE billing.alerts a SET queued_at = @now
FROM (
	SELECT user_id, period, threshold FROM billing.alerts
	WHERE queued_at IS NULL AND (@user::bigint IS NULL OR user_id = @user)
	ORDER BY crossed_at, user_id, period, threshold LIMIT @limit FOR UPDATE SKIP LOCKED
) AS waiting
WHERE a.user_id = waiting.user_id AND a.period = waiting.period AND a.threshold = waiting.threshold
RETURNING a.user_id, a.period, a.threshold`

// markQueued marks alerts as enqueued, those of one account or of all, the oldest first, and returns them.
func (s *store) markQueued(ctx context.Context, userID *int64, now time.Time, limit int) ([]Alert, error) {
	args := database.Args{"user": userID, "now": now.UTC(), "limit": limit}
	return database.Select[Alert](ctx, s.db, "take spending alerts", takeSQL, args)
}

// find reads an alert; nil for none.
func (s *store) find(ctx context.Context, a Alert) (*row, error) {
	var r row
	err := s.db.From(ctx).Where("user_id = ? AND period = ? AND threshold = ?", a.UserID, a.Period.UTC().Format(time.DateOnly), a.Threshold).Take(&r).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return nil, nil
	}
	return &r, database.Failure("read a spending alert", err)
}
