package gate_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/gate"
)

// A table without any row in the first document of a series is doubtful. Later documents are judged by those before them.
func TestDoubtsAboutAFirstDocument(t *testing.T) {
	t.Parallel()
	none := filers(1, make([]int32, 100)...)
	found := gate.Doubts(none, nobody, nil)
	require.Equal(t, []gate.Finding{{Check: gate.RowsDoubtful, Reason: "it is the first of its series, and has no rows for any of its filings in owners. If rows are missing, load the whole document again"}}, found)
	require.Empty(t, gate.Doubts(filers(1, make([]int32, 99)...), nobody, nil), "too few filings")
	require.Empty(t, gate.Doubts(filers(1, append(make([]int32, 100), 1)...), nobody, nil), "one has rows")
	require.Empty(t, gate.Doubts(none, nobody, []gate.Counted{{Document: "0.zip", Spreads: gate.Spreads(none)}}), "the second")
}

// A document shows that an earlier one has far fewer rows. The alert is raised once.
func TestDoubtsAboutEarlierDocuments(t *testing.T) {
	t.Parallel()
	whole, half := slices.Repeat([]int32{4, 5, 6}, 20), slices.Repeat([]int32{2, 2, 3}, 20)
	counted := func(name string, rows []int32) gate.Counted {
		return gate.Counted{Document: name, Spreads: gate.Spreads(filers(1, rows...))}
	}
	first := counted("1.zip", half)
	found := gate.Doubts(filers(2, whole...), nobody, []gate.Counted{first})
	require.Len(t, found, 1)
	require.Contains(t, found[0].Reason, "owners has 5.00 rows per filing, and far fewer in earlier documents: 1.zip (2.33)")
	require.Empty(t, gate.Doubts(filers(2, whole...), nobody, []gate.Counted{first, counted("2.zip", whole)}), "it was said")
	require.Empty(t, gate.Doubts(filers(2, whole...), nobody, []gate.Counted{counted("1.zip", whole)}))

	before := of(filers(1, 0, 0, 0, 1, 0, 9))
	found = gate.Doubts(filers(2, 4, 4, 4, 4, 4, 9), before, nil)
	require.Len(t, found, 1)
	require.Contains(t, found[0].Reason, "owners has 29 rows of 6 advisers, of which their filings before had only 10")
	require.Empty(t, gate.Doubts(filers(1, 4, 4, 4, 4, 4, 9), before, nil), "the same filings with more rows than before are the cure")
	require.Empty(t, gate.Doubts(filers(2, 40, 1, 0, 1, 0, 9), before, nil), "two advisers gained them")
}

// An adviser that has lost many of its rows is named.
func TestDoubtsAboutOneAdviser(t *testing.T) {
	t.Parallel()
	before := of(filers(1, 7, 10, 7, 40, 7, 40))
	found := gate.Doubts(filers(2, 7, 0, 7, 32, 7, 33), before, nil)
	require.Len(t, found, 1)
	require.Contains(t, found[0].Reason, "owners has far fewer rows of advisers that had many: CRD 101 (0 rows, 10 before), CRD 103 (32 rows, 40 before). If")
	require.Empty(t, gate.Doubts(filers(2, 7, 3, 7, 33, 7, 80), before, nil), "7 rows, and less than a fifth")
}

// Half of the notices of a quarter are missed, whatever the tables have for the others.
func TestSetsWithFewNotices(t *testing.T) {
	t.Parallel()
	notices := func(n, days int) []gate.Filers {
		g := filers(1, slices.Repeat([]int32{3}, n)...)
		g[0].Kind = gate.Notices
		g[0].Filers[n-1].Submitted = g[0].Filers[0].Submitted.AddDate(0, 0, days-1)
		return g
	}
	var sets []gate.Counted
	for _, n := range []int{120, 180, 90} {
		sets = append(sets, gate.Counted{Spreads: gate.Spreads(notices(n, 90))})
	}
	found := gate.Rows(notices(59, 90), nobody, sets)
	require.Equal(t, []gate.Finding{{Check: gate.RowsLost, Reason: "it has 59 notices of 90 days; in so many days, half of the earlier sets had 120 or more"}}, found)
	require.Empty(t, gate.Rows(notices(60, 90), nobody, sets))
	require.Empty(t, gate.Rows(notices(30, 45), nobody, sets), "half a quarter")
	require.Len(t, gate.Rows(notices(29, 45), nobody, sets), 1)
	require.Empty(t, gate.Rows(notices(10, 90), nobody, nil), "the first")
}

// An adviser that has lost many rows is named although new ones hide the loss.
func TestDoubtsAboutReplacedRows(t *testing.T) {
	t.Parallel()
	same := filers(2, 31)
	found := gate.Doubts(same, of(filers(1, 31)), nil,
		catalogapi.LostRows{CRD: "1", List: catalogapi.TableImplicated, Had: 40, Gone: 8}, catalogapi.LostRows{CRD: "2", List: catalogapi.TableOwners, Had: 41, Gone: 8},
		catalogapi.LostRows{CRD: "3", List: "owners", Had: 7, Gone: 7}, catalogapi.LostRows{CRD: "4", List: catalogapi.OfPart(catalogapi.TableDisclosures, catalogapi.DisclosureRegulatory), Had: 31, Gone: 11})
	require.Len(t, found, 1)
	require.Equal(t, gate.RowsDoubtful, found[0].Check)
	require.Contains(t, found[0].Reason, "rows are gone that filings had before: CRD 1 (8 of 40, disclosure affiliates), CRD 4 (11 of 31, disclosures: regulatory). If")
}

// An adviser whose list stands under others is named: FilingIDs may be exchanged.
func TestDoubtsAboutExchangedLists(t *testing.T) {
	t.Parallel()
	found := gate.Doubts(nil, nil, nil,
		catalogapi.LostRows{CRD: "1", List: "funds", Had: 3, Gone: 3, Elsewhere: 2}, catalogapi.LostRows{CRD: "2", List: "funds", Had: 2, Gone: 2, Elsewhere: 2},
		catalogapi.LostRows{CRD: "3", List: "funds", Had: 6, Gone: 6, Elsewhere: 3}, catalogapi.LostRows{CRD: "4", List: "funds", Had: 4, Gone: 3, Elsewhere: 3})
	require.Len(t, found, 1)
	require.Contains(t, found[0].Reason, "whole lists are gone, and other advisers state their rows: CRD 1 (2 of 3, funds). If")
}
