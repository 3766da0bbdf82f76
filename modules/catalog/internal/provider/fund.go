package provider

import (
	"context"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/history"
	"gpatlas/modules/catalog/internal/index"
	"gpatlas/modules/catalog/internal/listing"
	"gpatlas/modules/catalog/internal/panel"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/moment"
	"gpatlas/platform/page"
)

// FundInput is the parameters of the list of a fund's providers.
type FundInput struct {
	catalogapi.FundPath
	moment.Input
	panel.Paging
	Asked
}

// FundMeta is the remarks on the providers of a fund.
type FundMeta struct {
	page.Meta
	FundID   string `json:"fund_id" doc:"ID of the fund." example:"805-1234567890"`
	CRD      string `json:"crd" doc:"CRD number of the fund's manager." example:"900001"`
	Withheld int    `json:"withheld" doc:"Rows left out because they are or may be persons. They are not in total." example:"0"`
	Basis    Basis  `json:"basis" doc:"Filings that the list comes from."`
}

// SchemaName is its name in the OpenAPI document.
func (FundMeta) SchemaName() string { return "FundProvidersMeta" }

type fundBody = httpapi.DataMeta[[]FundProvider, FundMeta]

func (s *Service) fund(ctx context.Context, in *FundInput) (*httpapi.Reply[fundBody], error) {
	key, err := listing.KeyOf(in.FundID)
	if err != nil {
		return nil, err
	}
	roles, err := in.roles()
	if err != nil {
		return nil, err
	}
	var at catalogapi.Moment
	if at.Day, at.Known, err = in.Resolve(s.clock); err != nil {
		return nil, err
	}
	snapshot, err := s.index.Snapshot()
	if err != nil {
		return nil, err
	}
	if err := s.history.WaitForCommit(ctx, at.Known); err != nil {
		return nil, err
	}
	current, err := s.history.FindFund(ctx, key.FundID, key.ID)
	if err != nil {
		return nil, err
	}
	if current == nil {
		return nil, listing.NoFund(in.FundID)
	}
	fund := *current
	if !at.Now() {
		state, err := s.history.FundAt(ctx, current, history.AsOf{Point: catalogapi.Point{Moment: at}, Today: s.clock.Now()})
		if err != nil {
			return nil, err
		}
		if state == nil {
			return nil, listing.NotYet("Fund "+in.FundID, at)
		}
		fund = state.Fund
	}
	until := at
	if fund.Status == catalogapi.FundClosed && (until.Day.IsZero() || fund.LatestFiledOn.Before(until.Day)) {
		until.Day = fund.LatestFiledOn // later filings do not name it
	}
	filed, err := s.filed(ctx, fund.AdviserCRD, fund.FundID, until)
	if err != nil {
		return nil, err
	}
	persons, err := s.panels.Persons(ctx, fund.AdviserCRD)
	if err != nil {
		return nil, err
	}
	meta := FundMeta{FundID: fund.FundID, CRD: fund.AdviserCRD}
	var rows []FundProvider
	add := func(role string, f *index.FiledProvider, related *bool, of *panel.Edition) {
		p := snapshot.ProviderOf(f)
		if !shows(&p, persons) {
			meta.Withheld++
			return
		}
		rows = append(rows, FundProvider{
			role, p.ID, p.Name, asFiled(f.Name, &p, persons), catalogapi.Text(p.CRD), catalogapi.Text(p.LEI), related, meta.Basis.source(of),
		})
	}
	for i := range filed {
		meta.Basis.note(filed[i].role, &filed[i].Edition)
	}
	for _, role := range roles {
		if role == index.Roles[0] {
			for _, name := range fund.Auditors {
				add(role, &index.FiledProvider{Name: name}, nil, nil)
			}
		}
		for i := range filed {
			if filed[i].role != role {
				continue
			}
			for _, r := range filed[i].rows {
				add(role, &index.FiledProvider{Name: r.Name, CRD: catalogapi.TextOf(r.CRD), LEI: catalogapi.TextOf(r.LEI)}, r.Related, &filed[i].Edition)
			}
		}
	}
	if fund.HasAuditor() != nil {
		meta.Basis.note(index.Roles[0], nil)
	}
	meta.Meta = in.Meta(len(rows))
	return &httpapi.Reply[fundBody]{Body: fundBody{Data: panel.Cut(rows, in.Paging), Meta: meta}, Page: in.Links(len(rows))}, nil
}
