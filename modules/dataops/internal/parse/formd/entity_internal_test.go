package formd

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestEntity tells firms among the related persons. The names are invented.
func TestEntity(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ first, middle, last, whole string }{
		{"LLC", "", "Fund GP,", "Fund GP, LLC"},
		{"Ltd.", "", "Bellows Group", "Bellows Group Ltd."},
		{"L.P.", "", "Halcyon GP, L.P.", "Halcyon GP, L.P."},
		{"N/A", "N/A", "Halcyon Advisors", "Halcyon Advisors"},
		{"-", "", "Halcyon GP II LLC", "Halcyon GP II LLC"},
		{".", "", "Halcyon Corp", "Halcyon Corp"},
		{"None", "None", "Halcyon", "Halcyon"},
		{"", "", "Halcyon", "Halcyon"},
		{"Halcyon GP LLC", "", "n/a", "Halcyon GP LLC"},
		{"U.S. Tides", "", "Development Corporation", "U.S. Tides Development Corporation"},
		{"Halcyon Ridge Partners", "", "LLC", "Halcyon Ridge Partners LLC"},
		{"Jane", "Q.", "Sample", ""},
		{"Na", "", "Sample", ""},
		{"Maria", "", "De Sa", ""},
		{"Jane", "", "Limited", "Jane Limited"},
		{"Halcyon", "", "Family Trust", "Halcyon Family Trust"},
		{"Capital", "", "Sample", ""},
		{"Tidal", "Lee", "Mc Coy", ""},
		{"N/A", "", "None", ""},
		{"LLC", "", "", ""},
	} {
		whole, ok := entity(c.first, c.middle, c.last)
		require.Equal(t, c.whole, whole, "%s|%s|%s", c.first, c.middle, c.last)
		require.Equal(t, c.whole != "", ok)
	}
}

func TestPlace(t *testing.T) {
	t.Parallel()
	for _, c := range [][4]string{
		{"MA", "MASSACHUSETTS", "MA", "United States"},
		{"E9", "CAYMAN ISLANDS", "", "CAYMAN ISLANDS"},
		{"A6", "ONTARIO, CANADA", "ONTARIO", "CANADA"},
		{"X1", "UNITED STATES", "", "United States"},
		{"X0", "", "", "X0"},
		{"", "", "", ""},
		{"None", "", "", ""},
	} {
		state, country := place(c[0], c[1])
		require.Equal(t, [2]string{c[2], c[3]}, [2]string{state, country}, c[0])
	}
}
