package dataops_test

import (
	"bytes"
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/dataops"
)

// An extraction shows the rows that could not be used, shortened and without what a terminal would obey; so does the command.
func TestQuarantinedRows(t *testing.T) {
	t.Parallel()
	m := newMirror(t)
	deps := m.use(t, "")
	rosterSource(t, &deps)
	m.serve("/lists/ia110126.csv", roster(45)+"0x1,\x1b[31mRED"+strings.Repeat("\u00e9", 300)+",x\n0x2,SHORT\n")
	_, err := dataops.IngestSources(t.Context(), deps, []string{"lists"}, dataops.IngestOptions{})
	require.NoError(t, err)
	o := newOps(t, deps)
	rows := func(query string) []any {
		list, ok := o.data(t, "GET", "extractions/1"+query, "", 200)["quarantined_rows"].([]any)
		require.True(t, ok)
		return list
	}
	require.Len(t, rows(""), 2)
	require.Len(t, rows("?quarantine_limit=1"), 1)
	require.Empty(t, rows("?quarantine_limit=0"))
	o.do(t, 1, "GET", "extractions/1?quarantine_limit=1001", "", 400)
	row, ok := rows("")[0].(map[string]any)
	require.True(t, ok)
	require.Equal(t, "ia110126.csv", row["file"])
	require.InDelta(t, 47, row["line"], 0)
	require.InDelta(t, 1, row["document_id"], 0)
	require.Equal(t, []any{"lists", 1.0}, []any{row["source"], row["extraction_run_id"]})
	require.NotEmpty(t, row["reason"])
	raw, ok := row["raw"].(string)
	require.True(t, ok)
	require.True(t, strings.HasPrefix(raw, "0x1, [31mRED\u00e9\u00e9"), raw)
	require.True(t, strings.HasSuffix(raw, "\u00e9…"), raw)
	require.Len(t, []rune(raw), 201)

	byReason := func(query string) (rows, reasons []any) {
		got := o.do(t, 1, "GET", "quarantine"+query, "", 200)
		return got["data"].([]any), got["meta"].(map[string]any)["reasons"].([]any) //nolint:forcetypeassert // lists
	}
	all, reasons := byReason("")
	require.Len(t, all, 2)
	counted := 0.0
	for _, each := range reasons {
		reason := each.(map[string]any)                                                     //nolint:forcetypeassert // an object
		some, _ := byReason("?days=1&reason=" + url.QueryEscape(reason["reason"].(string))) //nolint:forcetypeassert // a text
		require.Len(t, some, int(reason["rows"].(float64)), "%v", reason)                   //nolint:forcetypeassert // a number
		counted += reason["rows"].(float64)                                                 //nolint:forcetypeassert // a number
	}
	require.InDelta(t, 2, counted, 0)
	none, _ := byReason("?reason=another")
	require.Empty(t, none)

	var out bytes.Buffer
	require.NoError(t, dataops.WriteQuarantine(t.Context(), &out, deps.DB, dataops.QuarantineOptions{Limit: 10}))
	require.Regexp(t, `(?s)^RUN +FILE +LINE +REASON +ROW\n1 +ia110126\.csv +47 .*\n1 +ia110126\.csv +48 .* 0x2,SHORT\n$`, out.String())
	out.Reset()
	require.NoError(t, dataops.WriteQuarantine(t.Context(), &out, deps.DB, dataops.QuarantineOptions{Run: 1, Limit: 1, JSON: true}))
	var one map[string]any
	require.NoError(t, json.Unmarshal(out.Bytes(), &one))
	require.Equal(t, raw, one["raw"])
	out.Reset()
	require.NoError(t, dataops.WriteQuarantine(t.Context(), &out, deps.DB, dataops.QuarantineOptions{Run: 9, Limit: 1}))
	require.Equal(t, "no quarantined rows\n", out.String())
}
