package index

import (
	"slices"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/index/column"
	"gpatlas/modules/catalog/internal/text"
	"gpatlas/platform/wire"
)

// noGP represents an adviser that is not in the index.
const noGP = ^uint32(0)

// noFund represents a fund that is not in the index.
const noFund = ^uint32(0)

// fundIndex holds the funds. Their size is their gross asset value. Its columns are slices without pointers: there are many funds, and the collector need not walk them.
type fundIndex struct {
	searchable

	id       []int64
	values   [fundNumberCount][]int64 // by number: its values by fund; none where coded has them
	gav      []int64                  // those of FundGAV
	gp       []uint32
	flags    []flags
	name     column.Strings
	fundID   column.Strings
	state    column.Dict
	country  column.Dict
	code     column.Dict
	strategy column.Dict
	words    [fundWordCount]column.Dict
	auditors auditors
	owner    column.Bytes // by adviser: the rendered members of a list item that say whose the fund is
	tail     column.Bytes // by code: the rendered end of a list item, which few combinations of values make
	tails    []uint32     // by fund: its code in tail

	byID     []uint32 // fund numbers ascending by id
	byFundID column.Finder

	place  column.Groups[string]
	facets [fundFacetCount]facetValues
	open   *column.Set // not closed
	closed []int64     // of an Analysis, which has open funds alone: FundNumber of the others, ascending
	slots  slotIndex
}

// flags packs a fund's yes-no answers, two bits each, as a Tri, from the lowest bit on in the order of fundAnswers, and
// from the highest bit on what else is yes or no.
type flags uint32

const (
	flag506B     = flags(1 << 31)
	flag506C     = flags(1 << 30)
	flagOpen     = flags(1 << 29)
	flagInMaster = flags(1 << 25) // its assets count with its master: see fold.InMasters
	flagAnswers  = flags(1<<(2*fundAnswerCount) - 1)
	flagPlain    = flags(1 << 28) // name and fund ID need no escaping in a JSON string

	qualityShift = 26 // the number of the vintage's quality, two bits
	flagQuality  = flags(3 << qualityShift)
)

// VintageQualities are how the vintage of a fund is known, by their numbers. The number after them is none.
var VintageQualities = [...]string{string(catalogapi.VintageFormD), string(catalogapi.VintageFirstFiling), string(catalogapi.VintageList)}

func qualityNumber(name string) int {
	if q := slices.Index(VintageQualities[:], name); q >= 0 {
		return q
	}
	return len(VintageQualities)
}

// The exemptions of FundMatch and Fund.
const (
	exempt506B = "506b"
	exempt506C = "506c"
	exempt3C1  = "3c1"
	exempt3C7  = "3c7"
)

// tri is the answer of a filter of fundAnswers.
func (f flags) tri(id int) Tri { return Tri(f >> (2 * id) & 3) }

// quality is the number of the vintage's quality.
func (f flags) quality() int { return int(f & flagQuality >> qualityShift) }

func packFlags(f *Fund) (x flags) {
	x = flags(qualityNumber(f.Quality)) << qualityShift // #nosec G115 -- not above 3
	for id := range fundAnswers {
		answer := *fundAnswers[id].Of(f)
		if id == FundHasAuditor {
			answer = audited(f)
		}
		x |= flags(answer) << (2 * id)
	}
	for _, e := range f.Exemptions {
		switch e {
		case exempt506B:
			x |= flag506B
		case exempt506C:
			x |= flag506C
		}
	}
	if f.Status != catalogapi.FundClosed {
		x |= flagOpen
	}
	if wire.IsPlain(f.Name) && wire.IsPlain(f.FundID) {
		x |= flagPlain
	}
	return x
}

// newFundIndex takes over what is in rows, and empties it on the way.
func newFundIndex(rows *fundRows, gps *gpIndex) *fundIndex {
	n := len(rows.id)
	ix := &fundIndex{searchable: newSearchable(n, fundWordCount, fundNumberCount, fundAnswerCount)}
	ix.size = func(i int) int64 { return ix.gav[i] }
	master := ix.arrange(rows, gps)
	for ix.known = n; ix.known > 0 && ix.gav[ix.known-1] == Unknown; {
		ix.known--
	}
	ix.render(gps)
	ix.findKeys()
	ix.findMasters(&master)
	ix.group()
	sortRecords(&ix.searchable, fundNumbers[:], func(id int) []int64 { return ix.values[id] }, ix.name.At, ix.byID)
	ix.tie, ix.facets = ix.id, fundFacetValues(ix)
	ix.slots.build(ix, gps)
	for id := range fundNumbers {
		if ix.coded[id] != nil { // which has the same values in less memory
			ix.values[id] = nil
		}
	}
	ix.text = ix.indexText(gps)
	return ix
}

// arrange puts the columns into the order of the numbers. It returns the one that is not kept: the IDs of the masters.
func (ix *fundIndex) arrange(rows *fundRows, gps *gpIndex) (master column.Dict) {
	order := rows.order()
	ix.id, ix.flags = column.Arrange(&rows.id, order), column.Arrange(&rows.flags, order)
	for id := range rows.values {
		ix.values[id] = column.Arrange(&rows.values[id], order)
	}
	ix.gav = ix.values[FundGAV]
	ix.name, ix.fundID = rows.name.Arrange(order), rows.fundID.Arrange(order)
	ix.state, ix.country, ix.code = rows.state.Arrange(order), rows.country.Arrange(order), rows.code.Arrange(order)
	ix.strategy = rows.strategy.Arrange(order)
	for id := range rows.words {
		ix.words[id] = rows.words[id].Arrange(order)
	}
	ix.auditors = newAuditors(rows.auditors.Arrange(order))
	crd := rows.crd.Arrange(order)
	number := make([]uint32, len(crd.Words))
	for code, word := range crd.Words {
		number[code] = noGP
		if gp, ok := gps.byCRD.Find(word); ok {
			number[code] = gp
		}
	}
	ix.gp = crd.Codes
	for i, code := range ix.gp {
		ix.gp[i] = number[code]
	}
	master = rows.master.Arrange(order)
	*rows = fundRows{}
	return master
}

// findMasters marks the open funds whose assets count with their master.
func (ix *fundIndex) findMasters(master *column.Dict) {
	of := make([]uint32, len(master.Words)) // by code: the fund
	for code, id := range master.Words {
		of[code] = noFund
		if number, ok := ix.byFundID.Find(id); ok && id != "" {
			of[code] = number
		}
	}
	masterOf := func(f uint32) uint32 {
		if ix.flags[f].tri(FundIsFeeder) != Yes {
			return noFund
		}
		return of[master.Codes[f]]
	}
	for f := range uint32(ix.n) {
		m := masterOf(f)
		if m != noFund && m != f && ix.gp[m] == ix.gp[f] && ix.flags[m]&flagOpen != 0 && ix.gav[m] != Unknown && masterOf(m) != f {
			ix.flags[f] |= flagInMaster
		}
	}
}

// findKeys makes the look-ups by id, the tie-breaker of every order, and by fund id.
func (ix *fundIndex) findKeys() {
	ix.byID, _ = column.Ascending(ix.id, nil)
	ix.byFundID = column.NewFinder(ix.n, ix.fundID.At)
}

func (ix *fundIndex) group() {
	ix.isStrategy = column.GroupWords(&ix.strategy, exactly.Key)
	for id := range fundWords {
		ix.isWord[id] = wordGroups{column.GroupWords(&ix.words[id], fundWords[id].As.Key), fundWords[id].As}
	}
	ix.place = fundPlaces(ix)
	for id := range fundAnswers {
		ix.answers[id] = filed(ix.n, func(i uint32) Tri { return ix.flags[i].tri(id) })
	}
	ix.open = column.SetWhere(ix.n, func(i uint32) bool { return ix.flags[i]&flagOpen != 0 })
}

// indexText indexes the fund's name, with its adviser's names in place of a location.
func (ix *fundIndex) indexText(gps *gpIndex) *text.Index {
	b := text.NewBuilder(ix.n)
	names, advisers := make([]string, 1), make([]text.Location, len(gps.all))
	for i := range uint32(ix.n) { // #nosec G115 -- a number of a record
		names[0] = ix.name.At(i)
		var adviser text.Location
		if gp := ix.gp[i]; gp != noGP {
			if advisers[gp] == (text.Location{}) {
				advisers[gp] = b.Location(gps.all[gp].LegalName, gps.all[gp].BusinessName)
			}
			adviser = advisers[gp]
		}
		b.AddAt(i, names, adviser)
	}
	return b.Build()
}

// latest is by adviser the largest value that its open or closed funds have of a number.
func latest(advisers int, ix *fundIndex, number int, open bool) *column.Coded {
	last := slices.Repeat([]int64{Unknown}, advisers)
	for i := range uint32(ix.n) { // #nosec G115 -- a number of a record
		if gp := ix.gp[i]; gp != noGP && (ix.flags[i]&flagOpen != 0) == open {
			last[gp] = max(last[gp], ix.value(number, i)) // Unknown is the smallest number of all
		}
	}
	return column.NewCoded(last)
}

// value is a number of a fund.
func (ix *fundIndex) value(number int, id uint32) int64 {
	if c := ix.coded[number]; c != nil {
		return c.At(id)
	}
	return ix.values[number][id]
}
