// Package office lists the offices of a manager: the main one, and those of Schedule D, section 1.F.
package office

import (
	"context"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/derive"
	"gpatlas/modules/catalog/internal/fold"
	"gpatlas/modules/catalog/internal/gp"
	"gpatlas/modules/catalog/internal/panel"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/module"
)

// Office is one office. Null means that it is not stated.
type Office struct {
	Main             bool               `json:"main" doc:"True for the main office (item 1.F(1)), which is the first." example:"false"`
	Street1          *string            `json:"street1" doc:"Street. Null: not stated, or a private residence." example:"2 Example Plaza"`
	Street2          *string            `json:"street2" doc:"Second line of the street. Null: not stated, or a private residence." example:"Floor 3"`
	City             *string            `json:"city" doc:"City." example:"Chicago"`
	State            *string            `json:"state" doc:"US state code, as filed." example:"IL"`
	PostalCode       *string            `json:"postal_code" doc:"Postal code." example:"60601"`
	Country          *string            `json:"country" doc:"Country, by its name." example:"United States"`
	PrivateResidence *bool              `json:"private_residence" doc:"True if the office is a private residence; its street is not shown." example:"false"`
	Phone            *string            `json:"phone" doc:"Telephone number, as filed." example:"312-555-0100"`
	EmployeeCount    *int64             `json:"employee_count" doc:"Employees who work in the office. Not filed for the main office." example:"7"`
	Source           *fold.FilingSource `json:"source,omitempty" doc:"Newest filing behind the main office, if it is not the one of meta.basis."`
}

// hide leaves out the street of a residence, and addressees who may be persons.
func (o *Office) hide() {
	o.City = derive.ShownCity(o.City)
	o.Street1, o.Street2 = derive.ShownStreet(o.Street1, o.Street2)
	if o.PrivateResidence != nil && *o.PrivateResidence {
		o.Street1, o.Street2 = nil, nil
	}
}

// Service lists offices.
type Service struct {
	gps   *gp.Service
	store *panel.Store
}

// NewService reads the main office from gps and the others from store.
func NewService(gps *gp.Service, store *panel.Store) *Service {
	return &Service{gps: gps, store: store}
}

// Part is what the slice offers.
func (s *Service) Part() module.Part { return module.Part{Routes: Routes(s)} }

type body = httpapi.DataMeta[[]Office, panel.Meta]

// Routes is the operation on offices.
func Routes(s *Service) []httpapi.Route {
	return panel.Route("/v1/gps/{crd}/offices", "list-gp-offices", "List the offices of a fund manager", text, s.list)
}

const text = `The main office is the first row; it is as in the detail of the manager. The others are those of Schedule D, section 1.F, in the order of the filing: a form lists the 25 largest. The street of a private residence is never shown.

` + panel.Text + ` The main office is shown even if the list is not stated.`

func (s *Service) list(ctx context.Context, in *panel.Input) (*httpapi.Reply[body], error) {
	at, err := s.store.Moment(in)
	if err != nil {
		return nil, err
	}
	a, _, err := s.gps.Get(ctx, &gp.DetailInput{GPPath: in.GPPath, Input: in.Input})
	if err != nil {
		return nil, err
	}
	others, of, err := panel.List[Office](ctx, s.store, catalogapi.TableOffices, in.CRD, at)
	if err != nil {
		return nil, err
	}
	main := Office{
		Main: true, Street1: a.Street1, Street2: a.Street2, City: a.City, State: a.State, PostalCode: a.PostalCode, Country: a.Country,
		PrivateResidence: a.PrivateResidence, Phone: a.Phone,
	}
	if source := a.Source(); of == nil || source.AccessionNumber != of.Accession {
		main.Source = &source
	}
	rows := append([]Office{main}, others...)
	for i := range rows {
		rows[i].hide()
	}
	meta := panel.Meta{Meta: in.Meta(len(rows)), CRD: in.CRD, Basis: of.Basis()}
	return &httpapi.Reply[body]{Body: body{Data: panel.Cut(rows, in.Paging), Meta: meta}, Page: in.Links(len(rows))}, nil
}
