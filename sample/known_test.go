package sample_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/sample"
)

// Every adviser of the sample is known under all of its names, and no other firm is, even with such a number or such a name.
func TestHas(t *testing.T) {
	t.Parallel()
	c := theSmallOne(t)
	require.Len(t, c.byCRD, 300)
	other := c.filings[0]
	for crd, filings := range c.byCRD {
		for _, f := range filings {
			require.True(t, sample.Has(crd, f.record["1A"]), "%s %s", crd, f.record["1A"])
		}
		require.False(t, sample.Has(crd, "Larkspur Partners LLC"))
		require.False(t, sample.Has(crd, ""))
		if crd != other.record["1E1"] {
			require.False(t, sample.Has(crd, other.record["1A"]))
		}
	}
	require.False(t, sample.Has("900101", other.record["1A"]))
}
