package load_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
)

// A fund's row that is lost closes nothing: a row of another table that names the fund shows that the list is not whole. When the
// whole archive comes, all is as if it had never been otherwise.
func TestLostFundRowClosesNothing(t *testing.T) {
	t.Parallel()
	before := archive("2025.zip", filing("1", "7001", "2025-05-03", "ALDER POINT LLC"))
	before.funds = []*catalogapi.FundRow{fund("1", f1, "Alder I", 1e8), fund("1", f2, "Alder II", 2e8)}
	both := []*catalogapi.FundRow{fund("2", f1, "Alder I", 3e8), fund("2", f2, "Alder II", 4e8)}
	named := "r" + f2
	for name, add := range map[string]func(d *document){
		"auditor": func(d *document) {
			d.auditors = []*catalogapi.AuditorRow{{FilingKey: "2", ReferenceID: named, Name: "BETA AUDIT"}, {FilingKey: "2", ReferenceID: named, Name: "GAMMA AUDIT"}}
		},
		"Form D number": func(d *document) {
			d.formD = []*catalogapi.FormDRow{{FilingKey: "2", ReferenceID: named, FileNumber: "021-1"}}
		},
		"feeder": func(d *document) {
			d.feeders = []*catalogapi.FeederRow{{FilingKey: "2", ReferenceID: named, FundID: "805-" + f3, Name: "Alder Feeder"}}
		},
		"provider": func(d *document) { d.providers = []*catalogapi.ProviderRow{provider("2", f2, "INVENTED PRIME LLC")} },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b, straight := newBench(t), newBench(t)
			whole := archive("2026.zip", filing("2", "7001", "2026-05-03", "ALDER POINT LLC"))
			whole.children = children{ // all tables are there
				identifiers: []*catalogapi.IdentifierRow{}, offices: []*catalogapi.OfficeRow{}, affiliates: []*catalogapi.AffiliateRow{},
				owners: []*catalogapi.OwnerRow{}, disclosures: []*catalogapi.DisclosureRow{}, implicated: []*catalogapi.DisclosureAffiliateRow{},
				subAdvised: []*catalogapi.SubAdvisedRow{}, feeders: []*catalogapi.FeederRow{}, providers: []*catalogapi.ProviderRow{},
			}
			add(&whole)
			torn := whole
			whole.funds, torn.funds = both, both[:1]
			b.load(before)
			b.load(torn)
			require.NotEmpty(t, b.rejected)
			for _, r := range b.rejected {
				require.Equal(t, `ReferenceID "`+named+`" is not among the funds of filing "2"`, r.Reason)
			}
			require.Equal(t, [][]string{{"active", "300000000"}, {"active", "200000000"}}, b.rows(`SELECT status, gross_asset_value FROM catalog.funds ORDER BY fund_id`))
			require.Equal(t, []string{"2"}, b.row(`SELECT fund_count FROM catalog.advisers`))
			require.Equal(t, [][]string{{"1", "true"}, {"2", "false"}}, b.rows(`SELECT filing_id, funds_listed FROM catalog.filings ORDER BY filing_id`))
			require.False(t, b.load(torn).Published, "the same again")

			b.load(whole)
			require.Empty(t, b.rejected)
			straight.load(before)
			straight.load(whole)
			require.Equal(t, straight.state(), b.state())

			b.load(torn)
			require.Equal(t, [][]string{{"active", "300000000"}, {"active", "400000000"}}, b.rows(`SELECT status, gross_asset_value FROM catalog.funds ORDER BY fund_id`),
				"what was whole before stays so")
		})
	}
}

// A fund that no table names any more is closed, also after an edition of the filing that had lost its row alone. A row without
// a reference, or of a refused fund, shows nothing.
func TestFundNamedNowhereIsClosed(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	before := archive("2025.zip", filing("1", "7001", "2025-05-03", "ALDER POINT LLC"))
	before.funds = []*catalogapi.FundRow{fund("1", f1, "Alder I", 1e8), fund("1", f2, "Alder II", 2e8)}
	b.load(before)
	after := archive("2026.zip", filing("2", "7001", "2026-05-03", "ALDER POINT LLC"))
	again := fund("2", f1, "Alder One", 3e8) // refused: the row before says otherwise
	again.ReferenceID = "r-again"
	after.funds = []*catalogapi.FundRow{fund("2", f1, "Alder I", 3e8), again}
	torn := after
	torn.auditors = []*catalogapi.AuditorRow{{FilingKey: "2", ReferenceID: "r" + f2, Name: "BETA AUDIT"}}
	b.load(torn)
	require.Equal(t, [][]string{{"active"}, {"active"}}, b.rows(`SELECT status FROM catalog.funds ORDER BY fund_id`))

	after.auditors = []*catalogapi.AuditorRow{{FilingKey: "2", Name: "BETA AUDIT"}, {FilingKey: "2", ReferenceID: "r-again", Name: "BETA AUDIT"}}
	require.EqualValues(t, 1, b.load(after).FilingsChanged)
	require.Len(t, b.rejected, 3)
	require.Equal(t, [][]string{{"active"}, {"closed"}}, b.rows(`SELECT status FROM catalog.funds ORDER BY fund_id`))
	require.Equal(t, []string{"1"}, b.row(`SELECT fund_count FROM catalog.advisers`))
}

// A filing that answers Y to item 7.B and has no row of funds has lost them: it closes none. A fund that another adviser reports
// is a row, and so is one that is listed; whoever answers N has no funds.
func TestFilingWithoutTheFundsThatItAnnouncesClosesNone(t *testing.T) {
	t.Parallel()
	before := archive("2025.zip", filing("1", "7001", "2025-05-03", "ALDER POINT LLC"))
	before.funds = []*catalogapi.FundRow{fund("1", f1, "Alder I", 1e8), fund("1", f2, "Alder II", 2e8)}
	after := func(advises bool) document {
		return archive("2026.zip", filing("2", "7001", "2026-05-03", "ALDER POINT LLC", func(f *catalogapi.AdviserFiling) { f.AdvisesFunds = &advises }))
	}
	torn, sub, none, whole := after(true), after(true), after(false), after(true)
	sub.subAdvised = []*catalogapi.SubAdvisedRow{{FilingKey: "2", FundID: "805-" + f3, Name: "Fenwick I"}}
	whole.funds = []*catalogapi.FundRow{fund("2", f2, "Alder II", 4e8)}
	const funds = `SELECT status, gross_asset_value FROM catalog.funds ORDER BY fund_id`
	for name, c := range map[string]struct {
		document
		funds    [][]string
		of, list string
	}{
		"lost":        {torn, [][]string{{"active", "100000000"}, {"active", "200000000"}}, "2", "false"},
		"sub-advised": {sub, [][]string{{"closed", "100000000"}, {"closed", "200000000"}}, "0", "true"},
		"answers N":   {none, [][]string{{"closed", "100000000"}, {"closed", "200000000"}}, "0", "true"},
		"whole":       {whole, [][]string{{"closed", "100000000"}, {"active", "400000000"}}, "1", "true"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			b.load(before)
			b.load(c.document)
			require.Empty(t, b.rejected)
			require.Equal(t, c.funds, b.rows(funds))
			require.Equal(t, []string{c.of}, b.row(`SELECT fund_count FROM catalog.advisers`))
			require.Equal(t, []string{c.list}, b.row(`SELECT funds_listed FROM catalog.filings WHERE filing_id = '2'`))
			b.load(whole)
			require.Equal(t, [][]string{{"closed", "100000000"}, {"active", "400000000"}}, b.rows(funds), "once the whole archive comes")
		})
	}
}

// A role is known from the newest filing with its table. If that filing has lost its funds, the role of each is unknown, not what it was.
func TestRoleOfAFundThatTheNewestTableLacksIsUnknown(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	before := archive("2025.zip", filing("1", "7001", "2025-05-03", "ALDER POINT LLC"))
	before.funds = []*catalogapi.FundRow{fund("1", f1, "Alder I", 1e8)}
	before.providers = []*catalogapi.ProviderRow{provider("1", f1, "MOSSGATE BANK NA")}
	b.load(before)
	const stated = `SELECT stated, cardinality(services) FROM catalog.fund_services WHERE fund_id = '805-` + f1 + `'`
	require.Equal(t, []string{"30", "1"}, b.row(stated))
	after := archive("2026.zip", filing("2", "7001", "2026-05-03", "ALDER POINT LLC", func(f *catalogapi.AdviserFiling) { f.AdvisesFunds = new(true) }),
		filing("3", "7002", "2026-05-03", "BIRCH LLC"))
	after.funds = []*catalogapi.FundRow{fund("3", f2, "Birch I", 2e8)}
	after.providers = []*catalogapi.ProviderRow{provider("3", f2, "MOSSGATE BANK NA")}
	b.load(after)
	require.Equal(t, []string{"active"}, b.row(`SELECT status FROM catalog.funds WHERE fund_id = '805-`+f1+`'`))
	require.Equal(t, []string{"0", "0"}, b.row(stated), "the archive has the table of providers")
}
