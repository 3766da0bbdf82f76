package offering

import (
	"context"
	"slices"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/history"
	"gpatlas/modules/catalog/internal/listing"
	"gpatlas/modules/catalog/internal/panel"
	"gpatlas/platform/apperr"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/module"
	"gpatlas/platform/page"
)

// Service lists offerings.
type Service struct {
	store *store
	filed *history.Store
	clock clock.Clock
}

// NewService reads notices from db, and funds from filed.
func NewService(db *database.DB, filed *history.Store, clk clock.Clock) *Service {
	return &Service{&store{db}, filed, clk}
}

// Part is what the slice offers.
func (s *Service) Part() module.Part { return module.Part{Routes: Routes(s)} }

// Every asks for every notice of an offering.
type Every struct {
	History httpapi.Opt[bool] `query:"history" example:"true" doc:"True: a row for every notice. Default: a row for each offering, of its newest notice."`
}

// GPInput is the parameters of the list of a manager's offerings.
type GPInput struct {
	catalogapi.GPPath
	panel.Paging
	Every
}

// FundInput is the parameters of the list of a fund's offerings.
type FundInput struct {
	catalogapi.FundPath
	page.Input
	Every
}

// Meta is the remarks on the offerings of one manager or fund.
type Meta struct {
	page.Meta
	CRD    string  `json:"crd" doc:"CRD number of the manager." example:"900001"`
	FundID *string `json:"fund_id,omitempty" doc:"ID of the fund, in the list of a fund." example:"805-1234567890"`
}

// SchemaName is its name in the OpenAPI document.
func (Meta) SchemaName() string { return "OfferingsMeta" }

type (
	body       = httpapi.DataMeta[[]Offering, Meta]
	marketBody = httpapi.DataMeta[[]Offering, MarketMeta]
)

func (s *Service) gp(ctx context.Context, in *GPInput) (*httpapi.Reply[body], error) {
	known, err := s.store.manager(ctx, in.CRD)
	if err != nil {
		return nil, err
	}
	if !known {
		return nil, apperr.NotFound(catalogapi.NoGP, in.CRD)
	}
	return s.list(ctx, Meta{CRD: in.CRD}, in.Paging, in.Every)
}

func (s *Service) fund(ctx context.Context, in *FundInput) (*httpapi.Reply[body], error) {
	key, err := listing.KeyOf(in.FundID)
	if err != nil {
		return nil, err
	}
	fund, err := s.filed.FindFund(ctx, key.FundID, key.ID)
	if err != nil {
		return nil, err
	}
	if fund == nil {
		return nil, listing.NoFund(in.FundID)
	}
	return s.list(ctx, Meta{CRD: fund.AdviserCRD, FundID: &fund.FundID}, in.Input, in.Every)
}

func (s *Service) list(ctx context.Context, meta Meta, in page.Input, every Every) (*httpapi.Reply[body], error) {
	notices, err := s.store.list(ctx, meta.CRD, catalogapi.TextOf(meta.FundID), clock.Today(s.clock))
	if err != nil {
		return nil, err
	}
	all := rows(notices, every.History.Value)
	list := panel.Cut(all, in)
	meta.Meta = in.Meta(len(all))
	return &httpapi.Reply[body]{Body: body{Data: list, Meta: meta}, Page: in.Links(len(all))}, s.store.complete(ctx, list)
}

func (s *Service) market(ctx context.Context, in *MarketInput) (*httpapi.Reply[marketBody], error) {
	m, applied, err := in.read(clock.Today(s.clock))
	if err != nil {
		return nil, err
	}
	found, err := s.store.page(ctx, &m)
	if err != nil {
		return nil, err
	}
	meta := MarketMeta{listing.CursorMeta{Limit: m.limit, FiltersApplied: applied.Map()}}
	if len(found) > m.limit {
		found = found[:m.limit]
		last := &found[m.limit-1]
		meta.NextCursor = new(applied.Cursor(m.sort, listing.Place{Key: last.Key, ID: last.Accession}.Parts()...))
	}
	list := make([]Offering, len(found))
	for i := range found {
		list[i] = found[i].show(&found[i].filed, found[i].Offering)
	}
	err = s.store.complete(ctx, list)
	if m.recipients != nil { // a recipient that is withheld finds nothing
		list = slices.DeleteFunc(list, func(o Offering) bool { return !o.pays(m.recipients) })
	}
	return &httpapi.Reply[marketBody]{Body: marketBody{Data: list, Meta: meta}}, err
}
