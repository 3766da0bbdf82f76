package index

// The filters of advisers by a word, and what a query asks of each.
const (
	GPCity = iota
	GPState
	GPCountry
	GPJurisdiction
	GPRegistration
	GPManagerType
	GPFoundedBasis
	GPOrgState
	gpWordCount
)

// GPWords are the words that a GPQuery asks for.
type GPWords [gpWordCount]Asked

// GPCountry takes an ISO 3166 alpha-2 code (routes turn names into codes) or, where no code is known, the name. Its
// advisers are filed under both.
var gpWords = [gpWordCount]wordFilter[GP]{
	GPCity:         {Param: "city", SQL: "a.city", As: normalized, Of: func(g *GP) *string { return &g.City }},
	GPState:        {Param: "state", SQL: "a.state", As: ignoringCase, Of: func(g *GP) *string { return &g.State }},
	GPCountry:      {Param: "country", SQL: "a.country", As: asCountry, Of: func(g *GP) *string { return &g.Country }},
	GPJurisdiction: {Param: "jurisdiction", SQL: "a.country_code", As: asCode, Of: func(g *GP) *string { return &g.CountryCode }},
	GPRegistration: {Param: "registration_status", SQL: "a.registration_status", As: exactly, Of: func(g *GP) *string { return &g.RegistrationStatus }},
	GPManagerType:  {Param: "manager_type", SQL: "a.manager_type", As: exactly, Of: func(g *GP) *string { return &g.ManagerType }},
	GPFoundedBasis: {Param: "founded_year_basis", SQL: "a.founded_year_basis", As: exactly, Of: func(g *GP) *string { return &g.FoundedYearBasis }},
	GPOrgState:     {Param: "state_of_incorporation", SQL: "a.org_state", As: asState, Of: func(g *GP) *string { return &g.OrgState }},
}

// The filters of advisers by a number or a day.
const (
	GPAUM = iota // bySize
	GPFundCount
	GPEmployees
	GPInvestors
	GPFounded
	GPRegistered
	GPTotalGAV
	GPNetGAV
	GPLatestFiled
	GPGrowth1 // the horizons of catalogapi.GrowthYears, in hundredths of a percent a year
	GPGrowth2
	GPGrowth3
	GPGrowth5
	GPBefore1 // the assets that they begin with
	GPBefore2
	GPBefore3
	GPBefore5
	GPLatestAUM // the assets that all of them end with
	gpNumberCount
)

// GPNumbers are the ranges that a GPQuery asks for.
type GPNumbers [gpNumberCount]Range

var gpNumbers = [gpNumberCount]numberFilter[GP]{
	GPAUM:         {Min: "min_aum", Max: "max_aum", Order: ByAUM, SQL: "a.total_aum", Of: func(g *GP) any { return &g.TotalAUM }},
	GPFundCount:   {Min: "min_fund_count", Max: "max_fund_count", Order: ByFundCount, SQL: "a.fund_count", Of: func(g *GP) any { return &g.FundCount }},
	GPEmployees:   {Min: "min_employees", Max: "max_employees", Order: ByEmployees, SQL: "a.employee_count", Of: func(g *GP) any { return &g.Employees }},
	GPInvestors:   {Min: "min_investors", Max: "max_investors", Pick: ByInvestors, SQL: "a.total_investors", Of: func(g *GP) any { return &g.Investors }},
	GPFounded:     {Min: "year_founded_min", Max: "year_founded_max", Pick: ByFounded, SQL: "a.founded_year", Of: func(g *GP) any { return &g.FoundedYear }},
	GPRegistered:  {Min: "registered_after", Max: "registered_before", Pick: ByRegistered, SQL: "a.registered_on - DATE '1970-01-01'", Of: func(g *GP) any { return &g.RegisteredOn }},
	GPTotalGAV:    {Min: "min_total_gav", Max: "max_total_gav", Coded: true, Pick: ByTotalGAV, SQL: "a.total_gav", Of: func(g *GP) any { return &g.TotalGAV }},
	GPNetGAV:      {Min: "min_net_gav", Max: "max_net_gav", Coded: true, SQL: "a.net_gav", Of: func(g *GP) any { return &g.NetGAV }},
	GPLatestFiled: {Min: "filed_after", Max: "filed_before", Coded: true, Pick: ByLatestFiled, SQL: "a.newest_filed_on - DATE '1970-01-01'", Of: func(g *GP) any { return &g.LatestFiledOn }},
	GPGrowth1:     {Min: "min_aum_growth_1y", Max: "max_aum_growth_1y", Coded: true, Pick: ByGrowth1, SQL: "a.aum_growth_1y", Of: func(g *GP) any { return &g.Growth1 }},
	GPGrowth2:     {Min: "min_aum_growth_2y", Max: "max_aum_growth_2y", Coded: true, Pick: ByGrowth2, SQL: "a.aum_growth_2y", Of: func(g *GP) any { return &g.Growth2 }},
	GPGrowth3:     {Min: "min_aum_growth_3y", Max: "max_aum_growth_3y", Coded: true, Pick: ByGrowth3, SQL: "a.aum_growth_3y", Of: func(g *GP) any { return &g.Growth3 }},
	GPGrowth5:     {Min: "min_aum_growth_5y", Max: "max_aum_growth_5y", Coded: true, Pick: ByGrowth5, SQL: "a.aum_growth_5y", Of: func(g *GP) any { return &g.Growth5 }},
	GPBefore1:     {Min: "min_aum_before", Coded: true, SQL: "a.aum_before_1y", Of: func(g *GP) any { return &g.Before1 }},
	GPBefore2:     {Min: "min_aum_before", Coded: true, SQL: "a.aum_before_2y", Of: func(g *GP) any { return &g.Before2 }},
	GPBefore3:     {Min: "min_aum_before", Coded: true, SQL: "a.aum_before_3y", Of: func(g *GP) any { return &g.Before3 }},
	GPBefore5:     {Min: "min_aum_before", Coded: true, SQL: "a.aum_before_5y", Of: func(g *GP) any { return &g.Before5 }},
	GPLatestAUM:   {Coded: true, SQL: "a.aum_latest", Of: func(g *GP) any { return &g.LatestAUM }},
}

// The filters of advisers by yes or no.
const (
	GPHasFunds = iota
	gpAnswerCount
)

// GPAnswers are the answers that a GPQuery asks for.
type GPAnswers [gpAnswerCount]Tri

var gpAnswers = [gpAnswerCount]answerFilter[GP]{
	GPHasFunds: {Param: "has_funds", SQL: "a.fund_count > 0", Of: func(g *GP) *Tri { return answer(g.FundCount != Unknown, g.FundCount > 0) }},
}
