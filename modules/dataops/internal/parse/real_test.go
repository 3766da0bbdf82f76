package parse_test

import (
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/parse"
	"gpatlas/platform/testkit/realdata"
)

func sum(filings []*catalogapi.AdviserFiling, field func(*catalogapi.AdviserFiling) *int64) (total int64, answered int) {
	for _, f := range filings {
		if v := field(f); v != nil {
			total += *v
			answered++
		}
	}
	return total, answered
}

func requireWhole(t *testing.T, d *drained, registration catalogapi.Registration) {
	t.Helper()
	require.Empty(t, d.reasons())
	seen, crd := map[string]bool{}, regexp.MustCompile(`^[1-9][0-9]{0,9}$`)
	for _, f := range d.filings {
		require.Regexp(t, crd, f.CRD)
		require.False(t, seen[f.CRD])
		seen[f.CRD] = true
		require.Equal(t, registration, catalogapi.Registration(catalogapi.TextOf(f.Registration)))
		require.NotEmpty(t, f.LegalName)
		require.False(t, f.Submitted.IsZero())
		require.False(t, f.StatusDate.IsZero())
		require.NotEmpty(t, catalogapi.TextOf(f.SECStatus))
	}
}

func TestRealExemptRoster(t *testing.T) {
	t.Parallel()
	d := mustDrain(t, realdata.File(t, "sec-roster/ia070124-exempt.xlsx"))
	requireWhole(t, d, catalogapi.ExemptReporting)
	require.Len(t, d.filings, 5486)
	funds, answered := sum(d.filings, func(f *catalogapi.AdviserFiling) *int64 { return f.ReportedFundCount })
	require.Equal(t, int64(45408), funds)
	require.Equal(t, 5486, answered)
	assets, _ := sum(d.filings, func(f *catalogapi.AdviserFiling) *int64 { return f.ReportedFundGAV })
	require.Equal(t, int64(6_266_214_688_272), assets)
	types := map[string]int64{}
	for _, f := range d.filings {
		var own int64
		for name, n := range f.ReportedFundTypes {
			types[name] += n
			own += n
		}
		require.Equal(t, *f.ReportedFundCount, own, "the types of %s sum up to its funds", f.CRD)
	}
	require.Len(t, types, 7)
	require.Equal(t, int64(33_338), types["Venture Capital Fund"])
	residences, zips, leis := 0, 0, 0
	version, zip := regexp.MustCompile(`^[01][0-9]/20[0-9]{2}$`), regexp.MustCompile(`^[0-9]{5}(-[0-9]{4})?$`)
	for _, f := range d.filings {
		require.Nil(t, f.EmployeeCount)
		require.Nil(t, f.RAUM)
		require.NotNil(t, f.AdvisesFunds)
		require.Regexp(t, version, catalogapi.TextOf(f.FormVersion))
		if *f.PrivateResidence {
			residences++
			require.Empty(t, catalogapi.TextOf(f.City))
		}
		if catalogapi.TextOf(f.Country) == "United States" {
			zips++
			require.Regexp(t, zip, catalogapi.TextOf(f.PostalCode))
		}
		if catalogapi.TextOf(f.LEI) != "" {
			leis++
		}
	}
	require.Equal(t, 647, residences)
	require.Positive(t, zips)
	require.Positive(t, leis)
	byDate := func(a, b *catalogapi.AdviserFiling) int { return a.Submitted.Compare(b.Submitted) }
	require.Equal(t, "2017-12-05", slices.MinFunc(d.filings, byDate).Submitted.Format(time.DateOnly))
	require.Equal(t, "2024-06-30", slices.MaxFunc(d.filings, byDate).Submitted.Format(time.DateOnly))
}

func TestRealRegisteredRoster(t *testing.T) {
	t.Parallel()
	d := mustDrain(t, realdata.File(t, "sec-roster/sec_advisers.csv"))
	requireWhole(t, d, catalogapi.Registered)
	require.Len(t, d.filings, 16475)
	employees, answered := sum(d.filings, func(f *catalogapi.AdviserFiling) *int64 { return f.EmployeeCount })
	require.Equal(t, 16474, answered, "one adviser does not say")
	require.Positive(t, employees)
	raum, answered := sum(d.filings, func(f *catalogapi.AdviserFiling) *int64 { return f.RAUM })
	require.Equal(t, 16475, answered)
	require.Equal(t, int64(144_497_533_842_616), raum)
}

func TestRealFundList(t *testing.T) {
	t.Parallel()
	d := mustDrain(t, realdata.File(t, "adv-private-funds/funds_2024-07-10_with_crd.csv"))
	require.Empty(t, d.reasons())
	require.Len(t, d.filings, 8)
	require.Len(t, d.funds, 28)
	var gav, states int64
	for _, f := range d.funds {
		require.Regexp(t, `^805-[0-9]{10}$`, f.FundID)
		require.NotNil(t, f.Owners)
		gav += *f.GAV
		if f.State != "" {
			states++
			require.Equal(t, "United States", f.Country)
		}
	}
	require.Equal(t, int64(2_359_170_253), gav)
	require.Equal(t, int64(12), states)
	for _, f := range d.filings {
		require.Equal(t, "2024-07-10", f.Submitted.Format(time.DateOnly))
	}
}

// TestRealStrangers: tables of the same field that are no source of ours are refused, not half read.
func TestRealStrangers(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"iapd-firm-feed/big_firms.csv", "adv-private-funds/all_private_fund_rias_analysis.csv", "gp-universe/2025-03_crds.csv",
		"sec-roster", "crosswalk/matches_funds.csv",
	} {
		_, err := drain(t.Context(), realdata.File(t, name), parse.Options{})
		require.ErrorIs(t, err, parse.ErrUnknown, name)
	}
}
