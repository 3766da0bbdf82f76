package change_test

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"gpatlas/modules/analytics/internal/change"
)

func TestPercent(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		before, after *int64
		want          *float64
	}{
		"more":                     {new(int64(2_000_000_000)), new(int64(2_500_000_000)), new(25.0)},
		"less":                     {new(int64(40)), new(int64(30)), new(-25.0)},
		"nothing left":             {new(int64(7)), new(int64(0)), new(-100.0)},
		"a third":                  {new(int64(3)), new(int64(4)), new(33.33)},
		"two thirds":               {new(int64(3)), new(int64(5)), new(66.67)},
		"the same":                 {new(int64(9)), new(int64(9)), new(0.0)},
		"a half is rounded up":     {new(int64(20_000)), new(int64(20_201)), new(1.01)}, // 1.005, which no float64 holds
		"a half is rounded down":   {new(int64(20_000)), new(int64(19_799)), new(-1.01)},
		"too little to show":       {new(int64(1_000_000)), new(int64(999_999)), new(0.0)},
		"from nothing":             {new(int64(0)), new(int64(5)), nil},
		"from nothing to nothing":  {new(int64(0)), new(int64(0)), nil},
		"from unknown":             {nil, new(int64(5)), nil},
		"to unknown":               {new(int64(5)), nil, nil},
		"out of debt":              {new(int64(-100)), new(int64(100)), new(200.0)},
		"the largest of one":       {new(int64(1)), new(int64(math.MaxInt64)), new(922337203685477580600.0)},
		"the largest to the least": {new(int64(math.MaxInt64)), new(int64(math.MinInt64)), new(-200.0)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := change.Percent(c.before, c.after)
			require.Equal(t, c.want, got)
			require.False(t, got != nil && math.Signbit(*got) && *got == 0, "no -0")
		})
	}
}

// A percent is within half a hundredth of the true one, and never anything but a number.
func TestPercentIsNear(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		before, after := rapid.Int64().Draw(t, "before"), rapid.Int64().Draw(t, "after")
		got := change.Percent(&before, &after)
		if before == 0 {
			require.Nil(t, got)
			return
		}
		require.False(t, math.IsNaN(*got) || math.IsInf(*got, 0))
		base := new(big.Float).SetInt64(before)
		want := new(big.Float).Sub(new(big.Float).SetInt64(after), base)
		want.Quo(want, base.Abs(base)).Mul(want, big.NewFloat(100))
		f, _ := want.Float64()
		require.InDelta(t, f, *got, 0.005+math.Abs(f)*1e-12)
		require.NotNil(t, change.Percent(&before, &before))
		require.Zero(t, *change.Percent(&before, &before))
	})
}
