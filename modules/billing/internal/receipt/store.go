package receipt

import (
	"context"
	_ "embed"
	"time"

	"gpatlas/platform/database"
)

// line is a row of billing.receipt_lines: a purchase, and when its receipt was made.
type line struct {
	ChargeID int64      `gorm:"column:charge_id;primaryKey;autoIncrement:false"`
	UserID   int64      `gorm:"column:user_id"`
	BoughtAt time.Time  `gorm:"column:bought_at"`
	MadeAt   *time.Time `gorm:"column:made_at"` // nil: it waits
}

// TableName is the table with its schema.
func (line) TableName() string { return "billing.receipt_lines" }

type store struct{ db *database.DB }

func (s *store) add(ctx context.Context, l line) error {
	return database.Failure("note a purchase for its receipt", s.db.From(ctx).Create(&l).Error)
}

// lockKey is the advisory lock of the sweep, an arbitrary number of ours.
const lockKey = 5_200_002

//go:embed take.sql
var takeSQL string

// makeReceipts makes the receipts that are due, in the transaction of ctx, and returns their accounts. Sweeps are serialized,
// so that none includes purchases after another's query.
func (s *store) makeReceipts(ctx context.Context, now, settled, last time.Time, limit int) ([]int64, error) {
	if _, err := database.Run(ctx, s.db, "wait for other sweeps of receipts", "SELECT pg_advisory_xact_lock(@key)", database.Args{"key": lockKey}); err != nil {
		return nil, err
	}
	return database.Values[int64](ctx, s.db, "make receipts", takeSQL, database.Args{"now": now, "settled": settled, "last": last, "limit": limit})
}

// bought is what was bought about one manager at one price.
type bought struct {
	CRD, Subject, Product             string
	Unit, Quantity, Amount, Purchases int64
	First, Last                       time.Time
}

//go:embed lines.sql
var linesSQL string

func (s *store) lines(ctx context.Context, r Receipt) ([]bought, error) {
	return database.Select[bought](ctx, s.db, "read a receipt", linesSQL, database.Args{"user": r.UserID, "made": r.MadeAt})
}

// fees is what requests that are charged each cost from an instant until the receipt was made.
type fees struct {
	Since  time.Time
	Amount int64
}

//go:embed fees.sql
var feesSQL string

func (s *store) fees(ctx context.Context, r Receipt) (fees, error) {
	rows, err := database.Select[fees](ctx, s.db, "read the fees beside a receipt", feesSQL, database.Args{"user": r.UserID, "made": r.MadeAt})
	if err != nil || len(rows) == 0 {
		return fees{}, err
	}
	return rows[0], nil
}

func (s *store) forget(ctx context.Context, userID int64) error {
	return database.Failure("forget receipts", s.db.From(ctx).Where("user_id = ?", userID).Delete(&line{}).Error)
}
