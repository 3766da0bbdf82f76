package index

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"gpatlas/modules/catalog/internal/text"
	"gpatlas/modules/catalog/internal/vocab"
)

// gpIndex holds the advisers, numbered by AUM: 0 has the most, the unknown come last, ties by CRD.
type gpIndex struct {
	all   []GP
	byCRD map[string]uint32
	text  *text.Index
	known int // advisers with a known AUM: numbers 0…known-1

	city, state, country, code, strategy, registration, manager, org, basis groups[string]
	hasFunds, noFunds                                                       *set
	canonical, fundCount, employees, investors, registered, founded         *column

	nameAsc, nameDesc, aumAsc, fundsAsc, fundsDesc, staffAsc, staffDesc *order

	rows rowBytes // pre-rendered JSON, one list item a row
}

// newGPIndex takes gps over and puts them into their order.
func newGPIndex(gps []GP) *gpIndex {
	n := len(gps)
	ix := numberGPs(gps)
	ix.group()
	ix.sortBy(n)
	ix.text = gpText(gps)
	ix.rows = newRows(n, func(dst []byte, i uint32) []byte { return appendGPItem(dst, &gps[i]) })
	return ix
}

// numberGPs puts gps into the order of their numbers and makes the look-up by CRD.
func numberGPs(gps []GP) *gpIndex {
	sortGPs(gps)
	ix := &gpIndex{all: gps, byCRD: make(map[string]uint32, len(gps))}
	for i := range gps {
		ix.byCRD[gps[i].CRD] = uint32(i)
	}
	ix.known, _ = slices.BinarySearchFunc(gps, true, func(g GP, _ bool) int {
		if g.TotalAUM != Unknown {
			return -1
		}
		return 1
	})
	return ix
}

func sortGPs(gps []GP) {
	slices.SortFunc(gps, func(a, b GP) int { return compareGPs(&a, &b) })
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

// by files the advisers under a key; the empty one is none.
func (ix *gpIndex) by(key func(g *GP) string) groups[string] {
	return newGroups(len(ix.all), func(i uint32, yield func(string)) {
		if k := key(&ix.all[i]); k != "" {
			yield(k)
		}
	})
}

// groupAnalysis makes the groups that aggregates and related lists ask for.
func (ix *gpIndex) groupAnalysis() {
	ix.state = ix.by(func(g *GP) string { return strings.ToUpper(g.State) })
	ix.country = ix.by(func(g *GP) string { return text.Normalise(g.Country) })
	ix.code = ix.by(func(g *GP) string { return countryCode(g.CountryCode) })
	ix.strategy = ix.by(func(g *GP) string { return g.PrimaryStrategy })
}

func (ix *gpIndex) group() {
	ix.groupAnalysis()
	n := len(ix.all)
	ix.city = ix.by(func(g *GP) string { return text.Normalise(g.City) })
	ix.registration = ix.by(func(g *GP) string { return g.RegistrationStatus })
	ix.manager = ix.by(func(g *GP) string { return g.ManagerType })
	ix.basis = ix.by(func(g *GP) string { return g.FoundedYearBasis })
	ix.org = ix.by(func(g *GP) string { return stateKey(g.OrgState) })
	ix.hasFunds = setWhere(n, func(i uint32) bool { c := ix.all[i].FundCount; return c != Unknown && c > 0 })
	ix.noFunds = setWhere(n, func(i uint32) bool { c := ix.all[i].FundCount; return c != Unknown && c <= 0 })
}

func (ix *gpIndex) sortBy(n int) {
	values := func(get func(g *GP) int64) []int64 {
		v := make([]int64, n)
		for i := range v {
			v[i] = get(&ix.all[i])
		}
		return v
	}
	tie := crdRanks(ix.all)
	ix.nameAsc, ix.nameDesc = sortNames(n, func(i uint32) string { return ix.all[i].LegalName }, tie)
	ix.aumAsc = numberOrder(values(func(g *GP) int64 { return g.TotalAUM }), tie)
	ix.fundsAsc, ix.fundsDesc, ix.fundCount = valueOrders(values(func(g *GP) int64 { return g.FundCount }), tie)
	ix.staffAsc, ix.staffDesc, ix.employees = valueOrders(values(func(g *GP) int64 { return g.Employees }), tie)
	ix.investors = valueColumn(values(func(g *GP) int64 { return g.Investors }), tie)
	ix.founded = valueColumn(values(func(g *GP) int64 { return g.FoundedYear }), tie)
	ix.canonical = valueColumn(values(func(g *GP) int64 { return g.CanonicalID }), tie)
	ix.registered = valueColumn(values(func(g *GP) int64 { return day(g.RegisteredOn) }), tie)
}

// crdRanks gives each adviser its place by CRD, the tie-breaker of every order.
func crdRanks(gps []GP) []uint32 {
	perm := make([]uint32, len(gps))
	for i := range perm {
		perm[i] = uint32(i)
	}
	slices.SortFunc(perm, func(a, b uint32) int { return compareCRD(gps[a].CRD, gps[b].CRD) })
	return newOrder(perm).rank
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
