package load

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSECNumbers(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"801-900245", "801-0900245", "801900245", "801 900245", "801–900245", "801\u2011900245", "８０１－９００２４５", "801.900245", "801/900245", "SEC 801-900245", "sec# 801-900245",
		"SEC File No. 801-900245", "#801-900245", "801--900245", "801_900245", "801- 900245", `"801-900245"`, "900245", "0801-900245", "801-900\u200b245", "801-900245 ", "№ 801-900245",
	} {
		numbers, readable := secNumbers(text)
		require.True(t, readable, text)
		require.Contains(t, numbers, "801-900245", text)
	}
	for _, text := range []string{
		"801-900245A", "80I-900245", "801-90O245", "801-900245.0", "801-900245 801-900246", "801-900245;802-1", "8.01900245E+8", "803-900245", "801-", "801-0", "0", "٨٠١-٩٠٠٢٤٥",
		"801-900-245", "801-900245 SEC",
	} {
		_, readable := secNumbers(text)
		require.False(t, readable, text)
	}
	for text, want := range map[string][]string{
		"": nil, " ": nil, "none": nil, "N/A": nil, "-": nil, "802-1": {"802-1"}, "80123": {"801-23", "801-80123", "802-80123"}, "23": {"801-23", "802-23"}, "801-802": {"801-802"},
	} {
		numbers, readable := secNumbers(text)
		require.True(t, readable, text)
		require.Equal(t, want, numbers, text)
	}
}
