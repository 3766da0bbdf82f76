package fund

import (
	"context"
	"net/http"

	"gpatlas/modules/catalog/internal/index"
	"gpatlas/modules/catalog/internal/listing"
	"gpatlas/platform/httpapi"
)

// The bodies of the answers.
type (
	searchBody = httpapi.DataMeta[[]index.FundItem, listing.SearchMeta]
	detailBody = httpapi.Data[FundDetail]
)

// Routes are the operations on funds.
func Routes(s *Service) []httpapi.Route {
	return httpapi.Group([]httpapi.Route{
		httpapi.Get("/v1/funds", "search-funds", s.search,
			httpapi.Summary("Search private funds"), httpapi.Describe(searchText), httpapi.Paged(),
			httpapi.Errors(http.StatusServiceUnavailable)),
		httpapi.Get("/v1/funds/{fund_id}", "get-fund", s.detail,
			httpapi.Summary("One private fund in full"), httpapi.Describe(detailText),
			httpapi.Errors(http.StatusNotFound, http.StatusServiceUnavailable)),
	}, httpapi.Tag("Funds"))
}

const searchText = `All filters must hold together. A yes-or-no filter finds the funds that answered so; those that did not answer are found by neither. Closed funds (no longer reported) are left out unless ` + "`status=closed`" + ` asks for them.

Text is found in the fund's name and its adviser's: exact words before beginnings, before parts of words, before typing errors; the fund's own name before the adviser's; among equals the larger fund first.

Without ` + "`sort`" + ` the list is by name, with ` + "`q`" + ` by relevance. Every order is total, so pages never repeat or skip a row.`

const detailText = `Everything that the newest filing says of the fund, by its filed id or by the internal integer id, with that filing.

` + listing.MomentText + ` A 404 says that none of these had named the fund.

` + listing.ProvenanceText + ` The vintage and the exemptions may come from a Form D, which is named by EDGAR's accession number.`

func (s *Service) search(_ context.Context, in *SearchInput) (*httpapi.Reply[searchBody], error) {
	snapshot, away := s.index.Snapshot()
	q, applied, err := in.Query(snapshot)
	if err != nil {
		return nil, err
	}
	if away != nil {
		return nil, away
	}
	found := snapshot.SearchFunds(q)
	return listing.Rows[searchBody](found.IDs, snapshot.AppendFund, func(dst []byte) []byte {
		return listing.AppendMeta(dst, in.Meta(found.Total), applied)
	}, in.Links(found.Total)), nil
}

func (s *Service) detail(ctx context.Context, in *DetailInput) (*httpapi.Reply[detailBody], error) {
	f, err := s.Get(ctx, in)
	if err != nil {
		return nil, err
	}
	detail := newFundDetail(&f.Fund, f.AdviserName)
	detail.Provenance = f.Said.Sources()
	return &httpapi.Reply[detailBody]{Body: detailBody{Data: detail}}, nil
}
