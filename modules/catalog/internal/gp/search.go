package gp

import (
	"time"

	"gpatlas/modules/catalog/internal/index"
	"gpatlas/modules/catalog/internal/listing"
	"gpatlas/platform/clock"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/page"
)

// SearchInput is the parameters of the search of advisers.
type SearchInput struct {
	page.Input
	Q                    httpapi.Opt[string]       `query:"q" minLength:"2" example:"aldrinmead" doc:"Text to find in the legal name, the business name and the location of the main office: words in any order, beginnings of words, and one typing error in a word of five letters or more. 2 to 200 characters."`
	City                 httpapi.Opt[string]       `query:"city" example:"Boston" doc:"City of the main office. Send the whole name; case and accents do not matter."`
	State                httpapi.Opt[string]       `query:"state" example:"MA" doc:"US state of the main office, by code or name."`
	Country              httpapi.Opt[string]       `query:"country" example:"United States" doc:"Country of the main office, by name or ISO 3166 alpha-2 code (UK and GB mean the same)."`
	MinAUM               httpapi.Opt[int64]        `query:"min_aum" minimum:"0" example:"1000000000" doc:"Minimum assets under management, USD."`
	MaxAUM               httpapi.Opt[int64]        `query:"max_aum" minimum:"0" example:"5000000000" doc:"Maximum assets under management, USD."`
	AUMBand              httpapi.Opt[string]       `query:"aum_band" enum:"<100M,100M-500M,500M-1B,1B-10B,>10B" example:"1B-10B" doc:"Band of assets under management. The lower bound is part of the band, the upper bound is not."`
	Strategy             httpapi.Opt[string]       `query:"strategy" example:"buyout" doc:"Primary strategy: buyout, growth, venture, real-estate, infrastructure, credit, hedge, secondaries, fund-of-funds, liquidity, securitized or other; or an alias: PE (buyout, growth, secondaries), VC, Hedge, RealEstate, Credit. Separate several with commas; a match of any of them is enough."`
	RegistrationStatus   httpapi.Opt[string]       `query:"registration_status" enum:"registered,exempt_reporting" example:"registered" doc:"Registered with the SEC (registered), or an exempt reporting adviser (exempt_reporting)."`
	HasFunds             httpapi.Opt[bool]         `query:"has_funds" example:"true" doc:"True: has private funds. False: is known to have none."`
	MinFundCount         httpapi.Opt[int64]        `query:"min_fund_count" minimum:"0" example:"2" doc:"Minimum number of funds that are not closed."`
	MaxFundCount         httpapi.Opt[int64]        `query:"max_fund_count" minimum:"0" example:"20" doc:"Maximum number of funds that are not closed."`
	MinEmployees         httpapi.Opt[int64]        `query:"min_employees" minimum:"0" example:"10" doc:"Minimum number of employees."`
	MaxEmployees         httpapi.Opt[int64]        `query:"max_employees" minimum:"0" example:"500" doc:"Maximum number of employees."`
	Jurisdiction         httpapi.Opt[string]       `query:"jurisdiction" example:"UK" doc:"Jurisdiction: the country of the main office, by ISO 3166 alpha-2 code (US, UK or GB, SG, HK, …) or name."`
	RegisteredAfter      httpapi.Opt[httpapi.Date] `query:"registered_after" example:"2015-01-01" doc:"Registered (or reporting) since this day or later. Managers without a stated day never match."`
	RegisteredBefore     httpapi.Opt[httpapi.Date] `query:"registered_before" example:"2024-12-31" doc:"Registered (or reporting) since this day or earlier. Managers without a stated day never match."`
	YearFoundedMin       httpapi.Opt[int64]        `query:"year_founded_min" minimum:"1600" maximum:"2200" example:"1990" doc:"Founded in this year or later, according to founded_year of the manager."`
	YearFoundedMax       httpapi.Opt[int64]        `query:"year_founded_max" minimum:"1600" maximum:"2200" example:"2020" doc:"Founded in this year or earlier, according to founded_year of the manager."`
	FoundedYearBasis     httpapi.Opt[string]       `query:"founded_year_basis" enum:"registration,first_filing,override" example:"registration" doc:"Evidence for founded_year: a registration stated by a source, the first loaded filing, or a correction by an operator (override)."`
	VintageMin           httpapi.Opt[int64]        `query:"vintage_min" minimum:"1900" maximum:"2200" example:"2015" doc:"Has a fund of this vintage year or later."`
	VintageMax           httpapi.Opt[int64]        `query:"vintage_max" minimum:"1900" maximum:"2200" example:"2022" doc:"Has a fund of this vintage year or earlier."`
	VintageQuality       httpapi.Opt[string]       `query:"vintage_quality" enum:"form_d,first_filing,list" example:"form_d" doc:"Has a fund whose vintage is known in this way: by the first sale in a Form D, by the first Form ADV that names the fund, or by a list of funds only (the year is then the latest that it can be)."` // Spec: not shown; as in the search of funds.
	LaunchedWithinMonths httpapi.Opt[int64]        `query:"launched_within_months" minimum:"1" maximum:"1200" example:"12" doc:"Has a fund that was first reported within the last so many months."`
	FundSizeMin          httpapi.Opt[int64]        `query:"fund_size_min" minimum:"0" example:"100000000" doc:"Has a fund of at least this gross asset value, USD."`
	FundSizeMax          httpapi.Opt[int64]        `query:"fund_size_max" minimum:"0" example:"2000000000" doc:"Has a fund of at most this gross asset value, USD."`
	MinInvestors         httpapi.Opt[int64]        `query:"min_investors" minimum:"0" example:"10" doc:"Minimum number of investors over all funds of the manager."`
	MaxInvestors         httpapi.Opt[int64]        `query:"max_investors" minimum:"0" example:"1000" doc:"Maximum number of investors over all funds of the manager."`
	ExemptionType        httpapi.Opt[string]       `query:"exemption_type" enum:"506b,506c,3c1,3c7" example:"3c7" doc:"Has a fund with this exemption: 506b, 506c (Form D), 3c1 or 3c7 (Form ADV)."`
	FundType             httpapi.Opt[string]       `query:"fund_type" enum:"3c1,3c7" example:"3c7" doc:"Has a fund that relies on section 3(c)(1) or 3(c)(7)."`
	StateOfIncorporation httpapi.Opt[string]       `query:"state_of_incorporation" example:"Delaware" doc:"State or place under whose law the adviser is organized. Send US states by code or name."`
	HasAuditor           httpapi.Opt[bool]         `query:"has_auditor" example:"true" doc:"True: has a fund whose latest filing names an auditor. False: has a fund whose latest filing says that it is not audited. Managers whose funds are unknown match neither."`
	AuditorName          httpapi.Opt[string]       `query:"auditor_name" example:"Ravensgill" doc:"Has a fund with an auditor of this name. Each word sent must begin a word of the name."`
	ManagerType          httpapi.Opt[string]       `query:"manager_type" enum:"pe_vc,hedge_fund,real_estate,other" example:"pe_vc" doc:"Group that the primary strategy belongs to."`
	Former               httpapi.Opt[bool]         `query:"former" example:"false" doc:"Searches former managers (true) instead of current ones (false, the default). Former managers have withdrawn, or no current list names them."` // Spec: not shown; those that leave the searches can still be asked for.
	Sort                 httpapi.Opt[string]       `query:"sort" enum:"name,aum,fund_count,employees" example:"aum" doc:"Sort key (default name; with q and without sort: relevance). Unknown values come last."`
	Order                httpapi.Opt[string]       `query:"order" enum:"asc,desc" example:"desc" doc:"Sort direction (default asc). Has no effect on relevance."`
}

// Query checks the parameters against one another, the vocabularies and what is filed, and turns them into a query of the index.
func (in *SearchInput) Query(clk clock.Clock, filed *index.Snapshot) (*index.GPQuery, *listing.Applied, error) {
	c := listing.Check{Filed: filed}
	q := &index.GPQuery{
		Text:       c.Query("q", in.Q),
		Strategies: c.Strategies("strategy", in.Strategy),
		Words: index.GPWords{
			index.GPCity:         c.Words("city", in.City),
			index.GPState:        c.State("state", in.State),
			index.GPCountry:      c.Country("country", in.Country),
			index.GPJurisdiction: c.CountryCode("jurisdiction", in.Jurisdiction),
			index.GPRegistration: c.Choice("registration_status", in.RegistrationStatus),
			index.GPManagerType:  c.Choice("manager_type", in.ManagerType),
			index.GPFoundedBasis: c.Choice("founded_year_basis", in.FoundedYearBasis),
			index.GPOrgState:     c.OrgState("state_of_incorporation", in.StateOfIncorporation),
		},
		Numbers: index.GPNumbers{
			index.GPAUM:        c.Range("min_aum", in.MinAUM, "max_aum", in.MaxAUM).And(c.Band("aum_band", in.AUMBand)),
			index.GPFundCount:  c.Range("min_fund_count", in.MinFundCount, "max_fund_count", in.MaxFundCount),
			index.GPEmployees:  c.Range("min_employees", in.MinEmployees, "max_employees", in.MaxEmployees),
			index.GPInvestors:  c.Range("min_investors", in.MinInvestors, "max_investors", in.MaxInvestors),
			index.GPFounded:    c.Range("year_founded_min", in.YearFoundedMin, "year_founded_max", in.YearFoundedMax),
			index.GPRegistered: c.Days("registered_after", in.RegisteredAfter, "registered_before", in.RegisteredBefore),
		},
		Answers: index.GPAnswers{index.GPHasFunds: c.Tri("has_funds", in.HasFunds)},
		Former:  c.Former(in.Former),
		Fund: index.FundMatch{
			Numbers: index.MatchNumbers{
				index.MatchVintage: c.Range("vintage_min", in.VintageMin, "vintage_max", in.VintageMax),
				index.MatchSize:    c.Range("fund_size_min", in.FundSizeMin, "fund_size_max", in.FundSizeMax),
			},
			Words: index.MatchWords{
				index.MatchExemption: c.Choice("exemption_type", in.ExemptionType),
				index.MatchType:      c.Choice("fund_type", in.FundType),
				index.MatchQuality:   c.Choice("vintage_quality", in.VintageQuality),
			},
			Answers:     index.MatchAnswers{index.MatchHasAuditor: c.Tri("has_auditor", in.HasAuditor)},
			AuditorName: c.Words("auditor_name", in.AuditorName),
		},
	}
	if months := c.Number("launched_within_months", in.LaunchedWithinMonths); months > 0 {
		q.Fund.Numbers[index.MatchFirstFiled] = index.Days(monthsBefore(clk.Now(), int(months)), time.Time{})
	}
	q.Order, q.Desc = listing.Order(in.Sort, in.Order, q.Text)
	q.Limit, q.Offset, _ = in.Window()
	return q, &c.Applied, c.Err()
}

// monthsBefore is the same day of an earlier month, or that month's last day where it has no such day.
func monthsBefore(now time.Time, months int) time.Time {
	now = now.UTC()
	month := time.Date(now.Year(), now.Month()-time.Month(months), 1, 0, 0, 0, 0, time.UTC)
	last := month.AddDate(0, 1, -1).Day()
	return month.AddDate(0, 0, min(now.Day(), last)-1)
}
