package lp

import (
	"context"
	"net/http"
	"strings"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/people/peopleapi"
	"gpatlas/platform/charge"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/module"
	"gpatlas/platform/page"
)

// price of a request, in micro-dollars.
const price = 100_000

// Part is what the slice provides.
func (s *Service) Part(words catalogapi.Vocabulary) module.Part {
	return module.Part{Routes: Routes(s, words), Models: Models()}
}

// handlers are the operations on LPs.
type handlers struct {
	store *store
	words catalogapi.Vocabulary
}

// Routes are the operations on LPs. words reads strategies.
func Routes(s *Service, words catalogapi.Vocabulary) []httpapi.Route {
	h := &handlers{store: s.store, words: words}
	const unauthorized, missing, unavailable = http.StatusUnauthorized, http.StatusNotFound, http.StatusServiceUnavailable
	return httpapi.Group([]httpapi.Route{
		httpapi.Get("/v1/lps", "list-lps", h.search, httpapi.Paged(),
			httpapi.Summary("Search LPs"), httpapi.Describe(searchText), httpapi.Errors(unauthorized, unavailable)),
		httpapi.Get("/v1/lps/{lp_id}", "get-lp", h.get, httpapi.HidesMissing(),
			httpapi.Summary("Get an LP"), httpapi.Describe(getText), httpapi.Errors(unauthorized, missing, unavailable)),
		httpapi.Get("/v1/lps/{lp_id}/investments", "list-lp-investments", h.investments, httpapi.Paged(), httpapi.HidesMissing(),
			httpapi.Summary("List the investments of an LP"), httpapi.Describe(investmentsText), httpapi.Errors(unauthorized, missing, unavailable)),
		httpapi.Get("/v1/commitments", "list-commitments", h.commitments, httpapi.Paged(),
			httpapi.Summary("Search commitments of LPs"), httpapi.Describe(commitmentsText), httpapi.Errors(unauthorized, unavailable)),
		httpapi.Get("/v1/funds/{fund_id}/lps", "list-fund-lps", h.fundLPs, httpapi.Paged(),
			httpapi.Summary("List the LPs of a fund"), httpapi.Describe(fundLPsText), httpapi.Errors(unauthorized, missing, unavailable)),
		httpapi.Get("/v1/gps/{crd}/lps", "list-gp-lps", h.gpLPs, httpapi.Paged(),
			httpapi.Summary("List the LPs of a fund manager"), httpapi.Describe(gpLPsText), httpapi.Errors(unauthorized, missing, unavailable)),
	}, httpapi.Tag("LPs"), httpapi.Grant(httpapi.Public), httpapi.Charge(price, charge.PerRequest))
}

const searchText = `Searches the limited partners whose lists of commitments were loaded: pension funds above all, because they publish them. A search that finds none is free. A page beyond the last one is not: its ` + "`meta`" + ` has the total.`

const getText = `Returns one LP. Its count and sum are of the latest figures of each investment.`

const investmentsText = `Lists the funds that an LP has committed to, by name, each with the figures of its latest date. Lists name funds and managers in words. ` +
	"`gp_crd`" + ` is the manager where the names match with sufficient confidence, and null otherwise: a wrong manager is worse than none. An LP without investments is free. A page beyond the last one is not.`

const commitmentsText = `Searches the commitments of all LPs by strategy, vintage, manager, fund and LP, each with the figures of its latest date. The strategy is that of the fund that the commitment was matched to, never the manager's, so commitments without a matched fund have none: ` + "`meta.unmatched`" + ` counts those that ` + "`strategy`" + ` leaves out. ` +
	"`vintage_year`" + ` is the list's and ` + "`fund_vintage_year`" + ` ours. A search that finds none is free. A page beyond the last one is not.`

const fundLPsText = `Lists the LPs with commitments that were matched to the fund, those that committed most first. A fund without known LPs is free. A page beyond the last one is not.`

const gpLPsText = `Lists the LPs with commitments that were matched to the manager, those that committed most first, with these commitments. A manager without known LPs is free. A page beyond the last one is not.`

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
	CommitmentFilters

	Q              string              `query:"q" maxLength:"200" example:"insurance" doc:"Words that the name contains, regardless of case."`
	EntityType     httpapi.Opt[string] `query:"entity_type" enum:"pension,endowment,family_office,fund_of_funds,insurance,sovereign_wealth,corporate,other" example:"pension" doc:"Only LPs of this kind."`
	MinInvestments httpapi.Opt[int]    `query:"min_investments" minimum:"0" maximum:"1000000000" example:"1" doc:"Only LPs with at least this many investments."`
	InvestedWith   httpapi.Opt[string] `query:"invested_with_crd" pattern:"^[1-9][0-9]{0,9}$" patternDescription:"a CRD number: 1 to 10 digits without leading zeros" doc:"Only LPs with an investment whose manager was matched to this CRD number with sufficient confidence."`
	InvestedInFund httpapi.Opt[string] `query:"invested_in_fund_id" pattern:"^805-[0-9]{10}$" patternDescription:"a Fund ID: 805- and 10 digits" doc:"Only LPs with an investment that was matched to this fund."`
	State          httpapi.Opt[string] `query:"state" example:"CA,NY,MA,TX,IL" doc:"Only LPs of this state, as the list states it, regardless of case. Separate several with commas."`
	Sort           string              `query:"sort" enum:"name,investment_count,created_at" default:"name" example:"name" doc:"Order. created_at is when the LP was first loaded."`
	Order          string              `query:"order" enum:"asc,desc" default:"asc" example:"asc" doc:"Direction of the order."`
}

type searchBody = httpapi.DataMeta[[]LP, SearchMeta]

func (h *handlers) search(ctx context.Context, in *SearchInput) (*httpapi.Reply[searchBody], error) {
	a := newRequest(h.words)
	limit, offset, _ := in.Window()
	q := search{
		filter: a.commitments(&in.CommitmentFilters), Q: strings.Join(strings.Fields(peopleapi.Key(in.Q)), " "),
		EntityType: a.one("entity_type", in.EntityType), MinInvestments: in.MinInvestments.Or(0),
		window: window{Sort: in.Sort, Descending: in.Order == "desc", Limit: &limit, Offset: offset},
	}
	q.CRD, q.FundID = a.one("invested_with_crd", in.InvestedWith), a.one("invested_in_fund_id", in.InvestedInFund)
	var err error
	if q.States, err = a.states("state", in.State, h.unheld(ctx)); err != nil {
		return nil, err
	}
	if q.Q != "" {
		a.applied["q"] = q.Q
	}
	if in.MinInvestments.Set {
		a.applied["min_investments"] = q.MinInvestments
	}
	if err := a.err(); err != nil {
		return nil, err
	}
	rows, total, err := h.store.search(ctx, q)
	if err != nil {
		return nil, err
	}
	list := make([]LP, len(rows))
	for i := range rows {
		list[i] = rows[i].shown()
	}
	meta := SearchMeta{in.Meta(total), a.applied}
	// Spec: not shown; a page past the end has a price, because its meta states how many LPs match.
	return &httpapi.Reply[searchBody]{Body: searchBody{Data: list, Meta: meta}, Page: in.Links(total), Free: total == 0}, nil
}

// Path names one LP.
type Path struct {
	LPID int64 `path:"lp_id" minimum:"1" maximum:"9007199254740991" doc:"ID of the LP." example:"1"`
}

// unheld looks up states of LPs.
func (h *handlers) unheld(ctx context.Context) func(states []string) ([]string, error) {
	return func(states []string) ([]string, error) { return h.store.unheld(ctx, states) }
}

type lpBody = httpapi.Data[LP]

func (h *handlers) get(ctx context.Context, in *Path) (*httpapi.Reply[lpBody], error) {
	row, err := h.store.get(ctx, in.LPID)
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[lpBody]{Body: lpBody{Data: row.shown()}}, nil
}

// InvestmentsInput asks for investments.
type InvestmentsInput struct {
	Path
	page.Input
	CommitmentFilters

	GPCRD  httpapi.Opt[string] `query:"gp_crd" pattern:"^[1-9][0-9]{0,9}$" patternDescription:"a CRD number: 1 to 10 digits without leading zeros" doc:"Only investments whose manager was matched to this CRD number."`
	FundID httpapi.Opt[string] `query:"fund_id" pattern:"^805-[0-9]{10}$" patternDescription:"a Fund ID: 805- and 10 digits" doc:"Only investments that were matched to this fund."`
	Sort   string              `query:"sort" enum:"name,committed,irr,vintage" default:"name" example:"name" doc:"Order: the fund's name, the commitment, the net internal rate of return, or the vintage year. Unknown values come last."`
	Order  string              `query:"order" enum:"asc,desc" default:"asc" example:"asc" doc:"Direction of the order."`
}

type investmentsBody = httpapi.DataMeta[[]Investment, ListMeta]

func (h *handlers) investments(ctx context.Context, in *InvestmentsInput) (*httpapi.Reply[investmentsBody], error) {
	a := newRequest(h.words)
	f := a.commitments(&in.CommitmentFilters)
	f.LP, f.CRD, f.FundID = in.LPID, a.one("gp_crd", in.GPCRD), a.one("fund_id", in.FundID)
	if err := a.err(); err != nil {
		return nil, err
	}
	if _, err := h.store.get(ctx, in.LPID); err != nil {
		return nil, err
	}
	limit, offset, _ := in.Window()
	rows, t, err := h.store.commitments(ctx, f, window{Sort: in.Sort, Descending: in.Order == "desc", Limit: &limit, Offset: offset})
	if err != nil {
		return nil, err
	}
	list := make([]Investment, len(rows))
	for i := range rows {
		list[i] = rows[i].shown()
	}
	return &httpapi.Reply[investmentsBody]{
		Body: investmentsBody{Data: list, Meta: newListMeta(in.Input, a, t)}, Page: in.Links(t.Total), Free: t.Total == 0,
	}, nil
}
