package ingest

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDatesInNamesOfLists(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"pensions_20260331.csv", "2026-03", "P2026q1", "pensions 2026-03-31 v2", "list033126.csv", "202603", "3_31-12-31-2025"} {
		require.True(t, dated.MatchString(name), name)
	}
	for _, name := range []string{"P_482913.csv", "P_482913list", "acct-104577-P", "P_1234567", "P_201399", "P_v2_12345", "P2026", "P_FY26", "commitments.csv"} {
		require.False(t, dated.MatchString(name), name)
	}
}
