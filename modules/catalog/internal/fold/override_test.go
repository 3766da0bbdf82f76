package fold_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/internal/fold"
)

// The organisation comes from the newest correction in force that names the adviser, as the one that is corrected or as the one
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
				CRD: c.crd, Overrides: c.all, Versions: []fold.AdviserVersion{{Filing: by, LegalName: "Quarry"}}, Filings: []fold.Filed{{Filing: by}},
			}
			got := r.State(c.day, fold.Provenance{}).Provenance[fold.OverrideOrganization]
			require.Equal(t, c.want, got.Accession)
		})
	}
}
