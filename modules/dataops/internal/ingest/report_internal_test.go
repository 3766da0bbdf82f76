package ingest

import (
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
}
