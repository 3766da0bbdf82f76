package gate_test

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/gate"
)

// gone returns the counts of n advisers, each with had rows before and lost rows missing now, and those of one more.
func gone(n int, had, lost int64, more catalogapi.LostRows) []catalogapi.LostRows {
	list := []catalogapi.LostRows{more}
	for i := range n {
		list = append(list, catalogapi.LostRows{CRD: strconv.Itoa(100 + i), List: catalogapi.TableOwners, Had: had, Gone: lost})
	}
	return list
}

// Rows that were exchanged for others are as many as before: what is gone stops the document all the same.
func TestRowsThatWereExchanged(t *testing.T) {
	t.Parallel()
	one := catalogapi.LostRows{CRD: "1", List: catalogapi.TableOwners, Had: 6, Gone: 2}
	require.Equal(t, []gate.Finding{{Check: gate.RowsLost, Reason: "owners: 12 of the 36 rows that the filings of 6 advisers had before are no longer there under these names or numbers, of 6 advisers"}}, gate.Gone(gone(5, 6, 2, one)))
	require.Len(t, gate.Gone(gone(40, 5, 1, one)), 1, "a fifth of a large list")
	require.Len(t, gate.Gone(gone(40, 6, 1, one)), 1, "a tenth, of more than two thirds of the advisers")
	require.Empty(t, gate.Gone(append(gone(40, 6, 1, one), gone(25, 1, 0, one)...)), "of fewer advisers")
	require.Empty(t, gate.Gone(gone(40, 12, 1, one)), "less than a tenth")
	require.Empty(t, gate.Gone(gone(3, 6, 2, one)), "few rows")
	alone := catalogapi.LostRows{CRD: "1", List: catalogapi.TableOwners, Had: 40, Gone: 40}
	require.Empty(t, gate.Gone(gone(6, 10, 0, alone)), "one adviser may change its list")

	again := catalogapi.LostRows{CRD: "1", List: "funds", Again: true, Had: 50, Gone: 3}
	require.Empty(t, gate.Gone([]catalogapi.LostRows{again}), "one filing may be corrected")
	other := again
	other.CRD = "2"
	require.Equal(t, []gate.Finding{{Check: gate.RowsLost, Reason: "funds: 6 of the 100 rows that the same 2 filings had when they were loaded before are no longer there under these names or numbers"}}, gate.Gone([]catalogapi.LostRows{again, other}))
}

// What is less is an alert, with how many rows of how many advisers are gone.
func TestDoubtsAboutExchangedRows(t *testing.T) {
	t.Parallel()
	none := catalogapi.LostRows{CRD: "1", List: "funds", Had: 6}
	found := gate.Doubts(nil, nil, nil, append(gone(12, 8, 1, none), gone(7, 1, 0, none)...)...)
	require.Len(t, found, 1)
	require.Equal(t, gate.RowsDoubtful, found[0].Check)
	require.Contains(t, found[0].Reason, "owners: 12 of the 103 rows that the filings of 19 advisers had before are no longer there under these names or numbers, of 12 advisers")
	require.Empty(t, gate.Doubts(nil, nil, nil, gone(12, 11, 1, none)...), "less than a tenth")
}

// Rows of another adviser that were added to an adviser's own are not gone anywhere.
func TestRowsThatWereAdded(t *testing.T) {
	t.Parallel()
	taking := func(list string, takers int, rows int64) []catalogapi.LostRows {
		of := gone(100-takers-1, 6, 0, catalogapi.LostRows{CRD: "1", List: list, Had: 6})
		for i := range of {
			of[i].List = list
		}
		for range takers {
			of = append(of, catalogapi.LostRows{CRD: "2", List: list, Taken: rows})
		}
		return of
	}
	for _, list := range []string{"funds", catalogapi.TableOwners} {
		require.Len(t, gate.Gone(taking(list, 6, 3)), 1)
		require.Empty(t, gate.Gone(taking(list, 5, 3)), "one in twenty")
		require.Empty(t, gate.Gone(taking(list, 6, 2)), "few rows")
	}
	require.Empty(t, gate.Gone(taking(catalogapi.TableAffiliates, 40, 9)), "firms of a group have the same affiliates")
	require.Equal(t, "funds: the filings of 6 of 100 advisers have 3 rows or more that they did not have before, and other advisers had", gate.Gone(taking("funds", 6, 3))[0].Reason)
}
