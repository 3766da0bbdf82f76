package filing

import (
	"context"
	"net/http"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/index"
	"gpatlas/modules/catalog/internal/listing"
	"gpatlas/platform/apperr"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/module"
)

type listBody = httpapi.DataMeta[[]Filing, FilingsMeta]

type marketBody = httpapi.DataMeta[[]MarketFiling, MarketMeta]

// Service lists filings.
type Service struct {
	*Store
	index *index.Holder
	clock clock.Clock
}

// NewService reads filings from db, and the managers of the market from the index.
func NewService(db *database.DB, holder *index.Holder, clk clock.Clock) *Service {
	return &Service{NewStore(db), holder, clk}
}

// Part is what the slice offers.
func (s *Service) Part() module.Part {
	return module.Part{Routes: Routes(s)}
}

// Routes are the operations on filings.
func Routes(s *Service) []httpapi.Route {
	market := httpapi.Group([]httpapi.Route{
		httpapi.Get("/v1/filings", "list-filings", s.handleMarket,
			httpapi.Summary("List the filings of all fund managers"), httpapi.Describe(marketText),
			httpapi.Errors(http.StatusServiceUnavailable), httpapi.Refuses(index.ErrLoading)),
	}, httpapi.Tag("History and analytics"))
	return append(market, httpapi.Group([]httpapi.Route{
		httpapi.Get("/v1/gps/{crd}/filings", "list-gp-filings", s.handleList,
			httpapi.Summary("List the filings of a fund manager"), httpapi.Describe(listText), httpapi.Paged(),
			httpapi.Errors(http.StatusNotFound, http.StatusServiceUnavailable)),
	}, httpapi.Tag("Fund managers"))...)
}

const listText = `Newest first. A monthly roster, the daily feed of firms and a list of funds are evidence of a filing. They are listed with a key of their own and identified in ` + "`source`" + `, but only if no better source covers that day. So each filing is listed once. Form D names no adviser. A notice (D) and its amendments (D/A) are listed if they match one of the manager's funds, by a file number in a filing of the fund or by a name that only this fund has.`

func (s *Store) handleList(ctx context.Context, in *ListInput) (*httpapi.Reply[listBody], error) {
	var c listing.Check
	f := filter{crd: in.CRD, formType: c.Choice("form_type", in.FormType), year: int(c.Number("year", in.Year))}
	known, err := s.knows(ctx, in.CRD)
	if err != nil {
		return nil, err
	}
	if !known {
		return nil, apperr.NotFound(catalogapi.NoGP, in.CRD)
	}
	limit, offset, _ := in.Window()
	rows, total, err := s.list(ctx, f, limit, offset)
	if err != nil {
		return nil, err
	}
	filings := make([]Filing, len(rows))
	for i, r := range rows {
		filings[i] = rowToFiling(r)
	}
	meta := FilingsMeta{ListMeta: listing.NewMeta(in.Meta(int(total)), &c.Applied), CRD: in.CRD}
	return &httpapi.Reply[listBody]{Body: listBody{Data: filings, Meta: meta}, Page: in.Links(int(total))}, nil
}

const marketText = `Newest day of filing first. Filings of Form ADV are listed as in the list of one manager, each once, those of former managers too.

Follow ` + "`next_cursor`" + ` until it is null. Filings that are loaded meanwhile appear if they come after the cursor; rows are never repeated. A filing is listed by its day, and may be loaded days later: to miss nothing, send ` + "`processed_after`" + ` with the time of your last complete run.`

func (s *Service) handleMarket(ctx context.Context, in *MarketInput) (*httpapi.Reply[marketBody], error) {
	snapshot, err := s.index.Snapshot()
	if err != nil {
		return nil, err
	}
	m, applied, err := in.read(snapshot, s.clock)
	if err != nil {
		return nil, err
	}
	rows, err := s.page(ctx, &m)
	if err != nil {
		return nil, err
	}
	meta := MarketMeta{listing.CursorMeta{Limit: m.limit, FiltersApplied: applied.Map()}}
	if len(rows) > m.limit {
		rows = rows[:m.limit]
		meta.NextCursor = new(applied.Cursor(in.moments(), placeOf(&rows[m.limit-1]).parts()...))
	}
	filings := make([]MarketFiling, len(rows))
	for i, r := range rows {
		filings[i] = MarketFiling{r.CRD, r.GPName, rowToFiling(r.row)}
	}
	return &httpapi.Reply[marketBody]{Body: marketBody{Data: filings, Meta: meta}}, nil
}
