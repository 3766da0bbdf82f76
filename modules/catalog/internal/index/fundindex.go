package index

import (
	"cmp"
	"slices"

	"gpatlas/modules/catalog/internal/text"
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
	flag3C1    = 0
	flag3C7    = 2
	flagMaster = 4
	flagFeeder = 6
	flag506B   = flags(1 << 8)
	flag506C   = flags(1 << 9)
	flagOpen   = flags(1 << 10)
	flagAudit  = flags(1 << 11)
)

// The exemptions of FundMatch and Fund.
const (
	exempt506B = "506b"
	exempt506C = "506c"
	exempt3C1  = "3c1"
	exempt3C7  = "3c7"
)

func (f flags) tri(shift int) Tri { return Tri(f >> shift & 3) }

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
	if len(f.Auditors) > 0 {
		x |= flagAudit
	}
	return x
}

// newFundIndex copies what it keeps out of funds, which it puts into their order.
func newFundIndex(funds []Fund, gps *gpIndex) *fundIndex {
	sortFunds(funds)
	n := len(funds)
	ix := &fundIndex{n: n, known: n}
	for ix.known > 0 && funds[ix.known-1].GAV == Unknown {
		ix.known--
	}
	ix.copyColumns(funds, gps)
	tie := ix.findKeys()
	ix.group()
	ix.sortBy(funds, tie)
	ix.slots.build(ix, gps)
	ix.text = fundText(funds, gps, ix.gp)
	return ix
}

// sortFunds sorts small keys and then moves each of the large records once.
func sortFunds(funds []Fund) {
	type key struct {
		gav, id int64
		at      int
	}
	keys := make([]key, len(funds))
	for i := range funds {
		keys[i] = key{funds[i].GAV, funds[i].ID, i}
	}
	slices.SortFunc(keys, func(a, b key) int {
		if a.gav != b.gav {
			return cmp.Compare(b.gav, a.gav) // Unknown is the smallest number of all
		}
		return cmp.Compare(a.id, b.id)
	})
	for i := range keys {
		// Follow the cycle that starts here: each place takes the record that belongs into it.
		for at, held := i, funds[i]; keys[at].at >= 0; {
			from := keys[at].at
			keys[at].at = -1
			if from == i {
				funds[at] = held
				break
			}
			funds[at] = funds[from]
			at = from
		}
	}
}

func (ix *fundIndex) copyColumns(funds []Fund, gps *gpIndex) {
	ix.id, ix.gav, ix.owners = make([]int64, ix.n), make([]int64, ix.n), make([]int64, ix.n)
	ix.first, ix.gp, ix.flags = make([]int32, ix.n), make([]uint32, ix.n), make([]flags, ix.n)
	for i := range funds {
		f := &funds[i]
		ix.id[i], ix.gav[i], ix.owners[i] = f.ID, f.GAV, f.Owners
		ix.first[i], ix.flags[i], ix.gp[i] = shortDay(f.FirstFiledOn), packFlags(f), noGP
		if gp, ok := gps.byCRD[f.AdviserCRD]; ok {
			ix.gp[i] = gp
		}
	}
	ix.name = newStrs(ix.n, func(i int) string { return funds[i].Name })
	ix.fundID = newStrs(ix.n, func(i int) string { return funds[i].FundID })
	ix.state = newDict(ix.n, func(i int) string { return funds[i].State })
	ix.country = newDict(ix.n, func(i int) string { return funds[i].Country })
	ix.code = newDict(ix.n, func(i int) string { return funds[i].CountryCode })
	ix.strategy = newDict(ix.n, func(i int) string { return funds[i].Strategy })
	ix.status = newDict(ix.n, func(i int) string { return funds[i].Status })
	ix.auditors = newAuditors(funds)
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
	ix.audited[Yes] = setWhere(ix.n, func(i uint32) bool { return ix.flags[i]&flagAudit != 0 })
	ix.audited[No] = setWhere(ix.n, func(i uint32) bool { return ix.flags[i]&flagAudit == 0 })
}

func (ix *fundIndex) sortBy(funds []Fund, tie []uint32) {
	keys := make([]nameKey, ix.n)
	for i := range keys {
		name := ix.name.at(uint32(i))
		keys[i] = nameKey{norm: text.Normalise(name), raw: name, tie: tie[i], item: uint32(i)}
	}
	ix.nameAsc, ix.nameDesc = sortNames(keys)
	ix.gavAsc = numberOrder(ix.gav, tie)
	vintage := make([]int64, ix.n)
	for i := range vintage {
		vintage[i] = funds[i].VintageYear
	}
	ix.vintageAsc, ix.vintageDesc, ix.vintage = valueOrders(vintage, tie)
}

// fundText indexes the fund's name, with its adviser's names in place of a location.
func fundText(funds []Fund, gps *gpIndex, gp []uint32) *text.Index {
	b := text.NewBuilder(len(funds))
	for i := range funds {
		adviser := ""
		if gp[i] != noGP {
			g := &gps.all[gp[i]]
			adviser = g.LegalName + " " + g.BusinessName
		}
		b.Add(uint32(i), []string{funds[i].Name}, adviser)
	}
	return b.Build()
}
