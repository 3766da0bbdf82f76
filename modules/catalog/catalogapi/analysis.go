package catalogapi

import (
	"context"
	"time"
)

// Grouping is what an aggregate counts by.
type Grouping string

// The groupings of the contract.
const (
	ByStrategy  Grouping = "strategy"  // advisers by primary strategy
	ByVintage   Grouping = "vintage"   // open funds by vintage year
	ByGeography Grouping = "geography" // advisers by the country and state of the main office
	ByState     Grouping = "state"     // the same, where there is a state of the US
	ByAUMBand   Grouping = "aum_band"  // advisers by assets under management
)

// AggregateQuery asks for one grouping. All filters must hold together; the zero value of each lets everything pass.
type AggregateQuery struct {
	GroupBy    Grouping
	Country    string   // of the adviser's main office: ISO 3166 alpha-2 or, where no code is known, the name
	Strategies []string // the adviser's primary strategy; by vintage: the fund's own
	MinAUM     *int64   // of the adviser, USD; advisers of unknown assets are then left out
	// Vintage bounds, inclusive: by vintage the fund's own; else the adviser must have an open fund within them.
	MinVintage     *int64
	MaxVintage     *int64
	VintageQuality VintageQuality // of the same fund
	Former         bool           // in place of the current advisers, those that have withdrawn or are in no list any more, and their funds
}

// AggregateRow is one group. Which of the keys are filled depends on the grouping. Sums stay at the largest number
// rather than overflow, for a filing may hold any number.
type AggregateRow struct {
	Strategy    string // empty: advisers without a known one
	VintageYear int64
	Country     string // its name, else as filed; empty: unknown
	CountryCode string // alpha-2
	State       string // code in the US, else as filed
	Band        string // "<100M" …

	GPCount    int
	KnownAUM   int   // advisers whose assets are known
	TotalAUM   int64 // USD, of those
	FundCount  int   // open funds; within the vintage bounds where there are any
	KnownFunds int   // by strategy: advisers whose number of funds is known
	KnownGAV   int   // by vintage: funds whose value is known
	TotalGAV   int64 // USD, of those

	// By vintage: the funds by the quality of their vintage.
	FormDFunds, FirstFilingFunds, ListFunds int
}

// Aggregation is the answer, with the age of what it was counted in.
type Aggregation struct {
	Rows    []AggregateRow // the consumer must not write to them
	BuiltAt time.Time
}

// Factor is one of the things in which two advisers can be alike, with the points that it gives.
type Factor uint8

// The factors of the contract.
const (
	FactorStrategy  Factor = 1 << iota // same primary strategy
	FactorAUMBand                      // assets within 50 percent of the source's
	FactorGeography                    // same state or same country
	FactorFundCount                    // as many funds, within 30 percent of the source's
)

// Points gives what a factor adds to the score.
func (f Factor) Points() int {
	switch f {
	case FactorStrategy:
		return 40
	case FactorAUMBand:
		return 30
	case FactorGeography:
		return 20
	case FactorFundCount:
		return 10
	}
	return 0
}

// RelatedQuery asks for the advisers most like one.
type RelatedQuery struct {
	CRD     string
	Factors Factor // those that count, as bits
	Limit   int
}

// RelatedGP is an adviser as related lists show it. Unknown numbers are nil.
type RelatedGP struct {
	CRD       string
	LegalName string
	Strategy  string
	City      string
	State     string
	Country   string
	AUM       *int64
	FundCount *int64
}

// Similar is one adviser that is like the source.
type Similar struct {
	RelatedGP
	Score   int
	Matched Factor // the factors in which it is like the source
}

// Related is the answer: the best first, ties by nearness of assets, then by CRD.
type Related struct {
	Source  RelatedGP
	Similar []Similar
	BuiltAt time.Time
}

// Analysis answers from the search index, without the database, in well under a millisecond. Before the first index is
// loaded the error is of kind unavailable. For a moment in the past an index of that moment is made from the stored
// versions, which takes seconds at the market's size, and kept for the next questions about it.
type Analysis interface {
	Aggregate(ctx context.Context, q AggregateQuery, at Moment) (Aggregation, error)
	// Related gives ok = false when no adviser has the CRD, or had at that moment.
	Related(ctx context.Context, q RelatedQuery, at Moment) (r Related, ok bool, err error)
}
