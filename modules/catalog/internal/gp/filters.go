package gp

import (
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/index"
	"gpatlas/modules/catalog/internal/listing"
	"gpatlas/modules/catalog/internal/vocab"
	"gpatlas/platform/clock"
	"gpatlas/platform/httpapi"
)

// Filters are the parameters that choose advisers. All of them must match.
type Filters struct {
	Q httpapi.Opt[string] `query:"q" minLength:"2" example:"aldrinmead" doc:"Text to find in the legal name, the business name and the location of the main office: words in any order, beginnings of words, and one typing error in a word of five letters or more. 2 to 200 characters."`
	Criteria
}

// Criteria are the filters without the text to find.
type Criteria struct {
	listing.ServicesInput
	City                 httpapi.Opt[string]       `query:"city" example:"Boston" doc:"City of the main office. Send the whole name; case and accents do not matter. Separate several with semicolons; a match of any of them is enough."`
	ExcludeCity          httpapi.Opt[string]       `query:"exclude_city" example:"Boston" doc:"Leaves out main offices in this city. Managers of unknown city stay. Separate several with semicolons."`
	State                httpapi.Opt[string]       `query:"state" example:"MA" doc:"US state of the main office, by code or name. Separate several with commas; a match of any of them is enough."`
	ExcludeState         httpapi.Opt[string]       `query:"exclude_state" example:"NY,CA" doc:"Leaves out main offices in this US state, by code or name. Managers of unknown state stay. Separate several with commas."`
	Country              httpapi.Opt[string]       `query:"country" example:"United States" doc:"Country of the main office, by name or ISO 3166 alpha-2 code (UK and GB mean the same). Separate several with commas; a match of any of them is enough."`
	ExcludeCountry       httpapi.Opt[string]       `query:"exclude_country" example:"US" doc:"Leaves out main offices in this country, by name or ISO 3166 alpha-2 code. Managers of unknown country stay. Separate several with commas."`
	MinAUM               httpapi.Opt[int64]        `query:"min_aum" minimum:"0" example:"1000000000" doc:"Minimum assets under management, USD."`
	MaxAUM               httpapi.Opt[int64]        `query:"max_aum" minimum:"0" example:"5000000000" doc:"Maximum assets under management, USD."`
	MinTotalGAV          httpapi.Opt[int64]        `query:"min_total_gav" minimum:"0" example:"500000000" doc:"Minimum gross asset value of all funds as filed (total_gav of the detail), USD."`
	MaxTotalGAV          httpapi.Opt[int64]        `query:"max_total_gav" minimum:"0" example:"5000000000" doc:"Maximum gross asset value of all funds as filed (total_gav of the detail), USD."`
	MinNetGAV            httpapi.Opt[int64]        `query:"min_net_gav" minimum:"0" example:"500000000" doc:"Minimum gross asset value of all funds without feeders of own masters (net_gav of the detail), USD."`
	MaxNetGAV            httpapi.Opt[int64]        `query:"max_net_gav" minimum:"0" example:"5000000000" doc:"Maximum gross asset value of all funds without feeders of own masters (net_gav of the detail), USD."`
	MinAUMGrowth1        httpapi.Opt[float64]      `query:"min_aum_growth_1y" minimum:"-100" maximum:"1000000000000" example:"20" doc:"Minimum growth of total_aum over 1 year, in percent a year as in the metrics. Managers without a growth never match: the filings of the time before must be loaded."`
	MaxAUMGrowth1        httpapi.Opt[float64]      `query:"max_aum_growth_1y" minimum:"-100" maximum:"1000000000000" example:"50" doc:"Maximum growth of total_aum over 1 year, in percent a year."`
	MinAUMGrowth2        httpapi.Opt[float64]      `query:"min_aum_growth_2y" minimum:"-100" maximum:"1000000000000" example:"9.54" doc:"Minimum growth of total_aum over 2 years, in percent a year as in the metrics. Managers without a growth never match: the filings of the time before must be loaded."`
	MaxAUMGrowth2        httpapi.Opt[float64]      `query:"max_aum_growth_2y" minimum:"-100" maximum:"1000000000000" example:"50" doc:"Maximum growth of total_aum over 2 years, in percent a year."`
	MinAUMGrowth3        httpapi.Opt[float64]      `query:"min_aum_growth_3y" minimum:"-100" maximum:"1000000000000" example:"9.54" doc:"Minimum growth of total_aum over 3 years, in percent a year as in the metrics. Managers without a growth never match: the filings of the time before must be loaded."`
	MaxAUMGrowth3        httpapi.Opt[float64]      `query:"max_aum_growth_3y" minimum:"-100" maximum:"1000000000000" example:"50" doc:"Maximum growth of total_aum over 3 years, in percent a year."`
	MinAUMGrowth5        httpapi.Opt[float64]      `query:"min_aum_growth_5y" minimum:"-100" maximum:"1000000000000" example:"9.54" doc:"Minimum growth of total_aum over 5 years, in percent a year as in the metrics. Managers without a growth never match: the filings of the time before must be loaded."`
	MaxAUMGrowth5        httpapi.Opt[float64]      `query:"max_aum_growth_5y" minimum:"-100" maximum:"1000000000000" example:"50" doc:"Maximum growth of total_aum over 5 years, in percent a year."`
	MinAUMBefore         httpapi.Opt[int64]        `query:"min_aum_before" minimum:"0" example:"100000000" doc:"Minimum assets at the beginning of the growth, USD. Outside /v1/search/growth it needs a filter, or in /v1/gps a sort, by growth over one horizon. Without it, managers that were tiny lead."`
	AUMBand              httpapi.Opt[string]       `query:"aum_band" enum:"<100M,100M-500M,500M-1B,1B-10B,>10B" example:"1B-10B" doc:"Band of assets under management. The lower bound is part of the band, the upper bound is not."`
	Strategy             httpapi.Opt[string]       `query:"strategy" example:"buyout" doc:"Primary strategy: buyout, growth, venture, real-estate, infrastructure, credit, hedge, secondaries, fund-of-funds, liquidity, securitized or other; or an alias: PE (buyout, growth, secondaries), VC, Hedge, RealEstate, Credit. Separate several with commas; a match of any of them is enough."`
	ExcludeStrategy      httpapi.Opt[string]       `query:"exclude_strategy" example:"hedge" doc:"Leaves out this primary strategy, or an alias. Managers of unknown strategy stay. Separate several with commas. An alias in strategy can be excluded in part: strategy=PE with exclude_strategy=growth."`
	CRD                  httpapi.Opt[string]       `query:"crd" example:"998243,763283" doc:"CRD numbers, up to 200, separated by commas. meta.unknown and meta.former list those that are missing. With sort=as_sent, rows are in the order of the list."`
	ExcludeCRD           httpapi.Opt[string]       `query:"exclude_crd" example:"900001" doc:"Leaves out these CRD numbers, separated by commas."`
	RegistrationStatus   httpapi.Opt[string]       `query:"registration_status" example:"registered" doc:"Registered with the SEC (registered), or an exempt reporting adviser (exempt_reporting). Separate several with commas; a match of any of them is enough."`
	HasFunds             httpapi.Opt[bool]         `query:"has_funds" example:"true" doc:"True: has private funds. False: is known to have none."`
	MinFundCount         httpapi.Opt[int64]        `query:"min_fund_count" minimum:"0" example:"2" doc:"Minimum number of funds that are not closed."`
	MaxFundCount         httpapi.Opt[int64]        `query:"max_fund_count" minimum:"0" example:"20" doc:"Maximum number of funds that are not closed."`
	MinEmployees         httpapi.Opt[int64]        `query:"min_employees" minimum:"0" example:"10" doc:"Minimum number of employees."`
	MaxEmployees         httpapi.Opt[int64]        `query:"max_employees" minimum:"0" example:"500" doc:"Maximum number of employees."`
	Jurisdiction         httpapi.Opt[string]       `query:"jurisdiction" example:"UK" doc:"Jurisdiction: the country of the main office, by ISO 3166 alpha-2 code (US, UK or GB, SG, HK, …) or name. Separate several with commas; a match of any of them is enough."`
	RegisteredAfter      httpapi.Opt[httpapi.Date] `query:"registered_after" example:"2015-01-01" doc:"Registered (or reporting) since this day or later. Managers without a stated day never match."`
	RegisteredBefore     httpapi.Opt[httpapi.Date] `query:"registered_before" example:"2024-12-31" doc:"Registered (or reporting) since this day or earlier. Managers without a stated day never match."`
	FiledAfter           httpapi.Opt[httpapi.Date] `query:"filed_after" example:"2026-01-01" doc:"The newest filing (latest_filing_date) is of this day or later."`
	FiledBefore          httpapi.Opt[httpapi.Date] `query:"filed_before" example:"2026-09-30" doc:"The newest filing (latest_filing_date) is of this day or earlier."`
	YearFoundedMin       httpapi.Opt[int64]        `query:"year_founded_min" minimum:"1600" maximum:"2200" example:"1990" doc:"Founded in this year or later, according to founded_year of the manager."`
	YearFoundedMax       httpapi.Opt[int64]        `query:"year_founded_max" minimum:"1600" maximum:"2200" example:"2020" doc:"Founded in this year or earlier, according to founded_year of the manager."`
	FoundedYearBasis     httpapi.Opt[string]       `query:"founded_year_basis" example:"registration" doc:"Evidence for founded_year: a registration stated by a source, the first loaded filing, or a correction by an operator (override). Separate several with commas; a match of any of them is enough."`
	VintageMin           httpapi.Opt[int64]        `query:"vintage_min" minimum:"1900" maximum:"2200" example:"2015" doc:"Has a fund of this vintage year or later."`
	VintageMax           httpapi.Opt[int64]        `query:"vintage_max" minimum:"1900" maximum:"2200" example:"2022" doc:"Has a fund of this vintage year or earlier."`
	VintageQuality       httpapi.Opt[string]       `query:"vintage_quality" example:"form_d" doc:"Has a fund whose vintage is known in this way: by the first sale in a Form D, by the first Form ADV that names the fund, or by a list of funds only (the year is then the latest that it can be). Separate several with commas; a match of any of them is enough."` // Spec: not shown; as in the search of funds.
	LaunchedWithinMonths httpapi.Opt[int64]        `query:"launched_within_months" minimum:"1" maximum:"1200" example:"12" doc:"Has a fund that was first reported within the last so many months."`
	FundSizeMin          httpapi.Opt[int64]        `query:"fund_size_min" minimum:"0" example:"100000000" doc:"Has a fund of at least this gross asset value, USD."`
	FundSizeMax          httpapi.Opt[int64]        `query:"fund_size_max" minimum:"0" example:"2000000000" doc:"Has a fund of at most this gross asset value, USD."`
	ClosedFundAfter      httpapi.Opt[httpapi.Date] `query:"closed_fund_after" example:"2025-01-01" doc:"A fund of the manager has closed: the first complete list without it (before of closed_between) is of this day or later."`
	RaisingNow           httpapi.Opt[bool]         `query:"raising_now" example:"true" doc:"True: a fund of the manager that is not closed has an offering of stage announced or raising, as in the list of offerings. Only true can be sent."`
	MinInvestors         httpapi.Opt[int64]        `query:"min_investors" minimum:"0" example:"10" doc:"Minimum number of investors over all funds of the manager."`
	MaxInvestors         httpapi.Opt[int64]        `query:"max_investors" minimum:"0" example:"1000" doc:"Maximum number of investors over all funds of the manager."`
	ExemptionType        httpapi.Opt[string]       `query:"exemption_type" example:"3c7" doc:"Has a fund with this exemption: 506b, 506c (Form D), 3c1 or 3c7 (Form ADV). Separate several with commas; a match of any of them is enough."`
	FundType             httpapi.Opt[string]       `query:"fund_type" example:"3c7" doc:"Has a fund that relies on section 3(c)(1) or 3(c)(7). Separate several with commas; a match of any of them is enough."`
	StateOfIncorporation httpapi.Opt[string]       `query:"state_of_incorporation" example:"Delaware" doc:"State or place under whose law the adviser is organized. Send US states by code or name. Separate several with commas; a match of any of them is enough."`
	HasAuditor           httpapi.Opt[bool]         `query:"has_auditor" example:"true" doc:"True: has a fund whose latest filing names an auditor. False: has a fund whose latest filing says that it is not audited. Managers whose funds are unknown match neither."`
	AuditorName          httpapi.Opt[string]       `query:"auditor_name" example:"Ravensgill" doc:"Has a fund with an auditor of this name. Each word sent must begin a word of the name. Separate several with semicolons; a match of any of them is enough."`
	HasDisclosure        httpapi.Opt[bool]         `query:"has_disclosure" example:"true" doc:"True: the manager reports a criminal, civil or regulatory event in Form ADV, item 11. False: its newest complete filing states the disclosures and reports none. Managers whose disclosures are unknown match neither."`
	DisclosureType       httpapi.Opt[string]       `query:"disclosure_type" example:"regulatory,criminal" doc:"Reports an event of this kind: disciplinary, regulatory, civil or criminal, as event_type in the list of the manager's regulatory events. Separate several with commas; a match of any of them is enough. Events that are no longer reported do not count."`
	DisclosedAfter       httpapi.Opt[httpapi.Date] `query:"disclosed_after" example:"2025-01-01" doc:"Reports an event whose first loaded filing (disclosed_at) is of this day or later. The same event must match disclosure_type and disclosed_before."`
	DisclosedBefore      httpapi.Opt[httpapi.Date] `query:"disclosed_before" example:"2024-12-31" doc:"Reports an event whose first loaded filing (disclosed_at) is of this day or earlier. The same event must match disclosure_type and disclosed_after."`
	ManagerType          httpapi.Opt[string]       `query:"manager_type" example:"pe_vc" doc:"Group that the primary strategy belongs to. Separate several with commas; a match of any of them is enough."`
	ExcludeManagerType   httpapi.Opt[string]       `query:"exclude_manager_type" example:"hedge_fund" doc:"Leaves out this group. Managers of unknown strategy stay. Separate several with commas."`
	Former               httpapi.Opt[bool]         `query:"former" example:"false" doc:"Searches former managers (true) instead of current ones (false, the default). Former managers have withdrawn, or no current list names them."` // Spec: not shown; those that leave the searches can still be asked for.
}

// query turns the filters into a query of the index. What is wrong with them is noted in c.
func (in *Filters) query(c *listing.Check, clk clock.Clock) *index.GPQuery {
	text := c.Query("q", in.Q)
	q := in.Criteria.query(c, clk)
	q.Text = text
	return q
}

func (in *Criteria) query(c *listing.Check, clk clock.Clock) *index.GPQuery {
	q := &index.GPQuery{
		Strategies: c.Strategies("strategy", in.Strategy, "exclude_strategy", in.ExcludeStrategy),
		CRDs:       in.crds(c),
		Words: index.GPWords{
			index.GPCity:         c.Asked(c.WordLists, "city", in.City, "exclude_city", in.ExcludeCity),
			index.GPState:        c.Asked(c.States, "state", in.State, "exclude_state", in.ExcludeState),
			index.GPCountry:      c.Asked(c.Countries, "country", in.Country, "exclude_country", in.ExcludeCountry),
			index.GPJurisdiction: listing.Any(c.CountryCodes("jurisdiction", in.Jurisdiction)),
			index.GPRegistration: listing.Any(c.Choices(registrations...)("registration_status", in.RegistrationStatus)),
			index.GPManagerType:  c.Asked(c.Choices(managerTypes...), "manager_type", in.ManagerType, "exclude_manager_type", in.ExcludeManagerType),
			index.GPFoundedBasis: listing.Any(c.Choices("registration", "first_filing", "override")("founded_year_basis", in.FoundedYearBasis)),
			index.GPOrgState:     listing.Any(c.OrgStates("state_of_incorporation", in.StateOfIncorporation)),
		},
		Band: c.Choice("aum_band", in.AUMBand),
		Numbers: index.GPNumbers{
			index.GPAUM:         c.Range("min_aum", in.MinAUM, "max_aum", in.MaxAUM),
			index.GPFundCount:   c.Range("min_fund_count", in.MinFundCount, "max_fund_count", in.MaxFundCount),
			index.GPEmployees:   c.Range("min_employees", in.MinEmployees, "max_employees", in.MaxEmployees),
			index.GPInvestors:   c.Range("min_investors", in.MinInvestors, "max_investors", in.MaxInvestors),
			index.GPFounded:     c.Range("year_founded_min", in.YearFoundedMin, "year_founded_max", in.YearFoundedMax),
			index.GPRegistered:  c.Days("registered_after", in.RegisteredAfter, "registered_before", in.RegisteredBefore),
			index.GPGrowth1:     c.Percents("min_aum_growth_1y", in.MinAUMGrowth1, "max_aum_growth_1y", in.MaxAUMGrowth1),
			index.GPGrowth2:     c.Percents("min_aum_growth_2y", in.MinAUMGrowth2, "max_aum_growth_2y", in.MaxAUMGrowth2),
			index.GPGrowth3:     c.Percents("min_aum_growth_3y", in.MinAUMGrowth3, "max_aum_growth_3y", in.MaxAUMGrowth3),
			index.GPGrowth5:     c.Percents("min_aum_growth_5y", in.MinAUMGrowth5, "max_aum_growth_5y", in.MaxAUMGrowth5),
			index.GPTotalGAV:    c.Range("min_total_gav", in.MinTotalGAV, "max_total_gav", in.MaxTotalGAV),
			index.GPNetGAV:      c.Range("min_net_gav", in.MinNetGAV, "max_net_gav", in.MaxNetGAV),
			index.GPLatestFiled: c.Days("filed_after", in.FiledAfter, "filed_before", in.FiledBefore),
		},
		ClosedFund: c.Days("closed_fund_after", in.ClosedFundAfter, "", httpapi.Opt[httpapi.Date]{}),
		Offered:    c.Raising(in.RaisingNow, clk),
		Disclosed:  c.Tri("has_disclosure", in.HasDisclosure),
		Event: index.EventMatch{
			Types: c.Choices(catalogapi.EventTypes...)("disclosure_type", in.DisclosureType),
			Days:  c.Days("disclosed_after", in.DisclosedAfter, "disclosed_before", in.DisclosedBefore),
		},
		Answers: index.GPAnswers{index.GPHasFunds: c.Tri("has_funds", in.HasFunds)},
		Former:  c.Former(in.Former),
		Fund: index.FundMatch{
			Numbers: index.MatchNumbers{
				index.MatchVintage: c.Range("vintage_min", in.VintageMin, "vintage_max", in.VintageMax),
				index.MatchSize:    c.Range("fund_size_min", in.FundSizeMin, "fund_size_max", in.FundSizeMax),
			},
			Words: index.MatchWords{
				index.MatchExemption: c.Choices("506b", "506c", "3c1", "3c7")("exemption_type", in.ExemptionType),
				index.MatchType:      c.Choices("3c1", "3c7")("fund_type", in.FundType),
				index.MatchQuality:   c.Choices(index.VintageQualities[:]...)("vintage_quality", in.VintageQuality),
			},
			Answers:  index.MatchAnswers{index.MatchHasAuditor: c.Tri("has_auditor", in.HasAuditor)},
			Auditors: c.WordLists("auditor_name", in.AuditorName),
			Services: c.Services(&in.ServicesInput),
		},
	}
	if months := c.Number("launched_within_months", in.LaunchedWithinMonths); months > 0 {
		q.Fund.Numbers[index.MatchFirstFiled] = index.Days(monthsBefore(clk.Now(), int(months)), time.Time{})
	}
	return q
}

// The closed vocabularies of managers.
var (
	registrations = []string{string(catalogapi.Registered), string(catalogapi.ExemptReporting)}
	managerTypes  = []string{vocab.ManagerPEVC, vocab.ManagerHedge, vocab.ManagerRealEstate, vocab.ManagerOther}
)

// crds takes the CRD numbers that are asked for, more than a filter has values, and those to exclude.
func (in *Criteria) crds(c *listing.Check) index.Asked {
	return c.Opposed("crd", "exclude_crd", index.Asked{
		Any: c.CRDs(listing.MaxKeys)("crd", in.CRD), None: c.CRDs(listing.MaxValues)("exclude_crd", in.ExcludeCRD),
	})
}

// monthsBefore is the same day of an earlier month, or that month's last day where it has no such day.
func monthsBefore(now time.Time, months int) time.Time {
	now = now.UTC()
	month := time.Date(now.Year(), now.Month()-time.Month(months), 1, 0, 0, 0, 0, time.UTC)
	last := month.AddDate(0, 1, -1).Day()
	return month.AddDate(0, 0, min(now.Day(), last)-1)
}
