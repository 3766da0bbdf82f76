package chargetest

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/charge"
)

func TestMeterConforms(t *testing.T) {
	t.Parallel()
	Conform(t, func(testing.TB) Adapter { return &Meter{CallersOnly: true} })
}

// wrong is a meter with one fault.
type wrong struct {
	*Meter

	allow  func(m *Meter, ctx context.Context, item charge.Item) error
	charge func(m *Meter, ctx context.Context, item charge.Item) (charge.Receipt, error)
	quote  func(m *Meter, ctx context.Context, item charge.Item) (charge.Quote, error)
	visits func(m *Meter) int
}

func (w wrong) Allow(ctx context.Context, item charge.Item) error {
	if w.allow != nil {
		return w.allow(w.Meter, ctx, item)
	}
	return w.Meter.Allow(ctx, item)
}

func (w wrong) Charge(ctx context.Context, item charge.Item) (charge.Receipt, error) {
	if w.charge != nil {
		return w.charge(w.Meter, ctx, item)
	}
	return w.Meter.Charge(ctx, item)
}

func (w wrong) Quote(ctx context.Context, item charge.Item) (charge.Quote, error) {
	if w.quote != nil {
		return w.quote(w.Meter, ctx, item)
	}
	return w.Meter.Quote(ctx, item)
}

func (w wrong) Visits() int {
	if w.visits != nil {
		return w.visits(w.Meter)
	}
	return w.Meter.Visits()
}

// A suite that no meter can fail checks nothing: each of these has one fault and fails the check that is named.
func TestWrongMetersDoNotConform(t *testing.T) {
	t.Parallel()
	for check, w := range map[string]wrong{
		"a fee without units is charged each time": {charge: func(m *Meter, ctx context.Context, item charge.Item) (charge.Receipt, error) {
			if len(item.Units) == 0 && item.Product == "" {
				item.Product, item.Units = "fees", []string{item.Operation}
			}
			return m.Charge(ctx, item)
		}},
		"persons are charged once for each account": {charge: func(m *Meter, ctx context.Context, item charge.Item) (charge.Receipt, error) {
			receipt, err := m.Charge(ctx, item)
			receipt.Micros = item.Micros() // of the list, whatever is owned
			return receipt, err
		}},
		"another operation with the product charges nothing for what is owned": {charge: func(m *Meter, ctx context.Context, item charge.Item) (charge.Receipt, error) {
			item.Product += item.Operation
			return m.Charge(ctx, item)
		}},
		"an execution is charged once": {charge: func(m *Meter, ctx context.Context, item charge.Item) (charge.Receipt, error) {
			item.Execution = ""
			return m.Charge(ctx, item)
		}},
		"an execution delivers nothing that was not paid for": {charge: func(m *Meter, ctx context.Context, item charge.Item) (charge.Receipt, error) {
			receipt, err := m.Charge(ctx, item)
			if errors.Is(err, charge.ErrChanged) { // whatever the receipt was for
				return charge.Receipt{Micros: 2 * price, NewUnits: 2, Earlier: true}, nil
			}
			return receipt, err
		}},
		"products are owned apart": {charge: func(m *Meter, ctx context.Context, item charge.Item) (charge.Receipt, error) {
			if item.Product != "" {
				item.Product = product
			}
			return m.Charge(ctx, item)
		}},
		"a price per request is charged while a unit is new": {charge: func(m *Meter, ctx context.Context, item charge.Item) (charge.Receipt, error) {
			if item.Product != "" {
				item.Per = charge.PerPerson
			}
			return m.Charge(ctx, item)
		}},
		"a unit that is named twice is one unit": {charge: func(m *Meter, ctx context.Context, item charge.Item) (charge.Receipt, error) {
			receipt, err := m.Charge(ctx, item)
			if receipt.NewUnits > 0 {
				receipt.NewUnits = len(item.Units)
			}
			return receipt, err
		}},
		"the cap refuses a charge as a whole": {charge: func(m *Meter, ctx context.Context, item charge.Item) (sum charge.Receipt, err error) {
			if item.Per == charge.PerRequest {
				return m.Charge(ctx, item)
			}
			for _, unit := range item.Units { // as many as fit
				item.Units = []string{unit}
				r, err := m.Charge(ctx, item)
				if err != nil {
					return charge.Receipt{}, err
				}
				sum.Micros, sum.NewUnits = sum.Micros+r.Micros, sum.NewUnits+r.NewUnits
			}
			return sum, nil
		}},
		"charges at the same time do not exceed the cap": {charge: uncapped()},
		"requests that overlap pay for each person once": {charge: func(m *Meter, ctx context.Context, item charge.Item) (charge.Receipt, error) {
			receipt, err := m.Charge(ctx, item)
			if receipt.NewUnits > 0 { // what was read before the lock
				receipt.NewUnits = len(item.Units)
			}
			return receipt, err
		}},
		"nobody is asked to sign in": {allow: func(*Meter, context.Context, charge.Item) error { return nil }},
		"a test key is charged nothing and entitled to nothing": {charge: func(m *Meter, ctx context.Context, item charge.Item) (charge.Receipt, error) {
			receipt, err := m.Charge(ctx, item)
			receipt.NewUnits = len(item.Units)
			return receipt, err
		}},
		"without a ledger nothing is sold": {charge: func(m *Meter, ctx context.Context, item charge.Item) (charge.Receipt, error) {
			receipt, _ := m.Charge(ctx, item)
			return receipt, nil
		}},
		"Allow refuses a fee above max_charge": {allow: func(m *Meter, ctx context.Context, item charge.Item) error {
			item.MaxMicros = nil
			return m.Allow(ctx, item)
		}},
		"nothing above max_charge is charged": {charge: func(m *Meter, ctx context.Context, item charge.Item) (charge.Receipt, error) {
			item.MaxMicros = nil
			return m.Charge(ctx, item)
		}},
		"an execution that was refused is not charged": {charge: refusedOnce()},
		"two new persons or more have the price in bulk": {charge: func(m *Meter, ctx context.Context, item charge.Item) (charge.Receipt, error) {
			if len(item.Units) >= 2 && item.BulkMicros > 0 { // those that are asked for, not the new ones
				item.UnitMicros = item.BulkMicros
			}
			return m.Charge(ctx, item)
		}},
		"an unlock above the one-click threshold is confirmed": {charge: func(m *Meter, ctx context.Context, item charge.Item) (charge.Receipt, error) {
			item.Confirmed = true
			return m.Charge(ctx, item)
		}},
		"a quote is what would be charged": {quote: func(m *Meter, ctx context.Context, item charge.Item) (charge.Quote, error) {
			quote, err := m.Quote(ctx, item)
			quote.Micros = item.Micros()
			return quote, err
		}},
		"Allow writes nothing": {allow: func(m *Meter, ctx context.Context, item charge.Item) error {
			_, err := m.Charge(ctx, item)
			return err
		}},
		"Allow visits the database once a second for each account": {visits: func(m *Meter) int { return len(m.Asked()) }},
		"Allow knows a reached cap after a second":                 {allow: func(*Meter, context.Context, charge.Item) error { return nil }},
	} {
		w.Meter = &Meter{CallersOnly: true}
		found := false
		for _, c := range checks {
			if c.name == check {
				found = true
				require.NotEmpty(t, c.faults(t.Context(), w), check)
			}
		}
		require.True(t, found, check)
	}
	require.Len(t, checks, 23, "a wrong meter for each check")
}

// A quote that fails one part of its promise alone is found too.
func TestWrongQuotesDoNotConform(t *testing.T) {
	t.Parallel()
	for name, w := range map[string]struct {
		quote func(m *Meter, ctx context.Context, item charge.Item) (charge.Quote, error)
		check string
	}{
		"it charges": {func(m *Meter, ctx context.Context, item charge.Item) (charge.Quote, error) {
			quote, err := m.Quote(ctx, item)
			_, _ = m.Charge(ctx, item)
			return quote, err
		}, "a quote is what would be charged"},
		"it does not know what is owned": {func(m *Meter, ctx context.Context, item charge.Item) (charge.Quote, error) {
			quote, err := m.Quote(ctx, item)
			quote.Owned = 0
			return quote, err
		}, "a quote is what would be charged"},
		"it prices all in bulk": {func(m *Meter, ctx context.Context, item charge.Item) (charge.Quote, error) {
			if item.BulkMicros > 0 {
				item.UnitMicros = item.BulkMicros
			}
			return m.Quote(ctx, item)
		}, "two new persons or more have the price in bulk"},
		"it quotes to nobody": {func(m *Meter, ctx context.Context, item charge.Item) (charge.Quote, error) {
			quote, _ := m.Quote(ctx, item)
			return quote, nil
		}, "nobody is asked to sign in"},
		"it guesses without a ledger": {func(m *Meter, ctx context.Context, item charge.Item) (charge.Quote, error) {
			if quote, err := m.Quote(ctx, item); m.broken == nil {
				return quote, err
			}
			return charge.Quote{Micros: item.Micros()}, nil
		}, "without a ledger nothing is sold"},
		"it charges for test keys": {func(m *Meter, ctx context.Context, item charge.Item) (charge.Quote, error) {
			quote, err := m.Quote(ctx, item)
			if err == nil && quote.Owned == 0 {
				quote.Micros = item.Micros()
			}
			return quote, err
		}, "a quote is what would be charged"},
	} {
		found := false
		for _, c := range checks {
			if c.name == w.check {
				found = true
				require.NotEmpty(t, c.faults(t.Context(), wrong{Meter: &Meter{CallersOnly: true}, quote: w.quote}), name)
			}
		}
		require.True(t, found, name)
	}
}

// refusedOnce takes an execution that was refused for one that was charged.
func refusedOnce() func(m *Meter, ctx context.Context, item charge.Item) (charge.Receipt, error) {
	refused := map[string]bool{}
	return func(m *Meter, ctx context.Context, item charge.Item) (charge.Receipt, error) {
		if item.Execution != "" && refused[item.Execution] {
			return charge.Receipt{}, nil
		}
		receipt, err := m.Charge(ctx, item)
		refused[item.Execution] = err != nil
		return receipt, err
	}
}

// uncapped looks at the cap before it charges and not when it charges.
func uncapped() func(m *Meter, ctx context.Context, item charge.Item) (charge.Receipt, error) {
	var asked atomic.Int64
	return func(m *Meter, ctx context.Context, item charge.Item) (charge.Receipt, error) {
		if asked.Add(1) <= 21 {
			return charge.Receipt{Micros: item.Micros()}, nil
		}
		return m.Charge(ctx, item)
	}
}
