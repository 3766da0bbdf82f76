package column

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// A column's range, taken from the prefix bitsets, is the range taken by looking at every value: with ranges narrower
// than the distance of two prefixes, ties, unknown values and ends the wrong way round.
func TestColumnRanges(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.SampledFrom([]int{0, 1, 63, 64, 65, 700, 5000}).Draw(t, "records")
		spread := rapid.SampledFrom([]int64{1, 3, 50, 1 << 40}).Draw(t, "spread")
		seed := rapid.Uint64().Draw(t, "seed")
		values := make([]int64, n)
		for i := range values {
			seed = seed*6364136223846793005 + 1442695040888963407
			values[i] = int64(seed>>20) % spread
			if seed>>60 == 0 {
				values[i] = Unknown
			}
		}
		c := NewNumbers(values)
		got, dirty := NewBits(n), NewBits(n)
		dirty.SetRange(0, uint32(n))
		for range 20 {
			r := drawRange(t, values, spread)
			var want []uint32
			for i, v := range values {
				if v != Unknown && (r.Min == nil || v >= *r.Min) && (r.Max == nil || v <= *r.Max) {
					want = append(want, uint32(i))
				}
			}
			a, b := c.bounds(r)
			if b-a != len(want) && (b > a || len(want) > 0) {
				t.Fatalf("bounds %d..%d, want %d records", a, b, len(want))
			}
			if b <= a {
				continue
			}
			copy(got, dirty)
			c.fill(got, a, b)
			if list := got.AppendAll(nil); !slices.Equal(list, want) {
				t.Fatalf("fill gave %d records, want %d", len(list), len(want))
			}
			cond := InRange(c, r)
			for i := range uint32(n) {
				if cond.Has(i) != got.Has(i) {
					t.Fatalf("has(%d) differs from the set", i)
				}
			}
			if list := cond.AppendAll(nil); !slices.Equal(list, want) {
				t.Fatalf("appendAll gave %d records, want %d", len(list), len(want))
			}
		}
	})
}

func drawRange(t *rapid.T, values []int64, spread int64) (r Range) {
	end := func(label string) *int64 {
		v := rapid.Int64Range(-1, spread).Draw(t, label)
		if len(values) > 0 && rapid.Bool().Draw(t, label+" is one of the values") {
			v = values[rapid.IntRange(0, len(values)-1).Draw(t, label+" at")]
		}
		if v == Unknown {
			v = 0
		}
		return &v
	}
	switch rapid.IntRange(0, 3).Draw(t, "ends") {
	case 0:
		r.Min = end("min")
	case 1:
		r.Max = end("max")
	case 2:
		r.Min = end("min")
		narrow := *r.Min + rapid.Int64Range(0, 2).Draw(t, "width")
		r.Max = &narrow
	default:
		r.Min, r.Max = end("min"), end("max")
	}
	return r
}

// Every way to page gives the page that sorting all hits would: by walking the order from either end, by the heap, out
// of a list or bits, within a window or not.
func TestPagesOfAnOrder(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.SampledFrom([]int{1, 64, 130, 1500}).Draw(t, "records")
		values, tie := make([]int64, n), make([]uint32, n)
		seed := rapid.Uint64().Draw(t, "seed")
		for i := range values {
			seed = seed*6364136223846793005 + 1442695040888963407
			values[i], tie[i] = int64(seed>>58), uint32(i*7%n)
			if seed>>30&7 == 0 {
				values[i] = Unknown
			}
		}
		asc, desc, c := SortNumbers(values, tie)
		o := rapid.SampledFrom([]*Order{asc, desc, Identity}).Draw(t, "order")
		conds := []Cond{InRange(c, drawRange(t, values, 64))}
		if rapid.Bool().Draw(t, "second condition") {
			every := rapid.Uint32Range(1, 9).Draw(t, "every")
			conds = append(conds, InSet(SetWhere(n, func(i uint32) bool { return i%every == 0 })))
		}
		var want []uint32
		for at := range uint32(n) {
			rec := at
			if o != Identity {
				rec = o.perm[at]
			}
			if !slices.ContainsFunc(conds, func(c Cond) bool { return !c.Has(rec) }) || conds[0].n == 0 {
				want = append(want, rec)
			}
		}
		if conds[0].n == 0 {
			want = nil
		}
		s := &Scratch{A: NewBits(n), B: NewBits(n)}
		r := Run(n, conds, s)
		if r.N != len(want) {
			t.Fatalf("%d hits, want %d", r.N, len(want))
		}
		for range 10 {
			limit, offset := rapid.IntRange(0, 30).Draw(t, "limit"), rapid.IntRange(0, n+1).Draw(t, "offset")
			page := r.Page(o, conds, limit, offset, s)
			from := min(offset, len(want))
			if !slices.Equal(page, want[from:min(from+limit, len(want))]) {
				t.Fatalf("page of %d at %d is %v, want %v", limit, offset, page, want[from:min(from+limit, len(want))])
			}
		}
	})
}

// The numbers below a bound, a whole stretch and single bits, at every place in a word.
func TestWordRanges(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 200).Draw(t, "records")
		lo := rapid.Uint32Range(0, uint32(n)).Draw(t, "lo")
		hi := rapid.Uint32Range(0, uint32(n)).Draw(t, "hi")
		w, kept := NewBits(n), NewBits(n)
		w.SetRange(lo, hi)
		for i := range uint32(n) {
			kept.Set(i)
		}
		kept.KeepRange(lo, hi)
		for i := range uint32(n) {
			if in := i >= lo && i < hi; w.Has(i) != in || kept.Has(i) != in {
				t.Fatalf("%d in %d..%d: set %v, kept %v", i, lo, hi, w.Has(i), kept.Has(i))
			}
		}
	})
}
