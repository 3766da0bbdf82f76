package charge_test

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"gpatlas/platform/charge"
)

func TestDollars(t *testing.T) {
	t.Parallel()
	for micros, want := range map[int64]string{
		0: "0.00", 1: "0.000001", 10: "0.00001", 1_000: "0.001", 10_000: "0.01", 12_500: "0.0125", 100_000: "0.10", 120_000: "0.12",
		150_000: "0.15", 250_000: "0.25", 500_000: "0.50", 600_000: "0.60", 999_999: "0.999999", 1_000_000: "1.00", 1_000_001: "1.000001",
		12_345_000: "12.345", 25_000_000: "25.00", 1_234_567_890_000: "1234567.89", -250_000: "-0.25", -1: "-0.000001",
		math.MaxInt64: "9223372036854.775807", math.MinInt64: "-9223372036854.775808",
	} {
		require.Equal(t, want, charge.Dollars(micros), micros)
	}
}

var amount = regexp.MustCompile(`^-?(0|[1-9][0-9]*)\.([0-9]{2}|[0-9]{2,5}[1-9])$`)

// No micro-dollar is lost or invented, and no needless nought is written.
func TestDollarsKeepEveryMicro(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		micros := rapid.Int64().Draw(t, "micros")
		text := charge.Dollars(micros)
		require.Regexp(t, amount, text)
		whole, decimals, _ := strings.Cut(text, ".")
		back, err := strconv.ParseInt(whole+decimals+strings.Repeat("0", 6-len(decimals)), 10, 64)
		require.NoError(t, err)
		require.Equal(t, micros, back)
	})
}

func TestPriceOfAnItem(t *testing.T) {
	t.Parallel()
	units := []string{"a", "b", "c"}
	for want, item := range map[int64]charge.Item{
		1_500_000: {Per: charge.PerPerson, Units: units, UnitMicros: 500_000},
		0:         {Per: charge.PerPerson, UnitMicros: 500_000},
		500_000:   {Per: charge.PerRequest, UnitMicros: 500_000},
		750_000:   {Per: charge.PerRequest, Units: units, UnitMicros: 750_000},
	} {
		require.Equal(t, want, item.Micros())
	}
}

func TestFreeChargesNothing(t *testing.T) {
	t.Parallel()
	item := charge.Item{Operation: "get-gp-metrics", Subject: "900001", Per: charge.PerRequest, UnitMicros: 150_000}
	var meter charge.Meter = charge.Free{}
	require.NoError(t, meter.Allow(t.Context(), item))
	receipt, err := meter.Charge(t.Context(), item)
	require.NoError(t, err)
	require.Zero(t, receipt)
}

func TestPricing(t *testing.T) {
	t.Parallel()
	for micros, want := range map[int64]charge.Pricing{
		250_000: {Cost: 0.25, Description: "$0.25 per request"},
		500_000: {Cost: 0.5, Description: "$0.50 per request"},
		12_500:  {Cost: 0.0125, Description: "$0.0125 per request"},
	} {
		require.Equal(t, want, charge.NewPricing(micros, charge.PerRequest), "%d", micros)
	}
	require.Equal(t, "$0.50 per person", charge.NewPricing(500_000, charge.PerPerson).Description)
}
