package index

import "time"

// Tri is a boolean filter that may be absent.
type Tri int8

// The three answers of a Tri.
const (
	Any Tri = iota
	Yes
	No
)

// Range bounds a value; a nil end is open. Min and Max are both inclusive. A record whose value is unknown is in no
// range that has an end.
type Range struct{ Min, Max *int64 }

// DateRange bounds a day; zero times are open ends, both inclusive.
type DateRange struct{ From, To time.Time }

// Order is the key that a list is sorted by; Relevance needs text.
type Order uint8

// The sort keys of the contract. Every order ends in the record's CRD (funds: internal id) ascending, whatever the
// direction; unknown values come last in both directions; names compare by their normalised form (text.Normalise).
const (
	ByName Order = iota
	ByAUM
	ByFundCount
	ByEmployees
	ByGAV
	ByVintage
	ByRelevance
)

// GPQuery is a search of advisers, already validated and normalised by the route. The zero value asks for everything
// by name. All filters must hold together.
type GPQuery struct {
	Text               string
	City               string // equal after text.Normalise
	State              string // code, compared case-insensitively
	Country            string // ISO 3166 alpha-2 (routes turn names into codes) or, where no code is known, the name
	AUM                Range
	AUMBelow           *int64 // exclusive upper bound, for aum_band
	Strategies         []string
	RegistrationStatus string
	HasFunds           Tri // known to have, known not to have
	FundCount          Range
	Employees          Range
	Investors          Range
	Jurisdiction       string // alpha-2 of the main office's country
	Registered         DateRange
	Founded            Range
	FoundedBasis       string // what the year is told from
	OrgState           string // state of incorporation, equal after text.Normalise, codes and names alike
	ManagerType        string
	CanonicalID        int64
	Former             bool      // for Snapshot.Of, to be asked first: a search looks at the advisers of its own snapshot alone
	Fund               FundMatch // one fund of the adviser must satisfy all of it
	Order              Order
	Desc               bool
	Limit, Offset      int
}

// FundMatch is the part of a GP search that speaks of funds: one fund that is not closed must satisfy all of it.
type FundMatch struct {
	Vintage       Range
	Size          Range     // gross asset value, USD
	Exemption     string    // 506b, 506c, 3c1, 3c7
	Type          string    // 3c1, 3c7
	FirstFiledMin time.Time // launched_within_months: first reported on or after this day
	HasAuditor    Tri
	AuditorName   string // every word of it must match a word of one auditor's name: exact or prefix
}

// FundQuery is a search of funds, already validated and normalised by the route.
type FundQuery struct {
	Text         string // matches the fund's name, and its adviser's name in place of a location
	Strategies   []string
	AdviserCRD   string
	CanonicalID  int64
	Is3C1        Tri
	Is3C7        Tri
	IsMaster     Tri
	IsFeeder     Tri
	GAV          Range
	Vintage      Range
	Jurisdiction string // "US" covers the states; else alpha-2, a state's or a country's name, normalised
	Status       string // "" = not closed; active, liquidating, closed
	HasAuditor   Tri
	Former       bool // as in GPQuery
	Order        Order
	Desc         bool
	Limit        int
	Offset       int
}
