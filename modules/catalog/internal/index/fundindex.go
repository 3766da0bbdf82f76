package index

import (
	"gpatlas/modules/catalog/internal/text"
	"gpatlas/platform/wire"
)

// The values of Fund.Status.
const (
	StatusActive      = "active"
	StatusLiquidating = "liquidating"
	StatusClosed      = "closed"
)

// noGP stands for an adviser that is not in the index.
const noGP = ^uint32(0)

// fundIndex holds the funds, numbered by gross asset value: 0 has the most, the unknown come last, ties by id.
// Its columns are slices without pointers: there are many funds, and the collector need not walk them.
type fundIndex struct {
	n     int
	text  *text.Index
	known int // funds with a known value: numbers 0…known-1

	id       []int64
	gav      []int64                  // descending; the values of FundGAV
	vintage  *column                  // that of FundVintage
	values   [fundNumberCount][]int64 // by number: its values by fund
	numbers  [fundNumberCount]*column // of those that have parameters; none for FundGAV, by which the funds are numbered
	gp       []uint32
	flags    []flags
	name     strs
	fundID   strs
	state    dict
	country  dict
	code     dict
	strategy dict
	words    [fundWordCount]dict
	auditors auditors
	owner    rowBytes // by adviser: the rendered members of a list item that say whose the fund is
	tail     rowBytes // by code: the rendered end of a list item, which few combinations of values make
	tails    []uint32 // by fund: its code in tail

	byID     []uint32 // fund numbers ascending by id
	byFundID finder

	isStrategy, place         groups[string]
	isWord                    [fundWordCount]groups[string]
	answers                   [fundAnswerCount][3]*set // by Tri
	open                      *set                     // not closed
	nameAsc, nameDesc, gavAsc *order
	vintageAsc, vintageDesc   *order
	slots                     slotIndex
}

// flags packs a fund's yes-no answers, two bits each, as a Tri, from the lowest bit on in the order of fundAnswers, and
// from the highest bit on what else is yes or no.
type flags uint32

const (
	flag506B  = flags(1 << 31)
	flag506C  = flags(1 << 30)
	flagOpen  = flags(1 << 29)
	flagPlain = flags(1 << 28) // name and fund id stand in a JSON string as they are
)

// The exemptions of FundMatch and Fund.
const (
	exempt506B = "506b"
	exempt506C = "506c"
	exempt3C1  = "3c1"
	exempt3C7  = "3c7"
)

// tri is the answer of a filter of fundAnswers.
func (f flags) tri(id int) Tri { return Tri(f >> (2 * id) & 3) }

func packFlags(f *Fund) (x flags) {
	for id := range fundAnswers {
		x |= flags(*fundAnswers[id].Of(f)) << (2 * id)
	}
	for _, e := range f.Exemptions {
		switch e {
		case exempt506B:
			x |= flag506B
		case exempt506C:
			x |= flag506C
		}
	}
	if f.Status != StatusClosed {
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
	ix := &fundIndex{n: n}
	ix.arrange(rows, gps)
	for ix.known = n; ix.known > 0 && ix.gav[ix.known-1] == Unknown; {
		ix.known--
	}
	ix.render(gps)
	tie := ix.findKeys()
	ix.group()
	ix.sortBy(tie)
	ix.slots.build(ix, gps)
	ix.text = ix.indexText(gps)
	return ix
}

// arrange brings the columns into the order of the numbers.
func (ix *fundIndex) arrange(rows *fundRows, gps *gpIndex) {
	order := rows.order()
	ix.id, ix.flags = arrange(&rows.id, order), arrange(&rows.flags, order)
	for id := range rows.values {
		ix.values[id] = arrange(&rows.values[id], order)
	}
	ix.gav = ix.values[FundGAV]
	ix.name, ix.fundID = rows.name.arrange(order), rows.fundID.arrange(order)
	ix.state, ix.country, ix.code = rows.state.arrange(order), rows.country.arrange(order), rows.code.arrange(order)
	ix.strategy = rows.strategy.arrange(order)
	for id := range rows.words {
		ix.words[id] = rows.words[id].arrange(order)
	}
	ix.auditors = rows.auditors.arrange(order)
	crd := rows.crd.arrange(order)
	number := make([]uint32, len(crd.words))
	for code, word := range crd.words {
		number[code] = noGP
		if gp, ok := gps.byCRD[word]; ok {
			number[code] = gp
		}
	}
	ix.gp = crd.codes
	for i, code := range ix.gp {
		ix.gp[i] = number[code]
	}
	*rows = fundRows{}
}

// findKeys makes the look-ups by id and by fund id, and gives each fund its position by id: the tie-breaker.
func (ix *fundIndex) findKeys() (tie []uint32) {
	ix.byID, _ = sortByValue(ix.id, make([]uint32, ix.n))
	ix.byFundID = newFinder(&ix.fundID)
	return newOrder(ix.byID).rank
}

func (ix *fundIndex) group() {
	ix.isStrategy = groupCodes(&ix.strategy, exactly.Key)
	for id := range fundWords {
		ix.isWord[id] = groupCodes(&ix.words[id], fundWords[id].As.Key)
	}
	ix.place = fundPlaces(ix)
	for id := range fundAnswers {
		ix.answers[id] = filed(ix.n, func(i uint32) Tri { return ix.flags[i].tri(id) })
	}
	ix.open = setWhere(ix.n, func(i uint32) bool { return ix.flags[i]&flagOpen != 0 })
}

func (ix *fundIndex) sortBy(tie []uint32) {
	ix.nameAsc, ix.nameDesc = sortNames(ix.n, ix.name.at, tie)
	for id := range fundNumbers {
		switch row := &fundNumbers[id]; {
		case id == FundGAV:
			ix.gavAsc = numberOrder(ix.gav, tie)
		case id == FundVintage:
			ix.vintageAsc, ix.vintageDesc, ix.vintage = valueOrders(ix.values[id], tie)
			ix.numbers[id] = ix.vintage
		case row.Min != "" || row.Max != "":
			ix.numbers[id] = valueColumn(ix.values[id], tie)
		}
	}
}

// indexText indexes the fund's name, with its adviser's names in place of a location.
func (ix *fundIndex) indexText(gps *gpIndex) *text.Index {
	b := text.NewBuilder(ix.n)
	names := make([]string, 1)
	for i := range uint32(ix.n) { // #nosec G115 -- a number of a record
		names[0] = ix.name.at(i)
		if gp := ix.gp[i]; gp != noGP {
			g := &gps.all[gp]
			b.Add(i, names, g.LegalName, g.BusinessName)
		} else {
			b.Add(i, names)
		}
	}
	return b.Build()
}
