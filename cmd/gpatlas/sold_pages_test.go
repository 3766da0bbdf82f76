package main

import (
	"html"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// soldPages are the pages that sell, with what the price is and what the bought page shows.
var soldPages = map[string]struct{ price, shows string }{
	"/gps/" + shownGP + "/compare":     {"0.25", "Employee count"},
	"/gps/" + shownGP + "/changes":     {"0.25", "Employee count"},
	"/gps/" + shownGP + "/related":     {"0.15", "Same primary strategy"},
	"/gps/" + shownGP + "/disclosures": {"0.50", "FINRA"},
	"/gps/" + shownGP + "/lps":         {"0.10", "Endowment"},
	"/gps/" + hiringGP + "/hiring":     {"0.10", "Principal"},
	"/gps/" + alumniGP + "/alumni":     {"1.00", "PARTNER"},
	"/gps/" + shownGP + "/team":        {"2.00", "PARTNER"},
	"/funds/" + listedFund + "/lps":    {"0.10", "Insurance"},
	"/market":                          {"0.15", "Venture"},
	"/market/growth":                   {"0.15", "SOLVARKELD"},
	"/market/providers":                {"0.15", "HALFMOON"},
	"/market/provider-changes":         {"0.25", "Administrator"},
	"/lps":                             {"0.10", "Pension"},
	"/lps/1":                           {"0.10", "Dunvalden"},
	"/people?q=linara+uldrigard":       {"0.50", "Linara"},
	"/people/" + shownPerson:           {"0.75", "PARTNER"},
}

var hiddenField = regexp.MustCompile(`<input type="hidden" name="([^"]+)" value="([^"]*)">`)

// Guarantee: a page that sells costs nothing to look at, states its price, and asks a stranger to sign in. Its button charges that price once, also
// if the browser sends it again; a forged lower price buys nothing.
func soldOnPages(t *testing.T, h *house) {
	t.Helper()
	stranger, buyer := newVisitor(t, h), newVisitor(t, h)
	buyer.register(h, "buyer@mossgate.example")
	unverified := buyer.open("/lps")
	require.Equal(t, http.StatusForbidden, unverified.status)
	require.NotContains(t, unverified.body, "Show for")
	buyer.send("/verify-email", "token", h.mailed(t, "buyer@mossgate.example", "verify-email"))
	for path, want := range soldPages {
		page := stranger.open(path)
		require.Equal(t, http.StatusOK, page.status, "%s: %s", path, page.body)
		require.Contains(t, page.body, "Sign in</a> to see it", path)
		require.NotContains(t, page.body, `method="post"`, path)
		page = buyer.open(path)
		require.Equal(t, http.StatusOK, page.status, path)
		require.Contains(t, page.body, "Show for $"+want.price, path)
		var fields []string
		for _, m := range hiddenField.FindAllStringSubmatch(page.body, -1) {
			fields = append(fields, m[1], html.UnescapeString(m[2]))
		}
		at, _, _ := strings.Cut(path, "?")
		if path == "/market" { // once: a session has a limit
			forged := slices.Clone(fields)
			forged[len(forged)-1], forged[len(forged)-3] = "0.01", fields[len(fields)-3]+"2"
			require.Equal(t, http.StatusPaymentRequired, buyer.send(at, forged...).status)
		}
		for range 2 {
			page = buyer.send(at, fields...)
			require.Equal(t, http.StatusOK, page.status, "%s: %s", path, page.body)
			require.Contains(t, page.body, want.shows, path)
			require.Equal(t, "no-store", page.header.Get("Cache-Control"), path)
		}
		require.Contains(t, page.body, "This cost nothing", "%s is charged once", path)
	}
}
