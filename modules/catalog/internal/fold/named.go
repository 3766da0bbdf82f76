package fold

import (
	"slices"
	"strings"

	"gpatlas/modules/catalog/internal/derive"
)

// Issuer is an issuer of Form D whose name may be that of a fund.
type Issuer struct {
	Key   derive.FundKey
	City  string // of its address, upper case; empty when it is not known
	State string
}

// Bearer is a fund that bears an issuer's name.
type Bearer struct {
	FundID string
	CRD    string // its adviser's
	Form   string // of its own name
	City   string // of its adviser's main office, upper case; empty when it is not known
	State  string
}

// ByName returns the funds that an issuer is, of all that bear its name. Form D names no adviser, so the name must single out one fund: it
// is no general one (it has a key), name and legal form are equal, and all funds of that name are of one adviser. Where several advisers
// have one, or where one of the two names lacks its legal form, the issuer's address must be the main office of one of them. Else there
// is none.
//
// Spec: not shown; "exact normalized name among the adviser's funds", and Form D does not say who the adviser is.
func ByName(i *Issuer, bearers []Bearer) (funds []string) {
	near := func(b *Bearer) bool {
		return i.City != "" && i.State != "" && b.City == i.City && b.State == i.State
	}
	var exact, exactNear []string // advisers
	var nearby []string           // funds
	for n := range bearers {
		b := &bearers[n]
		if !fits(i, b) {
			continue
		}
		if b.Form == i.Key.Form {
			exact = append(exact, b.CRD)
			if near(b) {
				exactNear = append(exactNear, b.CRD)
			}
		}
		if near(b) {
			nearby = append(nearby, b.FundID)
		}
	}
	if exact == nil {
		if len(nearby) == 1 {
			return nearby
		}
		return nil
	}
	for n := range bearers {
		b := &bearers[n]
		if b.Form == i.Key.Form && (oneOf(exact) || near(b) && oneOf(exactNear)) {
			funds = append(funds, b.FundID)
		}
	}
	return funds
}

// fits says that the legal forms of two names do not contradict each other.
func fits(i *Issuer, b *Bearer) bool { return b.Form == i.Key.Form || b.Form == "" || i.Key.Form == "" }

// oneOf says that a list, which is not empty, has one value only.
func oneOf(crds []string) bool {
	return len(crds) > 0 && !slices.ContainsFunc(crds, func(crd string) bool { return crd != crds[0] })
}

// Placed is a place as issuers and offices are compared by.
func Placed(of *string) string { return strings.ToUpper(strings.Trim(value(of), " ")) }
