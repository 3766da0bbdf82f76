package text_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/internal/text"
)

var typeahead = text.Ranking{0, text.Begins, 1, 3, 5, 2, 4, 6, 7, 8}

// Guarantee: a query with legal forms finds what it finds without them, in the same ranks; of each rank, those come first that bear the forms.
func TestALegalFormExcludesNothing(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(17, 19))
	forms := []string{"llc", "lp", "inc", "co", "limited", "ltd co", "pte ltd", "plc"}
	bearers, others := 0, 0
	for _, size := range []int{20, 400, 3000} {
		records := randomRecords(rng, size)
		b := text.NewBuilder(len(records))
		for i, r := range records {
			b.Add(uint32(i), r.names, r.location)
		}
		ix := b.Build()
		for range 120 {
			words := slices.DeleteFunc(text.Words(records[rng.IntN(size)].names[0]), func(w string) bool {
				return len(w) < 3 || slices.Contains(strings.Fields("and llc inc ltd limited company partnership liability pte ptelimited pteltd"), w)
			})
			if len(words) == 0 {
				continue
			}
			query := strings.Join(words[:1+rng.IntN(min(2, len(words)))], " ")
			form := forms[rng.IntN(len(forms))]
			plain, formed := ix.Match(query), ix.Match(query+" "+form)
			require.Equal(t, plain.Set(), formed.Set(), "%s %s", query, form)
			for _, by := range []text.Ranking{text.Relevance, typeahead} {
				full := ix.FullNames(query + " " + form)
				want := plain.Best(nil, by, text.Only{}, 0, size)
				for i := range want {
					isFull := slices.Contains(full, want[i].Record)
					if want[i].Rank == 0 && !isFull { // a full name of the query alone
						want[i].Rank, _ = formed.Rank(want[i].Record)
						if slices.Contains(by, text.Begins) && want[i].Rank <= 3 {
							want[i].Rank = text.Begins
						}
					}
					if isFull {
						want[i].Rank = 0
					}
				}
				slices.SortStableFunc(want, func(x, y text.Hit) int {
					way := func(h text.Hit) int {
						if h.Rank == 0 {
							return 0
						}
						return naiveWay(records[h.Record], form)
					}
					return cmp.Or(cmp.Compare(slices.Index(by, x.Rank), slices.Index(by, y.Rank)), cmp.Compare(way(x), way(y)), cmp.Compare(x.Record, y.Record))
				})
				for skip := 0; skip <= len(want); skip += 1 + rng.IntN(40) {
					limit := 1 + rng.IntN(30)
					page := want[skip:min(skip+limit, len(want))]
					require.Equal(t, fmt.Sprint(page), fmt.Sprint(formed.Best(nil, by, text.Only{}, skip, limit)), "%q %q, %d from %d", query, form, limit, skip)
				}
				for _, h := range want {
					if naiveWay(records[h.Record], form) < 3 {
						bearers++
					} else {
						others++
					}
				}
			}
			plain.Release()
			formed.Release()
		}
	}
	require.Greater(t, bearers, 1000)
	require.Greater(t, others, 1000)
}

// naiveWay is in which way a record bears all legal forms of a query, read aloud.
func naiveWay(r record, query string) (way int) {
	for _, form := range text.Terms(query) {
		best := 3
		for i, s := range append(slices.Clone(r.names), r.location) {
			for _, w := range text.NameWords(s) {
				class := naiveClass(form, w.Word)
				switch {
				case class > 1:
				case i == len(r.names):
					best = min(best, 2)
				default:
					best = min(best, class)
				}
			}
		}
		way = max(way, best)
	}
	return way
}
