// Package subadvised lists private funds that one manager reports and another one advises too (Schedule D, section 7.B.(2)).
package subadvised

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
	Direction httpapi.Opt[string] `query:"direction" enum:"named,names_me" example:"named" doc:"named: funds of others that this manager names as sub-adviser (default). names_me: funds of this manager that others name as sub-advisers."`
}

// Fund is a fund with both of its advisers.
type Fund struct {
	FundID           *string            `json:"fund_id" doc:"ID of the fund. Null: not filed." example:"805-1234567890"`
	FundName         *string            `json:"fund_name" doc:"Name of the fund as the sub-adviser filed it." example:"Harbor Ridge Growth II, L.P."`
	AdviserCRD       *string            `json:"adviser_crd" doc:"CRD number of the manager that reports the fund. Null: the fund is in no loaded list." example:"900001"`
	AdviserName      *string            `json:"adviser_name" doc:"Name of that manager, otherwise the name as filed. Null: not stated, or it may be a person's." example:"Harbor Ridge Capital Partners LLC"`
	AdviserSECNumber *string            `json:"adviser_sec_number" doc:"SEC file number of the reporting adviser, as filed." example:"801-99001"`
	SubAdviserCRD    string             `json:"sub_adviser_crd" doc:"CRD number of the sub-adviser." example:"900321"`
	SubAdviserName   string             `json:"sub_adviser_name" doc:"Name of the sub-adviser." example:"Mossgate Advisers LLC"`
	Source           *fold.FilingSource `json:"source,omitempty" doc:"With direction=names_me, the filing that names the fund."`
}

// SchemaName is its name in the OpenAPI document.
func (Fund) SchemaName() string { return "SubAdvisedFund" }

// filed is a row of section 7.B.(2).
type filed struct {
	FundID           *string `json:"fund_id"`
	Name             *string `json:"name"`
	AdviserName      *string `json:"adviser_name"`
	AdviserSECNumber *string `json:"adviser_sec_number"`
}

// Service lists sub-advised funds.
type Service struct{ store *panel.Store }

// NewService reads from store.
func NewService(store *panel.Store) *Service { return &Service{store: store} }

// Part is what the slice offers.
func (s *Service) Part() module.Part { return module.Part{Routes: Routes(s)} }

type body = httpapi.DataMeta[[]Fund, panel.Meta]

// Routes is the operation on sub-advised funds.
func Routes(s *Service) []httpapi.Route {
	return panel.Route("/v1/gps/{crd}/sub-advised-funds", "list-gp-sub-advised-funds", "List the sub-advised funds of a fund manager", text, s.list)
}

const text = `Funds of Schedule D, section 7.B.(2), in the order of the filing: this manager advises them, and another manager reports them.

With ` + "`direction=names_me`" + `, the funds that this manager reports and that the newest lists of others name by Fund ID, by fund, each with its filing in ` + "`source`" + `. ` + "`basis.stated`" + ` is then true if there is such a fund: managers whose lists were not loaded are unknown.

` + panel.Text

func (s *Service) list(ctx context.Context, in *Input) (*httpapi.Reply[body], error) {
	manager, err := s.store.Manager(ctx, &in.Input)
	if err != nil {
		return nil, err
	}
	var rows []Fund
	meta := panel.Meta{CRD: in.CRD}
	if in.Direction.Value == "names_me" {
		rows, err = s.naming(ctx, manager)
		meta.Basis.Stated = len(rows) > 0
	} else {
		rows, meta.Basis, err = s.named(ctx, manager)
	}
	if err != nil {
		return nil, err
	}
	meta.Meta = in.Meta(len(rows))
	return &httpapi.Reply[body]{Body: body{Data: panel.Cut(rows, in.Paging), Meta: meta}, Page: in.Links(len(rows))}, nil
}

// named are the funds that a manager names.
func (s *Service) named(ctx context.Context, m *panel.Manager) ([]Fund, panel.Basis, error) {
	list, of, err := panel.List[filed](ctx, s.store, catalogapi.TableSubAdvised, m.CRD, m.At)
	if err != nil {
		return nil, panel.Basis{}, err
	}
	var ids []string
	for _, f := range list {
		ids = append(ids, catalogapi.TextOf(f.FundID))
	}
	persons, err := s.store.Persons(ctx, m.CRD)
	if err != nil {
		return nil, panel.Basis{}, err
	}
	reporting, err := s.store.Reporters(ctx, ids, m.At)
	rows := make([]Fund, len(list))
	for i, f := range list {
		rows[i] = Fund{FundID: f.FundID, FundName: f.Name, AdviserSECNumber: f.AdviserSECNumber, SubAdviserCRD: m.CRD, SubAdviserName: m.LegalName}
		if known, ok := reporting[catalogapi.TextOf(f.FundID)]; ok {
			rows[i].AdviserCRD, rows[i].AdviserName = &known.CRD, &known.LegalName
		} else if derive.ShowsFirm(catalogapi.TextOf(f.AdviserName), persons) {
			rows[i].AdviserName = f.AdviserName
		}
	}
	return rows, of.Basis(), err
}
