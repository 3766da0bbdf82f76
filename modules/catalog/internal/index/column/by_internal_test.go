package column

import (
	"cmp"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Records without an order are picked as sorting all of them would, out of everything, a list and bits; ranges over coded
// values and sets that are left out hold what a look at each value says.
func TestPickedPages(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.SampledFrom([]int{1, 64, 130, 3000}).Draw(t, "records")
		values, tie := make([]int64, n), make([]int64, n)
		seed := rapid.Uint64().Draw(t, "seed")
		spread := rapid.SampledFrom([]uint{40, 58}).Draw(t, "spread")
		for i := range values {
			seed = seed*6364136223846793005 + 1442695040888963407
			values[i], tie[i] = int64(seed>>spread), int64(i*7%n)*1000+int64(i) // #nosec G115 -- a test
			if seed>>30&7 == 0 {
				values[i] = Unknown
			}
		}
		coded := NewCoded(values)
		for i, v := range values {
			if coded.At(uint32(i)) != v {
				t.Fatalf("record %d has %d, want %d", i, coded.At(uint32(i)), v)
			}
		}
		r := drawRange(t, values, 64)
		every := rapid.Uint32Range(1, 9).Draw(t, "every")
		out := SetWhere(n, func(i uint32) bool { return i%every == 0 })
		conds := rapid.SampledFrom([][]Cond{nil, {Scan(coded, r)}, {NotInSet(out, n)}, {Scan(coded, r), NotInSet(out, n)}}).Draw(t, "conditions")
		var want []uint32
		for i := range uint32(n) {
			if !slices.ContainsFunc(conds, func(c Cond) bool {
				if c.not {
					return i%every == 0
				}
				v := values[i]
				return v == Unknown || r.Min != nil && v < *r.Min || r.Max != nil && v > *r.Max
			}) {
				want = append(want, i)
			}
		}
		s := &Scratch{A: NewBits(n), B: NewBits(n)}
		spare := NewBits(n)
		hits := NewBits(n)
		for i := range uint32(n) {
			if i%3 > 0 {
				hits.Set(i)
			}
		}
		for k := range conds {
			shared := 0
			for i := range uint32(n) {
				if hits.Has(i) && conds[k].Has(i) {
					shared++
				}
			}
			if got := conds[k].CountIn(hits, spare); got != shared {
				t.Fatalf("%d in common, want %d", got, shared)
			}
		}
		found := Run(n, conds, s)
		if found.N != len(want) {
			t.Fatalf("%d hits, want %d", found.N, len(want))
		}
		by := By{Value: coded.At, Tie: tie, Desc: rapid.Bool().Draw(t, "descending")}
		slices.SortFunc(want, func(a, b uint32) int {
			x, y := values[a], values[b]
			switch {
			case x == y:
				return cmp.Compare(tie[a], tie[b])
			case x == Unknown:
				return 1
			case y == Unknown:
				return -1
			case by.Desc:
				return cmp.Compare(y, x)
			}
			return cmp.Compare(x, y)
		})
		for range 10 {
			limit, offset := rapid.IntRange(0, 1500).Draw(t, "limit"), rapid.IntRange(0, n+1).Draw(t, "offset")
			page := found.PageBy(&by, limit, offset)
			from := min(offset, len(want))
			if !slices.Equal(page, want[from:min(from+limit, len(want))]) {
				t.Fatalf("page of %d at %d is %v, want %v", limit, offset, page, want[from:min(from+limit, len(want))])
			}
		}
	})
}
