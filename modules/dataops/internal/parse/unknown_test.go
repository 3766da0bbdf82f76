package parse_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/parse"
)

// The error about an unknown file is one line: the three likeliest kinds and what the file lacks of each.
func TestUnknownFile(t *testing.T) {
	t.Parallel()
	const (
		archive     = "Form ADV archive (no IA_ADV_Base_A_*.csv or ERA_ADV_Base_*.csv)"
		feed        = "IAPD firm feed (no root element IAPDFirmSECReport or IAPDFirmStateReport)"
		notices     = "Form D data set or notice (no FORMDSUBMISSION.tsv, root element edgarSubmission or <SEC-HEADER>)"
		commitments = `list of commitments (no columns "pension_fund_name" or "LP", "commitment_mm" or "Commitment ($M)")`
		roster      = `monthly roster (no columns "Organization CRD#", "Latest ADV Filing Date")`
	)
	for name, c := range map[string]struct {
		path, want string
	}{
		"roster without its date": {
			write(t, "june.csv", []byte(table("Organization CRD#,Legal Name", "1,ALDERMOOR"))),
			`june.csv: not a known format; closest: monthly roster (no column "Latest ADV Filing Date"); ` +
				archive + `; list of funds (no columns "firm_name", "fund_name", "fund_id", "gross")`,
		},
		"fund list": {
			write(t, "funds_2024-07-10.csv", []byte(table("firm_name,fund_name,fund_id", "ALDERMOOR,I,805-1"))),
			`funds_2024-07-10.csv: not a known format; closest: list of funds (no column "gross"); ` + commitments,
		},
		"xml": {write(t, "x.xml", []byte("<a/>")), "x.xml: not a known format; closest: " + feed + "; " + notices + "; " + roster},
		"list without a header": {
			write(t, "lps.csv", []byte(table("CalPERS,CA,57 Stars Fund,2007,430.0,2025-03-31", "CalPERS,CA,58 Stars Fund,2008,431.0,2025-03-31"))),
			`lps.csv: not a known format: its first line holds "2007", so it is no header. The first line must name the columns: ` +
				`monthly roster: Organization CRD#, Latest ADV Filing Date; list of funds: firm_name, fund_name, fund_id, gross; ` +
				`Form ADV-W table: Filing Type, Business Ceased, Reasons for Withdrawal; list of commitments: pension_fund_name, fund_name, commitment_mm`,
		},
		"list without LPs": {
			write(t, "lps.csv", []byte(table("State,Fund,Commitment ($M),As of", "MA,I,1,2026-06-30"))),
			`lps.csv: not a known format; closest: list of commitments (no column "pension_fund_name" or "LP")`,
		},
		"pivot": {
			write(t, "pivot.csv", []byte(table("fund_name,2023,2024", "I,1,2"))),
			`pivot.csv: not a known format; closest: list of funds (no columns "firm_name", "fund_id", "gross"); ` +
				commitments + "; " + roster,
		},
		"binary": {write(t, "photo.jpg", []byte("\xff\xd8\xff\x00")), "photo.jpg: not a known format; closest: " + roster + "; " + archive + "; " + feed},
		"several": {
			write(t, "x.zip", zipped(t, files{"a.txt": "x", "b.txt": "x"})), "x.zip: not a known format (it holds a.txt, b.txt); closest: " +
				archive + "; " + notices + `; monthly roster (no single CSV file with columns "Organization CRD#", "Latest ADV Filing Date")`,
		},
	} {
		_, err := drain(t.Context(), c.path, parse.Options{})
		require.ErrorIs(t, err, parse.ErrUnknown, name)
		require.EqualError(t, err, c.want, name)
	}
}

// Rows are counted as they stand in the file: those in quarantine too, an adviser's filing that is made of its funds' rows not.
func TestRowsAreCounted(t *testing.T) {
	t.Parallel()
	funds := table("firm_name,fund_name,fund_id,country,fund_type,gross,num_owners",
		"4711,KATABATIC,KATABATIC FUND I,805-7594391471,Delaware,Other,1,1", "4711,KATABATIC,KATABATIC FUND II,805-8588985280,Delaware,Other,,", "4713,BRACKENHALL")
	for path, want := range map[string]int64{
		write(t, "sec_advisers.csv", []byte(table(cutHeader, cutRow, "torn"))): 2,
		write(t, "funds_2024-07-10.csv", []byte(funds)):                        3,
		folder(t, files{
			"IA_ADV_Base_A" + month: table(tinyHeader, "1,6/1/2026,ALDERMOOR,1", "torn", "1,6/1/2026,AGAIN,1"), "ERA_ADV_Base" + month: table(tinyHeader, "1,6/1/2026,BRACKENHALL,2"),
			"ADV_Filing_Types" + month: table("FilingID,Annual Updating Amendment", "1,Y", "9,Y"),
		}): 6,
	} {
		opened, err := parse.Open(t.Context(), path, parse.Options{Reject: func(catalogapi.Rejected) {}})
		require.NoError(t, err)
		doc := opened.Document
		_, err = collect(doc.Filings)
		require.NoError(t, err)
		_, err = collect(doc.Types)
		require.NoError(t, err)
		_, err = collect(doc.Funds)
		require.NoError(t, err)
		require.Equal(t, want, opened.Rows(), path)
		require.NoError(t, opened.Close())
	}
}
