package career

import (
	"context"
	"maps"
	"slices"
	"strings"

	"gpatlas/modules/billing/billingapi"
	"gpatlas/modules/people/internal/enrichment"
	"gpatlas/modules/people/internal/identity"
	"gpatlas/modules/people/internal/invented"
	"gpatlas/modules/people/internal/person"
	"gpatlas/modules/people/internal/team"
	"gpatlas/modules/people/internal/unread"
	"gpatlas/platform/apperr"
	"gpatlas/platform/auth"
	"gpatlas/platform/httpapi"
)

// Product is the entitlement that a charge for a person's history creates.
const Product = "career"

// Prices of one history, in micro-dollars: alone, and as one of several bought together.
const (
	price     = 750_000
	bulkPrice = 600_000
)

// Profiles reads what providers state about people.
type Profiles interface {
	Profile(ctx context.Context, uid string) (enrichment.Profile, error)
}

// Service answers histories.
type Service struct {
	store     *Store
	unread    *unread.Store
	people    *person.Store
	careers   *identity.Service
	profiles  Profiles
	purchases billingapi.Purchases // nil if nothing is sold
}

// NewService makes a service. purchases may be nil.
func NewService(store *Store, people *person.Store, careers *identity.Service, profiles Profiles, purchases billingapi.Purchases) *Service {
	return &Service{store: store, unread: unread.NewStore(store.db), people: people, careers: careers, profiles: profiles, purchases: purchases}
}

func testing(ctx context.Context) bool { return auth.From(ctx).Mode == auth.ModeTest }

// history returns one person's history and the unit and the manager that a charge states. People without an enriched adviser are not
// found, except by accounts that have bought their names or their history with the team's.
func (s *Service) history(ctx context.Context, asked string) (h History, unit, crd string, err error) {
	if testing(ctx) {
		if asked == invented.Nobody {
			return History{}, "", "", person.Unknown(asked)
		}
		return inventedHistory(asked), asked, "", nil
	}
	if err := s.unread.WantPerson(ctx, asked); err != nil {
		return History{}, "", "", err
	}
	now, err := s.careers.Currents(ctx, []string{asked})
	if err != nil {
		return History{}, "", "", err
	}
	uid := now[asked]
	heads, err := s.people.Heads(ctx, []string{uid})
	if err != nil {
		return History{}, "", "", err
	}
	if len(heads) == 0 {
		return History{}, "", "", person.Unknown(asked)
	}
	owned, err := person.Bought(ctx, s.purchases, Product, heads)
	if err != nil {
		return History{}, "", "", err
	}
	names, err := person.Bought(ctx, s.purchases, team.Product, heads)
	if err != nil {
		return History{}, "", "", err
	}
	if _, err := s.profiles.Profile(ctx, uid); err != nil && (apperr.From(err).Kind != apperr.KindNotFound || owned[uid] == "" && names[uid] == "") {
		if apperr.From(err).Kind == apperr.KindNotFound {
			return History{}, "", "", person.Unknown(asked)
		}
		return History{}, "", "", err
	}
	list, err := s.histories(ctx, heads, owned)
	if err != nil {
		return History{}, "", "", err
	}
	head := heads[uid]
	return list[0], head.Unit(owned), head.CRD, nil
}

// histories returns the histories of some people, by name.
func (s *Service) histories(ctx context.Context, heads map[string]person.Head, owned map[string]string) ([]History, error) {
	uids := slices.Sorted(maps.Keys(heads))
	spells, err := s.careers.Careers(ctx, uids)
	if err != nil {
		return nil, err
	}
	list := make([]History, 0, len(uids))
	for _, uid := range uids {
		p, err := s.profiles.Profile(ctx, uid)
		if err != nil && apperr.From(err).Kind != apperr.KindNotFound {
			return nil, err
		}
		h := heads[uid]
		t := merge(&h, spells[uid], &p)
		t.PaidBefore = owned[uid] != ""
		list = append(list, t)
	}
	return byName(list), nil
}

func byName(list []History) []History {
	slices.SortStableFunc(list, func(a, b History) int { return strings.Compare(a.FullName, b.FullName) })
	return list
}

// unlock returns the histories of an adviser's people that the account has bought with its team or alumni (all of them if the
// request names none), and the units that the account is charged for.
func (s *Service) unlock(ctx context.Context, crd string, named []string) ([]History, []string, error) {
	roster, err := s.store.roster(ctx, crd)
	if err != nil {
		return nil, nil, err
	}
	if err := s.unread.WantFirm(ctx, crd); err != nil {
		return nil, nil, err
	}
	if testing(ctx) {
		return inventedHistories(crd, roster, named)
	}
	uids := make([]string, len(roster))
	for i := range roster {
		uids[i] = roster[i].PersonUID
	}
	heads, err := s.people.Heads(ctx, uids)
	if err != nil {
		return nil, nil, err
	}
	names, err := s.sold(ctx, crd, heads)
	if err != nil {
		return nil, nil, err
	}
	wanted, err := s.wanted(ctx, heads, names, named)
	if err != nil {
		return nil, nil, err
	}
	owned, err := person.Bought(ctx, s.purchases, Product, wanted)
	if err != nil {
		return nil, nil, err
	}
	if httpapi.OnlyOwned(ctx) && s.purchases != nil {
		maps.DeleteFunc(wanted, func(uid string, _ person.Head) bool { return owned[uid] == "" })
	}
	list, err := s.histories(ctx, wanted, owned)
	if err != nil {
		return nil, nil, err
	}
	units := make([]string, 0, len(wanted))
	for _, h := range wanted {
		units = append(units, h.Unit(owned))
	}
	return list, units, nil
}

// sold returns the people whose names the account was given at the adviser. If nothing is sold, that is everybody.
//
// Spec: not shown; people bought at another manager are not among them until they are read at this one, which is free: the number of
// careers in a quote would show who works for both.
func (s *Service) sold(ctx context.Context, crd string, heads map[string]person.Head) (map[string]bool, error) {
	sold, places, caller := make(map[string]bool, len(heads)), []string{}, auth.From(ctx)
	for uid, h := range heads {
		sold[uid] = s.purchases == nil
		for _, bought := range append([]string{uid}, h.Bought...) {
			places = append(places, team.Place(crd, bought))
		}
	}
	if s.purchases == nil || caller.UserID == 0 {
		return sold, nil
	}
	placed, err := s.purchases.Placed(ctx, caller.UserID, team.Product, places)
	if err != nil {
		return nil, err
	}
	for uid, h := range heads {
		sold[uid] = slices.ContainsFunc(append([]string{uid}, h.Bought...), func(bought string) bool { return placed[team.Place(crd, bought)] })
	}
	return sold, nil
}

// wanted returns the people whose histories are requested. It rejects all others with the same error: an ID can be computed
// from a guessed name, and the members of the roster are sold.
func (s *Service) wanted(ctx context.Context, heads map[string]person.Head, sold map[string]bool, named []string) (map[string]person.Head, error) {
	wanted := map[string]person.Head{}
	if named == nil {
		for uid, h := range heads {
			if sold[uid] {
				wanted[uid] = h
			}
		}
		return wanted, nil
	}
	now, err := s.careers.Currents(ctx, named)
	if err != nil {
		return nil, err
	}
	var others []string
	for _, asked := range named {
		switch uid := now[asked]; {
		case sold[uid]:
			wanted[uid] = heads[uid]
		case !httpapi.OnlyOwned(ctx): // when they were requested, all of them were on the roster and bought
			others = append(others, asked)
		}
	}
	if len(others) > 0 {
		return nil, unbought(others)
	}
	return wanted, nil
}

// inventedHistories returns the histories of the invented people that test keys see on a manager's lists.
func inventedHistories(crd string, roster []placed, named []string) (list []History, units []string, err error) {
	list, counts := []History{}, map[string]int{}
	others := slices.Clone(named)
	for _, p := range roster {
		uid := invented.UID(crd, p.Standing, counts[p.Standing])
		counts[p.Standing]++
		if named == nil || slices.Contains(named, uid) {
			list, units = append(list, inventedHistory(uid)), append(units, uid)
		}
		others = slices.DeleteFunc(others, func(asked string) bool { return asked == uid })
	}
	if len(others) > 0 {
		return nil, nil, unbought(others)
	}
	return byName(list), units, nil
}

func unbought(uids []string) error {
	return apperr.Invalid(apperr.FieldError{
		Field:   "person_ids",
		Message: "not bought with the team or the alumni of this manager, so unlock these first: " + strings.Join(slices.Compact(slices.Sorted(slices.Values(uids))), ", "),
	})
}
