// Package chargetest has a meter for tests and the tests that every meter must pass.
package chargetest

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"gpatlas/platform/apperr"
	"gpatlas/platform/auth"
	"gpatlas/platform/charge"
)

// Meter is a charge.Meter in memory. It keeps a ledger, entitlements and spending caps, records its calls, and can be made to
// fail. It conforms if CallersOnly is set. The exported fields are set before it is used. It is safe for concurrent use.
type Meter struct {
	CallersOnly bool                                                       // refuses anonymous callers; otherwise they share account 0
	Refusal     error                                                      // the error of Allow
	Failure     error                                                      // the error of Charge
	Receipt     func(ctx context.Context, item charge.Item) charge.Receipt // replaces the receipt; nil: what was charged

	mu             sync.Mutex
	broken         error
	now            time.Duration
	visits         int
	accounts       map[int64]*account
	states         map[int64]state
	asked, charged []charge.Item
}

// account is the persistent state of an account.
type account struct {
	capMicros *int64
	spent     int64
	owned     map[[2]string]bool        // product and unit
	receipts  map[string]charge.Receipt // by execution

	asksBefore bool  // one-click is off
	threshold  int64 // of one-click, in micro-dollars; 0 = none
}

// state is the cached state of an account for Allow.
type state struct {
	capMicros *int64
	spent     int64
	at        time.Duration
}

var (
	errNobody = apperr.New(apperr.KindUnauthenticated, "This operation has a price: sign in or send an API key")
	errCap    = charge.Refusal(charge.CodeSpendingCap, 0, "The monthly spending cap is reached")
)

// payer is the account that pays; free reports whether the call is made with a test key.
func (m *Meter) payer(ctx context.Context) (id int64, free bool, err error) {
	caller := auth.From(ctx)
	if m.CallersOnly && caller.UserID == 0 {
		return 0, false, errNobody
	}
	return caller.UserID, caller.Mode == auth.ModeTest, nil
}

func (m *Meter) account(id int64) *account {
	if m.accounts[id] == nil {
		if m.accounts == nil {
			m.accounts = map[int64]*account{}
		}
		m.accounts[id] = &account{owned: map[[2]string]bool{}}
	}
	return m.accounts[id]
}

// Allow records the call.
func (m *Meter) Allow(ctx context.Context, item charge.Item) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.asked = append(m.asked, item)
	id, free, err := m.payer(ctx)
	if m.Refusal != nil || err != nil || free {
		return cmp.Or(m.Refusal, err)
	}
	s, known := m.states[id]
	if !known || item.Now || m.now-s.at >= charge.MaxStateAge {
		m.visits++
		a := m.account(id)
		s = state{a.capMicros, a.spent, m.now}
		if m.states == nil {
			m.states = map[int64]state{}
		}
		m.states[id] = s
	}
	if item.Product != "" {
		return nil
	}
	if err := cmp.Or(affordable(item, item.UnitMicros), m.account(id).confirmed(item, item.UnitMicros)); err != nil {
		return err
	}
	if !fits(s.capMicros, s.spent, item.UnitMicros) {
		return errCap
	}
	return nil
}

func affordable(item charge.Item, micros int64) error {
	if item.MaxMicros != nil && micros > *item.MaxMicros {
		return charge.Refusal(charge.CodeMaxCharge, micros, "The charge is $%s, more than max_charge", charge.Dollars(micros))
	}
	return nil
}

func (a *account) confirmed(item charge.Item, micros int64) error {
	if item.Unlock && !item.Confirmed && micros > 0 && (a.asksBefore || a.threshold > 0 && micros > a.threshold) {
		return charge.Refusal(charge.CodeConfirmation, micros, "The charge is $%s; confirm the purchase", charge.Dollars(micros))
	}
	return nil
}

func fits(capMicros *int64, spent, micros int64) bool {
	return capMicros == nil || spent+micros <= *capMicros
}

// Charge records the item, unless it fails.
func (m *Meter) Charge(ctx context.Context, item charge.Item) (charge.Receipt, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.visits++
	id, free, err := m.payer(ctx)
	if failure := cmp.Or(m.broken, m.Failure, err); failure != nil {
		return charge.Receipt{}, failure
	}
	var receipt charge.Receipt
	if !free {
		if receipt, err = m.account(id).payOnce(item); err != nil {
			return charge.Receipt{}, err
		}
	}
	m.charged = append(m.charged, item)
	if m.Receipt != nil {
		return m.Receipt(ctx, item), nil
	}
	return receipt, nil
}

// Quote reports what Charge would charge.
func (m *Meter) Quote(ctx context.Context, item charge.Item) (charge.Quote, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.visits++
	id, free, err := m.payer(ctx)
	if failure := cmp.Or(m.broken, err); failure != nil {
		return charge.Quote{}, failure
	}
	a, n, q := m.account(id), 0, charge.Quote{}
	for _, unit := range slices.Compact(slices.Sorted(slices.Values(item.Units))) {
		if a.owned[[2]string{item.Product, unit}] {
			q.Owned++
		} else {
			n++
		}
	}
	if item.Per == charge.PerRequest && len(item.Units) == 0 {
		n = 1
	}
	if !free {
		q.Micros = item.Price(n)
	}
	return q, nil
}

func (a *account) payOnce(item charge.Item) (charge.Receipt, error) {
	if first, known := a.receipts[item.Execution]; known {
		if slices.ContainsFunc(item.Units, func(unit string) bool { return !a.owned[[2]string{item.Product, unit}] }) {
			return charge.Receipt{}, charge.ErrChanged
		}
		first.Earlier = true
		return first, nil
	}
	receipt, err := a.pay(item)
	if err == nil && item.Execution != "" {
		if a.receipts == nil {
			a.receipts = map[string]charge.Receipt{}
		}
		a.receipts[item.Execution] = receipt
	}
	return receipt, err
}

func (a *account) pay(item charge.Item) (charge.Receipt, error) {
	added := map[[2]string]bool{}
	for _, unit := range item.Units {
		if key := [2]string{item.Product, unit}; !a.owned[key] {
			added[key] = true
		}
	}
	n := len(added)
	if item.Per == charge.PerRequest && len(item.Units) == 0 {
		n = 1
	}
	micros := item.Price(n)
	if err := affordable(item, micros); err != nil {
		return charge.Receipt{}, err
	}
	if err := a.confirmed(item, micros); err != nil {
		return charge.Receipt{}, err
	}
	if micros > 0 && !fits(a.capMicros, a.spent, micros) {
		return charge.Receipt{}, errCap
	}
	a.spent += micros
	maps.Copy(a.owned, added)
	return charge.Receipt{Micros: micros, NewUnits: len(added)}, nil
}

// Asked returns the items of Allow's calls, in order.
func (m *Meter) Asked() []charge.Item {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.asked)
}

// Charged returns the charged items, in order, including free ones.
func (m *Meter) Charged() []charge.Item {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.charged)
}

// Account makes an account without a spending cap.
func (m *Meter) Account() int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	id := int64(len(m.accounts) + 1)
	m.account(id)
	return id
}

// SetCap sets the spending cap of an account; nil for none.
func (m *Meter) SetCap(id int64, micros *int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.account(id).capMicros = micros
}

// SetOneClick sets what an account may be charged for an unlock that is not confirmed: nothing if one-click is off, and at most
// the threshold if it is on.
func (m *Meter) SetOneClick(id int64, enabled bool, thresholdMicros int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	a := m.account(id)
	a.asksBefore, a.threshold = !enabled, thresholdMicros
}

// Spent is what an account was charged.
func (m *Meter) Spent(id int64) int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.account(id).spent
}

// Owned are the units of a product that an account is entitled to, in order.
func (m *Meter) Owned(id int64, product string) []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	owned := []string{}
	for key := range m.account(id).owned {
		if key[0] == product {
			owned = append(owned, key[1])
		}
	}
	slices.Sort(owned)
	return owned
}

// Advance moves the meter's clock.
func (m *Meter) Advance(d time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.now += d
}

// Visits is how often the meter would have read its database.
func (m *Meter) Visits() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.visits
}

// Break makes the ledger unavailable.
func (m *Meter) Break() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.broken = apperr.Unavailable("The ledger is unavailable; try again")
}
