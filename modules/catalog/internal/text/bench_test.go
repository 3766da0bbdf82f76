package text_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"gpatlas/modules/catalog/internal/text"
)

// The benchmarks' catalog: 250,000 funds of 40,000 advisers with invented names whose words are as unevenly frequent
// as filed ones.
var catalog = sync.OnceValue(func() []record {
	rng := rand.New(rand.NewPCG(2, 3))
	syllables := strings.Fields("al ber cor dan el far gra hol ing jar ken lan mer nor ost par quin ros sta tor un ver wes xan yor zel " +
		"bridge ford field stone wood land ton ham ridge view gate brook crest point hill mont")
	stems := make([]string, 30_000)
	for i := range stems {
		for range 2 + rng.IntN(2) {
			stems[i] += syllables[rng.IntN(len(syllables))]
		}
	}
	zipf := rand.NewZipf(rng, 1.1, 20, uint64(len(stems)-1))
	kinds := strings.Fields("capital management partners advisors asset investment advisers group ventures equity wealth global")
	advisers := make([]string, 40_000)
	for i := range advisers {
		advisers[i] = stems[zipf.Uint64()]
		if rng.IntN(3) == 0 {
			advisers[i] += " " + stems[zipf.Uint64()]
		}
		advisers[i] += " " + kinds[rng.IntN(len(kinds))] + " " + kinds[rng.IntN(len(kinds))]
	}
	sorts := strings.Fields("opportunities growth venture real estate credit buyout master feeder offshore onshore co-invest secondary income special parallel")
	numbers := strings.Fields("I II III IV V VI VII A B 2019 2020 2021 2022")
	owner := rand.NewZipf(rng, 1.3, 40, uint64(len(advisers)-1))
	funds := make([]record, 250_000)
	for i := range funds {
		a := advisers[owner.Uint64()]
		stem, _, _ := strings.Cut(a, " ")
		name := stem + " "
		if rng.IntN(4) == 0 {
			name += stems[zipf.Uint64()] + " "
		}
		for range 1 + rng.IntN(2) {
			name = fmt.Sprint(name, sorts[rng.IntN(len(sorts))], " ")
		}
		name += "fund " + numbers[rng.IntN(len(numbers))] + ", " + []string{"L.P.", "LLC", "Ltd.", "LP"}[rng.IntN(4)]
		funds[i] = record{[]string{strings.ToUpper(name)}, a}
	}
	return funds
})

var benchIndex = sync.OnceValue(func() *text.Index { return build(catalog()) })

// realistic makes queries as people type them: beginnings, words of a name in some order, a mistyped word, a common word.
func realistic(n int) []string {
	rng := rand.New(rand.NewPCG(5, 8))
	records := catalog()
	queries := make([]string, n)
	for i := range queries {
		words := text.Words(records[rng.IntN(len(records))].names[0])
		switch rng.IntN(8) {
		case 0: // typeahead in the first word
			queries[i] = words[0][:min(len(words[0]), 2+rng.IntN(5))]
		case 1: // … in the second
			queries[i] = words[0] + " " + words[1][:1]
		case 2:
			queries[i] = words[0]
		case 3:
			queries[i] = words[1] + " " + words[0]
		case 4: // mistyped
			at := rng.IntN(len(words[0]) - 1)
			queries[i] = words[0][:at] + words[0][at+1:at+2] + words[0][at:at+1] + words[0][at+2:]
		case 5: // mistyped, and a common word
			at := 1 + rng.IntN(len(words[0])-1)
			queries[i] = words[0][:at] + words[0][at+1:] + " fund"
		case 6: // two common words
			queries[i] = words[len(words)-3] + " " + words[len(words)-1]
		case 7:
			queries[i] = strings.Join(words, " ")
		}
	}
	return queries
}

func BenchmarkMatch(b *testing.B) {
	ix := benchIndex()
	queries := realistic(2000)
	for _, q := range queries {
		ix.Match(q).Release()
	}
	b.ReportAllocs()
	times := make([]time.Duration, 0, b.N)
	i := 0
	for b.Loop() {
		start := time.Now()
		ix.Match(queries[i%len(queries)]).Release()
		times = append(times, time.Since(start))
		i++
	}
	slices.Sort(times)
	b.ReportMetric(float64(times[len(times)/2].Nanoseconds())/1000, "p50-µs")
	b.ReportMetric(float64(times[len(times)*99/100].Nanoseconds())/1000, "p99-µs")
}

func BenchmarkMatchOne(b *testing.B) {
	ix := benchIndex()
	for _, q := range []string{
		"a", "al", "ros", "fund", "growth", "fund lp", "berridge", "berrigde", "al ven fund ii", "estate real", "capital partners fund", "und",
		"bridge", "a b c d e f g", "oportunities fnud",
	} {
		b.Run(fmt.Sprintf("%s=%d", strings.ReplaceAll(q, " ", "+"), ix.Match(q).Count()), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				ix.Match(q).Release()
			}
		})
	}
}

func BenchmarkBuild(b *testing.B) {
	records := catalog()
	b.ReportAllocs()
	for b.Loop() {
		build(records)
	}
}

// BenchmarkTolerance asks what people type, and only what finds nothing as it is typed, of an index that reads such queries again
// and of one that does not.
func BenchmarkTolerance(b *testing.B) {
	tolerant := benchIndex()
	strict := tolerant.Strict()
	usual := realistic(2000)
	var nothing []string
	for _, q := range usual {
		words := strings.Fields(q)
		q = strings.Join(words[:len(words)-1], "") + " " + words[len(words)-1] + " llx"
		m := strict.Match(q)
		if m.Count() == 0 {
			nothing = append(nothing, q)
		}
		m.Release()
	}
	for name, queries := range map[string][]string{"usual": usual, "nothing": nothing} {
		for kind, ix := range map[string]*text.Index{"strict": strict, "tolerant": tolerant} {
			b.Run(name+"/"+kind, func(b *testing.B) {
				b.ReportAllocs()
				i := 0
				var hits []text.Hit
				for b.Loop() {
					m := ix.Match(queries[i%len(queries)])
					m.Count()
					hits = m.Best(hits[:0], text.Relevance, text.Only{}, 0, 10)
					m.Release()
					i++
				}
			})
		}
	}
}
