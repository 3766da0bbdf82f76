package index

import (
	"slices"

	"gpatlas/modules/catalog/catalogapi"
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
	notCounted    = len(qualities) * ofQuality
	kinds         = notCounted + 1
)

func kindOf(strategy uint8, quality int, vintage int64) uint16 {
	if vintage < firstVintage || vintage > lastVintage || strategy >= strategiesMax || quality >= len(qualities) {
		return uint16(notCounted)
	}
	return uint16(quality*ofQuality + int(strategy)*vintageYears + int(vintage) - firstVintage) // #nosec G115 -- below notCounted
}

// kindsWithin marks the kinds that pass a query's bounds and quality with 1.
func kindsWithin(q *catalogapi.AggregateQuery) *[kinds]uint8 {
	from, to := int64(firstVintage), int64(lastVintage)
	if q.MinVintage != nil {
		from = max(from, *q.MinVintage)
	}
	if q.MaxVintage != nil {
		to = min(to, *q.MaxVintage)
	}
	var within [kinds]uint8
	for quality, name := range qualities {
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

// onlyStrategies takes away the kinds of other strategies.
func onlyStrategies(within *[kinds]uint8, wanted []string) {
	if len(wanted) == 0 {
		return
	}
	for code, name := range append([]string{""}, vocab.Strategies()...) {
		if !slices.Contains(wanted, name) {
			for quality := range qualities {
				first := quality*ofQuality + code*vintageYears
				clear(within[first : first+vintageYears])
			}
		}
	}
}

// cell sums up the open funds of one place and kind: a few thousand cells stand for all funds in every grouping by vintage
// that does not ask for a size of adviser.
type cell struct {
	place, kind uint16
	tally
}

// tally is a number of funds, those of known value among them, and their value.
type tally struct {
	funds, known int
	gav          int64
}

func (t *tally) add(o tally) {
	t.funds += o.funds
	t.known += o.known
	t.gav = addCapped(t.gav, o.gav)
}

func (t *tally) count(gav int64) {
	t.funds++
	if gav != Unknown {
		t.known++
		t.gav = addCapped(t.gav, gav)
	}
}

func (g *groupColumns) fillCells(gps *gpIndex, funds *fundIndex) {
	type key struct{ place, kind uint16 }
	at := map[key]int{}
	slots := &funds.slots
	for gp := range gps.all {
		for i := slots.start[gp]; i < slots.open[gp]; i++ {
			k := key{g.place[gp], g.kind[i]}
			n, ok := at[k]
			if !ok {
				n = len(g.cells)
				at[k] = n
				g.cells = append(g.cells, cell{place: k.place, kind: k.kind})
			}
			g.cells[n].count(slots.numbers[MatchSize].Values[i])
		}
	}
}

// byVintage groups open funds by their year.
func (s *Snapshot) byVintage(q *catalogapi.AggregateQuery) []catalogapi.AggregateRow {
	within := kindsWithin(q)
	onlyStrategies(within, q.Strategies)
	var sums [kinds]tally
	if q.MinAUM == nil && (q.Country == "" || len(q.Country) == 2) {
		s.grouped.addCells(&sums, q.Country)
		return vintageRows(&sums, within)
	}
	sc, done := s.borrow(len(s.gps.all))
	defer done()
	slots := &s.funds.slots
	for _, gp := range s.aggregated(&catalogapi.AggregateQuery{Country: q.Country, MinAUM: q.MinAUM}, sc) {
		a, b := slots.start[gp], slots.open[gp]
		gav := slots.numbers[MatchSize].Values[a:b]
		for i, kind := range s.grouped.kind[a:b] {
			sums[kind].count(gav[i])
		}
	}
	return vintageRows(&sums, within)
}

// addCells adds the cells of a country, or of all.
func (g *groupColumns) addCells(sums *[kinds]tally, country string) {
	code := countryCode(country)
	for i := range g.cells {
		if c := &g.cells[i]; country == "" || g.places[c.place].code == code {
			sums[c.kind].add(c.tally)
		}
	}
}

func vintageRows(sums *[kinds]tally, within *[kinds]uint8) []catalogapi.AggregateRow {
	var years [vintageYears]tally
	var byQuality [vintageYears][len(qualities)]int
	for kind := range notCounted {
		if within[kind] != 0 && sums[kind].funds > 0 {
			years[kind%vintageYears].add(sums[kind])
			byQuality[kind%vintageYears][kind/ofQuality] += sums[kind].funds
		}
	}
	rows := []catalogapi.AggregateRow{}
	for i, t := range years {
		if t.funds > 0 {
			rows = append(rows, catalogapi.AggregateRow{
				VintageYear: firstVintage + int64(i), FundCount: t.funds, KnownGAV: t.known, TotalGAV: t.gav,
				FormDFunds: byQuality[i][0], FirstFilingFunds: byQuality[i][1], ListFunds: byQuality[i][2],
			})
		}
	}
	return rows
}
