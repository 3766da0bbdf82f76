package derive_test

import (
	"encoding/csv"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/internal/derive"
	"gpatlas/platform/testkit/realdata"
)

// pair is an issuer of Form D with the fund that a public comparison of names put beside it. Distance 0 means the same
// name; the comparison's arithmetic leaves some equal names at 0.00000001 and the like.
type pair struct {
	issuer, fund, crd string
	distance          float64
}

// Names out of this file are of real funds: they are counted, never shown.
func crosswalk(tb testing.TB) []pair {
	tb.Helper()
	file, err := os.Open(realdata.File(tb, "crosswalk/matches_funds.csv"))
	require.NoError(tb, err)
	defer func() { _ = file.Close() }() // only read
	rows, err := csv.NewReader(file).ReadAll()
	require.NoError(tb, err)
	out := make([]pair, 0, len(rows))
	for _, r := range rows[1:] {
		distance, err := strconv.ParseFloat(r[3], 64)
		require.NoError(tb, err)
		out = append(out, pair{issuer: r[1], fund: r[2], crd: r[6], distance: distance})
	}
	return out
}

// rounding is where a distance is zero but for the arithmetic; the nearest names that differ are at 0.09.
const rounding = 1e-6

// matches says whether two names alone are enough to join by. (Where one of them lacks a legal form, the join asks for
// further evidence, which the crosswalk does not have.)
func matches(a, b derive.FundKey) bool { return a.Name != "" && a == b }

// Each pair of the crosswalk is asked for itself: rows at distance 0 are to match, the others not.
func TestNameKeyOnTheCrosswalk(t *testing.T) {
	t.Parallel()
	pairs := crosswalk(t)
	require.Len(t, pairs, 4349)
	var exact, exactFound, rounded, roundedFound, others, othersFound int
	for _, p := range pairs {
		found := 0
		key := derive.NameKey(p.issuer)
		if matches(key, derive.NameKey(p.fund)) {
			found = 1
		} else if p.distance < rounding {
			require.Empty(t, key.Name, "an equal name is missed only where it is too general")
		}
		switch {
		case p.distance == 0:
			exact, exactFound = exact+1, exactFound+found
		case p.distance < rounding:
			rounded, roundedFound = rounded+1, roundedFound+found
		default:
			others, othersFound = others+1, othersFound+found
		}
	}
	precision := float64(exactFound+roundedFound) / float64(exactFound+roundedFound+othersFound)
	recall := float64(exactFound) / float64(exact)
	t.Logf("distance 0: %d of %d matched; 0 but for rounding: %d of %d; others: %d of %d; precision %.4f, recall %.4f",
		exactFound, exact, roundedFound, rounded, othersFound, others, precision, recall)
	require.Equal(t, 815, exact)
	require.Equal(t, 420, rounded)
	require.GreaterOrEqual(t, precision, 0.99)
	require.GreaterOrEqual(t, recall, 0.94) // the rest are names that are too general, on purpose
}

// All funds of the crosswalk are the catalog, and each issuer looks for its fund among all of them: it must find the one
// of its own adviser, or none where the name is at several.
func TestNameKeyAmongAllFundsOfTheCrosswalk(t *testing.T) {
	t.Parallel()
	pairs := crosswalk(t)
	advisers := map[derive.FundKey]map[string]bool{} // of each key
	for _, p := range pairs {
		if key := derive.NameKey(p.fund); key.Name != "" {
			if advisers[key] == nil {
				advisers[key] = map[string]bool{}
			}
			advisers[key][p.crd] = true
		}
	}
	var positives, right, wrong, elsewhere int
	for _, p := range pairs {
		of := advisers[derive.NameKey(p.issuer)]
		if p.distance < rounding {
			positives++
		}
		switch {
		case len(of) != 1:
		case p.distance < rounding && of[p.crd]:
			right++
		case of[p.crd]:
			wrong++
		default:
			elsewhere++ // the comparison put another fund beside it although one of the same name exists
		}
	}
	precision := float64(right) / float64(right+wrong+elsewhere)
	t.Logf("%d joins right, %d to a fund of another name, %d elsewhere, of %d positives; precision %.4f, recall %.4f",
		right, wrong, elsewhere, positives, precision, float64(right)/float64(positives))
	require.GreaterOrEqual(t, precision, 0.99)
	require.GreaterOrEqual(t, float64(right)/float64(positives), 0.95)
}
