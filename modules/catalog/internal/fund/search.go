package fund

import (
	"slices"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/index"
	"gpatlas/modules/catalog/internal/listing"
	"gpatlas/platform/clock"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/page"
)

// SearchInput is the parameters of the search of funds.
type SearchInput struct {
	page.Counted
	listing.FacetsInput
	listing.ServicesInput
	Q                httpapi.Opt[string]       `query:"q" minLength:"2" example:"aldrinmead digital infrastructure" doc:"Text to find in the names of the fund and of its adviser: words in any order, beginnings of words, and one typing error in a word of five letters or more. 2 to 200 characters."`
	Strategy         httpapi.Opt[string]       `query:"strategy" example:"buyout" doc:"Strategy: buyout, growth, venture, real-estate, infrastructure, credit, hedge, secondaries, fund-of-funds, liquidity, securitized or other; or an alias: PE (buyout, growth, secondaries), VC, Hedge, RealEstate, Credit. Separate several with commas; a match of any of them is enough."`
	ExcludeStrategy  httpapi.Opt[string]       `query:"exclude_strategy" example:"hedge" doc:"Leaves out this strategy, or an alias. Separate several with commas. An alias in strategy can be excluded in part: strategy=PE with exclude_strategy=growth."`
	FundID           httpapi.Opt[string]       `query:"fund_id" example:"805-5347329526" doc:"IDs of funds (805- and ten digits), up to 200, separated by commas. meta.unknown, meta.former and meta.closed list those that are missing. With sort=as_sent, rows are in the order of the list."`
	GPCRD            httpapi.Opt[string]       `query:"gp_crd" pattern:"^[1-9][0-9]{0,9}$" patternDescription:"a CRD number: 1 to 10 digits without leading zeros" example:"998243" doc:"CRD number of the fund's adviser."`
	GPID             httpapi.Opt[int64]        `query:"gp_id" minimum:"1" example:"998243" doc:"canonical_gp_id of the fund's adviser. Selects the funds of a whole organization."`
	FundType         httpapi.Opt[string]       `query:"fund_type" enum:"3c1,3c7,all" example:"3c7" doc:"Only funds under section 3(c)(1) or 3(c)(7) (default all)."`
	Is3C1            httpapi.Opt[bool]         `query:"is_3c1" example:"false" doc:"True: relies on section 3(c)(1). False: reports that it does not."`
	Is3C7            httpapi.Opt[bool]         `query:"is_3c7" example:"true" doc:"True: relies on section 3(c)(7). False: reports that it does not."`
	IsMaster         httpapi.Opt[bool]         `query:"is_master" example:"false" doc:"True: is a master fund. False: reports that it is not."`
	IsFeeder         httpapi.Opt[bool]         `query:"is_feeder" example:"false" doc:"True: is a feeder fund. False: reports that it is not."`
	MinGAV           httpapi.Opt[int64]        `query:"min_gav" minimum:"0" example:"100000000" doc:"Minimum gross asset value, USD."`
	MaxGAV           httpapi.Opt[int64]        `query:"max_gav" minimum:"0" example:"2000000000" doc:"Maximum gross asset value, USD."`
	MinInvestors     httpapi.Opt[int64]        `query:"min_investors" minimum:"0" example:"10" doc:"Minimum number of beneficial owners (item 13)."`
	MaxInvestors     httpapi.Opt[int64]        `query:"max_investors" minimum:"0" example:"100" doc:"Maximum number of beneficial owners (item 13)."`
	MinMinimum       httpapi.Opt[int64]        `query:"min_minimum_investment" minimum:"0" example:"1000000" doc:"Smallest minimum investment (item 12), USD."`
	MaxMinimum       httpapi.Opt[int64]        `query:"max_minimum_investment" minimum:"0" example:"10000000" doc:"Largest minimum investment (item 12), USD."`
	VintageYear      httpapi.Opt[int64]        `query:"vintage_year" minimum:"1900" maximum:"2200" example:"2021" doc:"Vintage year."`
	MinVintage       httpapi.Opt[int64]        `query:"min_vintage" minimum:"1900" maximum:"2200" example:"2015" doc:"Earliest vintage year."`
	MaxVintage       httpapi.Opt[int64]        `query:"max_vintage" minimum:"1900" maximum:"2200" example:"2022" doc:"Latest vintage year."`
	FirstFiledAfter  httpapi.Opt[httpapi.Date] `query:"first_filed_after" example:"2025-01-01" doc:"The first filing that names the fund is of this day or later."`
	FirstFiledBefore httpapi.Opt[httpapi.Date] `query:"first_filed_before" example:"2026-09-30" doc:"The first filing that names the fund is of this day or earlier."`
	ClosedAfter      httpapi.Opt[httpapi.Date] `query:"closed_after" example:"2025-01-01" doc:"Closed funds alone: the first complete list without the fund (before of closed_between) is of this day or later."`
	ClosedBefore     httpapi.Opt[httpapi.Date] `query:"closed_before" example:"2026-09-30" doc:"Closed funds alone: the first complete list without the fund (before of closed_between) is of this day or earlier."`
	RaisingNow       httpapi.Opt[bool]         `query:"raising_now" example:"true" doc:"True: the fund is not closed and has an offering of stage announced or raising, as in the list of offerings. Only true can be sent."`
	VintageQuality   httpapi.Opt[string]       `query:"vintage_quality" example:"form_d" doc:"How the vintage is known: by the first sale in a Form D, by the first Form ADV that names the fund, or by a list of funds only (the year is then the latest that it can be). Separate several with commas; a match of any of them is enough."` // Spec: not shown; an analyst of vintages leaves out those that are known only from a list.
	Jurisdiction     httpapi.Opt[string]       `query:"jurisdiction" example:"Delaware" doc:"Place under whose law the fund is organized: a country by ISO 3166 alpha-2 code or name (US includes the states; UK and GB mean the same), or a US state by name, or by code if no country has that code. Separate several with commas; a match of any of them is enough."`
	Status           httpapi.Opt[string]       `query:"status" example:"active" doc:"Status of the fund (default: every status except closed). Separate several with commas; a match of any of them is enough."`
	HasAuditor       httpapi.Opt[bool]         `query:"has_auditor" example:"true" doc:"True: the latest filing names an auditor. False: it says that the fund is not audited."`
	Former           httpapi.Opt[bool]         `query:"former" example:"false" doc:"Searches the funds of former managers (true) instead of those of current ones (false, the default). Former managers have withdrawn, or no current list names them."` // Spec: not shown; as in the search of managers.
	Sort             httpapi.Opt[string]       `query:"sort" enum:"name,gav,vintage_year,first_filing_date,latest_filing_date,closed,investors,as_sent" example:"gav" doc:"Sort key (default name; with q and without sort: relevance). Unknown values come last. as_sent is the order of the list in fund_id, which order does not change."`
	Order            httpapi.Opt[string]       `query:"order" enum:"asc,desc" example:"desc" doc:"Sort direction (default asc). Has no effect on relevance."`
}

// Query checks the parameters against one another, the vocabularies and what is filed, and turns them into a query of the index.
func (in *SearchInput) Query(clk clock.Clock, filed *index.Snapshot) (*index.FundQuery, *listing.Applied, error) {
	return in.compile(clk, &listing.Check{Filed: filed})
}

func (in *SearchInput) compile(clk clock.Clock, c *listing.Check) (*index.FundQuery, *listing.Applied, error) {
	q := &index.FundQuery{
		Text:          c.Query("q", in.Q),
		Strategies:    c.Strategies("strategy", in.Strategy, "exclude_strategy", in.ExcludeStrategy),
		FundIDs:       c.FundIDs("fund_id", in.FundID),
		AdviserCRD:    c.Choice("gp_crd", in.GPCRD),
		CanonicalID:   c.Number("gp_id", in.GPID),
		Jurisdictions: c.Places("jurisdiction", in.Jurisdiction),
		Words: index.FundWords{
			index.FundStatus:  listing.Any(c.Choices(catalogapi.FundStatuses...)("status", in.Status)),
			index.FundQuality: listing.Any(c.Choices(index.VintageQualities[:]...)("vintage_quality", in.VintageQuality)),
		},
		Numbers: index.FundNumbers{
			index.FundGAV:        c.Range("min_gav", in.MinGAV, "max_gav", in.MaxGAV),
			index.FundVintage:    c.Range("min_vintage", in.MinVintage, "max_vintage", in.MaxVintage),
			index.FundOwners:     c.Range("min_investors", in.MinInvestors, "max_investors", in.MaxInvestors),
			index.FundFirstFiled: c.Days("first_filed_after", in.FirstFiledAfter, "first_filed_before", in.FirstFiledBefore),
			index.FundMinimum:    c.Range("min_minimum_investment", in.MinMinimum, "max_minimum_investment", in.MaxMinimum),
			index.FundClosed:     c.Days("closed_after", in.ClosedAfter, "closed_before", in.ClosedBefore),
			index.FundOffered:    c.Raising(in.RaisingNow, clk),
		},
		Answers: index.FundAnswers{
			index.Fund3C1:        c.Tri("is_3c1", in.Is3C1),
			index.Fund3C7:        c.Tri("is_3c7", in.Is3C7),
			index.FundIsMaster:   c.Tri("is_master", in.IsMaster),
			index.FundIsFeeder:   c.Tri("is_feeder", in.IsFeeder),
			index.FundHasAuditor: c.Tri("has_auditor", in.HasAuditor),
		},
		Services: c.Services(&in.ServicesInput),
		Former:   c.Former(in.Former),
	}
	in.vintage(q, c)
	in.fundType(q, c)
	in.raising(q, c)
	in.closed(q, c)
	q.Order, q.Desc = c.Order(in.Sort, in.Order, q.Text, "fund_id", q.FundIDs)
	q.Limit, q.Offset, _ = in.Window()
	q.Facets, q.FacetLimit = c.Facets(&in.FacetsInput, &in.Counted, index.FundFacets())
	return q, &c.Applied, c.Err()
}

// vintage takes one year, which the range of vintages must not exclude.
func (in *SearchInput) vintage(q *index.FundQuery, c *listing.Check) {
	if !in.VintageYear.Set {
		return
	}
	year := c.Number("vintage_year", in.VintageYear)
	if low, ok := in.MinVintage.Get(); ok && year < low {
		c.Fault("vintage_year", "must not be less than min_vintage (%d < %d)", year, low)
	}
	if high, ok := in.MaxVintage.Get(); ok && year > high {
		c.Fault("vintage_year", "must not be greater than max_vintage (%d > %d)", year, high)
	}
	q.Year = year
}

// closed looks for closed funds where the days of their closing are asked for.
func (in *SearchInput) closed(q *index.FundQuery, c *listing.Check) {
	if q.Numbers[index.FundClosed].Open() {
		return
	}
	status := &q.Words[index.FundStatus]
	if slices.ContainsFunc(status.Any, func(s string) bool { return s != catalogapi.FundClosed }) {
		c.Fault("status", "must be closed with closed_after and closed_before")
	}
	*status = index.One(catalogapi.FundClosed)
}

// raising refuses closed funds where those that raise money are asked for: the offerings of a closed fund are closed.
func (in *SearchInput) raising(q *index.FundQuery, c *listing.Check) {
	if in.RaisingNow.Value && (in.ClosedAfter.Set || in.ClosedBefore.Set || slices.Contains(q.Words[index.FundStatus].Any, catalogapi.FundClosed)) {
		c.Fault("raising_now", "cannot be combined with closed funds")
	}
}

// fundType is another way to send is_3c1 or is_3c7. If both are sent, they must agree.
func (in *SearchInput) fundType(q *index.FundQuery, c *listing.Check) {
	if !in.FundType.Set || in.FundType.Value == "all" {
		return
	}
	kind := c.Choice("fund_type", in.FundType)
	answer, name := &q.Answers[index.Fund3C1], "is_3c1"
	if kind == "3c7" {
		answer, name = &q.Answers[index.Fund3C7], "is_3c7"
	}
	if *answer == index.No {
		c.Fault("fund_type", "%s contradicts %s=false", kind, name)
	}
	*answer = index.Yes
}
