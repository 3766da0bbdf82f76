package run_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/dataops/internal/gate"
	"gpatlas/modules/dataops/internal/run"
	"gpatlas/platform/testkit/dbtest"
)

// A filing is compared with itself if it is known, and otherwise with the adviser's last one that is not later. A table that an
// archive lacks keeps what an earlier filing had in it, but not for the filing itself.
func TestFiledFindsTheSameFilingOrTheOneBefore(t *testing.T) {
	t.Parallel()
	store := run.NewStore(dbtest.New(t))
	filing := func(id string, day int) gate.Filer {
		return gate.Filer{CRD: "100", FilingID: id, Submitted: noon.AddDate(0, 0, day)}
	}
	load := func(f gate.Filer, tables map[string][]int32) {
		_, end, err := do(t.Context(), store, start(f.FilingID), func(context.Context, int64) run.End {
			filed := []gate.Filers{{Kind: "ia", Filers: []gate.Filer{f}, Tables: tables}}
			return run.End{Source: "adv_archive", Looks: run.Looks{Filed: filed}, At: noon}
		})
		require.NoError(t, err)
		require.NoError(t, end.Err)
	}
	load(filing("9", 1), map[string][]int32{"owners": {4}, "funds": {2}})
	load(filing("10", 2), map[string][]int32{"owners": {5}}) // without the table of funds
	load(filing("12", 4), map[string][]int32{"owners": {6}, "funds": {0}})
	load(filing("11", 3), map[string][]int32{"owners": {0}, "funds": {3}}) // late

	for _, c := range []struct {
		what  gate.Filer
		known string
		rows  map[string]int32
	}{
		{filing("8", 0), "", nil},
		{filing("9", 1), "9", map[string]int32{"owners": 4, "funds": 2}},
		{filing("10", 2), "10", map[string]int32{"owners": 5}},
		{filing("99", 2), "10", map[string]int32{"owners": 5, "funds": 2}},
		{filing("99", 3), "11", map[string]int32{"funds": 3}},
		{filing("99", 9), "12", map[string]int32{"owners": 6}},
	} {
		known, err := store.Filed(t.Context(), "ia", []gate.Filer{c.what})
		require.NoError(t, err)
		if c.known == "" {
			require.Empty(t, known)
			continue
		}
		require.Equal(t, c.known, known["100"].FilingID)
		require.Equal(t, c.rows, known["100"].Rows, "%s", c.known)
	}
	other, err := store.Filed(t.Context(), "era", []gate.Filer{filing("9", 1)})
	require.NoError(t, err)
	require.Empty(t, other)
}
