package sample

import (
	"slices"

	"github.com/klauspost/compress/flate"
)

// plan is what holds for the whole catalog: its size, and which adviser is which.
type plan struct {
	seed          uint64
	scale         scaleOf
	detailFrom    day // from here on every filing is told; before it, only some
	filingsBefore int // annual amendments kept from the years before
	newcomers     int // per mille of the advisers that appear after detailFrom
	leavers       int // per mille that stop filing after detailFrom
	organizations int
	advisers      []adviser
	packers       []*flate.Writer // used again for each archive's tables: their memory is what a table costs
}

// draft lays out the advisers: organizations, regimes, places and numbers of funds; then each one's life.
func draft(seed uint64, s scaleOf) *plan {
	p := &plan{
		seed: seed, scale: s, detailFrom: s.detailFrom, filingsBefore: s.filingsBefore,
		newcomers: s.newcomers, leavers: s.leavers, advisers: make([]adviser, s.advisers),
	}
	members := p.organise()
	p.distribute()
	for i := range p.advisers {
		a := &p.advisers[i]
		r := newRandom(seed, forLife, uint64(i)) // #nosec G115 -- an index
		m := members[i]
		a.live(p, r, m.stem, m.qualifier)
	}
	number := uint64(0)
	for i := range p.advisers {
		a := &p.advisers[i]
		a.raise(newRandom(seed, forFunds, uint64(i)), members[i].stem, &number) // #nosec G115 -- an index
	}
	return p
}

// member says under which name an adviser belongs to its organization.
type member struct{ stem, qualifier string }

// organise walks through the advisers and groups some of them: an organization's advisers share stem and domain, and
// differ by what they invest in or where they sit.
func (p *plan) organise() []member {
	r := newRandom(p.seed, forOrganizations, 0)
	members := make([]member, 0, len(p.advisers))
	for len(members) < len(p.advisers) {
		home := !r.chance(9)
		stem := stemOf(p.organizations, !home && r.chance(20))
		p.organizations++
		size := 1 + r.weighted([]int{936, 38, 16, 7, 3})
		first := len(members)
		var focus strategy
		for k := 0; k < size && len(members) < len(p.advisers); k++ {
			a := &p.advisers[len(members)]
			a.index, a.home = len(members), home
			a.first, a.siblings = first, min(size, len(p.advisers)-first)
			a.registered = r.chance(60)
			weights := make([]int, strategies)
			for s, t := range traitsOf {
				weights[s] = t.exempt
				if a.registered {
					weights[s] = t.registered
				}
			}
			qualifier := ""
			switch {
			case k == 0:
				focus = strategy(r.weighted(weights))
				if p.organizations <= int(strategies) {
					focus, a.registered = strategy(p.organizations-1), true // one of each, even in a small catalog
				}
				a.focus = focus
			case focus != wealth && k <= len(relatedStrategies[focus]) && r.chance(60):
				a.focus = relatedStrategies[focus][k-1]
			default:
				a.focus = focus
				if focus == wealth {
					a.registered = true
				}
				qualifier = []string{"International", "Europe", "Asia", "Americas"}[(k-1)%4]
				a.home = home && qualifier == "Americas"
			}
			members = append(members, member{stem, qualifier})
		}
	}
	return members
}

// distribute gives each adviser its rank by number of funds, and the number: Zipf's law with a flattened head
// (Mandelbrot), adjusted to the exact total. Registered advisers come first more often.
func (p *plan) distribute() {
	type place struct {
		index int
		key   uint64
	}
	var order []place
	for i := range p.advisers {
		a := &p.advisers[i]
		if a.focus == wealth {
			continue
		}
		r := newRandom(p.seed, forRank, uint64(i)) // #nosec G115 -- an index
		key := r.Uint64N(1_000_000)
		switch {
		case !a.registered && !a.home:
			key = key*6/10 + 400_000
		case !a.registered:
			key = key*3/4 + 250_000
		case a.focus == liquidity, a.focus == securitized, a.focus == infrastructure:
			key = key * 6 / 10
		}
		order = append(order, place{i, key})
	}
	slices.SortFunc(order, func(x, y place) int {
		if x.key != y.key {
			return int(x.key) - int(y.key) // #nosec G115 -- below a million
		}
		return x.index - y.index
	})
	counts := zipf(len(order), p.scale.funds, p.scale.flat)
	for rank, o := range order {
		p.advisers[o.index].rank = rank
		p.advisers[o.index].listed = counts[rank]
	}
}

// zipf splits a total over n ranks in proportion to 1/(rank+flat), each at least 1.
func zipf(n, total, flat int) []int {
	counts := make([]int, n)
	split := func(c int) int {
		sum := 0
		for i := range counts {
			counts[i] = max(1, c/(i+1+flat)/1000)
			sum += counts[i]
		}
		return sum
	}
	low, high := 1, total*1000*8
	for low < high {
		mid := (low + high + 1) / 2
		if split(mid) <= total {
			low = mid
		} else {
			high = mid - 1
		}
	}
	rest := total - split(low)
	for i := 0; rest > 0; i = (i + 1) % n {
		counts[i]++
		rest--
	}
	return counts
}
