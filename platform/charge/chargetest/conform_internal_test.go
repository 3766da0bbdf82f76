package chargetest

import (
	"context"
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
	require.Len(t, checks, 16, "a wrong meter for each check")
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
