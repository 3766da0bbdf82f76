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

// own marks the people whom the account owns, and those whom it was given at the adviser.
func (s *Service) own(ctx context.Context, all []candidate) error {
	caller := auth.From(ctx)
	if s.purchases == nil || caller.UserID == 0 || len(all) == 0 {
		return nil
	}
	var units, places []string
	for i := range all {
		for _, uid := range all[i].uids() {
			units, places = append(units, uid), append(places, Place(all[i].CRD, uid))
		}
	}
	owned, err := s.purchases.Owned(ctx, caller.UserID, Product, units)
	if err != nil {
		return err
	}
	placed, err := s.purchases.Placed(ctx, caller.UserID, Product, places)
	if err != nil {
		return err
	}
	for i := range all {
		p := &all[i]
		if n := slices.IndexFunc(p.uids(), func(uid string) bool { return owned[uid] }); n >= 0 {
			p.owned = p.uids()[n]
		}
		p.placed = slices.ContainsFunc(p.uids(), func(uid string) bool { return placed[Place(p.CRD, uid)] })
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

// window is a page of people.
func window(all []candidate, limit, offset int) []candidate {
	from := min(offset, len(all))
	return all[from:min(from+limit, len(all))]
}

// cost is the most that some people cost the caller: those whom the account was not given at the adviser.
func cost(ctx context.Context, people []candidate) string { return dollars(ctx, freshOf(people)) }

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

func places(people []candidate) []string {
	list := make([]string, len(people))
	for i := range people {
		list[i] = Place(people[i].CRD, people[i].unit())
	}
	return list
}

// freshOf counts the people whom the account was not given at the adviser.
//
// Spec: not shown; an account pays for a person once, so a person bought at another manager is free. Free answers do not show that: they
// would show for whom else the person works. They depend on each manager alone and on what the account was given there.
func freshOf(people []candidate) (n int) {
	for i := range people {
		if !people[i].placed {
			n++
		}
	}
	return n
}

func ownedOf(people []candidate) (n int) {
	for i := range people {
		if people[i].owned != "" {
			n++
		}
	}
	return n
}
