package collecting

import (
	"context"
	_ "embed"
	"time"

	"gorm.io/gorm/clause"

	"gpatlas/platform/database"
)

// nothing replaces the ID of an invoice item if less than half a cent was charged.
const nothing = "none"

// row is a row of billing.collections.
type row struct {
	UserID       int64     `gorm:"column:user_id;primaryKey;autoIncrement:false"`
	Period       time.Time `gorm:"column:period;primaryKey"`
	AmountMicros int64     `gorm:"column:amount_micros"`
	InvoiceItem  *string   `gorm:"column:invoice_item"` // nil: being collected
	At           time.Time `gorm:"column:at"`
}

// TableName is the table with its schema.
func (row) TableName() string { return "billing.collections" }

// store reads due months and stores collected ones.
type store struct{ db *database.DB }

// due is an account's month that is to be collected.
type due struct {
	UserID       int64
	Period       time.Time
	AmountMicros int64
	Customer     string
}

//go:embed due.sql
var dueSQL string

// due returns the uncollected months from one on and before another, the oldest first.
func (s *store) due(ctx context.Context, from, before time.Time) ([]due, error) {
	return database.Select[due](ctx, s.db, "look for months to collect", dueSQL, database.Args{"from": from, "before": before})
}

// begun is a month that is being collected; again means that it was begun before.
type begun struct {
	row

	again bool
}

// begin stores, before Stripe is called, that a month is being collected, and its amount.
func (s *store) begin(ctx context.Context, d due, now time.Time) (b begun, err error) {
	err = s.db.InTx(ctx, func(ctx context.Context) error {
		first := row{UserID: d.UserID, Period: d.Period, AmountMicros: d.AmountMicros, At: now.UTC()}
		tx := s.db.From(ctx).Clauses(clause.OnConflict{DoNothing: true}).Create(&first)
		if tx.Error != nil {
			return tx.Error
		}
		b.again = tx.RowsAffected == 0
		return s.db.From(ctx).Where("user_id = ? AND period = ?", d.UserID, d.Period).Take(&b.row).Error
	})
	return b, database.Failure("begin to collect a month", err)
}

// finish stores the invoice item of a month.
func (s *store) finish(ctx context.Context, userID int64, period time.Time, item string) error {
	err := s.db.From(ctx).Model(&row{}).Where("user_id = ? AND period = ? AND invoice_item IS NULL", userID, period).Update("invoice_item", item).Error
	return database.Failure("remember a collected month", err)
}
