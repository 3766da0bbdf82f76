package column

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// shuffled is the numbers below n in any order.
func shuffled(rng *rand.Rand, n int) []uint32 {
	order := make([]uint32, n)
	for i, at := range rng.Perm(n) {
		order[i] = uint32(at)
	}
	return order
}

// Sorting byte by byte gives what sorting by comparison gives: few and many records, values of any sign and size, ties,
// and unknown ones last in both directions.
func TestSortsOfNumbers(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(7, 7))
	for _, n := range []int{0, 1, 40, radixFrom - 1, radixFrom, 5000} {
		for _, spread := range []int64{1, 3, 1000, 1 << 40, math.MaxInt64} {
			values, tie := make([]int64, n), shuffled(rng, n)
			for i := range values {
				values[i] = rng.Int64N(spread) - rng.Int64N(spread)
				if rng.IntN(9) == 0 {
					values[i] = Unknown
				}
			}
			for _, tie := range [][]uint32{tie, nil} {
				rank := make([]uint32, n)
				for i := range rank {
					rank[i] = uint32(i)
				}
				if tie != nil {
					rank = Ranks(tie)
				}
				list := func(sign int) []uint32 {
					perm := shuffled(rng, n)
					slices.SortFunc(perm, func(a, b uint32) int {
						if x, y := values[a] == Unknown, values[b] == Unknown; x || y {
							return cmp.Or(map[bool]int{true: 1}[x]-map[bool]int{true: 1}[y], cmp.Compare(rank[a], rank[b]))
						}
						return cmp.Or(sign*cmp.Compare(values[a], values[b]), cmp.Compare(rank[a], rank[b]))
					})
					return perm
				}
				up, known := Ascending(values, tie)
				require.Equal(t, list(1), up)
				down, _ := Descending(values, tie)
				require.Equal(t, list(-1), down)
				require.Equal(t, n-len(slices.DeleteFunc(slices.Clone(values), func(v int64) bool { return v != Unknown })), known)
				if tie != nil {
					asc, desc, _ := SortNumbers(values, tie)
					require.Equal(t, up, asc.perm)
					require.Equal(t, down, desc.perm)
				}
				// Numbered by descending value, the records have their ascending order without sorting.
				numbered := Arrange(new(slices.Clone(values)), down)
				if tie == nil {
					turned, _ := Ascending(numbered, nil)
					require.Equal(t, turned, Turned(numbered, known).perm)
				}
				rows := slices.Clone(values)
				Rearrange(rows, down)
				require.Equal(t, numbered, rows)
			}
		}
	}
}

// Names are sorted by their normalized form, then as they stand, then by the order given: with names that begin alike for
// longer than a step, that are the beginning of another, and that differ in their spelling alone.
func TestSortNames(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 5))
	normal := func(dst []byte, s string) []byte { return append(dst, strings.ToLower(s)...) }
	for _, n := range []int{0, 1, 50, 3000} {
		for _, letters := range []string{"ab", "aBAb ", "abcdefghijkl mnoXYZ"} {
			names, tie := make([]string, n), shuffled(rng, n)
			for i := range names {
				if i > 0 && rng.IntN(3) == 0 {
					names[i] = names[rng.IntN(i)]
				}
				for range rng.IntN(12) {
					names[i] += string(letters[rng.IntN(len(letters))])
				}
			}
			rank := Ranks(tie)
			want := func(sign int) []uint32 {
				perm := shuffled(rng, n)
				slices.SortFunc(perm, func(a, b uint32) int {
					return cmp.Or(sign*strings.Compare(strings.ToLower(names[a]), strings.ToLower(names[b])),
						sign*strings.Compare(names[a], names[b]), cmp.Compare(rank[a], rank[b]))
				})
				return perm
			}
			asc, desc := SortNames(n, func(i uint32) string { return names[i] }, normal, tie)
			require.Equal(t, want(1), asc.perm)
			require.Equal(t, want(-1), desc.perm)
		}
	}
}

// Filing by code gives what filing record by record gives, whether the sets are lists or bits in the end.
func TestGroupsByCode(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(2, 8))
	for _, n := range []int{0, 1, 300, 20_000} {
		keys := [][]string{{"a"}, nil, {"a", "b"}, {"rare"}, {"rare", "b"}, {"never"}}
		codes := make([]uint32, n)
		lists := make([][]uint32, n)
		for i := range codes {
			codes[i] = uint32(rng.IntN(3))
			if rng.IntN(400) == 0 {
				codes[i] = 3 + uint32(rng.IntN(2))
			}
			for range rng.IntN(4) {
				lists[i] = append(lists[i], uint32(rng.IntN(5)*rng.IntN(5)*rng.IntN(50)))
			}
		}
		want := newGroups(n, func(i uint32, yield func(string)) {
			for _, k := range keys[codes[i]] {
				yield(k)
			}
		})
		got := GroupCodes(codes, keys)
		all := map[string][]uint32{}
		for k := range want.sets {
			all[k] = want.Get(k).AppendAll(nil)
			require.Equal(t, all[k], got.Get(k).AppendAll(nil))
			require.Equal(t, want.Get(k).Len(), got.Get(k).Len())
		}
		require.Len(t, got.sets, len(want.sets))
		byList := newGroups(n, func(i uint32, yield func(uint32)) {
			for _, k := range lists[i] {
				yield(k)
			}
		})
		require.Equal(t, byList, GroupLists(n, 1000, func(i uint32) []uint32 { return lists[i] }))
	}
}

// newGroups files the records 0…n-1 under the keys that keys yields for each; a record may have none or several.
func newGroups[K comparable](n int, keys func(i uint32, yield func(K))) Groups[K] {
	lists := map[K][]uint32{}
	for i := range uint32(n) {
		keys(i, func(k K) {
			if l := lists[k]; len(l) == 0 || l[len(l)-1] != i {
				lists[k] = append(l, i)
			}
		})
	}
	g := Groups[K]{sets: make(map[K]*Set, len(lists))}
	for k, l := range lists {
		g.sets[k] = NewSet(l, n)
	}
	return g
}
