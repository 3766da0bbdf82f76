package catalogapi

import (
	"context"
	"time"
)

// Factor is one aspect in which two advisers can be alike, with its points.
type Factor uint8

// The factors of the contract.
const (
	FactorStrategy  Factor = 1 << iota // same primary strategy
	FactorAUMBand                      // assets within 50 percent of the source's
	FactorGeography                    // same state or same country
	FactorFundCount                    // as many funds, within 30 percent of the source's
)

// Points returns what a factor adds to the score.
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
	// Related returns ok = false if no adviser has the CRD, or had it at that moment.
	Related(ctx context.Context, q RelatedQuery, at Moment) (r Related, ok bool, err error)
}
