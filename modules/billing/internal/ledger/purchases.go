package ledger

import (
	"context"

	"gpatlas/modules/billing/billingapi"
	"gpatlas/modules/billing/internal/account"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
)

// Desk answers other modules' questions about what accounts have bought, and how they want to buy.
type Desk struct {
	store    *store
	accounts *account.Store
	clock    clock.Clock
}

var (
	_ billingapi.Purchases   = (*Desk)(nil)
	_ billingapi.Preferences = (*Desk)(nil)
)

// NewDesk reads from db.
func NewDesk(db *database.DB, clk clock.Clock) *Desk {
	return &Desk{store: &store{db}, accounts: account.NewStore(db), clock: clk}
}

// Owned is billingapi.Purchases'.
func (d *Desk) Owned(ctx context.Context, userID int64, product string, units []string) (map[string]bool, error) {
	owned := map[string]bool{}
	if userID == 0 || len(units) == 0 {
		return owned, nil
	}
	list, err := d.store.owned(ctx, userID, product, units)
	for _, unit := range list {
		owned[unit] = true
	}
	return owned, err
}

// WeeklyDigest is billingapi.Preferences'.
func (d *Desk) WeeklyDigest(ctx context.Context, userID int64) (bool, error) {
	a, err := d.accounts.Find(ctx, userID, d.clock.Now())
	return a.WeeklyDigest, err
}

// WeeklyDigests is billingapi.Preferences'.
func (d *Desk) WeeklyDigests(ctx context.Context, userIDs []int64) (map[int64]bool, error) {
	list, err := d.accounts.WithWeeklyDigest(ctx, userIDs)
	weekly := make(map[int64]bool, len(list))
	for _, id := range list {
		weekly[id] = true
	}
	return weekly, err
}
