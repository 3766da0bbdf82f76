package audit

import (
	"context"
	"time"

	"gpatlas/platform/database"
)

// row is a row of platform.audit.
type row struct {
	ID      int64 `gorm:"primaryKey;->"`
	At      time.Time
	ActorID *int64
	Action  string
	Subject string
	Before  []byte `gorm:"type:jsonb"`
	After   []byte `gorm:"type:jsonb"`
}

// TableName is the table with its schema.
func (row) TableName() string { return "platform.audit" }

// store is the only code that uses the table.
type store struct{ db *database.DB }

func (s *store) add(ctx context.Context, r row) error {
	return database.Failure("record a change", s.db.From(ctx).Create(&r).Error)
}

func (s *store) count(ctx context.Context) (int, error) {
	var n int64
	err := s.db.From(ctx).Model(&row{}).Count(&n).Error
	return int(n), database.Failure("count recorded changes", err)
}

func (s *store) list(ctx context.Context, limit, offset int) ([]Entry, error) {
	var rows []row
	if err := s.db.From(ctx).Order("id DESC").Limit(limit).Offset(offset).Find(&rows).Error; err != nil {
		return nil, database.Failure("list recorded changes", err)
	}
	out := make([]Entry, len(rows))
	for i, r := range rows {
		out[i] = Entry{ID: r.ID, At: r.At.UTC(), ActorID: r.ActorID, Action: r.Action, Subject: r.Subject, Before: r.Before, After: r.After}
	}
	return out, nil
}
