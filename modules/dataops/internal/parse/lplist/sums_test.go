package lplist_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// A row that may be a sum by its name is one if its commitment is that of other rows together.
func TestSumsByTheirCommitment(t *testing.T) {
	t.Parallel()
	funds := []string{"Alder I,100", "Birch II,250.5", "Total Return Fund,80", "All Weather Fund,70"}
	for _, sum := range []string{
		"Total Portfolio*", "Total (30 funds)", "Total as of 3/31/2026", "Total - All Funds", "Portfolio Total", "Overall Total", "Private Equity Total", "Total PE", "Total Buyout", "Sum", "All Funds",
	} {
		list := []string{"LP,Fund,Commitment ($M),As of"}
		for _, fund := range funds {
			list = append(list, "Larkspur Teachers,"+fund+",2026-06-30")
		}
		for _, of := range []string{"500.5", "500.6"} { // rounded
			rows, rejected, _, err := drain(t, "sums.csv", lines(append(list, "Larkspur Teachers,"+sum+","+of+",2026-06-30")...))
			require.NoError(t, err)
			require.Len(t, rows, 4, sum)
			require.Equal(t, fmt.Sprintf("Fund is a sum: its commitment is that of other rows together: %q", sum), rejected[0].Reason)
		}
		rows, rejected, _, err := drain(t, "sums.csv", lines(append(list, "Larkspur Teachers,"+sum+",490,2026-06-30")...))
		require.NoError(t, err)
		require.Empty(t, rejected)
		require.Len(t, rows, 5, "%s has another commitment", sum)
	}
}

// Sums of parts, of an LP under its name with a word, and of the whole list.
func TestSumsOfParts(t *testing.T) {
	t.Parallel()
	rows, rejected, _, err := drain(t, "sums.csv", lines(
		"LP,Fund,Commitment ($M),As of",
		"Larkspur Teachers,Alder I,100,2026-06-30", "Larkspur Teachers,Birch II,250.5,2026-06-30", "Larkspur Teachers,Buyout Total,350.5,2026-06-30",
		"Larkspur Teachers,Cedar I,20,2026-06-30", "Larkspur Teachers,Dogwood I,30,2026-06-30", "Larkspur Teachers,Venture Total,50,2026-06-30",
		"Larkspur Teachers Total,All,400.5,2026-06-30",
		"Moss Police,Cedar I,11,2026-06-30", "Moss Police,Elm I,12,2026-06-30", "Moss Police - Total,,23,2026-06-30",
		"All Plans,All,423.5,2026-06-30", "Total of all plans in the list,Everything,423.5,2026-06-30",
	))
	require.NoError(t, err)
	require.Len(t, rows, 6)
	require.Len(t, rejected, 6)
}
