package httpapitest

import (
	"context"
	"slices"
	"sync"

	"gpatlas/platform/charge"
)

// Meter charges every item its full price and remembers it. Its fields are set before it is used.
type Meter struct {
	Refusal error                                                      // of requests, before they are served
	Failure error                                                      // of charges, when the answer is there
	Receipt func(ctx context.Context, item charge.Item) charge.Receipt // nil: the full price

	mu             sync.Mutex
	asked, charged []charge.Item
}

// Allow remembers that it was asked.
func (m *Meter) Allow(_ context.Context, item charge.Item) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.asked = append(m.asked, item)
	return m.Refusal
}

// Charge remembers the item unless it fails.
func (m *Meter) Charge(ctx context.Context, item charge.Item) (charge.Receipt, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.Failure != nil {
		return charge.Receipt{}, m.Failure
	}
	m.charged = append(m.charged, item)
	if m.Receipt != nil {
		return m.Receipt(ctx, item), nil
	}
	return charge.Receipt{Micros: item.Micros()}, nil
}

// Asked is what Allow was asked about, in order.
func (m *Meter) Asked() []charge.Item {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.asked)
}

// Charged is what was charged for, in order.
func (m *Meter) Charged() []charge.Item {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.charged)
}
