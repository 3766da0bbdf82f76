package parse_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xuri/excelize/v2"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/parse"
)

const (
	// cutHeader is the registered roster as it circulates with 17 columns.
	cutHeader = `Primary Business Name,Organization CRD#,SEC Status Effective Date,Latest ADV Filing Date,SEC Current Status,Main Office City,Main Office State,` +
		`Main Office Telephone Number,Website Address,Legal Name,2A(1),2A(2),5A,5C(1),5F(2)(a),5F(2)(b),5F(2)(c)`
	cutRow = `HALCYON RIDGE,129052,08/22/2000,06/26/2025,Approved,BOSTON,MA,617-555-0100,HTTPS://HALCYON.EXAMPLE,"HALCYON ""RIDGE"", LLC",Y,N,30.0, 16,` +
		`"           576,373,248.00",                      .00,"           576,373,248.00"`
	// fullHeader is some of the full roster's columns.
	fullHeader = `SEC Region,Organization CRD #,SEC#,Firm Type,Primary Business Name,Legal Name,Main Office Street Address 1,Main Office Country,Main Office Postal Code,` +
		`Main Office Private Residence Flag,SEC Current Status,SEC Status Effective Date,Latest ADV Filing Date,Form Version,1P,3A,3B,3C-State,3C-Country,7B,` +
		`Count of Private Funds - 7B(1),Total Gross Assets of Private Funds`
	fullRow = `NYRO,4711,802-1234,ERA,KATABATIC,KATABATIC PARTNERS LTD,,,,Y,ERA - Active,04/10/2020,03/25/2024,10/2021,N/A,Corporation,MARCH,,Bermuda,Y, 3,"  1,000.00"`
)

func TestRosterCut(t *testing.T) {
	t.Parallel()
	d := mustDrain(t, write(t, "sec_advisers.csv", []byte(table(cutHeader, cutRow))))
	require.Empty(t, d.rejected)
	require.Equal(t, "roster", d.kind)
	require.Equal(t, catalogapi.SourceRoster, d.doc.Source)
	require.Equal(t, "sec_advisers.csv", d.doc.Name)
	employees, raum, zero := int64(30), int64(576373248), int64(0)
	require.Equal(t, []*catalogapi.AdviserFiling{{
		Key: "CRD:129052", CRD: "129052", Submitted: time.Date(2025, 6, 26, 0, 0, 0, 0, time.UTC),
		Statement: catalogapi.Statement{
			LegalName: `HALCYON "RIDGE", LLC`, BusinessName: new("HALCYON RIDGE"), SECStatus: new("Approved"), City: new("BOSTON"),
			State: new("MA"), Phone: new("617-555-0100"), Website: new("HTTPS://HALCYON.EXAMPLE"), EmployeeCount: &employees, RAUM: &raum,
			RAUMDiscretionary: &raum, RAUMNonDiscretionary: &zero,
		},
		Basis: catalogapi.Basis{Registration: new(string(catalogapi.Registered)), StatusDate: new(time.Date(2000, 8, 22, 0, 0, 0, 0, time.UTC))},
		File:  "sec_advisers.csv", Line: 2,
	}}, d.said())
}

// TestRosterContainers reads the same roster bare, zipped and gzipped.
func TestRosterContainers(t *testing.T) {
	t.Parallel()
	text := table(fullHeader, fullRow)
	book := workbook(t, [][]any{{"Organization CRD#", "Legal Name", "Latest ADV Filing Date"}, {4711, "KATABATIC PARTNERS LTD", 45376}})
	for name, path := range map[string]string{
		"csv":            write(t, "IA_SEC_-_FIRM_ROSTER_FOIA_DOWNLOAD_-_34622660.CSV", []byte(text)),
		"zip":            write(t, "ia020226-exemptzip.zip", zipped(t, files{"IA_SEC_-_FIRM_ROSTER_FOIA_DOWNLOAD_-_34622660.CSV": text})),
		"zip and readme": write(t, "ia020226.zip", zipped(t, files{"in/a.csv": text, "in/readme.txt": "x", "__MACOSX/in/._a.csv": "x"})),
		"gzip":           write(t, "roster.csv.gz", gzipped(t, text)),
		"folder":         folder(t, files{"roster.csv": text}),
		"xlsx":           write(t, "ia070124-exempt.xlsx", book),
		"zipped xlsx":    write(t, "ia070124-exempt.zip", zipped(t, files{"ia070124-exempt.xlsx": string(book)})),
	} {
		d := mustDrain(t, path)
		require.Empty(t, d.rejected, name)
		require.Equal(t, "roster", d.kind, name)
		require.Len(t, d.filings, 1, name)
		require.Equal(t, "4711", d.filings[0].CRD, name)
		require.Equal(t, catalogapi.ExemptReporting, catalogapi.Registration(catalogapi.TextOf(d.filings[0].Registration)), name)
		require.Equal(t, time.Date(2024, 3, 25, 0, 0, 0, 0, time.UTC), d.filings[0].Submitted, name)
	}
}

func TestRosterFull(t *testing.T) {
	t.Parallel()
	d := mustDrain(t, write(t, "ia.csv", []byte(table(fullHeader, fullRow))))
	yes, count, gav := true, int64(3), int64(1000)
	require.Equal(t, []*catalogapi.AdviserFiling{{
		Key: "CRD:4711", CRD: "4711", Submitted: time.Date(2024, 3, 25, 0, 0, 0, 0, time.UTC),
		Basis: catalogapi.Basis{
			FormVersion: new("10/2021"), Registration: new(string(catalogapi.ExemptReporting)),
			StatusDate: new(time.Date(2020, 4, 10, 0, 0, 0, 0, time.UTC)), ReportedFundCount: &count, ReportedFundGAV: &gav,
		},
		Statement: catalogapi.Statement{
			LegalName: "KATABATIC PARTNERS LTD", BusinessName: new("KATABATIC"), SECNumber: new("802-1234"),
			SECStatus: new("ERA - Active"), PrivateResidence: &yes, OrgForm: new("Corporation"), FiscalYearEnd: new("MARCH"),
			OrgCountry: new("Bermuda"), AdvisesFunds: &yes,
		},
		File: "ia.csv", Line: 2,
	}}, d.said())
}

// A roster counts funds by type. A blank count is none; without one of the columns it does not say which type leads.
func TestRosterFundTypes(t *testing.T) {
	t.Parallel()
	const header = "Organization CRD#,Legal Name,Latest ADV Filing Date,Total number of Hedge funds,Total number of Liquidity funds,Total number of PE funds," +
		"Total number of Real Estate funds,Total number of Securitized funds,Total number of VC funds,Total number of Other funds"
	d := mustDrain(t, write(t, "a.csv", []byte(table(header, "4711,KATABATIC LTD,03/25/2024, 2,,1,0,,12,3", "4712,FENWICK LP,03/25/2024,,,,,,,"))))
	require.Equal(t, map[string]int64{"Hedge Fund": 2, "Private Equity Fund": 1, "Venture Capital Fund": 12, "Other Private Fund": 3}, d.filings[0].ReportedFundTypes)
	require.Nil(t, d.filings[1].ReportedFundTypes)
	require.NotContains(t, d.filings[0].Silent, catalogapi.FieldReportedTypes)
	d = mustDrain(t, write(t, "b.csv", []byte(table(strings.Replace(header, "Total number of VC funds,", "", 1), "4711,KATABATIC LTD,03/25/2024, 2,,1,0,,3"))))
	require.Nil(t, d.filings[0].ReportedFundTypes)
	silent := slices.DeleteFunc(d.filings[0].Silent, func(field string) bool { return field != catalogapi.FieldReportedTypes })
	require.Len(t, silent, 1)
}

func workbook(t *testing.T, rows [][]any) []byte {
	t.Helper()
	book := excelize.NewFile()
	_, err := book.NewSheet("ROSTER")
	require.NoError(t, err)
	for i, row := range rows {
		cell, err := excelize.CoordinatesToCellName(1, i+3) // below two blank rows
		require.NoError(t, err)
		require.NoError(t, book.SetSheetRow("ROSTER", cell, &row))
	}
	var b bytes.Buffer
	require.NoError(t, book.Write(&b))
	require.NoError(t, book.Close())
	return b.Bytes()
}

// TestRosterWorkbook reads what a workbook does to values: serials, lost zeros, numbers for texts, cells that are missing.
// The roster's sheet is the second, its header the third row.
func TestRosterWorkbook(t *testing.T) {
	t.Parallel()
	d := mustDrain(t, write(t, "ia.xlsx", workbook(t, [][]any{
		{"Organization CRD#", "SEC#", "Legal Name", "Main Office Country", "Main Office Postal Code", "Latest ADV Filing Date", "Form Version", "5F(2)(c)", "SEC Status Effective Date"},
		{129052, "801-1", "GESTÃO HALCYON", "United States", 2481, 45376, 44470, 1.5e10, time.Date(2020, 1, 2, 0, 0, 0, 0, time.UTC)},
		{4711, "802-1", "ALDERMOOR", "Norway", 2481, "03/25/2024", "10/2021", nil, nil},
		{4712, nil, nil, nil, nil, 45376},
		{"x", "802-1", "BAD CRD", nil, nil, 45376},
		{4713, "802-1", "BAD DATE", nil, nil, 12},
		{},
		{4714, "802-1", "NO DATE"},
	})))
	require.Equal(t, []string{
		"ia.xlsx:6: Legal Name is blank",
		`ia.xlsx:7: Organization CRD# is not a CRD number (1 to 10 digits): "x"`,
		`ia.xlsx:8: Latest ADV Filing Date is not a date: "12"`,
		"ia.xlsx:10: Latest ADV Filing Date is blank",
	}, d.reasons())
	require.Equal(t, "x,802-1,BAD CRD,,,45376", d.rejected[1].Raw)
	require.Len(t, d.filings, 2)
	first, second := d.filings[0], d.filings[1]
	require.Equal(t, "GESTÃO HALCYON", first.LegalName)
	require.Equal(t, "02481", catalogapi.TextOf(first.PostalCode))
	require.Equal(t, "10/2021", catalogapi.TextOf(first.FormVersion))
	require.Equal(t, int64(15_000_000_000), *first.RAUM)
	require.Equal(t, "2020-01-02", first.StatusDate.Format(time.DateOnly))
	require.Equal(t, catalogapi.Registered, catalogapi.Registration(catalogapi.TextOf(first.Registration)))
	require.Equal(t, "2481", catalogapi.TextOf(second.PostalCode))
	require.Nil(t, second.RAUM)
	require.Equal(t, catalogapi.ExemptReporting, catalogapi.Registration(catalogapi.TextOf(second.Registration)))
	require.Equal(t, 5, second.Line)
}

func TestRosterDuplicates(t *testing.T) {
	t.Parallel()
	const header = `Organization CRD#,Legal Name,Latest ADV Filing Date,SEC#`
	d := mustDrain(t, write(t, "ia.csv", []byte(table(header,
		`1,ALDERMOOR,01/02/2024,801-1`,
		`2,BRACKENHALL,01/02/2024,801-2`,
		`001,ALDERMOOR LLC,01/03/2024,801-1`,
		`2,BRACKENHALL,01/02/2024,801-2`,
		`1,ALDERMOOR OLD,01/01/2024,801-1`))))
	require.Equal(t, []string{
		"ia.csv:2: Organization CRD# 1 is repeated by row 4, whose filing is newer",
		"ia.csv:5: Organization CRD# 2 repeats row 3, whose filing is as new or newer",
		"ia.csv:6: Organization CRD# 1 repeats row 4, whose filing is as new or newer",
	}, d.reasons())
	require.Equal(t, "1,ALDERMOOR,01/02/2024", d.rejected[0].Raw)
	require.Len(t, d.filings, 2)
	require.Equal(t, "ALDERMOOR LLC", d.filing(t, "CRD:1").LegalName)
}

func TestRosterRegistration(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		file, header, row string
		want              catalogapi.Registration
	}{
		"type before number": {"ia.csv", ",Firm Type,SEC#", ",Registered,802-1", catalogapi.Registered},
		"number":             {"ia-exempt.csv", ",SEC#", ",801-1", catalogapi.Registered},
		"status":             {"ia-exempt.csv", ",SEC Current Status", ",120-Day Approval", catalogapi.Registered},
		"exempt status":      {"ia.csv", ",SEC Current Status", ",ERA - Active", catalogapi.ExemptReporting},
		"name":               {"ia051023exempt.csv", ",2A(1)", ",Y", catalogapi.ExemptReporting},
		"item 2.A":           {"ia.csv", ",2A(1)", ",Y", catalogapi.Registered},
		"item 2.B":           {"ia.csv", ",2B(1)", ",Y", catalogapi.ExemptReporting},
		"nothing":            {"ia.csv", "", "", ""},
	} {
		d := mustDrain(t, write(t, c.file, []byte(table("Organization CRD#,Legal Name,Latest ADV Filing Date"+c.header, "1,ALDERMOOR,1/2/2024"+c.row))))
		require.Equal(t, c.want, catalogapi.Registration(catalogapi.TextOf(d.filings[0].Registration)), name)
	}
}

// Which list a roster is depends on its rows, not on its columns: without 2A(1) and item 5 it is the same list.
func TestRosterSeries(t *testing.T) {
	t.Parallel()
	const header = "Organization CRD#,Legal Name,Latest ADV Filing Date"
	for name, c := range map[string]struct {
		file, columns, row string
		want               string
	}{
		"registered":          {"ia.csv", ",SEC Current Status,2A(1)", ",Approved,Y", "roster/registered"},
		"without 2A(1)":       {"ia.csv", ",SEC Current Status", ",Approved", "roster/registered"},
		"with both items":     {"ia.csv", ",SEC Current Status,2A(1),2B(1)", ",Approved,Y,", "roster/registered"},
		"by its numbers":      {"ia.csv", ",SEC#", ",802-1", "roster/exempt"},
		"exempt with 2A(1)":   {"ia.csv", ",SEC Current Status,2A(1)", ",ERA - Active,", "roster/exempt"},
		"by name":             {"ia-exempt.csv", "", "", "roster/exempt"},
		"only item 5 is left": {"ia.csv", ",5F(2)(c)", ",1", "roster/registered"},
		"only 2B(2) is left":  {"ia.csv", ",2B(2)", ",Y", "roster/exempt"},
		"nothing":             {"ia.csv", "", "", "roster"},
	} {
		opened, err := parse.Open(t.Context(), write(t, c.file, []byte(table(header+c.columns, "1,ALDERMOOR,1/2/2024"+c.row))), parse.Options{Reject: func(catalogapi.Rejected) {}})
		require.NoError(t, err, name)
		require.Equal(t, c.want, opened.Series, name)
		require.NoError(t, opened.Close())
	}
	book := workbook(t, [][]any{{"Organization CRD#", "Legal Name", "Latest ADV Filing Date", "SEC#"}, {4711, "KATABATIC PARTNERS LTD", 45376, "802-1"}})
	mixed := table(header+",SEC#", "1,ALDERMOOR,1/2/2024,801-1", "2,BRACKENHALL,1/2/2024,802-2")
	for path, want := range map[string]string{write(t, "ia.xlsx", book): "roster/exempt", write(t, "ia.csv", []byte(mixed)): "roster"} {
		opened, err := parse.Open(t.Context(), path, parse.Options{Reject: func(catalogapi.Rejected) {}})
		require.NoError(t, err)
		require.Equal(t, want, opened.Series)
		require.NoError(t, opened.Close())
	}
}

func TestRosterRefused(t *testing.T) {
	t.Parallel()
	require.Contains(t, refused(t, write(t, "ia.csv", []byte(table("Organization CRD#,Latest ADV Filing Date", "1,1/2/2024"))), parse.Options{}), `"Legal Name" is missing`)
	require.Contains(t, refused(t, write(t, "ia.xlsx", workbook(t, [][]any{{"Name", "Age"}, {"A", 3}})), parse.Options{}), `"Organization CRD#"`)
	require.Contains(t, refused(t, write(t, "ia.xlsx", workbook(t, nil)), parse.Options{}), "empty")
	require.Contains(t, refused(t, write(t, "ia.csv", []byte("\xff\xfeO\x00r\x00")), parse.Options{}), "UTF-16")
	require.Contains(t, refused(t, write(t, "ia.xlsx", zipped(t, files{"xl/workbook.xml": "<junk"})), parse.Options{}), "ia.xlsx")
	require.Contains(t, refused(t, write(t, "ia.zip", zipped(t, files{"ia.xlsx": "no workbook"})), parse.Options{}), "ia.xlsx")
	require.Contains(t, refused(t, write(t, "ia.zip", zipped(t, files{"ia.xlsx": string(zipped(t, files{"a": "b"}))})), parse.Options{}), "not an XLSX workbook")
}

func TestFundList(t *testing.T) {
	t.Parallel()
	text := table("firm_name,fund_name,fund_id,country,fund_type,gross,num_owners",
		`4711,KATABATIC,"KATABATIC FUND I, L.P.",805-7594391471,Cayman Islands,venture capital fund,71235231,86`,
		`4711,KATABATIC,KATABATIC FUND II,805-8588985280,Delaware,Other,,`,
		`4712,ALDERMOOR,BROKEN,805-1,Delaware,Other,1,1`,
		`4713,BRACKENHALL`)
	gav, owners := int64(71235231), int64(86)
	for name, path := range map[string]string{
		"csv":          write(t, "funds_2024-07-10_with_crd.csv", []byte(text)),
		"zip":          write(t, "funds_2024-07-10.zip", zipped(t, files{"funds.csv": text})),
		"named column": write(t, "funds_2024-07-10.csv", []byte("CRD,"+text)),
		"empty column": write(t, "funds_2024-07-10.csv", []byte(","+text)),
	} {
		d := mustDrain(t, path)
		require.Equal(t, "fund_list", d.kind, name)
		require.Equal(t, catalogapi.SourceFundList, d.doc.Source, name)
		require.Len(t, d.filings, 1, name)
		require.Equal(t, &catalogapi.AdviserFiling{
			Key: "CRD:4711", CRD: "4711",
			Statement: catalogapi.Statement{LegalName: "KATABATIC"},
			Submitted: time.Date(2024, 7, 10, 0, 0, 0, 0, time.UTC), File: d.filings[0].File, Line: 2,
		}, d.filings[0], name)
		require.Len(t, d.funds, 2, name)
		require.Equal(t, &catalogapi.FundRow{
			FilingKey: "CRD:4711", FundID: "805-7594391471", Name: "KATABATIC FUND I, L.P.", Country: "Cayman Islands", FundType: "venture capital fund",
			GAV: &gav, Owners: &owners, File: d.filings[0].File, Line: 2,
			Silent: strings.Fields("is_3c1 is_3c7 is_master is_feeder master_fund_name master_fund_id is_fund_of_funds fund_type_other " +
				"minimum_investment pct_owned_related pct_owned_funds pct_owned_non_us annual_audit gaap unqualified_opinion"),
		}, d.funds[0], name)
		require.Equal(t, "Delaware", d.funds[1].State, name)
		require.Equal(t, "United States", d.funds[1].Country, name)
		require.Nil(t, d.funds[1].GAV, name)
		require.Len(t, d.rejected, 2, name)
		require.Contains(t, d.rejected[0].Reason, "fund_id is not a fund identification number", name)
		require.Contains(t, d.rejected[1].Reason, map[string]string{
			"csv": "The row has 2 fields, but 8 are expected (the header has 7)", "zip": "The row has 2 fields, but 8 are expected (the header has 7)",
		}[name], name)
		require.Contains(t, d.rejected[1].Reason, "The row has 2 fields, but", name)
	}
	require.Contains(t, refused(t, write(t, "funds.csv", []byte(text)), parse.Options{}), "yyyy-mm-dd")
}

// The edition of a roster is the day in its name, unless that cannot be right; else that of its newest filing.
func TestRosterEdition(t *testing.T) {
	t.Parallel()
	text := []byte(table("Organization CRD#,Legal Name,Latest ADV Filing Date", "1,ALDERMOOR,06/28/2024", "2,BRACKENHALL,01/02/2020"))
	const counts = ", so the roster counts as the edition of 2024-06-28, the day of its newest filing"
	for name, want := range map[string][2]string{
		"ia070124-exempt.csv":   {"2024-07-01", ""},
		"roster-2024-07-02.csv": {"2024-07-02", ""},
		"roster_20240703.csv":   {"2024-07-03", ""},
		"ia091524.csv":          {"2024-09-15", ""}, // its newest filing may be old: nothing says how old
		"ia010124.csv":          {"2024-06-28", "the day 2024-01-01 in the name ia010124.csv is before its newest filing" + counts},
		"ia010126.csv":          {"2024-06-28", "the day 2026-01-01 in the name ia010126.csv is in the future" + counts},
		"sec_advisers.csv":      {"2024-06-28", ""},
	} {
		d, err := drain(t.Context(), write(t, name, text), parse.Options{NotAfter: time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)})
		require.NoError(t, err)
		require.Equal(t, want[0], d.doc.Edition().Format(time.DateOnly), name)
		require.Equal(t, want[1], d.opened.Doubt(), name)
	}
}

// A filing names what its document has no column for. That exempt advisers are not asked some items is no silence.
func TestSilence(t *testing.T) {
	t.Parallel()
	roster := mustDrain(t, write(t, "ia.csv", []byte(table(cutHeader, cutRow))))
	require.Contains(t, roster.filings[0].Silent, "lei")
	require.NotContains(t, roster.filings[0].Silent, catalogapi.FieldRAUM)
	const header = "FilingID,DateSubmitted,1A,1E1,1F1-City,1P"
	archive := mustDrain(t, folder(t, files{
		"IA_ADV_Base_A" + month: table(header+",5F2c", "1,6/1/2026,ALDERMOOR,1,BOSTON,,5"), "IA_ADV_Base_B" + month: table("FilingID,3A,3B", "1,Corporation,JUNE"),
		"ERA_ADV_Base" + month: table(header+",3A,3B,3C-State,3C-Country", "1,6/1/2026,BRACKENHALL,2,BOSTON,,,,,"),
	}))
	ia, era := archive.filings[0].Silent, archive.filings[1].Silent
	require.Subset(t, ia, []string{"raum_discretionary", "employee_count", "phone", "org_state", "org_country"})
	for _, field := range []string{"raum", "city", "lei", "org_form", "fiscal_year_end"} {
		require.NotContains(t, ia, field)
	}
	for _, field := range []string{"raum", "employee_count", "org_state", "city"} {
		require.NotContains(t, era, field)
	}
	require.Equal(t, "2026-06-30", archive.doc.Edition().Format(time.DateOnly))
}

// A filing is silent about what stands in a table that the archive lacks for its kind, or for its day, and about what stands in
// a table that has rows for no filing of its kind. If it has rows for others, a filing without rows has none.
func TestSilenceOfTables(t *testing.T) {
	t.Parallel()
	const base, funds = "FilingID,DateSubmitted,1A,1E1", "FilingID,Fund Name,Fund ID,ReferenceID,Fund Type,Gross Asset Value"
	for _, bare := range []bool{false, true} {
		rows := func(header string, row string) string {
			if bare {
				return table(header)
			}
			return table(header, row)
		}
		members := files{
			"IA_ADV_Base_A" + month: table(base, "1,6/1/2026,ALDERMOOR,1", "2,6/20/2026,ALDERMOOR,1", "3,6/1/2026,CINDER,3"),
			"IA_ADV_Base_B" + month: rows("FilingID,3A,3B,3C-State,3C-Country", "3,Corporation,,,"),
			"ERA_ADV_Base" + month:  table(base+",3A,3B,3C-State,3C-Country", "1,6/1/2026,BRACKENHALL,2,,,,", "3,6/1/2026,DUNLIN,4,,,,"),

			"IA_Schedule_D_7B1" + month:               table(funds, "1,ALDER FUND,805-1234567890,1,Hedge Fund,5", "3,CINDER FUND,805-1234567893,1,Hedge Fund,5"),
			"ERA_Schedule_D_7B1" + month:              table(funds, "1,BRACKEN FUND,805-1234567891,1,Hedge Fund,5", "3,DUNLIN FUND,805-1234567894,1,Hedge Fund,5"),
			"ERA_Schedule_D_1I" + month:               rows("FilingID,Website", "3,https://dunlin.example.com"),
			"IA_Schedule_D_7A" + month:                rows("FilingID,Legal Name", "3,CINDER LTD"),
			"ERA_DRP_Regulatory" + month:              rows("FilingID", "3"),
			"ERA_Schedule_D_7B1A22" + month:           rows(formDHeader, "3,1,021-1234"),
			"IA_Schedule_D_7B1A23" + month:            rows(auditorHeader, `3,1,"TALLY & STAMP LLP",,,,,,,`),
			"IA_DRP_Regulatory_20260601_20260615.csv": rows("FilingID", "3"),
		}
		d := mustDrain(t, folder(t, members))
		require.Len(t, d.filings, 5)
		regulatory := catalogapi.OfPart(catalogapi.TableDisclosures, catalogapi.DisclosureRegulatory)
		civil := catalogapi.OfPart(catalogapi.TableDisclosures, catalogapi.DisclosureCivil)
		for i, want := range map[int][]bool{0: {true, false, false, true}, 1: {true, false, true, true}, 3: {false, true, false, true}} {
			for n, name := range []string{catalogapi.FieldWebsite, catalogapi.TableAffiliates, regulatory, civil} {
				require.Equal(t, want[n] || bare, slices.Contains(d.filings[i].Silent, name), "%s of filing %d", name, i)
			}
			require.Equal(t, bare && i < 3, slices.Contains(d.filings[i].Silent, "org_form"))
		}
		require.Contains(t, d.funds[0].Silent, catalogapi.FieldFundFormD)
		require.Equal(t, bare, slices.Contains(d.funds[0].Silent, catalogapi.FieldFundAuditors))
		require.Contains(t, d.funds[2].Silent, catalogapi.FieldFundAuditors)
		require.Equal(t, bare, slices.Contains(d.funds[2].Silent, catalogapi.FieldFundFormD))
		require.Contains(t, d.opened.Lacks, "ia_schedule_d_1i")
		require.NotContains(t, d.opened.Lacks, "era_schedule_d_1i")
		require.NotContains(t, d.opened.Lacks, "era_adv_base_b")
	}
}
