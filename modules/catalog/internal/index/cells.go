package index

import (
	"maps"
	"slices"
)

// cells sum up the open funds by kind, for all countries together and for each: a few thousand cells represent all funds in
// every grouping by vintage. The advisers are numbered by their assets, so the cells are kept in blocks of advisers: for a minimum
// size of adviser, whole blocks are summed and only the funds of one block are read.
type cells struct {
	country  map[string]uint16 // by code; 0 means all countries
	of       []uint16          // by adviser: its country
	strategy []uint8           // by adviser, where the kinds are to have its strategy in place of the fund's; else nil
	blocks   []block
}

// block is so many advisers that they have some blockFunds open funds.
type block struct {
	to    int      // the adviser behind its last
	cells [][]cell // by country
}

// blockFunds bounds what a query looks at fund by fund, and with the number of blocks the memory: a cell takes 32 bytes.
const blockFunds = 1 << 16

// cell is the open funds of one kind.
type cell struct {
	kind uint16
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

// countries numbers the countries of the advisers from 1 on.
func countries(gps []GP) (byCode map[string]uint16, of []uint16) {
	byCode, of = map[string]uint16{}, make([]uint16, len(gps))
	for i := range gps {
		code := countryCode(gps[i].CountryCode)
		if code == "" && len(gps[i].Country) == 2 {
			code = countryCode(gps[i].Country)
		}
		number, ok := byCode[code]
		if !ok {
			number = uint16(len(byCode) + 1) // #nosec G115 -- two letters
			byCode[code] = number
		}
		of[i] = number
	}
	return byCode, of
}

// fill makes the blocks.
func (c *cells) fill(g *groupColumns, slots *slotIndex) {
	type place struct{ country, kind uint16 }
	at, sums := map[place]int{}, []tally{}
	add := func(p place, t tally) {
		i, ok := at[p]
		if !ok {
			i = len(sums)
			at[p], sums = i, append(sums, tally{})
		}
		sums[i].add(t)
	}
	funds := 0
	for gp := range c.of {
		for i := slots.start[gp]; i < slots.open[gp]; i++ {
			var one tally
			one.count(slots.numbers[MatchSize].Values[i])
			add(place{c.of[gp], c.kind(gp, g.kind[i])}, one)
			funds++
		}
		if funds < blockFunds && gp+1 < len(c.of) {
			continue
		}
		for _, p := range slices.Collect(maps.Keys(at)) {
			add(place{0, p.kind}, sums[at[p]])
		}
		b := block{to: gp + 1, cells: make([][]cell, len(c.country)+1)}
		for p, i := range at {
			b.cells[p.country] = append(b.cells[p.country], cell{p.kind, sums[i]})
		}
		for country, list := range b.cells {
			b.cells[country] = slices.Clip(list)
		}
		c.blocks = append(c.blocks, b)
		clear(at)
		sums, funds = sums[:0], 0
	}
}

// kind is that of a fund, with the strategy that is asked for.
func (c *cells) kind(gp int, kind uint16) uint16 {
	if c.strategy == nil || int(kind) == notCounted {
		return kind
	}
	own := int(kind) / vintageYears % strategiesMax
	return uint16(int(kind) + (int(c.strategy[gp])-own)*vintageYears) // #nosec G115 -- below notCounted
}

// sum adds up the open funds of the first advisers of a country, or of all.
func (c *cells) sum(g *groupColumns, slots *slotIndex, country string, advisers int) (sums *[kinds]tally) {
	sums = new([kinds]tally)
	var number uint16
	if country != "" {
		var known bool
		if number, known = c.country[countryCode(country)]; !known {
			return sums
		}
	}
	from := 0
	for i := range c.blocks {
		b := &c.blocks[i]
		if b.to > advisers {
			break
		}
		for _, one := range b.cells[number] {
			sums[one.kind].add(one.tally)
		}
		from = b.to
	}
	for gp := from; gp < advisers; gp++ {
		if number != 0 && c.of[gp] != number {
			continue
		}
		a, b := slots.start[gp], slots.open[gp]
		gav := slots.numbers[MatchSize].Values[a:b]
		for i, kind := range g.kind[a:b] {
			sums[c.kind(gp, kind)].count(gav[i])
		}
	}
	return sums
}
