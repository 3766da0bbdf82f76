package gate_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/dataops/internal/gate"
)

var before = gate.Baseline{
	RunID: 7, Document: "may.csv", Advisers: 1000,
	Layout: map[string][]string{"": {"crd", "legalname"}, "funds": {"fundid", "gav"}},
}

// Nine tenths may remain, less may not; the first document of a series is held against nothing.
func TestUniverse(t *testing.T) {
	t.Parallel()
	require.Empty(t, gate.Universe(before, 900))
	require.Empty(t, gate.Universe(before, 5000))
	require.Empty(t, gate.Universe(gate.Baseline{}, 0))
	found := gate.Universe(before, 899)
	require.Equal(t, gate.UniverseShrunk, found[0].Check)
	require.Equal(t, "it lists 899 advisers, but may.csv (run 7) listed 1000: fewer than nine tenths", found[0].Reason)
}

// A tenth of the current advisers may withdraw at once, and not one more. An empty catalog cannot lose anybody.
func TestWithdrawals(t *testing.T) {
	t.Parallel()
	require.Empty(t, gate.Withdrawals(1000, 100))
	require.Empty(t, gate.Withdrawals(0, 0))
	require.Equal(t, gate.UniverseShrunk, gate.Withdrawals(1000, 101)[0].Check)
}

// Two withdrawals may be taken back, or one in twenty.
func TestLacked(t *testing.T) {
	t.Parallel()
	require.Empty(t, gate.Lacked("withdrawals", 2, 2, ""))
	require.Empty(t, gate.Lacked("withdrawals", 60, 3, ""))
	require.Equal(t, []gate.Finding{{
		Check: gate.RowsLost, Reason: "it lacks 3 of the 59 withdrawals that were loaded from this document before: more than one in 20",
	}}, gate.Lacked("withdrawals", 59, 3, ""))
}

// A few slips pass, a list that stands twice does not, however short it is.
func TestRepeated(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		repeated, rows int64
		stops          bool
	}{
		{0, 0, false},
		{1, 4, false},
		{1, 2, true},
		{5, 10, true},
		{10, 100, false},
		{11, 100, true},
		{200, 10_000, false},
		{201, 10_000, true},
		{5142, 10_384, true}, // the defective month
	} {
		require.Equal(t, c.stops, len(gate.Repeated(c.repeated, c.rows)) > 0, "%d of %d", c.repeated, c.rows)
	}
}

// A quarter of a list may be gone from its next edition, and not one more.
func TestWhole(t *testing.T) {
	t.Parallel()
	require.True(t, gate.Whole(0, 0))
	require.True(t, gate.Whole(100, 25))
	require.False(t, gate.Whole(100, 26))
}

// One row in twenty may be of no use, and not one more.
func TestUnusable(t *testing.T) {
	t.Parallel()
	require.Empty(t, gate.Unusable(0, 0))
	require.Empty(t, gate.Unusable(1, 20))
	require.Equal(t, gate.RowsUnusable, gate.Unusable(1, 19)[0].Check)
	require.Equal(t, "51 of its 1000 rows cannot be used: more than one in 20", gate.Unusable(51, 1000)[0].Reason)
}

// A column that was there must be there; new columns are welcome.
func TestColumns(t *testing.T) {
	t.Parallel()
	require.Empty(t, gate.Columns(before, map[string][]string{"": {"legalname", "crd", "more"}}, nil))
	require.Empty(t, gate.Columns(gate.Baseline{}, before.Layout, nil))
	require.Empty(t, gate.Columns(before, nil, nil))
	found := gate.Columns(before, map[string][]string{"": {"crd"}, "funds": {"fundid"}}, nil)
	require.Equal(t, []gate.Finding{{Check: gate.ColumnLost, Reason: "2 columns are missing that may.csv (run 7) had: funds.gav, legalname"}}, found)

	twice := gate.Baseline{Layout: map[string][]string{"": {"crd", "name", "name"}}}
	require.Contains(t, gate.Columns(twice, map[string][]string{"": {"crd"}}, nil)[0].Reason, "a column is missing", "a header may name a column twice")

	wide := gate.Baseline{Layout: map[string][]string{"": {}}}
	for i := range 20 {
		wide.Layout[""] = append(wide.Layout[""], fmt.Sprintf("c%02d", i))
	}
	require.Contains(t, gate.Columns(wide, map[string][]string{"": {"c00"}}, nil)[0].Reason, "c08 and 11 more")
}

// A table that was there must be there, with or without rows; new ones are welcome.
func TestTables(t *testing.T) {
	t.Parallel()
	require.Empty(t, gate.Tables(before, map[string][]string{"": {}, "funds": {}, "more": {}}))
	require.Empty(t, gate.Tables(gate.Baseline{}, before.Layout))
	require.Empty(t, gate.Tables(before, nil))
	found := gate.Tables(before, map[string][]string{"": {}})
	require.Equal(t, []gate.Finding{{Check: gate.TableLost, Reason: "a table is missing that may.csv (run 7) had: funds"}}, found)
	lacking := gate.Lacking([]string{"owners", "funds"})
	require.Equal(t, gate.Finding{Check: gate.TableLost, Reason: "2 tables are missing: funds, owners. What earlier documents said in their place stays"}, lacking)
}

// A column that no parser reads may go, and one that is called otherwise is there.
func TestColumnsThatAreRead(t *testing.T) {
	t.Parallel()
	reads := func(table, column string) string {
		return map[string]string{"crd": "crd", "legalname": "legalname", "name": "legalname", "funds.fundid": "fundid"}[strings.TrimPrefix(table+"."+column, ".")]
	}
	require.Empty(t, gate.Columns(before, map[string][]string{"": {"crd", "name"}, "funds": {"fundid"}}, reads))
	found := gate.Columns(before, map[string][]string{"": {"crd"}, "funds": {}}, reads)
	require.Equal(t, "2 columns are missing that may.csv (run 7) had: funds.fundid, legalname", found[0].Reason)
}

// What the operator accepts passes and is returned; the rest stops, with an error that names how it could pass.
func TestJudge(t *testing.T) {
	t.Parallel()
	found := []gate.Finding{{Check: gate.UniverseShrunk, Reason: "few"}, {Check: gate.KeysDoubled, Reason: "twice"}}
	passed, err := gate.Judge(found, []gate.Check{gate.UniverseShrunk, gate.KeysDoubled})
	require.NoError(t, err)
	require.Equal(t, found, passed)
	passed, err = gate.Judge(found, []gate.Check{gate.KeysDoubled})
	require.Equal(t, found[1:], passed)
	require.Equal(t, found[:1], gate.Stopped(fmt.Errorf("load: %w", err)))
	require.EqualError(t, err, "stopped by the quality gate: few (universe_shrunk). Nothing was loaded. "+
		"If the document is correct, ingest it with --accept universe_shrunk")
	require.Nil(t, gate.Stopped(nil))

	nothing := gate.Nothing(3, 3, "a.csv line 2: torn")
	passed, err = gate.Judge([]gate.Finding{found[0], nothing}, gate.Checks())
	require.Equal(t, found[:1], passed)
	require.Equal(t, []gate.Finding{nothing}, gate.Stopped(err))
	require.EqualError(t, err, "stopped by the quality gate: it contains nothing that can be loaded: 3 of its 3 rows are in quarantine; "+
		"the first: a.csv line 2: torn (rows_unusable). Nothing was loaded", "nothing can be accepted")
}

func TestParseCheck(t *testing.T) {
	t.Parallel()
	for _, c := range gate.Checks() {
		got, err := gate.ParseCheck(string(c))
		require.NoError(t, err)
		require.Equal(t, c, got)
	}
	_, err := gate.ParseCheck("all")
	require.ErrorContains(t, err, `"all" is not a check of the quality gate; the checks are universe_shrunk, keys_doubled, column_lost, table_lost, rows_unusable`)
}
