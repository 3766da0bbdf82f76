package index

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"gpatlas/modules/catalog/internal/index/column"
	"gpatlas/modules/catalog/internal/vocab"
)

// The bands of assets under management, by their lower bounds, which belong to the band.
var bandNames = [...]string{"<100M", "100M-500M", "500M-1B", "1B-10B", ">10B"}

var bandFrom = [...]int64{math.MinInt64 + 1, 100_000_000, 500_000_000, 1_000_000_000, 10_000_000_000}

// BandRange is a band in whole dollars: the lower bound is part of it, the upper is not.
func BandRange(name string) (r Range) {
	at := slices.Index(bandNames[:], name)
	if at > 0 {
		r.Min = &bandFrom[at]
	}
	if at+1 < len(bandFrom) {
		most := bandFrom[at+1] - 1
		r.Max = &most
	}
	return r
}

// groupColumns are what aggregates group by, as small codes: a scan reads a few bytes a record.
type groupColumns struct {
	strategies []string // by code
	strategy   []uint8  // by adviser
	places     []place  // by code
	place      []uint16 // by adviser
	registered column.Dict
	typed      column.Dict // by type of manager
	aum        []int64     // by adviser: the records themselves lie too far apart for a scan

	kind []uint16 // by slot (see slotIndex): strategy, vintage and its quality in one, or notCounted

	byFund    cells // of the funds' kinds
	byAdviser cells // the same with the advisers' strategies
}

// place is a country and, within it, a state.
type place struct{ country, code, state string }

func newGroupColumns(gps *gpIndex, funds *fundIndex) groupColumns {
	g := groupColumns{strategies: append([]string{""}, vocab.Strategies()...)}
	strategyCode := make(map[string]uint8, len(g.strategies))
	for i, s := range g.strategies {
		strategyCode[s] = uint8(i)
	}
	g.registered = gps.dict(func(g *GP) *string { return &g.RegistrationStatus })
	g.typed = gps.dict(func(g *GP) *string { return &g.ManagerType })
	g.strategy, g.place, g.aum = make([]uint8, len(gps.all)), make([]uint16, len(gps.all)), make([]int64, len(gps.all))
	placeCode := map[place]uint16{}
	for i := range gps.all {
		gp := &gps.all[i]
		g.strategy[i], g.aum[i] = strategyCode[gp.PrimaryStrategy], gp.TotalAUM
		p := placeOf(gp)
		code, known := placeCode[p]
		if !known && len(g.places) < math.MaxUint16 { // there are some 300; whatever is beyond counts as the last
			code = uint16(len(g.places))
			placeCode[p] = code
			g.places = append(g.places, p)
		} else if !known {
			code = math.MaxUint16 - 1
		}
		g.place[i] = code
	}
	slots := &funds.slots
	fundStrategy := make([]uint8, len(funds.strategy.Words)) // by its code there
	for code, name := range funds.strategy.Words {
		fundStrategy[code] = strategyCode[name]
	}
	g.kind = make([]uint16, len(slots.fund))
	for i, f := range slots.fund {
		g.kind[i] = kindOf(fundStrategy[funds.strategy.Codes[f]], funds.flags[f].quality(), slots.numbers[MatchVintage].Values[i])
	}
	country, of := countries(gps.all)
	g.byFund, g.byAdviser = cells{country: country, of: of}, cells{country: country, of: of, strategy: g.strategy}
	g.byFund.fill(&g, slots)
	g.byAdviser.fill(&g, slots)
	return g
}

// placeOf normalizes the place of a main office. Only states of the US are codes of a closed list; states of other countries are
// kept as filed, in upper case.
func placeOf(g *GP) place {
	p := place{code: countryCode(g.CountryCode), state: strings.ToUpper(strings.TrimSpace(g.State))}
	p.country = strings.TrimSpace(g.Country)
	if name, ok := vocab.CountryName(p.code); ok {
		p.country = name
	}
	return p
}

// Aggregate counts and sums up one grouping. Rows are in the order that readers expect: strategies and places by the
// number of advisers, vintages and bands ascending. It answers from the snapshot's memory of answers where it can.
func (s *Snapshot) Aggregate(q *AggregateQuery) []AggregateRow {
	if q.Former {
		asked := *q
		asked.Former = false // there the former advisers are all that there are
		return s.Former().Aggregate(&asked)
	}
	return s.answers.get(answerKey(q), func() []AggregateRow {
		if q.GroupBy == GroupVintage {
			return s.byVintage(q)
		}
		sc, done := s.borrow(len(s.gps.all))
		defer done()
		members := s.aggregated(q, sc)
		switch q.GroupBy {
		case GroupStrategy:
			return s.byStrategy(members, q)
		case GroupAUMBand:
			return s.byBand(members)
		default:
		}
		return s.byPlace(members, q.GroupBy == GroupState)
	})
}

// aggregated lists the advisers that pass the filters, ascending: the largest first.
func (s *Snapshot) aggregated(q *AggregateQuery, sc *scratch) []uint32 {
	query := GPQuery{Strategies: Asked{Any: q.Strategies}, Numbers: GPNumbers{GPAUM: {Min: q.MinAUM}}}
	query.Fund.Numbers[MatchVintage] = Range{Min: q.MinVintage, Max: q.MaxVintage}
	if q.Country != "" {
		query.Words[GPCountry] = One(q.Country)
	}
	if q.VintageQuality != "" {
		query.Fund.Words[MatchQuality] = []string{string(q.VintageQuality)}
	}
	return s.members(&query, sc)
}

// members lists the advisers that q finds, ascending.
func (s *Snapshot) members(q *GPQuery, sc *scratch) []uint32 {
	asked := q.asked()
	r := s.gpMatches(q, s.gpConds(q, &asked, nil, sc), sc)
	switch {
	case r.All:
		sc.List = sc.List[:0]
		for i := range uint32(len(s.gps.all)) {
			sc.List = append(sc.List, i)
		}
		return sc.List
	case r.Bits != nil:
		sc.List = r.Bits.AppendAll(sc.List[:0])
		return sc.List
	}
	return r.List
}

// count adds an adviser to a row.
func (s *Snapshot) count(row *AggregateRow, gp uint32) {
	row.GPCount++
	if aum := s.grouped.aum[gp]; aum != Unknown {
		row.KnownAUM++
		row.TotalAUM = addCapped(row.TotalAUM, aum)
	}
}

func (s *Snapshot) byStrategy(members []uint32, q *AggregateQuery) []AggregateRow {
	rows := make([]AggregateRow, len(s.grouped.strategies))
	var within *[kinds]uint8
	if q.MinVintage != nil || q.MaxVintage != nil || q.VintageQuality != "" {
		within = kindsWithin(q)
	}
	for _, gp := range members {
		row := &rows[s.grouped.strategy[gp]]
		s.count(row, gp)
		if within != nil {
			row.KnownFunds++
		} else if n := s.gps.numbers[GPFundCount].Values[gp]; n != Unknown {
			row.FundCount += int(n)
			row.KnownFunds++
		}
	}
	if within != nil {
		s.countWithin(rows, members, within, q)
	}
	for i := range rows {
		rows[i].Strategy = s.grouped.strategies[i]
	}
	rows = slices.DeleteFunc(rows, func(r AggregateRow) bool { return r.GPCount == 0 })
	slices.SortFunc(rows, func(a, b AggregateRow) int {
		return cmp.Or(cmp.Compare(b.GPCount, a.GPCount), strings.Compare(a.Strategy, b.Strategy))
	})
	return rows
}

// countWithin counts in rows, which are by strategy, the open funds of the advisers that are of a kind within. All advisers
// that have such a fund are members.
func (s *Snapshot) countWithin(rows []AggregateRow, members []uint32, within *[kinds]uint8, q *AggregateQuery) {
	slots := &s.funds.slots
	if !inCells(q) {
		for _, gp := range members {
			n := 0
			for _, k := range s.grouped.kind[slots.start[gp]:slots.open[gp]] {
				n += int(within[k]) // a branch here would be mispredicted every other time
			}
			rows[s.grouped.strategy[gp]].FundCount += n
		}
		return
	}
	sums := s.grouped.byAdviser.sum(&s.grouped, slots, q.Country, s.atLeast(q.MinAUM))
	for kind := range notCounted {
		if strategy := kind / vintageYears % strategiesMax; within[kind] != 0 && strategy < len(rows) {
			rows[strategy].FundCount += sums[kind].funds
		}
	}
}

// byPlace groups by country and state. In a grouping by state only the places of the US that have one count.
func (s *Snapshot) byPlace(members []uint32, states bool) []AggregateRow {
	rows := make([]AggregateRow, len(s.grouped.places))
	for _, gp := range members {
		s.count(&rows[s.grouped.place[gp]], gp)
	}
	for i, p := range s.grouped.places {
		rows[i].Country, rows[i].CountryCode, rows[i].State = p.country, p.code, p.state
	}
	rows = slices.DeleteFunc(rows, func(r AggregateRow) bool {
		return r.GPCount == 0 || states && (r.State == "" || r.CountryCode != unitedStates)
	})
	slices.SortFunc(rows, func(a, b AggregateRow) int {
		return cmp.Or(cmp.Compare(b.GPCount, a.GPCount), strings.Compare(a.Country, b.Country),
			strings.Compare(a.CountryCode, b.CountryCode), strings.Compare(a.State, b.State))
	})
	return rows
}

// byBand returns all bands, empty ones too. Advisers with unknown assets are in none. The advisers are numbered by their
// assets, so a band is one stretch of them.
func (s *Snapshot) byBand(members []uint32) []AggregateRow {
	rows := make([]AggregateRow, len(bandNames))
	band := len(bandNames) - 1
	for _, gp := range members {
		aum := s.grouped.aum[gp]
		if aum == Unknown {
			break
		}
		for aum < bandFrom[band] {
			band--
		}
		s.count(&rows[band], gp)
	}
	for i := range rows {
		rows[i].Band = bandNames[i]
	}
	return rows
}

// addCapped adds and stays at the ends of the range rather than overflow.
func addCapped(a, b int64) int64 {
	sum := a + b
	switch {
	case a > 0 && b > 0 && sum < 0:
		return math.MaxInt64
	case a < 0 && b < 0 && sum >= 0:
		return math.MinInt64
	}
	return sum
}
