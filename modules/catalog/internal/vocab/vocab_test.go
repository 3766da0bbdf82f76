package vocab_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/vocab"
)

func TestExpandStrategy(t *testing.T) {
	t.Parallel()
	for in, want := range map[string][]string{
		"PE": {"buyout", "growth", "secondaries"}, "vc": {"venture"}, "RealEstate": {"real-estate"},
		"hedge": {"hedge"}, "CREDIT": {"credit"}, "fund-of-funds": {"fund-of-funds"},
	} {
		got, ok := vocab.ExpandStrategy(in)
		require.True(t, ok, in)
		require.Equal(t, want, got, in)
	}
	got, ok := vocab.ExpandStrategy(" Buyout ")
	require.True(t, ok)
	require.Equal(t, []string{"buyout"}, got)
	_, ok = vocab.ExpandStrategy("quant")
	require.False(t, ok)
}

func TestEveryStrategyHasAManagerType(t *testing.T) {
	t.Parallel()
	for _, s := range vocab.Strategies() {
		require.Contains(t, []string{vocab.ManagerPEVC, vocab.ManagerHedge, vocab.ManagerRealEstate, vocab.ManagerOther}, vocab.ManagerType(s), s)
	}
	require.Empty(t, vocab.ManagerType(""))
}

func TestCountryCode(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"UK": "GB", "gb": "GB", "United Kingdom": "GB", "Korea, South": "KR", "south korea": "KR",
		"Bahamas, The": "BS", "the bahamas": "BS", "Taiwan,  Republic of China": "TW", "Georgia/Gruzinskaya": "GE",
		"British Virgin Islands": "VG", "VIRGIN ISLANDS, BRITISH": "VG", "Curaçao": "CW", "U.S.A.": "US", "us": "US",
		"Trinidad & Tobago": "TT", "Dominican Republic": "DO", "Dominica": "DM", "China": "CN",
		"Congo, Democratic Republic of the": "CD", "Guinea": "GN", "Isle of Man": "IM",
	} {
		got, ok := vocab.CountryCode(in)
		require.True(t, ok, in)
		require.Equal(t, want, got, in)
	}
	for _, in := range []string{"", "ZZ", "Atlantis", "Delaware"} {
		_, ok := vocab.CountryCode(in)
		require.False(t, ok, in)
	}
}

// Every spelling of the table leads to its own line: no two countries share a key.
func TestCountryNamesAreUnambiguous(t *testing.T) {
	t.Parallel()
	names := vocab.CountryNames()
	require.Greater(t, len(names), 249)
	for name, code := range names {
		got, ok := vocab.CountryCode(name)
		require.True(t, ok, name)
		require.Equal(t, code, got, name)
	}
}

func TestStates(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{"ny": "NY", "Delaware": "DE", "district of columbia": "DC", "PR": "PR", "Washington": "WA"} {
		got, ok := vocab.StateCode(in)
		require.True(t, ok, in)
		require.Equal(t, want, got, in)
	}
	name, ok := vocab.StateName("ma")
	require.True(t, ok)
	require.Equal(t, "Massachusetts", name)
	_, ok = vocab.StateCode("Ontario")
	require.False(t, ok)
	require.Len(t, catalogapi.USStates, 56)
}
