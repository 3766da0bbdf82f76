package chart_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/console/chart"
)

// Guarantee: the map has the 50 states and the District of Columbia, each once. A state with managers shows how many and leads to them; one
// without leads nowhere.
func TestStates(t *testing.T) {
	t.Parallel()
	svg := string(chart.States("", "Managers <by> state", []chart.State{{Code: "NY", Link: "/gps?state=NY&a=b", Value: 400}, {Code: "TX", Link: "/gps?state=TX", Value: 2}, {Code: "PR", Link: "/x", Value: 3}}))
	require.Equal(t, 51, strings.Count(svg, "<rect "))
	require.Equal(t, 2, strings.Count(svg, "<a "))
	require.Contains(t, svg, `<a href="/gps?state=NY&amp;a=b" aria-label="NY 400">`)
	require.Contains(t, svg, `aria-label="Managers &lt;by&gt; state"`)
	require.NotContains(t, svg, "PR")
	for _, code := range []string{"AK", "HI", "DC", "RI", "DE", "CA", "FL", "ME"} {
		require.Equal(t, 1, strings.Count(svg, ">"+code+"<"), code)
	}
	require.Equal(t, 1, strings.Count(svg, "shade4"))
	require.Equal(t, 1, strings.Count(svg, "shade1"))
}
