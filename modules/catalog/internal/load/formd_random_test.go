package load_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
)

// Form ADV first or Form D first, in whatever order: the end is the same, and what was worked out step by step is what
// working everything out anew gives.
func TestFormDInAnyOrder(t *testing.T) {
	t.Parallel()
	var byNumber, byName atomic.Int64
	t.Run("seeds", func(t *testing.T) {
		t.Parallel()
		for seed := range uint64(4) {
			t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) {
				t.Parallel()
				number, name := anyOrder(t, rand.New(rand.NewPCG(seed, 7)))
				byNumber.Add(number)
				byName.Add(name)
			})
		}
	})
	t.Cleanup(func() {
		require.Positive(t, byNumber.Load())
		require.Positive(t, byName.Load())
	})
}

func anyOrder(t *testing.T, rng *rand.Rand) (byNumber, byName int64) {
	t.Helper()
	var loads []func(b *bench)
	for n := range 9 {
		d := randomArchive(rng, n)
		loads = append(loads, func(b *bench) { b.load(d) })
	}
	accessions := rng.Perm(40)
	for n := range 6 {
		d := randomNotices(rng, accessions[n*6:n*6+6])
		loads = append(loads, func(b *bench) { b.loadD(d) })
	}
	var want, wantFormD map[string][][]string
	for round := range 4 {
		b := newBench(t)
		for _, load := range loads {
			load(b)
		}
		b.requireWorkedOut()
		if round == 0 {
			want, wantFormD = b.state(), b.formD()
		}
		require.Equal(t, want, b.state(), "round %d", round)
		require.Equal(t, wantFormD, b.formD(), "round %d", round)
		for _, j := range b.joins() {
			if j[2] == "name" {
				byName++
			} else {
				byNumber++
			}
		}
		b.db.Close()
		rng.Shuffle(len(loads), func(i, k int) { loads[i], loads[k] = loads[k], loads[i] })
	}
	return byNumber, byName
}

// requireWorkedOut says that working everything out anew changes nothing.
func (b *bench) requireWorkedOut() {
	b.t.Helper()
	state, formD := b.state(), b.formD()
	changed, err := b.loader.RefreshDerived(b.t.Context())
	require.NoError(b.t, err)
	require.Equal(b.t, state, b.state())
	require.Equal(b.t, formD, b.formD())
	require.Zero(b.t, changed)
}

// The same step by step, with filings and notices that are restated on the way.
func TestFormDStepByStep(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(11, 13))
	b := newBench(t)
	for range 40 {
		if rng.IntN(2) == 0 {
			b.load(randomArchive(rng, rng.IntN(5)))
		} else {
			b.loadD(randomNotices(rng, rng.Perm(20)[:4]))
		}
		b.requireWorkedOut()
	}
	require.NotEmpty(t, b.joins())
}

// Few names, places and numbers, so that they meet.
func randomArchive(rng *rand.Rand, n int) document {
	d := archive(fmt.Sprintf("adv-%d.zip", n))
	for i, crd := range []string{"7001", "7002", "7003"} {
		if rng.IntN(3) == 0 {
			continue
		}
		id := strconv.Itoa(n*10 + i)
		f := filing("1"+id, crd, fmt.Sprintf("20%02d-0%d-1%d", 12+n, 1+rng.IntN(9), i), "ADVISER "+crd)
		f.City = pickOf(rng, "Boston", "RENO ", "Austin", "")
		f.State = pickOf(rng, "MA", "ma", "NV")
		d.filings = append(d.filings, f)
		for k := range 5 {
			if rng.IntN(2) == 0 {
				continue
			}
			row := fund(f.Key, fmt.Sprintf("00000000%02d", k), randomName(rng), 1e6<<rng.IntN(9))
			d.funds = append(d.funds, row)
			if rng.IntN(3) == 0 {
				d.formD = append(d.formD, &catalogapi.FormDRow{FilingKey: f.Key, ReferenceID: row.ReferenceID, FileNumber: fmt.Sprintf("021-%d", rng.IntN(12))})
			}
		}
	}
	return d
}

func randomName(rng *rand.Rand) string {
	return pickOf(rng, "Quill", "Tern", "Larkspur", "Emerging") + " " + pickOf(rng, "Growth", "Markets") + " Fund" +
		pickOf(rng, "", " II") + pickOf(rng, "", ", L.P.", " LP", " Ltd")
}

func randomNotices(rng *rand.Rand, accessions []int) notices {
	var all []notices
	for _, n := range accessions {
		number := ""
		if rng.IntN(3) > 0 {
			number = fmt.Sprintf("021-%d", rng.IntN(20))
		}
		date := fmt.Sprintf("20%02d-0%d-1%d", 10+rng.IntN(15), 1+rng.IntN(9), rng.IntN(9))
		d := notice(n, number, date, randomName(rng), from(pickOf(rng, "BOSTON", "Reno"), pickOf(rng, "MA", "NV")),
			offered(pickOf(rng, "06", "06b", "06c", "04"), pickOf(rng, "3C.1", "06c")),
			sold(fmt.Sprintf("%d-01-01", pickOf(rng, 2005, 2008, 2012, 2100, 1492))))
		if rng.IntN(3) == 0 {
			amends(rng.IntN(40))(d.offerings[0], nil)
		}
		all = append(all, d)
	}
	return several(all...)
}

func pickOf[T any](rng *rand.Rand, of ...T) T { return of[rng.IntN(len(of))] }

// Chains do not depend on the order in which their notices are looked at, but for the name of their first.
func TestChainsOfAnyNotices(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	rng := rand.New(rand.NewPCG(3, 5))
	docs := make([]notices, 0, 30)
	for n := range 30 {
		docs = append(docs, randomNotices(rng, []int{n}))
	}
	b.loadD(several(docs...))
	want := b.rows(`SELECT accession, chain FROM catalog.offerings ORDER BY accession`)
	groups := map[string]bool{}
	for _, r := range want {
		groups[r[1]] = true
	}
	require.Less(t, len(groups), 30)
	for range 3 {
		rng.Shuffle(len(docs), func(i, k int) { docs[i], docs[k] = docs[k], docs[i] })
		again := newBench(t)
		for part := range slices.Chunk(docs, 7) {
			again.loadD(several(part...))
		}
		require.Equal(t, want, again.rows(`SELECT accession, chain FROM catalog.offerings ORDER BY accession`))
	}
}
