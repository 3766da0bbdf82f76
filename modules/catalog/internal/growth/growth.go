// Package growth lists managers by the growth of their assets, which loads keep for all of them.
package growth

import (
	"context"
	"slices"
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/gp"
	"gpatlas/modules/catalog/internal/index"
	"gpatlas/modules/catalog/internal/listing"
	"gpatlas/platform/charge"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/module"
	"gpatlas/platform/page"
)

// priceMicros is the price of a request in micro-dollars.
const priceMicros = 150_000

// Service lists growth.
type Service struct {
	index   *index.Holder
	store   *store
	clock   clock.Clock
	pricing charge.Pricing
}

// NewService finds managers in the index, and reads their growth from db.
func NewService(holder *index.Holder, db *database.DB, clk clock.Clock) *Service {
	return &Service{index: holder, store: &store{db}, clock: clk, pricing: charge.NewPricing(priceMicros, charge.PerRequest)}
}

// Part is what the slice offers.
func (s *Service) Part() module.Part { return module.Part{Routes: Routes(s)} }

// Routes is the operation of the slice.
func Routes(s *Service) []httpapi.Route {
	return []httpapi.Route{
		httpapi.Get("/v1/search/growth", "search-growth", s.list,
			httpapi.Summary("Rank fund managers by growth"), httpapi.Describe(text), httpapi.Tag("History and analytics"), httpapi.Paged(),
			httpapi.Charge(priceMicros, charge.PerRequest), httpapi.Refuses(index.ErrLoading)),
	}
}

const text = "Lists the managers that match the filters of `GET /v1/gps` with the growth of their `total_aum`, largest first. The growth over 1 and 3 years is that of `GET /v1/gps/{crd}/metrics`, and the same rule gives 2 and 5 years. Percentages are annual, also over several years: assets that rose by 20 percent in two years have grown by 9.54 percent a year. Corrections by operators do not change growth.\n\n" +
	"Managers without a growth come last, with the reason. `meta.known` counts the managers that have one, and `meta.reasons` the others by reason. Growth over several years needs the filings of that time: where older archives are not loaded, few managers have one.\n\n" +
	"Small managers grow fastest: send `min_aum_before` to leave them out, and `filed_after` to leave out managers that have stopped filing.\n\n" +
	"A response is not charged if no manager that matches has a growth."

// Input is the parameters of the operation.
type Input struct {
	page.Input
	gp.Filters
	Horizon httpapi.Opt[string] `query:"horizon" enum:"1y,2y,3y,5y" example:"1y" doc:"Years over which growth is measured (default 1y)."`
	Sort    httpapi.Opt[string] `query:"sort" enum:"growth,change" example:"growth" doc:"Sort key: growth in percent a year (default), or the change in USD. Managers without a growth come last."`
	Order   httpapi.Opt[string] `query:"order" enum:"asc,desc" example:"desc" doc:"Sort direction (default desc)."`
}

// Row is a manager with the growth of its assets.
type Row struct {
	CRD       string  `json:"crd" doc:"CRD number of the adviser." example:"900001"`
	LegalName string  `json:"legal_name" doc:"Legal name." example:"Harbor Ridge Capital Partners LLC"`
	State     *string `json:"state" doc:"US state code of the main office." example:"MA"`
	TotalAUM  *int64  `json:"total_aum" doc:"USD. Assets today, corrections included." example:"2500000000"`
	Growth    Growth  `json:"growth" doc:"Growth over the horizon."`
}

// SchemaName is its name in the OpenAPI document.
func (Row) SchemaName() string { return "GrowthRow" }

// Growth is the growth of a manager's assets. All but the reason are null where there is none.
type Growth struct {
	PercentAYear *float64 `json:"percent_a_year" doc:"Percent a year: ((latest / before)^(365 / days) - 1) * 100, rounded to two decimals." example:"31.25"`
	Change       *int64   `json:"change" doc:"USD. Assets after the filing of to, less those before." example:"595238095"`
	From         *string  `json:"from" format:"date" doc:"Day of the filing that growth begins with." example:"2025-03-28"`
	To           *string  `json:"to" format:"date" doc:"Day of the newest filing that states the assets anew." example:"2026-03-28"`
	AUMBefore    *int64   `json:"aum_before" doc:"USD. Assets after the filing of from." example:"1904761905"`
	Reason       *string  `json:"reason" enum:"no_filing,registration_changed,basis_changed,unknown_value,not_positive" doc:"Why there is no growth, as yoy_reason of GET /v1/gps/{crd}/metrics. Null if there is one." example:"no_filing"`
}

// SchemaName is its name in the OpenAPI document.
func (Growth) SchemaName() string { return "AssetsGrowth" }

// Meta is the remarks on the list.
type Meta struct {
	listing.ListMeta
	Horizon string         `json:"horizon" doc:"Years over which growth is measured." example:"1y"`
	Known   int            `json:"known" doc:"Managers in the complete list that have a growth." example:"141"`
	Reasons map[string]int `json:"reasons" doc:"The others by the reason why they have none." example:"{\"no_filing\":17,\"registration_changed\":6}"`
	Pricing charge.Pricing `json:"pricing" doc:"What the request costs, as the price list has it. X-Charge shows what this response cost."`
}

// SchemaName is its name in the OpenAPI document.
func (Meta) SchemaName() string { return "GrowthMeta" }

type body = httpapi.DataMeta[[]Row, Meta]

// horizons are the values of the parameter, in the order of catalogapi.GrowthYears.
var horizons = []string{"1y", "2y", "3y", "5y"}

func (s *Service) list(ctx context.Context, in *Input) (*httpapi.Reply[body], error) {
	name := in.Horizon.Or(horizons[0])
	horizon := slices.Index(horizons, name)
	snapshot, away := s.index.Snapshot()
	q, applied, err := in.GrowthQuery(s.clock, snapshot, horizon)
	if err != nil {
		return nil, err
	}
	if away != nil {
		return nil, away
	}
	q.Order, q.Desc = index.ByGrowth1+index.Order(horizon), in.Order.Or("desc") == "desc"
	if in.Sort.Value == "change" {
		q.Order = index.ByChange1 + index.Order(horizon)
	}
	q.Limit, q.Offset, _ = in.Window()
	of := snapshot.Of(q.Former)
	found := of.SearchGPs(q)
	rows, err := s.rows(ctx, of, found.IDs, horizon)
	if err != nil {
		return nil, err
	}
	meta := Meta{
		ListMeta: listing.NewMeta(in.Meta(found.Total), applied), Horizon: name, Known: found.Growth.Known, Reasons: found.Growth.Reasons, Pricing: s.pricing,
	}
	return &httpapi.Reply[body]{Body: body{Data: rows, Meta: meta}, Page: in.Links(found.Total), Free: found.Growth.Known == 0}, nil
}

// rows are the managers of a page.
func (s *Service) rows(ctx context.Context, of *index.Snapshot, ids []uint32, horizon int) ([]Row, error) {
	crds := make([]string, len(ids))
	for i, id := range ids {
		crds[i] = of.GP(id).CRD
	}
	kept, err := s.store.find(ctx, crds, horizon)
	if err != nil {
		return nil, err
	}
	rows := make([]Row, len(ids))
	for i, id := range ids {
		item := of.GPItem(id)
		rows[i] = Row{CRD: item.CRD, LegalName: item.LegalName, State: item.State, TotalAUM: item.TotalAUM}
		if k, ok := kept[item.CRD]; ok {
			rows[i].Growth = k.shown(horizon)
		}
	}
	return rows, nil
}

// shown is what is kept of a growth, as rows show it.
func (k *growth) shown(horizon int) Growth {
	if k.Growth == nil {
		return Growth{Reason: catalogapi.Text(catalogapi.GrowthReason(k.Reasons, horizon))}
	}
	const hundredths = 100
	return Growth{
		PercentAYear: new(float64(*k.Growth) / hundredths), Change: new(*k.Latest - *k.Before), AUMBefore: k.Before,
		From: new(k.From.Format(time.DateOnly)), To: new(k.To.Format(time.DateOnly)),
	}
}
