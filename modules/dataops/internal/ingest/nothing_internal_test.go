package ingest

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The report states "nothing changed" only if nothing did, and that all was loaded only if it was.
func TestNothingChanged(t *testing.T) {
	t.Parallel()
	for want, s := range map[string]Summary{
		"Nothing changed: everything was already loaded.\n":                  {Read: 281},
		"Nothing changed: everything that can be used was already loaded.\n": {Read: 281, Quarantined: 5},
		"rows per second\n": {Filings: Counts{New: 142}},
	} {
		var b strings.Builder
		require.NoError(t, s.WriteText(&b))
		require.True(t, strings.HasSuffix(b.String(), want), b.String())
	}
}
