package search

import (
	"context"
	"strconv"

	"gpatlas/modules/catalog/internal/index"
	"gpatlas/modules/catalog/internal/listing"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/module"
	"gpatlas/platform/wire"
)

// The bodies of the answers.
type (
	unifiedBody      = httpapi.DataMeta[Unified, UnifiedMeta]
	autocompleteBody = httpapi.DataMeta[[]Proposal, QueryMeta]
	suggestionsBody  = httpapi.DataMeta[[]string, QueryMeta]
)

// Service answers from the index.
type Service struct {
	index *index.Holder
}

// NewService makes the service.
func NewService(holder *index.Holder) *Service { return &Service{index: holder} }

// Part is what the slice offers.
func (s *Service) Part() module.Part {
	return module.Part{Routes: Routes(s)}
}

// Routes are the searches across advisers and funds.
func Routes(s *Service) []httpapi.Route {
	unavailable := httpapi.Refuses(index.ErrLoading)
	return httpapi.Group([]httpapi.Route{
		httpapi.Get("/v1/search", "search", s.unified,
			httpapi.Summary("Search fund managers and funds"), httpapi.Describe(unifiedText), unavailable),
		httpapi.Get("/v1/search/autocomplete", "autocomplete", s.autocomplete,
			httpapi.Summary("Autocomplete names of managers and funds"), httpapi.Describe(autocompleteText), unavailable),
		httpapi.Get("/v1/search/suggestions", "suggest", s.suggestions,
			httpapi.Summary("Suggest names of fund managers"), httpapi.Describe(suggestionsText), unavailable),
	}, httpapi.Tag("Search"))
}

const unifiedText = `Returns the best matches of each type, sorted by relevance. Exact words rank first, then beginnings of words, parts of words and words with a typing error. A match in a name ranks above a match in a location or adviser. Equal matches are sorted by size, largest first. Closed funds are left out.` + currentOnly

const autocompleteText = `Returns fund managers and funds in one list, best match first. Equal matches alternate between managers and funds, largest first. Closed funds are left out.` + currentOnly

const suggestionsText = `Returns legal names of fund managers, best match first. Each name appears once.` + currentOnly

// Spec: not shown; as in the searches of managers and of funds, which find former ones on request.
const currentOnly = `

Former managers and their funds are left out. A former manager has withdrawn, or no current list names it. To find them, use ` + "`GET /v1/gps?former=true`" + ` and ` + "`GET /v1/funds?former=true`" + `.`

func (s *Service) unified(_ context.Context, in *UnifiedInput) (*httpapi.Reply[unifiedBody], error) {
	var c listing.Check
	q, of := c.Query("q", in.Q), kinds(&c, in.Types)
	if err := c.Err(); err != nil {
		return nil, err
	}
	snapshot, err := s.index.Snapshot()
	if err != nil {
		return nil, err
	}
	r := snapshot.Unified(q, of, in.Limit.Or(unifiedLimit))
	return wire.Write[unifiedBody](func(b []byte) []byte {
		b = append(b, `{"data":{"gps":[`...)
		b = wire.AppendList(b, r.GPs, func(b []byte, id uint32) []byte { return appendGP(b, snapshot.GP(id)) })
		b = append(b, `],"funds":[`...)
		b = wire.AppendList(b, r.Funds, func(b []byte, id uint32) []byte { return appendFund(b, snapshot, id) })
		b = wire.AppendString(append(b, `]},"meta":{"query":`...), q)
		b = strconv.AppendInt(append(b, `,"gp_count":`...), int64(len(r.GPs)), 10)
		b = strconv.AppendInt(append(b, `,"fund_count":`...), int64(len(r.Funds)), 10)
		b = strconv.AppendInt(append(b, `,"gp_total":`...), int64(r.GPTotal), 10)
		b = strconv.AppendInt(append(b, `,"fund_total":`...), int64(r.FundTotal), 10)
		return append(b, `}}`...)
	}), nil
}

func (s *Service) autocomplete(_ context.Context, in *AutocompleteInput) (*httpapi.Reply[autocompleteBody], error) {
	var c listing.Check
	q := c.Query("q", in.Q)
	if err := c.Err(); err != nil {
		return nil, err
	}
	snapshot, err := s.index.Snapshot()
	if err != nil {
		return nil, err
	}
	hits := snapshot.Autocomplete(q, kind(in.Type), in.Limit.Or(autocompleteLimit))
	return wire.Write[autocompleteBody](func(b []byte) []byte {
		b = append(b, `{"data":[`...)
		b = wire.AppendList(b, hits, func(b []byte, h index.Hit) []byte { return appendProposal(b, snapshot, h) })
		return appendQueryMeta(append(b, ']'), q, len(hits))
	}), nil
}

func (s *Service) suggestions(_ context.Context, in *SuggestionsInput) (*httpapi.Reply[suggestionsBody], error) {
	var c listing.Check
	q := c.Query("q", in.Q)
	if err := c.Err(); err != nil {
		return nil, err
	}
	snapshot, err := s.index.Snapshot()
	if err != nil {
		return nil, err
	}
	names := snapshot.Suggest(q, in.Limit.Or(suggestionsLimit))
	return wire.Write[suggestionsBody](func(b []byte) []byte {
		b = wire.AppendList(append(b, `{"data":[`...), names, wire.AppendString)
		return appendQueryMeta(append(b, ']'), q, len(names))
	}), nil
}

func appendQueryMeta(dst []byte, q string, count int) []byte {
	dst = wire.AppendString(append(dst, `,"meta":{"query":`...), q)
	dst = strconv.AppendInt(append(dst, `,"count":`...), int64(count), 10)
	return append(dst, `}}`...)
}
