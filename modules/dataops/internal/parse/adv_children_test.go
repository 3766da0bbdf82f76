package parse_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
)

func day(y int, m time.Month, d int) time.Time { return time.Date(y, m, d, 0, 0, 0, 0, time.UTC) }

// TestArchiveChildren reads a filing with all that can belong to it, from a zip archive and from a folder.
func TestArchiveChildren(t *testing.T) {
	t.Parallel()
	for name, path := range map[string]string{
		"zip":    write(t, "ADV_Filing_Data_20260601_20260630.zip", zipped(t, childFiles())),
		"folder": folder(t, childFiles()),
	} {
		c := mustDrainChildren(t, path)
		require.Empty(t, c.reasons(), name)
		require.Equal(t, "adv_archive", c.opened.Series, name)
		requireFirm(t, c)
		requireOwners(t, c)
		requireDisclosures(t, c)
		requireServed(t, c)
	}
}

func requireFirm(t *testing.T, c *children) {
	t.Helper()
	yes, no := true, false
	seven := int64(7)
	require.Equal(t, []*catalogapi.IdentifierRow{
		{FilingKey: "IA:7", Kind: catalogapi.IdentifierCIK, Value: "1234567", File: "IA_1D3_CIK" + month, Line: 2},
		{FilingKey: "IA:7", Kind: catalogapi.IdentifierCIK, Value: "89", File: "IA_1D3_CIK" + month, Line: 3},
		{FilingKey: "IA:7", Kind: catalogapi.IdentifierCRD, Value: "4713", File: "IA_1E2_Additional_CRD" + month, Line: 2},
		{FilingKey: "ERA:8", Kind: catalogapi.IdentifierCIK, Value: "42", File: "ERA_1D3_CIK" + month, Line: 2},
	}, c.identifiers)
	require.Equal(t, []*catalogapi.OfficeRow{
		{
			FilingKey: "IA:7", Street1: "2 QUAY STREET", City: "PORTMEAD", State: "MA", Country: "United States", PostalCode: "02110", Residence: &no,
			Phone: "617-555-0199", Employees: &seven, File: "IA_Schedule_D_1F" + month, Line: 2,
		},
		{FilingKey: "IA:7", Residence: &yes, File: "IA_Schedule_D_1F" + month, Line: 3},
	}, c.offices)
	require.Equal(t, []*catalogapi.AffiliateRow{{
		FilingKey: "IA:7", ReferenceID: "901", LegalName: "ALDERMOOR BROKERS LLC", BusinessName: `ALDERMOOR "BROKERAGE"`, SECNumber: "8-15869", CRD: "8209",
		Types: []string{"a", "p"}, Controls: &no, CommonControl: &yes, File: "IA_Schedule_D_7A" + month, Line: 2,
	}}, c.affiliates)
}

func requireOwners(t *testing.T, c *children) {
	t.Helper()
	yes, no := true, false
	require.Equal(t, []*catalogapi.OwnerRow{
		{
			FilingKey: "IA:7", Schedule: "A", Name: "QUIMBLE, OSWIN, T", EntityType: "I", Title: `DIRECTOR, CHAIRMAN AND "CHIEF" EXECUTIVE`, AcquiredYear: 2001,
			AcquiredMonth: 9, OwnershipCode: "NA", ControlPerson: &yes, PublicReporting: &no, OwnerID: "1000018", File: "IA_Schedule_A_B" + month, Line: 2,
		},
		{
			FilingKey: "IA:7", Schedule: "B", Name: "ALDERMOOR HOLDINGS LP", EntityType: "DE", OwnedEntity: "ALDERMOOR CAPITAL LLC", Title: "MEMBER",
			AcquiredYear: 2012, AcquiredMonth: 5, OwnershipCode: "F", ControlPerson: &no, PublicReporting: &yes, File: "IA_Schedule_A_B" + month, Line: 3,
		},
		{
			FilingKey: "ERA:8", Schedule: "A", Name: "KATABATIC GP", EntityType: "FE", Title: "PARTNER", OwnershipCode: "NA",
			File: "ERA_Schedule_A_B" + month, Line: 2,
		},
	}, c.owners)
}

func requireDisclosures(t *testing.T, c *children) {
	t.Helper()
	yes, no := true, false
	fine, large := int64(5000), int64(250000)
	require.Equal(t, []*catalogapi.DisclosureRow{
		{
			FilingKey: "IA:7", Family: catalogapi.DisclosureCriminal, ReferenceID: "31", Amended: &no, Items: []string{"11.A(1)"}, FiledAgainst: "Firm",
			Court: "DISTRICT COURT", EventDate: day(2019, 1, 5), Allegations: "WIRE FRAUD", Felony: &yes, Status: "Final", Resolution: "Convicted",
			Summary: "APPEAL LOST", File: "IA_DRP_Criminal" + month, Line: 2,
		},
		{
			FilingKey: "IA:7", Family: catalogapi.DisclosureRegulatory, ReferenceID: "1771958", Amended: &yes, Items: []string{"11.E(3)", "11.G"},
			FiledAgainst: "Affiliates", InitiatedBy: "FINRA", InitiatorType: "SRO", CaseNumber: "2020065242701", EventDate: day(2021, 2, 19), Product: "Equity",
			Allegations: `IT FAILED TO "SUPERVISE", AND SO ON`, Status: "Final", Resolution: "Acceptance, Waiver & Consent(AWC)", ResolutionDate: day(2021, 2, 20),
			Sanctions: []string{"monetary sanction", "censure", "cease and desist/injunction", "undertaking"}, MonetaryAmount: &fine, SanctionDetail: "PAID",
			Summary: "SETTLED", File: "IA_DRP_Regulatory" + month, Line: 2,
		},
		{
			FilingKey: "IA:7", Family: catalogapi.DisclosureRegulatory, ReferenceID: "1771959", Amended: &no, FiledAgainst: "Firm", InitiatedBy: "OREGON",
			InitiatorType: "State", Status: "Pending", Sanctions: []string{"bar", "undertaking"}, File: "IA_DRP_Regulatory" + month, Line: 4,
		},
		{
			FilingKey: "IA:7", Family: catalogapi.DisclosureCivil, ReferenceID: "41", Items: []string{"11.H(1)(a)"}, FiledAgainst: "Firm", InitiatedBy: "SEC",
			Court: "SOUTHERN DISTRICT", EventDate: day(2018, 3, 4), Product: "Options", Allegations: "MISSTATEMENTS", Status: "Final", Resolution: "Consent",
			ResolutionDate: day(2019, 5, 6), Sanctions: []string{"bar", "officer and director bar"}, MonetaryAmount: &large, SanctionDetail: "TEN YEARS",
			File: "IA_DRP_Civil_Judicial" + month, Line: 2,
		},
	}, c.disclosures)
	require.Equal(t, []*catalogapi.DisclosureAffiliateRow{
		{
			FilingKey: "IA:7", ReferenceID: "1771958", Type: "Regulatory Action", CRD: "153157", Kind: "Firm", Registered: &yes, Name: "ALDERMOOR BROKERS LLC",
			File: "IA_DRP_Advisory_Affiliates" + month, Line: 2,
		},
		{
			FilingKey: "IA:7", ReferenceID: "1771958", Type: "Regulatory Action", Kind: "Individual", Name: "QUIMBLE, OSWIN, T",
			File: "IA_DRP_Advisory_Affiliates" + month, Line: 3,
		},
	}, c.implicated)
}

func requireServed(t *testing.T, c *children) {
	t.Helper()
	yes, no := true, false
	require.Equal(t, []*catalogapi.SubAdvisedRow{
		{FilingKey: "IA:7", FundID: "805-0000000009", Name: "RIDGE CO-INVEST LP", AdviserName: "RIDGE ADVISERS", AdviserSECNumber: "801-77", File: "IA_Schedule_D_7B2" + month, Line: 2},
		{FilingKey: "IA:7", Name: "NO NUMBER LP", AdviserName: "RIDGE ADVISERS", File: "IA_Schedule_D_7B2" + month, Line: 3},
	}, c.subAdvised)
	require.Equal(t, []*catalogapi.FeederRow{
		{FilingKey: "IA:7", ReferenceID: "55", FundID: "805-0000000002", Name: "ALDERMOOR OFFSHORE LTD", File: "IA_Schedule_D_7B1A6b" + month, Line: 2},
		{FilingKey: "IA:7", ReferenceID: "55", Name: "ALDERMOOR ONSHORE LP", File: "IA_Schedule_D_7B1A6b" + month, Line: 3},
		{FilingKey: "IA:7", ReferenceID: "55", FundID: "805-0000000003", Name: "ALDERMOOR TE LP", File: "IA_Schedule_D_7B1A7" + month, Line: 4},
	}, c.feeders, "a feeder that both tables name is given once")
	provider := func(role catalogapi.ProviderRole, table string, line int, p catalogapi.ProviderRow) *catalogapi.ProviderRow {
		p.FilingKey, p.ReferenceID, p.Role, p.File, p.Line = "IA:7", "55", role, "IA_Schedule_D_"+table+month, line
		return &p
	}
	require.Equal(t, []*catalogapi.ProviderRow{
		provider(catalogapi.RoleGeneralPartner, "7B1A3a", 2, catalogapi.ProviderRow{Name: "ALDERMOOR GP, LLC"}),
		provider(catalogapi.RolePrimeBroker, "7B1A24", 2, catalogapi.ProviderRow{
			Name: "STAITHE PRIME INC.", CRD: "777", SECNumber: "8-999", City: "NEW YORK", State: "New York", Country: "United States",
		}),
		provider(catalogapi.RoleCustodian, "7B1A25", 2, catalogapi.ProviderRow{
			Name: "STAITHE BANK, N.A.", BusinessName: "STAITHE", LEI: "529900ABCDEFGHIJKL12", City: "NEW YORK", State: "New York", Country: "United States", Related: &no,
		}),
		provider(catalogapi.RoleCustodian, "7B1A25", 3, catalogapi.ProviderRow{Name: "STAITHE TRUST", BusinessName: "STAITHE TRUST"}),
		provider(catalogapi.RoleAdministrator, "7B1A26", 2, catalogapi.ProviderRow{Name: "LEDGER & SONS", City: "DUBLIN", Country: "Ireland", Related: &no}),
		provider(catalogapi.RoleMarketer, "7B1A28", 2, catalogapi.ProviderRow{
			Name: "BELLWETHER PLACEMENT", CRD: "12", SECNumber: "8-5", City: "BOSTON", State: "Massachusetts", Country: "United States", Related: &yes,
			Website: "WWW.BELLWETHER.EXAMPLE",
		}),
		provider(catalogapi.RoleMarketer, "7B1A28", 3, catalogapi.ProviderRow{Name: "SOLO MARKETER", Related: &no}),
	}, c.providers)
}

// TestChildrenQuarantine: a row that says nothing of what it is about costs itself, and nothing else.
func TestChildrenQuarantine(t *testing.T) {
	t.Parallel()
	members := childFiles()
	for name, bad := range map[string][]string{
		"IA_ADV_Base_A":                 {`70,6/3/2026,ALDERMOOR TWO LLC,4716`},
		"IA_1D3_CIK":                    {`7,none`, `,12`},
		"IA_1E2_Additional_CRD":         {`7,801-4`},
		"IA_Schedule_D_1F":              {`7,,,,,,,,,,,12,,,,,,,,`},
		"IA_Schedule_D_7A":              {`7,902` + strings.Repeat(",", 37)},
		"IA_Schedule_A_B":               {`70,,"C","QUIMBLE",,,,,,,,`, `70,,"A","",,,,,,,,`, `x,,"A","QUIMBLE",,,,,,,,`, `70,short`},
		"IA_DRP_Criminal":               {`70,"INITIAL","Y","N","Firm",99,"DISTRICT COURT","1/5/2019","WIRE FRAUD","Y","Final","Convicted",""`, `,,,,,,,,,,,,`},
		"IA_DRP_Advisory_Affiliates":    {`70,,"Regulatory Action",1,"Firm","Y","ALDERMOOR"`, `70,5,,1,,,`},
		"IA_Schedule_D_7B2":             {`7,,none,"RIDGE",,`},
		"IA_Schedule_D_7B1A6b":          {`7,55,,`, `7,,"ALDERMOOR OFFSHORE LTD",`},
		"IA_Schedule_D_7B1A3a":          {`7,55,`},
		"IA_Schedule_D_7B1A28_websites": {`7,55,9,"WWW.NOBODY.EXAMPLE"`, `7,55,1,`},
	} {
		members[name+month] += strings.Join(bad, "\n") + "\n"
	}
	c := mustDrainChildren(t, folder(t, members))
	require.Equal(t, []string{
		`IA_1D3_CIK` + month + `:4: CIK is not a number of 1 to 10 digits: none`,
		`IA_1D3_CIK` + month + `:5: FilingID is blank`,
		`IA_1E2_Additional_CRD` + month + `:3: CRD is not a number of 1 to 10 digits: 801-4`,
		`IA_Schedule_D_1F` + month + `:4: Street 1, City, Country and Postal Code are blank`,
		`IA_Schedule_D_7A` + month + `:3: Legal Name is blank`,
		`IA_Schedule_A_B` + month + `:4: Schedule is neither A nor B: C`,
		`IA_Schedule_A_B` + month + `:5: Full Legal Name is blank`,
		`IA_Schedule_A_B` + month + `:6: FilingID is not a filing number (1 to 18 digits): "x"`,
		`IA_Schedule_A_B` + month + `:7: The row has 2 fields, but the header has 12`,
		`IA_DRP_Criminal` + month + `:3: another row of the filing in this table cannot be used, so its list is not known`,
		`IA_DRP_Criminal` + month + `:4: FilingID is blank`,
		`IA_DRP_Advisory_Affiliates` + month + `:4: ReferenceID is blank`,
		`IA_DRP_Advisory_Affiliates` + month + `:5: Affiliate Name is blank`,
		`IA_Schedule_D_7B2` + month + `:4: Fund Name and Fund ID are blank`,
		`IA_Schedule_D_7B1A6b` + month + `:4: Private Fund Name and Fund ID are blank`,
		`IA_Schedule_D_7B1A6b` + month + `:5: ReferenceID is blank`,
		`IA_Schedule_D_7B1A3a` + month + `:3: Name of Partner, etc. is blank`,
		`IA_Schedule_D_7B1A28_websites` + month + `:5: Website Address is blank`,
		`IA_Schedule_D_7B1A28_websites` + month + `:4: No marketer of its filing has the website's ReferenceID and SubreferenceID`,
	}, c.reasons())
	require.Equal(t, "WWW.NOBODY.EXAMPLE", c.rejected[len(c.rejected)-1].Raw)
	requireFirm(t, c)
	requireOwners(t, c)
	requireDisclosures(t, c)
	requireServed(t, c)
}

// TestOrderSaysNothing: the same rows and columns in another order are the same answers.
func TestOrderSaysNothing(t *testing.T) {
	t.Parallel()
	read := func(reversed bool) *children {
		turn := func(header, row string) string {
			if reversed {
				return table(turned(header), turned(row))
			}
			return table(header, row)
		}
		sites := []string{`7,55,1,"www.bellwether.example"`, `7,55,1,"WWW.ALDER.EXAMPLE"`, `7,55,1,"http://www.bellwether.example"`}
		if reversed {
			slices.Reverse(sites)
		}
		return mustDrainChildren(t, folder(t, files{
			"IA_ADV_Base_A" + month:    table(tinyHeader, "7,6/1/2026,ALDERMOOR CAPITAL LLC,4711"),
			"IA_Schedule_D_7A" + month: turn("FilingID,Legal Name,5a,5b,5p", "7,ALDERMOOR BROKERS LLC,Y,Y,Y"),
			"IA_DRP_Regulatory" + month: turn("FilingID,ReferenceID,11.C(1),11.D(2),Monetary Sanction,Revocation/Expulsion/Denial,Censure,Bar,Cease and Desist/Injunction,Suspension",
				"7,31,Y,Y,Y,Y,Y,Y,Y,Y"),
			"IA_Schedule_D_7B1" + month:             table(fundHeader, fundRow("7", "ALDERMOOR FUND I", "805-0000000001", "55", "1")),
			"IA_Schedule_D_7B1A28" + month:          table(marketerHeader, `7,55,1,"N","BELLWETHER PLACEMENT",,,,,,"Y"`),
			"IA_Schedule_D_7B1A28_websites" + month: table(siteHeader, sites...),
		}))
	}
	first, second := read(false), read(true)
	require.Empty(t, first.reasons())
	require.Equal(t, []string{"monetary sanction", "revocation/expulsion/denial", "censure", "bar", "cease and desist/injunction", "suspension"},
		first.disclosures[0].Sanctions, "as the form has them")
	require.Equal(t, []string{"11.C(1)", "11.D(2)"}, first.disclosures[0].Items)
	require.Equal(t, []string{"a", "b", "p"}, first.affiliates[0].Types)
	require.Equal(t, "http://www.bellwether.example", first.providers[0].Website)
	require.Equal(t, first.disclosures, second.disclosures)
	require.Equal(t, first.affiliates, second.affiliates)
	require.Equal(t, first.providers, second.providers)
}

// turned gives the cells of a line without quotes from the last to the first.
func turned(line string) string {
	cells := strings.Split(line, ",")
	slices.Reverse(cells)
	return strings.Join(cells, ",")
}

// TestChildrenOptional: without the tables there are no sequences; a table whose header is of no use costs itself alone.
func TestChildrenOptional(t *testing.T) {
	t.Parallel()
	bare := mustDrainChildren(t, folder(t, files{"IA_ADV_Base_A" + month: table(tinyHeader, "7,6/1/2026,ALDERMOOR CAPITAL LLC,4711")}))
	require.Nil(t, bare.doc.Identifiers)
	require.Nil(t, bare.doc.Offices)
	require.Nil(t, bare.doc.Affiliates)
	require.Nil(t, bare.doc.Owners)
	require.Nil(t, bare.doc.Disclosures)
	require.Nil(t, bare.doc.Implicated)
	require.Nil(t, bare.doc.SubAdvised)
	require.Nil(t, bare.doc.Feeders)
	require.Nil(t, bare.doc.Providers)

	c := mustDrainChildren(t, folder(t, files{
		"IA_ADV_Base_A" + month:                 table(tinyHeader, "7,6/1/2026,ALDERMOOR CAPITAL LLC,4711"),
		"IA_Schedule_A_B" + month:               table("FilingID,Schedule", "7,A"),
		"IA_DRP_Regulatory" + month:             ",,\n",
		"IA_Schedule_D_1F" + month:              table(officeHeader+",City", "7"),
		"IA_Schedule_D_7B1A28_websites" + month: table(siteHeader, `7,55,1,"WWW.BELLWETHER.EXAMPLE"`),
	}))
	require.Equal(t, []string{
		`IA_DRP_Regulatory` + month + `:1: The table is skipped: column "FilingID" is missing from the header`,
		`IA_Schedule_A_B` + month + `:1: The table is skipped: column "Full Legal Name" is missing from the header`,
		`IA_Schedule_D_1F` + month + `:1: The table is skipped: column "City" is in the header twice`,
		`IA_Schedule_D_7B1A28_websites` + month + `:1: The table is skipped: the table of marketers that it belongs to is missing or unusable`,
	}, c.reasons())
	require.Len(t, c.filings, 1)
	require.Nil(t, c.doc.Owners)
	require.Equal(t, "[filingid schedule]", folded(c, "ia_schedule_a_b"), "the layout shows what the header had")
}
