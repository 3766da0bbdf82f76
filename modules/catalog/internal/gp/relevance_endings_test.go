package gp_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// endings are legal forms as people type them behind a name, whatever its own form is.
var endings = []string{
	"Lmited", "Limted", "Incoporated", "Corpration", "Compny", "Parnership", "Limited Partnrship", "Lmited Liability Company", "Limited Libility Company",
	"Public Limited Company", "Private Limited", "S.à r.l.", "Sarl", "SCSp", "SCA", "ApS", "A/S", "Oy", "AB", "AS", "K.K.", "Pte Ltd", "SICAV",
	"GmbH & Co. KG", "BV", "NV", "SpA", "S.r.l.", "SE", "Pty Ltd", "LLLP", "PLLC", "P.C.", "SPC", "Segregated Portfolio Company", "Exempted Limited Partnership",
}

// endingsWanted is the share of names that must be among the first five with each ending.
const endingsWanted = 0.99

// Guarantee: a legal form never excludes. Each of 500 advisers of a real roster, asked for by its whole name and a form that is
// mistyped, foreign or another one, is among the first five.
func TestNoEndingHidesARealName(t *testing.T) {
	t.Parallel()
	s := rosterIndex(t)
	names := runs(s)
	rng := rand.New(rand.NewPCG(24, 36)) // #nosec G404 -- a test's choice
	ids := make([]uint32, 500)
	for i := range ids {
		ids[i] = rng.Uint32N(uint32(s.Freshness().Advisers)) // #nosec G115 -- a roster's size
	}
	all := 0.0
	for _, ending := range endings {
		sum := 0.0
		for _, id := range ids {
			sum += recall(s, names, strings.Join([]string{s.GP(id).LegalName, ending}, " "), id, false)
		}
		all += sum
		if share := sum / float64(len(ids)); share < endingsWanted {
			t.Errorf("recall@%d %.3f with %q", atFive, share, ending)
		}
	}
	share := all / float64(len(ids)*len(endings))
	t.Logf("recall@%d %.4f of %d names with %d endings", atFive, share, len(ids), len(endings))
	require.GreaterOrEqual(t, share, endingsWanted)
}
