package gp_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"gpatlas/modules/catalog/internal/gp"
	"gpatlas/modules/catalog/internal/index"
	"gpatlas/platform/clock"
	"gpatlas/platform/httpapi"
)

func TestLaunchedWithinMonthsEndsWithShortMonths(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		today  string
		months int64
		want   string
	}{
		{"2026-11-21", 1, "2026-10-21"},
		{"2026-03-31", 1, "2026-02-28"},
		{"2024-03-31", 1, "2024-02-29"},
		{"2026-01-15", 1, "2025-12-15"},
		{"2026-05-31", 18, "2024-11-30"},
		{"2026-11-21", 1200, "1926-11-21"},
	} {
		today, err := time.Parse(time.DateOnly, c.today)
		require.NoError(t, err)
		in := gp.SearchInput{Filters: gp.Filters{Criteria: gp.Criteria{LaunchedWithinMonths: httpapi.Some(c.months)}}}
		q, _, err := in.Query(clock.Fixed(today.Add(23*time.Hour)), nil)
		require.NoError(t, err)
		want, err := time.Parse(time.DateOnly, c.want)
		require.NoError(t, err)
		require.Equal(t, index.Days(want, time.Time{}), q.Fund.Numbers[index.MatchFirstFiled], "%+v", c)
	}
}

// Every amount from 0 on is in one band.
func TestBandsPartition(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		aum := rapid.OneOf(rapid.Int64Min(0), rapid.Int64Range(0, 20_000_000_000),
			rapid.SampledFrom([]int64{99_999_999, 100_000_000, 500_000_000, 999_999_999, 1_000_000_000, 10_000_000_000})).Draw(t, "aum")
		s := index.Build([]index.GP{{CRD: "900001", LegalName: "Larkspur Hollow", TotalAUM: aum}}, nil, index.Freshness{})
		in := 0
		for _, band := range []string{"<100M", "100M-500M", "500M-1B", "1B-10B", ">10B"} {
			q, _, err := (&gp.SearchInput{Filters: gp.Filters{Criteria: gp.Criteria{AUMBand: httpapi.Some(band)}}}).Query(clock.System{}, nil)
			require.NoError(t, err)
			in += s.SearchGPs(q).Total
		}
		require.Equal(t, 1, in)
	})
}

func TestQueryLength(t *testing.T) {
	t.Parallel()
	for text, good := range map[string]bool{
		"ab":                          true,
		"  ab  ":                      true,
		strings.Repeat("é", 200):      true,
		strings.Repeat("x", 201):      false,
		strings.Repeat("x", 10_000):   false,
		" " + strings.Repeat(" ", 10): false,
		" a ":                         false,
		"\u0301\u0301":                false, // marks alone
	} {
		_, _, err := (&gp.SearchInput{Filters: gp.Filters{Q: httpapi.Some(text)}}).Query(clock.System{}, nil)
		require.Equal(t, good, err == nil, "%.20q: %v", text, err)
	}
}
