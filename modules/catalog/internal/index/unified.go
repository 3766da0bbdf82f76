package index

import (
	"slices"

	"gpatlas/modules/catalog/internal/index/column"
	"gpatlas/modules/catalog/internal/text"
)

// Kind is what a mixed result is.
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

// typeahead is the order of the text ranks in a list of names that are completed while they are typed. There a name that
// begins with what is typed comes before one with a later word that does, and that before a firm whose state or adviser
// is called so: "ca" is the beginning of a name before it is California.
var typeahead = text.Ranking{0, text.Begins, 1, 3, 5, 2, 4, 6, 7, 8}

// typeaheadOrder is the position of a text rank in typeahead.
var typeaheadOrder = func() (order [text.Begins + 1]int) {
	for at, rank := range typeahead {
		order[rank] = at
	}
	return order
}()

// Autocomplete lists the advisers and open funds that q best matches, mixed by rank: how well it matches decides, and
// among equals advisers and funds take turns, each the largest first. A closed fund is not offered.
func (s *Snapshot) Autocomplete(q string, kind Kind, limit int) []Hit {
	if limit <= 0 || q == "" {
		return nil
	}
	sc, done := s.borrow(s.funds.n)
	defer done()
	out := make([]Hit, 0, 2*limit)
	if kind != KindFund {
		_, holders := s.identify(q, (*Snapshot).gpHolders)
		out = firstHits(out, KindGP, holders)
		out = sc.best(out, s.gps.text, q, KindGP, text.Only{}, limit)
	}
	gps := len(out)
	if kind != KindGP {
		_, holders := s.identify(q, (*Snapshot).fundHolders)
		out = firstHits(out, KindFund, slices.DeleteFunc(holders, s.FundClosed))
		out = sc.best(out, s.funds.text, q, KindFund, only(s.funds.open), limit)
	}
	return mix(once(out[:gps]), once(out[gps:]), limit)
}

// firstHits appends records that come before all matches.
func firstHits(dst []Hit, kind Kind, records []uint32) []Hit {
	for _, rec := range records {
		dst = append(dst, Hit{Kind: kind, ID: rec, rank: -1})
	}
	return dst
}

// once leaves out hits of records that were put first.
func once(hits []Hit) []Hit {
	if len(hits) == 0 || hits[0].rank >= 0 {
		return hits
	}
	first := slices.IndexFunc(hits, func(h Hit) bool { return h.rank >= 0 })
	if first < 0 {
		return hits
	}
	rest := slices.DeleteFunc(slices.Clone(hits[first:]), func(h Hit) bool {
		return slices.ContainsFunc(hits[:first], func(f Hit) bool { return f.ID == h.ID })
	})
	return append(hits[:first:first], rest...)
}

// best appends the first limit matches that are in only, by rank and number.
func (s *scratch) best(dst []Hit, ix *text.Index, q string, kind Kind, only text.Only, limit int) []Hit {
	m := ix.Match(q)
	defer m.Release()
	s.hits = m.Best(s.hits[:0], typeahead, only, 0, limit)
	for _, h := range s.hits {
		dst = append(dst, Hit{Kind: kind, ID: h.Record, rank: typeaheadOrder[h.Rank]})
	}
	return dst
}

// only restricts a text search to a set; of an empty one it can be said that all its members match.
func only(s *column.Set) text.Only {
	bits, list := s.Parts()
	return text.Only{Bits: bits, List: list, N: s.Len(), Within: s.Len() == 0}
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
	// Names may repeat: ask for some more than needed, and for all the rest only if that was not enough.
	for skip, ask := 0, 2*limit; len(names) < limit; skip, ask = skip+ask, 8*ask {
		hits := m.Best(nil, typeahead, text.Only{}, skip, ask)
		for _, h := range hits {
			name := s.gps.all[h.Record].LegalName
			key := text.Normalize(name)
			if _, ok := seen[key]; !ok && len(names) < limit {
				seen[key] = struct{}{}
				names = append(names, name)
			}
		}
		if len(hits) < ask {
			break
		}
	}
	return names
}
