package preference

import (
	"context"
	"errors"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"gpatlas/platform/database"
)

// row is a row of notifications.preferences.
type row struct {
	UserID         int64     `gorm:"column:user_id;primaryKey;autoIncrement:false"`
	Billing        bool      `gorm:"column:billing"`
	ActivityDigest bool      `gorm:"column:activity_digest"`
	MarketIntel    bool      `gorm:"column:market_intel"`
	Product        bool      `gorm:"column:product"`
	UpdatedAt      time.Time `gorm:"column:updated_at;autoUpdateTime:false"`
}

// TableName is the table with its schema.
func (row) TableName() string { return "notifications.preferences" }

func rowOf(userID int64, p Preferences, now time.Time) row {
	return row{userID, p.Billing, p.ActivityDigest, p.MarketIntel, p.Product, now.UTC()}
}

func (r row) preferences() Preferences {
	return Preferences{true, r.Billing, r.ActivityDigest, r.MarketIntel, r.Product}
}

type store struct{ db *database.DB }

// find returns the preferences of an account; found is false if it has changed nothing.
func (s *store) find(ctx context.Context, userID int64) (p Preferences, found bool, err error) {
	var r row
	err = s.db.From(ctx).Where("user_id = ?", userID).Take(&r).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return Preferences{}, false, nil
	}
	return r.preferences(), true, database.Failure("read preferences of notifications", err)
}

// lock creates the row if it is missing, and locks it until the transaction of ctx ends.
func (s *store) lock(ctx context.Context, userID int64, defaults Preferences, now time.Time) (Preferences, error) {
	r := rowOf(userID, defaults, now)
	if err := s.db.From(ctx).Clauses(clause.OnConflict{DoNothing: true}).Create(&r).Error; err != nil {
		return Preferences{}, database.Failure("make preferences of notifications", err)
	}
	err := s.db.From(ctx).Clauses(clause.Locking{Strength: "UPDATE"}).Where("user_id = ?", userID).Take(&r).Error
	return r.preferences(), database.Failure("lock preferences of notifications", err)
}

func (s *store) save(ctx context.Context, userID int64, p Preferences, now time.Time) error {
	return database.Failure("change preferences of notifications", s.db.From(ctx).Save(new(rowOf(userID, p, now))).Error)
}

func (s *store) remove(ctx context.Context, userID int64) error {
	return database.Failure("remove preferences of notifications", s.db.From(ctx).Where("user_id = ?", userID).Delete(&row{}).Error)
}
