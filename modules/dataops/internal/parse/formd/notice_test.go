package formd_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/parse"
)

const accession = "0001851508-21-000002"

// notice is a fund's notice with two issuers, two related persons and two recipients, of which one is none.
const notice = `<?xml version="1.0"?>
<edgarSubmission>
 <schemaVersion>X0708</schemaVersion>
 <submissionType>D/A</submissionType>
 <testOrLive>LIVE</testOrLive>
 <primaryIssuer><cik>0001851508</cik><entityName>Halcyon Ridge &amp; Pier Fund, LP</entityName>
  <issuerAddress><street1>1 Pier Road</street1><city>Boston</city><stateOrCountry>MA</stateOrCountry>
   <stateOrCountryDescription>MASSACHUSETTS</stateOrCountryDescription><zipCode>02110</zipCode></issuerAddress>
  <issuerPhoneNumber>6175550100</issuerPhoneNumber><jurisdictionOfInc>DELAWARE</jurisdictionOfInc>
  <issuerPreviousNameList><previousName>None</previousName></issuerPreviousNameList>
  <edgarPreviousNameList><value>Halcyon A LP</value><value>Halcyon B LP</value></edgarPreviousNameList>
  <entityType>Limited Partnership</entityType><yearOfInc><withinFiveYears>true</withinFiveYears><value>2020</value></yearOfInc></primaryIssuer>
 <issuerList><issuer><cik>0001851509</cik><entityName>Halcyon Ridge Parallel Fund</entityName><yearOfInc><overFiveYears>true</overFiveYears></yearOfInc></issuer></issuerList>
 <relatedPersonsList>
  <relatedPersonInfo><relatedPersonName><firstName>LLC</firstName><lastName>Fund GP,</lastName></relatedPersonName>
   <relatedPersonAddress><city>Boston</city><stateOrCountry>MA</stateOrCountry></relatedPersonAddress>
   <relatedPersonRelationshipList><relationship>Director</relationship><relationship>Promoter</relationship></relatedPersonRelationshipList>
   <relationshipClarification/></relatedPersonInfo>
  <relatedPersonInfo><relatedPersonName><firstName>Jane</firstName><middleName>Q.</middleName><lastName>Sample</lastName></relatedPersonName>
   <relatedPersonRelationshipList><relationship>Executive Officer</relationship></relatedPersonRelationshipList></relatedPersonInfo>
 </relatedPersonsList>
 <offeringData>
  <industryGroup><industryGroupType>Pooled Investment Fund</industryGroupType>
   <investmentFundInfo><investmentFundType>Hedge Fund</investmentFundType><is40Act>false</is40Act></investmentFundInfo></industryGroup>
  <issuerSize><aggregateNetAssetValueRange>Decline to Disclose</aggregateNetAssetValueRange></issuerSize>
  <federalExemptionsExclusions><item>06c</item><item>3C</item><item>3C.7</item></federalExemptionsExclusions>
  <typeOfFiling><newOrAmendment><isAmendment>true</isAmendment><previousAccessionNumber>0001851508-20-000001</previousAccessionNumber></newOrAmendment>
   <dateOfFirstSale><value>2020-09-15</value></dateOfFirstSale></typeOfFiling>
  <durationOfOffering><moreThanOneYear>true</moreThanOneYear></durationOfOffering>
  <typesOfSecuritiesOffered><isEquityType>true</isEquityType><isPooledInvestmentFundType>true</isPooledInvestmentFundType></typesOfSecuritiesOffered>
  <minimumInvestmentAccepted>25000</minimumInvestmentAccepted>
  <salesCompensationList>
   <recipient><recipientName>Tally &amp; Stamp</recipientName><recipientCRDNumber>113794</recipientCRDNumber><associatedBDName>None</associatedBDName>
    <associatedBDCRDNumber>None</associatedBDCRDNumber><recipientAddress><city>New York</city><stateOrCountry>NY</stateOrCountry></recipientAddress>
    <statesOfSolicitationList><state>FL</state><description>FLORIDA</description><state>GA</state><description>GEORGIA</description></statesOfSolicitationList>
    <foreignSolicitation>false</foreignSolicitation></recipient>
   <recipient><recipientName>None</recipientName><recipientCRDNumber>None</recipientCRDNumber><associatedBDName>None</associatedBDName>
    <associatedBDCRDNumber>None</associatedBDCRDNumber><statesOfSolicitationList><value>All States</value></statesOfSolicitationList></recipient>
  </salesCompensationList>
  <offeringSalesAmounts><totalOfferingAmount>Indefinite</totalOfferingAmount><totalAmountSold>17947333</totalAmountSold><totalRemaining>Indefinite</totalRemaining>
   <clarificationOfResponse>passed over</clarificationOfResponse></offeringSalesAmounts>
  <investors><hasNonAccreditedInvestors>true</hasNonAccreditedInvestors><numberNonAccreditedInvestors>3</numberNonAccreditedInvestors>
   <totalNumberAlreadyInvested>168</totalNumberAlreadyInvested></investors>
  <salesCommissionsFindersFees><salesCommissions><dollarAmount>1</dollarAmount><isEstimate>true</isEstimate></salesCommissions>
   <findersFees><dollarAmount>2</dollarAmount></findersFees></salesCommissionsFindersFees>
  <useOfProceeds><grossProceedsUsed><dollarAmount>10000</dollarAmount></grossProceedsUsed></useOfProceeds>
  <signatureBlock><signature><issuerName>x</issuerName><signatureDate>2021-10-05</signatureDate></signature>
   <signature><signatureDate>2021-10-04</signatureDate></signature></signatureBlock>
 </offeringData>
</edgarSubmission>
`

func TestNotice(t *testing.T) {
	t.Parallel()
	for container, path := range map[string]string{
		"named":            write(t, "000185150821000002-primary_doc.xml", []byte(notice)),
		"named, dashes":    write(t, "0001851508-21-000002.xml", []byte("\ufeff\n\n"+notice)),
		"in its folder":    folder(t, files{"000185150821000002/primary_doc.xml": notice}),
		"in a zip":         write(t, "notices.zip", zipped(t, files{"edgar/0001851508-21-000002/primary_doc.xml": notice})),
		"its folder given": folder(t, files{"0001851508-21-000002/primary_doc.xml": notice}) + "/0001851508-21-000002",
	} {
		d := mustDrain(t, path)
		require.Empty(t, d.reasons(), container)
		requireNotice(t, d, container)
	}
}

func requireNotice(t *testing.T, d *drained, container string) {
	t.Helper()
	yes, no := true, false
	file := d.offerings[0].File
	first := 2
	if container == "named, dashes" {
		first = 4
	}
	require.Equal(t, "form_d/notices", d.opened.Series)
	require.Equal(t, []*catalogapi.OfferingRow{{
		Accession: accession, Form: "D/A", Filed: time.Date(2021, 10, 5, 0, 0, 0, 0, time.UTC), PreviousAccession: "0001851508-20-000001", SchemaVersion: "X0708",
		IndustryGroup: "Pooled Investment Fund", FundType: "Hedge Fund", Is40Act: &no, NAVRange: "Decline to Disclose", Exemptions: []string{"06c", "3C", "3C.7"},
		FirstSale: time.Date(2020, 9, 15, 0, 0, 0, 0, time.UTC), OverOneYear: &yes, Securities: []string{"equity", "pooled investment fund"},
		MinInvestment: new(int64(25000)), Indefinite: true, AmountSold: new(int64(17947333)), NonAccredited: &yes, NonAccreditedNum: new(int64(3)), Investors: new(int64(168)),
		SalesCommission: new(int64(1)), FindersFee: new(int64(2)), GrossProceeds: new(int64(10000)), File: file, Line: first,
	}}, d.offerings, container)
	require.Equal(t, []*catalogapi.IssuerRow{
		{
			Accession: accession, Seq: 1, CIK: "1851508", Name: "Halcyon Ridge & Pier Fund, LP", PreviousNames: []string{"Halcyon A LP", "Halcyon B LP"},
			Street1: "1 Pier Road", City: "Boston", State: "MA", StateName: "MASSACHUSETTS", PostalCode: "02110", Phone: "6175550100", Jurisdiction: "DELAWARE",
			EntityType: "Limited Partnership", YearFormed: 2020, File: file, Line: first + 4,
		},
		{Accession: accession, Seq: 2, CIK: "1851509", Name: "Halcyon Ridge Parallel Fund", File: file, Line: first + 11},
	}, d.issuers, container)
	require.Equal(t, []*catalogapi.RelatedPersonRow{
		{
			Accession: accession, Seq: 1, LastName: "Fund GP, LLC", Entity: true, City: "Boston", State: "MA", Country: "United States",
			Relationships: []string{"Director", "Promoter"}, File: file, Line: first + 13,
		},
		{Accession: accession, Seq: 2, FirstName: "Jane", MiddleName: "Q.", LastName: "Sample", Relationships: []string{"Executive Officer"}, File: file, Line: first + 17},
	}, d.persons, container)
	require.Equal(t, []*catalogapi.RecipientRow{{
		Accession: accession, Seq: 1, Name: "Tally & Stamp", CRD: "113794", City: "New York", State: "NY", Country: "United States", States: []string{"FL", "GA"},
		Foreign: &no, File: file, Line: first + 31,
	}}, d.recipients, container)
}

// TestNotices: a folder of notices is one document; what is wrong with one of them does no harm to the others.
func TestNotices(t *testing.T) {
	t.Parallel()
	replaced := func(old, by string) string { return strings.Replace(notice, old, by, 1) }
	dir := folder(t, files{
		"000185150821000002/primary_doc.xml":                 notice,
		"000185150821000002/xslFormDX01/primary_doc.xml":     `<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01//EN" "x"><html><body>FORM D<br></body></html>`,
		"copies/0001851508-21-000002.xml":                    notice,
		"copies/0001851508-21-000003.xml":                    replaced("LIVE", "TEST"),
		"copies/0001851508-21-000004.xml":                    notice[:500],
		"copies/0001851508-21-000005.xml":                    replaced("<edgarSubmission>", `<!DOCTYPE edgarSubmission [<!ENTITY a "b">]><edgarSubmission>`),
		"copies/0001851508-21-000006.xml":                    replaced("17947333", "many"),
		"copies/0001851508-21-000007.xml":                    replaced("2020-09-15", "15 Sep"),
		"copies/0001851508-21-000008.xml":                    replaced("Halcyon Ridge Parallel Fund", " "),
		"copies/0001851508-21-000009.xml":                    `<other/>`,
		"copies/0001851508-21-000010.xml":                    replaced("<cik>0001851508</cik>", "<cik>1</cik><cik>2</cik>"),
		"copies/0001851508-21-000011.xml":                    strings.ReplaceAll(notice, "signatureDate", "signedOn"),
		"copies/0001851508-21-000012.xml":                    replaced("D/A", "C"),
		"copies/99999999999999999999/nameless.xml":           notice,
		"copies/0001851508-21-000013-index-headers.html.txt": "not XML",
	})
	d := mustDrain(t, dir)
	require.ElementsMatch(t, []string{
		"primary_doc.xml:1: The file is not a notice: the XML cannot be read: it is the HTML page that EDGAR shows of a Form D (xslFormDX01), not the notice: " +
			"take primary_doc.xml from the folder above",
		"0001851508-21-000002.xml:2: The accession number 0001851508-21-000002 is that of primary_doc.xml too",
		`0001851508-21-000003.xml:2: testOrLive is not LIVE, so the notice is a test: "TEST"`,
		"0001851508-21-000004.xml:9: The file is not a notice: the XML cannot be read: it is malformed or cut short at line 9: unexpected end",
		"0001851508-21-000005.xml:2: The file is not a notice: the XML cannot be read: line 2: it has a document type or entities of its own (DOCTYPE), which is not allowed",
		`0001851508-21-000006.xml:2: totalAmountSold is not an amount in dollars: "many"`,
		`0001851508-21-000007.xml:2: dateOfFirstSale/value is not a date: "15 Sep"`,
		"0001851508-21-000008.xml:13: entityName is blank",
		`0001851508-21-000009.xml:1: The file is not a notice: the XML cannot be read: its root is "other", but the root of a Form D is edgarSubmission`,
		"0001851508-21-000010.xml:6: The file is not a notice: the XML cannot be read: line 6: cik is present twice, but only one is allowed",
		"0001851508-21-000011.xml:2: signatureDate is blank",
		`0001851508-21-000012.xml:2: submissionType is neither D nor D/A: "C"`,
		"nameless.xml:2: The accession number, which a notice does not carry, is neither in the file's name nor in its folder's: " +
			"name it as in 0001234567-24-000001-primary_doc.xml",
	}, d.reasons())
	require.Len(t, d.offerings, 2)
	require.Len(t, d.issuers, 3, "one notice has lost its second issuer")
	require.Equal(t, int64(1), d.opened.Repeated())
	_, err := drain(t.Context(), write(t, "0001851508-21-000002.xml", []byte(notice)), parse.Options{NotAfter: time.Date(2021, 1, 1, 0, 0, 0, 0, time.UTC)})
	require.NoError(t, err)
}

// TestNoticeRefused: a damaged or hostile notice that is given alone is refused with a sentence.
func TestNoticeRefused(t *testing.T) {
	t.Parallel()
	replaced := func(old, by string) []byte { return []byte(strings.Replace(notice, old, by, 1)) }
	for name, c := range map[string]struct {
		content []byte
		want    string
	}{
		"cut short":       {[]byte(notice[:len(notice)-30]), "cut short"},
		"doctype":         {replaced("<edgarSubmission>", `<!DOCTYPE edgarSubmission SYSTEM "file:///etc/passwd"><edgarSubmission>`), "DOCTYPE"},
		"entity":          {replaced("Jane", "&jane;"), "invalid character entity"},
		"deep":            {replaced("<offeringData>", "<offeringData>"+strings.Repeat("<a>", 90)), "deeper"},
		"large":           {replaced("<offeringData>", "<offeringData>"+strings.Repeat("<a>"+strings.Repeat("x", 1<<19)+"</a>", 40)), "larger than 16 MiB"},
		"rendering":       {[]byte("<!DOCTYPE html>\n<html><body>FORM D</body></html>"), "HTML page that EDGAR shows"},
		"plain rendering": {[]byte("<html><body>FORM D</body></html>"), "HTML page that EDGAR shows"},
		"utf-16":          {[]byte("\xfe\xff\x00<"), "UTF-16"},
	} {
		got := refused(t, write(t, "000185150821000002-primary_doc.xml", c.content))
		require.Contains(t, got, c.want, name)
		require.Contains(t, got, "000185150821000002-primary_doc.xml", name)
	}
	require.Contains(t, refused(t, write(t, "other.xml", []byte("<html/>"))), "Form D data set or notice (no FORMDSUBMISSION.tsv, root element edgarSubmission or <SEC-HEADER>)")
}
