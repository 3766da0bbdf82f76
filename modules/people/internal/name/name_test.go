package name_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"gpatlas/modules/people/internal/name"
)

// TestFull writes names as people write them. All are invented.
func TestFull(t *testing.T) {
	t.Parallel()
	for filed, want := range map[string]string{
		"LARKSPUR, ADA, MARIE":         "Ada Marie Larkspur",
		"LARKSPUR, ADA MARIE":          "Ada Marie Larkspur",
		"Ada Marie Larkspur":           "Ada Marie Larkspur",
		"LARKSPUR, ADA, ":              "Ada Larkspur",
		"LARKSPUR, ADA, NMN":           "Ada Larkspur",
		"LARKSPUR JR., THEO, P.":       "Theo P Larkspur Jr.",
		"LARKSPUR, THEO, P., JR":       "Theo P Larkspur Jr.",
		"LARKSPUR, JR., THEO, P":       "Theo P Larkspur Jr.",
		"Theo P. Larkspur, Jr.":        "Theo P Larkspur Jr.",
		"Theo Larkspur III":            "Theo Larkspur III",
		"THEO LARKSPUR, CFA, ESQ.":     "Theo Larkspur",
		"LARKSPUR, THEO, PH.D.":        "Theo Larkspur",
		"O'MOSSGATE, BRENNA":           "Brenna O'Mossgate",
		"MCFERNLEY, ADA":               "Ada McFernley",
		"FERNLEY-MOSS, JEAN-PIERRE":    "Jean-Pierre Fernley-Moss",
		"DE LA MOSS, IRIS":             "Iris De La Moss",
		"Iris de la Moss":              "Iris de la Moss",
		"MØRKSEN, ÅSE":                 "Åse Mørksen",
		"McFernley, Ada":               "Ada McFernley",
		"Mononym":                      "Mononym",
		"":                             "",
		", ,":                          "",
		"V":                            "V",
		"LARKSPUR, MD":                 "Md Larkspur",
		"LARKSPUR, ADA (KNOWN AS AMY)": "Ada Known As Amy Larkspur",
	} {
		require.Equal(t, want, name.Parse(filed).Full(), filed)
	}
	require.Equal(t, "Ada Marie Larkspur Jr.", name.Of("ADA", "MARIE", "LARKSPUR JR").Full())
	require.Equal(t, "Larkspur", name.Of("N/A", "-", "LARKSPUR").Full())
}

// TestOneKey checks that all ways of writing a name have one key.
func TestOneKey(t *testing.T) {
	t.Parallel()
	for _, same := range [][]string{
		{"LARKSPUR, ADA, MARIE", "Ada Marie Larkspur", "Larkspur, Ada Marie", "LARKSPUR, ADA, MARIE, CFA", "Ada  Marie   LARKSPUR, Esq."},
		{"MÖRK-SEN, ÅSE", "Ase Mork-Sen", "MORK SEN, ASE", "MORKSEN, ASE"},
		{"O'MOSSGATE, BRENNA", "O’Mossgate, Brenna", "Brenna OMossgate"},
		{"DE LA MOSS, IRIS", "Iris de la Moss", "DELAMOSS, IRIS"},
		{"FERNLEY, JEAN-PIERRE", "FERNLEY, JEAN, PIERRE", "Jean Pierre Fernley"},
		{"LARKSPUR, THEO, P., JR", "Theo P. Larkspur Jr"},
	} {
		for _, other := range same[1:] {
			require.Equal(t, name.Parse(same[0]).Key().String(), name.Parse(other).Key().String(), other)
		}
	}
}

func TestAgree(t *testing.T) {
	t.Parallel()
	for pair, want := range map[[2]string]bool{
		{"LARKSPUR, ADA", "LARKSPUR, ADA, M"}:            true,
		{"LARKSPUR, ADA, M", "LARKSPUR, ADA, MARIE"}:     true,
		{"LARKSPUR, ADA, M", "LARKSPUR, ADA, ROSE"}:      false,
		{"LARKSPUR, A", "LARKSPUR, ADA"}:                 true,
		{"LARKSPUR, BOB", "LARKSPUR, ROBERT"}:            true,
		{"LARKSPUR, ROB", "LARKSPUR, BOB"}:               true,
		{"LARKSPUR, ADA", "MOSSGATE, ADA"}:               false,
		{"LARKSPUR, ADA", "LARKSPUR, ADAM"}:              false,
		{"LARKSPUR JR, THEO", "LARKSPUR, THEO"}:          true,
		{"LARKSPUR JR, THEO", "LARKSPUR SR, THEO"}:       false,
		{"LARKSPUR, THEO, P, Q", "LARKSPUR, THEO, P, R"}: false,
	} {
		a, b := name.Parse(pair[0]).Key(), name.Parse(pair[1]).Key()
		require.Equal(t, want, a.Agree(b), pair)
		require.Equal(t, want, b.Agree(a), pair)
	}
}

func TestIsEntity(t *testing.T) {
	t.Parallel()
	for _, filed := range []string{"LARKSPUR HOLDINGS, L.P.", "Fernley Family Trust", "MOSSGATE LLC", "THE MOSSGATE GROUP", "LLC", "Fernley Mutual Insurance", "University of Fernley", "FERNLEY FINANCIAL", "Fernley Trust Company"} {
		require.True(t, name.IsEntity(filed), filed)
	}
	for _, filed := range []string{"LARKSPUR, ADA", "Grant Moss", "", "CAPITAL, ADA", "MOSS, IRA", "Ada Bank", "MOSS, G.P.", "TRUST, ADA"} {
		require.False(t, name.IsEntity(filed), filed)
	}
}

// TestBothOrders parses drawn names from both ways of writing them.
func TestBothOrders(t *testing.T) {
	t.Parallel()
	// Eight letters and more: no suffix, credential or particle is as long ("Phd" is no last name).
	word := rapid.StringMatching(`[A-Z][a-zéü]{7,10}(-[A-Z][a-z]{2,5})?`).Filter(func(word string) bool { return !name.IsEntity(word) })
	rapid.Check(t, func(t *rapid.T) {
		first, middle, last := word.Draw(t, "first"), word.Draw(t, "middle"), word.Draw(t, "last")
		direct := name.Parse(first + " " + middle + " " + last)
		inverted := name.Parse(strings.ToUpper(last + ", " + first + ", " + middle))
		require.Equal(t, direct.Key(), inverted.Key())
		require.Equal(t, direct.Key(), name.Of(first, middle, last).Key())
		require.True(t, direct.Key().Agree(inverted.Key()))
	})
}

// FuzzParse never panics, keeps text valid, and parses what it has written into the same key where the name has no commas.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{"LARKSPUR, ADA, MARIE", "Theo Larkspur, Jr.", ", ,,", "V", "Ph.D", "ß, ø", "\xff,\xfe", "III III III"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, filed string) {
		n := name.Parse(filed)
		if utf8.ValidString(filed) {
			require.True(t, utf8.ValidString(n.Full()))
		}
		require.True(t, n.Key().Agree(n.Key()))
		require.NotContains(t, n.Key().Last, " ")
		_ = name.IsEntity(filed)
	})
}
