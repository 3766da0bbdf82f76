package moment_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/charge"
	"gpatlas/platform/moment"
)

func TestBasis(t *testing.T) {
	t.Parallel()
	built := time.Date(2026, time.March, 1, 9, 30, 0, 1, time.FixedZone("", 3600))
	for _, at := range []struct{ Day, Known time.Time }{
		{},
		{Day: time.Date(2025, time.June, 30, 0, 0, 0, 0, time.UTC)},
		{Day: time.Date(2025, time.June, 30, 0, 0, 0, 0, time.UTC), Known: built},
	} {
		for _, micros := range []int64{150_000, 1, 2_000_000} {
			b := moment.NewBasis(built, charge.NewPricing(micros, charge.PerRequest), at.Day, at.Known)
			want, err := json.Marshal(b)
			require.NoError(t, err)
			require.Equal(t, string(want), "{"+string(b.Append(nil)))
			require.Equal(t, "2026-03-01T08:30:00.000000Z", b.CalculatedAt)
			require.Equal(t, at.Day.IsZero(), b.AsOf == nil)
			require.Equal(t, at.Known.IsZero(), b.KnownAt == nil)
		}
	}
}
