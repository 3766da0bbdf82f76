package parse_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/parse"
)

// Headers as the regulator writes them, cut to some of the columns that are passed over.
const (
	baseHeader = `FilingID,FormVersion,DateSubmitted,1A,1B1,1C-Legal,1D,1E1,1F1-Street 1,1F1-Street 2,1F1-City,1F1-State,1F1-Country,1F1-Postal,1F1-Private,1F3,1P,5A,5F2a,5F2b,5F2c,7B,11`
	eraHeader  = `FilingID,FormVersion,DateSubmitted,1A,1B1,1D,1E1,1F1-City,1F1-Country,1F1-Postal,7B,3A,3B,3C-State,3C-Country`
	fundHeader = `FilingID,Fund Name,Fund ID,ReferenceID,State,Country,3(c)(1) Exclusion,3(c)(7) Exclusion,Master Fund,Feeder Fund,Master Fund Name,Master Fund ID,` +
		`Fund of Funds,Fund Invested Self or Related,Fund Invested in Securities,Fund Type,Fund Type Other,Gross Asset Value,Minimum Investment,Owners,` +
		`%Owned You or Related,%Owned Funds,Sales Limited,%Owned Non-US,Subadviser,Other IAs Advise,Clients Solicited,Percentage Invested,` +
		`Exempt from Registration,Annual Audit,GAAP,FS Distributed,Unqualified Opinion,Prime Brokers,Custodians,Administrator,% Assets Valued,Marketing`
	auditorHeader = `FilingID,ReferenceID,Name of Auditing Firm,City,State,Country,Independent,PCAOB Registered,PCAOB Number,PCAOB Inspected`
	formDHeader   = `FilingID,ReferenceID,Form D File Number`
	typesHeader   = `FilingID,Initial Application,Annual Updating Amendment,Annual Updating  Amendment Fiscal Year,Other-Than-Annual Amendment`
)

func fundRow(filing, name, id, reference, gav string) string {
	return filing + `,"` + name + `",` + id + `,` + reference + `,"Delaware","United States","N","Y","N","Y","RIDGE MASTER FUND","805-9000000001","N","","N",` +
		`"Private Equity Fund","",` + gav + `,250000,57,4,54,"N",12.5,"N","N","N",,"N","Y","Y","Y","Report Not Yet Received","N","Y","Y",100,"N"`
}

const month = "_20260601_20260630.csv"

// archiveFiles is one month in small: a registered adviser with two filings, an exempt one with one.
func archiveFiles() files {
	return files{
		"IA_ADV_Base_A" + month: table(baseHeader,
			`2115188,"10/2021","06/24/2026 10:37:17 AM","HALCYON RIDGE CAPITAL, LLC","HALCYON "RIDGE"",,"801-66195",129052,"1 PIER ROAD","SUITE 2","BOSTON","MA","United States","2110","N","617-555-0100","529900ABCDEFGHIJKL12",54,"321,687,148",0,321687148,"Y","N"`,
			`2115189,"10/2021","6/25/2026 7:44","HALCYON RIDGE CAPITAL, LLC",,,"801-66195",129052,,,,,,,"Y",,"N/A",,,,,"N","N"`),
		"IA_ADV_Base_B" + month: table(`FilingID,2A1,3A,3A-Other,3B,3C-State,3C-Country`,
			`2115188,"Y","Limited Liability Company",,"DECEMBER","DE","United States"`),
		"ERA_ADV_Base" + month: table(eraHeader,
			`2122778,"10/2021","6/11/2026","KATABATIC PARTNERS LTD","","802-137268","0000343311","LONDON","United Kingdom","W1J 5AA","Y","Corporation","MARCH","","United Kingdom"`),
		"IA_Schedule_D_7B1" + month: table(fundHeader,
			fundRow("2115188", `HALCYON "VENTURE" FUND I, L.P.`, "805-4964869201", "518607", "321687148")),
		"ERA_Schedule_D_7B1" + month: table(fundHeader,
			fundRow("2122778", "KATABATIC FUND, L.P.", "805-1534393064", "1", "")),
		"IA_Schedule_D_7B1A23" + month:  table(auditorHeader, `2115188,518607,"TALLY & STAMP LLP","BOSTON","MA","United States","Y","Y","0042","N"`),
		"IA_Schedule_D_7B1A22" + month:  table(formDHeader, `2115188,518607,021-391234`),
		"ERA_Schedule_D_1I" + month:     table(`FilingID,Website`, `2122778,"HTTPS://WWW.KATABATIC.EXAMPLE"`),
		"ADV_Filing_Types" + month:      table(typesHeader, `2115188,N,Y,2025,N`, `2122778,Y,N,,N`, `1,N,N,,Y`),
		"IA_Schedule_D_7B1A17b" + month: "not even a table",
		"__MACOSX/._IA_ADV_Base_A":      "junk",
		"readme/IA_ADV_Base_A_note.txt": "nothing",
	}
}

func TestArchive(t *testing.T) {
	t.Parallel()
	inFolder := files{}
	for name, content := range archiveFiles() {
		inFolder["adv-filing-data-20260601-20260630/"+name] = content
	}
	for name, path := range map[string]string{
		"zip":                 write(t, "ADV_Filing_Data_20260601_20260630.zip", zipped(t, archiveFiles())),
		"zip, in it a folder": write(t, "download.zip", zipped(t, inFolder)),
		"folder":              folder(t, archiveFiles()),
		"traversal":           write(t, "up.zip", zipped(t, renamed(archiveFiles(), "../../../../etc/"))),
		"backslashes":         write(t, "dos.zip", zipped(t, renamed(archiveFiles(), `C:\adv\`))),
	} {
		d := mustDrain(t, path)
		requireMonth(t, name, d)
	}
}

func renamed(members files, prefix string) files {
	out := files{}
	for name, content := range members {
		out[prefix+name] = content
	}
	return out
}

func requireMonth(t *testing.T, name string, d *drained) {
	t.Helper()
	yes, no := true, false
	int64s := func(n int64) *int64 { return &n }
	require.Equal(t, "adv_archive", d.kind, name)
	require.Equal(t, catalogapi.SourceADVArchive, d.doc.Source, name)
	require.Equal(t, []string{"ADV_Filing_Types" + month + ":4: FilingID 1 is not a filing of this archive"}, d.reasons(), name)
	require.Equal(t, "1,N,N,,Y", d.rejected[0].Raw, name)
	require.Equal(t, []*catalogapi.AdviserFiling{
		{
			Key: "IA:2115188", CRD: "129052", FilingID: "2115188", Submitted: time.Date(2026, 6, 24, 10, 37, 17, 0, time.UTC),
			Basis: catalogapi.Basis{FormVersion: new("10/2021"), Registration: new(string(catalogapi.Registered))},
			Statement: catalogapi.Statement{
				LegalName: "HALCYON RIDGE CAPITAL, LLC", BusinessName: new(`HALCYON "RIDGE"`), SECNumber: new("801-66195"),
				Street1: new("1 PIER ROAD"), Street2: new("SUITE 2"), City: new("BOSTON"), State: new("MA"), Country: new("United States"),
				PostalCode: new("02110"), PrivateResidence: &no, Phone: new("617-555-0100"), LEI: new("529900ABCDEFGHIJKL12"),
				EmployeeCount: int64s(54), RAUM: int64s(321687148), RAUMDiscretionary: int64s(321687148), RAUMNonDiscretionary: int64s(0),
				AdvisesFunds: &yes,
			},
			FundsListed: true, File: "IA_ADV_Base_A" + month, Line: 2,
		},
		{
			Key: "IA:2115189", CRD: "129052", FilingID: "2115189", Submitted: time.Date(2026, 6, 25, 7, 44, 0, 0, time.UTC),
			Basis:       catalogapi.Basis{FormVersion: new("10/2021"), Registration: new(string(catalogapi.Registered))},
			Statement:   catalogapi.Statement{LegalName: "HALCYON RIDGE CAPITAL, LLC", SECNumber: new("801-66195"), PrivateResidence: &yes, AdvisesFunds: &no},
			FundsListed: true, File: "IA_ADV_Base_A" + month, Line: 3,
		},
		{
			Key: "ERA:2122778", CRD: "343311", FilingID: "2122778", Submitted: time.Date(2026, 6, 11, 0, 0, 0, 0, time.UTC),
			Basis: catalogapi.Basis{FormVersion: new("10/2021"), Registration: new(string(catalogapi.ExemptReporting))},
			Statement: catalogapi.Statement{
				LegalName: "KATABATIC PARTNERS LTD", SECNumber: new("802-137268"), City: new("LONDON"), Country: new("United Kingdom"),
				PostalCode: new("W1J 5AA"), AdvisesFunds: &yes, OrgForm: new("Corporation"), FiscalYearEnd: new("MARCH"),
				OrgCountry: new("United Kingdom"),
			},
			FundsListed: true, File: "ERA_ADV_Base" + month, Line: 2,
		},
	}, d.said(), name)
	require.Equal(t, []*catalogapi.OrganizationRow{
		{
			FilingKey: "IA:2115188",
			Statement: catalogapi.Statement{
				OrgForm: new("Limited Liability Company"), FiscalYearEnd: new("DECEMBER"), OrgState: new("DE"),
				OrgCountry: new("United States"),
			},
			File: "IA_ADV_Base_B" + month, Line: 2,
		},
	}, d.orgs, name)
	require.Equal(t, []*catalogapi.WebsiteRow{{FilingKey: "ERA:2122778", Website: "HTTPS://WWW.KATABATIC.EXAMPLE", File: "ERA_Schedule_D_1I" + month, Line: 2}}, d.websites, name)
	require.Equal(t, []*catalogapi.FilingTypeRow{
		{FilingKey: "IA:2115188", Types: []string{"annual updating amendment"}, File: "ADV_Filing_Types" + month, Line: 2},
		{FilingKey: "ERA:2122778", Types: []string{"initial application"}, File: "ADV_Filing_Types" + month, Line: 3},
	}, d.types, name)
	require.Len(t, d.funds, 2, name)
	related, share, foreign := 4.0, 54.0, 12.5
	require.Equal(t, &catalogapi.FundRow{
		FilingKey: "IA:2115188", ReferenceID: "518607", FundID: "805-4964869201", Name: `HALCYON "VENTURE" FUND I, L.P.`, State: "Delaware",
		Country: "United States", Is3C1: &no, Is3C7: &yes, IsMaster: &no, IsFeeder: &yes, MasterName: "RIDGE MASTER FUND", MasterFundID: "805-9000000001",
		IsFundOfFunds: &no, FundType: "Private Equity Fund", GAV: int64s(321687148), MinInvestment: int64s(250000), Owners: int64s(57),
		PctRelated: &related, PctFunds: &share, PctNonUS: &foreign, AnnualAudit: &yes, GAAP: &yes, Unqualified: "Report Not Yet Received",
		File: "IA_Schedule_D_7B1" + month, Line: 2,
	}, d.funds[0], name)
	require.Equal(t, "ERA:2122778", d.funds[1].FilingKey, name)
	require.Nil(t, d.funds[1].GAV, "an empty value is absent, not zero")
	require.Equal(t, []*catalogapi.AuditorRow{{
		FilingKey: "IA:2115188", ReferenceID: "518607", Name: "TALLY & STAMP LLP", City: "BOSTON", State: "MA", Country: "United States", Independent: &yes, PCAOB: &yes,
		File: "IA_Schedule_D_7B1A23" + month, Line: 2,
	}}, d.auditors, name)
	require.Equal(t, []*catalogapi.FormDRow{{FilingKey: "IA:2115188", ReferenceID: "518607", FileNumber: "021-391234", File: "IA_Schedule_D_7B1A22" + month, Line: 2}}, d.formD, name)
}

// TestArchiveDrift reads the headers of other years, and a Windows-1252 file.
func TestArchiveDrift(t *testing.T) {
	t.Parallel()
	d := mustDrain(t, folder(t, files{
		"IA_ADV_Base_A_20111105_20151231.csv": "\xef\xbb\xbf" + table(`Filing ID,DATESUBMITTED, 1a ,1B,1E,5F2C,1F1-City`,
			`900001,02/19/2012,"ALDERMOOR",,4711,"1,000,000.00",MÜNCHEN`),
		"IA_ADV_Base_A_20160101_20201231.csv": table(`Filing Id,DateSubmitted,1A,1E1,1F1-City`, "900002,2/19/2017 7:44,ALDERMOOR CAF\xc9,4711,Z\xdcRICH"),
		"IA_Schedule_D_7B1A23_20111105_20201231.csv": table(`Filing ID,Reference ID,Name of Auditing Firm`,
			"900001,7,BEANCOUNT LLP"),
	}))
	require.Empty(t, d.rejected)
	require.Equal(t, "MÜNCHEN", catalogapi.TextOf(d.filings[0].City))
	require.Equal(t, int64(1000000), *d.filings[0].RAUM)
	require.Equal(t, "ALDERMOOR CAFÉ", d.filings[1].LegalName)
	require.Equal(t, "ZÜRICH", catalogapi.TextOf(d.filings[1].City))
	require.Equal(t, "7", d.auditors[0].ReferenceID)
	require.Nil(t, d.doc.Funds)
	require.False(t, d.filings[0].FundsListed, "without the table of funds nothing says that a list is whole")
}

func TestArchiveQuarantine(t *testing.T) {
	t.Parallel()
	base := func(id, date, name, crd, employees, raum string) string {
		return id + `,"10/2021",` + date + `,"` + name + `",,,"801-1",` + crd + `,,,,,,,,,,` + employees + `,,,` + raum + `,"Y","N"`
	}
	d := mustDrain(t, folder(t, files{
		"IA_ADV_Base_A" + month: table(baseHeader,
			base("1", "6/1/2026", "GOOD", "11", "", ""),
			base("2", "6/31/2026", "BAD DATE", "12", "", ""),
			base("3", "", "NO DATE", "13", "", ""),
			base("4", "6/1/2026", " ", "14", "", ""),
			base("5", "6/1/2026", "BAD CRD", "801-15", "", ""),
			base("6", "6/1/2026", "NEGATIVE", "16", "-1", ""),
			base("7", "6/1/2026", "NO NUMBER", "17", "", "lots"),
			base("1", "6/2/2026", "AGAIN", "11", "", ""),
			base("", "6/2/2026", "NO ID", "18", "", ""),
			"8,short",
			base("9", "6/1/2026", "LISTS A BROKEN FUND", "19", "", ""),
			base("10", "6/1/2026", "LISTS A TORN FUND", "20", "", "")),
		"IA_Schedule_D_7B1" + month: table(fundHeader,
			fundRow("1", "GOOD FUND", "805-0000000001", "1", "5"),
			fundRow("9", "NO ID", "", "2", "5"),
			fundRow("9", "BAD ID", "805-123", "3", "5"),
			fundRow("9", "", "805-0000000002", "4", "5"),
			fundRow("9", "BAD GAV", "805-0000000003", "5", "-5"),
			strings.Replace(fundRow("9", "BAD PERCENT", "805-0000000004", "6", "5"), ",4,54,", ",4,540,", 1),
			`10,"TORN FUND`,
			fundRow("1", "LAST FUND", "805-0000000005", "7", "5")),
		"IA_Schedule_D_7B1A23" + month: table(auditorHeader, `1,1,"",,,,,,,`, `1,,"TALLY & STAMP LLP",,,,,,,`, `1,1,"TALLY & STAMP LLP",,,,"maybe",,,`),
		"IA_Schedule_D_7B1A22" + month: table(formDHeader, `1,1,333-1234`, `1,1,`),
		"IA_Schedule_D_1I" + month:     table(`FilingID,Website`, `1,`),
		"IA_ADV_Base_B" + month:        table(`FilingID,3A`, `1,Corporation`, `1,Corporation`),
	}))
	require.Equal(t, []string{
		"IA_ADV_Base_A" + month + `:3: DateSubmitted is not a date: "6/31/2026"`,
		"IA_ADV_Base_A" + month + `:4: DateSubmitted is blank`,
		"IA_ADV_Base_A" + month + `:5: 1A is blank`,
		"IA_ADV_Base_A" + month + `:6: 1E1 is not a CRD number (1 to 10 digits): "801-15"`,
		"IA_ADV_Base_A" + month + `:7: 5A is negative: "-1"`,
		"IA_ADV_Base_A" + month + `:8: 5F2c is not an amount in dollars: "lots"`,
		"IA_ADV_Base_A" + month + `:9: FilingID repeats an earlier filing: 1`,
		"IA_ADV_Base_A" + month + `:10: FilingID is blank`,
		"IA_ADV_Base_A" + month + `:11: The row has 2 fields, but the header has 23`,
		"IA_ADV_Base_B" + month + `:3: FilingID repeats an earlier row: 1`,
		"IA_Schedule_D_1I" + month + `:2: Website is blank`,
		"IA_Schedule_D_7B1" + month + `:3: Fund ID is blank`,
		"IA_Schedule_D_7B1" + month + `:4: Fund ID is not a fund identification number (805- and ten digits): "805-123"`,
		"IA_Schedule_D_7B1" + month + `:5: Fund Name is blank`,
		"IA_Schedule_D_7B1" + month + `:6: Gross Asset Value is negative: "-5"`,
		"IA_Schedule_D_7B1" + month + `:7: %Owned Funds is not a percentage between 0 and 100: "540"`,
		"IA_Schedule_D_7B1" + month + `:8: A quote is not closed on its line`,
		"IA_Schedule_D_7B1A23" + month + `:2: Name of Auditing Firm is blank`,
		"IA_Schedule_D_7B1A23" + month + `:3: ReferenceID is blank`,
		"IA_Schedule_D_7B1A23" + month + `:4: Independent is neither Y nor N: "maybe"`,
		"IA_Schedule_D_7B1A22" + month + `:2: Form D File Number is not a Form D file number (021- and digits): "333-1234"`,
		"IA_Schedule_D_7B1A22" + month + `:3: Form D File Number is blank`,
	}, d.reasons())
	require.Equal(t, "8,short", d.rejected[8].Raw)
	require.Len(t, d.filings, 3)
	require.True(t, d.filing(t, "IA:1").FundsListed)
	require.False(t, d.filing(t, "IA:9").FundsListed, "a list with an unusable row is not whole")
	require.False(t, d.filing(t, "IA:10").FundsListed)
	require.Len(t, d.funds, 2)
}

// TestUnusableRowsOfLists: a filing with a row in quarantine does not state the row's list, so the row ends nothing. A row without fields belongs to
// the filing whose number it begins with.
func TestUnusableRowsOfLists(t *testing.T) {
	t.Parallel()
	members := childFiles()
	members["IA_ADV_Base_A"+month] = table(tinyHeader, "7,6/1/2026,ALDERMOOR CAPITAL LLC,4711", "9,6/1/2026,ALDERMOOR TWO LLC,4715")
	whole := mustDrainChildren(t, folder(t, members))
	require.Len(t, whole.filings, 3)
	for _, f := range whole.filings {
		require.NotContains(t, f.Silent, catalogapi.TableOwners, f.Key)
	}
	members["IA_Schedule_A_B"+month] += `9,"Y","A","HARBECK, INGRAM","I","","DIRECTOR","09/2001","NA","Y","N","1000019"` + "\n" + `9,"Y","A","QUIMBLE, OSWIN, T","I","","DIRECTOR","09/2001","NA","Y","N","1000018","Z"` + "\n"
	members["IA_DRP_Criminal"+month] += `9,"INITIAL","Y","N","Firm",32,"DISTRICT COURT","1/5/2019","WIRE FRAUD","Y","Final","Convicted","APPEAL LOST","Z"` + "\n"
	c := mustDrainChildren(t, folder(t, members))
	criminal, regulatory := catalogapi.OfPart(catalogapi.TableDisclosures, catalogapi.DisclosureCriminal), catalogapi.OfPart(catalogapi.TableDisclosures, catalogapi.DisclosureRegulatory)
	for i, f := range c.filings {
		broken := f.Key == "IA:9"
		require.Equal(t, broken, slices.Contains(f.Silent, catalogapi.TableOwners), f.Key)
		require.Equal(t, broken || slices.Contains(whole.filings[i].Silent, criminal), slices.Contains(f.Silent, criminal), f.Key)
		require.Equal(t, slices.Contains(whole.filings[i].Silent, regulatory), slices.Contains(f.Silent, regulatory), f.Key)
	}
	members["IA_Schedule_A_B"+month] += `,"Y","A","QUIMBLE, OSWIN, T","I","","DIRECTOR","09/2001","NA","Y","N","1000018"` + "\n"
	members["ERA_Schedule_A_B"+month] += `8,"N","A","` + strings.Repeat("KATABATIC ", 51) + `","FE","","PARTNER","","","","","FOREIGN"` + "\n"
	stray := mustDrainChildren(t, folder(t, members))
	for _, f := range stray.filings {
		require.Equal(t, f.Key != "IA:7", slices.Contains(f.Silent, catalogapi.TableOwners), "a row without a number, and one whose name is too long: %s", f.Key)
	}
	require.Len(t, c.rejected, len(whole.rejected)+3)
	require.Len(t, c.owners, len(whole.owners))

	members = childFiles()
	members["IA_ADV_Base_A"+month] = table(tinyHeader, "7,6/1/2026,ALDERMOOR CAPITAL LLC,4711", "9,6/1/2026,ALDERMOOR TWO LLC,4715")
	members["IA_Schedule_A_B"+month] += `9,"Y","A","HARBECK, INGRAM","I","","DIRECTOR","09/2001","NA","Y","N","1000019"` + "\n" + `90,"Y","A","QUIMBLE, OSWIN, T","I","","DIRECTOR","09/2001","NA","Y","N","1000018"` + "\n"
	for _, f := range mustDrainChildren(t, folder(t, members)).filings {
		require.Equal(t, f.Key == "IA:9", slices.Contains(f.Silent, catalogapi.TableOwners), "a row with the number of no filing: %s", f.Key)
	}
}

// TestArchivePieces joins a table cut into date ranges, and trusts lists of funds only for the days that their table covers.
func TestArchivePieces(t *testing.T) {
	t.Parallel()
	const header = `FilingID,DateSubmitted,1A,1E1`
	d := mustDrain(t, folder(t, files{
		"IA_ADV_Base_A_20210101_20211231.csv":     table(header, `30,6/1/2021,ALDERMOOR,1`),
		"IA_ADV_Base_A_20200101_20201231.csv":     table(header, `20,6/1/2020,ALDERMOOR,1`),
		"IA_ADV_Base_A_20220101_20221231.csv":     table(header, `40,6/1/2022,ALDERMOOR,1`, `41,12/1/2022,ALDERMOOR,1`),
		"IA_Schedule_D_7B1_20200101_20200630.csv": table(fundHeader, fundRow("20", "ALDER FUND", "805-0000000001", "1", "5")),
		"IA_Schedule_D_7B1_20200701_20201231.csv": table(fundHeader),
		"IA_Schedule_D_7B1_20220101_20220630.csv": table(fundHeader, fundRow("41", "ALDER FUND", "805-0000000001", "1", "5")),
		"ERA_ADV_Base_20200101_20201231.csv":      table(header, `20,6/1/2020,KATABATIC,2`),
		"ADV_Filing_Types_20200101_20221231.csv":  table(typesHeader, `20,Y,N,,N`),
	}))
	require.Empty(t, d.rejected)
	listed := map[string]bool{}
	for _, f := range d.filings {
		listed[f.Key] = f.FundsListed
	}
	require.Equal(t, map[string]bool{"IA:20": true, "IA:30": false, "IA:40": true, "IA:41": false, "ERA:20": false}, listed)
	require.Equal(t, "IA:20", d.filings[0].Key, "pieces come in the order of their dates")
	require.Len(t, d.types, 2, "a number that both kinds have is given for both")
}

func TestArchiveRefused(t *testing.T) {
	t.Parallel()
	const header = `FilingID,DateSubmitted,1A,1E1`
	for name, c := range map[string]struct {
		members files
		want    string
	}{
		"children alone":  {files{"IA_Schedule_D_7B1" + month: table(fundHeader)}, "not the table IA_ADV_Base_A"},
		"other kind":      {files{"IA_ADV_Base_A" + month: table(header), "ERA_Schedule_D_7B1" + month: table(fundHeader)}, "not the table ERA_ADV_Base"},
		"types alone":     {files{"ADV_Filing_Types" + month: table(typesHeader)}, "no table of filings"},
		"missing column":  {files{"IA_ADV_Base_A" + month: table(`FilingID,DateSubmitted,1A`)}, `column "1E1" is missing`},
		"missing columns": {files{"IA_ADV_Base_A" + month: table(`FilingID,1A`)}, `columns "DateSubmitted", "1E1" are missing`},
		"column twice":    {files{"IA_ADV_Base_A" + month: table(header + ",Filing ID")}, "is in the header twice"},
		"empty table":     {files{"IA_ADV_Base_A" + month: ""}, "empty"},
		"UTF-16":          {files{"IA_ADV_Base_A" + month: "\xff\xfeF\x00i\x00"}, "UTF-16"},
		"UTF-16, no mark": {files{"IA_ADV_Base_A" + month: "F\x00i\x00l\x00"}, "UTF-16"},
		"binary":          {files{"IA_ADV_Base_A" + month: "\x7fELF\x00\x00"}, "binary"},
		"table twice":     {files{"a/IA_ADV_Base_A" + month: table(header), "b/IA_ADV_Base_A" + month: table(header)}, "is there twice"},
	} {
		require.Contains(t, refused(t, write(t, "ADV_Filing_Data_20260601_20260630.zip", zipped(t, c.members)), parse.Options{}), c.want, name)
		require.Contains(t, refused(t, folder(t, c.members), parse.Options{}), c.want, name)
	}
	require.Contains(t, refused(t, write(t, "ADV_Filing_Data_20260601_20260630.zip", zipped(t, files{"readme.txt": "x"})), parse.Options{}), "no table of filings")
}

func TestArchiveFuture(t *testing.T) {
	t.Parallel()
	path := folder(t, files{"IA_ADV_Base_A" + month: table(`FilingID,DateSubmitted,1A,1E1`, `1,6/1/2062,ALDERMOOR,1`, `2,6/1/2026,ALDERMOOR,1`)})
	d, err := drain(t.Context(), path, parse.Options{NotAfter: time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC)})
	require.NoError(t, err)
	require.Equal(t, []string{"IA_ADV_Base_A" + month + ":2: DateSubmitted is in the future: 6/1/2062"}, d.reasons())
	require.Len(t, d.filings, 1)
}

// TestTypesOrder guards the order that the document's contract sets: types are told apart by the filings before them.
func TestTypesOrder(t *testing.T) {
	t.Parallel()
	opened, err := parse.Open(t.Context(), folder(t, archiveFiles()), parse.Options{Reject: func(catalogapi.Rejected) {}})
	require.NoError(t, err)
	defer opened.Close()
	_, err = collect(opened.Document.Types)
	require.ErrorContains(t, err, "before the filings")
}

// TestMovedFilingTypes: an answer in the column of the fiscal year shows that the cells of the row were moved.
func TestMovedFilingTypes(t *testing.T) {
	t.Parallel()
	d := mustDrain(t, folder(t, files{
		"IA_ADV_Base_A" + month:     table(tinyHeader, "7,6/1/2026,ALDERMOOR CAPITAL LLC,4711", "9,6/1/2026,ALDERMOOR TWO LLC,4715"),
		"IA_Schedule_D_7B1" + month: table(fundHeader),
		"ADV_Filing_Types" + month:  table(`FilingID,Initial Application,Annual Updating Amendment,Annual Updating Amendment Fiscal Year,Other-Than-Annual Amendment`, `7,N,Y,2025,N`, `9,N,N,Y,2025`),
	}))
	require.Equal(t, []string{"ADV_Filing_Types" + month + ":3: Annual Updating Amendment Fiscal Year is not a year: Y"}, d.reasons())
}
