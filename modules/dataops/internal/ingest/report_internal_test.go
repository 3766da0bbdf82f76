package ingest

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A document can be loaded without changing what is served, and be of no use although it failed at nothing.
func TestLineTellsWhatBecameOfADocument(t *testing.T) {
	t.Parallel()
	require.Equal(t, "notice.xml: 5 rows, filings 1 new 0 changed (0.0 s, 0 rows/s)",
		line(Document{Document: "notice.xml", Read: 5, Filings: Counts{New: 1}}))
	require.Equal(t, "notice.xml: nothing changed, 1 quarantined (0 rows, 0.0 s)", line(Document{Document: "notice.xml", Quarantined: 1}))
	require.Equal(t, "a.csv: failed: it is empty", line(Document{Document: "a.csv", Error: "it is empty"}))
	require.Equal(t, "a.csv: failed: not a known format", line(Document{Document: "a.csv", Error: "a.csv: not a known format"}), "the name once")
}

// A table of zeros is of no use: the report names what failed instead.
func TestNothingLoadedHasNoTable(t *testing.T) {
	t.Parallel()
	told := func(s Summary) string {
		var out strings.Builder
		require.NoError(t, s.WriteText(&out))
		return out.String()
	}
	failed, good := Document{Document: "a.csv", Error: "it is empty"}, Document{Document: "b.csv", Read: 3}
	require.Empty(t, told(Summary{Documents: []Document{failed}, Failed: 1}), "the document's own line has told it")
	require.Equal(t, "All 2 documents failed; nothing was loaded.\n", told(Summary{Documents: []Document{failed, failed}, Failed: 2}))
	require.Contains(t, told(Summary{Documents: []Document{good}, Left: Left{1200, 3}, Changed: true}),
		"\nleft: 1,200 advisers (withdrawn or no longer listed), 3 funds (no longer reported)\n")
	require.NotContains(t, told(Summary{Documents: []Document{good}, Changed: true}), "left:")
	some := told(Summary{Documents: []Document{failed, good}, Failed: 1})
	require.Contains(t, some, "advisers")
	require.Contains(t, some, "1 of 2 documents failed and were not loaded.\n")
}
