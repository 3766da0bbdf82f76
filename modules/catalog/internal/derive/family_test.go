package derive_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"gpatlas/modules/catalog/internal/derive"
)

func TestParallels(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		names []string
		want  []bool
	}{
		"none":                      {nil, []bool{}},
		"a letter beside the main":  {[]string{"Tern Lark Fund III, L.P.", "TERN LARK FUND III-A LP"}, []bool{false, true}},
		"letters without a main":    {[]string{"Tern Lark Fund III-A, L.P.", "Tern Lark Fund III-B, L.P."}, []bool{false, false}},
		"the word":                  {[]string{"Tern Lark Parallel Fund III, L.P."}, []bool{true}},
		"offshore beside the main":  {[]string{"Tern Lark Offshore Fund, Ltd.", "Tern Lark Fund, L.P."}, []bool{true, false}},
		"offshore alone":            {[]string{"Tern Lark Offshore Fund, Ltd."}, []bool{false}},
		"both marks":                {[]string{"Tern Lark Fund III (Cayman)-B, L.P.", "Tern Lark Fund III"}, []bool{true, false}},
		"another fund":              {[]string{"Tern Lark Fund III, L.P.", "Tern Lark Fund IV, L.P."}, []bool{false, false}},
		"a numeral is no letter":    {[]string{"Tern Lark Fund", "Tern Lark Fund I", "Tern Lark Fund V"}, []bool{false, false, false}},
		"a co-investment is a fund": {[]string{"Tern Lark Fund III", "Tern Lark Fund III Co-Invest"}, []bool{false, false}},
		"a strategy is no mark":     {[]string{"Tern Lark Equity Fund", "Tern Lark Domestic Equity Fund"}, []bool{false, false}},
		"one name twice":            {[]string{"Tern Lark Fund", "Tern Lark Fund, L.P."}, []bool{false, false}},
		"nothing but marks":         {[]string{"Offshore", "A", ""}, []bool{false, false, false}},
	} {
		require.Equal(t, c.want, derive.Parallels(c.names), name)
	}
}

// The order of the funds does not count, and a fund without a mark is never a vehicle.
func TestParallelsOfAnyOrder(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOf(rapid.SampledFrom([]string{"Tern", "Tern A", "Tern Offshore", "Tern Parallel", "Lark", "Lark B", "Lark II"})).Draw(t, "names")
		order := rapid.Permutation(names).Draw(t, "order")
		by := map[string]bool{}
		for i, vehicle := range derive.Parallels(names) {
			by[names[i]] = vehicle
		}
		for i, vehicle := range derive.Parallels(order) {
			require.Equal(t, by[order[i]], vehicle, order[i])
		}
		require.False(t, by["Tern"] || by["Lark"] || by["Lark II"])
	})
}
