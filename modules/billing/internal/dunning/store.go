package dunning

import (
	"context"
	_ "embed"
	"time"

	"gorm.io/gorm/clause"

	"gpatlas/platform/database"
)

// step is a row of billing.dunning.
type step struct {
	Invoice string    `gorm:"column:invoice;primaryKey"`
	Step    int16     `gorm:"column:step;primaryKey;autoIncrement:false"`
	TakenAt time.Time `gorm:"column:taken_at"`
}

// TableName is the table with its schema.
func (step) TableName() string { return "billing.dunning" }

type store struct{ db *database.DB }

// overdue is an invoice that an account still has to pay.
type overdue struct {
	Invoice      string
	Customer     string
	Subscription string // empty for none
	UserID       int64
	AmountCents  int64
	Currency     string
	Page         *string
	FailedAt     time.Time
	Plan         *string // that ends with the dunning
	APITier      *string
	Status       string // of the subscription, as the next two; empty for none
	Step         int16  // the last one that was taken; -1 for none
	TakenAt      *time.Time

	CheckoutCompleted, Deleted bool
}

//go:embed due.sql
var dueSQL string

// all reads the overdue invoices that have steps left, the oldest first.
func (s *store) all(ctx context.Context) ([]overdue, error) {
	return database.Select[overdue](ctx, s.db, "read overdue invoices", dueSQL, database.Args{"invoice": "", "last": last})
}

// one reads an overdue invoice; nil if it is not overdue.
func (s *store) one(ctx context.Context, invoice string) (*overdue, error) {
	list, err := database.Select[overdue](ctx, s.db, "read an overdue invoice", dueSQL, database.Args{"invoice": invoice, "last": last})
	if err != nil || len(list) == 0 {
		return nil, err
	}
	return &list[0], nil
}

// record stores steps as taken.
func (s *store) record(ctx context.Context, steps []step) error {
	err := s.db.From(ctx).Clauses(clause.OnConflict{DoNothing: true}).Create(&steps).Error
	return database.Failure("record a step of dunning", err)
}
