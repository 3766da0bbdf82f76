package idempotency

import (
	"context"
	_ "embed"
	"net/http"
	"time"

	"gorm.io/gorm"

	"gpatlas/platform/database"
)

// row is a row of platform.idempotency.
type row struct {
	UserID      int64      `gorm:"column:user_id;primaryKey"`
	KeyHash     []byte     `gorm:"column:key_hash;primaryKey"`
	ID          string     `gorm:"column:id;type:uuid"`
	Operation   string     `gorm:"column:operation"`
	Fingerprint []byte     `gorm:"column:fingerprint"`
	Holder      string     `gorm:"column:holder;type:uuid"`
	LeaseUntil  *time.Time `gorm:"column:lease_until"`
	Status      *int16     `gorm:"column:status"`
	Answer      []byte     `gorm:"column:answer"`
	Answered    bool       `gorm:"column:answered"` // and the response was dropped
	CreatedAt   time.Time  `gorm:"column:created_at"`
}

// TableName is the table with its schema.
func (row) TableName() string { return "platform.idempotency" }

// store is the only code that uses the table.
type store struct{ db *database.DB }

//go:embed take.sql
var takeSQL string

// taken is the result of take: the ID of the execution, "" if the request cannot be taken, and whether it had a response that
// was dropped.
type taken struct {
	ID       string
	Answered bool
}

// take takes a request, if it is new, has expired, or was abandoned by its executor. since is the instant from which on
// requests are stored.
func (s *store) take(ctx context.Context, r row, now, since time.Time) (taken, error) {
	rows, err := database.Select[taken](ctx, s.db, "begin a keyed request", takeSQL, database.Args{
		"user": r.UserID, "key": r.KeyHash, "id": r.ID, "operation": r.Operation, "fingerprint": r.Fingerprint, "holder": r.Holder,
		"until": r.LeaseUntil, "now": now, "since": since,
	})
	if err != nil || len(rows) == 0 {
		return taken{}, err
	}
	return rows[0], nil
}

// find reads a request; false if there is none.
func (s *store) find(ctx context.Context, userID int64, keyHash []byte) (row, bool, error) {
	var r row
	found := s.db.From(ctx).Where("user_id = ? AND key_hash = ?", userID, keyHash).Limit(1).Find(&r)
	return r, found.RowsAffected == 1, database.Failure("read a keyed request", found.Error)
}

// held is the condition for a request that the caller still holds.
func (s *store) held(ctx context.Context, r row) *gorm.DB {
	return s.db.From(ctx).Model(&row{}).Where("user_id = ? AND key_hash = ? AND holder = ? AND lease_until IS NOT NULL", r.UserID, r.KeyHash, r.Holder)
}

// finish keeps the answer of a request that the holder still holds. If the answers of its operation were dropped meanwhile, it
// records that the caller was answered with 2xx: the next request with the key sells nothing more.
func (s *store) finish(ctx context.Context, r row) error {
	kept := s.held(ctx, r).Updates(map[string]any{"status": r.Status, "answer": r.Answer, "lease_until": nil})
	if kept.Error == nil && kept.RowsAffected == 0 && *r.Status < http.StatusMultipleChoices {
		kept = s.db.From(ctx).Model(&row{}).Where("user_id = ? AND key_hash = ? AND id = ? AND status IS NULL", r.UserID, r.KeyHash, r.ID).Update("answered", true)
	}
	return database.Failure("keep the answer of a keyed request", kept.Error)
}

// release ends the lease of a request that the caller still holds.
func (s *store) release(ctx context.Context, r row, now time.Time) error {
	return database.Failure("release a keyed request", s.held(ctx, r).Update("lease_until", now).Error)
}

// remove removes a request that the caller still holds.
func (s *store) remove(ctx context.Context, r row) error {
	return database.Failure("remove a keyed request", s.held(ctx, r).Delete(&row{}).Error)
}

const forgetSQL = `DELETE FROM platform.idempotency WHERE id IN (
    SELECT id FROM platform.idempotency WHERE created_at <= @before ORDER BY created_at LIMIT @most FOR UPDATE SKIP LOCKED)`

// forget removes up to most requests from before a time and returns how many.
func (s *store) forget(ctx context.Context, before time.Time, most int) (int64, error) {
	return database.Run(ctx, s.db, "forget keyed requests", forgetSQL, database.Args{"before": before, "most": most})
}

// forgetAccount removes the requests of an account.
func (s *store) forgetAccount(ctx context.Context, userID int64) error {
	return database.Failure("forget the keyed requests of an account", s.db.From(ctx).Where("user_id = ?", userID).Delete(&row{}).Error)
}
