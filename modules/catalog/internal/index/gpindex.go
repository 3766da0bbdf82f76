package index

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"gpatlas/modules/catalog/internal/index/column"
	"gpatlas/modules/catalog/internal/text"
	"gpatlas/modules/catalog/internal/vocab"
)

// gpIndex holds the advisers, numbered by AUM: 0 has the most, the unknown come last, ties by CRD.
type gpIndex struct {
	all   []GP
	byCRD map[string]uint32
	text  *text.Index
	known int      // advisers with a known AUM: numbers 0…known-1
	tie   []uint32 // by CRD, which decides between equal ones; while the index is built

	words     [gpWordCount]column.Groups[string]
	numbers   [gpNumberCount]*column.Numbers // none for GPAUM, by which the advisers are numbered
	answers   [gpAnswerCount][3]*column.Set  // by Tri
	strategy  column.Groups[string]
	canonical *column.Numbers

	nameAsc, nameDesc, aumAsc, fundsAsc, fundsDesc, staffAsc, staffDesc *column.Order

	rows column.Bytes // pre-rendered JSON, one list item a row
}

// newGPIndex takes gps over and puts them into their order.
func newGPIndex(gps []GP) *gpIndex {
	ix := numberGPs(gps)
	ix.group()
	ix.sortBy()
	ix.text = gpText(gps)
	ix.rows = column.NewBytes(len(gps), func(dst []byte, i uint32) []byte { return appendGPItem(dst, &gps[i]) })
	return ix
}

// numberGPs puts gps into the order of their numbers and makes the look-up by CRD.
func numberGPs(gps []GP) *gpIndex {
	ix := &gpIndex{all: gps, byCRD: make(map[string]uint32, len(gps))}
	byCRD := make([]uint32, len(gps))
	for i := range byCRD {
		byCRD[i] = uint32(i)
	}
	slices.SortFunc(byCRD, func(a, b uint32) int { return compareCRD(gps[a].CRD, gps[b].CRD) })
	var order []uint32
	order, ix.known = column.Descending(ix.values(gpNumbers[GPAUM].Of), byCRD)
	column.Rearrange(gps, order)
	numbers := column.Ranks(order)
	for i, old := range byCRD {
		byCRD[i] = numbers[old]
		ix.byCRD[gps[byCRD[i]].CRD] = byCRD[i]
	}
	ix.tie = byCRD
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

// by files the advisers under their keys; the empty one is none.
func (ix *gpIndex) by(keys ...func(g *GP) string) column.Groups[string] {
	return column.NewGroups(len(ix.all), func(i uint32, yield func(string)) {
		for _, key := range keys {
			if k := key(&ix.all[i]); k != "" {
				yield(k)
			}
		}
	})
}

func (ix *gpIndex) groupWords(ids ...int) {
	for _, id := range ids {
		row := &gpWords[id]
		keys := []func(g *GP) string{func(g *GP) string { return row.As.Key(*row.Of(g)) }}
		if id == GPCountry {
			keys = append(keys, func(g *GP) string { return countryCode(g.CountryCode) })
		}
		ix.words[id] = ix.by(keys...)
	}
}

// groupAnalysis makes the groups that aggregates and related lists ask for.
func (ix *gpIndex) groupAnalysis() {
	ix.groupWords(GPState, GPCountry, GPJurisdiction)
	ix.groupStrategies()
}

func (ix *gpIndex) groupStrategies() {
	ix.strategy = ix.by(func(g *GP) string { return g.PrimaryStrategy })
}

func (ix *gpIndex) group() {
	for id := range gpWords {
		ix.groupWords(id)
	}
	ix.groupStrategies()
	for id := range gpAnswers {
		of := gpAnswers[id].Of
		ix.answers[id] = filed(len(ix.all), func(i uint32) Tri { return *of(&ix.all[i]) })
	}
}

func (ix *gpIndex) values(of func(g *GP) any) []int64 {
	v := make([]int64, len(ix.all))
	for i := range v {
		v[i] = numberIn(of(&ix.all[i]))
	}
	return v
}

func (ix *gpIndex) sortBy() {
	ix.nameAsc, ix.nameDesc = column.SortNames(len(ix.all), func(i uint32) string { return ix.all[i].LegalName }, text.AppendNormal, ix.tie)
	for id := range gpNumbers {
		values := ix.values(gpNumbers[id].Of)
		switch id {
		case GPAUM:
			ix.aumAsc = column.Turned(values, ix.known)
		case GPFundCount:
			ix.fundsAsc, ix.fundsDesc, ix.numbers[id] = column.SortNumbers(values, ix.tie)
		case GPEmployees:
			ix.staffAsc, ix.staffDesc, ix.numbers[id] = column.SortNumbers(values, ix.tie)
		default:
			ix.numbers[id] = column.NewNumbers(values)
		}
	}
	ix.canonical = column.NewNumbers(ix.values(func(g *GP) any { return &g.CanonicalID }))
	ix.tie = nil
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

// stateKey brings a state to one form, codes and names alike; places that are no US state go by their normalised name.
func stateKey(s string) string {
	s = text.Normalise(s)
	if code, ok := vocab.StateCode(s); ok {
		return code
	}
	return s
}

const secondsPerDay = 24 * 60 * 60

// day numbers a date; the zero time is Unknown.
func day(t time.Time) int64 {
	if t.IsZero() {
		return Unknown
	}
	s := t.Unix()
	d := s / secondsPerDay
	if s%secondsPerDay < 0 {
		d--
	}
	return d
}
