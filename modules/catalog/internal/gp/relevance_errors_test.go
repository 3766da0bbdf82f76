package gp_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/internal/text"
)

// legalForms are the words with which the names of firms end.
var legalForms = []string{"llc", "lp", "llp", "inc", "ltd", "corp", "co", "limited", "company", "corporation"}

// other is another letter than c.
func other(c byte, turn int) byte {
	if c < 'a' || c > 'z' {
		return c
	}
	return 'a' + (c-'a'+byte(1+turn%25))%26 // #nosec G115 -- below 26
}

// A mistake changes a name's words; it gives nothing where it does not apply. turn varies it from name to name.
type mistake struct {
	kind string
	of   func(words []string, turn int) []string
	goal float64
}

// wrongIn replaces a letter of the first word that fits.
func wrongIn(fits func(words []string, i int) bool, at func(word string, turn int) int) func([]string, int) []string {
	return func(words []string, turn int) []string {
		for i := range words {
			if fits(words, i) {
				made, word := slices.Clone(words), []byte(words[i])
				k := at(words[i], turn)
				word[k] = other(word[k], turn)
				made[i] = string(word)
				return made
			}
		}
		return nil
	}
}

func letters(word string) bool {
	return strings.Trim(word, "abcdefghijklmnopqrstuvwxyz") == "" && strings.Trim(word, "ivx") != ""
}

func anywhere(word string, turn int) int { return turn % len(word) }

var mistakes = []mistake{
	{"a wrong letter in a word of three letters", wrongIn(func(w []string, i int) bool {
		return len(w[i]) == 3 && letters(w[i]) && !slices.Contains(legalForms, w[i])
	}, anywhere), 0.90},
	{"a wrong letter in a word of four letters", wrongIn(func(w []string, i int) bool {
		return len(w[i]) == 4 && letters(w[i]) && !slices.Contains(legalForms, w[i])
	}, anywhere), 0.90},
	{"a wrong letter in the legal form", wrongIn(func(w []string, i int) bool {
		return i > 0 && i == len(w)-1 && slices.Contains(legalForms, w[i])
	}, anywhere), 0.99},
	{"another legal form", func(words []string, turn int) []string {
		last := len(words) - 1
		if last < 1 || !slices.Contains(legalForms, words[last]) {
			return nil
		}
		return append(slices.Clone(words[:last]), legalForms[(slices.Index(legalForms, words[last])+1+turn%9)%len(legalForms)])
	}, 0.98},
	{"a lost blank", func(words []string, turn int) []string {
		if len(words) < 2 {
			return nil
		}
		i := turn % (len(words) - 1)
		return slices.Replace(slices.Clone(words), i, i+2, words[i]+words[i+1])
	}, 0.90},
	{"a wrong first letter", wrongIn(func(w []string, i int) bool { return letters(w[i]) }, func(string, int) int { return 0 }), 0.90},
}

// TestRecallOfMistypedNames asks a real roster for its advisers' names with one mistake, and looks how many of those meant are
// among the first five.
func TestRecallOfMistypedNames(t *testing.T) {
	t.Parallel()
	s := rosterIndex(t)
	advisers := s.Freshness().Advisers
	names := runs(s)
	for _, m := range mistakes {
		asked, sum := 0, 0.0
		for turn := 0; turn*47 < advisers && asked < perKind; turn++ {
			id := uint32(turn * 47) // #nosec G115 -- a roster's size
			made := m.of(text.Words(s.GP(id).LegalName), turn)
			if made == nil {
				continue
			}
			asked++
			sum += recall(s, names, strings.Join(made, " "), id, false)
		}
		got := sum / float64(asked)
		t.Logf("recall@%d %.3f of %d: %s", atFive, got, asked, m.kind)
		require.Greater(t, asked, 50)
		if got < m.goal {
			t.Errorf("recall@%d of %q is %.3f, less than %.2f", atFive, m.kind, got, m.goal)
		}
	}
}
