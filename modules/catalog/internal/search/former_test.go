package search_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/internal/search"
	"gpatlas/platform/testkit/httpapitest"
)

// Neither a manager that has withdrawn nor one that no list names any more is found by its name, its funds or its place,
// however much of them is typed. Each operation says so, and where to find them.
func TestFormerManagersAreLeftOut(t *testing.T) {
	t.Parallel()
	host, c := newHost(t)
	queries := []string{
		"Kestrel Lane Ventures LLC", "Kestrel Lane Seed Fund, L.P.", "kestrel", "kes", "kestrle", "san francisco",
		"thistle", "thi", "london", "venture", "fund", "llc", "lp",
	}
	const kestrel, thistle = "900002", "900003"
	ask := func(path, query string) string { // the results alone: beside them stands the query
		got := host.Do(t, httpapitest.Scenario{Path: path + "?limit=20&q=" + url.QueryEscape(query)})
		results, _, found := strings.Cut(got.Body, `,"meta":`)
		require.True(t, found)
		return results
	}
	paths := []string{"/v1/search", "/v1/search/autocomplete", "/v1/search/suggestions"}
	for _, path := range paths {
		require.Contains(t, ask(path, "kestrel"), "Kestrel Lane Ventures", path)
		require.Contains(t, ask(path, "thistle"), "Thistle", path)
	}

	c.Withdraw(t, kestrel, "2026-07-02")
	c.List(t, "2026-07-01", "900001", thistle)
	c.List(t, "2026-08-01", "900001")
	for _, path := range paths {
		for _, query := range queries {
			for _, gone := range []string{kestrel, thistle, "Kestrel", "Thistle", "805-0000000021", "805-0000000031"} {
				require.NotContains(t, ask(path, query), gone, "%s?q=%s", path, query)
			}
		}
		require.Contains(t, ask(path, "harbor"), "Harbor Ridge", "%s finds the others", path)
	}
	for _, r := range search.Routes(search.NewService(c.Index)) {
		require.Contains(t, r.Operation.Description, "Former managers and their funds are left out.", r.Operation.Path)
		require.Contains(t, r.Operation.Description, "`GET /v1/gps?former=true`", r.Operation.Path)
	}
}
