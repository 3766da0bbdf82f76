// Package ledger is the meter behind everything that has a price: it charges accounts, once and never beyond their spending
// cap, and records the charges in a ledger whose rows are never changed.
//
// All data for the decision about a charge is in the account's row of billing.accounts. Its lock is taken before anything else
// of billing is written. A fee is one statement. A sale of units is one transaction.
package ledger

import (
	"context"
	"errors"
	"log/slog"
	"slices"

	"gpatlas/modules/billing/internal/account"
	"gpatlas/platform/apperr"
	"gpatlas/platform/auth"
	"gpatlas/platform/charge"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
)

// Rules are who is charged, and the limits.
type Rules struct {
	// CallersOnly: anonymous callers are refused, because there is no account to charge. Otherwise they are served free of
	// charge.
	CallersOnly bool
	// UnbackedMicros is how much an account without a subscription may spend in a month; nil: no limit.
	UnbackedMicros *int64
}

// Hooks are called after or within a charge. Each may be nil.
type Hooks struct {
	// Alerted is called after a charge that has reached thresholds of the account's cap, and after the first charge of a month
	// that reaches the limit of accounts without a subscription or is refused for it (account.UnbackedThreshold). The rows of
	// billing.alerts name them; they stay there if the process ends before the call.
	Alerted func(ctx context.Context, userID int64)
	// Bought is called in the transaction of a charge for units of an account that wants receipts. An error undoes the charge.
	Bought func(ctx context.Context, b Bought) error
}

// Bought is a purchase of units.
type Bought struct {
	UserID   int64
	ChargeID int64
	Item     charge.Item
	Receipt  charge.Receipt
}

// Meter is the charge.Meter over the ledger. It is safe for concurrent use.
type Meter struct {
	db       *database.DB
	store    *store
	accounts *account.Store
	clock    clock.Clock
	log      *slog.Logger
	rules    Rules
	hooks    Hooks
	states   states
	limited  refusedAccounts
}

// NewMeter charges in db.
func NewMeter(db *database.DB, clk clock.Clock, log *slog.Logger, rules Rules, hooks Hooks) *Meter {
	return &Meter{db: db, store: &store{db}, accounts: account.NewStore(db), clock: clk, log: log.With(slog.String("part", "ledger")), rules: rules, hooks: hooks}
}

// payer is the account that is charged. paying is false for callers who are served free of charge.
type payer struct {
	userID int64
	keyID  *string
	paying bool
	test   bool
}

var errNobody = apperr.New(apperr.KindUnauthenticated, "This operation has a price: sign in, or send an API key")

func (m *Meter) payer(ctx context.Context) (payer, error) {
	caller := auth.From(ctx)
	if caller.UserID == 0 {
		if m.rules.CallersOnly {
			return payer{}, errNobody
		}
		return payer{}, nil
	}
	p := payer{userID: caller.UserID, test: caller.Mode == auth.ModeTest}
	p.paying = !p.test
	if caller.KeyID != "" {
		p.keyID = &caller.KeyID
	}
	return p, nil
}

// Allow implements charge.Meter.
func (m *Meter) Allow(ctx context.Context, item charge.Item) error {
	p, err := m.payer(ctx)
	if err != nil || !p.paying || item.Product != "" {
		return err
	}
	if err := affordable(&item, item.UnitMicros); err != nil {
		return err
	}
	state := m.state
	if item.Now {
		state = m.visit
	}
	a, err := state(ctx, p.userID)
	if err != nil {
		return err
	}
	if err := confirmed(&a, &item, item.UnitMicros); err != nil {
		return err
	}
	return m.noted(ctx, p, m.fits(&a, item.UnitMicros))
}

// Charge implements charge.Meter.
func (m *Meter) Charge(ctx context.Context, item charge.Item) (charge.Receipt, error) {
	p, err := m.payer(ctx)
	if err != nil || p.userID == 0 {
		return charge.Receipt{}, err
	}
	receipt, err := m.charge(ctx, p, item)
	if database.Unsure(err) && !errors.Is(err, charge.ErrUnsure) {
		err = charge.Unsure(err)
	}
	return receipt, m.noted(ctx, p, err)
}

func (m *Meter) charge(ctx context.Context, p payer, item charge.Item) (charge.Receipt, error) {
	item.Units = slices.Compact(slices.Sorted(slices.Values(item.Units)))
	switch {
	case item.Quantity() == 0:
		return charge.Receipt{}, nil
	case p.test:
		return charge.Receipt{}, m.store.test(ctx, m.line(p, &item))
	case len(item.Units) == 0 && item.Execution == "" && !item.Unlock:
		return m.fee(ctx, p, &item)
	default:
		return m.sale(ctx, p, &item)
	}
}

// Quote implements charge.Meter.
func (m *Meter) Quote(ctx context.Context, item charge.Item) (charge.Quote, error) {
	p, err := m.payer(ctx)
	if err != nil || p.userID == 0 {
		return charge.Quote{}, err
	}
	item.Units = slices.Compact(slices.Sorted(slices.Values(item.Units)))
	n := item.Quantity()
	var q charge.Quote
	if len(item.Units) > 0 {
		owned, err := m.store.owned(ctx, p.userID, item.Product, item.Units)
		if err != nil {
			return charge.Quote{}, err
		}
		q.Owned = len(owned)
		n = len(item.Units) - q.Owned
	}
	if p.paying {
		q.Micros = item.Price(n)
	}
	return q, nil
}
