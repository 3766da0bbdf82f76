package offering

import (
	"context"
	"slices"
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/history"
	"gpatlas/modules/catalog/internal/listing"
	"gpatlas/modules/catalog/internal/panel"
	"gpatlas/platform/apperr"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/module"
	"gpatlas/platform/moment"
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

// Day asks for the offerings of a past day.
type Day struct {
	AsOf httpapi.Opt[httpapi.Date] `query:"as_of" example:"2026-06-30" doc:"Return the offerings as of this day (YYYY-MM-DD, UTC, not in the future): of the funds of the filings up to it, by the notices up to it. Default: today."`
}

// Absent explains why there is no known_at.
//
// Spec: not shown; known_at is refused: when a notice is loaded again with other recipients, the earlier ones are not kept.
func (*Day) Absent() map[string]string {
	return map[string]string{"known_at": "is not accepted: the recipients of restated notices are not kept; send as_of"}
}

// day is the day that is asked for; the zero time if it is today.
func (in *Day) day(clk clock.Clock) (time.Time, error) {
	day, _, err := moment.Input{AsOf: in.AsOf}.Resolve(clk)
	if !day.Before(clock.Today(clk)) {
		day = time.Time{}
	}
	return day, err
}

// GPInput is the parameters of the list of a manager's offerings.
type GPInput struct {
	catalogapi.GPPath
	Day
	panel.Paging
	Every
}

// FundInput is the parameters of the list of a fund's offerings.
type FundInput struct {
	catalogapi.FundPath
	Day
	page.Input
	Every
}

// Meta is the remarks on the offerings of one manager or fund.
type Meta struct {
	page.Meta
	CRD    string  `json:"crd" doc:"CRD number of the manager." example:"900001"`
	FundID *string `json:"fund_id,omitempty" doc:"ID of the fund, in the list of a fund." example:"805-1234567890"`
	AsOf   *string `json:"as_of,omitempty" format:"date" doc:"Requested day, if any." example:"2026-06-30"`
}

// SchemaName is its name in the OpenAPI document.
func (Meta) SchemaName() string { return "OfferingsMeta" }

type (
	body       = httpapi.DataMeta[[]Offering, Meta]
	marketBody = httpapi.DataMeta[[]Offering, MarketMeta]
)

func (s *Service) gp(ctx context.Context, in *GPInput) (*httpapi.Reply[body], error) {
	day, err := in.day(s.clock)
	if err != nil {
		return nil, err
	}
	known, err := s.store.manager(ctx, in.CRD)
	if err != nil {
		return nil, err
	}
	if !known {
		return nil, apperr.NotFound(catalogapi.NoGP, in.CRD)
	}
	return s.list(ctx, "GP with CRD "+in.CRD, Meta{CRD: in.CRD}, in.Paging, in.Every, day)
}

func (s *Service) fund(ctx context.Context, in *FundInput) (*httpapi.Reply[body], error) {
	day, err := in.day(s.clock)
	if err != nil {
		return nil, err
	}
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
	what := "Fund " + in.FundID
	if !day.IsZero() {
		then, err := s.filed.FundAt(ctx, fund, asOf(day))
		if err != nil {
			return nil, err
		}
		if then == nil {
			return nil, listing.NotYet(what, asOf(day).Moment)
		}
		fund = &then.Fund
	}
	return s.list(ctx, what, Meta{CRD: fund.AdviserCRD, FundID: &fund.FundID}, in.Input, in.Every, day)
}

// list lists the offerings of what: a manager or one of its funds.
func (s *Service) list(ctx context.Context, what string, meta Meta, in page.Input, every Every, day time.Time) (*httpapi.Reply[body], error) {
	var then *past
	var notices []filed
	var err error
	if day.IsZero() {
		notices, err = s.store.list(ctx, meta.CRD, catalogapi.TextOf(meta.FundID), clock.Today(s.clock))
	} else {
		meta.AsOf = new(day.Format(time.DateOnly))
		if then, err = s.at(ctx, meta.CRD, catalogapi.TextOf(meta.FundID), day); err == nil && then == nil {
			return nil, listing.NotYet(what, asOf(day).Moment)
		}
		if then != nil {
			notices = then.notices
		}
	}
	if err != nil {
		return nil, err
	}
	all := rows(notices, every.History.Value)
	list := panel.Cut(all, in)
	meta.Meta = in.Meta(len(all))
	if then == nil {
		err = s.store.complete(ctx, list)
	} else {
		for i := range list {
			list[i].OtherFundIDs = append(list[i].OtherFundIDs, then.others[list[i].AccessionNumber]...)
		}
		err = s.store.recipients(ctx, list)
	}
	return &httpapi.Reply[body]{Body: body{Data: list, Meta: meta}, Page: in.Links(len(all))}, err
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
