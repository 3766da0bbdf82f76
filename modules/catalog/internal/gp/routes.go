package gp

import (
	"context"
	"net/http"

	"gpatlas/modules/catalog/internal/index"
	"gpatlas/modules/catalog/internal/listing"
	"gpatlas/platform/httpapi"
)

// The bodies of the answers.
type (
	searchBody = httpapi.DataMeta[[]index.GPItem, listing.SearchMeta]
	detailBody = httpapi.Data[GPDetail]
	fundsBody  = httpapi.DataMeta[[]index.FundItem, FundsMeta]
	statsBody  = httpapi.Data[FundTotals]
)

// Routes are the operations on advisers.
func Routes(s *Service) []httpapi.Route {
	return httpapi.Group([]httpapi.Route{
		httpapi.Get("/v1/gps", "search-gps", s.search,
			httpapi.Summary("Search fund managers"), httpapi.Describe(searchText), httpapi.Paged(),
			httpapi.Errors(http.StatusServiceUnavailable)),
		httpapi.Get("/v1/gps/{crd}", "get-gp", s.detail,
			httpapi.Summary("One fund manager in full"), httpapi.Describe(detailText),
			httpapi.Errors(http.StatusNotFound, http.StatusServiceUnavailable)),
		httpapi.Get("/v1/gps/{crd}/funds", "list-gp-funds", s.funds,
			httpapi.Summary("The funds of a fund manager"), httpapi.Describe(fundsText), httpapi.Paged(),
			httpapi.Errors(http.StatusNotFound, http.StatusServiceUnavailable)),
		httpapi.Get("/v1/gps/{crd}/stats", "get-gp-stats", s.stats,
			httpapi.Summary("Totals over a fund manager's funds"), httpapi.Describe(statsText),
			httpapi.Errors(http.StatusNotFound, http.StatusServiceUnavailable)),
	}, httpapi.Tag("Fund managers"))
}

const searchText = `All filters must hold together. Those that speak of funds (` + "`vintage_*`, `fund_size_*`, `exemption_type`, `fund_type`, `launched_within_months`, `has_auditor`, `auditor_name`" + `) must hold for one and the same fund that is not closed; the fund counts and the numbers of investors speak of the manager's totals. A manager whose value is unknown is in no range.

Text is found in the legal name, the business name and the location: exact words before beginnings, before parts of words, before typing errors; names before locations; among equals the manager with more assets first.

Without ` + "`sort`" + ` the list is by name, with ` + "`q`" + ` by relevance. Every order is total, so pages never repeat or skip a row.`

const detailText = `Everything that the newest filings say of the manager, with the filing that the answer rests on: one complete record, filled forward over amendments.

` + listing.MomentText + ` A 404 says that there was no such filing yet.

` + listing.ProvenanceText + ` A total over funds names the newest of the filings that it sums.`

const fundsText = `By name. Closed funds (no longer reported) are left out unless ` + "`status=closed`" + ` asks for them. ` + "`total_funds` and `total_gav`" + ` count the listed funds that match the filters. A manager may be known from a roster alone, which says how many funds it has but does not list them: the list is then empty, ` + "`funds_listed` is false, `total_funds` and `total_gav` are null, and `reported_funds` and `reported_gav`" + ` say what the manager reports.`

const statsText = `Over the funds that are not closed. Unknown is null, never 0: a manager may be known from a roster alone, which says how many funds it has but does not list them. Then ` + "`funds_listed` is false, and `reported_funds` and `reported_gav`" + ` say what the manager reports.`

func (s *Service) search(_ context.Context, in *SearchInput) (*httpapi.Reply[searchBody], error) {
	snapshot, away := s.index.Snapshot()
	q, applied, err := in.Query(s.clock, snapshot)
	if err != nil {
		return nil, err
	}
	if away != nil {
		return nil, away
	}
	found := snapshot.SearchGPs(q)
	return listing.Rows[searchBody](found.IDs, snapshot.AppendGP, func(dst []byte) []byte {
		return listing.AppendMeta(dst, in.Meta(found.Total), applied)
	}, in.Links(found.Total)), nil
}

func (s *Service) detail(ctx context.Context, in *DetailInput) (*httpapi.Reply[detailBody], error) {
	a, said, err := s.Get(ctx, in)
	if err != nil {
		return nil, err
	}
	detail := newGPDetail(a)
	detail.Provenance = said.Sources()
	return &httpapi.Reply[detailBody]{Body: detailBody{Data: detail}}, nil
}

func (s *Service) funds(_ context.Context, in *FundsInput) (*httpapi.Reply[fundsBody], error) {
	snapshot, id, err := s.find(in.CRD)
	if err != nil {
		return nil, err
	}
	list := snapshot.FundsOf(id, in.filter())
	return listing.Rows[fundsBody](list.IDs, snapshot.AppendFund, func(dst []byte) []byte {
		return appendFundsMeta(dst, snapshot.GP(id), list, in.Meta(list.Total))
	}, in.Links(list.Total)), nil
}

func (s *Service) stats(_ context.Context, in *StatsInput) (*httpapi.Reply[statsBody], error) {
	snapshot, id, err := s.find(in.CRD)
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[statsBody]{Body: statsBody{Data: newFundTotals(snapshot.GP(id), snapshot.GPStats(id))}}, nil
}
