package load_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
)

func withChildren(c children) document {
	d := archive("a.zip", filing("1", "7001", "2026-05-03", "ALDER POINT LLC"), filing("2", "7002", "2026-05-03", "FENWICK LP"))
	d.funds = []*catalogapi.FundRow{fund("1", f1, "Alder I", 1e8), fund("1", f2, "Alder II", 1e8)}
	d.children = c
	return d
}

// Every field of every table arrives, and the same document again changes nothing.
func TestChildrenArrive(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	doc := withChildren(oneOfEach())
	first := b.load(doc)
	require.Equal(t, catalogapi.LoadResult{RowsRead: 13, FilingsNew: 2, AdvisersNew: 2, FundsNew: 2, Published: true}, first)
	require.Empty(t, b.rejected)
	for name, want := range map[string]string{
		"identifiers": `{"kind":"cik","value":"1700001","crd":"7001"}`,
		"offices": `{"crd":"7001","street1":"2 INVENTED STREET","street2":"FLOOR 3","city":"CHICAGO","state":"IL","country":"United States",
			"postal_code":"60601","private_residence":false,"phone":"312-555-0100","employee_count":7}`,
		"affiliates": `{"crd":"7001","reference_id":"a1","legal_name":"ALDER POINT SECURITIES LLC","business_name":"ALDER","sec_number":"8-1",
			"affiliate_crd":"7009","types":["a","m"],"controls":false,"common_control":true}`,
		"owners": `{"crd":"7001","schedule":"B","name":"PERSON, INVENTED, X","entity_type":"I","owned_entity":"ALDER HOLDINGS","title":"MEMBER",
			"acquired_year":2011,"acquired_month":9,"ownership_code":"E","control_person":true,"public_reporting":false,"owner_id":"1000018"}`,
		"disclosures": `{"crd":"7001","family":"regulatory","reference_id":"1771958","amended":true,"items":["11.E(3)"],"filed_against":"Affiliates",
			"initiated_by":"INVENTED REGULATOR","initiator_type":"SRO","court":null,"case_number":"2020000001","event_date":"2021-02-19",
			"product":"No Product","allegations":"invented","felony":null,"status":"Final","resolution":"Consent","resolution_date":"2021-03-01",
			"sanctions":["censure"],"monetary_amount":5000,"sanction_detail":"paid","summary":"none"}`,
		"disclosure_affiliates": `{"crd":"7001","reference_id":"1771958","disclosure_type":"Regulatory Action","affiliate_crd":"7009","kind":"Firm",
			"registered":true,"name":"ALDER POINT SECURITIES LLC"}`,
		"sub_advised_funds": `{"crd":"7001","fund_id":"805-0000000003","name":"Fenwick I","adviser_name":"FENWICK LP","adviser_sec_number":"801-2"}`,
		"fund_feeders":      `{"fund_id":"805-0000000001","feeder_fund_id":"805-0000000002","name":"Alder Feeder"}`,
		"fund_providers": `{"fund_id":"805-0000000001","role":"custodian","name":"INVENTED CUSTODY NA","business_name":"CUSTODY","crd":"77",
			"sec_number":"8-77","lei":"5493000EXAMPLE000001","city":"NEW YORK","state":"NY","country":"United States","related":false,
			"website":"https://custody.example.com"}`,
	} {
		got := b.row(`SELECT accession, seq, (to_jsonb(c) - 'accession' - 'seq')::text FROM catalog.` + name + ` c`)
		require.Equal(t, []string{"ADV-7001-1", "1"}, got[:2], name)
		require.JSONEq(t, want, got[2], name)
	}
	before := b.state()
	second := b.load(doc)
	require.Equal(t, catalogapi.LoadResult{RowsRead: 13, FilingsUnchanged: 2, AdvisersUnchanged: 2, FundsUnchanged: 2}, second)
	require.Equal(t, before, b.state())
}

// A row of any table that is restated, or no longer there, makes its filing another, and its fund's version not.
func TestRestatedChild(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.load(withChildren(oneOfEach()))
	hashes := b.rows(`SELECT fund_id, row_hash FROM catalog.fund_versions ORDER BY fund_id`)
	whole := map[string][][]string{}
	restated := oneOfEach() // more with each table
	for name, change := range map[string]func(c *children){
		"identifiers":           func(c *children) { c.identifiers[0].Value = "1700002" },
		"offices":               func(c *children) { c.offices[0].City = "BERLIN" },
		"affiliates":            func(c *children) { c.affiliates[0].Controls = new(true) },
		"owners":                func(c *children) { c.owners[0].Title = "DIRECTOR" },
		"disclosures":           func(c *children) { c.disclosures[0].Status = "On Appeal" },
		"disclosure_affiliates": func(c *children) { c.implicated[0].Kind = "Individual" },
		"sub_advised_funds":     func(c *children) { c.subAdvised[0].Name = "Fenwick II" },
		"fund_feeders":          func(c *children) { c.feeders[0].Name = "Alder Feeder II" },
		"fund_providers":        func(c *children) { c.providers[0].ReferenceID = "r" + f2 },
	} {
		change(&restated)
		whole[name] = b.rows(`SELECT to_jsonb(c) FROM catalog.` + name + ` c`)
		got := b.load(withChildren(restated))
		require.Equal(t, int64(1), got.FilingsChanged, name)
		require.Equal(t, int64(1), got.FilingsUnchanged, name)
		after := b.rows(`SELECT to_jsonb(c) FROM catalog.` + name + ` c`)
		require.Len(t, after, 1, name)
		require.NotEqual(t, whole[name], after, name)
		require.Equal(t, hashes, b.rows(`SELECT fund_id, row_hash FROM catalog.fund_versions ORDER BY fund_id`), name)
	}
	require.Len(t, whole, len(childNames))
	require.Equal(t, int64(1), b.load(withChildren(oneOfEach())).FilingsChanged)
	for name, rows := range whole {
		require.Equal(t, rows, b.rows(`SELECT to_jsonb(c) FROM catalog.`+name+` c`), name)
	}
	require.Equal(t, hashes, b.rows(`SELECT fund_id, row_hash FROM catalog.fund_versions ORDER BY fund_id`))
	empty := children{
		identifiers: []*catalogapi.IdentifierRow{}, offices: []*catalogapi.OfficeRow{}, affiliates: []*catalogapi.AffiliateRow{},
		owners: []*catalogapi.OwnerRow{}, disclosures: []*catalogapi.DisclosureRow{}, implicated: []*catalogapi.DisclosureAffiliateRow{},
		subAdvised: []*catalogapi.SubAdvisedRow{}, feeders: []*catalogapi.FeederRow{}, providers: []*catalogapi.ProviderRow{},
	}
	require.Equal(t, int64(1), b.load(withChildren(empty)).FilingsChanged)
	for _, name := range childNames {
		require.Equal(t, []string{"0"}, b.row(`SELECT count(*) FROM catalog.`+name), name)
	}
}

// A document that lacks a table says nothing of it: what an earlier edition of the filing had from it stays. A fund that
// it no longer lists takes its rows along.
func TestMissingTableDeletesNothing(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	full := withChildren(oneOfEach())
	full.auditors = []*catalogapi.AuditorRow{{FilingKey: "1", ReferenceID: "r" + f1, Name: "BETA AUDIT"}}
	full.formD = []*catalogapi.FormDRow{{FilingKey: "1", ReferenceID: "r" + f1, FileNumber: "021-1"}}
	full.org = []*catalogapi.OrganizationRow{{FilingKey: "1", Statement: catalogapi.Statement{OrgForm: new("Corporation"), FiscalYearEnd: new("JUNE")}}}
	full.websites = []*catalogapi.WebsiteRow{{FilingKey: "1", Website: "https://alder.example.com"}}
	full.types = []*catalogapi.FilingTypeRow{{FilingKey: "1", Types: []string{"annual updating amendment"}}}
	b.load(full)
	before := b.state()
	bare := withChildren(children{})
	bare.without = func(d *catalogapi.Document) {
		d.Organization, d.Websites, d.Types, d.Auditors, d.FormDNumbers = nil, nil, nil, nil, nil
	}
	require.Equal(t, int64(1), b.load(bare).FilingsChanged)
	after := b.state()
	for name, rows := range before {
		if name != "adviser_versions" && name != "fund_versions" { // their row_hash is of the document
			require.Equal(t, rows, after[name], name)
		}
	}
	require.Equal(t, []string{"Corporation", "JUNE", "https://alder.example.com"},
		b.row(`SELECT org_form, fiscal_year_end, website FROM catalog.adviser_versions WHERE crd = '7001'`))
	require.Equal(t, []string{"[BETA AUDIT]", "[021-1]"}, b.row(`SELECT auditors, form_d_file_numbers FROM catalog.funds WHERE fund_id = '805-`+f1+`'`))

	bare.funds = bare.funds[1:]
	require.Equal(t, int64(1), b.load(bare).FilingsChanged)
	require.Equal(t, []string{"0", "0", "1"}, b.row(`SELECT (SELECT count(*) FROM catalog.fund_providers),
		(SELECT count(*) FROM catalog.fund_feeders), (SELECT count(*) FROM catalog.owners)`))
}

// What a row must have is asked for by name; what it may have is null where it cannot be right. Equal rows are one.
func TestChildRejects(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	c := oneOfEach()
	c.identifiers = append(c.identifiers, c.identifiers[0],
		&catalogapi.IdentifierRow{FilingKey: "1", Kind: "lei", Value: "1"}, &catalogapi.IdentifierRow{FilingKey: "1", Kind: "crd", Value: "x"},
		&catalogapi.IdentifierRow{FilingKey: "77", Kind: "crd", Value: "1", File: "crd.csv", Line: 9})
	c.affiliates = append(c.affiliates, &catalogapi.AffiliateRow{FilingKey: "1", CRD: "0"})
	for _, change := range []func(o *catalogapi.OwnerRow){
		func(o *catalogapi.OwnerRow) { o.Schedule = "C" },
		func(o *catalogapi.OwnerRow) { o.Name = "\x00" },
		func(o *catalogapi.OwnerRow) { o.EntityType = "X" },
		func(o *catalogapi.OwnerRow) { o.OwnershipCode = "Z" },
		func(o *catalogapi.OwnerRow) { o.OwnerID, o.AcquiredMonth, o.AcquiredYear = "00-0000000", 13, 0 },
		func(o *catalogapi.OwnerRow) { o.FilingKey = "3" },
	} {
		o := owner("1", "PERSON, INVENTED")
		change(o)
		c.owners = append(c.owners, o)
	}
	c.disclosures = append(c.disclosures, &catalogapi.DisclosureRow{FilingKey: "1", Family: "civil"},
		&catalogapi.DisclosureRow{FilingKey: "1", Family: catalogapi.DisclosureCriminal, EventDate: day("0021-02-19")})
	c.implicated = append(c.implicated, &catalogapi.DisclosureAffiliateRow{FilingKey: "1", CRD: "abc"})
	c.subAdvised = append(c.subAdvised, &catalogapi.SubAdvisedRow{FilingKey: "1", FundID: "805-1"})
	c.feeders = append(c.feeders, c.feeders[0], &catalogapi.FeederRow{FilingKey: "1", ReferenceID: "r" + f1, FundID: "805-1"},
		&catalogapi.FeederRow{FilingKey: "1", ReferenceID: "nope", Name: "X"})
	c.providers = append(c.providers, &catalogapi.ProviderRow{FilingKey: "1", ReferenceID: "r" + f1, Role: "cook", Name: "X"},
		&catalogapi.ProviderRow{FilingKey: "1", ReferenceID: "r" + f1, Role: catalogapi.RoleMarketer, CRD: "junk"},
		&catalogapi.ProviderRow{FilingKey: "1", ReferenceID: "r" + f1, Role: catalogapi.RoleMarketer, BusinessName: "MARKETER", CRD: "junk"})
	doc := withChildren(c)
	doc.filings = append(doc.filings, filing("3", "07003", "2026-05-03", "REFUSED LLC"))
	b.load(doc)
	var reasons []string
	for _, r := range b.rejected {
		require.NotEmpty(t, r.File)
		require.NotEmpty(t, r.Raw)
		reasons = append(reasons, r.Reason)
	}
	require.Equal(t, []string{
		`CRD "07003" is not 1 to 10 digits without leading zeros`,
		`kind of number "lei" is neither cik nor crd`,
		`crd number "x" is not 1 to 10 digits without leading zeros`,
		`FilingID "77" is not among the filings of this document`,
		`Legal Name, Business Name and CRD Number of the affiliate are all missing`,
		`Schedule "C" is neither A nor B`,
		`Full Legal Name is blank`,
		`DE/FE/I "X" is unknown`,
		`Ownership Code "Z" is unknown`,
		`the filing "3" that the row belongs to was rejected`,
		`family of disclosures "civil" is unknown`,
		`Affiliate Name and CRD Number are both missing`,
		`Fund Name is blank and Fund ID "805-1" is not 805- and ten digits`,
		`Private Fund Name is blank and Fund ID "805-1" is not 805- and ten digits`,
		`ReferenceID "nope" is not among the funds of filing "1"`,
		`role "cook" is unknown`,
		`the name of the fund's marketer is blank`,
	}, reasons)
	require.Equal(t, []string{"1", "1"}, b.row(`SELECT (SELECT count(*) FROM catalog.identifiers), (SELECT count(*) FROM catalog.fund_feeders)`))
	require.Equal(t, []string{"2", "∅", "∅", "∅"}, b.row(`SELECT seq, owner_id, acquired_month, acquired_year FROM catalog.owners WHERE schedule = 'A'`))
	require.Equal(t, []string{"∅"}, b.row(`SELECT event_date FROM catalog.disclosures WHERE family = 'criminal'`))
	require.Equal(t, []string{"2", "MARKETER", "∅"}, b.row(`SELECT seq, name, crd FROM catalog.fund_providers WHERE role = 'marketer'`))
}

// The owner of the load is told what is staged, and his no leaves everything as it was.
func TestAcceptRefuses(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.load(withChildren(oneOfEach()))
	before := b.state()
	doc := withChildren(oneOfEach())
	doc.filings = append(doc.filings, filing("2", "7002", "2026-05-03", "FENWICK LP"), filing("2", "7002", "2026-05-03", "FENWICK OTHERWISE LP"),
		filing("5", "7002", "2026-06-03", "FENWICK CAPITAL LP"))
	doc.funds = append(doc.funds, fund("1", f2, "Alder II", 1e8), fund("5", f2, "Alder II", 1e8))
	no := errors.New("a tenth of the advisers is gone")
	var told []catalogapi.Staged
	refuse := catalogapi.LoadOptions{RunID: 9, Accept: func(_ context.Context, s catalogapi.Staged) error {
		s.Changed = nil // see TestGateStopsChangedValues
		told = append(told, s)
		return no
	}}
	_, err := b.loader.LoadDocument(t.Context(), doc.stream(), refuse)
	require.ErrorIs(t, err, no)
	require.Equal(t, before, b.state())
	_, err = b.loader.LoadDocument(t.Context(), withdrawals("w.zip", withdrawal("7001", "1", "2026-07-01", true), withdrawal("7001", "1", "2026-07-01", false)).stream(), refuse)
	require.ErrorIs(t, err, no)
	require.Equal(t, before, b.state())
	require.Equal(t, []catalogapi.Staged{
		{Rows: 18, Keyed: 9, Filings: 3, Advisers: 2, Funds: 2, Duplicates: 3},
		{Rows: 2, Keyed: 2, Filings: 1, Advisers: 1, Duplicates: 1},
	}, told)
	require.True(t, b.load(doc).Published, "the connection is as good as before")
}
