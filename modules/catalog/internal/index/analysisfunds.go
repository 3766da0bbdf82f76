package index

import (
	"fmt"
	"slices"
	"strconv"

	"gpatlas/modules/catalog/internal/index/column"
)

// fundIDPrefix begins all Fund IDs; ten digits follow.
const fundIDPrefix = "805-"

// FundNumber returns the digits of a Fund ID as a number, which takes less memory. The tables have no other IDs.
func FundNumber(fundID string) int64 {
	n, _ := strconv.ParseInt(fundID[len(fundIDPrefix):], 10, 64)
	return n
}

// fundIDOf is the reverse of FundNumber.
func fundIDOf(n int64) string { return fmt.Sprintf("%s%010d", fundIDPrefix, n) }

// newOpenFunds makes the index of the funds of an Analysis, which are numbered as their slots: by adviser, then by Fund ID. Funds of advisers that are
// not in gps are left out.
func newOpenFunds(funds []OpenFund, gps *gpIndex) *fundIndex {
	gp, funds := arrangeOpenFunds(funds, gps)
	n := len(funds)
	ix := &fundIndex{
		searchable: newSearchable(n, fundWordCount, fundNumberCount, fundAnswerCount),
		id:         make([]int64, n), gp: gp, flags: make([]flags, n),
	}
	vintage, gav, numbers := make([]int64, n), make([]int64, n), make([]uint32, n)
	strategy, state, country, code := column.NewDictRows(n), column.NewDictRows(n), column.NewDictRows(n), column.NewDictRows(n)
	for i := range funds {
		f := &funds[i]
		ix.id[i], vintage[i], gav[i], numbers[i] = f.Number, f.VintageYear, f.GAV, uint32(i) // #nosec G115 -- a number of a fund
		ix.flags[i] = flagOpen | flags(qualityNumber(f.Quality))<<qualityShift               // #nosec G115 -- not above 3
		strategy.Add(f.Strategy)
		state.Add(f.State)
		country.Add(f.Country)
		code.Add(f.CountryCode)
	}
	ix.strategy, ix.state, ix.country, ix.code = strategy.Dict(), state.Dict(), country.Dict(), code.Dict()
	ix.slots.arrange(ix, numbers, len(gps.all))
	ix.slots.owned = ix.slots.fund // all are open
	ix.slots.groupNumbers(map[int][]int64{MatchVintage: vintage, MatchSize: gav}, len(gps.all))
	kinds := ix.slots.kinds(ix)
	ix.slots.groupWords(MatchQuality, kinds)
	ix.slots.byAdviser.words[MatchQuality] = lift(&ix.slots, ix.slots.words[MatchQuality], len(gps.all))
	ix.filter()
	return ix
}

// arrangeOpenFunds puts funds into the order of their slots, and returns their advisers.
func arrangeOpenFunds(funds []OpenFund, gps *gpIndex) (gp []uint32, arranged []OpenFund) {
	const digits = 34 // in bits, of a FundNumber
	keys := make([]int64, len(funds))
	for i := range funds {
		keys[i] = Unknown
		if gp, ok := gps.byCRD.Find(funds[i].AdviserCRD); ok {
			keys[i] = int64(gp)<<digits | funds[i].Number
		}
	}
	order, known := column.Ascending(keys, nil)
	column.Rearrange(funds, order)
	gp = make([]uint32, known)
	for i := range gp {
		gp[i] = uint32(keys[order[i]] >> digits) // #nosec G115 -- it was one
	}
	return gp, funds[:known]
}

// groupNumbers makes the columns of the numbers of an Analysis.
func (s *slotIndex) groupNumbers(values map[int][]int64, advisers int) {
	s.byAdviser = byAdviser{advisers: advisers}
	for id, of := range values {
		s.numbers[id] = column.NewNumbers(of)
		s.byAdviser.high[id], s.byAdviser.low[id] = s.byAdviser.extremes(s, of)
	}
}

// filter makes what searches of the funds of an Analysis need: its columns are those of the slots.
func (ix *fundIndex) filter() {
	s := &ix.slots
	ix.tie = ix.id
	ix.byFundID = column.NewFinder(ix.n, func(i uint32) string { return fundIDOf(ix.id[i]) })
	ix.isStrategy = column.GroupWords(&ix.strategy, exactly.Key)
	ix.isWord[FundQuality] = wordGroups{s.words[MatchQuality], exactly}
	ix.place = fundPlaces(ix)
	for _, of := range []struct{ number, match int }{{FundGAV, MatchSize}, {FundVintage, MatchVintage}} {
		values := s.numbers[of.match]
		ix.numbers[of.number] = values
		ix.pick(fundNumbers[of.number].Order, func(i uint32) int64 { return values.Values[i] })
	}
}

// forget gives back what only columns were made from.
func (ix *fundIndex) forget() {
	ix.gp, ix.flags = nil, nil
	ix.strategy, ix.state, ix.country, ix.code = column.Dict{}, column.Dict{}, column.Dict{}, column.Dict{}
}

// SearchFunds is Snapshot's, for the open funds of the advisers of the moment or of the former ones, as q asks. It returns Fund IDs. q has no
// text, status or facets, and filters and sorts only by what the index has.
func (a *Analysis) SearchFunds(q *FundQuery) (total int, fundIDs []string) {
	of := a.s.Of(q.Former)
	open := *q
	open.closedToo = true // it has no others
	found := of.SearchFunds(&open)
	for _, id := range found.IDs {
		fundIDs = append(fundIDs, fundIDOf(of.funds.id[id]))
	}
	return found.Total, fundIDs
}

// HasFund reports whether the Analysis has a fund, whether its adviser was a former one, and whether it was closed.
func (a *Analysis) HasFund(fundID string) (known, former, closed bool) {
	for _, of := range []*Snapshot{a.s, a.s.Former()} {
		if _, open := of.funds.byFundID.Find(fundID); open {
			return true, of != a.s, false
		}
		if _, closed := slices.BinarySearch(of.funds.closed, FundNumber(fundID)); closed {
			return true, of != a.s, true
		}
	}
	return false, false, false
}
