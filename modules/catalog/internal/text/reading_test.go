package text_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"gpatlas/modules/catalog/internal/text"
)

func TestTerms(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]string{
		"":                              "",
		"d e harbor":                    "de harbor",
		"D.E. Harbor":                   "de harbor",
		"d. e. harbor":                  "de harbor",
		"h i g capital":                 "hig capital",
		"harbor d e":                    "harbor de",
		"j cove":                        "j cove",
		"harbor l p":                    "harbor lp",
		"fund v l p":                    "fund v lp",
		"fund a b l l c":                "fund ab llc",
		"j l p capital":                 "jlp capital",
		"harbor limited partnership":    "harbor lp",
		"harbor limited liability co":   "harbor llc",
		"harbor limited":                "harbor limited",
		"limited liability partnership": "llp",
		"point 72":                      "point 72",
		"k 2 harbor":                    "k2 harbor",
		"harbor k 2":                    "harbor k 2",
		"k p 2":                         "kp 2",
		"2 k harbor":                    "2 k harbor",
		"漢 字":                           "漢 字",
		"harbor.vc":                     "harbor vc",
		"Harbor.Ridge.VC, L.P.":         "harbor ridge vc lp",
		"société.générale":              "societe generale",
		"é.harbor":                      "eharbor",
		"j.harbor":                      "jharbor",
		"harbor.v":                      "harborv",
		"11.25 fund":                    "1125 fund",
		"no.1 fund":                     "no1 fund",
		"no.12 fund":                    "no 12 fund",
		"l.l.c.dba harbor":              "llcdba harbor",
		"harbor..vc":                    "harborvc",
		"harbor pte.ltd.":               "harbor pte ltd",
		"harbor pteltd":                 "harbor pte ltd",
		"harborlimited":                 "harbor limited",
		"unlimited harbor":              "unlimited harbor",
		"altd ltd":                      "altd ltd",
		"hillc":                         "hillc",
		"team8labs":                     "team8labs",
	} {
		require.Equal(t, strings.Fields(want), append([]string{}, text.Terms(query)...), query)
	}
}

func TestNameWords(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"Harbor Ridge":                  "<harbor ridge",
		"D. E. Harbor & Co.":            "<d e harbor and co +<de +<deharbor",
		"D.E. Harbor":                   "<de harbor +<deharbor",
		"JP Harbor":                     "<jp harbor +<jpharbor",
		"The JP Harbor Group":           "<the <jp harbor group +<jpharbor",
		"Point72":                       "<point72 +<point +72",
		"Point 72 Fund":                 "<point 72 fund +<point72 +<point72fund +72fund",
		"Harbor Point 72 Fund":          "<harbor point 72 fund +point72",
		"Team8 Labs":                    "<team8 labs +<team +8 +<team8labs +8labs",
		"Harbor Team8 Labs":             "<harbor team8 labs +team +8 +team8labs +8labs",
		"Harbor 1st Fund":               "<harbor 1st fund +1 +st +<harbor1st +<harbor1",
		"A16Z Fund":                     "<a16z fund +<a +16 +z +<a16zfund",
		"Harbor.VC Fund":                "<harbor vc fund +<harborvc",
		"Fund Ridge.Harbor.VC":          "<fund ridge harbor vc +ridgeharborvc",
		"Harbor PTE.LTD.":               "<harbor pte ltd +pteltd",
		"Harbor PteLimited":             "<harbor pte limited +ptelimited",
		"3 I Fund":                      "<3 i fund +ifund +<3i",
		"A16Z":                          "<a16z +<a +16 +z",
		"K 2 Fund":                      "<k 2 fund +<k2 +<k2 +<k2fund +<k2fund +2fund",
		"S&P Fund":                      "<s and p fund +<sp +<spfund +pfund",
		"Fund V, L P":                   "<fund v l p +lp",
		"Harbor Limited Partnership II": "<harbor limited partnership ii +lp",
	} {
		var got []string
		for _, w := range text.NameWords(name) {
			mark := ""
			if w.Made {
				mark += "+"
			}
			if w.Begins {
				mark += "<"
			}
			got = append(got, mark+w.Word)
		}
		require.ElementsMatch(t, strings.Fields(want), got, name)
	}
}

func TestKey(t *testing.T) {
	t.Parallel()
	for _, same := range [][]string{
		{"D. E. Harbor & Co., L.P.", "de harbor and company lp", "D E Harbor & Co Limited Partnership", "deharbor & co l p"},
		{"JPHarbor Investments Ltd", "J.P. Harbor Invts. Limited", "jp harbor investments limited"},
		{"Point72 Mgmt Intl Inc", "Point 72 Management International, Incorporated"},
		{"Fund V, L.P.", "fund v l p"},
		{"Harbor.VC Pte. Ltd.", "harbor vc PTE.LIMITED", "harborvc pteltd"},
		{"Team8 Labs", "team8labs", "team 8labs"},
		{"Harbor L.L.C.", "Harbor Limited Liability Company", "harbor l l c"},
	} {
		for _, name := range same {
			require.Equal(t, text.Key(same[0]), text.Key(name), name)
		}
	}
	require.NotEqual(t, text.Key("Harbor Corp"), text.Key("Harbor Inc"))
	require.Empty(t, text.Key("&"[:0]))
}

// Whatever is asked for as it stands in a name is among the words by which the name is found.
func TestANameIsFoundByItself(t *testing.T) {
	t.Parallel()
	word := rapid.SampledFrom(strings.Fields("a b l p c d.e. & and the limited partnership liability company co 72 v 2 point72 x1y harbor é 漢 - 1st harbor.vc a.b.harbor.72.é1 pteltd pte.ltd. the.limited ͺͺ.ͺͺ ab.ͺͺ"))
	rapid.Check(t, func(t *rapid.T) {
		name := strings.Join(rapid.SliceOfN(word, 0, 9).Draw(t, "words"), " ")
		words := text.NameWords(name)
		has := func(w string) bool {
			return slices.ContainsFunc(words, func(n text.NameWord) bool { return n.Word == w })
		}
		for _, term := range append(text.Terms(name), text.Words(name)...) {
			require.True(t, has(term), "%q of %q", term, name)
		}
		require.Equal(t, text.Words(name) != nil && len(text.Words(name)) > 0, len(words) > 0)
	})
}

// A word of the table belongs to one line, and is a normalized word.
func TestAlikeIsATable(t *testing.T) {
	t.Parallel()
	require.ElementsMatch(t, []string{"limited", "ltd"}, text.AlikeTo("ltd"))
	require.Nil(t, text.AlikeTo("harbor"))
	for _, w := range []string{"corp", "co", "inc", "mgmt", "intl", "assoc", "ptnrs", "invs", "company"} {
		for _, other := range text.AlikeTo(w) {
			require.Equal(t, text.AlikeTo(w), text.AlikeTo(other), other)
			require.Equal(t, []string{other}, text.Words(other))
		}
	}
}
