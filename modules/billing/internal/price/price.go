// Package price maps the prices of Stripe to what they grant.
package price

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"gpatlas/platform/auth"
)

// Plans and Tiers are what prices can grant, the lowest first.
var (
	Plans = auth.Plans[1:]
	Tiers = auth.Tiers[1:]
)

// Entitlement is what a price grants: a plan or an API tier; the other is empty.
type Entitlement struct{ Plan, APITier string }

// Price is a price of Stripe, and what it grants.
type Price struct {
	ID string // price_…
	Entitlement
}

// List is the prices that are configured, in their order.
type List []Price

// Parse reads "price_a=plan:pro,price_b=tier:growth".
func Parse(text string) (List, error) {
	list := List{}
	for entry := range strings.SplitSeq(text, ",") {
		if entry = strings.TrimSpace(entry); entry == "" {
			continue
		}
		id, entitlement, _ := strings.Cut(entry, "=")
		kind, value, _ := strings.Cut(entitlement, ":")
		if _, twice := list.Find(id); twice {
			return nil, fmt.Errorf("%s stands twice", id)
		}
		p := Price{ID: id}
		switch {
		case id != "" && kind == "plan" && slices.Contains(Plans, value):
			p.Plan = value
		case id != "" && kind == "tier" && slices.Contains(Tiers, value):
			p.APITier = value
		default:
			return nil, fmt.Errorf("%q is not PRICE=plan:NAME (%s) or PRICE=tier:NAME (%s)", entry, strings.Join(Plans, ", "), strings.Join(Tiers, ", "))
		}
		if !strings.HasPrefix(id, "price_") || strings.ContainsAny(id, " \t\n/?#;") {
			return nil, fmt.Errorf("%q is not a price ID, which begins with price_", id)
		}
		list = append(list, p)
	}
	return list, nil
}

// Find finds a price.
func (l List) Find(id string) (Price, bool) {
	i := slices.IndexFunc(l, func(p Price) bool { return p.ID == id })
	if i < 0 {
		return Price{}, false
	}
	return l[i], true
}

// For finds the first price that grants something: if a plan has a monthly and a yearly price, the first is the default.
func (l List) For(want Entitlement) (Price, bool) {
	i := slices.IndexFunc(l, func(p Price) bool { return p.Entitlement == want })
	if i < 0 {
		return Price{}, false
	}
	return l[i], true
}

var monthly = regexp.MustCompile(`^[0-9]{1,7}(\.[0-9]{2})?$`)

// ParseMonthly parses "plan:pro=199,tier:growth=99.50": monthly prices of plans and API tiers, by "plan:pro".
func ParseMonthly(text string) (map[string]string, error) {
	costs := map[string]string{}
	for entry := range strings.SplitSeq(text, ",") {
		if entry = strings.TrimSpace(entry); entry == "" {
			continue
		}
		name, dollars, _ := strings.Cut(entry, "=")
		kind, value, _ := strings.Cut(name, ":")
		switch known := kind == "plan" && slices.Contains(Plans, value) || kind == "tier" && slices.Contains(Tiers, value); {
		case !known || !monthly.MatchString(dollars):
			return nil, fmt.Errorf("%q is not plan:NAME=DOLLARS (%s) or tier:NAME=DOLLARS (%s), such as plan:pro=199 or tier:growth=99.50", entry, strings.Join(Plans, ", "), strings.Join(Tiers, ", "))
		case costs[name] != "":
			return nil, fmt.Errorf("%s stands twice", name)
		case !strings.Contains(dollars, "."):
			dollars += ".00"
		}
		costs[name] = "$" + dollars
	}
	return costs, nil
}
