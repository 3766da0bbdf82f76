package lplist_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/parse"
	"gpatlas/modules/people/peopleapi"
)

// notAfter is the day after which a list is from the future.
var notAfter = time.Date(2026, 11, 23, 0, 0, 0, 0, time.UTC)

// drain reads a list: its rows, and the reasons for those in quarantine.
func drain(t *testing.T, name, text string) (rows []*peopleapi.Commitment, rejected []catalogapi.Rejected, opened *parse.Opened, err error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	opened, err = parse.Open(t.Context(), path, parse.Options{NotAfter: notAfter, Reject: func(r catalogapi.Rejected) { rejected = append(rejected, r) }})
	if err != nil {
		return nil, nil, nil, err
	}
	defer func() { require.NoError(t, opened.Close()) }()
	if opened.Commitments == nil {
		return nil, nil, opened, nil
	}
	for row, err := range opened.Commitments {
		if err != nil {
			return nil, nil, nil, err
		}
		rows = append(rows, row)
	}
	return rows, rejected, opened, nil
}

func lines(list ...string) string { return strings.Join(list, "\r\n") + "\r\n" }

const normalized = "pension_fund_name,pension_fund_state,fund_name,general_partner,asset_class,sub_strategy,vintage_year,commitment_mm,capital_called_mm," +
	"capital_distributed_mm,remaining_value_mm,net_irr,net_multiple,dpi,as_of_date"

// Guarantee: a row with a sum of other rows is no fund.
func TestSumsAreNoFunds(t *testing.T) {
	t.Parallel()
	list := []string{"LP,Fund,Commitment ($M),As of"}
	for _, fund := range []string{"Total", "SUBTOTAL", "Sub-total", "Grand Total:", "totals", "Total Portfolio", "Grand total of all funds", "Total Return Fund", "Total Fund Management II"} {
		list = append(list, "Larkspur Teachers,"+fund+",100,2026-06-30")
	}
	rows, rejected, _, err := drain(t, "sums.csv", lines(list...))
	require.NoError(t, err)
	require.Len(t, rows, 2)
	require.Equal(t, []string{"Total Return Fund", "Total Fund Management II"}, []string{rows[0].Fund, rows[1].Fund})
	require.Len(t, rejected, 7)
	require.Equal(t, `Fund is the name of a sum, not of a fund: "Total"`, rejected[0].Reason)

	list = list[:1]
	for _, lp := range []string{"Larkspur Teachers", "Total", "Grand Total", "Total Larkspur Teachers", "Total S.A. Pension", "Totality Pension", "Total Employees Pension", "All Saints Foundation"} {
		list = append(list, lp+",Alder I,100,2026-06-30")
	}
	rows, rejected, _, err = drain(t, "sums.csv", lines(list...))
	require.NoError(t, err)
	var lps []string
	for _, row := range rows {
		lps = append(lps, row.LP)
	}
	require.Equal(t, []string{"Larkspur Teachers", "Total S.A. Pension", "Totality Pension", "Total Employees Pension", "All Saints Foundation"}, lps)
	require.Len(t, rejected, 3)
	require.Equal(t, `LP is the name of a sum, not of an LP: "Total"`, rejected[0].Reason)
}

// TestNormalizedForm reads the form that the sample and the real list have.
func TestNormalizedForm(t *testing.T) {
	t.Parallel()
	rows, rejected, opened, err := drain(t, "commitments.csv", lines(normalized,
		"Larkspur Teachers,ma,Mossgate  Growth IV,Mossgate,Private Equity,,2021,100.0,104.2500004,-1.5,-0.25,0.0590,1.35,0.1,2026-06-30",
		"Larkspur Teachers,MA,Mossgate Growth V,Mossgate,Private Equity,,,50,,,,,,,2026-06-30"))
	require.NoError(t, err)
	require.Empty(t, rejected)
	require.Equal(t, "lp_list", opened.Kind)
	require.Equal(t, "lp_list", opened.Series, "two LPs, as far as a first look can tell: ma and MA")
	require.Equal(t, int64(2), opened.Rows())
	require.Equal(t, []*peopleapi.Commitment{{
		LP: "Larkspur Teachers", Pension: true, State: "MA", Fund: "Mossgate Growth IV", Manager: "Mossgate", Vintage: new(int16(2021)),
		Committed: new(int64(100_000_000)), Contributed: new(int64(104_250_000)), Distributed: new(int64(-1_500_000)), NAV: new(int64(-250_000)),
		IRR: new(5.9), Multiple: new(1.35), AsOf: time.Date(2026, 6, 30, 0, 0, 0, 0, time.UTC),
	}, {
		LP: "Larkspur Teachers", Pension: true, State: "MA", Fund: "Mossgate Growth V", Manager: "Mossgate",
		Committed: new(int64(50_000_000)), AsOf: time.Date(2026, 6, 30, 0, 0, 0, 0, time.UTC),
	}}, rows)
}

// TestOtherSpellings reads a list as a spreadsheet writes it: other headers and units, percent signs, parentheses, the day in the
// name of the file.
func TestOtherSpellings(t *testing.T) {
	t.Parallel()
	rows, rejected, opened, err := drain(t, "investments 2026-03-31.csv", lines(
		"Investor,Entity Type,City,Country,Partnership,VY,Commitment ($M),Paid-In Capital ($000),Cash Out,Fair Market Value ($ millions),Net IRR (%),Net Multiple (x)",
		`Mossgate Endowment,University Endowment,Boston,,<b>Larkspur & Co.</b> II,2019.0,"1,000.0","250,500","$(1,500)",N/M,13.5%,1.35x`,
		`Mossgate Endowment,endowment,,Canada,Larkspur III,N/A,--,n/a,0,(2.5),-4.2,N/M`))
	require.NoError(t, err)
	require.Empty(t, rejected)
	require.Equal(t, "lp_list/mossgate endowment", opened.Series)
	require.Len(t, rows, 2)
	first, second := rows[0], rows[1]
	day := time.Date(2026, 3, 31, 0, 0, 0, 0, time.UTC)
	require.Equal(t, &peopleapi.Commitment{
		LP: "Mossgate Endowment", EntityType: "endowment", City: "Boston", Fund: "<b>Larkspur & Co.</b> II", Vintage: new(int16(2019)),
		Committed: new(int64(1_000_000_000)), Contributed: new(int64(250_500_000)), Distributed: new(int64(-1_500)), IRR: new(13.5), Multiple: new(1.35), AsOf: day,
	}, first)
	require.Equal(t, &peopleapi.Commitment{
		LP: "Mossgate Endowment", EntityType: "endowment", Country: "Canada", Fund: "Larkspur III",
		Distributed: new(int64(0)), NAV: new(int64(-2_500_000)), IRR: new(-4.2), AsOf: day,
	}, second)
}

// TestQuarantine: a row that cannot be used is kept with file, line and reason, and the others are read.
func TestQuarantine(t *testing.T) {
	t.Parallel()
	const good = "Larkspur Teachers,MA,Mossgate Growth IV,Mossgate,,,2021,100,1,1,1,0.1,1.1,,2026-06-30"
	rows, rejected, opened, err := drain(t, "commitments.csv", lines(normalized, good,
		",MA,A,,,,2021,100,,,,,,,2026-06-30",
		"Larkspur Teachers,MA,,,,,2021,100,,,,,,,2026-06-30",
		"Larkspur Teachers,MA,A,,,,soon,100,,,,,,,2026-06-30",
		"Larkspur Teachers,MA,A,,,,2021,-100,,,,,,,2026-06-30",
		"Larkspur Teachers,MA,A,,,,2021,a lot,,,,,,,2026-06-30",
		"Larkspur Teachers,MA,A,,,,2021,100,,,,140,,,2026-06-30",
		"Larkspur Teachers,MA,A,,,,2021,100,,,,,,,",
		"Larkspur Teachers,MA,A,,,,2021,100,,,,,,,2026-13-30",
		"Larkspur Teachers,MA,A,,,,2021,100,,,,,,,2027-06-30",
		"Larkspur Teachers,MA,torn",
		"Larkspur Teachers,MA,A,,,,2021,100000000,,,,,,,2026-06-30",
		"Larkspur Teachers,MA,A,,,,2021,100,,,,,,,1926-06-30",
		strings.ReplaceAll(good, "Growth", "GROWTH")))
	require.NoError(t, err)
	require.Len(t, rows, 1)
	require.Equal(t, int64(1), opened.Repeated())
	require.Equal(t, int64(14), opened.Rows())
	var reasons []string
	for _, r := range rejected {
		require.Equal(t, "commitments.csv", r.File)
		require.NotEmpty(t, r.Raw)
		reasons = append(reasons, fmt.Sprintf("%d: %s", r.Line, r.Reason))
	}
	require.Equal(t, []string{
		"3: pension_fund_name is blank", "4: fund_name is blank", `5: vintage_year is not a year: "soon"`, `6: commitment_mm is negative: "-100"`,
		`7: commitment_mm is not an amount: "a lot"`, `8: net_irr is beyond 10000: "140"`, "9: as_of_date is blank", `10: as_of_date is not a date: "2026-13-30"`,
		`11: as_of_date is in the future: "2027-06-30"`, "12: The row has 3 fields, but the header has 15",
		`13: commitment_mm is more than $100 billion; the unit may be wrong: "100000000"`, `14: as_of_date is before 1970: "1926-06-30"`,
		"15: The row repeats an earlier one: the same LP, fund and day (2026-06-30)",
	}, reasons)
}

// TestRefusals: what may be wrong by a factor of a million is refused as a whole, with the way out.
func TestRefusals(t *testing.T) {
	t.Parallel()
	for want, text := range map[string]string{
		`column "Commitment": no unit is named, and no commitment reaches 100000 dollars; if it is in millions, name it "Commitment ($M)"`: lines("LP,Fund,Commitment,As of", "A,B,100.0,2026-06-30"),
		`column "Commitment (EUR m)": the unit is not understood (eur)`:                                                                    lines("LP,Fund,Commitment (EUR m),As of", "A,B,100.0,2026-06-30"),
		`column "IRR": it cannot be told whether rates are percentages or fractions; if they are percentages, name it "IRR (%)"`: lines(
			"LP,Fund,Commitment ($M),As of,IRR", "A,B,1,2026-06-30,0.5", "A,C,1,2026-06-30,1.1", "A,D,1,2026-06-30,12.5"),
		"the day of the figures is missing": lines("LP,Fund,Commitment ($M)", "A,B,100.0"),
	} {
		_, _, _, err := drain(t, "list.csv", text)
		require.ErrorContains(t, err, want)
	}
	_, _, _, err := drain(t, "list 2027-06-30.csv", lines("LP,Fund,Commitment ($M)", "A,B,100.0"))
	require.ErrorContains(t, err, "in the future")
	rows, _, _, err := drain(t, "list.csv", lines("LP,Fund,Commitment,As of,IRR", `A,B,"100,000",06/30/2026,12.5`, "A,C,5,30-JUN-2026,0.4"))
	require.NoError(t, err)
	require.Equal(t, 0.4, *rows[1].IRR, "half of the rates are percentages, so all are") //nolint:testifylint // by its digits
	require.Empty(t, rows[1].EntityType, "no list states it")
	require.False(t, rows[1].Pension)
	require.Equal(t, rows[0].AsOf, rows[1].AsOf)
}

// FuzzList gives any text: nothing panics, and what is read keeps the promises of peopleapi.
func FuzzList(f *testing.F) {
	f.Add(lines(normalized, "Larkspur Teachers,MA,Mossgate Growth IV,Mossgate,,,2021,100,1,1,1,0.1,1.1,,2026-06-30"))
	f.Add(lines("LP,Fund,Commitment ($M),As of,Entity Type", `"A ""B""",C,"1,000",06/30/2026,pension`, "A,C,(5),x,y"))
	f.Add("\xef\xbb\xbfLP;Fund\x00")
	f.Add(lines("Investor,Partnership,Commitment (%),As of,IRR (%)", "Ä,\xff,1%,2026-06-30,1e5"))
	f.Fuzz(func(t *testing.T, text string) {
		rows, rejected, _, err := drain(t, "list 2026-06-30.csv", text)
		if err != nil {
			return
		}
		type key struct{ lp, state, fund, day string }
		seen := map[key]bool{}
		for _, c := range rows {
			k := key{state: c.State, day: c.AsOf.Format(time.DateOnly)}
			k.lp, k.fund = c.Keys()
			require.False(t, seen[k], "each LP, fund and day once")
			seen[k] = true
			require.NotEmpty(t, c.LP)
			require.NotEmpty(t, c.Fund)
			require.False(t, c.AsOf.IsZero())
			require.True(t, c.EntityType == "" || peopleapi.IsEntityType(c.EntityType))
			require.True(t, c.Committed == nil || *c.Committed >= 0)
			require.False(t, c.AsOf.After(notAfter))
		}
		for _, r := range rejected {
			require.NotEmpty(t, r.Reason)
			require.Positive(t, r.Line)
		}
	})
}
