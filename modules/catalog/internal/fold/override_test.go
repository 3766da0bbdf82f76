package fold_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/fold"
)

// The organization comes from the newest correction in force that names the adviser, as the one that is corrected or as the one
// that it is merged with.
func TestOrganizationNamesItsCorrection(t *testing.T) {
	t.Parallel()
	day := func(d int) time.Time { return time.Date(2026, 7, d, 0, 0, 0, 0, time.UTC) }
	organization := func(id int64, crd string, with *string, from int) fold.Override {
		return fold.Override{ID: id, CRD: crd, Field: fold.OverrideOrganization, Value: with, ValidFrom: day(from)}
	}
	alone := organization(41, "2", nil, 1)
	merged := organization(42, "1", new("2"), 5)
	sameDay := organization(43, "3", new("2"), 5)
	filed := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		crd  string
		all  fold.Overrides
		day  time.Time
		want string
	}{
		"its own":                      {"1", fold.Overrides{merged}, day(9), "OVERRIDE-42"},
		"the other's":                  {"2", fold.Overrides{merged}, day(9), "OVERRIDE-42"},
		"merged after it was alone":    {"2", fold.Overrides{alone, merged}, day(9), "OVERRIDE-42"},
		"whatever their order":         {"2", fold.Overrides{merged, alone}, day(9), "OVERRIDE-42"},
		"before it was merged":         {"2", fold.Overrides{merged, alone}, day(4), "OVERRIDE-41"},
		"of one day the later":         {"2", fold.Overrides{sameDay, merged}, day(9), "OVERRIDE-43"},
		"one that names others":        {"1", fold.Overrides{alone, sameDay}, day(9), ""},
		"a name in a correction of it": {"2", fold.Overrides{{ID: 7, CRD: "1", Field: fold.OverrideLegalName, Value: new("2"), ValidFrom: day(1)}}, day(9), ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			by := fold.Filing{Accession: "A", CRD: c.crd, FilingDate: filed}
			r := fold.Record{
				CRD: c.crd, Overrides: c.all, Versions: []fold.AdviserVersion{{
					Filing:    by,
					Statement: catalogapi.Statement{LegalName: "Quarry"},
				}}, Filings: []fold.Filed{{Filing: by}},
			}
			got := r.State(c.day, fold.Provenance{}).Provenance[fold.OverrideOrganization]
			require.Equal(t, c.want, got.Accession)
		})
	}
}

// Totals name the correction of a fund's status that decides which funds they are over, and else the newest filing in the sum.
func TestTotalsNameCorrectionsOfFunds(t *testing.T) {
	t.Parallel()
	day := func(d int) time.Time { return time.Date(2026, 7, d, 0, 0, 0, 0, time.UTC) }
	status := func(id int64, fund, to string, from int) fold.Override {
		return fold.Override{ID: id, FundID: fund, Field: fold.OverrideFundStatus, Value: &to, ValidFrom: day(from)}
	}
	totals := []string{"fund_count", "total_gav", "net_gav", "total_investors"}
	for name, c := range map[string]struct {
		all   fold.Overrides
		want  string
		count int64
		gav   int64
	}{
		"none":                        {nil, "A", 2, 30},
		"one closed":                  {fold.Overrides{status(7, "one", "closed", 1)}, "OVERRIDE-7", 1, 20},
		"all closed":                  {fold.Overrides{status(8, "one", "closed", 2), status(9, "two", "closed", 1)}, "OVERRIDE-8", 0, 0},
		"of one day the later":        {fold.Overrides{status(9, "one", "closed", 1), status(8, "two", "closed", 1)}, "OVERRIDE-9", 0, 0},
		"still in the sum":            {fold.Overrides{status(7, "one", "liquidating", 1)}, "A", 2, 30},
		"not yet":                     {fold.Overrides{status(7, "one", "closed", 20)}, "A", 2, 30},
		"open, though no list has it": {fold.Overrides{status(7, "gone", "active", 1)}, "OVERRIDE-7", 3, 35},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			filed := func(accession string, d int) fold.Filing {
				return fold.Filing{Accession: accession, CRD: "1", DocSource: catalogapi.SourceADVArchive, FilingDate: day(d), FundsListed: true}
			}
			fund := func(by fold.Filing, id string, gav int64) fold.FundVersion {
				return fold.FundVersion{Filing: by, FundID: id, FiledFund: fold.FiledFund{Name: id, GrossAssetValue: &gav, BeneficialOwnersCount: new(int64(1)), IsFeeder: new(false)}}
			}
			before, by := filed("0", 1), filed("A", 2)
			r := fold.Record{
				CRD: "1", Overrides: c.all, Filings: []fold.Filed{{Filing: before}, {Filing: by}},
				Versions: []fold.AdviserVersion{{
					Filing:    before,
					Statement: catalogapi.Statement{LegalName: "Quarry"},
				}, {
					Filing:    by,
					Statement: catalogapi.Statement{LegalName: "Quarry"},
				}},
				FundVersions: []fold.FundVersion{fund(before, "gone", 5), fund(by, "one", 10), fund(by, "two", 20)},
			}
			got := r.State(day(9), fold.Provenance{})
			require.Equal(t, c.count, *got.FundCount)
			require.Equal(t, c.gav, *got.TotalGAV)
			for _, field := range totals {
				require.Equal(t, c.want, got.Provenance[field].Accession, field)
			}
		})
	}
}

// The strategy names a correction of a fund's status only where the filings alone say another one.
func TestStrategyNamesTheCorrectionThatChangesIt(t *testing.T) {
	t.Parallel()
	day := time.Date(2026, 7, 2, 0, 0, 0, 0, time.UTC)
	for closed, want := range map[string][2]string{"": {"buyout", "A"}, "large": {"venture", "OVERRIDE-7"}, "small": {"buyout", "A"}} {
		t.Run("closed: "+closed, func(t *testing.T) {
			t.Parallel()
			by := fold.Filing{Accession: "A", CRD: "1", DocSource: catalogapi.SourceADVArchive, FilingDate: day, FundsListed: true}
			fund := func(id, kind string, gav int64) fold.FundVersion {
				return fold.FundVersion{Filing: by, FundID: id, FiledFund: fold.FiledFund{Name: id, FundType: &kind, GrossAssetValue: &gav}}
			}
			r := fold.Record{
				CRD: "1", Filings: []fold.Filed{{Filing: by}}, Versions: []fold.AdviserVersion{{
					Filing:    by,
					Statement: catalogapi.Statement{LegalName: "Quarry"},
				}},
				FundVersions: []fold.FundVersion{fund("large", "Private Equity Fund", 20), fund("small", "Venture Capital Fund", 10)},
				Overrides:    fold.Overrides{{ID: 7, FundID: closed, Field: fold.OverrideFundStatus, Value: new("closed"), ValidFrom: day}},
			}
			got := r.State(day, fold.Provenance{})
			require.Equal(t, want[0], *got.PrimaryStrategy)
			require.Equal(t, want[1], got.Provenance["primary_strategy"].Accession)
			require.Equal(t, want[1], got.Provenance["manager_type"].Accession)
		})
	}
}
