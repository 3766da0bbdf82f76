package marketintel

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMoney(t *testing.T) {
	t.Parallel()
	for n, want := range map[int64]string{
		-1: "unknown", 0: "$0", 999: "$999", 1000: "$1.0K", 999_949: "$999.9K", 999_950: "$1.0M", 410_000_000: "$410.0M", 1_249_000_000: "$1.2B",
		18_400_000_000: "$18.4B", 2_500_000_000_000: "$2.5T",
	} {
		require.Equal(t, want, money(n))
	}
	for want, pair := range map[string][2]int64{"+141.7%": {1200, 2900}, "-12.5%": {18_400, 16_100}, "x10": {10, 100}, "new": {0, 5}} {
		require.Equal(t, want, change(pair[0], pair[1]))
	}
}
