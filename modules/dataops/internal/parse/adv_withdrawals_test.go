package parse_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/parse"
)

const (
	withdrawalHeader = `CRD Number,SEC File Number,Full Legal Name,Primary Business Name,Filing ID,Form Type,Filing Type,Filing Date,Office Street 1,` +
		`Office Street 2,Office City,Office State,Office Country,Office Postal Code,Business Ceased,Date Ceased,Reasons for Withdrawal`
	withdrawalTable = "ADVW_20260601_20260630.csv"
)

func withdrawalFiles() files {
	return files{
		withdrawalTable: table(withdrawalHeader,
			`0000004711,"801-66195","ALDERMOOR CAPITAL LLC","ALDERMOOR",2200001,"ADV-W","FULL","06/24/2026 10:37:17 AM","1 PIER ROAD",,"BOSTON","MA","United States","02110","Y","2026-06-01","THE FIRM "WOUND UP", AT LAST"`,
			`4712,"801-5","KATABATIC PARTNERS LTD",,2200002,"ADV-W","Partial","2026-06-25",,,,,,,"",soon,""`),
		"ADVW_W1_20260601_20260630.csv": "passed over",
		"ADVW_W2_20260601_20260630.csv": "passed over",
	}
}

func TestWithdrawals(t *testing.T) {
	t.Parallel()
	yes := true
	single := withdrawalFiles()[withdrawalTable]
	for name, c := range map[string]struct{ path, file string }{
		"zip":                 {write(t, "advw-20260601-20260630.zip", zipped(t, withdrawalFiles())), withdrawalTable},
		"zip, in it a folder": {write(t, "download.zip", zipped(t, renamed(withdrawalFiles(), "advw/"))), withdrawalTable},
		"folder":              {folder(t, withdrawalFiles()), withdrawalTable},
		"table":               {write(t, withdrawalTable, []byte(single)), withdrawalTable},
		"packed table":        {write(t, withdrawalTable+".gz", gzipped(t, single)), withdrawalTable},
		"table, other name":   {write(t, "withdrawn.csv", []byte(single)), "withdrawn.csv"},
	} {
		d := mustDrainChildren(t, c.path)
		require.Empty(t, d.reasons(), name)
		require.Equal(t, "advw", d.opened.Kind, name)
		require.Equal(t, "advw", d.opened.Series, name)
		require.Equal(t, catalogapi.SourceADVW, d.doc.Source, name)
		require.Len(t, d.opened.Layout["advw"], 17, name)
		require.Nil(t, d.doc.Filings, name)
		require.Equal(t, []*catalogapi.WithdrawalRow{
			{
				CRD: "4711", FilingID: "2200001", Submitted: time.Date(2026, 6, 24, 10, 37, 17, 0, time.UTC), SECNumber: "801-66195", LegalName: "ALDERMOOR CAPITAL LLC",
				Full: true, Ceased: &yes, CeasedOn: day(2026, 6, 1), Reason: `THE FIRM "WOUND UP", AT LAST`, City: "BOSTON", State: "MA", Country: "United States",
				File: c.file, Line: 2,
			},
			{CRD: "4712", FilingID: "2200002", Submitted: day(2026, 6, 25), SECNumber: "801-5", LegalName: "KATABATIC PARTNERS LTD", File: c.file, Line: 3},
		}, d.withdrawals, name)
	}
}

func TestWithdrawalsQuarantine(t *testing.T) {
	t.Parallel()
	const header = `CRD Number,FilingID,Filing Type,Filing Date,Reasons for Withdrawal`
	path := write(t, withdrawalTable, []byte(table(header,
		"4711,1,FULL,6/1/2026,CAF\xc9", "4711,1,FULL,6/1/2026,", "x,2,FULL,6/1/2026,", "4711,,FULL,6/1/2026,", "4711,3,,6/1/2026,", "4711,4,HALF,6/1/2026,",
		"4711,5,FULL,,", "4711,6,FULL,6/31/2026,", "4711,7,FULL,6/1/2062,", "torn")))
	c, err := drainChildren(t.Context(), path, parse.Options{NotAfter: day(2026, 7, 1)})
	require.NoError(t, err)
	require.Len(t, c.withdrawals, 1)
	require.Equal(t, "CAFÉ", c.withdrawals[0].Reason)
	require.Equal(t, int64(1), c.opened.Repeated())
	require.Equal(t, []string{
		withdrawalTable + `:3: Filing ID repeats an earlier filing: 1`,
		withdrawalTable + `:4: CRD Number is not a CRD number (1 to 10 digits): "x"`,
		withdrawalTable + `:5: Filing ID is blank`,
		withdrawalTable + `:6: Filing Type is neither FULL nor PARTIAL: `,
		withdrawalTable + `:7: Filing Type is neither FULL nor PARTIAL: HALF`,
		withdrawalTable + `:8: Filing Date is blank`,
		withdrawalTable + `:9: Filing Date is not a date: "6/31/2026"`,
		withdrawalTable + `:10: Filing Date is in the future: 6/1/2062`,
		withdrawalTable + `:11: The row has 1 fields, but the header has 5`,
	}, c.reasons())
}

func TestWithdrawalsRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ path, want string }{
		"missing column": {write(t, withdrawalTable, []byte(table("CRD Number,Filing ID,Filing Date"))), `column "Filing Type" is missing`},
		"empty":          {write(t, "advw-1.zip", zipped(t, files{withdrawalTable: ""})), "empty"},
		"no table":       {write(t, "advw-20260601-20260630.zip", zipped(t, files{"ADVW_W1_20260601_20260630.csv": "x"})), "no table of Forms ADV-W"},
		"table twice":    {folder(t, files{"a/" + withdrawalTable: "x", "b/" + withdrawalTable: "x"}), "is there twice"},
		"UTF-16":         {write(t, withdrawalTable, []byte("\xff\xfeC\x00R\x00")), "UTF-16"},
	} {
		require.Contains(t, refused(t, c.path, parse.Options{}), c.want, name)
	}
}
