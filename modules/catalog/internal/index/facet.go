package index

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/index/column"
	"gpatlas/modules/catalog/internal/text"
	"gpatlas/modules/catalog/internal/vocab"
)

// Facet is how many records of a search have each value of a filter, which is itself left out of the search. All other
// filters hold.
type Facet struct {
	Name     string
	Values   []FacetValue // those of most records, then those that the search asks for
	Distinct int          // values that some record has
	Other    int          // records that have other values than those listed
	Unknown  int          // records without a value that can be asked for
}

// FacetValue is one value, as its filter takes it.
type FacetValue struct {
	Value    string `json:"value" doc:"The value, as its filter takes it." example:"NY"`
	Count    int    `json:"count" doc:"Rows that the same search finds with this value in place of those that it asks for." example:"412"`
	Selected bool   `json:"selected" doc:"Whether the search asks for this value." example:"true"`
}

// facetOf is a facet of a query Q: what asks for its values, and how the query is without.
type facetOf[Q any] struct {
	name     string
	selected func(q *Q) []string
	without  func(q *Q)
}

// facetValue is a value of a facet and who has it. Facets need no other data: members are counted
// with the bitmaps of the sets.
type facetValue struct {
	value string
	cond  column.Cond
}

// values are all values of a facet. If overlaps is set, one record can have several;
// known is then the records that have any.
type facetValues struct {
	list     []facetValue
	overlaps bool
	known    *column.Set
}

// The facets of advisers, in the order of gpFacets.
const (
	facetState = iota
	facetStrategy
	facetBand
	facetRegistration
	facetHasFunds
	facetManagerType
	facetCountry
	gpFacetCount
)

var gpFacets = [gpFacetCount]facetOf[GPQuery]{
	facetState:        wordFacet("state", func(q *GPQuery) *Asked { return &q.Words[GPState] }),
	facetStrategy:     wordFacet("strategy", func(q *GPQuery) *Asked { return &q.Strategies }),
	facetBand:         {"aum_band", func(q *GPQuery) []string { return strings.Fields(q.Band) }, func(q *GPQuery) { q.Band = "" }},
	facetRegistration: wordFacet("registration_status", func(q *GPQuery) *Asked { return &q.Words[GPRegistration] }),
	facetHasFunds:     answerFacet("has_funds", func(q *GPQuery) *Tri { return &q.Answers[GPHasFunds] }),
	facetManagerType:  wordFacet("manager_type", func(q *GPQuery) *Asked { return &q.Words[GPManagerType] }),
	facetCountry:      wordFacet("country", func(q *GPQuery) *Asked { return &q.Words[GPCountry] }),
}

// The facets of funds, in the order of fundFacets.
const (
	fundFacetStrategy = iota
	fundFacetStatus
	fundFacetVintage
	fundFacetPlace
	fundFacetQuality
	fundFacetAuditor
	fundFacetCount
)

var fundFacets = [fundFacetCount]facetOf[FundQuery]{
	fundFacetStrategy: wordFacet("strategy", func(q *FundQuery) *Asked { return &q.Strategies }),
	fundFacetStatus: {"status", func(q *FundQuery) []string { return q.Words[FundStatus].Any }, func(q *FundQuery) {
		q.Words[FundStatus].Any, q.closedToo = nil, true
	}},
	fundFacetVintage: {"vintage_year", func(q *FundQuery) []string {
		if q.Year == 0 {
			return nil
		}
		return []string{strconv.FormatInt(q.Year, 10)}
	}, func(q *FundQuery) { q.Year = 0 }},
	fundFacetPlace:   {"jurisdiction", func(q *FundQuery) []string { return q.Jurisdictions }, func(q *FundQuery) { q.Jurisdictions = nil }},
	fundFacetQuality: wordFacet("vintage_quality", func(q *FundQuery) *Asked { return &q.Words[FundQuality] }),
	fundFacetAuditor: answerFacet("has_auditor", func(q *FundQuery) *Tri { return &q.Answers[FundHasAuditor] }),
}

func wordFacet[Q any](name string, asked func(q *Q) *Asked) facetOf[Q] {
	return facetOf[Q]{name, func(q *Q) []string { return asked(q).Any }, func(q *Q) { asked(q).Any = nil }}
}

func answerFacet[Q any](name string, asked func(q *Q) *Tri) facetOf[Q] {
	return facetOf[Q]{name, func(q *Q) []string {
		if t := *asked(q); t != Any {
			return []string{triJSON[t]}
		}
		return nil
	}, func(q *Q) { *asked(q) = Any }}
}

// GPFacets and FundFacets name the facets of the two searches.
func GPFacets() []string { return namesOf(gpFacets[:]) }

// FundFacets is for funds what GPFacets is for advisers.
func FundFacets() []string { return namesOf(fundFacets[:]) }

func namesOf[Q any](facets []facetOf[Q]) (names []string) {
	for i := range facets {
		names = append(names, facets[i].name)
	}
	return names
}

// facetsOf counts the facets of q that are named. r is the answer to q; find answers another query, and may use the same
// working memory, so that those that need no other query come first.
func facetsOf[Q any](q *Q, asked []string, limit int, all []facetOf[Q], values []facetValues, r column.Result, find func(q *Q) column.Result, sc *scratch) []Facet {
	out := make([]Facet, len(asked))
	for _, again := range []bool{false, true} {
		for at, name := range asked {
			id := slices.IndexFunc(all, func(f facetOf[Q]) bool { return f.name == name })
			own := all[id].selected(q)
			if (len(own) > 0 || name == "status") != again { // closed funds are left out by their status
				continue
			}
			hits := r
			if again {
				rest := *q
				all[id].without(&rest)
				hits = find(&rest)
			}
			out[at] = values[id].count(&hits, own, limit, sc)
			out[at].Name = name
		}
	}
	slices.SortFunc(out, func(a, b Facet) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// count counts the values among hits.
func (v *facetValues) count(hits *column.Result, selected []string, limit int, sc *scratch) Facet {
	bits := hits.Bits
	if bits == nil && !hits.All {
		bits = sc.facet[:len(sc.A)]
		clear(bits)
		for _, i := range hits.List {
			bits.Set(i)
		}
	}
	spare := sc.facetSpare[:len(sc.A)]
	counts := make([]FacetValue, 0, len(v.list))
	conds := make(map[string]*column.Cond, len(v.list))
	f := Facet{Unknown: hits.N}
	for i := range v.list {
		one := &v.list[i]
		n := one.cond.Len()
		if bits != nil {
			n = one.cond.CountIn(bits, spare)
		}
		is := slices.ContainsFunc(selected, func(s string) bool { return s == one.value || text.Normalize(s) == text.Normalize(one.value) })
		if n == 0 && !is {
			continue
		}
		if n > 0 {
			f.Distinct++
		}
		f.Unknown -= n
		conds[one.value] = &one.cond
		counts = append(counts, FacetValue{one.value, n, is})
	}
	slices.SortFunc(counts, func(a, b FacetValue) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), strings.Compare(a.Value, b.Value))
	})
	f.Values = slices.Clone(counts[:min(limit, len(counts))])
	for _, c := range counts[len(f.Values):] {
		if c.Selected {
			f.Values = append(f.Values, c)
		} else {
			f.Other += c.Count
		}
	}
	if v.overlaps {
		f.Other, f.Unknown = v.rest(&f, hits, bits, conds, spare)
	}
	return f
}

// rest counts the records with other values and those without any, where one record can have several.
func (v *facetValues) rest(f *Facet, hits *column.Result, bits column.Bits, conds map[string]*column.Cond, spare column.Bits) (other, unknown int) {
	listed := column.NewBits(64 * len(spare))
	for _, one := range f.Values {
		if c := conds[one.Value]; c != nil {
			c.Fill(spare)
			listed.Or(spare)
		}
	}
	known := column.InSet(v.known)
	if bits == nil {
		return known.Len() - listed.Count(), hits.N - known.Len()
	}
	n := known.CountIn(bits, spare)
	return n - bits.CountShared(listed), hits.N - n
}

// gpFacetValues are the values of each facet of advisers.
func gpFacetValues(ix *gpIndex) (all [gpFacetCount]facetValues) {
	states := ix.dict(func(g *GP) *string { return &g.State })
	all[facetState].list = ix.valuesOf(states.Words, func(w string) (string, *column.Set) {
		code, known := vocab.StateCode(w)
		if !known || !strings.EqualFold(code, w) {
			return "", nil
		}
		return code, ix.isWord[GPState].Get(code)
	})
	all[facetStrategy].list = ix.valuesOf(vocab.Strategies(), func(w string) (string, *column.Set) { return w, ix.isStrategy.Get(w) })
	for _, name := range bandNames {
		all[facetBand].list = append(all[facetBand].list, facetValue{name, column.InDescending(ix.known, BandRange(name), ix.size)})
	}
	registrations := ix.dict(func(g *GP) *string { return &g.RegistrationStatus })
	all[facetRegistration].list = ix.valuesOf(registrations.Words, func(w string) (string, *column.Set) { return w, ix.isWord[GPRegistration].Get(w) })
	all[facetHasFunds].list = answersOf(ix.answers[GPHasFunds])
	types := ix.dict(func(g *GP) *string { return &g.ManagerType })
	all[facetManagerType].list = ix.valuesOf(types.Words, func(w string) (string, *column.Set) { return w, ix.isWord[GPManagerType].Get(w) })
	codes := map[string]string{} // by country as filed
	for i := range ix.all {
		if g := &ix.all[i]; g.CountryCode != "" {
			codes[g.CountryCode] = countryCode(g.CountryCode)
		} else if g.Country != "" {
			codes[g.Country] = g.Country
		}
	}
	all[facetCountry].list = ix.valuesOf(sortedKeys(codes), func(w string) (string, *column.Set) {
		return codes[w], ix.isWord[GPCountry].Get(ix.isWord[GPCountry].as.Key(codes[w]))
	})
	return all
}

// fundFacetValues are the values of each facet of funds.
func fundFacetValues(ix *fundIndex) (all [fundFacetCount]facetValues) {
	all[fundFacetStrategy].list = ix.valuesOf(vocab.Strategies(), func(w string) (string, *column.Set) { return w, ix.isStrategy.Get(w) })
	all[fundFacetStatus].list = ix.valuesOf(catalogapi.FundStatuses, func(w string) (string, *column.Set) {
		return w, ix.isWord[FundStatus].Get(w)
	})
	years := slices.Clone(ix.values[FundVintage])
	slices.Sort(years)
	for _, year := range slices.Compact(years) {
		if year != Unknown {
			all[fundFacetVintage].list = append(all[fundFacetVintage].list,
				facetValue{strconv.FormatInt(year, 10), column.InRange(ix.numbers[FundVintage], Range{Min: &year, Max: &year})})
		}
	}
	all[fundFacetQuality].list = ix.valuesOf(VintageQualities[:], func(w string) (string, *column.Set) { return w, ix.isWord[FundQuality].Get(w) })
	all[fundFacetAuditor].list = answersOf(ix.answers[FundHasAuditor])
	all[fundFacetPlace] = placesOf(ix)
	return all
}

// placesOf returns the places of funds: countries by code, states, and any other filed place by name. The US includes its states.
func placesOf(ix *fundIndex) (v facetValues) {
	names := map[string]string{}
	for _, code := range ix.code.Words {
		if code = countryCode(code); code != "" {
			names[code] = code
		}
	}
	for _, w := range ix.state.Words {
		code, isState := vocab.StateCode(w)
		switch {
		case isState:
			name, _ := vocab.StateName(code)
			names[name] = name
			names[unitedStates] = unitedStates
		case len(strings.TrimSpace(w)) > 2 && text.Normalize(w) != "":
			names[text.Normalize(w)] = strings.TrimSpace(w)
		}
	}
	for _, w := range ix.country.Words {
		if _, hasCode := vocab.CountryCode(w); !hasCode && len(strings.TrimSpace(w)) > 2 && text.Normalize(w) != "" {
			names[text.Normalize(w)] = strings.TrimSpace(w)
		}
	}
	var sets []*column.Set
	v.list = ix.valuesOf(sortedKeys(names), func(w string) (string, *column.Set) {
		set := ix.jurisdiction(names[w])
		sets = append(sets, set)
		return names[w], set
	})
	v.overlaps, v.known = true, column.Union(ix.n, sets...)
	return v
}

// valuesOf are the values of words, each once, with the records that have them; words of none are left out.
func (ix *searchable) valuesOf(words []string, of func(w string) (value string, set *column.Set)) (list []facetValue) {
	for _, w := range words {
		value, set := of(w)
		if value == "" || set.Len() == 0 || slices.ContainsFunc(list, func(v facetValue) bool { return v.value == value }) {
			continue
		}
		list = append(list, facetValue{value, column.InSet(set)})
	}
	return list
}

func answersOf(sets [3]*column.Set) []facetValue {
	return []facetValue{{triJSON[Yes], column.InSet(sets[Yes])}, {triJSON[No], column.InSet(sets[No])}}
}

func sortedKeys(m map[string]string) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
