package savedsearch

import (
	"context"
	"time"

	"gpatlas/platform/database"
)

// row is a row of accounts.saved_searches.
type row struct {
	ID             string     `gorm:"column:id;primaryKey"`
	UserID         int64      `gorm:"column:user_id"`
	Name           string     `gorm:"column:name"`
	Filters        string     `gorm:"column:filters"` // JSON
	LastRunAt      *time.Time `gorm:"column:last_run_at"`
	LastMatchCount *int64     `gorm:"column:last_match_count"`
	CreatedAt      time.Time  `gorm:"column:created_at"`
	UpdatedAt      time.Time  `gorm:"column:updated_at"`
}

// TableName is the table with its schema.
func (row) TableName() string { return "accounts.saved_searches" }

// store reads and writes saved searches. Each statement names the owner: another account's search is not found.
type store struct{ db *database.DB }

func (s *store) add(ctx context.Context, r *row) error {
	return database.Failure("add a saved search", s.db.From(ctx).Create(r).Error)
}

func (s *store) count(ctx context.Context, userID int64) (int, error) {
	var n int64
	err := s.db.From(ctx).Model(&row{}).Where("user_id = ?", userID).Count(&n).Error
	return int(n), database.Failure("count saved searches", err)
}

// list reads a part of an account's searches, the newest first.
func (s *store) list(ctx context.Context, userID int64, limit, offset int) ([]row, error) {
	var rows []row
	err := s.db.From(ctx).Where("user_id = ?", userID).Order("created_at DESC, id").Limit(limit).Offset(offset).Find(&rows).Error
	return rows, database.Failure("read saved searches", err)
}

// find finds one of the account's searches; nil for none.
func (s *store) find(ctx context.Context, userID int64, id string) (*row, error) {
	var rows []row
	err := s.db.From(ctx).Where("id = ? AND user_id = ?", id, userID).Find(&rows).Error
	return first(rows), database.Failure("read a saved search", err)
}

const replaceSQL = `UPDATE accounts.saved_searches SET
	name = @name, updated_at = @now, filters = @filters::jsonb,
	last_run_at = CASE WHEN filters = @filters::jsonb THEN last_run_at END,
	last_match_count = CASE WHEN filters = @filters::jsonb THEN last_match_count END
WHERE id = @id AND user_id = @user
RETURNING id, user_id, name, filters, last_run_at, last_match_count, created_at, updated_at`

// replace sets the name and filters of a search; nil if there is none. New filters clear the results of the last run.
func (s *store) replace(ctx context.Context, userID int64, id, name, filters string, now time.Time) (*row, error) {
	args := database.Args{"id": id, "user": userID, "name": name, "filters": filters, "now": now}
	rows, err := database.Select[row](ctx, s.db, "replace a saved search", replaceSQL, args)
	return first(rows), err
}

const ranSQL = `UPDATE accounts.saved_searches SET last_run_at = @now, last_match_count = @matches
WHERE id = @id AND user_id = @user AND filters = @filters::jsonb AND (last_run_at IS NULL OR last_run_at <= @now)`

// ran stores a run, unless the filters have changed or a later run is stored.
func (s *store) ran(ctx context.Context, r *row, now time.Time, matches int) error {
	args := database.Args{"id": r.ID, "user": r.UserID, "filters": r.Filters, "matches": matches, "now": now}
	_, err := database.Run(ctx, s.db, "note the run of a saved search", ranSQL, args)
	return err
}

// remove removes one of the account's searches, and reports whether it existed.
func (s *store) remove(ctx context.Context, userID int64, id string) (bool, error) {
	tx := s.db.From(ctx).Where("id = ? AND user_id = ?", id, userID).Delete(&row{})
	return tx.RowsAffected == 1, database.Failure("remove a saved search", tx.Error)
}

func first(rows []row) *row {
	if len(rows) == 0 {
		return nil
	}
	return &rows[0]
}
