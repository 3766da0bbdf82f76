package export

import (
	"context"
	"encoding/json"
	"time"

	"gpatlas/platform/apperr"
	"gpatlas/platform/database"
)

// row is a row of catalog.exports.
type row struct {
	ID        int64     `gorm:"column:id;primaryKey"`
	UserID    int64     `gorm:"column:user_id"`
	Type      string    `gorm:"column:type"`
	Format    string    `gorm:"column:format"`
	Request   string    `gorm:"column:request"` // JSON: filters, fields, sort, order
	Rows      int       `gorm:"column:row_count"`
	Total     int       `gorm:"column:total"`
	CreatedAt time.Time `gorm:"column:created_at"`
}

// TableName is the table of the history of exports.
func (row) TableName() string { return "catalog.exports" }

// store stores who has exported what. The files themselves are not stored.
type store struct{ db *database.DB }

func (s *store) add(ctx context.Context, userID int64, r *Request, f *File, at time.Time) error {
	request, err := json.Marshal(r)
	if err != nil {
		return apperr.Internal(err)
	}
	kept := &row{UserID: userID, Type: f.Type, Format: f.Format, Request: string(request), Rows: f.Rows(), Total: f.Total, CreatedAt: at}
	return database.Failure("note an export", s.db.From(ctx).Create(kept).Error)
}

func (s *store) list(ctx context.Context, userID int64) ([]row, error) {
	var rows []row
	err := s.db.From(ctx).Where("user_id = ?", userID).Order("id").Find(&rows).Error
	return rows, database.Failure("read exports", err)
}

func (s *store) forget(ctx context.Context, userID int64) error {
	return database.Failure("forget exports", s.db.From(ctx).Where("user_id = ?", userID).Delete(&row{}).Error)
}
