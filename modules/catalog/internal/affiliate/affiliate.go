// Package affiliate lists the firms that a manager names as related persons (Schedule D, section 7.A), and those that name it.
package affiliate

import (
	"context"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/derive"
	"gpatlas/modules/catalog/internal/fold"
	"gpatlas/modules/catalog/internal/panel"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/module"
)

// Input is the parameters of the list.
type Input struct {
	panel.Input
	Direction httpapi.Opt[string] `query:"direction" enum:"named,names_me" example:"named" doc:"named: the firms that this manager names (default). names_me: the managers that name this one."`
}

// Affiliate is a firm that is related to the manager.
type Affiliate struct {
	LegalName     string             `json:"legal_name" doc:"Legal name as filed. The name of the manager itself in place of one that may be a person's, and with direction=names_me." example:"Harbor Ridge Securities LLC"`
	CRD           *string            `json:"crd" doc:"CRD number of the firm. Null: not filed." example:"900321"`
	Types         []string           `json:"types" doc:"Kinds of related person (section 7.A, item 5) that apply: a broker-dealer, b other investment adviser, c registered municipal advisor, d registered security-based swap dealer, e major security-based swap participant, f commodity pool operator or trading advisor, g futures commission merchant, h bank or thrift, i trust company, j accountant, k lawyer, l insurance company, m pension consultant, n real estate broker, o sponsor or syndicator of partnerships, p sponsor, general partner or managing member of pooled vehicles." example:"[\"a\",\"p\"]"`
	Controls      *bool              `json:"controls" doc:"True if the naming manager controls the other firm or is controlled by it (item 6). Null: not stated." example:"false"`
	CommonControl *bool              `json:"common_control" doc:"True if both are under common control (item 7). Null: not stated." example:"true"`
	Source        *fold.FilingSource `json:"source,omitempty" doc:"With direction=names_me, the filing that names the manager."`
}

// filed is a row of section 7.A.
type filed struct {
	LegalName     *string  `json:"legal_name"`
	BusinessName  *string  `json:"business_name"`
	CRD           *string  `json:"affiliate_crd"`
	Types         []string `json:"types"`
	Controls      *bool    `json:"controls"`
	CommonControl *bool    `json:"common_control"`
}

// Service lists affiliates.
type Service struct{ store *panel.Store }

// NewService reads from store.
func NewService(store *panel.Store) *Service { return &Service{store: store} }

// Part is what the slice offers.
func (s *Service) Part() module.Part { return module.Part{Routes: Routes(s)} }

type body = httpapi.DataMeta[[]Affiliate, panel.WithheldMeta]

// Routes is the operation on affiliates.
func Routes(s *Service) []httpapi.Route {
	return panel.Route("/v1/gps/{crd}/affiliates", "list-gp-affiliates", "List the affiliates of a fund manager", text, s.list)
}

const text = `Firms of Schedule D, section 7.A, in the order of the filing. Individuals, and trusts and family vehicles named after them, are left out and counted in ` + "`withheld`" + `: without a legal form and without a CRD number of a manager, a name counts as a person's, and so does one with the last name and a given name of a person in the manager's filings.

With ` + "`direction=names_me`" + `, the managers whose newest list names this one by its CRD number, sorted by name, each with its filing in ` + "`source`" + `. ` + "`basis.stated`" + ` is then true if there is such a manager: managers whose lists were not loaded are unknown.

` + panel.Text

func (s *Service) list(ctx context.Context, in *Input) (*httpapi.Reply[body], error) {
	manager, err := s.store.Manager(ctx, &in.Input)
	if err != nil {
		return nil, err
	}
	var rows []Affiliate
	var meta panel.WithheldMeta
	if in.Direction.Value == "names_me" {
		rows, err = s.naming(ctx, manager)
		meta.Basis.Stated = len(rows) > 0
	} else {
		rows, meta.Withheld, meta.Basis, err = s.named(ctx, manager)
	}
	if err != nil {
		return nil, err
	}
	meta.CRD, meta.Meta.Meta = in.CRD, in.Meta(len(rows))
	return &httpapi.Reply[body]{Body: body{Data: panel.Cut(rows, in.Paging), Meta: meta}, Page: in.Links(len(rows))}, nil
}

// named are the firms that a manager names.
func (s *Service) named(ctx context.Context, m *panel.Manager) (rows []Affiliate, withheld int, basis panel.Basis, err error) {
	list, of, err := panel.List[filed](ctx, s.store, catalogapi.TableAffiliates, m.CRD, m.At)
	if err != nil {
		return nil, 0, basis, err
	}
	persons, err := s.store.Persons(ctx, m.CRD)
	if err != nil {
		return nil, 0, basis, err
	}
	var doubtful []string
	names := make([]string, len(list))
	for i, f := range list {
		if names[i] = catalogapi.TextOf(f.LegalName); names[i] == "" {
			names[i] = catalogapi.TextOf(f.BusinessName)
		}
		if f.CRD != nil && !derive.ShowsFirm(names[i], persons) {
			doubtful = append(doubtful, *f.CRD)
		}
	}
	firms, err := s.store.Names(ctx, doubtful, m.At)
	for i, f := range list {
		if !derive.ShowsFirm(names[i], persons) {
			known, ok := firms[catalogapi.TextOf(f.CRD)]
			if !ok {
				withheld++
				continue
			}
			names[i] = known
		}
		rows = append(rows, Affiliate{names[i], f.CRD, append([]string{}, f.Types...), f.Controls, f.CommonControl, nil})
	}
	return rows, withheld, of.Basis(), err
}
