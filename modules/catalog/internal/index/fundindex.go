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
	gav      []int64 // descending
	vintage  *column
	owners   []int64
	first    []int32 // FirstFiledOn as a day; noDay when unknown
	gp       []uint32
	flags    []flags
	name     strs
	fundID   strs
	state    dict
	country  dict
	code     dict
	strategy dict
	status   dict
	auditors auditors
	owner    rowBytes // by adviser: the rendered members of a list item that say whose the fund is
	tail     rowBytes // by code: the rendered end of a list item, which few combinations of values make
	tails    []uint32 // by fund: its code in tail

	byID     []uint32 // fund numbers ascending by id
	byFundID finder

	isStrategy, isStatus, place      groups[string]
	is3C1, is3C7, isMaster, isFeeder [3]*set // by Tri
	audited                          [3]*set
	open                             *set // not closed
	nameAsc, nameDesc, gavAsc        *order
	vintageAsc, vintageDesc          *order
	slots                            slotIndex
}

// flags packs a fund's yes-no answers: two bits each, as a Tri, and the exemptions one bit each.
type flags uint16

const (
	flag3C1     = 0
	flag3C7     = 2
	flagMaster  = 4
	flagFeeder  = 6
	flag506B    = flags(1 << 8)
	flag506C    = flags(1 << 9)
	flagOpen    = flags(1 << 10)
	flagAudit   = flags(1 << 11)
	flagPlain   = flags(1 << 12) // name and fund id stand in a JSON string as they are
	flagNoAudit = flags(1 << 13) // the filing says that nobody audits the fund
)

// The exemptions of FundMatch and Fund.
const (
	exempt506B = "506b"
	exempt506C = "506c"
	exempt3C1  = "3c1"
	exempt3C7  = "3c7"
)

func (f flags) tri(shift int) Tri { return Tri(f >> shift & 3) }

// audited says whether an auditor is named.
func (f flags) audited() Tri {
	switch {
	case f&flagAudit != 0:
		return Yes
	case f&flagNoAudit != 0:
		return No
	}
	return Any
}

func packFlags(f *Fund) flags {
	x := flags(f.Is3C1)<<flag3C1 | flags(f.Is3C7)<<flag3C7 | flags(f.IsMaster)<<flagMaster | flags(f.IsFeeder)<<flagFeeder
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
	switch {
	case len(f.Auditors) > 0:
		x |= flagAudit
	case f.Audited == No:
		x |= flagNoAudit
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
	vintage := ix.arrange(rows, gps)
	for ix.known = n; ix.known > 0 && ix.gav[ix.known-1] == Unknown; {
		ix.known--
	}
	ix.render(gps)
	tie := ix.findKeys()
	ix.group()
	ix.sortBy(vintage, tie)
	ix.slots.build(ix, gps)
	ix.text = ix.indexText(gps)
	return ix
}

// arrange brings the columns into the order of the numbers.
func (ix *fundIndex) arrange(rows *fundRows, gps *gpIndex) (vintage []int64) {
	order := rows.order()
	ix.id, ix.gav, ix.owners = arrange(&rows.id, order), arrange(&rows.gav, order), arrange(&rows.owners, order)
	ix.first, ix.flags = arrange(&rows.first, order), arrange(&rows.flags, order)
	vintage = arrange(&rows.vintage, order)
	ix.name, ix.fundID = rows.name.arrange(order), rows.fundID.arrange(order)
	ix.state, ix.country, ix.code = rows.state.arrange(order), rows.country.arrange(order), rows.code.arrange(order)
	ix.strategy, ix.status = rows.strategy.arrange(order), rows.status.arrange(order)
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
	return vintage
}

// findKeys makes the look-ups by id and by fund id, and gives each fund its place by id: the tie-breaker.
func (ix *fundIndex) findKeys() (tie []uint32) {
	ix.byID, _ = sortByValue(ix.id, make([]uint32, ix.n))
	ix.byFundID = newFinder(&ix.fundID)
	return newOrder(ix.byID).rank
}

func (ix *fundIndex) group() {
	ix.isStrategy, ix.isStatus = groupCodes(&ix.strategy), groupCodes(&ix.status)
	ix.place = fundPlaces(ix)
	answer := func(shift int) (sets [3]*set) {
		for _, t := range []Tri{Yes, No} {
			sets[t] = setWhere(ix.n, func(i uint32) bool { return ix.flags[i].tri(shift) == t })
		}
		return sets
	}
	ix.is3C1, ix.is3C7 = answer(flag3C1), answer(flag3C7)
	ix.isMaster, ix.isFeeder = answer(flagMaster), answer(flagFeeder)
	ix.open = setWhere(ix.n, func(i uint32) bool { return ix.flags[i]&flagOpen != 0 })
	ix.audited[Yes] = setWhere(ix.n, func(i uint32) bool { return ix.flags[i].audited() == Yes })
	ix.audited[No] = setWhere(ix.n, func(i uint32) bool { return ix.flags[i].audited() == No })
}

func (ix *fundIndex) sortBy(vintage []int64, tie []uint32) {
	ix.nameAsc, ix.nameDesc = sortNames(ix.n, ix.name.at, tie)
	ix.gavAsc = numberOrder(ix.gav, tie)
	ix.vintageAsc, ix.vintageDesc, ix.vintage = valueOrders(vintage, tie)
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
