package ledger

import (
	"context"
	"fmt"

	"gpatlas/modules/billing/internal/account"
	"gpatlas/platform/apperr"
	"gpatlas/platform/charge"
)

// line is a request's row of the ledger.
func (m *Meter) line(p payer, item *charge.Item) *line {
	now := m.clock.Now().UTC()
	l := &line{
		userID: p.userID, keyID: p.keyID, month: account.Month(now), at: now, item: item, quantity: item.Quantity(), unit: item.UnitPrice(item.Quantity()),
		unbacked: m.rules.UnbackedMicros,
	}
	if item.Execution != "" {
		l.execution = &item.Execution
	}
	return l
}

// attempts is how often a fee is tried that does not fit, although the account's state allows it: the account has no row yet,
// or the obstacle has gone meanwhile.
const attempts = 3

// fee charges for a response that entitles to nothing.
func (m *Meter) fee(ctx context.Context, p payer, item *charge.Item) (charge.Receipt, error) {
	l := m.line(p, item)
	l.amount = item.Price(1)
	if l.amount == 0 {
		return charge.Receipt{}, nil
	}
	if err := affordable(item, l.amount); err != nil {
		return charge.Receipt{}, err
	}
	for range attempts {
		done, err := m.store.charge(ctx, l)
		if err != nil {
			return charge.Receipt{}, err
		}
		if done != nil {
			m.alert(ctx, p, done)
			return charge.Receipt{Micros: l.amount}, nil
		}
		a, err := m.accounts.Find(ctx, p.userID, l.at)
		if err == nil {
			err = m.fits(&a, l.amount)
		}
		if err == nil {
			err = m.accounts.Ensure(ctx, p.userID, l.at)
		}
		if err != nil {
			return charge.Receipt{}, err
		}
	}
	return charge.Receipt{}, apperr.Unavailable("The account is being changed; try again")
}

// sale charges for units that are new to the account, or for an execution that was not charged before.
func (m *Meter) sale(ctx context.Context, p payer, item *charge.Item) (charge.Receipt, error) {
	var receipt charge.Receipt
	var done *charged
	decided := false
	err := m.db.InTx(ctx, func(ctx context.Context) (err error) {
		receipt, done, err = m.sell(ctx, p, item)
		decided = err == nil
		return err
	})
	if err != nil && decided { // the commit failed, or its answer was lost
		err = charge.Unsure(err)
	}
	if err != nil {
		return charge.Receipt{}, err
	}
	m.alert(ctx, p, done)
	return receipt, nil
}

// sell is a sale in its transaction. It decides everything before it writes.
func (m *Meter) sell(ctx context.Context, p payer, item *charge.Item) (receipt charge.Receipt, done *charged, err error) {
	l := m.line(p, item)
	a, err := m.accounts.Lock(ctx, p.userID, l.at)
	if err != nil {
		return receipt, nil, err
	}
	if l.execution != nil {
		first, err := m.store.executed(ctx, p.userID, item.Execution)
		if err != nil {
			return receipt, nil, err
		}
		if first != nil {
			receipt, err = m.again(ctx, p, item, first)
			return receipt, nil, err
		}
	}
	count := 1
	if len(item.Units) > 0 {
		if l.units, err = m.store.fresh(ctx, p.userID, item.Product, item.Units); err != nil {
			return receipt, nil, err
		}
		count = len(l.units)
	}
	l.price(count)
	for _, refusal := range []error{affordable(item, l.amount), confirmed(&a, item, l.amount), m.fits(&a, l.amount)} {
		if refusal != nil {
			return receipt, nil, refusal
		}
	}
	if err := m.store.place(ctx, l); err != nil {
		return receipt, nil, err
	}
	if l.amount == 0 && len(l.units) == 0 { // all of it was bought before
		return receipt, nil, m.store.remember(ctx, l)
	}
	if done, err = m.store.charge(ctx, l); err != nil {
		return receipt, nil, err
	}
	if done == nil || done.Bought != len(l.units) {
		return receipt, nil, fmt.Errorf("charge account %d for %d units of %q: the ledger decided otherwise: %+v", p.userID, len(l.units), item.Product, done)
	}
	receipt = charge.Receipt{Micros: l.amount, NewUnits: len(l.units)}
	if m.hooks.Bought != nil && a.EmailReceipts && len(l.units) > 0 && l.amount > 0 {
		err = m.hooks.Bought(ctx, Bought{UserID: p.userID, ChargeID: done.ID, Item: *item, Receipt: receipt})
	}
	return receipt, done, err
}

// price returns the price of a number of new units, and the part of each. A price per request is spread over the units, so that
// their amounts add up to the charge.
func (l *line) price(count int) {
	l.amount, l.quantity = l.item.Price(count), count
	if count == 0 {
		return
	}
	l.unit = l.amount / int64(count)
	rest := l.amount % int64(count)
	for range l.units {
		paid := l.unit
		if rest > 0 {
			paid, rest = paid+1, rest-1
		}
		l.amounts = append(l.amounts, paid)
	}
}

// again returns the receipt of an execution that was charged before. Units that neither it nor another charge bought are not
// delivered.
func (m *Meter) again(ctx context.Context, p payer, item *charge.Item, first *execution) (charge.Receipt, error) {
	if len(item.Units) > 0 {
		fresh, err := m.store.fresh(ctx, p.userID, item.Product, item.Units)
		if err != nil {
			return charge.Receipt{}, err
		}
		if len(fresh) > 0 {
			return charge.Receipt{}, charge.ErrChanged
		}
	}
	return charge.Receipt{Micros: first.AmountMicros, NewUnits: first.NewUnits, Earlier: true}, nil
}

func (m *Meter) alert(ctx context.Context, p payer, done *charged) {
	if done != nil && done.Crossed > 0 && m.hooks.Alerted != nil {
		m.hooks.Alerted(ctx, p.userID)
	}
}
