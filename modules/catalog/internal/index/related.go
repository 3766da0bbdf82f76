package index

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/index/column"
)

// Within what share of the source's value another counts as like it.
const (
	aumWithin   = 0.5
	fundsWithin = 0.3
)

var factors = [...]catalogapi.Factor{
	catalogapi.FactorStrategy, catalogapi.FactorAUMBand, catalogapi.FactorGeography, catalogapi.FactorFundCount,
}

// likeness is one combination of factors with its score.
type likeness struct {
	matched catalogapi.Factor
	score   int
}

// likenesses lists the combinations of the wanted factors, the highest score first. Some score the same: the strategy
// alone as much as assets and fund count together.
func likenesses(wanted catalogapi.Factor) []likeness {
	var out []likeness
	for mask := catalogapi.Factor(1); mask < 1<<len(factors); mask++ {
		if mask&^wanted != 0 {
			continue
		}
		l := likeness{matched: mask}
		for _, f := range factors {
			if mask&f != 0 {
				l.score += f.Points()
			}
		}
		out = append(out, l)
	}
	slices.SortFunc(out, func(a, b likeness) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.matched, b.matched))
	})
	return out
}

// Related finds the advisers most like the adviser of a number: by score, then by nearness of assets, then by CRD. The
// advisers of each score are a set made of few operations on whole words, and are walked outwards from the source: the
// advisers are numbered by their assets.
func (s *Snapshot) Related(id uint32, wanted catalogapi.Factor, limit int) []catalogapi.Similar {
	return s.related(s.inside(id), wanted, limit)
}

func (s *Snapshot) related(of source, wanted catalogapi.Factor, limit int) []catalogapi.Similar {
	sc, done := s.borrow(len(s.gps.all))
	defer done()
	alike := s.alike(of.gp, wanted, sc)
	out := make([]catalogapi.Similar, 0, limit)
	all := likenesses(wanted)
	for at := 0; at < len(all) && len(out) < limit; {
		score := all[at].score
		clear(sc.A)
		for ; at < len(all) && all[at].score == score; at++ {
			sc.A.Or(combine(sc.B, alike, all[at].matched))
		}
		if of.above-of.below == 2 { // it is no other
			sc.A.Clear(uint32(of.below + 1)) // #nosec G115 -- a number of a record
		}
		sc.List = s.nearest(sc.List[:0], sc.A, of, limit-len(out))
		for _, gp := range sc.List {
			out = append(out, catalogapi.Similar{RelatedGP: s.RelatedGP(gp), Score: score, Matched: matchedIn(alike, gp)})
		}
	}
	return out
}

// matchedIn returns the factors in which an adviser is like the source.
func matchedIn(alike [len(factors)]column.Bits, gp uint32) (m catalogapi.Factor) {
	for i, f := range factors {
		if alike[i] != nil && alike[i].Has(gp) {
			m |= f
		}
	}
	return m
}

// alike returns the advisers that match the source in each factor; nil where the factor is not wanted or the source's own
// value is not known.
func (s *Snapshot) alike(g *GP, wanted catalogapi.Factor, sc *scratch) (sets [len(factors)]column.Bits) {
	ix := s.gps
	fill := func(at int, c column.Cond) {
		sets[at] = sc.alike[at]
		c.Fill(sets[at])
	}
	if wanted&catalogapi.FactorStrategy != 0 && g.PrimaryStrategy != "" {
		fill(0, column.InSet(ix.isStrategy.Get(g.PrimaryStrategy)))
	}
	if wanted&catalogapi.FactorAUMBand != 0 && g.TotalAUM != Unknown {
		fill(1, column.InDescending(ix.known, within(g.TotalAUM, aumWithin), ix.size))
	}
	if wanted&catalogapi.FactorGeography != 0 {
		// Spec: not shown; the same state means a state of the same country, so that it adds to the country only where
		// that is not known by code.
		w := sc.alike[2]
		clear(w)
		if code := countryCode(g.CountryCode); code != "" {
			ix.isWord[GPJurisdiction].Get(code).AddTo(w)
		} else if g.State != "" {
			ix.isWord[GPState].Get(strings.ToUpper(g.State)).AddTo(w)
			for i := range uint32(len(ix.all)) { // those of a known country are not like it, nor is it like them
				if w.Has(i) && countryCode(ix.all[i].CountryCode) != "" {
					w.Clear(i)
				}
			}
		}
		sets[2] = w
	}
	if wanted&catalogapi.FactorFundCount != 0 && g.FundCount != Unknown {
		fill(3, column.InRange(ix.numbers[GPFundCount], within(g.FundCount, fundsWithin)))
	}
	return sets
}

// within is the range of the values that differ from v by at most a share of it.
func within(v int64, share float64) Range {
	d := int64(math.Floor(math.Abs(float64(v)) * share))
	low, high := v-d, v+d
	if low > v {
		low = math.MinInt64 + 1
	}
	if high < v {
		high = math.MaxInt64
	}
	return Range{Min: &low, Max: &high}
}

// combine makes dst the advisers that match the source in exactly these factors.
func combine(dst column.Bits, alike [len(factors)]column.Bits, matched catalogapi.Factor) column.Bits {
	first := true
	for i, f := range factors {
		switch {
		case matched&f == 0:
		case alike[i] == nil:
			clear(dst)
			return dst
		case first:
			copy(dst, alike[i])
			first = false
		default:
			dst.And(alike[i])
		}
	}
	for i, f := range factors {
		if matched&f == 0 && alike[i] != nil {
			dst.AndNot(alike[i])
		}
	}
	return dst
}

// nearest adds to dst the limit members whose assets are nearest to the source's, ties by CRD.
func (s *Snapshot) nearest(dst []uint32, members column.Bits, of source, limit int) []uint32 {
	aum, own := s.grouped.aum, of.gp.TotalAUM
	limit += len(dst)
	if own == Unknown {
		return s.nearestUnknown(dst, members, limit)
	}
	below, above := members.Last(of.below), members.First(of.above, len(aum))
	for len(dst) < limit && (below >= 0 || above >= 0) {
		// All that are equally far, on both sides, so that their CRDs can decide.
		far := uint64(math.MaxUint64)
		if below >= 0 {
			far = distance(own, aum[below])
		}
		if above >= 0 {
			far = min(far, distance(own, aum[above]))
		}
		from := len(dst)
		for below >= 0 && distance(own, aum[below]) == far {
			dst = append(dst, uint32(below))
			below = members.Before(uint32(below))
		}
		for above >= 0 && distance(own, aum[above]) == far && (aum[above] != Unknown || len(dst) < limit) {
			dst = append(dst, uint32(above)) // the unknown ones are in the order of their CRDs: no more of them than needed
			above = members.After(uint32(above))
		}
		s.gps.sortByCRD(dst[from:])
	}
	return dst[:min(len(dst), limit)]
}

// nearestUnknown is nearest to a source of unknown assets: others of unknown assets are as near as can be, all the rest
// is equally far.
func (s *Snapshot) nearestUnknown(dst []uint32, members column.Bits, limit int) []uint32 {
	from := len(dst)
	all := members.AppendAll(dst)
	known, _ := slices.BinarySearch(all[from:], uint32(s.gps.known))
	unknown := slices.Clone(all[from+known:])
	far := slices.Clone(all[from : from+known])
	dst = all[:from]
	dst = append(dst, unknown...)
	if len(dst) < limit {
		s.gps.sortByCRD(far)
		dst = append(dst, far...)
	}
	return dst[:min(len(dst), limit)]
}

func (ix *gpIndex) sortByCRD(gps []uint32) {
	if len(gps) > 1 {
		slices.SortFunc(gps, func(a, b uint32) int { return compareCRD(ix.all[a].CRD, ix.all[b].CRD) })
	}
}

// distance is how far two amounts are apart; two unknown ones are as near as can be, an unknown one is farther than any.
func distance(a, b int64) uint64 {
	switch {
	case a == Unknown && b == Unknown:
		return 0
	case a == Unknown || b == Unknown:
		return math.MaxUint64
	case a > b:
		return uint64(a) - uint64(b)
	}
	return uint64(b) - uint64(a)
}

// RelatedGP describes an adviser as related lists show it.
func (s *Snapshot) RelatedGP(id uint32) catalogapi.RelatedGP {
	g := &s.gps.all[id]
	return catalogapi.RelatedGP{
		CRD: g.CRD, LegalName: g.LegalName, Strategy: g.PrimaryStrategy, City: g.City, State: g.State, Country: g.Country,
		AUM: knownNumber(g.TotalAUM), FundCount: knownNumber(g.FundCount),
	}
}
