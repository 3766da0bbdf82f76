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
