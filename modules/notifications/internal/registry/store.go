package registry

import (
	"context"
	_ "embed"
	"time"

	"gorm.io/gorm/clause"

	"gpatlas/platform/database"
)

// row is a row of notifications.kinds.
type row struct {
	ID          string    `gorm:"column:id;primaryKey"`
	Name        string    `gorm:"column:name"`
	Description string    `gorm:"column:description"`
	Category    string    `gorm:"column:category"`
	Enabled     bool      `gorm:"column:enabled"`
	MaxPerDay   int       `gorm:"column:max_per_day"`
	Subject     *string   `gorm:"column:subject"`
	Text        *string   `gorm:"column:text"`
	CreatedAt   time.Time `gorm:"column:created_at"`
	UpdatedAt   time.Time `gorm:"column:updated_at"`
	UpdatedBy   *int64    `gorm:"column:updated_by"`
}

// TableName is the table with its schema.
func (row) TableName() string { return "notifications.kinds" }

func (r row) notification() Notification {
	_, builtIn := builtIns()[r.ID]
	return Notification{
		ID: r.ID, Name: r.Name, Description: r.Description, Category: r.Category, Enabled: r.Enabled, MaxPerDay: r.MaxPerDay,
		BuiltIn: builtIn, Subject: r.Subject, Text: r.Text, CreatedAt: new(r.CreatedAt.UTC()), UpdatedAt: new(r.UpdatedAt.UTC()), UpdatedBy: r.UpdatedBy,
	}
}

// store reads and writes the registry. Inside database.DB.InTx it is part of that transaction.
type store struct{ db *database.DB }

// lock keeps other changes of the registry waiting until the transaction ends. Reads continue.
func (s *store) lock(ctx context.Context) error {
	_, err := database.Run(ctx, s.db, "lock the registry", "LOCK TABLE notifications.kinds IN SHARE ROW EXCLUSIVE MODE", nil)
	return err
}

func (s *store) all(ctx context.Context) ([]row, error) {
	var rows []row
	err := s.db.From(ctx).Order("id").Find(&rows).Error
	return rows, database.Failure("read the registry", err)
}

// find returns one stored kind; nil for none.
func (s *store) find(ctx context.Context, id string) (*row, error) {
	var rows []row
	if err := s.db.From(ctx).Where("id = ?", id).Limit(1).Find(&rows).Error; err != nil {
		return nil, database.Failure("read a notification", err)
	}
	if len(rows) == 0 {
		return nil, nil //nolint:nilnil // absence is no failure
	}
	return &rows[0], nil
}

// save stores a kind, whether it is new or not.
func (s *store) save(ctx context.Context, r row) error {
	err := s.db.From(ctx).Clauses(clause.OnConflict{Columns: []clause.Column{{Name: "id"}}, UpdateAll: true}).Create(&r).Error
	return database.Failure("store a notification", err)
}

func (s *store) remove(ctx context.Context, ids ...string) error {
	return database.Failure("delete a notification", s.db.From(ctx).Where("id IN ?", ids).Delete(&row{}).Error)
}

// forget removes an account's number from the registry.
func (s *store) forget(ctx context.Context, userID int64) error {
	err := s.db.From(ctx).Model(&row{}).Where("updated_by = ?", userID).Update("updated_by", nil).Error
	return database.Failure("forget an administrator", err)
}

func (s *store) changedBy(ctx context.Context, userID int64) ([]row, error) {
	var rows []row
	err := s.db.From(ctx).Where("updated_by = ?", userID).Order("id").Find(&rows).Error
	return rows, database.Failure("read changes of the registry", err)
}
