package index

import (
	"math/bits"

	"gpatlas/modules/catalog/internal/text"
)

// Kind says what a mixed result is.
type Kind uint8

// The kinds of a mixed result; as a filter, both unless one is named.
const (
	KindAll Kind = iota
	KindGP
	KindFund
)

// UnifiedResult is a search across advisers and funds at once.
type UnifiedResult struct {
	GPs, Funds         []uint32 // the best of each, at most the limit
	GPTotal, FundTotal int      // how many match in all; closed funds are left out
}

// Unified searches advisers, funds or both by text, the most relevant first, at most limit of each.
func (s *Snapshot) Unified(q string, kind Kind, limit int) UnifiedResult {
	var out UnifiedResult
	if kind != KindFund {
		r := s.SearchGPs(&GPQuery{Text: q, Order: ByRelevance, Limit: limit})
		out.GPs, out.GPTotal = r.IDs, r.Total
	}
	if kind != KindGP {
		r := s.SearchFunds(&FundQuery{Text: q, Order: ByRelevance, Limit: limit})
		out.Funds, out.FundTotal = r.IDs, r.Total
	}
	return out
}

// Hit is one entry of a mixed list.
type Hit struct {
	Kind Kind // KindGP or KindFund
	ID   uint32
	rank int
}

// typeahead is a text rank's place in a list of names that are completed while they are typed. There a name that begins
// so comes before a firm whose state or adviser is called so: "ca" is the beginning of a name before it is California.
var typeahead = [...]int{0: 0, 1: 1, 3: 2, 5: 3, 2: 4, 4: 5, 6: 6, 7: 7, 8: 8}

// Autocomplete lists the advisers and open funds that q best matches, mixed by rank: how well it matches decides, and
// among equals advisers and funds take turns, each the largest first. A closed fund is not offered.
func (s *Snapshot) Autocomplete(q string, kind Kind, limit int) []Hit {
	if limit <= 0 || q == "" {
		return nil
	}
	var gps, funds []Hit
	if kind != KindFund {
		m := s.gps.text.Match(q)
		gps = best(m, KindGP, nil, limit)
		m.Release()
	}
	if kind != KindGP {
		m := s.funds.text.Match(q)
		funds = best(m, KindFund, s.funds.open, limit)
		m.Release()
	}
	return mix(gps, funds, limit)
}

// best lists the first limit matches that are in only, by rank and number. A nil only lets everything through.
func best(m *text.Matches, kind Kind, only *set, limit int) []Hit {
	hits := make([]Hit, 0, limit)
	eachMatch(m, func(rank int, id uint32) bool {
		if only == nil || only.has(id) {
			hits = append(hits, Hit{Kind: kind, ID: id, rank: rank})
		}
		return len(hits) < limit
	})
	return hits
}

// eachMatch walks the matches by rank as typeahead has it, then by number, until yield says no.
func eachMatch(m *text.Matches, yield func(rank int, id uint32) bool) {
	tiers := m.Tiers()
	var at [len(typeahead)]*text.Tier
	for i := range tiers {
		at[typeahead[tiers[i].Rank]] = &tiers[i]
	}
	for rank, t := range at {
		if t != nil && !eachOf(t, func(id uint32) bool { return yield(rank, id) }) {
			return
		}
	}
}

func eachOf(t *text.Tier, yield func(id uint32) bool) bool {
	for _, id := range t.List {
		if !yield(id) {
			return false
		}
	}
	for w, x := range t.Bits {
		for ; x != 0; x &= x - 1 {
			if !yield(uint32(w<<6 + bits.TrailingZeros64(x))) {
				return false
			}
		}
	}
	return true
}

func mix(gps, funds []Hit, limit int) []Hit {
	out := make([]Hit, 0, min(limit, len(gps)+len(funds)))
	for turn := KindGP; len(out) < limit && len(gps)+len(funds) > 0; {
		takeGP := len(funds) == 0
		if len(gps) > 0 && len(funds) > 0 {
			takeGP = gps[0].rank < funds[0].rank || gps[0].rank == funds[0].rank && turn == KindGP
		}
		if takeGP {
			out, gps, turn = append(out, gps[0]), gps[1:], KindFund
		} else {
			out, funds, turn = append(out, funds[0]), funds[1:], KindGP
		}
	}
	return out
}

// Suggest lists the legal names of the advisers that q best matches, each spelling of a name once, at most limit.
func (s *Snapshot) Suggest(q string, limit int) []string {
	if limit <= 0 || q == "" {
		return nil
	}
	m := s.gps.text.Match(q)
	defer m.Release()
	names := make([]string, 0, limit)
	seen := make(map[string]struct{}, limit)
	eachMatch(m, func(_ int, id uint32) bool {
		name := s.gps.all[id].LegalName
		key := text.Normalise(name)
		if _, ok := seen[key]; !ok {
			seen[key] = struct{}{}
			names = append(names, name)
		}
		return len(names) < limit
	})
	return names
}
