package offering

import (
	"slices"
	"strings"
	"time"

	"gpatlas/modules/catalog/internal/derive"
	"gpatlas/modules/catalog/internal/listing"
	"gpatlas/platform/httpapi"
)

// MarketInput is the parameters of the list of all offerings.
type MarketInput struct {
	State          httpapi.Opt[string]       `query:"state" example:"TX" doc:"US states of the managers' main offices at present, by code or name. Separate several with commas."`
	Strategy       httpapi.Opt[string]       `query:"strategy" example:"venture" doc:"Strategies of the funds, or an alias. Separate several with commas."`
	Stage          httpapi.Opt[string]       `query:"stage" example:"raising,announced" doc:"Stages today: closed, sold_out, lapsed, announced or raising. Separate several with commas."`
	MinOffering    httpapi.Opt[int64]        `query:"min_offering" minimum:"0" example:"100000000" doc:"Minimum amount offered, USD. Indefinite amounts never match."`
	MaxOffering    httpapi.Opt[int64]        `query:"max_offering" minimum:"0" example:"1000000000" doc:"Maximum amount offered, USD. Indefinite amounts never match."`
	MinSold        httpapi.Opt[int64]        `query:"min_sold" minimum:"0" example:"1000000" doc:"Minimum amount sold, USD."`
	Exemption      httpapi.Opt[string]       `query:"exemption" example:"506b" doc:"Exemptions that the newest notice claims: 506b or 506c. Separate several with commas; a match of any of them is enough."`
	Recipient      httpapi.Opt[string]       `query:"recipient" example:"securities" doc:"Part of the name of a firm that receives sales compensation. Separate several with semicolons; a match of any of them is enough."`
	FiledAfter     httpapi.Opt[httpapi.Date] `query:"filed_after" example:"2026-01-01" doc:"The newest notice is of this day or later."`
	FirstSaleAfter httpapi.Opt[httpapi.Date] `query:"first_sale_after" example:"2025-01-01" doc:"The first sale was on this day or later."`
	Sort           httpapi.Opt[string]       `query:"sort" enum:"filed,offering,sold" example:"offering" doc:"Order: newest notice first (filed, the default), largest amount offered first (offering), largest amount sold first (sold). Unknown amounts come last."`
	Cursor         httpapi.Opt[string]       `query:"cursor" doc:"next_cursor of the page before, with the same filters and sort."`
	Limit          httpapi.Opt[int]          `query:"limit" minimum:"1" maximum:"100" example:"25" doc:"Rows to return, 1 to 100 (default 25)."`
}

// Absent explains why the list is of today.
//
// Spec: not shown; which fund a notice matches depends on all filings and notices up to the day.
func (*MarketInput) Absent() map[string]string {
	const why = "is not accepted: to which funds notices belong is known for today only, over all funds; send it to GET /v1/gps/{crd}/offerings or /v1/funds/{fund_id}/offerings"
	return map[string]string{"as_of": why, "known_at": strings.Replace(why, "send it", "send as_of", 1)}
}

// MarketMeta is the remarks on a page.
type MarketMeta struct {
	listing.CursorMeta
}

// SchemaName is its name in the OpenAPI document.
func (MarketMeta) SchemaName() string { return "OfferingsPage" }

// marketQuery is what a page of all offerings asks for.
type marketQuery struct {
	states, strategies, stages, codes, recipients []string
	minOffering, maxOffering, minSold             *int64
	filed, firstSale                              time.Time
	sort                                          string
	limit                                         int
	before                                        *listing.Place // the last row; its ID is an accession number of the page before
	today                                         time.Time
}

// read checks the parameters.
func (in *MarketInput) read(today time.Time) (m marketQuery, applied *listing.Applied, err error) {
	var c listing.Check
	m = marketQuery{
		states: c.States("state", in.State), strategies: c.Strategies("strategy", in.Strategy, "", httpapi.Opt[string]{}).Any,
		stages: c.Choices(stages...)("stage", in.Stage), recipients: c.WordLists("recipient", in.Recipient),
		sort: in.Sort.Or("filed"), limit: in.Limit.Or(25), today: today,
	}
	for _, exemption := range c.Choices("506b", "506c")("exemption", in.Exemption) {
		m.codes = append(m.codes, derive.ExemptionCodes[exemption]...)
	}
	amounts := c.Range("min_offering", in.MinOffering, "max_offering", in.MaxOffering)
	m.minOffering, m.maxOffering = amounts.Min, amounts.Max
	m.minSold = c.Range("min_sold", in.MinSold, "", httpapi.Opt[int64]{}).Min
	c.Days("filed_after", in.FiledAfter, "", httpapi.Opt[httpapi.Date]{})
	c.Days("first_sale_after", in.FirstSaleAfter, "", httpapi.Opt[httpapi.Date]{})
	m.filed, m.firstSale = in.FiledAfter.Value.Time, in.FirstSaleAfter.Value.Time
	c.Cursor(in.Cursor, m.sort, func(parts []string) bool {
		before, err := listing.ReadPlace(parts)
		m.before = &before
		return err == nil
	})
	return m, &c.Applied, c.Err()
}

// only reports whether stages are asked for, and none but these.
func (m *marketQuery) only(stages ...string) bool {
	return len(m.stages) > 0 && !slices.ContainsFunc(m.stages, func(s string) bool { return !slices.Contains(stages, s) })
}
