package fund

import (
	"context"
	"net/http"

	"gpatlas/modules/catalog/internal/index"
	"gpatlas/modules/catalog/internal/listing"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/module"
	"gpatlas/platform/ratelimit"
)

// The bodies of the answers.
type (
	searchBody = httpapi.DataMeta[[]index.FundItem, listing.SearchMeta]
	detailBody = httpapi.Data[FundDetail]
)

// facetsWeight is how many requests a search with facets counts as.
const facetsWeight = 2

// Part is what the slice offers.
func (s *Service) Part() module.Part {
	return module.Part{Routes: Routes(s)}
}

// Routes are the operations on funds.
func Routes(s *Service) []httpapi.Route {
	return httpapi.Group([]httpapi.Route{
		httpapi.Get("/v1/funds", "search-funds", s.search,
			httpapi.Summary("Search private funds"), httpapi.Describe(searchText), httpapi.Paged(),
			httpapi.Refuses(index.ErrLoading)),
		httpapi.Get("/v1/funds/{fund_id}", "get-fund", s.detail,
			httpapi.Summary("Get a private fund"), httpapi.Describe(detailText),
			httpapi.Errors(http.StatusNotFound), httpapi.Refuses(index.ErrLoading)),
	}, httpapi.Tag("Funds"))
}

const searchText = `A fund must match all filters. Unknown values never match: a fund without an answer to a yes-or-no question matches neither true nor false. Closed funds (no longer reported) are left out unless ` + "`status=closed`" + ` is sent. Their service providers are unknown here: they match no filter by provider.

Text is searched in the names of the fund and of its adviser. Exact words rank first, then beginnings of words, parts of words and words with a typing error. A match in the fund's name ranks above a match in the adviser's name. Equal matches are sorted by size, largest first.

With ` + "`facets`" + `, a request counts as two in the rate limits.

Without ` + "`sort`" + `, results are sorted by name, or by relevance with ` + "`q`" + `. Every order is total, so pages never repeat or skip a row.

With ` + "`as_of` and `known_at`" + `, funds that were not closed are selected, and their rows shown, as ` + "`GET /v1/funds/{fund_id}`" + ` returns them as of that time. These can be combined with ` + "`strategy`, `exclude_strategy`, `jurisdiction`, `gp_crd`, `fund_id`, `former`" + ` and the filters by gross asset value and vintage, and with ` + "`sort` by gav, vintage_year and as_sent" + `. Without ` + "`sort`" + `, the largest funds come first; equal ones are in the order of their Fund IDs. The first request for a time takes some seconds, and counts as 10 in the rate limits. One caller can wait for three times at once; a request for a fourth returns 429 with ` + "`Retry-After`" + `.`

const detailText = `Returns the complete record of the fund from its newest filing, and identifies that filing. Send the filed ID or the internal integer ID.

` + listing.MomentText + ` The response is 404 if none of these filings names the fund.

` + listing.ProvenanceText + ` The vintage and the exemptions may come from a Form D, which is identified by its EDGAR accession number.`

func (s *Service) search(ctx context.Context, in *ListInput) (*httpapi.Reply[searchBody], error) {
	snapshot, away := s.index.Snapshot()
	q, applied, err := in.Query(s.clock, snapshot)
	if err != nil {
		return nil, err
	}
	if away != nil {
		return nil, away
	}
	if len(q.Facets) > 0 {
		if err := ratelimit.Weigh(ctx, facetsWeight); err != nil {
			return nil, err
		}
	}
	if in.AsOf.Set || in.KnownAt.Set {
		if reply, err := s.searchThen(ctx, in, q, applied, snapshot); reply != nil || err != nil {
			return reply, err
		}
	}
	of := snapshot.Of(q.Former)
	found := of.SearchFunds(q)
	remarks := s.remarks(&in.SearchInput, q, snapshot, applied, found.Total)
	remarks.SetFacets(found.Facets)
	remarks.Identifier = found.Identified
	return listing.Rows[searchBody](found.IDs, of.AppendFund, func(dst []byte) []byte {
		return listing.AppendMeta(dst, in.Meta(found.Total), applied, &remarks)
	}, in.Links(found.Total)), nil
}

// remarks are what is missing of a list of IDs, and why nothing is found.
func (s *Service) remarks(in *SearchInput, q *index.FundQuery, snapshot *index.Snapshot, applied *listing.Applied, total int) (r listing.Remarks) {
	r.Missing(q.FundIDs, q.Former, func(id string) listing.Where {
		_, current := snapshot.FindFund(id)
		_, former := snapshot.Former().FindFund(id)
		return listing.WhereIs(current || former, !current)
	})
	if !in.Status.Set {
		of := snapshot.Of(q.Former)
		for _, id := range q.FundIDs {
			if n, ok := of.FindFund(id); ok && of.FundClosed(n) {
				r.Closed = append(r.Closed, id)
			}
		}
	}
	if total == 0 {
		r.Nothing = listing.Nothing(in, applied, func(in *SearchInput) (int, bool) {
			q, _, err := in.Query(s.clock, snapshot)
			if err != nil {
				return 0, false
			}
			q.Limit, q.Facets = 0, nil
			return snapshot.Of(q.Former).SearchFunds(q).Total, true
		})
	}
	return r
}

func (s *Service) detail(ctx context.Context, in *DetailInput) (*httpapi.Reply[detailBody], error) {
	f, err := s.Get(ctx, in)
	if err != nil {
		return nil, err
	}
	detail := newFundDetail(s.index, &f.Fund, f.AdviserName)
	detail.Provenance = f.Provenance.Sources()
	return &httpapi.Reply[detailBody]{Body: detailBody{Data: detail}}, nil
}
