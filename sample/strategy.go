package sample

// strategy is what a manager, and a family of its funds, invests in.
type strategy int

const (
	buyout strategy = iota
	growth
	venture
	realEstate
	infrastructure
	credit
	hedge
	secondaries
	fundOfFunds
	liquidity
	securitized
	other
	wealth // no private funds: the ordinary registered adviser
	strategies
)

// traits are the numbers by which a strategy's funds are drawn.
type traits struct {
	registered, exempt int    // weight among advisers of each regime
	medianGAV          int64  // USD at the peak
	medianOwners       int64  // beneficial owners
	fundType           string // answer to 7.B.(1) question 10
	minimums           []int64
	abroad             int // percent organized outside the US, for an adviser in the US
	audited            int // percent with an annual audit
}

var traitsOf = [strategies]traits{
	buyout:         {190, 110, 110e6, 45, "Private Equity Fund", []int64{1e6, 5e6, 10e6, 250e3, 0}, 16, 93},
	growth:         {55, 60, 60e6, 40, "Private Equity Fund", []int64{500e3, 1e6, 5e6, 0}, 14, 92},
	venture:        {70, 620, 18e6, 30, "Venture Capital Fund", []int64{0, 25e3, 100e3, 250e3, 500e3, 1e6}, 9, 62},
	realEstate:     {120, 45, 55e6, 38, "Real Estate Fund", []int64{50e3, 100e3, 250e3, 1e6, 5e6}, 8, 82},
	infrastructure: {30, 10, 190e6, 32, "Private Equity Fund", []int64{1e6, 5e6, 10e6}, 22, 96},
	credit:         {95, 20, 110e6, 40, "Private Equity Fund", []int64{250e3, 1e6, 5e6}, 26, 95},
	hedge:          {235, 100, 85e6, 48, "Hedge Fund", []int64{100e3, 250e3, 500e3, 1e6, 5e6}, 38, 96},
	secondaries:    {15, 8, 120e6, 60, "Private Equity Fund", []int64{250e3, 1e6, 5e6}, 18, 96},
	fundOfFunds:    {45, 12, 48e6, 70, "Private Equity Fund", []int64{50e3, 100e3, 250e3, 1e6}, 15, 95},
	liquidity:      {4, 1, 1_500e6, 40, "Liquidity Fund", []int64{1e6, 10e6}, 30, 99},
	securitized:    {15, 1, 410e6, 55, "Securitized Asset Fund", []int64{250e3, 500e3}, 85, 70},
	other:          {35, 25, 25e6, 35, "Other Private Fund", []int64{25e3, 50e3, 100e3, 250e3}, 12, 80},
	wealth:         {70, 0, 0, 0, "", nil, 0, 0},
}

// relatedStrategies are those that a manager takes up beside its main one.
var relatedStrategies = [strategies][]strategy{
	buyout: {growth, credit, infrastructure, realEstate, secondaries}, growth: {venture, buyout}, venture: {growth, other},
	realEstate: {credit, infrastructure}, infrastructure: {realEstate, credit}, credit: {securitized, hedge, realEstate, buyout},
	hedge: {credit, fundOfFunds, other}, secondaries: {fundOfFunds, buyout}, fundOfFunds: {secondaries, hedge},
	liquidity: {credit}, securitized: {credit}, other: {hedge, realEstate}, wealth: {other},
}

// Value of a fund by full years since its start, in percent of its peak: drawn down, held, paid back.
var drawdownCurve = [...]int64{14, 36, 58, 77, 91, 100, 100, 96, 84, 66, 46, 30, 20, 14, 10, 8}

// ageOf is full years and the days into the next between two days; a fund not begun yet is 0 years old.
func ageOf(from, to day) (years int, days int64) {
	if to < from {
		return 0, 0
	}
	return int(to-from) / 365, int64(to-from) % 365
}

// valueAt is a fund's gross asset value on a day, in dollars.
func (f *fund) valueAt(on day) int64 {
	years, days := ageOf(f.begun, on)
	var percent int64
	switch f.strategy {
	case hedge, liquidity, wealth:
		// Open-ended: grows by a twentieth a year, good years and bad ones.
		percent = min(55+int64(years)*5+days*5/365, 120)
		percent = percent * noise(f.wobble, uint64(years), 88, 112) / 100 // #nosec G115 -- years of age
	case securitized:
		percent = max(100-int64(years)*6, 20)
	case other:
		percent = noise(f.wobble, uint64(years), 85, 110) // #nosec G115 -- years of age
	default:
		last := len(drawdownCurve) - 1
		at, next := drawdownCurve[min(years, last)], drawdownCurve[min(years+1, last)]
		percent = at + (next-at)*days/365
	}
	if years == 0 && f.strategy != hedge && noise(f.wobble, 77, 0, 11) == 0 {
		return 0 // nothing called yet
	}
	// Digits as an accountant's, not a generator's: up to a percent to either side.
	return f.peak / 10_000 * percent * noise(f.wobble, uint64(on), 99_00, 100_99) / 100 // #nosec G115 -- a day since 2012
}
