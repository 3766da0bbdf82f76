package formd_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/parse"
)

// Headers of the quarterly sets, the offering's cut to what is read and some that is not.
const (
	submissionHeader = "ACCESSIONNUMBER|FILE_NUM|FILING_DATE|SIC_CODE|SCHEMAVERSION|SUBMISSIONTYPE|TESTORLIVE|OVER100PERSONSFLAG|OVER100ISSUERFLAG"
	issuerHeader     = "ACCESSIONNUMBER|IS_PRIMARYISSUER_FLAG|ISSUER_SEQ_KEY|CIK|ENTITYNAME|STREET1|STREET2|CITY|STATEORCOUNTRY|STATEORCOUNTRYDESCRIPTION|ZIPCODE|" +
		"ISSUERPHONENUMBER|JURISDICTIONOFINC|ISSUER_PREVIOUSNAME_1|ISSUER_PREVIOUSNAME_2|ISSUER_PREVIOUSNAME_3|EDGAR_PREVIOUSNAME_1|EDGAR_PREVIOUSNAME_2|" +
		"EDGAR_PREVIOUSNAME_3|ENTITYTYPE|ENTITYTYPEOTHERDESC|YEAROFINC_TIMESPAN_CHOICE|YEAROFINC_VALUE_ENTERED"
	offeringHeader = "ACCESSIONNUMBER|INDUSTRYGROUPTYPE|INVESTMENTFUNDTYPE|IS40ACT|REVENUERANGE|AGGREGATENETASSETVALUERANGE|FEDERALEXEMPTIONS_ITEMS_LIST|ISAMENDMENT|" +
		"PREVIOUSACCESSIONNUMBER|SALE_DATE|YETTOOCCUR|MORETHANONEYEAR|ISEQUITYTYPE|ISDEBTTYPE|ISPOOLEDINVESTMENTFUNDTYPE|DESCRIPTIONOFOTHERTYPE|MINIMUMINVESTMENTACCEPTED|" +
		"TOTALOFFERINGAMOUNT|TOTALAMOUNTSOLD|TOTALREMAINING|HASNONACCREDITEDINVESTORS|NUMBERNONACCREDITEDINVESTORS|TOTALNUMBERALREADYINVESTED|SALESCOMM_DOLLARAMOUNT|" +
		"FINDERSFEE_DOLLARAMOUNT|GROSSPROCEEDSUSED_DOLLARAMOUNT"
	personHeader = "ACCESSIONNUMBER|RELATEDPERSON_SEQ_KEY|FIRSTNAME|MIDDLENAME|LASTNAME|STREET1|STREET2|CITY|STATEORCOUNTRY|STATEORCOUNTRYDESCRIPTION|ZIPCODE|" +
		"RELATIONSHIP_1|RELATIONSHIP_2|RELATIONSHIP_3|RELATIONSHIPCLARIFICATION"
	recipientHeader = "ACCESSIONNUMBER|RECIPIENT_SEQ_KEY|RECIPIENTNAME|RECIPIENTCRDNUMBER|ASSOCIATEDBDNAME|ASSOCIATEDBDCRDNUMBER|STREET1|STREET2|CITY|STATEORCOUNTRY|" +
		"STATEORCOUNTRYDESCRIPTION|ZIPCODE|STATES_OR_VALUE_LIST|DESCRIPTIONS_LIST|FOREIGNSOLICITATION"

	first  = "0001851508-25-000002"
	second = "0001851508-25-000003"

	fundOffering = first + "|Pooled Investment Fund|Private Equity Fund|false|||06c,3C,3C.7|true|0001851508-24-000009|2023-09-28|false|true|||true|units of 6\" pipe|250000|" +
		"Indefinite|321687148|Indefinite|false||57|0|1000|20000"
	debtOffering = second + "|Other|||$1 - $1,000,000||06b; 4a5 06b|false|||true|false|true|true|false||0|1000000.00|0|1000000|true|3|12||||"
)

// quarter is a set in small: an amendment of a fund with two issuers and a new notice of a firm.
func quarter() files {
	return files{
		"FORMDSUBMISSION.tsv": table(submissionHeader,
			first+"|021-391234|29-MAR-2025|6799|X0708|D/A|LIVE||",
			second+"|021-400000|30-MAR-25||X0708|D|LIVE||"),
		"OFFERING.tsv": table(offeringHeader, fundOffering, strings.TrimSuffix(debtOffering, "|")),
		"ISSUERS.tsv": table(issuerHeader,
			first+`|NO|1|0001999999|HALCYON RIDGE "PARALLEL" FUND, L.P.||||||||||||||||||`,
			first+"|YES|2|0001851508|HALCYON RIDGE FUND I, L.P.|1 PIER ROAD|SUITE 2|BOSTON|MA|MASSACHUSETTS|02110|617-555-0100|DELAWARE|None|HALCYON FUND LP||None|HALCYON FUND LP|N/A|"+
				"Limited Partnership||Within Last Five Years|2023",
			second+"|YES|3|0000000000|KATABATIC WORKS INC||||E9|CAYMAN ISLANDS|||||||||||||"),
		"RELATEDPERSONS.tsv": table(personHeader,
			first+"|1|LLC||Halcyon Ridge GP|||BOSTON|MA|MASSACHUSETTS||Promoter|||General partner",
			first+"|2|Jane|Q.|Sample|||BOSTON|MA|MASSACHUSETTS||Executive Officer|Director||None",
			second+"|3|N/A|None|Katabatic Holdings, Inc.|||TORONTO|A6|ONTARIO, CANADA||Director|||"),
		"RECIPIENTS.tsv": table(recipientHeader,
			first+"|1|Tally & Stamp Placement LLC|0000113794|None|None|||NEW YORK|NY|NEW YORK||NY,CA|NEW YORK,CALIFORNIA|false",
			first+"|2|None|None|None|None|||NONE||||All States||false",
			second+"|3|None||Brackenhall Securities|153563|||LONDON|X0|UNITED KINGDOM||All States||true"),
		"SIGNATURES.tsv": table("ACCESSIONNUMBER|SIGNATURE_SEQ_KEY", first+"|1"),
		"metadata.json":  "{}",
	}
}

func inFolder(name string, members files) files {
	out := files{}
	for member, content := range members {
		out[name+"/"+member] = content
	}
	return out
}

func TestSet(t *testing.T) {
	t.Parallel()
	for container, path := range map[string]string{
		"zip with a folder": write(t, "2025q1_d.zip", zipped(t, inFolder("2025Q1_d", quarter()))),
		"zip":               write(t, "download.zip", zipped(t, quarter())),
		"folder":            folder(t, quarter()),
	} {
		d := mustDrain(t, path)
		require.Empty(t, d.reasons(), container)
		requireQuarter(t, d)
	}
}

func requireQuarter(t *testing.T, d *drained) {
	t.Helper()
	yes, no := true, false
	require.Equal(t, "form_d/sets", d.opened.Series)
	require.False(t, d.opened.Snapshot)
	require.Contains(t, d.opened.Layout["offering"], "federalexemptions_items_list")
	require.Len(t, d.opened.Layout, 5)
	require.Equal(t, []*catalogapi.OfferingRow{
		{
			Accession: first, FileNumber: "021-391234", Form: "D/A", Filed: time.Date(2025, 3, 29, 0, 0, 0, 0, time.UTC), PreviousAccession: "0001851508-24-000009",
			SICCode: "6799", SchemaVersion: "X0708", IndustryGroup: "Pooled Investment Fund", FundType: "Private Equity Fund", Is40Act: &no,
			Exemptions: []string{"06c", "3C", "3C.7"}, FirstSale: time.Date(2023, 9, 28, 0, 0, 0, 0, time.UTC), YetToOccur: &no, OverOneYear: &yes,
			Securities: []string{"pooled investment fund"}, MinInvestment: new(int64(250000)), Indefinite: true, AmountSold: new(int64(321687148)),
			NonAccredited: &no, Investors: new(int64(57)), SalesCommission: new(int64(0)), FindersFee: new(int64(1000)), GrossProceeds: new(int64(20000)),
			File: "OFFERING.tsv", Line: 2,
		},
		{
			Accession: second, FileNumber: "021-400000", Form: "D", Filed: time.Date(2025, 3, 30, 0, 0, 0, 0, time.UTC), SchemaVersion: "X0708",
			IndustryGroup: "Other", RevenueRange: "$1 - $1,000,000", Exemptions: []string{"06b", "4a5"}, YetToOccur: &yes, OverOneYear: &no,
			Securities: []string{"equity", "debt"}, MinInvestment: new(int64(0)), OfferingAmount: new(int64(1000000)), AmountSold: new(int64(0)), Remaining: new(int64(1000000)),
			NonAccredited: &yes, NonAccreditedNum: new(int64(3)), Investors: new(int64(12)), File: "OFFERING.tsv", Line: 3,
		},
	}, d.offerings)
	require.Equal(t, []*catalogapi.IssuerRow{
		{Accession: first, Seq: 2, CIK: "1999999", Name: `HALCYON RIDGE "PARALLEL" FUND, L.P.`, File: "ISSUERS.tsv", Line: 2},
		{
			Accession: first, Seq: 1, CIK: "1851508", Name: "HALCYON RIDGE FUND I, L.P.", PreviousNames: []string{"HALCYON FUND LP"}, Street1: "1 PIER ROAD",
			Street2: "SUITE 2", City: "BOSTON", State: "MA", StateName: "MASSACHUSETTS", PostalCode: "02110", Phone: "617-555-0100", Jurisdiction: "DELAWARE",
			EntityType: "Limited Partnership", YearFormed: 2023, File: "ISSUERS.tsv", Line: 3,
		},
		{Accession: second, Seq: 1, Name: "KATABATIC WORKS INC", State: "E9", StateName: "CAYMAN ISLANDS", File: "ISSUERS.tsv", Line: 4},
	}, d.issuers)
	require.Equal(t, []*catalogapi.RelatedPersonRow{
		{
			Accession: first, Seq: 1, LastName: "Halcyon Ridge GP LLC", Entity: true, City: "BOSTON", State: "MA", Country: "United States",
			Relationships: []string{"Promoter"}, Clarification: "General partner", File: "RELATEDPERSONS.tsv", Line: 2,
		},
		{
			Accession: first, Seq: 2, FirstName: "Jane", MiddleName: "Q.", LastName: "Sample", City: "BOSTON", State: "MA", Country: "United States",
			Relationships: []string{"Executive Officer", "Director"}, File: "RELATEDPERSONS.tsv", Line: 3,
		},
		{
			Accession: second, Seq: 1, LastName: "Katabatic Holdings, Inc.", Entity: true, City: "TORONTO", State: "ONTARIO", Country: "CANADA",
			Relationships: []string{"Director"}, File: "RELATEDPERSONS.tsv", Line: 4,
		},
	}, d.persons)
	require.Equal(t, []*catalogapi.RecipientRow{
		{
			Accession: first, Seq: 1, Name: "Tally & Stamp Placement LLC", CRD: "113794", City: "NEW YORK", State: "NY", Country: "United States",
			States: []string{"NY", "CA"}, Foreign: &no, File: "RECIPIENTS.tsv", Line: 2,
		},
		{
			Accession: second, Seq: 1, Name: "Brackenhall Securities", BrokerDealer: "Brackenhall Securities", BrokerCRD: "153563", City: "LONDON",
			Country: "UNITED KINGDOM", States: []string{"All States"}, Foreign: &yes, File: "RECIPIENTS.tsv", Line: 4,
		},
	}, d.recipients)
}

// TestSetDrift reads a set whose columns stand otherwise, with fewer tables, in Windows-1252, with Windows line ends.
func TestSetDrift(t *testing.T) {
	t.Parallel()
	d := mustDrain(t, folder(t, files{
		"FormDSubmission.tsv": "\xef\xbb\xbf" + strings.ReplaceAll(table("SubmissionType|Filing_Date|AccessionNumber", "D|2024-01-02|0001851508-25-000002", "", "D|1/3/2024|"+second), "\n", "\r\n"),
		"OFFERING.tsv": table("TOTALAMOUNTSOLD|ACCESSIONNUMBER|TOTALOFFERINGAMOUNT|FEDERALEXEMPTIONS_ITEMS_LIST|SALE_DATE", "5|"+first+"|1000000000000|06b 3C.1|28-SEP-2023",
			"|"+second+"|||28-SEP-93"),
		"ISSUERS.tsv": table("ENTITYNAME|ACCESSIONNUMBER|IS_PRIMARYISSUER_FLAG", "CAF\xc9 ALDERMOOR|"+first+"|", "OTHER|"+first+"|NO", "KATABATIC|"+second+"|true"),
	}))
	require.Empty(t, d.reasons())
	require.Equal(t, "2024-01-02", d.offerings[0].Filed.Format(time.DateOnly))
	require.Equal(t, "2023-09-28", d.offerings[0].FirstSale.Format(time.DateOnly))
	require.Equal(t, "1993-09-28", d.offerings[1].FirstSale.Format(time.DateOnly))
	require.Equal(t, int64(1e12), *d.offerings[0].OfferingAmount, "absurd amounts stay as filed")
	require.Equal(t, []string{"06b", "3C.1"}, d.offerings[0].Exemptions)
	require.Nil(t, d.offerings[1].AmountSold)
	require.Equal(t, "CAFÉ ALDERMOOR", d.issuers[0].Name)
	require.Equal(t, []int{1, 2, 1}, []int{d.issuers[0].Seq, d.issuers[1].Seq, d.issuers[2].Seq})
	require.Nil(t, d.opened.Document.RelatedPersons)
}

func TestSetQuarantine(t *testing.T) {
	t.Parallel()
	set := quarter()
	number := func(n string) string { return "0001851508-25-0001" + n }
	set["FORMDSUBMISSION.tsv"] = table(submissionHeader,
		first+"|021-391234|29-MAR-2025|6799|X0708|D/A|LIVE||",
		second+"|021-400000|30-MAR-25||X0708|D|LIVE||",
		number("01")+"||30-MAR-25||X0708|D|TEST||",
		number("02")+"||31-FEB-2025||X0708|D|LIVE||",
		number("03")+"||||X0708|D|LIVE||",
		number("04")+"||30-MAR-25||X0708|10-K|LIVE||",
		number("05")+"|333-1234|30-MAR-25||X0708|D|LIVE||",
		"12345||30-MAR-25||X0708|D|LIVE||",
		first+"|021-391234|29-MAR-2025|6799|X0708|D/A|LIVE||",
		number("06")+"||30-MAR-29||X0708|D|LIVE||",
		number("07")+"||30-MAR-25||X0708|D|LIVE||",
		number("08")+"||30-MAR-25",
		number("09")+"||30-MAR-25||X\x0008|D|LIVE||",
		number("10")+"||30-MAR-25||X0708|D|LIVE|"+strings.Repeat("x", 70<<10)+"|",
		number("11")+"||30-MAR-25||X0708|D|LIVE||")
	set["OFFERING.tsv"] += table(
		fundOffering,
		strings.Replace(fundOffering, first, number("01"), 1),
		strings.Replace(fundOffering, first, "0001851508-25-999999", 1),
		strings.Replace(strings.Replace(fundOffering, first, number("11"), 1), "|Indefinite|321", "|lots|321", 1))
	set["ISSUERS.tsv"] += table(first+"|NO|4|12 34|FIRM||||||||||||||||||",
		second+"|NO|5|1| ||||||||||||||||||", number("11")+"|YES|5|1|FIRM||||||||||||||||||")
	set["RELATEDPERSONS.tsv"] += table(first + "|4|N/A||None||||||||||")
	set["RECIPIENTS.tsv"] += table(second + "|4|Tally|12a|||||||||||")
	d, err := drain(t.Context(), folder(t, set), parse.Options{NotAfter: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)})
	require.NoError(t, err)
	require.Equal(t, []string{
		`FORMDSUBMISSION.tsv:4: TESTORLIVE is not LIVE, so the notice is a test: "TEST"`,
		`FORMDSUBMISSION.tsv:5: FILING_DATE is not a date: "31-FEB-2025"`,
		`FORMDSUBMISSION.tsv:6: FILING_DATE is blank`,
		`FORMDSUBMISSION.tsv:7: SUBMISSIONTYPE is neither D nor D/A: "10-K"`,
		`FORMDSUBMISSION.tsv:8: FILE_NUM is not a Form D file number (021- and digits): "333-1234"`,
		`FORMDSUBMISSION.tsv:9: ACCESSIONNUMBER is not an accession number (0000000000-00-000000): "12345"`,
		`FORMDSUBMISSION.tsv:10: ACCESSIONNUMBER repeats an earlier submission: 0001851508-25-000002`,
		`FORMDSUBMISSION.tsv:11: FILING_DATE is in the future: 2029-03-30`,
		`FORMDSUBMISSION.tsv:13: The row has 3 fields, but the header has 9`,
		`FORMDSUBMISSION.tsv:14: The row contains a NUL byte`,
		`FORMDSUBMISSION.tsv:15: The row is longer than 64 KiB`,
		`OFFERING.tsv:4: ACCESSIONNUMBER repeats an earlier offering: 0001851508-25-000002`,
		`OFFERING.tsv:5: ACCESSIONNUMBER belongs to an unusable submission: 0001851508-25-000101`,
		`OFFERING.tsv:6: ACCESSIONNUMBER belongs to no submission in this set: 0001851508-25-999999`,
		`OFFERING.tsv:7: TOTALOFFERINGAMOUNT is neither an amount in dollars nor "Indefinite": "lots"`,
		`FORMDSUBMISSION.tsv:12: ACCESSIONNUMBER has no row in the table OFFERING: 0001851508-25-000107`,
		`ISSUERS.tsv:5: CIK is not a CIK (1 to 10 digits): "12 34"`,
		`ISSUERS.tsv:6: ENTITYNAME is blank`,
		`ISSUERS.tsv:7: ACCESSIONNUMBER belongs to an unusable submission: 0001851508-25-000111`,
		`RELATEDPERSONS.tsv:5: LASTNAME names nobody: "None"`,
		`RECIPIENTS.tsv:5: RECIPIENTCRDNUMBER is not a CRD number (1 to 10 digits): "12a"`,
	}, d.reasons())
	require.Len(t, d.offerings, 2)
	require.Len(t, d.issuers, 3)
	require.Equal(t, int64(2), d.opened.Repeated())
	for _, r := range d.rejected {
		require.NotEmpty(t, r.Raw)
		require.LessOrEqual(t, len(r.Raw), 4<<10)
		require.NotContains(t, r.Raw, "\x00")
	}
}

func TestSetRefused(t *testing.T) {
	t.Parallel()
	without := func(name string) files {
		set := quarter()
		delete(set, name)
		return set
	}
	for _, name := range []string{"FORMDSUBMISSION.tsv", "OFFERING.tsv", "ISSUERS.tsv"} {
		require.Contains(t, refused(t, folder(t, without(name))), name+" of the Form D set is missing")
	}
	require.Contains(t, refused(t, write(t, "2025q1_d.zip", zipped(t, files{"readme.htm": "x"}))), "FORMDSUBMISSION.tsv of the Form D set is missing")
	set := quarter()
	set["OFFERING.tsv"] = table("ACCESSIONNUMBER|SALE_DATE", first+"|")
	require.Contains(t, refused(t, folder(t, set)), `"FEDERALEXEMPTIONS_ITEMS_LIST", "TOTALOFFERINGAMOUNT", "TOTALAMOUNTSOLD" are missing`)
	set["OFFERING.tsv"] = ""
	require.Contains(t, refused(t, write(t, "2025q1_d.zip", zipped(t, set))), "OFFERING.tsv: the table is empty")
	set["OFFERING.tsv"] = "\xff\xfeA\x00"
	require.Contains(t, refused(t, folder(t, set)), "UTF-16")
	set = quarter()
	set["older/OFFERING.tsv"] = set["OFFERING.tsv"]
	require.Contains(t, refused(t, folder(t, set)), "OFFERING.tsv is there twice")
	whole := zipped(t, quarter())
	require.Contains(t, refused(t, write(t, "2025q1_d.zip", whole[:len(whole)/2])), "truncated or damaged")
}

// A notice whose issuers are lost is quarantined, and what is known of it stays: without them it would say that it has none.
func TestNoticeWithoutIssuers(t *testing.T) {
	t.Parallel()
	set := quarter()
	all := strings.SplitAfter(set["ISSUERS.tsv"], "\n")
	set["ISSUERS.tsv"] = strings.Join(all[:len(all)-2], "") // less the only one of the second notice
	d, err := drain(t.Context(), folder(t, set), parse.Options{})
	require.NoError(t, err)
	require.Len(t, d.offerings, 1)
	require.Equal(t, []string{
		`OFFERING.tsv:3: ACCESSIONNUMBER has no row in the table ISSUERS: ` + second,
		`RELATEDPERSONS.tsv:4: ACCESSIONNUMBER belongs to an unusable submission: ` + second,
		`RECIPIENTS.tsv:4: ACCESSIONNUMBER belongs to an unusable submission: ` + second,
	}, d.reasons())
}

// A table that ends in the middle of a row is cut off: what it had behind that is lost, so nothing of the set is loaded. A last
// row that is whole needs no line end, and one with too many fields is just unusable.
func TestSetCutOff(t *testing.T) {
	t.Parallel()
	for name := range quarter() {
		if !strings.HasSuffix(name, ".tsv") || name == "SIGNATURES.tsv" {
			continue
		}
		set := quarter()
		whole := set[name]
		set[name] = strings.TrimSuffix(whole, "\n")
		d, err := drain(t.Context(), folder(t, set), parse.Options{})
		require.NoError(t, err)
		require.Empty(t, d.rejected, name)

		set[name] += "\tmore"
		d, err = drain(t.Context(), folder(t, set), parse.Options{})
		require.NoError(t, err)
		require.NotEmpty(t, d.rejected, name)

		last := strings.Count(whole, "\n")
		for _, cut := range []int{strings.LastIndex(whole, "\t"), strings.LastIndex(whole[:len(whole)-1], "\n") + 5} {
			set[name] = whole[:cut]
			said := refused(t, folder(t, set))
			require.Contains(t, said, fmt.Sprintf("%s: line %d ends in the middle of a row: it has ", name, last))
			require.Contains(t, said, "and no line end. The file is cut off")
		}
	}
}

// A set states its quarter in its name: notices that were filed on other days are counted.
func TestNoticesOutsideTheQuarter(t *testing.T) {
	t.Parallel()
	for name, outside := range map[string]int64{"2025q1_d.zip": 0, "2025q2_d.zip": 2, "2024q4_d.zip": 2} {
		got, filings := mustDrain(t, write(t, name, zipped(t, quarter()))).opened.Misdated()
		require.Equal(t, []int64{outside, 2}, []int64{got, filings}, name)
	}
	got, _ := mustDrain(t, write(t, "set.zip", zipped(t, quarter()))).opened.Misdated()
	require.Zero(t, got, "its quarter is not known")
}
