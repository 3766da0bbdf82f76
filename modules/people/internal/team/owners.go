package team

import (
	"context"
	"maps"
	"slices"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/people/internal/identity"
	"gpatlas/platform/apperr"
	"gpatlas/platform/auth"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/module"
)

// Owners answers which people own an adviser.
type Owners struct {
	*Service

	schedules catalogapi.Schedules
	people    *identity.Service
}

// NewOwners sells the people of a team, too: s knows who was bought.
func NewOwners(s *Service, schedules catalogapi.Schedules, people *identity.Service) *Owners {
	return &Owners{s, schedules, people}
}

// Part is what the slice provides.
func (o *Owners) Part() module.Part { return module.Part{Routes: OwnersRoutes(o)} }

// OwnersRoutes is the operation on people who own an adviser.
func OwnersRoutes(o *Owners) []httpapi.Route {
	return routesOf(httpapi.Get("/v1/gps/{crd}/owners/persons", "list-gp-owner-persons", o.handleOwners,
		httpapi.Summary("List the people who own a fund manager"), httpapi.Describe(ownersText), sold, httpapi.Paged(), failures))
}

type ownersBody = httpapi.DataMeta[[]OwnerPerson, OwnersMeta]

// share is a row of the schedules, and the people in it.
type share struct {
	catalogapi.ScheduleRow
	number int
	uids   []string // several if the name of a vehicle has the names of several people
}

func (o *Owners) handleOwners(ctx context.Context, in *OwnersInput) (*httpapi.Reply[ownersBody], error) {
	filters := OwnersFilters{Limit: in.Limit.Or(defaultLimit)}
	if in.MinPercent.Set {
		filters.MinPercent = &in.MinPercent.Value
	}
	if in.Control.Set {
		filters.Control = &in.Control.Value
	}
	if in.filtered() && in.Offset.Or(0) > 0 {
		// Spec: not shown; an empty page is free, and would show how many people have the rows that match.
		return nil, apperr.Invalid(apperr.FieldError{Field: "offset", Message: "cannot be combined with min_percent or control; limit goes up to 100"})
	}
	rows, basis, err := o.schedules.Schedules(ctx, in.CRD)
	if err != nil {
		return nil, err
	}
	firm, all, shares, err := o.owners(ctx, in.CRD, rows)
	if err != nil {
		return nil, err
	}
	fresh, whole := freshOf(all), len(all)
	if in.filtered() {
		// Spec: not shown; the free list shows the shares of rows without names. It does not show which rows belong to one person, nor
		// which belong to a person who is not sold. Unpaid responses with filters depend only on the number of these rows.
		whole = min(whole, nameless(rows, in))
		all = slices.DeleteFunc(all, func(p candidate) bool {
			return !slices.ContainsFunc(shares, func(x share) bool { return len(x.uids) == 1 && x.uids[0] == p.PersonUID && in.finds(&x.ScheduleRow) })
		})
	}
	bound, page := in.bound(fresh, whole, filters.Limit), window(all, filters.Limit, in.Offset.Or(0))
	given := o.given(ctx, page)
	fresh -= freshOf(given)
	cost := costOf(ctx, &firm, given, all, fresh, filters.Limit, in.Offset.Or(0))
	if !basis.Stated {
		cost = Cost{Reason: new(unstated)}
	}
	if in.filtered() {
		cost.hide(ctx, whole, fresh, len(page), filters.Limit, in.Offset.Or(0))
	}
	return &httpapi.Reply[ownersBody]{
		Body:  ownersBody{Data: toOwners(given, shares), Meta: OwnersMeta{Cost: cost, Basis: basis, FiltersApplied: filters}},
		Units: units(given), Places: places(given), Bound: bound, Page: &httpapi.Page{Total: whole, Limit: filters.Limit, Offset: in.Offset.Or(0)},
	}, nil
}

// unstated is the reason in a response about an adviser whose owners are unknown.
const unstated = "No filing of this manager with a Schedule A or B was loaded"

// nameless counts the rows without names in the list of owners that have what is asked for.
func nameless(rows []catalogapi.ScheduleRow, in *OwnersInput) (n int) {
	for i := range rows {
		if !rows[i].Named && in.finds(&rows[i]) {
			n++
		}
	}
	return n
}

// owners returns the people in the rows, as the caller may see them, in the order of their first rows. The rows were read before: if their
// people are not read yet, the roster refuses.
func (o *Owners) owners(ctx context.Context, crd string, rows []catalogapi.ScheduleRow) (firm gp, all []candidate, shares []share, err error) {
	firm, known, err := o.roster(ctx, crd, team)
	if err != nil {
		return firm, nil, nil, err
	}
	_, gone, err := o.roster(ctx, crd, alumni) // a vehicle of a former member may still own a part
	if err != nil {
		return firm, nil, nil, err
	}
	known = append(known, gone...)
	names, err := o.people.Sightings(ctx, crd)
	if err != nil {
		return firm, nil, nil, err
	}
	posts, err := o.store.sighted(ctx, crd)
	if err != nil {
		return firm, nil, nil, err
	}
	seen := map[string]bool{}
	var order []string
	for i := range rows {
		x := share{rows[i], i + 1, named(&rows[i], names, posts)}
		shares = append(shares, x)
		for _, uid := range x.uids {
			if !seen[uid] {
				seen[uid], order = true, append(order, uid)
			}
		}
	}
	if auth.From(ctx).Mode == auth.ModeTest {
		all = known[:min(len(order), len(known))]
		return firm, all, inventedShares(all), nil
	}
	at := make(map[string]int, len(known))
	for i := range known {
		at[known[i].PersonUID] = i
	}
	for _, uid := range order {
		if i, ok := at[uid]; ok {
			all = append(all, known[i])
		}
	}
	return firm, all, shares, nil
}

// named returns the people in a row, none if one of them may not be sold. The row of a trust, or of a person who was filed as an entity,
// names the people whose first and last names it has. It is not sold if it has the last name of a suppressed person.
func named(r *catalogapi.ScheduleRow, names *identity.Sightings, posts map[string]sighted) (uids []string) {
	if r.Named {
		return nil
	}
	sights := map[string]bool{}
	if sight := names.Of(r.Name, catalogapi.TextOf(r.OwnerID)); r.Person && sight != "" {
		sights[sight] = true
	} else {
		var akin map[string]bool
		sights, akin = names.In(r.Name)
		for sight := range akin {
			if _, shown := posts[sight]; !shown {
				return nil
			}
		}
	}
	for _, sight := range slices.Sorted(maps.Keys(sights)) {
		p, shown := posts[sight]
		if !shown || !p.Listed {
			return nil
		}
		uids = append(uids, p.PersonUID)
	}
	slices.Sort(uids)
	return slices.Compact(uids)
}

// inventedShares gives the first of some invented people control of the adviser. Real rows would show who is which.
func inventedShares(people []candidate) []share {
	list := make([]share, len(people))
	for i := range people {
		code, low, high := "NA", 0.0, 5.0
		if i == 0 {
			code, low, high = "E", 75.0, 100.0
		}
		of := catalogapi.Percents{MinPercent: &low, MaxPercent: &high}
		list[i] = share{catalogapi.ScheduleRow{
			Schedule: "A", Title: people[i].Title, Acquired: people[i].titleSince(), Ownership: catalogapi.Ownership{Code: &code, Percents: of}, Control: new(i == 0),
			Effective: of, Person: true,
		}, i + 1, []string{people[i].PersonUID}}
	}
	return list
}

// toOwners converts people and their rows for responses.
func toOwners(people []candidate, shares []share) []OwnerPerson {
	list, given := make([]OwnerPerson, len(people)), map[string]bool{}
	for i := range people {
		given[people[i].PersonUID] = true
	}
	for i := range people {
		p := &people[i]
		list[i] = OwnerPerson{ID: p.PersonUID, FullName: p.FullName, PaidBefore: p.owned != "", Holdings: []Holding{}}
		for _, x := range shares {
			if !slices.Contains(x.uids, p.PersonUID) || slices.ContainsFunc(x.uids, func(uid string) bool { return !given[uid] }) {
				continue
			}
			h := Holding{
				Row: x.number, Schedule: x.Schedule, Title: x.Title, Acquired: x.Acquired, Ownership: x.Ownership, Control: x.Control, OwnsRow: x.OwnsRow,
				Effective: x.Effective,
			}
			if !x.Person {
				h.Through = &x.Name
			}
			list[i].Holdings = append(list[i].Holdings, h)
		}
	}
	return list
}
