package listing_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/internal/index"
	"gpatlas/modules/catalog/internal/listing"
	"gpatlas/platform/apperr"
	"gpatlas/platform/httpapi"
)

func TestPlacesAndCountries(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"uk": "GB", "GB": "GB", "United Kingdom": "GB", "cayman islands": "KY", "ny": "NY", "new york": "New York",
		"DE": "DE", "delaware": "Delaware", "Georgia": "Georgia", "Atlantis": "Atlantis", "US": "US", "united states": "US",
	} {
		var c listing.Check
		require.Equal(t, []string{want}, c.Places("jurisdiction", httpapi.Some(given)), given)
		require.NoError(t, c.Err())
		require.Equal(t, map[string]any{"jurisdiction": want}, c.Applied.Map())
	}
	for given, want := range map[string]string{"uk": "GB", "Ruritania": "Ruritania", "korea, south": "KR"} {
		var c listing.Check
		require.Equal(t, []string{want}, c.Countries("country", httpapi.Some(given)), given)
		require.NoError(t, c.Err())
	}
}

func TestFaultsAreCollected(t *testing.T) {
	t.Parallel()
	var c listing.Check
	c.States("state", httpapi.Some("XX"))
	c.Places("place", httpapi.Some("ZQ"))
	c.CountryCodes("jurisdiction", httpapi.Some("Ruritania"))
	c.Strategies("strategy", httpapi.Some("pe,nonsense"), "exclude_strategy", httpapi.Opt[string]{})
	err := c.Err()
	require.Error(t, err)
	require.Equal(t, apperr.KindInvalid, apperr.From(err).Kind)
	var fields []string
	for _, f := range apperr.From(err).Fields {
		fields = append(fields, f.Field)
	}
	require.Equal(t, []string{"state", "place", "jurisdiction", "strategy"}, fields)
}

// The bytes of filters_applied are what encoding/json makes of the map.
func TestAppliedEncoding(t *testing.T) {
	t.Parallel()
	var c listing.Check
	require.Equal(t, "{}", string(c.Applied.AppendJSON(nil)))
	c.Query("q", httpapi.Some(`a "b" é`))
	c.Number("gp_id", httpapi.Some(int64(7)))
	c.Tri("has_funds", httpapi.Some(false))
	c.Strategies("strategy", httpapi.Some("vc,PE"), "exclude_strategy", httpapi.Opt[string]{})
	want, err := json.Marshal(c.Applied.Map())
	require.NoError(t, err)
	require.Equal(t, string(want), string(c.Applied.AppendJSON(nil)))
}

// V8: a comma can be a part of one value: of a place, which is tried whole first, and of a city, whose values have semicolons.
func TestCommasOfNames(t *testing.T) {
	t.Parallel()
	var c listing.Check
	for given, want := range map[string][]string{
		"Washington, D.C.": {"DC"}, "Washington": {"WA"}, "washington,DC": {"DC"}, "WA,DC": {"WA", "DC"}, "Washington, D.C.,TX": {"DC", "TX"}, "TX,TX,texas": {"TX"},
	} {
		require.Equal(t, want, c.States("state", httpapi.Some(given)), given)
	}
	c.Filed = index.Build(nil, nil, index.Freshness{}) // no name without a code is filed
	for given, want := range map[string][]string{
		"Korea, Republic of": {"KR"}, "Korea, Republic of,DE": {"KR", "DE"}, "DE,Bahamas, The,uk": {"DE", "BS", "GB"},
	} {
		require.Equal(t, want, c.Countries("country", httpapi.Some(given)), given)
	}
	require.Equal(t, []string{"Washington, D.C."}, c.WordLists("city", httpapi.Some("Washington, D.C.")))
	require.Equal(t, []string{"Washington, D.C.", "Austin"}, c.WordLists("auditor_name", httpapi.Some("Washington, D.C.; Austin")))
	require.NoError(t, c.Err())
}
