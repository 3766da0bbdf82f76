package parse_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/parse"
)

// Headers of the tables that belong to a filing, as the regulator writes them.
const (
	cikHeader       = `FilingID,CIK`
	otherCRDHeader  = `FilingID,CRDNumber`
	officeHeader    = `FilingID,Street 1,Street 2,City,State,Country,Postal Code,Private Residence,Telephone Number,Facsimile Number,Branch Number,Employees,BD,Bank,Insurance,Commodity,Municipal,Accounting,Law,Other`
	affiliateHeader = `FilingID,ReferenceID,Legal Name,Business Name,SEC Number or Other,CRD Number,Type,5a,5b,5c,5d,5e,5f,5g,5h,5i,5j,5k,5l,5m,5n,5o,5p,` +
		`Control/Controlled,Common Control,Custodian,Exam Exempt,Street 1,Street 2,City,State,Country,Postal Code,Private Residence,` +
		`IA Exempt,Exemption,Foreign Registered,Share Persons,Share Location`
	ownerHeader      = `FilingID,SchA-3,Schedule,Full Legal Name,DE/FE/I,Entity in Which,Title or Status,Status Acquired,Ownership Code,Control Person,PR,OwnerID`
	regulatoryHeader = `FilingID,Initial/Amended,11.C(1),11.C(2),11.D(1),11.E(3),11.G.,Filed Against,ReferenceID,Initiator Type,Initiated By,Principal Sanction,` +
		`Other Sanctions,Date Initiated,Case Number,Employing Firm,Principal Product,Allegations,Status,Resolution,Resolution Date,Monetary Sanction,` +
		`Monetary Amount,Revocation/Expulsion/Denial,Censure,Bar,Disgorgement/Restitution,Cease and Desist/Injunction,Suspension,Other Sanctions Ordered,Sanction Detail,Summary`
	criminalHeader   = `FilingID,Initial/Amended,11.A(1),11.B(2),Filed Against,ReferenceID,Court,Date First Charged,Event Detail,Felony,Status,Disposition,Summary`
	civilHeader      = `FilingID,Initial/Amended,11.H(1)(a),11.H(2),Filed Against,ReferenceID,Initiated By,Court,Relief Sought,Filing Date,Principal Product,Allegations,Status,Resolution Type,Resolution Date,Monetary Amount,Bar,Other Sanctions,Sanction Detail,Summary`
	implicatedHeader = `FilingID,ReferenceID,Disclosure Type,CRD Number,Affiliate Type,Registered,Affiliate Name`
	subAdvisedHeader = `FilingID,Fund Name,Fund ID,Adviser Name,Adviser SEC Number,Clients Solicited?`
	feederHeader     = `FilingID,ReferenceID,Private Fund Name,Fund ID`
	detailHeader     = `FilingID,ReferenceID,SubreferenceID,Private Fund Name,Fund ID,State,Country,3(c)(1) Exclusion,3(c)(7) Exclusion`
	partnerHeader    = `FilingID,ReferenceID,"Name of Partner, etc."`
	primeHeader      = `FilingID,ReferenceID,Name of Prime Broker,SEC Number,CRD Number,City,State,Country,Custodian`
	custodianHeader  = `FilingID,ReferenceID,Legal Name of Custodian,Primary Business Name,City,State,Country,Related Person,SEC Number,Legal Entity Identifier`
	adminHeader      = `FilingID,ReferenceID,Name of Administrator,City,State,Country,Related Person,Statements,Who Sends Statements`
	marketerHeader   = `FilingID,ReferenceID,SubreferenceID,Related Person,Name of Marketer,SEC Number,CRD Number,City,State,Country,Websites`
	siteHeader       = `FilingID,ReferenceID,SubreferenceID,Website Address`
)

// children is what a document gives of the tables that belong to a filing.
type children struct {
	doc         catalogapi.Document
	opened      *parse.Opened
	identifiers []*catalogapi.IdentifierRow
	offices     []*catalogapi.OfficeRow
	affiliates  []*catalogapi.AffiliateRow
	owners      []*catalogapi.OwnerRow
	disclosures []*catalogapi.DisclosureRow
	implicated  []*catalogapi.DisclosureAffiliateRow
	subAdvised  []*catalogapi.SubAdvisedRow
	feeders     []*catalogapi.FeederRow
	providers   []*catalogapi.ProviderRow
	filings     []*catalogapi.AdviserFiling
	funds       []*catalogapi.FundRow
	withdrawals []*catalogapi.WithdrawalRow
	rejected    []catalogapi.Rejected
}

func (c *children) reasons() []string { return (&drained{rejected: c.rejected}).reasons() }

// drainChildren opens a file and reads the filings, the funds and all that belongs to them, in the document's order.
func drainChildren(ctx context.Context, path string, opts parse.Options) (*children, error) {
	c := &children{}
	opts.Reject = func(r catalogapi.Rejected) { c.rejected = append(c.rejected, r) }
	opened, err := parse.Open(ctx, path, opts)
	if err != nil {
		return nil, err
	}
	defer opened.Close()
	c.opened, c.doc = opened, opened.Document
	for _, step := range []func() error{
		func() (err error) { c.filings, err = collect(c.doc.Filings); return err },
		func() (err error) { c.identifiers, err = collect(c.doc.Identifiers); return err },
		func() (err error) { c.offices, err = collect(c.doc.Offices); return err },
		func() (err error) { c.affiliates, err = collect(c.doc.Affiliates); return err },
		func() (err error) { c.owners, err = collect(c.doc.Owners); return err },
		func() (err error) { c.disclosures, err = collect(c.doc.Disclosures); return err },
		func() (err error) { c.implicated, err = collect(c.doc.Implicated); return err },
		func() (err error) { c.funds, err = collect(c.doc.Funds); return err },
		func() (err error) { c.subAdvised, err = collect(c.doc.SubAdvised); return err },
		func() (err error) { c.feeders, err = collect(c.doc.Feeders); return err },
		func() (err error) { c.providers, err = collect(c.doc.Providers); return err },
		func() (err error) { c.withdrawals, err = collect(c.doc.Withdrawals); return err },
	} {
		if err := step(); err != nil {
			return c, err
		}
	}
	return c, nil
}

func mustDrainChildren(tb testing.TB, path string) *children {
	tb.Helper()
	c, err := drainChildren(tb.Context(), path, parse.Options{})
	require.NoError(tb, err)
	return c
}

// childFiles is one filing with a row or two in every table that can belong to one.
func childFiles() files {
	return files{
		"IA_ADV_Base_A" + month:         table(tinyHeader, "7,6/1/2026,ALDERMOOR CAPITAL LLC,4711"),
		"ERA_ADV_Base" + month:          table(tinyHeader, "8,6/2/2026,KATABATIC PARTNERS LTD,4712"),
		"IA_Schedule_D_7B1" + month:     table(fundHeader, fundRow("7", "ALDERMOOR FUND I", "805-0000000001", "55", "1")),
		"IA_1D3_CIK" + month:            table(cikHeader, "7,0001234567", "7,89"),
		"ERA_1D3_CIK" + month:           table(cikHeader, "8,42"),
		"IA_1E2_Additional_CRD" + month: table(otherCRDHeader, "7,4713"),
		"IA_Schedule_D_1F" + month: table(officeHeader,
			`7,"2 QUAY STREET",,"PORTMEAD","MA","United States","2110","N","617-555-0199",,"130641","7","Y","N","Y","N","N","N","N",`,
			`7,,,,,,,"Y",,,,"some","N","N","N","N","N","N","N","FAMILY OFFICE"`),
		"IA_Schedule_D_7A" + month: table(affiliateHeader,
			`7,901,"ALDERMOOR BROKERS LLC","ALDERMOOR "BROKERAGE"","8-15869",0000008209,"", Y,N,,,,,,,,,,,,,,Y,"N","Y","N","N","2 QUAY STREET",,"PORTMEAD","MA","United States","02110","N","N","","N","Y","Y"`),
		"IA_Schedule_A_B" + month: table(ownerHeader,
			`7,"Y","A","QUIMBLE, OSWIN, T","I","","DIRECTOR, CHAIRMAN AND "CHIEF" EXECUTIVE","09/2001","NA","Y","N","1000018"`,
			`7,"Y","B","ALDERMOOR HOLDINGS LP","DE","ALDERMOOR CAPITAL LLC","MEMBER","May-12","F","N","Y","01-0940455"`),
		"ERA_Schedule_A_B" + month: table(ownerHeader, `8,"N","A","KATABATIC GP","FE","","PARTNER","[TO COME]","n/a","","maybe","FOREIGN"`),
		"IA_DRP_Regulatory" + month: table(regulatoryHeader,
			`7,"AMENDED","N","N",,"Y","Y","Affiliates",1771958,"SRO","FINRA","Censure","","02/19/2021","2020065242701","ALDERMOOR BROKERS LLC","Equity","IT FAILED TO "SUPERVISE", AND
SO ON","Final","Acceptance, Waiver & Consent(AWC)","02/20/2021","Y","$5,000.99","N","Y","N","N","Y","N","UNDERTAKING","PAID","SETTLED"`,
			`7,"INITIAL",,,,,,"Firm",1771959,"State","OREGON","Bar","Undertaking","soon","","","","","Pending","","","","none","","","","","","","","",""`),
		"IA_DRP_Criminal" + month: table(criminalHeader,
			`7,"INITIAL","Y","N","Firm",31,"DISTRICT COURT","1/5/2019","WIRE FRAUD","Y","Final","Convicted","APPEAL LOST"`),
		"IA_DRP_Civil_Judicial" + month: table(civilHeader,
			`7,"","Y","N","Firm",41,"SEC","SOUTHERN DISTRICT","Injunction","03/04/2018","Options","MISSTATEMENTS","Final","Consent","05/06/2019",250000,"Y","Officer and director bar","TEN YEARS",""`),
		"IA_DRP_Advisory_Affiliates" + month: table(implicatedHeader,
			`7,1771958,"Regulatory Action",153157,"Firm","Y","ALDERMOOR BROKERS LLC"`, `7,1771958,"Regulatory Action",,"Individual","","QUIMBLE, OSWIN, T"`),
		"IA_Schedule_D_7B2" + month:             table(subAdvisedHeader, `7,"RIDGE CO-INVEST LP",805-0000000009,"RIDGE ADVISERS","801-77","N"`, `7,"NO NUMBER LP",n/a,"RIDGE ADVISERS",,`),
		"IA_Schedule_D_7B1A6b" + month:          table(feederHeader, `7,55,"ALDERMOOR OFFSHORE LTD",805-0000000002`, `7,55,"ALDERMOOR ONSHORE LP",`),
		"IA_Schedule_D_7B1A7" + month:           table(detailHeader, `7,55,1,"ALDERMOOR OFFSHORE",805-0000000002,,"Cayman Islands","N","Y"`, `7,55,2,"aldermoor onshore lp",,"Delaware","United States","N","Y"`, `7,55,3,"ALDERMOOR TE LP",805-0000000003,,,"N","Y"`),
		"IA_Schedule_D_7B1A3a" + month:          table(partnerHeader, `7,55,"ALDERMOOR GP, LLC"`),
		"IA_Schedule_D_7B1A24" + month:          table(primeHeader, `7,55,"STAITHE PRIME INC.","8-999",00777,"NEW YORK","New York","United States","Y"`),
		"IA_Schedule_D_7B1A25" + month:          table(custodianHeader, `7,55,"STAITHE BANK, N.A.","STAITHE","NEW YORK","New York","United States","N","","529900abcdefghijkl12"`, `7,55,"","STAITHE TRUST","","","","","","n/a"`),
		"IA_Schedule_D_7B1A26" + month:          table(adminHeader, `7,55,"LEDGER & SONS","DUBLIN","","Ireland","N","Y",""`),
		"IA_Schedule_D_7B1A28" + month:          table(marketerHeader, `7,55,1,"Y","BELLWETHER PLACEMENT","8-5",12,"BOSTON","Massachusetts","United States","Y"`, `7,55,2,"N","SOLO MARKETER",,none,,,,"N"`),
		"IA_Schedule_D_7B1A28_websites" + month: table(siteHeader, `7,55,1,"WWW.BELLWETHER.EXAMPLE"`, `7,55,1,"WWW.SECOND.EXAMPLE"`),
	}
}

// folded gives a table's layout as one text, for short assertions.
func folded(c *children, name string) string { return fmt.Sprint(c.opened.Layout[name]) }
