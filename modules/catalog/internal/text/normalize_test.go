package text_test

import (
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"gpatlas/modules/catalog/internal/text"
)

func TestNormalize(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"":                                "",
		"  Alder   Ridge ":                "alder ridge",
		"ALDER RIDGE CAPITAL, L.P.":       "alder ridge capital lp",
		"O'Neil & Sons":                   "oneil and sons",
		"O’Neil&Sons":                     "oneil and sons",
		"&":                               "and",
		"&&":                              "and and",
		"é&é":                             "e and e",
		"Société Générale":                "societe generale",
		"Straße":                          "strasse",
		"GROẞ":                            "gross",
		"Ørsted Łódź":                     "orsted lodz",
		"Ægir œuvre":                      "aegir oeuvre",
		"ﬁnance":                          "finance",
		"Ｆｕｌｌ　Ｗｉｄｔｈ":                      "full width",
		"x²":                              "x2",
		"rock 'n' roll":                   "rock n roll",
		"Fund-III/B (Cayman) #4":          "fund iii b cayman 4",
		"100% _under_":                    "100 under",
		"İstanbul":                        "istanbul",
		"ΣΊΣΥΦΟΣ":                         "σισυφοσ",
		"σίσυφος":                         "σισυφοσ",
		"שלום עולם":                       "שלום עולם",
		"東京 投資":                           "東京 投資",
		"a\x00b":                          "a b",
		"a\xffb":                          "a b",
		"...":                             "",
		"\u202eright\u202c to \u200fleft": "right to left",
	} {
		require.Equal(t, want, text.Normalize(in), "%q", in)
		require.Equal(t, strings.Fields(want), text.Words(in), "%q", in)
	}
}

func TestNormalizeIsIdempotentAndClean(t *testing.T) {
	t.Parallel()
	check := func(t *rapid.T, s string) {
		n := text.Normalize(s)
		require.Equal(t, n, text.Normalize(n))
		require.Equal(t, strings.Join(strings.Fields(n), " "), n)
		for _, r := range n {
			require.True(t, r == ' ' || unicode.IsLetter(r) || unicode.IsNumber(r), "%q in %q", r, n)
		}
	}
	rapid.Check(t, func(t *rapid.T) { check(t, rapid.String().Draw(t, "text")) })
	rapid.Check(t, func(t *rapid.T) { check(t, string(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes"))) })
}

// Each rune is idempotent on its own: the tables hold surprises that random text does not meet.
func TestNormalizeIsIdempotentForEveryRune(t *testing.T) {
	t.Parallel()
	for r := rune(1); r <= unicode.MaxRune; r++ {
		if n := text.Normalize("a" + string(r) + "b"); text.Normalize(n) != n {
			require.Equal(t, n, text.Normalize(n), "%U", r)
		}
	}
}

func TestEditWithinOne(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"", "", true},
		{"", "a", true},
		{"", "ab", false},
		{"ridge", "ridge", true},
		{"ridge", "rdige", true},
		{"ridge", "idge", true},
		{"ridge", "ridges", true},
		{"ridge", "rigde", true},
		{"ridge", "rider", false},
		{"ridge", "ridgess", false},
		{"ca", "abc", false},
		{"müller", "muller", true},
		{"東京", "京東", true},
	} {
		require.Equal(t, c.want, text.EditWithinOne(c.a, c.b), "%s %s", c.a, c.b)
		require.Equal(t, c.want, text.EditWithinOne(c.b, c.a), "%s %s", c.b, c.a)
	}
	letters := rapid.StringOfN(rapid.SampledFrom([]rune("abé")), 0, 7, -1)
	rapid.Check(t, func(t *rapid.T) {
		a, b := letters.Draw(t, "a"), letters.Draw(t, "b")
		require.Equal(t, naiveDistance([]rune(a), []rune(b)) <= 1, text.EditWithinOne(a, b))
	})
}

// Appending leaves what is there, and what follows is normalized as if it stood alone, with room and without.
func TestAppendNormal(t *testing.T) {
	t.Parallel()
	for _, room := range []int{0, 1, 5, 64} {
		for _, s := range []string{"", "Été & Co.", "  Harbor Ridge, L.P.", "漢字", "-"} {
			dst := append(make([]byte, 0, 3+room), "abc"...)
			require.Equal(t, "abc"+text.Normalize(s), string(text.AppendNormal(dst, s)), "%q with room for %d", s, room)
		}
	}
}
