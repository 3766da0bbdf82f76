package ledger

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	"gpatlas/modules/billing/internal/account"
	"gpatlas/platform/charge"
	"gpatlas/platform/database"
	"gpatlas/platform/plaintext"
)

// store reads and writes the ledger.
type store struct{ db *database.DB }

// execution is a row of billing.executions.
type execution struct {
	ID           string    `gorm:"column:id;primaryKey"`
	UserID       int64     `gorm:"column:user_id"`
	ChargeID     *int64    `gorm:"column:charge_id"` // nil: all of it was owned
	AmountMicros int64     `gorm:"column:amount_micros"`
	NewUnits     int       `gorm:"column:new_units"`
	At           time.Time `gorm:"column:at"`
}

// TableName is the table with its schema.
func (execution) TableName() string { return "billing.executions" }

// line is a row of the ledger, and all that is written with it.
type line struct {
	userID    int64
	keyID     *string
	month     time.Time
	at        time.Time
	item      *charge.Item
	execution *string
	unbacked  *int64 // see Rules

	quantity     int
	unit, amount int64
	units        []string // new to the account
	amounts      []int64  // of the units
}

func (l *line) args() database.Args {
	args := database.Args{
		"user": l.userID, "key": l.keyID, "month": l.month, "at": l.at, "operation": l.item.Operation, "subject": l.item.Subject,
		"crd": plaintext.Optional(l.item.CRD), "quantity": l.quantity, "unit": l.unit, "request": l.item.RequestID, "execution": l.execution,
	}
	return args
}

// charged is the result of a written charge.
type charged struct {
	ID      int64
	Bought  int // units
	Crossed int // thresholds of the cap, and the limit of accounts without a subscription
}

//go:embed charge.sql
var chargeSQL string

// charge writes a charge; nil means that the account has no row, or that the charge does not fit.
func (s *store) charge(ctx context.Context, l *line) (*charged, error) {
	args := l.args()
	args["limit"] = account.UnbackedThreshold
	args["amount"], args["unbacked"], args["units"], args["amounts"] = l.amount, l.unbacked, l.units, l.amounts
	args["bought"], args["product"] = len(l.units), (*string)(nil)
	if len(l.units) > 0 {
		args["product"] = &l.item.Product
	}
	rows, err := database.Select[charged](ctx, s.db, "charge an account", chargeSQL, args)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	return &rows[0], nil
}

// Stores that one mail about the limit of accounts without a subscription is to be sent, as charge.sql does if a charge fits
// exactly.
const limitedSQL = `INSERT INTO billing.alerts (user_id, period, threshold, cap_micros, spent_micros, crossed_at)
VALUES (@user, @month::date, @limit::smallint, @unbacked::bigint,
	coalesce((SELECT spent_micros FROM billing.accounts WHERE user_id = @user AND period = @month::date), 0), @at)
ON CONFLICT DO NOTHING`

// limited stores that an account was refused for the limit of accounts without a subscription, once a month, and reports
// whether this is the first time.
func (s *store) limited(ctx context.Context, userID int64, month, at time.Time, unbacked int64) (bool, error) {
	rows, err := database.Run(ctx, s.db, "note that an account has reached its limit", limitedSQL,
		database.Args{"user": userID, "month": month, "at": at, "unbacked": unbacked, "limit": account.UnbackedThreshold})
	return rows > 0, err
}

//go:embed test.sql
var testSQL string

// test stores a request with a test key.
func (s *store) test(ctx context.Context, l *line) error {
	_, err := database.Run(ctx, s.db, "record a request with a test key", testSQL, l.args())
	return err
}

// Those of some units that an account does not own. Run under the account's lock.
const freshSQL = `SELECT unit
FROM unnest(@units::text[]) AS u (unit)
WHERE NOT EXISTS (SELECT FROM billing.entitlements e WHERE e.user_id = @user AND e.product = @product AND e.unit = u.unit)
ORDER BY unit`

// fresh returns the units that an account does not own. The account is locked.
func (s *store) fresh(ctx context.Context, userID int64, product string, units []string) ([]string, error) {
	return database.Values[string](ctx, s.db, "look for new units", freshSQL, database.Args{"user": userID, "product": product, "units": units})
}

// Those of some units that an account owns.
const ownedSQL = `SELECT unit
FROM billing.entitlements
WHERE user_id = @user AND product = @product AND unit = ANY (@units::text[])`

// owned returns the units that an account owns.
func (s *store) owned(ctx context.Context, userID int64, product string, units []string) ([]string, error) {
	return database.Values[string](ctx, s.db, "look for owned units", ownedSQL, database.Args{"user": userID, "product": product, "units": units})
}

const placeSQL = `INSERT INTO billing.places (user_id, product, place)
SELECT @user, @product, place FROM unnest(@places::text[]) AS p (place) ORDER BY place
ON CONFLICT DO NOTHING`

// place notes where a response names units. The account is locked.
func (s *store) place(ctx context.Context, l *line) error {
	if len(l.item.Places) == 0 {
		return nil
	}
	_, err := database.Run(ctx, s.db, "note where units were delivered", placeSQL, database.Args{"user": l.userID, "product": l.item.Product, "places": l.item.Places})
	return err
}

// Those of some places in which an account was delivered units.
const placedSQL = `SELECT place
FROM billing.places
WHERE user_id = @user AND product = @product AND place = ANY (@places::text[])`

// placed returns the places in which an account was delivered units.
func (s *store) placed(ctx context.Context, userID int64, product string, places []string) ([]string, error) {
	return database.Values[string](ctx, s.db, "look for places of units", placedSQL, database.Args{"user": userID, "product": product, "places": places})
}

// executed returns what an execution was charged the first time; nil if it was not charged.
func (s *store) executed(ctx context.Context, userID int64, id string) (*execution, error) {
	var e execution
	err := s.db.From(ctx).Where("id = ?", id).Take(&e).Error
	switch {
	case errors.Is(err, gorm.ErrRecordNotFound):
		return nil, nil
	case err == nil && e.UserID != userID:
		return nil, fmt.Errorf("the execution %s is of another account", id)
	}
	return &e, database.Failure("look for an execution", err)
}

// remember stores an execution that cost nothing, if the request is one.
func (s *store) remember(ctx context.Context, l *line) error {
	if l.execution == nil {
		return nil
	}
	err := s.db.From(ctx).Create(&execution{ID: *l.execution, UserID: l.userID, At: l.at}).Error
	return database.Failure("remember an execution", err)
}
