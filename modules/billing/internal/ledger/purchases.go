package ledger

import (
	"context"

	"gpatlas/modules/billing/billingapi"
	"gpatlas/modules/billing/internal/account"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
)

// PurchaseReader reads purchases and preferences for other modules.
type PurchaseReader struct {
	store    *store
	accounts *account.Store
	clock    clock.Clock
}

var (
	_ billingapi.Purchases   = (*PurchaseReader)(nil)
	_ billingapi.Preferences = (*PurchaseReader)(nil)
)

// NewPurchaseReader reads from db.
func NewPurchaseReader(db *database.DB, clk clock.Clock) *PurchaseReader {
	return &PurchaseReader{store: &store{db}, accounts: account.NewStore(db), clock: clk}
}

// Owned implements billingapi.Purchases.
func (r *PurchaseReader) Owned(ctx context.Context, userID int64, product string, units []string) (map[string]bool, error) {
	return r.those(userID, units, func() ([]string, error) { return r.store.owned(ctx, userID, product, units) })
}

// Placed implements billingapi.Purchases.
func (r *PurchaseReader) Placed(ctx context.Context, userID int64, product string, places []string) (map[string]bool, error) {
	return r.those(userID, places, func() ([]string, error) { return r.store.placed(ctx, userID, product, places) })
}

func (r *PurchaseReader) those(userID int64, asked []string, read func() ([]string, error)) (map[string]bool, error) {
	found := map[string]bool{}
	if userID == 0 || len(asked) == 0 {
		return found, nil
	}
	list, err := read()
	for _, one := range list {
		found[one] = true
	}
	return found, err
}

// WeeklyDigest implements billingapi.Preferences.
func (r *PurchaseReader) WeeklyDigest(ctx context.Context, userID int64) (bool, error) {
	a, err := r.accounts.Find(ctx, userID, r.clock.Now())
	return a.WeeklyDigest, err
}

// WeeklyDigests implements billingapi.Preferences.
func (r *PurchaseReader) WeeklyDigests(ctx context.Context, userIDs []int64) (map[int64]bool, error) {
	list, err := r.accounts.WithWeeklyDigest(ctx, userIDs)
	weekly := make(map[int64]bool, len(list))
	for _, id := range list {
		weekly[id] = true
	}
	return weekly, err
}
