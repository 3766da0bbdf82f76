package index_test

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/internal/index"
)

// plainJSON is what the service's encoder makes of v: encoding/json without its escaping of HTML.
func plainJSON(tb testing.TB, v any) string {
	tb.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	require.NoError(tb, e.Encode(v))
	return string(bytes.TrimSuffix(b.Bytes(), []byte("\n")))
}

var oddStrings = []string{
	"", "plain", `quote " and \ backslash`, "tab\tnewline\nreturn\rback\bfeed\f", "\x00\x01\x1f\x7f", "<b>&amp;</b>",
	"line\u2028para\u2029end", "Zürich Ōsaka 北京 🏦", "\xff\xfe", "cut \xe2\x82", "\ufffd", "\u200b\u202e", "a\xc0\xafb", "'", "/",
}

// Both encodings of a list item are the same bytes, whatever stands in the record and whatever is unknown.
func TestAppendedItemsEqualTheirStructures(t *testing.T) {
	t.Parallel()
	g := newGenerator(5, 120, true)
	gps := g.gps(200)
	funds := g.funds(500, gps)
	for i := range gps {
		if i%3 == 0 {
			gps[i].LegalName, gps[i].City = pick(g, oddStrings...), pick(g, oddStrings...)
			gps[i].BusinessName, gps[i].Website = pick(g, oddStrings...), pick(g, oddStrings...)
		}
		if i%5 == 0 {
			gps[i].LatestFiledOn = time.Time{}
		}
		if i%7 == 0 {
			gps[i].WithdrawnOn = time.Date(2026, time.July, 1+i%30, 0, 0, 0, 0, time.UTC)
		}
		if i%14 < 3 {
			gps[i].NotListedSince = time.Date(2025, time.July, 1+i%30, 0, 0, 0, 0, time.UTC)
		}
	}
	for i := range funds {
		if i%3 == 0 {
			funds[i].Name, funds[i].Country = pick(g, oddStrings...), pick(g, oddStrings...)
		}
		if i%7 == 0 {
			funds[i].VintageYear, funds[i].State, funds[i].Country = index.Unknown, "", ""
		}
	}
	s := index.Build(gps, funds, index.Freshness{})
	for id := range uint32(len(gps)) {
		require.Equal(t, plainJSON(t, s.GPItem(id)), string(s.AppendGP(nil, id)))
	}
	for id := range uint32(len(funds)) {
		require.Equal(t, plainJSON(t, s.FundItem(id)), string(s.AppendFund(nil, id)))
	}
}
