package charge

import "sync"

// Listed is an operation with a price, for price lists.
type Listed struct{ Operation, Method, Path, Summary, Price string }

// PriceText is a price as text: "$0.25 per request", "$0.75 per person, $0.60 per person if two or more are new".
func PriceText(micros, bulkMicros int64, per string) string {
	text := NewPricing(micros, per).Description
	if bulkMicros > 0 {
		text += ", " + NewPricing(bulkMicros, per).Description + " if two or more are new"
	}
	return text
}

// List is the operations with a price. The web host sets it after registration; pages show it.
type List struct {
	mu   sync.RWMutex
	rows []Listed
}

// Set replaces the list.
func (l *List) Set(rows []Listed) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.rows = rows
}

// Rows are the operations, ordered by path.
func (l *List) Rows() []Listed {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.rows
}

// Offers are the operator's statements about plans and API tiers.
type Offers struct {
	Monthly     map[string]string // by the name of a plan or an API tier: "$49.00"; absent if the operator has stated none
	EduDiscount bool              // accounts with a verified .edu address have a discount at checkout
}
