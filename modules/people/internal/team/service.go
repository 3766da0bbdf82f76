package team

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"gpatlas/modules/billing/billingapi"
	"gpatlas/modules/people/internal/invented"
	"gpatlas/modules/people/internal/title"
	"gpatlas/modules/people/internal/unread"
	"gpatlas/platform/auth"
	"gpatlas/platform/charge"
	"gpatlas/platform/clock"
	"gpatlas/platform/httpapi"
)

// Product is the entitlement that a charge for a person's name and post creates.
const Product = "roster"

// price of one person, in micro-dollars.
const price = 500_000

// Service answers who is at an adviser.
type Service struct {
	store     *Store
	unread    *unread.Store
	purchases billingapi.Purchases // nil if nothing is sold: no account owns anything
	clock     clock.Clock
}

// NewService makes a service. purchases may be nil.
func NewService(store *Store, purchases billingapi.Purchases, clk clock.Clock) *Service {
	return &Service{store: store, unread: unread.NewStore(store.db), purchases: purchases, clock: clk}
}

// The standings of a query.
const (
	team   = "team"
	alumni = "alumni"
)

// roster returns all people of one standing at an adviser, as the caller may see them.
func (s *Service) roster(ctx context.Context, crd, standing string) (gp, []candidate, error) {
	firms, all, err := s.rosters(ctx, []string{crd}, standing)
	if err != nil {
		return gp{}, nil, err
	}
	return *firms[crd], all, nil
}

// rosters returns all people of one standing at some advisers, as the caller may see them, in the order of the advisers' CRDs.
func (s *Service) rosters(ctx context.Context, crds []string, standing string) (map[string]*gp, []candidate, error) {
	firms, err := s.store.gps(ctx, crds)
	if err != nil {
		return nil, nil, err
	}
	if err := s.unread.WantFirms(ctx, crds); err != nil {
		return nil, nil, err
	}
	rows, err := s.store.people(ctx, crds, standing)
	if err != nil {
		return nil, nil, err
	}
	all, test := make([]candidate, len(rows)), auth.From(ctx).Mode == auth.ModeTest
	number := 0 // of the person at the adviser
	for i, r := range rows {
		all[i] = candidate{row: r, role: roleOf(r.Title), functions: functionsIn(r.Title), last: r.LastKey, first: r.FirstKey}
		if number++; i == 0 || r.CRD != rows[i-1].CRD {
			number = 0
		}
		if test {
			all[i].PersonUID = invented.UID(r.CRD, standing, number)
			all[i].SoldAs, all[i].Bought = all[i].PersonUID, nil
			all[i].invent()
		}
	}
	if test {
		return firms, all, nil
	}
	return firms, all, s.own(ctx, all)
}

// own marks the people whom the account owns.
func (s *Service) own(ctx context.Context, all []candidate) error {
	caller := auth.From(ctx)
	if s.purchases == nil || caller.UserID == 0 || len(all) == 0 {
		return nil
	}
	var units []string
	for i := range all {
		units = append(append(units, all[i].PersonUID), all[i].Bought...)
	}
	owned, err := s.purchases.Owned(ctx, caller.UserID, Product, units)
	if err != nil {
		return err
	}
	for i := range all {
		for _, uid := range append([]string{all[i].PersonUID}, all[i].Bought...) {
			if owned[uid] {
				all[i].owned = uid
				break
			}
		}
	}
	return nil
}

// invent replaces real people by invented ones. Only their number is real.
func (p *candidate) invent() {
	p.first, p.last = invented.Name(p.PersonUID)
	p.FullName, p.role = p.first+" "+p.last, invented.Role(p.PersonUID)
	called, since, until := invented.Title(p.role), invented.Since(p.PersonUID), invented.Named(p.PersonUID)
	if p.LeftBefore != nil {
		after, before := invented.Left(p.PersonUID)
		until, p.LeftBefore = after, &before
	}
	p.Title, p.AcquiredOn, p.NamedUntil, p.Source, p.City, p.State = &called, &since, until, "schedules", "", ""
	p.functions, p.AcquiredYearOnly = title.ReadFunctions(called), false
	p.JoinedAfter, p.JoinedBefore, p.JoinedMonthly = nil, since, true
}

func functionsIn(filed *string) []string {
	if filed == nil {
		return nil
	}
	return title.ReadFunctions(*filed)
}

func roleOf(filed *string) title.Role {
	if filed == nil {
		return title.Other
	}
	return title.Read(*filed)
}

// The orders of a roster.
const (
	bySeniority = "seniority"
	byTenure    = "tenure"
	byName      = "name"
)

// order sorts people; the uid breaks ties, so that pages do not overlap.
func order(all []candidate, by string) {
	slices.SortFunc(all, func(a, b candidate) int {
		names := cmp.Or(strings.Compare(a.last, b.last), strings.Compare(a.first, b.first))
		years := compareSince(&a, &b)
		uids := strings.Compare(a.PersonUID, b.PersonUID)
		switch by {
		case byName:
			return cmp.Or(names, uids)
		case byTenure:
			return cmp.Or(years, names, uids)
		default:
			return cmp.Or(cmp.Compare(a.role.Rank(), b.role.Rank()), years, names, uids)
		}
	})
}

// compareSince orders the longest tenure first, and unknown ones last.
func compareSince(a, b *candidate) int {
	switch {
	case a.AcquiredOn == nil && b.AcquiredOn == nil:
		return 0
	case a.AcquiredOn == nil:
		return 1
	case b.AcquiredOn == nil:
		return -1
	default:
		return a.AcquiredOn.Compare(*b.AcquiredOn)
	}
}

// window is a page of people and the price of the next one for the caller.
func window(ctx context.Context, all []candidate, limit, offset int) (page []candidate, nextCost string) {
	from := min(offset, len(all))
	until := min(from+limit, len(all))
	return all[from:until], cost(ctx, all[until:min(until+limit, len(all))])
}

// cost is the price of some people for the caller: of those that the account does not own yet.
func cost(ctx context.Context, people []candidate) string {
	return dollars(ctx, len(people)-ownedOf(people))
}

// dollars is the price of a number of new people for the caller. A test key pays nothing.
func dollars(ctx context.Context, people int) string {
	if auth.From(ctx).Mode == auth.ModeTest {
		people = 0
	}
	return "$" + charge.Dollars(int64(people)*price)
}

// given returns only people that the account already owns, if the request may not sell new ones (httpapi.OnlyOwned). The people
// are selected before: no one takes the place of those left out.
func (s *Service) given(ctx context.Context, chosen []candidate) []candidate {
	if !httpapi.OnlyOwned(ctx) || s.purchases == nil || auth.From(ctx).Mode == auth.ModeTest {
		return chosen
	}
	return slices.DeleteFunc(slices.Clone(chosen), func(p candidate) bool { return p.owned == "" })
}

func units(people []candidate) []string {
	list := make([]string, len(people))
	for i := range people {
		list[i] = people[i].unit()
	}
	return list
}

func ownedOf(people []candidate) (n int) {
	for i := range people {
		if people[i].owned != "" {
			n++
		}
	}
	return n
}
