package index

import "gpatlas/modules/catalog/catalogapi"

// Grouping is what an aggregate counts by.
type Grouping string

// The groupings. The first five are the contract's.
const (
	GroupStrategy     Grouping = "strategy"            // advisers by primary strategy; beside GroupVintage: funds by their own
	GroupVintage      Grouping = "vintage"             // open funds by vintage year
	GroupGeography    Grouping = "geography"           // advisers by the country and state of the main office
	GroupState        Grouping = "state"               // the same, where there is a state of the US
	GroupAUMBand      Grouping = "aum_band"            // advisers by assets under management
	GroupRegistration Grouping = "registration_status" // advisers by registration
	GroupManagerType  Grouping = "manager_type"        // advisers by the group of their primary strategy
)

// Groupings are all of them, in the order in which parameters name them.
var Groupings = []Grouping{GroupStrategy, GroupVintage, GroupGeography, GroupState, GroupAUMBand, GroupRegistration, GroupManagerType}

// AggregateQuery asks for one of the contract's groupings with the contract's filters, which an Analysis of the past answers too.
// All filters must hold together; the zero value of each lets everything pass.
type AggregateQuery struct {
	GroupBy    Grouping
	Country    string   // of the adviser's main office: ISO 3166 alpha-2 or, where no code is known, the name
	Strategies []string // the adviser's primary strategy; by vintage: the fund's own
	MinAUM     *int64   // of the adviser, USD; advisers of unknown assets are then left out
	// Vintage bounds, inclusive: by vintage the fund's own; else the adviser must have an open fund within them.
	MinVintage     *int64
	MaxVintage     *int64
	VintageQuality catalogapi.VintageQuality // of the same fund
	Former         bool                      // in place of the current advisers, those that have withdrawn or are in no list any more, and their funds
}

// GroupQuery asks for what an AggregateQuery cannot: two groupings at once, all filters of advisers, and figures of quantities.
// With GroupVintage it counts open funds; the strategies and all that the query asks of a fund are then asked of the fund counted.
type GroupQuery struct {
	By         []Grouping // one, or two that differ
	GPs        GPQuery    // without text
	Quantities []Quantity
	Key        string // differs where anything else does: answers are remembered by it
}

// ofFunds reports whether funds are counted.
func (q *GroupQuery) ofFunds() bool {
	return q.By[0] == GroupVintage || q.By[len(q.By)-1] == GroupVintage
}

// Quantity is a number that figures describe.
type Quantity string

// The quantities. QuantityFundGAV is of funds, the others of advisers.
const (
	QuantityAUM       Quantity = "total_aum"
	QuantityFundGAV   Quantity = "fund_gav"
	QuantityFundCount Quantity = "fund_count"
	QuantityEmployees Quantity = "employees"
	QuantityGrowth1   Quantity = "aum_growth_1y" // hundredths of a percent a year, as the next
	QuantityGrowth3   Quantity = "aum_growth_3y"
)

// Quantities are all of them, in the order of answers.
var Quantities = []Quantity{QuantityAUM, QuantityFundGAV, QuantityFundCount, QuantityEmployees, QuantityGrowth1, QuantityGrowth3}

// Figures describe the known values of a quantity in a group. Without any, all are 0. Quantiles are nearest-rank, as PostgreSQL's
// percentile_disc: always a value of the group.
type Figures struct {
	Known                      int
	Sum                        int64 // stays at the largest number rather than overflow
	Min, P25, Median, P75, Max int64
}

// AggregateRow is one group. Which of the keys are filled depends on the groupings. Sums stay at the largest number
// rather than overflow, for a filing may hold any number.
type AggregateRow struct {
	Strategy     string // empty: advisers without a known one
	VintageYear  int64
	Country      string // its name, else as filed; empty: unknown
	CountryCode  string // alpha-2
	State        string // code in the US, else as filed
	Band         string // "<100M" …; empty: advisers of unknown assets, in two groupings
	Registration string // empty: unknown, as the next
	ManagerType  string

	GPCount    int
	KnownAUM   int   // advisers whose assets are known
	TotalAUM   int64 // USD, of those
	FundCount  int   // open funds; where the query asks something of a fund, those that satisfy it
	KnownFunds int   // by strategy: advisers whose number of funds is known
	KnownGAV   int   // of funds: those whose value is known
	TotalGAV   int64 // USD, of those

	// By vintage: the funds by the quality of their vintage.
	FormDFunds, FirstFilingFunds, ListFunds int

	Figures []Figures // of the quantities asked for, in their order
}
