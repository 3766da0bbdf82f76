// Package account owns the rows of billing.accounts: an account's spending in its month, its spending cap, and its purchase
// settings. Only the ledger changes the spending; everything else is changed with Store.Update.
package account

import (
	"database/sql/driver"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgtype"

	"gpatlas/platform/charge"
	"gpatlas/platform/database"
)

// Account is a row of billing.accounts. Amounts are micro-dollars.
type Account struct {
	UserID                  int64     `gorm:"column:user_id;primaryKey;autoIncrement:false"`
	Period                  time.Time `gorm:"column:period"`       // the month of SpentMicros, by its first day; see Spent
	SpentMicros             int64     `gorm:"column:spent_micros"` // negative after a credit
	CapMicros               *int64    `gorm:"column:cap_micros"`   // nil: no cap
	Thresholds              Percents  `gorm:"column:thresholds;type:smallint[]"`
	OneClickEnabled         bool      `gorm:"column:one_click_enabled"`
	OneClickThresholdMicros int64     `gorm:"column:one_click_threshold_micros"`
	EmailReceipts           bool      `gorm:"column:email_receipts"`
	WeeklyDigest            bool      `gorm:"column:weekly_digest"`
	Backed                  bool      `gorm:"column:backed"` // it has an active subscription or a payment method
	StripeCustomer          *string   `gorm:"column:stripe_customer"`
}

// TableName is the table with its schema.
func (Account) TableName() string { return "billing.accounts" }

// Models are the structs that mirror tables, for the test that compares the two.
func Models() []any { return []any{Account{}} }

// New is an account with default settings and without spending.
func New(userID int64, month time.Time) Account {
	return Account{
		UserID: userID, Period: month, Thresholds: Percents{80, 100}, OneClickEnabled: true, OneClickThresholdMicros: 25_000_000,
		EmailReceipts: true,
	}
}

// Month is the month of an instant, in UTC, by its first day.
func Month(t time.Time) time.Time { return database.Month(t) }

// At is the account at an instant: in a later month than that of its row its spending is zero. A clock that is behind changes
// nothing: the month never goes back.
func (a Account) At(now time.Time) Account {
	if month := Month(now); month.After(a.Period) {
		a.Period, a.SpentMicros = month, 0
	}
	return a
}

// Limit is what the account may spend in a month, and the code of the refusal above it: its cap or, without a subscription,
// unbacked if that is lower. nil means no limit.
func (a Account) Limit(unbacked *int64) (micros *int64, code string) {
	if unbacked != nil && !a.Backed && (a.CapMicros == nil || *unbacked < *a.CapMicros) {
		return unbacked, charge.CodeUnbacked
	}
	return a.CapMicros, charge.CodeSpendingCap
}

// UnbackedThreshold represents the limit of accounts without a subscription in billing.alerts, where thresholds are percents of the cap.
const UnbackedThreshold = -1

// Percents are thresholds of the spending cap in percent, ascending.
type Percents []int16

// Scan reads an array of PostgreSQL.
func (p *Percents) Scan(src any) error {
	var list []int16
	if err := pgtype.NewMap().SQLScanner(&list).Scan(src); err != nil {
		return fmt.Errorf("read percents: %w", err)
	}
	*p = list
	return nil
}

// Value writes an array of PostgreSQL.
func (p Percents) Value() (driver.Value, error) {
	words := make([]string, len(p))
	for i, n := range p {
		words[i] = strconv.Itoa(int(n))
	}
	return "{" + strings.Join(words, ",") + "}", nil
}
