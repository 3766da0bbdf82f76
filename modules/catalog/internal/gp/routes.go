package gp

import (
	"context"
	"net/http"

	"gpatlas/modules/catalog/internal/index"
	"gpatlas/modules/catalog/internal/listing"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/module"
)

// The bodies of the answers.
type (
	searchBody = httpapi.DataMeta[[]index.GPItem, listing.SearchMeta]
	detailBody = httpapi.Data[GPDetail]
	fundsBody  = httpapi.DataMeta[[]index.FundItem, FundsMeta]
	statsBody  = httpapi.Data[FundTotals]
)

// Part is what the slice offers.
func (s *Service) Part() module.Part {
	return module.Part{Routes: Routes(s)}
}

// Routes are the operations on advisers.
func Routes(s *Service) []httpapi.Route {
	return httpapi.Group([]httpapi.Route{
		httpapi.Get("/v1/gps", "search-gps", s.search,
			httpapi.Summary("Search fund managers"), httpapi.Describe(searchText), httpapi.Paged(),
			httpapi.Errors(http.StatusServiceUnavailable), httpapi.Refuses(index.ErrLoading)),
		httpapi.Get("/v1/gps/{crd}", "get-gp", s.detail,
			httpapi.Summary("Get a fund manager"), httpapi.Describe(detailText),
			httpapi.Errors(http.StatusNotFound), httpapi.Refuses(index.ErrLoading)),
		httpapi.Post("/v1/gps/batch", "get-gp-batch", s.batch,
			httpapi.Summary("Get many fund managers"), httpapi.Describe(batchText), httpapi.PartsOf("GPDetail"),
			httpapi.Errors(http.StatusServiceUnavailable)),
		httpapi.Get("/v1/gps/{crd}/funds", "list-gp-funds", s.funds,
			httpapi.Summary("List the funds of a fund manager"), httpapi.Describe(fundsText), httpapi.Paged(),
			httpapi.Errors(http.StatusNotFound), httpapi.Refuses(index.ErrLoading)),
		httpapi.Get("/v1/gps/{crd}/stats", "get-gp-stats", s.stats,
			httpapi.Summary("Get fund totals of a fund manager"), httpapi.Describe(statsText),
			httpapi.Errors(http.StatusNotFound), httpapi.Refuses(index.ErrLoading)),
	}, httpapi.Tag("Fund managers"))
}

const searchText = `A manager must match all filters. One fund that is not closed must match all of the fund filters together (` + "`vintage_*`, `fund_size_*`, `exemption_type`, `fund_type`, `launched_within_months`, `has_auditor`, `auditor_name`, `provider`, `provider_role`, `has_prime_broker`, `has_custodian`, `has_administrator`, `has_marketer`" + `). The filters on fund counts and numbers of investors apply to the totals of the manager. Unknown values never match a range.

Text is searched in the legal name, the business name and the location. Exact words rank first, then beginnings of words, parts of words and words with a typing error. A match in a name ranks above a match in a location. Equal matches are sorted by assets, largest first.

Without ` + "`sort`" + `, results are sorted by name, or by relevance with ` + "`q`" + `. Every order is total, so pages never repeat or skip a row.

With ` + "`as_of` and `known_at`" + `, managers are selected, and their rows shown, as ` + "`GET /v1/gps/{crd}`" + ` returns them as of that time. These can be combined with filters by place (not ` + "`state_of_incorporation`" + `), strategy, type, registration, assets, employees, number of funds, vintage and size of funds, ` + "`crd` and `former`, and with `sort` by name, aum, fund_count, employees and as_sent" + `. The first request for a time takes some seconds, and counts as 10 in the rate limits. One caller can wait for three times at once; a request for a fourth returns 429 with ` + "`Retry-After`" + `.`

const detailText = `Returns the complete record of the manager from its newest filings, and identifies the newest of them. A value that an amendment does not repeat is taken from an earlier filing.

` + listing.MomentText + ` The response is 404 if there was no such filing yet.

` + listing.ProvenanceText + ` For a total over funds, it is the newest of the filings summed.`

const fundsText = `Sorted by name. Closed funds (no longer reported) are left out unless ` + "`status=closed`" + ` is sent. ` + "`total_funds` and `total_gav`" + ` cover the listed funds that match the filters. A manager may be known only from a roster, which shows how many funds it has but does not list them. Then the list is empty, ` + "`funds_listed` is false, `total_funds` and `total_gav` are null, and `reported_funds` and `reported_gav`" + ` show what the manager reports.`

const statsText = `Covers the funds that are not closed. Unknown values are null, never 0. A manager may be known only from a roster, which shows how many funds it has but does not list them. Then ` + "`funds_listed` is false, and `reported_funds` and `reported_gav`" + ` show what the manager reports.`

func (s *Service) search(ctx context.Context, in *ListInput) (*httpapi.Reply[searchBody], error) {
	snapshot, away := s.index.Snapshot()
	q, applied, err := in.Query(s.clock, snapshot)
	if err != nil {
		return nil, err
	}
	if away != nil {
		return nil, away
	}
	if in.AsOf.Set || in.KnownAt.Set {
		if reply, err := s.searchThen(ctx, in, q, applied, snapshot); reply != nil || err != nil {
			return reply, err
		}
	}
	of := snapshot.Of(q.Former)
	found := of.SearchGPs(q)
	row := of.AppendGP
	if in.shows() {
		row = of.AppendGPRegistered
	}
	remarks := s.remarks(&in.SearchInput, q, snapshot, applied, found.Total)
	remarks.SetFacets(found.Facets)
	remarks.Identifier = found.Identified
	return listing.Rows[searchBody](found.IDs, row, func(dst []byte) []byte {
		return listing.AppendMeta(dst, in.Meta(found.Total), applied, &remarks)
	}, in.Links(found.Total)), nil
}

// remarks are what is missing of a list of CRD numbers, and why nothing is found.
func (s *Service) remarks(in *SearchInput, q *index.GPQuery, snapshot *index.Snapshot, applied *listing.Applied, total int) (r listing.Remarks) {
	r.Missing(q.CRDs.Any, q.Former, func(crd string) listing.Where {
		of, _, ok := snapshot.Find(crd)
		return listing.WhereIs(ok, of != snapshot)
	})
	if total == 0 {
		r.Nothing = listing.Nothing(in, applied, func(in *SearchInput) (int, bool) {
			q, _, err := in.Query(s.clock, snapshot)
			if err != nil {
				return 0, false
			}
			q.Limit, q.Facets = 0, nil
			return snapshot.Of(q.Former).SearchGPs(q).Total, true
		})
	}
	return r
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
