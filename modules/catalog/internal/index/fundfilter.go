package index

// The filters of funds by a word.
const (
	FundStatus = iota
	FundQuality
	fundWordCount
)

// FundWords are the words that a FundQuery asks for; without any of FundStatus: not closed.
type FundWords [fundWordCount]Asked

var fundWords = [fundWordCount]wordFilter[Fund]{
	FundStatus:  {Param: "status", SQL: "f.status", As: exactly, Of: func(f *Fund) *string { return &f.Status }},
	FundQuality: {Param: "vintage_quality", SQL: "f.vintage_quality", As: exactly, Of: func(f *Fund) *string { return &f.Quality }},
}

// The numbers and days of a fund.
const (
	FundGAV = iota // bySize
	FundVintage
	FundOwners
	FundFirstFiled
	FundLatestFiled
	FundMinimum
	FundClosed
	FundOffered
	fundNumberCount
)

// FundNumbers are the ranges that a FundQuery asks for.
type FundNumbers [fundNumberCount]Range

var fundNumbers = [fundNumberCount]numberFilter[Fund]{
	FundGAV:         {Min: "min_gav", Max: "max_gav", Order: ByGAV, SQL: "f.gross_asset_value", Of: func(f *Fund) any { return &f.GAV }},
	FundVintage:     {Min: "min_vintage", Max: "max_vintage", Order: ByVintage, SQL: "f.vintage_year", Of: func(f *Fund) any { return &f.VintageYear }},
	FundOwners:      {Min: "min_investors", Max: "max_investors", Coded: true, Pick: ByInvestors, SQL: "f.beneficial_owners_count", Of: func(f *Fund) any { return &f.Owners }},
	FundFirstFiled:  {Min: "first_filed_after", Max: "first_filed_before", Coded: true, Pick: ByFirstFiled, SQL: "f.first_filed_on - DATE '1970-01-01'", Of: func(f *Fund) any { return &f.FirstFiledOn }},
	FundLatestFiled: {Coded: true, Pick: ByLatestFiled, SQL: "f.latest_filed_on - DATE '1970-01-01'", Of: func(f *Fund) any { return &f.LatestFiledOn }},
	FundMinimum:     {Min: "min_minimum_investment", Max: "max_minimum_investment", Coded: true, SQL: "f.minimum_investment", Of: func(f *Fund) any { return &f.Minimum }},
	FundClosed:      {Min: "closed_after", Max: "closed_before", Coded: true, Pick: ByClosed, SQL: "f.closed_on - DATE '1970-01-01'", Of: func(f *Fund) any { return &f.ClosedOn }},
	FundOffered:     {Min: "raising_now", Coded: true, SQL: "f.offered_on - DATE '1970-01-01'", Of: func(f *Fund) any { return &f.OfferedOn }},
}

// The yes-no answers of a fund.
const (
	Fund3C1 = iota
	Fund3C7
	FundIsMaster
	FundIsFeeder
	FundHasAuditor
	fundAnswerCount
)

// FundAnswers are the answers that a FundQuery asks for.
type FundAnswers [fundAnswerCount]Tri

var fundAnswers = [fundAnswerCount]answerFilter[Fund]{
	Fund3C1:      {Param: "is_3c1", SQL: "f.is_3c1", Of: func(f *Fund) *Tri { return &f.Is3C1 }},
	Fund3C7:      {Param: "is_3c7", SQL: "f.is_3c7", Of: func(f *Fund) *Tri { return &f.Is3C7 }},
	FundIsMaster: {Param: "is_master", SQL: "f.is_master", Of: func(f *Fund) *Tri { return &f.IsMaster }},
	FundIsFeeder: {Param: "is_feeder", SQL: "f.is_feeder", Of: func(f *Fund) *Tri { return &f.IsFeeder }},
	FundHasAuditor: {
		Param: "has_auditor", SQL: "(CASE WHEN f.auditors IS NOT NULL THEN true WHEN NOT f.annual_audit THEN false END)",
		Of: func(f *Fund) *Tri { return &f.Audited },
	},
}

// The filters of advisers by a number or a day of one of their funds.
const (
	MatchVintage = iota
	MatchSize
	MatchFirstFiled
	matchNumberCount
)

// MatchNumbers are the ranges that a FundMatch asks for.
type MatchNumbers [matchNumberCount]Range

// matchNumbers have the parameters of an adviser's search, and the number of a fund that they bound.
var matchNumbers = [matchNumberCount]struct {
	Min, Max string
	Fund     int
}{
	MatchVintage:    {"vintage_min", "vintage_max", FundVintage},
	MatchSize:       {"fund_size_min", "fund_size_max", FundGAV},
	MatchFirstFiled: {"launched_within_months", "", FundFirstFiled},
}

// The filters of advisers by a yes-no answer of one of their funds.
const (
	MatchHasAuditor = iota
	matchAnswerCount
)

// MatchAnswers are the answers that a FundMatch asks for.
type MatchAnswers [matchAnswerCount]Tri

var matchAnswers = [matchAnswerCount]struct {
	Param string
	Fund  int
}{
	MatchHasAuditor: {"has_auditor", FundHasAuditor},
}

// The filters of advisers by a word of one of their funds.
const (
	MatchExemption = iota // 506b, 506c, 3c1, 3c7
	MatchType             // 3c1, 3c7
	MatchQuality          // form_d, first_filing, list
	matchWordCount
)

// MatchWords are the words that a FundMatch asks for, any of each; none = nothing.
type MatchWords [matchWordCount][]string

// matchWords assign words to a fund; SQL is their array.
var matchWords = [matchWordCount]struct {
	Param string
	SQL   string
	Of    func(f flags, yield func(word string))
}{
	MatchExemption: {"exemption_type", "array_cat(f.exemptions, " + sectionsSQL + ")", func(f flags, yield func(string)) {
		if f&flag506B != 0 {
			yield(exempt506B)
		}
		if f&flag506C != 0 {
			yield(exempt506C)
		}
		sections(f, yield)
	}},
	MatchType: {"fund_type", sectionsSQL, sections},
	MatchQuality: {"vintage_quality", "ARRAY[f.vintage_quality]", func(f flags, yield func(string)) {
		if q := f.quality(); q < len(VintageQualities) {
			yield(VintageQualities[q])
		}
	}},
}

const sectionsSQL = "array_remove(ARRAY[CASE WHEN f.is_3c1 THEN '3c1' END, CASE WHEN f.is_3c7 THEN '3c7' END], NULL)"

// sections are those of the Investment Company Act that a fund relies on.
func sections(f flags, yield func(string)) {
	if f.tri(Fund3C1) == Yes {
		yield(exempt3C1)
	}
	if f.tri(Fund3C7) == Yes {
		yield(exempt3C7)
	}
}
