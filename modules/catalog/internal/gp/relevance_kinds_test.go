package gp_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/internal/index"
	"gpatlas/modules/catalog/internal/text"
)

// atFive is how many results of a page are looked at, and recallWanted the share of the wanted ones that must be there.
const (
	atFive       = 5
	recallWanted = 0.98
	perKind      = 400 // names of a kind that are asked for, spread over the roster
)

// A variation writes a name as people type it; it gives nothing for a name that it does not apply to.
type variation struct {
	kind string
	of   func(name string) string
	// least is the number of names of the real roster that the rule must apply to: a rule that finds nothing tests nothing.
	least int
}

var (
	apartInitials = regexp.MustCompile(`^((?:[A-Za-z]\.? ){2,3})([A-Za-z]{3}.*)$`)
	dotInitials   = regexp.MustCompile(`^((?:[A-Za-z]\.){2,4}),? ?([A-Za-z]{3}.*)$`)
	bareInitials  = regexp.MustCompile(`^([B-DF-HJ-NP-TV-XZb-df-hj-np-tv-xz]{2,3}) ([A-Za-z]{3}.*)$`)
	mixed         = regexp.MustCompile(`[A-Za-z]\d|\d[A-Za-z]`)
	letterDigit   = regexp.MustCompile(`([A-Za-z])(\d)`)
	digitLetter   = regexp.MustCompile(`(\d)([A-Za-z])`)
	wordNumber    = regexp.MustCompile(`([A-Za-z]) (\d+)\b`)
	numberWord    = regexp.MustCompile(`^(\d+) ([A-Za-z])`)
)

// initials cuts a name that begins with initials, as "D. E. X", "D.E. X", "D E X" or, two or three consonants, "DX Y".
func initials(name string) (letters []string, rest string) {
	for _, shape := range []*regexp.Regexp{apartInitials, dotInitials, bareInitials} {
		if m := shape.FindStringSubmatch(name); m != nil {
			for _, r := range m[1] {
				if unicode.IsLetter(r) {
					letters = append(letters, string(r))
				}
			}
			return letters, m[2]
		}
	}
	return nil, ""
}

func initialsAs(glue, end string) func(string) string {
	return func(name string) string {
		letters, rest := initials(name)
		if letters == nil {
			return ""
		}
		return strings.Join(letters, glue) + end + rest
	}
}

// short takes the first words of what a variation makes.
func short(of func(string) string, words int) func(string) string {
	return func(name string) string {
		if made := strings.Fields(of(name)); len(made) > words {
			return strings.Trim(strings.Join(made[:words], " "), ",")
		}
		return ""
	}
}

func swap(from, to string) variation {
	word := regexp.MustCompile(`(?i)(^|[ ,])` + from + `([ ,.]|$)`)
	return variation{kind: strings.ToLower(from) + " as " + to, of: func(name string) string {
		if !word.MatchString(name) {
			return ""
		}
		return word.ReplaceAllString(name, "${1}"+to+"${2}")
	}}
}

func replaced(shape *regexp.Regexp, by string) func(string) string {
	return func(name string) string {
		if made := shape.ReplaceAllString(name, by); made != name {
			return made
		}
		return ""
	}
}

// tokenApart takes the first word apart where it is initials and another word: two consonants that begin no syllable and a
// word that other names have.
func tokenApart(known map[string]bool) func(string) string {
	return func(name string) string {
		first, rest, ok := strings.Cut(name, " ")
		for n := 2; ok && n <= 3 && n+4 <= len(first); n++ {
			if bareInitials.MatchString(first[:n]+" abc") && known[strings.ToLower(first[n:])] {
				return first[:n] + " " + first[n:] + " " + rest
			}
		}
		return ""
	}
}

func variations(known map[string]bool) []variation {
	digitsApart := func(name string) string {
		if !mixed.MatchString(name) {
			return ""
		}
		return digitLetter.ReplaceAllString(letterDigit.ReplaceAllString(name, "$1 $2"), "$1 $2")
	}
	vs := []variation{
		{"the full name", func(name string) string { return name }, 300},
		{"initials joined", initialsAs("", " "), 200},
		{"initials apart", initialsAs(" ", " "), 200},
		{"initials with dots", initialsAs(".", ". "), 200},
		{"initials with dots and blanks", initialsAs(". ", ". "), 200},
		{"initials joined to the next word", initialsAs("", ""), 200},
		{"initials joined, no more than the next word", short(initialsAs("", " "), 2), 200},
		{"initials joined to the next word and no more", short(initialsAs("", ""), 1), 200},
		{"initials with dots, no more than the next word", short(initialsAs(".", ". "), 2), 200},
		{"initials in one word with the next, typed apart", tokenApart(known), 10},
		{"letters and digits typed apart", digitsApart, 60},
		{"letters and digits typed apart, no more", short(digitsApart, 2), 60},
		{"word and number joined", replaced(wordNumber, "$1$2"), 20},
		{"number and word joined", replaced(numberWord, "$1$2"), 20},
		{"& as and", replaced(regexp.MustCompile(`&`), " and "), 200},
		{"and as &", replaced(regexp.MustCompile(`(?i) and `), " & "), 20},
		{"LP apart", replaced(regexp.MustCompile(`(?i)\bL\.?P\b\.?`), "l p"), 200},
		{"LLC with dots", replaced(regexp.MustCompile(`(?i)\bLLC\b`), "L.L.C."), 200},
		{"LLC apart", replaced(regexp.MustCompile(`(?i)\bLLC\b`), "l l c"), 200},
	}
	for _, pair := range []struct {
		a, b          string
		least, least2 int
	}{
		{"Limited", "Ltd", 100, 100},
		{"Corporation", "Corp", 50, 50},
		{"Company", "Co", 100, 50},
		{"Incorporated", "Inc", 20, 200},
		{"Management", "Mgmt", 200, 1},
		{"International", "Intl", 30, 0},
		{"Associates", "Assoc", 100, 0},
		{"Partners", "Ptnrs", 200, 0},
		{"Investments", "Invs", 100, 0},
		{"Advisors", "Advisers", 200, 50},
		{"Group", "Grp", 200, 0},
		{"Holdings", "Hldgs", 20, 0},
		{"Brothers", "Bros", 5, 0},
		{"Services", "Svcs", 100, 0},
		{"Limited Partnership", "LP", 3, 200},
		{"Limited Liability Company", "LLC", 1, 200},
	} {
		there, back := swap(pair.a, pair.b), swap(pair.b, pair.a)
		there.least, back.least = pair.least, pair.least2
		vs = append(vs, there, back)
	}
	return slices.Concat(vs, dots(), digits(), forms())
}

// run is a name without anything but letters and digits: what two ways to write it have in common.
func run(name string) string { return strings.ReplaceAll(text.Normalize(name), " ", "") }

// runs are the names of each adviser of a roster so written.
func runs(s *index.Snapshot) [][2]string {
	out := make([][2]string, s.Freshness().Advisers)
	for id := range out {
		g := s.GP(uint32(id)) // #nosec G115 -- a roster's size
		out[id] = [2]string{run(g.LegalName), run(g.BusinessName)}
	}
	return out
}

func begins(names [2]string, with string) bool {
	return strings.HasPrefix(names[0], with) || strings.HasPrefix(names[1], with)
}

// TestRecallOfEachWayToTypeAName asks a real roster for its advisers' names, varied by rules, and looks how many of those
// meant are among the first five.
func TestRecallOfEachWayToTypeAName(t *testing.T) {
	t.Parallel()
	s := rosterIndex(t)
	advisers := uint32(s.Freshness().Advisers) // #nosec G115 -- a roster's size
	known, names := map[string]bool{}, runs(s)
	for id := range advisers {
		for _, w := range text.Words(s.GP(id).LegalName) {
			known[w] = true
		}
	}
	for _, v := range variations(known) {
		var made []uint32
		for id := range advisers {
			if v.of(s.GP(id).LegalName) != "" {
				made = append(made, id)
			}
		}
		require.GreaterOrEqual(t, len(made), v.least, v.kind)
		if len(made) == 0 {
			continue
		}
		asked, sum := 0, 0.0
		for i := 0; i < len(made); i += len(made)/perKind + 1 {
			query := v.of(s.GP(made[i]).LegalName)
			asked++
			sum += recall(s, names, query, made[i], strings.HasSuffix(v.kind, "no more") || strings.Contains(v.kind, "no more than"))
		}
		got := sum / float64(asked)
		t.Logf("recall@%d %.3f of %d: %s", atFive, got, asked, v.kind)
		if got < recallWanted {
			t.Errorf("recall@%d of %q is %.3f, less than %.2f", atFive, v.kind, got, recallWanted)
		}
	}
}

// recall is the share of the advisers meant that are among the first five. A whole name means its adviser, or one with
// the same name; the beginning of one means those whose names begin so.
func recall(s *index.Snapshot, names [][2]string, query string, id uint32, beginning bool) float64 {
	r := s.SearchGPs(&index.GPQuery{Text: query, Order: index.ByRelevance, Limit: atFive})
	meant := func(other uint32) bool { return names[other][0] == names[id][0] }
	all := 1
	if q := run(query); beginning {
		meant = func(other uint32) bool { return begins(names[other], q) }
		all = 0
		for _, n := range names {
			if begins(n, q) {
				all++
			}
		}
	}
	hits := 0
	for _, id := range r.IDs {
		if meant(id) {
			hits++
		}
	}
	return float64(min(hits, all)) / float64(min(all, atFive))
}

// Names that begin with what is typed come first while it is typed.
func TestTypingOffersBeginningsFirst(t *testing.T) {
	t.Parallel()
	s := rosterIndex(t)
	advisers := uint32(s.Freshness().Advisers) // #nosec G115 -- a roster's size
	names := runs(s)
	asked, sum := 0, 0.0
	for id := uint32(0); id < advisers; id += 61 {
		name := strings.ToLower(s.GP(id).LegalName)
		for _, n := range []int{3, 5, 8} {
			query := strings.TrimSpace(name[:min(n, len(name))])
			q := run(query)
			if len(q) < 2 {
				continue
			}
			meant, hits := 0, 0
			for _, n := range names {
				if begins(n, q) {
					meant++
				}
			}
			for _, h := range s.Autocomplete(query, index.KindGP, atFive) {
				if begins(names[h.ID], q) {
					hits++
				}
			}
			asked++
			sum += float64(hits) / float64(min(meant, atFive))
		}
	}
	t.Logf("beginnings among the first %d: %.3f of %d", atFive, sum/float64(asked), asked)
	require.GreaterOrEqual(t, sum/float64(asked), recallWanted)
}
