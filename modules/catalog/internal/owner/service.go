package owner

import (
	"context"
	"net/http"

	"gpatlas/modules/catalog/catalogapi"
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
	return httpapi.Group([]httpapi.Route{
		httpapi.Get("/v1/gps/{crd}/owners", "list-gp-owners", s.list,
			httpapi.Summary("List the owners of a fund manager"), httpapi.Describe(description), httpapi.Paged(),
			httpapi.Errors(http.StatusNotFound, http.StatusServiceUnavailable)),
	}, httpapi.Tag("Fund managers"))
}

const description = `Rows of Schedules A (direct owners and executive officers) and B (owners of these), in the order of the filing. Free: firms have their name, CRD number and month; a person has a row without name, title, month and ID, which the operations on teams sell.

A row is a person's if the filer marked it as an individual or not at all, or wrote a name as people are written ("LAST, FIRST") without a legal form. An entity has ` + "`name: null` and `name_withheld`" + ` if it is a trust, an estate, a retirement account or a family vehicle, if its name has no sign of a firm, or if it contains the first and last name of a person in the manager's filings.

` + panel.Text

func (s *Service) list(ctx context.Context, in *panel.Input) (*httpapi.Reply[body], error) {
	var at catalogapi.Moment // now: past moments are not offered yet
	list, of, err := panel.List[filed](ctx, s.store, catalogapi.TableOwners, in.CRD, at)
	if err != nil {
		return nil, err
	}
	var persons []string
	if len(list) > 0 {
		if persons, err = s.persons(ctx, in.CRD); err != nil {
			return nil, err
		}
	}
	rows, meta := show(list, persons)
	meta.Meta = panel.Meta{Meta: in.Meta(len(rows)), CRD: in.CRD, Basis: of.Basis()}
	return &httpapi.Reply[body]{Body: body{Data: panel.Cut(rows, in.Paging), Meta: meta}, Page: in.Links(len(rows))}, nil
}

// show converts rows for the response, and counts them. What could say who a person is stays behind.
func show(list []filed, persons []string) (rows []Owner, meta Meta) {
	ids := map[string]bool{}
	for i := range list {
		if list[i].person() {
			ids[catalogapi.TextOf(list[i].OwnerID)] = true
		}
	}
	links := linksOf(list)
	for i := range list {
		f := &list[i]
		o := Owner{Row: i + 1, Schedule: f.Schedule, Kind: "entity", Ownership: ownershipOf(f.OwnershipCode), Control: f.ControlPerson, Effective: percents(effective(list, links, i))}
		switch {
		case f.person():
			o.Kind = "person"
			meta.Persons++
		case shows(f.Name, persons):
			o.Name, o.Acquired = &f.Name, f.acquired()
			if !ids[catalogapi.TextOf(f.OwnerID)] {
				o.CRD = f.OwnerID
			}
			meta.Entities++
		default:
			o.NameWithheld = new("names_a_person")
			meta.Entities++
			meta.Withheld++
		}
		if links[i].row >= 0 {
			o.OwnsRow = new(links[i].row + 1)
		} else if f.Schedule == "B" {
			meta.Unresolved++
		}
		rows = append(rows, o)
	}
	return rows, meta
}
