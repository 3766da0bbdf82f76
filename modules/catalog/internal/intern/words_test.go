package intern_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"gpatlas/modules/catalog/internal/intern"
)

// Words of all lengths get the numbers that a map would give them, given as strings or as bytes, whatever begins or ends alike.
func TestWordsAreNumberedAsByAMap(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		part := rapid.SampledFrom([]string{"", "a", "b", "ab", "fund", "capital", "opportunities", "é", "\xff"})
		var words intern.Words
		want := map[string]uint32{}
		for range rapid.IntRange(1, 300).Draw(t, "words") {
			word := strings.Join(rapid.SliceOfN(part, 0, 4).Draw(t, "parts"), "")
			number, known := want[word]
			if !known {
				number = uint32(len(want))
				want[word] = number
			}
			got := intern.Number(&words, word)
			if rapid.Bool().Draw(t, "bytes") {
				got = intern.Number(&words, []byte(word))
			}
			if got != number || words.List[got] != word {
				t.Fatalf("%q has number %d, want %d", word, got, number)
			}
		}
	})
}
