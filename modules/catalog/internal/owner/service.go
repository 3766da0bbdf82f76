package owner

import (
	"context"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/derive"
	"gpatlas/modules/catalog/internal/panel"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/module"
)

// Service lists owners.
type Service struct{ store *panel.Store }

// NewService reads from store.
func NewService(store *panel.Store) *Service { return &Service{store: store} }

// Part is what the slice offers.
func (s *Service) Part() module.Part { return module.Part{Routes: Routes(s)} }

type body = httpapi.DataMeta[[]Owner, Meta]

// Routes is the operation on owners.
func Routes(s *Service) []httpapi.Route {
	return panel.Route("/v1/gps/{crd}/owners", "list-gp-owners", "List the owners of a fund manager", description, s.list)
}

const description = `Rows of Schedules A (direct owners and executive officers) and B (owners of these), in the order of the filing. Free: firms have their name, CRD number and month; a person has a row without name, title, month and ID, which ` + "`GET /v1/gps/{crd}/owners/persons`" + ` sells.

A row is a person's if the filer marked it as an individual or not at all, or wrote a name as people are written ("LAST, FIRST") without a legal form. An entity has ` + "`name: null` and `name_withheld`" + ` if it is a trust, an estate, a retirement account or a family vehicle, if its name has no sign of a firm, or if it contains the first and last name of a person in the manager's filings.

` + panel.Text

func (s *Service) list(ctx context.Context, in *panel.Input) (*httpapi.Reply[body], error) {
	manager, err := s.store.Manager(ctx, in)
	if err != nil {
		return nil, err
	}
	list, basis, err := s.schedules(ctx, in.CRD, manager.At)
	if err != nil {
		return nil, err
	}
	rows, meta := show(list)
	meta.Meta = panel.Meta{Meta: in.Meta(len(rows)), CRD: in.CRD, Basis: basis}
	return &httpapi.Reply[body]{Body: body{Data: panel.Cut(rows, in.Paging), Meta: meta}, Page: in.Links(len(rows))}, nil
}

// Schedules implements catalogapi.Schedules.
func (s *Service) Schedules(ctx context.Context, crd string) ([]catalogapi.ScheduleRow, catalogapi.ListBasis, error) {
	return s.schedules(ctx, crd, catalogapi.Moment{})
}

// schedules are the rows as of a moment.
func (s *Service) schedules(ctx context.Context, crd string, at catalogapi.Moment) ([]catalogapi.ScheduleRow, catalogapi.ListBasis, error) {
	list, of, err := panel.List[filed](ctx, s.store, catalogapi.TableOwners, crd, at)
	if err != nil {
		return nil, catalogapi.ListBasis{}, err
	}
	var persons []string
	if len(list) > 0 {
		if persons, err = s.store.Persons(ctx, crd); err != nil {
			return nil, catalogapi.ListBasis{}, err
		}
	}
	rows, links := make([]catalogapi.ScheduleRow, len(list)), linksOf(list)
	for i := range list {
		f := &list[i]
		rows[i] = catalogapi.ScheduleRow{
			Schedule: f.Schedule, Name: f.Name, Title: f.Title, Acquired: f.acquired(), OwnerID: f.OwnerID, Ownership: ownershipOf(f.OwnershipCode),
			Control: f.ControlPerson, Effective: percents(effective(list, links, i)), Person: f.person(),
		}
		rows[i].Named = !rows[i].Person && derive.ShowsFirm(f.Name, persons)
		if links[i].row >= 0 {
			rows[i].OwnsRow = new(links[i].row + 1)
		}
	}
	return rows, of.Basis(), nil
}

// show converts rows for the response, and counts them. What could say who a person is stays behind.
func show(list []catalogapi.ScheduleRow) (rows []Owner, meta Meta) {
	ids := map[string]bool{}
	for i := range list {
		if list[i].Person {
			ids[catalogapi.TextOf(list[i].OwnerID)] = true
		}
	}
	for i := range list {
		r := &list[i]
		o := Owner{Row: i + 1, Schedule: r.Schedule, Kind: "entity", Ownership: r.Ownership, Control: r.Control, OwnsRow: r.OwnsRow, Effective: r.Effective}
		switch {
		case r.Person:
			o.Kind = "person"
			meta.Persons++
		case r.Named:
			o.Name, o.Acquired = &r.Name, r.Acquired
			if !ids[catalogapi.TextOf(r.OwnerID)] {
				o.CRD = r.OwnerID
			}
			meta.Entities++
		default:
			o.NameWithheld = new("names_a_person")
			meta.Entities++
			meta.Withheld++
		}
		if r.Schedule == "B" && r.OwnsRow == nil {
			meta.Unresolved++
		}
		rows = append(rows, o)
	}
	return rows, meta
}
