package lplist_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// A row that may be a sum by its name is one if its commitment is that of other rows together, wherever it stands.
func TestSumsByTheirCommitment(t *testing.T) {
	t.Parallel()
	funds := []string{"Alder I,100", "Birch II,250.5", "Total Return Fund,80", "All Weather Fund,70"}
	for _, sum := range []string{"Total Kestrel", "All Weather Funds", "Overall Kestrel"} {
		for _, of := range []string{"500.5", "500.6"} { // rounded
			for at := range len(funds) + 1 {
				list := []string{"LP,Fund,Commitment ($M),As of"}
				for _, row := range slices.Insert(slices.Clone(funds), at, sum+","+of) {
					list = append(list, "Larkspur Teachers,"+row+",2026-06-30")
				}
				rows, rejected, _, err := drain(t, "sums.csv", lines(list...))
				require.NoError(t, err)
				require.Len(t, rows, 4, sum)
				require.Equal(t, fmt.Sprintf("Fund is a sum: its commitment is that of other rows together: %q", sum), rejected[0].Reason)
			}
		}
		list := []string{"LP,Fund,Commitment ($M),As of", "Larkspur Teachers," + sum + ",490,2026-06-30"}
		for _, fund := range funds {
			list = append(list, "Larkspur Teachers,"+fund+",2026-06-30")
		}
		rows, rejected, _, err := drain(t, "sums.csv", lines(list...))
		require.NoError(t, err)
		require.Empty(t, rejected)
		require.Len(t, rows, 5, "%s has another commitment", sum)
	}
}

// Names that no fund has are sums wherever they stand, whatever they commit, and without a commitment.
func TestSumsByTheirNames(t *testing.T) {
	t.Parallel()
	for _, sum := range []string{
		"Total Portfolio*", "Total (30 funds)", "Total as of 3/31/2026", "Total - All Funds", "Portfolio Total", "Overall Total", "Private Equity Total", "Total PE", "Total Buyout",
		"Sum", "All Funds", "Kestrel Capital Total", "All Buyout", "PE Total", "Composite", "Aggregate", "Private Equity", "Private Equity Composite", "Private Equity Program",
		"Summary", "Combined", "Entire Portfolio", "Cumulative", "Since Inception", "Gesamt", "Net", "TTL", "Tot.", "Buyout", "Venture Capital", "Subtotal Kestrel", "Total of Kestrel",
	} {
		for _, of := range []string{"360.5", "350", "", "0"} {
			for _, at := range []string{"head", "end"} {
				list := []string{"LP,Fund,Commitment ($M),As of", "Larkspur Teachers,Alder I,110,2026-06-30", "Larkspur Teachers,Birch II,250.5,2026-06-30"}
				row := "Larkspur Teachers," + sum + "," + of + ",2026-06-30"
				if at == "head" {
					list = slices.Insert(list, 1, row)
				} else {
					list = append(list, row)
				}
				rows, rejected, opened, err := drain(t, "sums.csv", lines(list...))
				require.NoError(t, err)
				require.Len(t, rows, 2, "%s of %s", sum, of)
				require.Regexp(t, "^Fund is the name of a (sum|class of funds), not of a fund: ", rejected[0].Reason)
				require.EqualValues(t, 1, opened.Sums())
			}
		}
	}
}

// A class of funds is none, if the row has no manager and no vintage; with one of them it may be a fund.
func TestClassesOfFunds(t *testing.T) {
	t.Parallel()
	for _, class := range []string{
		"Hedge Funds", "Fund-of-Funds", "Funds of Funds", "Natural Resources", "Special Situations", "Co-Investments", "Value-Add", "Growth/Expansion", "Impact", "Core Plus", "Opportunistic", "Non-Core Real Estate", "Direct Lending",
		"Multi-Strategy", "Absolute Return", "Energy", "Distressed / Turnaround", "Early Stage Venture Capital", "U.S. Buyouts", "Europe", "Terminated", "Weighted Average", "Emerging Markets", "Timberland", "Private Credit - Opportunistic",
	} {
		for columns, funds := range map[string]int{",": 2, "Various,": 2, ",2019": 3, "Alder Capital,": 3} {
			rows, _, _, err := drain(t, "sums.csv", lines("LP,Fund,GP,Vintage,Commitment ($M),As of", "Larkspur Teachers,Alder I,Alder,2020,110,2026-06-30",
				"Larkspur Teachers,Birch II,,,250.5,2026-06-30", "Larkspur Teachers,"+class+","+columns+",360.5,2026-06-30"))
			require.NoError(t, err)
			require.Len(t, rows, funds, "%s with %s", class, columns)
		}
	}
}

func TestNamesOfNoFund(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"2015", "Vintage 2015", "Vintage Year: 2015", "2015 Vintage Funds", "VY 2015", "N/A", "-"} {
		rows, rejected, _, err := drain(t, "sums.csv", lines("LP,Fund,GP,Vintage,Commitment ($M),As of", "Larkspur Teachers,Alder I,Alder,2020,110,2026-06-30",
			"Larkspur Teachers,"+name+",Alder,2015,360.5,2026-06-30"))
		require.NoError(t, err)
		require.Len(t, rows, 1, name)
		require.Len(t, rejected, 1, name)
	}
}

// What a fund may be called is a fund, also where it has by chance what two others have together.
func TestFundsWithWordsOfSums(t *testing.T) {
	t.Parallel()
	for _, fund := range []string{
		"Total Return Fund", "All Weather", "Total Capital Partners II", "Sum Capital Fund", "Private Equity Fund II", "Growth Fund", "Venture Capital Fund", "Buyout 2019", "Composite Partners LP",
		"Net Lease Partners", "Everything Ventures I", "Totality Fund", "Program Trading Fund",
	} {
		rows, rejected, opened, err := drain(t, "sums.csv", lines("LP,Fund,Commitment ($M),As of",
			"Larkspur Teachers,Alder I,100,2026-06-30", "Larkspur Teachers,Birch II,100,2026-06-30", "Larkspur Teachers,"+fund+",200,2026-06-30",
			"Larkspur Teachers,Cedar III,75,2026-06-30", "Moss Police,Alder I,200,2026-06-30"))
		require.NoError(t, err)
		require.Len(t, rows, 5, fund)
		require.Empty(t, rejected, fund)
		require.Zero(t, opened.Sums())
	}
}

// A row under any name that has to the dollar what at least five others of its LP have is their sum.
func TestSumsUnderAnyName(t *testing.T) {
	t.Parallel()
	list := []string{"LP,Fund,Commitment ($M),As of"}
	for i := range 5 {
		list = append(list, fmt.Sprintf("Larkspur Teachers,Alder %d,%d,2026-06-30", i+1, 10*(i+1)))
	}
	rows, rejected, opened, err := drain(t, "sums.csv", lines(append(list, "Larkspur Teachers,Ensemble,150,2026-06-30")...))
	require.NoError(t, err)
	require.Len(t, rows, 5)
	require.Equal(t, `Fund is a sum: its commitment is that of other rows together: "Ensemble"`, rejected[0].Reason)
	require.Zero(t, opened.Sums(), "it is not sure")
	rows, _, _, err = drain(t, "sums.csv", lines("LP,Fund,Commitment ($M),As of", "Moss Police,A 1,10,2026-06-30", "Moss Police,A 2,10,2026-06-30", "Moss Police,A 3,10,2026-06-30",
		"Moss Police,A 4,10,2026-06-30", "Moss Police,A 5,10,2026-06-30", "Moss Police,A 6,50,2026-06-30"))
	require.NoError(t, err)
	require.Len(t, rows, 6, "of equal amounts it is chance")
	for _, of := range []string{"150.001", "149.9"} {
		rows, _, _, err = drain(t, "sums.csv", lines(append(list, "Larkspur Teachers,Ensemble,"+of+",2026-06-30")...))
		require.NoError(t, err)
		require.Len(t, rows, 6)
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
