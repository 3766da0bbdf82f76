package person

import (
	"context"
	"time"

	"gpatlas/modules/billing/billingapi"
	"gpatlas/modules/people/internal/enrichment"
	"gpatlas/modules/people/internal/invented"
	"gpatlas/modules/people/internal/name"
	"gpatlas/modules/people/internal/team"
	"gpatlas/modules/people/internal/unread"
	"gpatlas/platform/apperr"
	"gpatlas/platform/auth"
	"gpatlas/platform/clock"
	"gpatlas/platform/httpapi"
)

// Product is the entitlement that a charge for a profile creates.
const Product = "profile"

// Prices of one request, in micro-dollars.
const (
	searchPrice  = 500_000
	profilePrice = 500_000
)

// freshFor is how old a profile must be before providers are asked again: a purchase is free for ever, and asking is not.
const freshFor = time.Hour

// Profiles reads what filings and providers state about people.
type Profiles interface {
	Profile(ctx context.Context, uid string) (enrichment.Profile, error)
	Filed(ctx context.Context, uid string) (enrichment.Profile, error)
	RefreshPerson(ctx context.Context, uid string) (p enrichment.Profile, stale bool, err error)
}

// Service finds and shows people.
type Service struct {
	store     *Store
	unread    *unread.Store
	profiles  Profiles
	purchases billingapi.Purchases // nil if nothing is sold
	clock     clock.Clock
	finder    finder
}

// NewService makes a service. purchases may be nil.
func NewService(store *Store, profiles Profiles, purchases billingapi.Purchases, clk clock.Clock) *Service {
	return &Service{store: store, unread: unread.NewStore(store.db), profiles: profiles, purchases: purchases, clock: clk, finder: finder{store: store}}
}

// Unknown is the error for every person who is not found, including suppressed people, so that the two cannot be distinguished.
func Unknown(uid string) error { return apperr.NotFound("Person %s not found", uid) }

func testing(ctx context.Context) bool { return auth.From(ctx).Mode == auth.ModeTest }

func checkName(query string) error {
	if len(name.Fold(query)) < 2 {
		return apperr.Invalid(apperr.FieldError{Field: "q", Message: "must have at least 2 letters"})
	}
	return nil
}

// search returns people whose names match, the best match first.
func (s *Service) search(ctx context.Context, query, company string, limit int) ([]Found, error) {
	if err := checkName(query); err != nil {
		return nil, err
	}
	if testing(ctx) {
		return findInvented(query, company, limit), nil
	}
	if err := s.unread.WantSearch(ctx); err != nil {
		return nil, err
	}
	// Some of them may have been removed since they were indexed.
	hits, err := s.finder.find(ctx, name.Fold(query), name.Fold(company), 2*limit)
	if err != nil || len(hits) == 0 {
		return []Found{}, err
	}
	uids := make([]string, len(hits))
	for i, h := range hits {
		uids[i] = h.uid
	}
	heads, err := s.store.Heads(ctx, uids)
	if err != nil {
		return nil, err
	}
	found := make([]Found, 0, limit)
	for _, uid := range uids {
		h, there := heads[uid]
		if !there || len(found) == limit {
			continue
		}
		found = append(found, Found{PersonUID: uid, Position: position(&h)})
	}
	return found, nil
}

// profile returns what is known about a person, and the unit and the manager that a charge states.
func (s *Service) profile(ctx context.Context, uid string, refresh bool) (shown Profile, unit, crd string, stale bool, err error) {
	if testing(ctx) { // for any person: whether one exists is part of what is sold
		if uid == invented.Nobody {
			return Profile{}, "", "", false, Unknown(uid)
		}
		return inventedProfile(uid), uid, "", false, nil
	}
	if err := s.unread.WantPerson(ctx, uid); err != nil {
		return Profile{}, "", "", false, err
	}
	p, err := s.profiles.Profile(ctx, uid)
	if err != nil && apperr.From(err).Kind == apperr.KindNotFound {
		p, err = s.bought(ctx, uid)
		refresh = false // no manager of the person is enriched, so no provider is asked
	}
	if err != nil {
		return Profile{}, "", "", false, hidden(uid, err)
	}
	old := p.UpdatedAt == nil || s.clock.Now().Sub(*p.UpdatedAt) >= freshFor
	if refresh && old && !httpapi.OnlyEstimates(ctx) {
		if p, stale, err = s.profiles.RefreshPerson(ctx, uid); err != nil {
			return Profile{}, "", "", false, hidden(uid, err)
		}
	}
	heads, err := s.store.Heads(ctx, []string{p.PersonUID})
	if err != nil {
		return Profile{}, "", "", false, err
	}
	h, there := heads[p.PersonUID]
	if !there {
		return Profile{}, "", "", false, Unknown(uid)
	}
	owned, err := Bought(ctx, s.purchases, Product, heads)
	if err != nil {
		return Profile{}, "", "", false, err
	}
	return profile(&h, &p), h.Unit(owned), h.CRD, stale, nil
}

// bought is the profile of a person without an enriched adviser, for accounts that have bought the person with a team or its
// alumni.
func (s *Service) bought(ctx context.Context, uid string) (enrichment.Profile, error) {
	p, err := s.profiles.Filed(ctx, uid)
	if err != nil {
		return p, err
	}
	heads, err := s.store.Heads(ctx, []string{p.PersonUID})
	if err != nil {
		return p, err
	}
	names, err := Bought(ctx, s.purchases, team.Product, heads)
	if err == nil && names[p.PersonUID] == "" {
		err = Unknown(uid)
	}
	return p, err
}

// hidden makes all not-found errors identical.
func hidden(uid string, err error) error {
	if apperr.From(err).Kind == apperr.KindNotFound {
		return Unknown(uid)
	}
	return err
}

// Bought returns, by current uid, the uid under which the account owns a product of a person: purchases under former uids
// remain valid, and those before a split count for both persons. With a test key, or if nothing is sold, the result is empty.
func Bought(ctx context.Context, purchases billingapi.Purchases, product string, heads map[string]Head) (map[string]string, error) {
	caller := auth.From(ctx)
	if purchases == nil || caller.UserID == 0 || caller.Mode == auth.ModeTest || len(heads) == 0 {
		return map[string]string{}, nil
	}
	var units []string
	for _, h := range heads {
		units = append(append(units, h.PersonUID), h.Bought...)
	}
	owned, err := purchases.Owned(ctx, caller.UserID, product, units)
	if err != nil {
		return nil, err
	}
	bought := make(map[string]string, len(owned))
	for _, h := range heads {
		for _, uid := range append([]string{h.PersonUID}, h.Bought...) {
			if owned[uid] {
				bought[h.PersonUID] = uid
				break
			}
		}
	}
	return bought, nil
}

// Unit is what the account is charged for: the uid under which it has bought the person, else the person's own.
func (h *Head) Unit(bought map[string]string) string {
	if uid, ok := bought[h.PersonUID]; ok {
		return uid
	}
	return h.SoldAs
}
