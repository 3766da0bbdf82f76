package ingest_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Withdrawals whose CRD numbers were shifted by a row are not loaded: their SEC numbers are known of other advisers. One such row goes to the
// quarantine, and the others are loaded.
func TestGateStopsShiftedWithdrawals(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	dir := t.TempDir()
	numbered := regexp.MustCompile(`(?m)^(\d+),(.*)$`).ReplaceAllString(rosterCSV("05/02/2026", crds(100, 300)...), "$1,$2,801-$1")
	_, err := k.ingest(write(t, dir, "may.csv", strings.Replace(numbered, "5F(2)(c)", "5F(2)(c),SEC#", 1)))
	require.NoError(t, err)
	good := advw(25, "FULL")
	shifted := regexp.MustCompile(`(?m)^(\d+),801-\d+`).ReplaceAllStringFunc(good, func(row string) string {
		crd, number, _ := strings.Cut(row, ",")
		return "1" + crd[1:] + "," + strings.Replace(number, "801-1", "801-2", 1)
	})
	before := k.catalog()
	_, err = k.ingest(write(t, dir, "ADVW_20261101_20261110.csv", shifted))
	require.ErrorContains(t, err, "25 of its 25 rows are in quarantine; the first: ADVW_20261101_20261110.csv line 2: "+
		"the SEC number 801-200 is known of CRD 200, not of CRD 100: one of them must be wrong (rows_unusable)")
	require.Equal(t, before, k.catalog())
	sum, err := k.ingest(write(t, dir, "ADVW_20261101_20261115.csv", strings.Replace(good, "801-103", "801-203", 1)))
	require.NoError(t, err)
	require.Equal(t, int64(1), sum.Documents[0].Quarantined)
	require.Equal(t, int64(24), k.count(`SELECT count(*) FROM catalog.advisers WHERE withdrawn_on IS NOT NULL`))
}
