package index

import (
	"slices"
	"time"

	"gpatlas/modules/catalog/internal/index/column"
)

// Tri is a boolean filter that may be absent.
type Tri int8

// The three answers of a Tri.
const (
	Any Tri = iota
	Yes
	No
)

// Range bounds a value. A day is the number of days since 1970-01-01: see Days.
type Range = column.Range

// Days bounds a day; zero times are open ends, both inclusive.
func Days(from, to time.Time) (r Range) {
	if !from.IsZero() {
		first := day(from)
		r.Min = &first
	}
	if !to.IsZero() {
		last := day(to)
		r.Max = &last
	}
	return r
}

// Order is the key that a list is sorted by; Relevance needs text.
type Order uint8

// The sort keys of the contract. Every order ends in the record's CRD (funds: internal id) ascending, whatever the
// direction; unknown values come last in both directions; names compare by their normalized form (text.Normalize).
const (
	ByName Order = iota
	ByAUM
	ByFundCount
	ByEmployees
	ByGAV
	ByVintage
	ByRelevance
	ByRegistered
	ByFounded
	ByLatestFiled
	ByTotalGAV
	ByInvestors
	ByFirstFiled
	ByGrowth1
	ByGrowth2
	ByGrowth3
	ByGrowth5
	ByChange1 // of the assets, over the same horizons
	ByChange2
	ByChange3
	ByChange5
	ByClosed
	BySent // in the order in which the query lists the records
	orderCount
)

// Asked is what a filter asks of a word: to be one of Any, and none of None. What is not known is none of all words.
type Asked struct{ Any, None []string }

// One asks for one word.
func One(word string) Asked { return Asked{Any: []string{word}} }

// Empty reports whether nothing is asked.
func (a *Asked) Empty() bool { return len(a.Any) == 0 && len(a.None) == 0 }

// GPQuery is a search of advisers, already validated and normalized by the route. The zero value asks for everything
// by name. All filters must hold together.
type GPQuery struct {
	Text          string
	Words         GPWords
	Numbers       GPNumbers
	Answers       GPAnswers
	Strategies    Asked
	CRDs          Asked  // CRD numbers
	Band          string // of the assets, beside what Numbers say: one of bandNames
	ClosedFund    Range  // of the days on which the adviser's funds closed, the last one
	Offered       Range  // of the days of FundOffered of the adviser's open funds, the last one
	Disclosed     Tri    // whether the adviser reports an event in its disclosures
	Event         EventMatch
	Former        bool      // for Snapshot.Of, to be asked first: a search looks at the advisers of its own snapshot alone
	Fund          FundMatch // one fund of the adviser must satisfy all of it
	Order         Order
	Desc          bool
	Limit, Offset int
	Facets        []string // names of GPFacets, none twice
	FacetLimit    int      // the most values of each
	CountGrowth   bool     // of all that match: how many have a growth, and why others have none
	Horizon       int      // for CountGrowth: the place in catalogapi.GrowthYears
}

// FundMatch is the part of a GP search that speaks of funds: one fund that is not closed must satisfy all of it.
type FundMatch struct {
	Numbers  MatchNumbers
	Answers  MatchAnswers
	Words    MatchWords
	Auditors []string // of one of them, every word must match a word of one auditor's name: exact or prefix
	Services ServiceMatch
}

// Empty reports whether nothing is asked.
func (m *FundMatch) Empty() bool {
	return m.Numbers == MatchNumbers{} && m.Answers == MatchAnswers{} && len(m.Auditors) == 0 && m.Services.Empty() &&
		!slices.ContainsFunc(m.Words[:], func(w []string) bool { return len(w) > 0 })
}

// FundQuery is a search of funds, already validated and normalized by the route. Closed funds are found only by
// their status.
type FundQuery struct {
	Text          string // matches the fund's name, and its adviser's name in place of a location
	Words         FundWords
	Numbers       FundNumbers
	Answers       FundAnswers
	Strategies    Asked
	FundIDs       []string // any of them; empty = all
	AdviserCRD    string
	CanonicalID   int64
	Jurisdictions []string // any of them: "US" covers the states; else alpha-2, a state's or a country's name, normalized
	Year          int64    // of the vintage, beside what Numbers say; 0 = any
	Services      ServiceMatch
	Former        bool // as in GPQuery
	Order         Order
	Desc          bool
	Limit, Offset int
	Facets        []string // names of FundFacets, none twice
	FacetLimit    int      // the most values of each
	closedToo     bool     // for the facet of the status, and where all funds are open
}
