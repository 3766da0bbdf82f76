package lp

import (
	"context"
	"net/http"
	"strings"

	"gpatlas/modules/people/peopleapi"
	"gpatlas/platform/charge"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/module"
	"gpatlas/platform/page"
)

// price of a request, in micro-dollars.
const price = 100_000

// Part is what the slice provides.
func (s *Service) Part() module.Part { return module.Part{Routes: Routes(s), Models: Models()} }

// Routes are the operations on LPs.
func Routes(s *Service) []httpapi.Route {
	const unauthorized, missing, unavailable = http.StatusUnauthorized, http.StatusNotFound, http.StatusServiceUnavailable
	return httpapi.Group([]httpapi.Route{
		httpapi.Get("/v1/lps", "list-lps", s.handleSearch, httpapi.Paged(),
			httpapi.Summary("Search LPs"), httpapi.Describe(searchText), httpapi.Errors(unauthorized, unavailable)),
		httpapi.Get("/v1/lps/{lp_id}", "get-lp", s.handleGet, httpapi.HidesMissing(),
			httpapi.Summary("Get an LP"), httpapi.Describe(getText), httpapi.Errors(unauthorized, missing, unavailable)),
		httpapi.Get("/v1/lps/{lp_id}/investments", "list-lp-investments", s.handleInvestments, httpapi.Paged(), httpapi.HidesMissing(),
			httpapi.Summary("List the investments of an LP"), httpapi.Describe(investmentsText), httpapi.Errors(unauthorized, missing, unavailable)),
	}, httpapi.Tag("LPs"), httpapi.Grant(httpapi.Public), httpapi.Charge(price, charge.PerRequest))
}

const searchText = `Searches the limited partners whose lists of commitments were loaded: pension funds above all, because they publish them. A search that finds none is free. A page beyond the last one is not: its ` + "`meta`" + ` has the total.`

const getText = `Returns one LP. Its count and sum are of the latest figures of each investment.`

const investmentsText = `Lists the funds that an LP has committed to, by name, each with the figures of its latest date. Lists name funds and managers in words. ` +
	"`gp_crd`" + ` is the manager where the names match with sufficient confidence, and null otherwise: a wrong manager is worse than none. An LP without investments is free. A page beyond the last one is not.`

// SearchMeta describes a page of LPs.
type SearchMeta struct {
	page.Meta
	FiltersApplied map[string]any `json:"filters_applied" doc:"The filters as applied, with their JSON types."`
}

// SchemaName is its name in the OpenAPI document.
func (SearchMeta) SchemaName() string { return "LPSearchMeta" }

// SearchInput asks for LPs.
//
// Spec: only names, defaults and the values of entity_type and sort of the parameters are shown. q is words that the name
// contains, all of them, in any order and case.
type SearchInput struct {
	page.Input

	Q              string              `query:"q" maxLength:"200" example:"insurance" doc:"Words that the name contains, regardless of case."`
	EntityType     httpapi.Opt[string] `query:"entity_type" enum:"pension,endowment,family_office,fund_of_funds,insurance,sovereign_wealth,corporate,other" example:"pension" doc:"Only LPs of this kind."`
	MinInvestments httpapi.Opt[int]    `query:"min_investments" minimum:"0" maximum:"1000000000" example:"1" doc:"Only LPs with at least this many investments."`
	InvestedWith   httpapi.Opt[string] `query:"invested_with_crd" pattern:"^[1-9][0-9]{0,9}$" patternDescription:"a CRD number: 1 to 10 digits without leading zeros" doc:"Only LPs with an investment whose manager was matched to this CRD number with sufficient confidence."`
	Sort           string              `query:"sort" enum:"name,investment_count,created_at" default:"name" example:"name" doc:"Order. created_at is when the LP was first loaded."`
	Order          string              `query:"order" enum:"asc,desc" default:"asc" example:"asc" doc:"Direction of the order."`
}

type searchBody = httpapi.DataMeta[[]LP, SearchMeta]

func (s *Service) handleSearch(ctx context.Context, in *SearchInput) (*httpapi.Reply[searchBody], error) {
	limit, offset, _ := in.Window()
	q := search{
		Q: strings.Join(strings.Fields(peopleapi.Key(in.Q)), " "), EntityType: in.EntityType.Or(""), MinInvestments: in.MinInvestments.Or(0),
		CRD: in.InvestedWith.Or(""), Sort: in.Sort, Descending: in.Order == "desc", Limit: limit, Offset: offset,
	}
	rows, total, err := s.store.search(ctx, q)
	if err != nil {
		return nil, err
	}
	list := make([]LP, len(rows))
	for i := range rows {
		list[i] = rows[i].shown()
	}
	meta := SearchMeta{in.Meta(total), in.applied(q)}
	// Spec: not shown; a page past the end has a price, because its meta states how many LPs match.
	return &httpapi.Reply[searchBody]{Body: searchBody{Data: list, Meta: meta}, Page: in.Links(total), Free: total == 0}, nil
}

// applied are the filters that were sent, as they were applied.
func (in *SearchInput) applied(q search) map[string]any {
	filters := map[string]any{}
	if q.Q != "" {
		filters["q"] = q.Q
	}
	if in.EntityType.Set {
		filters["entity_type"] = q.EntityType
	}
	if in.MinInvestments.Set {
		filters["min_investments"] = q.MinInvestments
	}
	if in.InvestedWith.Set {
		filters["invested_with_crd"] = q.CRD
	}
	return filters
}

// Path names one LP.
type Path struct {
	LPID int64 `path:"lp_id" minimum:"1" maximum:"9007199254740991" doc:"ID of the LP." example:"1"`
}

type lpBody = httpapi.Data[LP]

func (s *Service) handleGet(ctx context.Context, in *Path) (*httpapi.Reply[lpBody], error) {
	row, err := s.store.get(ctx, in.LPID)
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[lpBody]{Body: lpBody{Data: row.shown()}}, nil
}

// InvestmentsInput asks for investments.
type InvestmentsInput struct {
	Path
	page.Input
}

type investmentsBody = httpapi.DataMeta[[]Investment, page.Meta]

func (s *Service) handleInvestments(ctx context.Context, in *InvestmentsInput) (*httpapi.Reply[investmentsBody], error) {
	lp, err := s.store.get(ctx, in.LPID)
	if err != nil {
		return nil, err
	}
	limit, offset, _ := in.Window()
	rows, err := s.store.investments(ctx, in.LPID, limit, offset)
	if err != nil {
		return nil, err
	}
	list := make([]Investment, len(rows))
	for i := range rows {
		list[i] = rows[i].shown()
	}
	total := int(lp.InvestmentCount)
	return &httpapi.Reply[investmentsBody]{
		Body: investmentsBody{Data: list, Meta: in.Meta(total)}, Page: in.Links(total), Free: total == 0,
	}, nil
}
