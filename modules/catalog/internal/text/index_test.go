package text_test

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"gpatlas/modules/catalog/internal/text"
	"gpatlas/platform/testkit/testscale"
)

// sameAsNaive compares everything that a Matches says with the naive reading.
func (c *corpus) sameAsNaive(t require.TestingT, ix *text.Index, query string) {
	want, begun := c.naiveRanks(query)
	sameAs(t, ix, len(c.of), query, want, begun)
}

func sameAs(t require.TestingT, ix *text.Index, records int, query string, want map[uint32]int, begun map[uint32]bool) {
	m := ix.Match(query)
	defer m.Release()
	require.Equal(t, ordered(want, text.Relevance, nil), m.Best(nil, text.Relevance, text.Only{}, 0, records+1), "query %q", query)
	require.Equal(t, len(want), m.Count(), "query %q", query)
	set := m.Set()
	for r := range uint32(records) {
		wantRank, in := want[r]
		rank, ok := m.Rank(r)
		if inSet := set != nil && set[r>>6]>>(r&63)&1 == 1; inSet != in || ok != in || rank != wantRank {
			require.Failf(t, "set or rank differ", "query %q, record %d", query, r)
		}
	}
	samePages(t, ix, records, query, want, begun)
}

// ordered lists what a query finds among some records, nil for all.
func ordered(found map[uint32]int, by text.Ranking, only map[uint32]bool) (hits []text.Hit) {
	for r, rank := range found {
		if only == nil || only[r] {
			hits = append(hits, text.Hit{Record: r, Rank: rank})
		}
	}
	slices.SortFunc(hits, func(a, b text.Hit) int {
		return cmp.Or(cmp.Compare(slices.Index(by, a.Rank), slices.Index(by, b.Rank)), cmp.Compare(a.Record, b.Record))
	})
	return hits
}

// samePages compares pages of an answer in every form of restriction, in another order of the ranks too. Each is asked of
// a fresh answer, for what has been worked out before must not matter.
func samePages(t require.TestingT, ix *text.Index, records int, query string, plain map[uint32]int, begun map[uint32]bool) {
	rng := rand.New(rand.NewPCG(uint64(len(query)), uint64(len(plain))))
	by := text.Ranking(rng.Perm(text.Begins + rng.IntN(2))) // with the rank Begins or without
	withBegins := maps.Clone(plain)
	if slices.Contains(by, text.Begins) {
		for r := range plain {
			if begun[r] {
				withBegins[r] = text.Begins
			}
		}
	}
	for i, order := range []text.Ranking{text.Relevance, by, text.Relevance, by} {
		only, chosen := text.Only{}, map[uint32]bool(nil)
		want := plain
		if i%2 == 1 {
			want = withBegins
		}
		if i > 0 {
			only.Bits, chosen = make([]uint64, (records+63)/64), map[uint32]bool{}
			for r := range uint32(records) {
				if _, matches := want[r]; (i < 3 || matches) && rng.IntN(3) > 0 {
					only.Bits[r>>6] |= 1 << (r & 63)
					only.List = append(only.List, r)
					chosen[r] = true
				}
			}
			only.N, only.Within = len(only.List), i == 3
			switch {
			case i == 2 && only.N > 0:
				only.Bits = nil
			case i == 3 && rng.IntN(2) == 0:
				only.Bits = nil
			default:
				only.List = nil
			}
		}
		skip, limit := rng.IntN(len(want)/2+1), 1+rng.IntN(30)
		expected := ordered(want, order, chosen)
		expected = expected[min(skip, len(expected)):]
		expected = expected[:min(limit, len(expected))]
		m := ix.Match(query)
		got := m.Best(nil, order, only, skip, limit)
		require.ElementsMatch(t, expected, got, "query %q, form %d, %d from %d", query, i, limit, skip)
		require.True(t, slices.Equal(expected, got), "query %q, form %d, %d from %d", query, i, limit, skip)
		m.Release()
	}
}

// TestMatchIsTheDefinition asks 1,900 random queries; a factor of 3 in GPATLAS_TEST_ROUNDS asks the 5,100 of old.
func TestMatchIsTheDefinition(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(7, 11))
	ranked := map[int]int{}
	for _, size := range []int{1, 63, 64, 65, 400, 3000} {
		records := randomRecords(rng, size)
		ix, naive := build(records), newCorpus(records)
		queries := testscale.Rounds(t, 370)
		if size > 1000 {
			queries = testscale.Rounds(t, 50) // large enough for frequent words and short prefixes to be bitsets
		}
		for range queries {
			query := randomQuery(rng, records)
			want, begun := naive.naiveRanks(query)
			sameAs(t, ix, len(records), query, want, begun)
			for _, rank := range want {
				ranked[rank]++
			}
		}
	}
	for rank := range 9 {
		require.Greater(t, ranked[rank], 100, "records of rank %d", rank)
	}
}

func TestMatchIsTheDefinitionForAnyText(t *testing.T) {
	t.Parallel()
	letters := rapid.StringOfN(rapid.SampledFrom([]rune("abcab1é漢я .&'")), 0, 45, -1)
	rapid.Check(t, func(t *rapid.T) {
		records := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) record {
			return record{rapid.SliceOfN(letters, 0, 3).Draw(t, "names"), letters.Draw(t, "location")}
		}), 1, 80).Draw(t, "records")
		ix, naive := build(records), newCorpus(records)
		for range 8 {
			query := letters.Draw(t, "query")
			if rapid.Bool().Draw(t, "near") {
				names := rapid.SampledFrom(records).Draw(t, "record").names
				if len(names) > 0 {
					query = names[0]
					if i := rapid.IntRange(0, 45).Draw(t, "at"); i < len([]rune(query)) {
						r := []rune(query)
						query = string(r[:i]) + string(r[i+1:])
					}
				}
			}
			naive.sameAsNaive(t, ix, query)
		}
	})
}

func TestQueriesWithoutLettersMatchNothing(t *testing.T) {
	t.Parallel()
	ix := build([]record{{names: []string{"Alder Ridge Capital"}}})
	for _, q := range []string{"", "  ", "%", "_", "..", "''", "\x00", "\xff\xfe", "—"} {
		m := ix.Match(q)
		require.Nil(t, m, "%q", q)
		require.Zero(t, m.Count())
		require.Nil(t, m.Set())
		require.Empty(t, m.Best(nil, text.Relevance, text.Only{}, 0, 10))
		_, ok := m.Rank(0)
		require.False(t, ok)
		m.Release()
		require.Nil(t, ix.FullNames(q))
	}
}

func TestAnEmptyIndexAnswers(t *testing.T) {
	t.Parallel()
	for _, ix := range []*text.Index{build(nil), build([]record{{}}), text.NewBuilder(5).Build()} {
		for _, q := range []string{"a", "capital", "漢字", "capitla partners"} {
			m := ix.Match(q)
			require.Zero(t, m.Count())
			require.Nil(t, m.Set())
			m.Release()
		}
	}
}

func TestRecordsMayComeInAnyOrder(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	records := randomRecords(rng, 300)
	b := text.NewBuilder(len(records))
	for _, i := range rng.Perm(len(records)) {
		b.Add(uint32(i), records[i].names, records[i].location)
	}
	ix, naive := b.Build().Strict(), newCorpus(records)
	for range 300 {
		naive.sameAsNaive(t, ix, randomQuery(rng, records))
	}
}

func TestFullNames(t *testing.T) {
	t.Parallel()
	ix := build([]record{
		{names: []string{"Alder Ridge Capital, L.P."}},
		{names: []string{"Alder Ridge", "ALDER RIDGE CAPITAL LP"}},
		{names: []string{"Alder Ridge Capital"}, location: "LP"},
		{names: []string{"Alder", "Ridge Capital LP"}},
	})
	for _, q := range []string{"alder ridge capital lp", "alder ridge capital l p", "AlderRidge Capital Limited Partnership"} {
		require.Equal(t, []uint32{0, 1}, ix.FullNames(q))
	}
	require.Empty(t, ix.FullNames("nobody"))
}

func TestConcurrentQueriesDoNotMix(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 4))
	records := randomRecords(rng, 500)
	ix, naive := build(records), newCorpus(records)
	var queries []string
	var want []map[uint32]int
	for range 200 {
		q := randomQuery(rng, records)
		ranks, _ := naive.naiveRanks(q)
		queries, want = append(queries, q), append(want, ranks)
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for i, q := range queries {
				m := ix.Match(q)
				got := map[uint32]int{}
				for r := range uint32(len(records)) {
					if rank, ok := m.Rank(r); ok {
						got[r] = rank
					}
				}
				m.Release()
				if !maps.Equal(got, want[i]) {
					t.Errorf("query %q: other ranks than alone", q)
				}
			}
		})
	}
	wg.Wait()
}

var (
	firsts = strings.Fields("alder ridge birch cedar granite harbor harbour juniper kestrel lakeshore lake meadow north northern " +
		"northwind oak oakmont pine quarry river riverbend summit thornfield upland vale valley willow zephyr blackwater black " +
		"silverpine silver são müller société d j p e h.i.g. jp the 72 point72 3i a16z harbor.vc " +
		"oak.pine.labs team8 8labs société.vc ")
	seconds = strings.Fields("capital partners management advisors advisers equity ventures venture credit growth fund holdings " +
		"investments investors group global real estate llc lp inc l.p. ii iii iv 2024 & 1-2 ltd limited co company partnership liability " +
		"mgmt s b v 19 pte.ltd. ptelimited pte labs 1st 2vc")
	places = []string{"New York, NY, United States", "San Francisco, CA, United States", "London, United Kingdom", "Austin, TX", "Zürich", ""}
)

func randomRecords(rng *rand.Rand, n int) []record {
	records := make([]record, n)
	for i := range records {
		for range 1 + rng.IntN(2) {
			name := firsts[rng.IntN(len(firsts))]
			for range 1 + rng.IntN(4) {
				name = fmt.Sprint(name, " ", seconds[rng.IntN(len(seconds))])
			}
			if rng.IntN(3) == 0 {
				name = strings.ToUpper(name)
			}
			records[i].names = append(records[i].names, name)
		}
		records[i].location = places[rng.IntN(len(places))]
	}
	return records
}

// randomQuery takes words of a record, cuts, mistypes and shuffles them.
func randomQuery(rng *rand.Rand, records []record) string {
	r := records[rng.IntN(len(records))]
	if rng.IntN(10) == 0 {
		return r.names[0]
	}
	pool := append(text.Words(r.names[rng.IntN(len(r.names))]), text.Words(r.location)...)
	if rng.IntN(4) == 0 {
		pool = append(pool, firsts[rng.IntN(len(firsts))])
	}
	rng.Shuffle(len(pool), func(i, j int) { pool[i], pool[j] = pool[j], pool[i] })
	var words []string
	for _, w := range pool[:1+rng.IntN(min(4, len(pool)))] {
		letters := []rune(w)
		i := rng.IntN(len(letters))
		switch rng.IntN(8) {
		case 0:
			letters = letters[:i+1]
		case 1:
			letters = letters[i:]
		case 2:
			letters = append(letters[:i:i], letters[i+1:]...)
		case 3:
			letters[i] = rune('a' + rng.IntN(26))
		case 4:
			if i > 0 {
				letters[i], letters[i-1] = letters[i-1], letters[i]
			}
		case 5:
			letters = append(letters[:i:i], append([]rune{'x'}, letters[i:]...)...)
		}
		words = append(words, string(letters))
	}
	return strings.Join(words, []string{" ", " ", " ", ".", ""}[rng.IntN(5)])
}
