package ingest_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/dataops/internal/gate"
	"gpatlas/modules/dataops/internal/ingest"
)

// doubts are the open alerts that rows may be missing.
func (k *kit) doubts() (reasons []string) {
	k.t.Helper()
	require.NoError(k.t, k.db.From(k.t.Context()).Raw(`SELECT reason FROM dataops.alerts WHERE kind = 'rows_doubtful' AND resolved_at IS NULL`).Scan(&reasons).Error)
	return reasons
}

// The first archive of all cannot be compared with anything. It warns of tables without rows at once, and of those with few when later
// archives show how many there should be. The alert stays open when they are loaded.
func TestAFirstArchiveThatLacksRowsIsDoubtful(t *testing.T) {
	t.Parallel()
	list := months(t)
	years := filepath.Join(filepath.Dir(list[0]), "ADV_Filing_Data_20120101_20241231.zip")
	k := newKit(t)
	sum, err := k.ingest(thinned(t, years, "IA_DRP_Regulatory", onlyHeader))
	require.NoError(t, err)
	const bare = "no rows for any of its filings in ia_drp_regulatory. "
	require.Contains(t, sum.Documents[0].Warnings[0], bare)
	k.loaded(list[0])
	require.Len(t, k.doubts(), 1)
	require.Contains(t, k.doubts()[0], bare)

	list = list[firstMarch:]
	k = newKit(t)
	half := thinned(t, list[0], "IA_Schedule_A_B", everySecond)
	k.loaded(append([]string{half}, list[1:]...)...)
	require.Len(t, k.doubts(), 1)
	require.Regexp(t, `ia_schedule_a_b has \d+\.\d+ rows per filing, and far fewer in earlier documents: ADV_Filing_Data_20250301_20250331\.zip`, k.doubts()[0])

	k = newKit(t)
	k.loaded(append([]string{years}, months(t)...)...)
	require.Empty(t, k.doubts(), "whole archives")
}

// A filing that loses all its rows is stopped where they are half of a table, or where it was loaded with them before.
func TestGateStopsAFilingWithoutItsRows(t *testing.T) {
	t.Parallel()
	list, table := months(t), "IA_DRP_Regulatory"
	rows, most := map[string]int{}, ""
	thinnedBy(t, list[secondMarch], table, func(_ int, filing string) bool {
		if rows[filing]++; rows[filing] > rows[most] {
			most = filing
		}
		return true
	})
	without := thinnedBy(t, list[secondMarch], table, func(_ int, filing string) bool { return filing != most })
	k := newKit(t)
	k.loaded(list[:secondMarch]...)
	_, err := k.ingest(without)
	require.ErrorContains(t, err, "ia_drp_regulatory has only ")
	k.loaded(list[secondMarch])
	_, err = k.ingest(without)
	require.ErrorContains(t, err, "ia_drp_regulatory has lost ")

	_, err = k.accepting(k.loader, gate.RowsLost).Ingest(t.Context(), []string{without}, ingest.Silent{}, nil)
	require.NoError(t, err)
	require.Contains(t, k.doubts()[0], "ia_drp_regulatory has far fewer rows of advisers that had many: CRD ")
}

// New rows do not hide that an adviser has lost many: the alert names it, and the archive is loaded.
func TestNewRowsDoNotHideLostOnes(t *testing.T) {
	t.Parallel()
	k, list, table := newKit(t), months(t), "IA_DRP_Regulatory"
	k.loaded(list[:secondMarch]...)
	rows := map[string]int{}
	thinnedBy(t, list[secondMarch], table, func(_ int, filing string) bool { rows[filing]++; return true })
	row := 0
	_, err := k.ingest(thinnedBy(t, list[secondMarch], table, func(_ int, filing string) bool {
		if rows[filing] < 36 {
			return true
		}
		row++
		return row <= 12 || row > 24 // 31 of the 36 were there before
	}))
	require.NoError(t, err)
	require.Equal(t, 36, row)
	require.Len(t, k.doubts(), 1)
	require.Regexp(t, `rows are gone that filings had before: CRD \d+ \(11 of 31, disclosures: regulatory\)`, k.doubts()[0])
}
