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
	"gpatlas/platform/testkit/testscale"
)

// Form ADV first or Form D first, in whatever order, one by one or together: the end is the same, and what was worked out
// step by step is what working everything out anew gives. Six seeds are the full figure.
func TestFormDInAnyOrder(t *testing.T) {
	t.Parallel()
	var byNumber, byName atomic.Int64
	t.Run("seeds", func(t *testing.T) {
		t.Parallel()
		for seed := range uint64(testscale.Rounds(t, 2)) {
			t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) {
				t.Parallel()
				number, name := anyOrder(t, rand.New(rand.NewPCG(seed, 7)))
				byNumber.Add(number)
				byName.Add(name)
			})
		}
	})
	t.Cleanup(func() { // not by require, which would end the clean-up and with it the report of what failed in the seeds
		if !t.Failed() && (byNumber.Load() <= 5 || byName.Load() <= 5) {
			t.Errorf("%d joins by number and %d by name", byNumber.Load(), byName.Load())
		}
	})
}

func anyOrder(t *testing.T, rng *rand.Rand) (byNumber, byName int64) {
	t.Helper()
	var docs []streamed
	for n := range 6 {
		docs = append(docs, randomArchive(rng, n))
	}
	accessions := rng.Perm(40)
	for n := range 5 {
		docs = append(docs, randomNotices(rng, accessions[n*7:n*7+7]))
	}
	together := newBench(t)
	together.together(docs...)
	want, wantFormD := together.state(), together.formD()
	for _, j := range together.joins() {
		if j[2] == "name" {
			byName++
		} else {
			byNumber++
		}
	}
	for _, order := range orders(rng, len(docs), 1) {
		b := newBench(t)
		for _, n := range order {
			switch d := docs[n].(type) {
			case document:
				b.load(d)
			case notices:
				b.loadD(d)
			}
		}
		require.Equal(t, want, b.state(), "order %v", order)
		require.Equal(t, wantFormD, b.formD(), "order %v", order)
		b.requireWorkedOut()
		b.close()
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

// The same step by step, with filings and notices that are restated on the way. Forty-five steps are the full figure.
func TestFormDStepByStep(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(11, 19)) // one that finds when the earlier advisers of a fund are forgotten (affected.sql)
	b := newBench(t)
	filings, notices := 0, 0 // steps that restate some
	by := map[string]int{}   // joins after each step
	for range testscale.Rounds(t, 15) {
		if rng.IntN(2) == 0 {
			if b.load(randomArchive(rng, rng.IntN(3))).FilingsChanged > 0 {
				filings++
			}
		} else if b.loadD(randomNotices(rng, rng.Perm(16)[:4])).FilingsChanged > 0 {
			notices++
		}
		b.requireWorkedOut()
		for _, j := range b.joins() {
			by[j[2]]++
		}
	}
	require.Greater(t, filings, 2)
	require.Greater(t, notices, 2)
	require.Greater(t, by["name"], 2)
	require.Greater(t, by["file_number"], 2)
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
		f.City = catalogapi.Text(pickOf(rng, "Boston", "RENO ", "Austin", ""))
		f.State = catalogapi.Text(pickOf(rng, "MA", "ma", "NV"))
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
		d.offerings[0].Remaining = []*int64{nil, new(int64(0)), new(int64(4e8))}[n%3]
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
