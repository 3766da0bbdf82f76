package index

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"gpatlas/modules/catalog/internal/index/column"
	"gpatlas/modules/catalog/internal/text"
	"gpatlas/modules/catalog/internal/vocab"
	"gpatlas/platform/clock"
)

// gpIndex holds the advisers. Their size is their AUM.
type gpIndex struct {
	searchable

	all       []GP
	byCRD     column.Finder
	byTie     []uint32 // by CRD, which decides between equal ones; while the index is built
	canonical *column.Numbers
	growing   [len(growingBy)][]uint32 // the advisers with a growth, most first
	facets    [gpFacetCount]facetValues
	rows      column.Bytes // pre-rendered JSON, one list item a row
}

// newGPIndex takes gps over and puts them into their order.
func newGPIndex(gps []GP) *gpIndex {
	ix := numberGPs(gps)
	ix.group()
	sortRecords(&ix.searchable, gpNumbers[:], func(id int) []int64 { return ix.values(gpNumbers[id].Of) },
		func(i uint32) string { return gps[i].LegalName }, ix.byTie)
	ix.sortChanges()
	ix.canonical = column.NewNumbers(ix.values(func(g *GP) any { return &g.CanonicalID }))
	ix.byTie = nil
	ix.facets = gpFacetValues(ix)
	ix.text = gpText(gps)
	ix.rows = column.NewBytes(len(gps), func(dst []byte, i uint32) []byte { return appendGPItem(dst, &gps[i]) })
	return ix
}

// numberGPs puts gps into the order of their numbers and makes the look-up by CRD.
func numberGPs(gps []GP) *gpIndex {
	ix := &gpIndex{all: gps, searchable: newSearchable(len(gps), gpWordCount, gpNumberCount, gpAnswerCount)}
	ix.size = func(i int) int64 { return gps[i].TotalAUM }
	crds := make([]int64, len(gps))
	ix.tie = crds
	for i := range gps {
		crds[i], _ = strconv.ParseInt(gps[i].CRD, 10, 64) // the table has numbers of ten digits at most
	}
	byCRD, _ := column.Ascending(crds, nil)
	var order []uint32
	order, ix.known = column.Descending(ix.values(gpNumbers[GPAUM].Of), byCRD)
	column.Rearrange(gps, order)
	column.Rearrange(crds, order)
	numbers := column.Ranks(order)
	for i, old := range byCRD {
		byCRD[i] = numbers[old]
	}
	ix.byTie = byCRD
	ix.byCRD = column.NewFinder(len(gps), func(i uint32) string { return gps[i].CRD })
	return ix
}

func compareGPs(a, b *GP) int {
	if x := cmp.Compare(b.TotalAUM, a.TotalAUM); x != 0 { // Unknown is the smallest number of all
		return x
	}
	return compareCRD(a.CRD, b.CRD)
}

// compareCRD compares as numbers do: CRDs have no leading zeros.
func compareCRD(a, b string) int {
	if x := cmp.Compare(len(a), len(b)); x != 0 {
		return x
	}
	return strings.Compare(a, b)
}

// dict is a column of few distinct words.
func (ix *gpIndex) dict(of func(g *GP) *string) column.Dict {
	rows := column.NewDictRows(len(ix.all))
	for i := range ix.all {
		rows.Add(*of(&ix.all[i]))
	}
	return rows.Dict()
}

func (ix *gpIndex) groupWords(ids ...int) {
	for _, id := range ids {
		row := &gpWords[id]
		words := ix.dict(row.Of)
		if id != GPCountry {
			ix.isWord[id] = wordGroups{column.GroupWords(&words, row.As.Key), row.As}
			continue
		}
		codes := ix.dict(func(g *GP) *string { return &g.CountryCode }) // an adviser is filed under both
		both, first := column.Combined(len(ix.all), func(i uint32) uint64 { return uint64(words.Codes[i])<<32 | uint64(codes.Codes[i]) })
		keys := make([][]string, len(first))
		for at, i := range first {
			keys[at] = slices.DeleteFunc([]string{row.As.Key(words.At(i)), countryCode(codes.At(i))}, func(k string) bool { return k == "" })
			keys[at] = slices.Compact(keys[at])
		}
		ix.isWord[id] = wordGroups{column.GroupCodes(both, keys), row.As}
	}
}

// groupAnalysis makes the groups that an Analysis is asked for.
func (ix *gpIndex) groupAnalysis() {
	ix.groupWords(GPCity, GPState, GPCountry, GPJurisdiction, GPRegistration, GPManagerType)
	ix.groupStrategies()
	ix.groupAnswers(GPHasFunds)
}

func (ix *gpIndex) groupStrategies() {
	words := ix.dict(func(g *GP) *string { return &g.PrimaryStrategy })
	ix.isStrategy = column.GroupWords(&words, exactly.Key)
}

func (ix *gpIndex) group() {
	for id := range gpWords {
		ix.groupWords(id)
	}
	ix.groupStrategies()
	for id := range gpAnswers {
		ix.groupAnswers(id)
	}
}

func (ix *gpIndex) groupAnswers(id int) {
	of := gpAnswers[id].Of
	ix.answers[id] = filed(len(ix.all), func(i uint32) Tri { return *of(&ix.all[i]) })
}

func (ix *gpIndex) values(of func(g *GP) any) []int64 {
	v := make([]int64, len(ix.all))
	for i := range v {
		v[i] = numberIn(of(&ix.all[i]))
	}
	return v
}

// gpText indexes legal name, DBA and the main office's place: city, state by code and by name, country.
func gpText(gps []GP) *text.Index {
	b := text.NewBuilder(len(gps))
	for i := range gps {
		g := &gps[i]
		names := []string{g.LegalName}
		if g.BusinessName != "" && g.BusinessName != g.LegalName {
			names = append(names, g.BusinessName)
		}
		state, _ := vocab.StateName(g.State)
		b.Add(uint32(i), names, g.City, g.State, g.Country, state)
	}
	return b.Build()
}

// countryCode brings an alpha-2 code to one form: UK and GB are the same country.
func countryCode(code string) string {
	code = strings.ToUpper(strings.TrimSpace(code))
	if code == "UK" {
		return "GB"
	}
	return code
}

// stateKey brings a state to one form, codes and names alike; places that are no US state go by their normalized name.
func stateKey(s string) string {
	s = text.Normalize(s)
	if code, ok := vocab.StateCode(s); ok {
		return code
	}
	return s
}

// day numbers a date; the zero time is Unknown.
func day(t time.Time) int64 {
	if t.IsZero() {
		return Unknown
	}
	return clock.DayNumber(t)
}
