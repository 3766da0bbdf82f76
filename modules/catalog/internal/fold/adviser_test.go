package fold_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/fold"
)

// A state of the US has one name, and stands in no other country: filters, facets and groups count the same.
func TestStateOfTheUSStandsInTheUS(t *testing.T) {
	t.Parallel()
	day := time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct{ state, country, wantState, wantCountry string }{
		"its code":           {"NY", "United States", "NY", "US"},
		"its name":           {"New York", "United States", "NY", "US"},
		"without a country":  {"New York", "", "NY", "US"},
		"in another country": {"NY", "United Kingdom", "", "GB"},
		"a province":         {"Ontario", "Canada", "Ontario", "CA"},
		"an unknown country": {"NY", "Ruritania", "NY", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			by := fold.Filing{Accession: "A", CRD: "1", FilingDate: day}
			filed := catalogapi.Statement{LegalName: "Quarry", City: new("Mossgate"), State: &c.state, Country: &c.country}
			if c.country == "" {
				filed.Country = nil
			}
			r := fold.Record{CRD: "1", Versions: []fold.AdviserVersion{{Filing: by, Statement: filed}}, Filings: []fold.Filed{{Filing: by}}}
			got := r.State(day, fold.Provenance{})
			require.Equal(t, c.wantState, catalogapi.TextOf(got.State))
			require.Equal(t, c.wantCountry, catalogapi.TextOf(got.CountryCode))
			_, noted := got.Provenance["state"]
			require.Equal(t, c.wantState != "", noted)
		})
	}
}
