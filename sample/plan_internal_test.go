package sample

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The large catalog is planned in full, but not written: that takes its time and says nothing new.
func TestTheLargeCatalogHasTheCountsItPromises(t *testing.T) {
	t.Parallel()
	s, err := scaleNamed(SEC)
	require.NoError(t, err)
	p := draft(DefaultSeed, s)
	sum := p.summary()
	require.Equal(t, []int{40_000, 250_000}, []int{sum.Advisers, sum.Funds})
	crds, ids, stems := map[int]bool{}, map[string]bool{}, map[string]bool{}
	giants, home, wrong := 0, 0, 0
	check := func(ok bool) { // a quarter of a million assertions would take longer than the work
		if !ok {
			wrong++
		}
	}
	for i := range p.advisers {
		a := &p.advisers[i]
		check(len(a.filings) > 0)
		crds[a.crd] = true
		stems[a.domain] = true
		for k := range a.funds {
			ids[a.funds[k].id] = true
			check(onlyLatin1(a.funds[k].name))
		}
		for _, n := range a.names {
			check(n.legal != "" && onlyLatin1(n.legal+n.business))
		}
		if a.home {
			home++
		}
		if last := len(a.filings) - 1; a.registeredAt(last) && a.assetsAt(last) > 100e9 {
			giants++
		}
	}
	require.Zero(t, wrong, "advisers without filings or names, or names that Windows-1252 cannot hold")
	require.Len(t, crds, 40_000, "CRD numbers are unique")
	require.Len(t, ids, sum.FundsAll, "fund ids are unique")
	require.Len(t, stems, p.organizations)
	require.Greater(t, giants, 20)
	require.Less(t, giants, 200)
	require.InDelta(t, 35_000, home, 1_200)
}

// No number leaves its block at the largest scale either, and none is given twice.
func TestTheLargestCatalogHasNumbersEnough(t *testing.T) {
	t.Parallel()
	s, err := scaleNamed(Ten)
	require.NoError(t, err)
	p := &plan{scale: s}
	crds, sec, people := map[int]bool{}, map[string]bool{}, make([]bool, 10_000_000)
	outside, twice := 0, 0
	for i := range s.advisers {
		a := adviser{index: i, crd: crdOf(i), registered: true}
		crds[a.crd], sec[a.secNumberAt(0)] = true, true
		if six, eight := a.crd/100_000, a.crd/1_000_000; (six < 7 || six > 9) && eight != 90 {
			outside++
		}
		for slot := range s.personIDs {
			id := p.personID(i, slot)
			if id < 8_400_000 || id > 9_999_999 {
				outside++
				continue
			}
			if people[id] {
				twice++
			}
			people[id] = true
		}
	}
	require.Zero(t, outside)
	require.Len(t, crds, s.advisers)
	require.Len(t, sec, s.advisers)
	require.Zero(t, twice)
	ids, notices, funds := map[string]bool{}, map[string]bool{}, uint64(3_000_000)
	for n := uint64(0); n < funds; n += 37 { // some, spread over all: the rest follows the same step
		f := fund{number: n + 1}
		ids[fundID(n)], notices[f.noticeNumber()] = true, true
	}
	require.Len(t, ids, 81_082)
	require.Len(t, notices, 81_082)
	require.Equal(t, "805-1002456262", fundID(0))
	require.Len(t, leiOf(crdOf(399_999)), 20)
	require.Len(t, leiOf(crdOf(0)), 20)
}

func TestStemsAreNeverSharedAndSpellOneDomainEach(t *testing.T) {
	t.Parallel()
	seen := make(map[string]bool, 170_000)
	for i := range 130_000 {
		seen[domainOf(stemOf(i, false))] = true
	}
	for i := range 40_000 {
		seen[domainOf(stemOf(i, true))] = true
	}
	require.Len(t, seen, 170_000)
	odd := 0
	for d := range seen {
		if strings.Trim(d, "abcdefghijklmnopqrstuvwxyz.") != "" || strings.Count(d, ".") != 1 {
			odd++
		}
	}
	require.Zero(t, odd, "a domain has plain letters only")
}

func TestZipfGivesTheExactTotal(t *testing.T) {
	t.Parallel()
	for _, c := range [][3]int{{1, 1, 5}, {1, 50, 5}, {10, 10, 5}, {290, 2000, 5}, {38_000, 250_000, 20}} {
		counts := zipf(c[0], c[1], c[2])
		sum := 0
		for _, n := range counts {
			sum += n
		}
		require.Equal(t, c[1], sum)
		require.Positive(t, counts[len(counts)-1])
		require.True(t, slices.IsSortedFunc(counts, func(a, b int) int { return b - a }))
	}
}

func TestFixedPointArithmetic(t *testing.T) {
	t.Parallel()
	require.Equal(t, int64(one), exp2(0))
	require.InDelta(t, 2*one, exp2(one), 100)
	require.InDelta(t, one/2, exp2(-one), 100)
	require.InDelta(t, 92682, exp2(one/2), 100)
	require.Equal(t, int64(90e9), scale(30e9, 3*one))
	require.Equal(t, int64(0), isqrt(0))
	require.Equal(t, int64(99), isqrt(9999))
	require.Equal(t, int64(100), isqrt(10_000))
	r, sum := newRandom(1, 2, 3), int64(0)
	for range 10_000 {
		sum += r.normal()
	}
	require.InDelta(t, 0, sum/10_000, one/20)
}

func TestRomanNumbersAndColumnLists(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]string{1: "I", 4: "IV", 9: "IX", 14: "XIV", 40: "XL", 58: "LVIII"} {
		require.Equal(t, want, roman(n))
	}
	require.Equal(t, []string{"A", "5B1", "5B2", "5B3", "11H1a", "11H1b"}, columns("A,5B1..3", "11H1a..b"))
	require.Len(t, headerBaseA, 243)
	require.Len(t, headerERA, 111)
	require.Len(t, headerFunds, 38)
}

// onlyLatin1 says whether Windows-1252 can hold a text the way it is written here.
func onlyLatin1(s string) bool {
	return !slices.ContainsFunc([]rune(s), func(r rune) bool { return r > 0xff || (r >= 0x80 && r < 0xa0) })
}
