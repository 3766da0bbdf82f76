package index

import (
	"slices"
	"sort"

	"gpatlas/modules/catalog/internal/vocab"
)

// Vintages outside these years are in no grouping: no filing is so old, and the loader knows no later day.
const (
	firstVintage = 1900
	lastVintage  = 2200
	vintageYears = lastVintage - firstVintage + 1
)

// A fund's kind is its strategy, its vintage and the quality of that in one number, so that a scan over all funds needs one look into a small
// table and no branch. Closed funds are not counted.
const (
	strategiesMax = 16
	ofQuality     = strategiesMax * vintageYears // kinds of one quality
	notCounted    = len(VintageQualities) * ofQuality
	kinds         = notCounted + 1
)

func kindOf(strategy uint8, quality int, vintage int64) uint16 {
	if vintage < firstVintage || vintage > lastVintage || strategy >= strategiesMax || quality >= len(VintageQualities) {
		return uint16(notCounted)
	}
	return uint16(quality*ofQuality + int(strategy)*vintageYears + int(vintage) - firstVintage) // #nosec G115 -- below notCounted
}

// kindsWithin marks the kinds that pass a query's bounds and quality with 1.
func kindsWithin(q *AggregateQuery) *[kinds]uint8 {
	from, to := int64(firstVintage), int64(lastVintage)
	if q.MinVintage != nil {
		from = max(from, *q.MinVintage)
	}
	if q.MaxVintage != nil {
		to = min(to, *q.MaxVintage)
	}
	var within [kinds]uint8
	for quality, name := range VintageQualities {
		if q.VintageQuality != "" && string(q.VintageQuality) != name {
			continue
		}
		for code := range strategiesMax {
			for year := from; year <= to; year++ {
				within[quality*ofQuality+code*vintageYears+int(year-firstVintage)] = 1
			}
		}
	}
	return &within
}

// onlyStrategies removes the kinds of other strategies.
func onlyStrategies(within *[kinds]uint8, wanted []string) {
	if len(wanted) == 0 {
		return
	}
	for code, name := range append([]string{""}, vocab.Strategies()...) {
		if !slices.Contains(wanted, name) {
			for quality := range VintageQualities {
				first := quality*ofQuality + code*vintageYears
				clear(within[first : first+vintageYears])
			}
		}
	}
}

// byVintage groups open funds by their year.
func (s *Snapshot) byVintage(q *AggregateQuery) []AggregateRow {
	within := kindsWithin(q)
	onlyStrategies(within, q.Strategies)
	if inCells(q) {
		return vintageRows(s.grouped.byFund.sum(&s.grouped, &s.funds.slots, q.Country, s.atLeast(q.MinAUM)), within)
	}
	sc, done := s.borrow(len(s.gps.all))
	defer done()
	var sums [kinds]tally
	slots := &s.funds.slots
	for _, gp := range s.aggregated(&AggregateQuery{Country: q.Country, MinAUM: q.MinAUM}, sc) {
		a, b := slots.start[gp], slots.open[gp]
		gav := slots.numbers[MatchSize].Values[a:b]
		for i, kind := range s.grouped.kind[a:b] {
			sums[kind].count(gav[i])
		}
	}
	return vintageRows(&sums, within)
}

// inCells reports whether cells can answer for the advisers of a query: a country must be a code.
func inCells(q *AggregateQuery) bool { return q.Country == "" || len(q.Country) == 2 }

// atLeast is how many advisers, the first, have assets of at least so much; without a bound all of them.
func (s *Snapshot) atLeast(aum *int64) int {
	if aum == nil {
		return len(s.gps.all)
	}
	return sort.Search(s.gps.known, func(i int) bool { return s.grouped.aum[i] < *aum })
}

func vintageRows(sums *[kinds]tally, within *[kinds]uint8) []AggregateRow {
	var years [vintageYears]tally
	var byQuality [vintageYears][len(VintageQualities)]int
	for kind := range notCounted {
		if within[kind] != 0 && sums[kind].funds > 0 {
			years[kind%vintageYears].add(sums[kind])
			byQuality[kind%vintageYears][kind/ofQuality] += sums[kind].funds
		}
	}
	rows := []AggregateRow{}
	for i, t := range years {
		if t.funds > 0 {
			rows = append(rows, AggregateRow{
				VintageYear: firstVintage + int64(i), FundCount: t.funds, KnownGAV: t.known, TotalGAV: t.gav,
				FormDFunds: byQuality[i][0], FirstFilingFunds: byQuality[i][1], ListFunds: byQuality[i][2],
			})
		}
	}
	return rows
}
