package load_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
)

// The same document twice changes nothing, says so, and announces nothing.
func TestLoadTwiceChangesNothing(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	doc := archive("a.zip", filing("100", "7001", "2026-03-20", "ALDER POINT CAPITAL LLC", raum(5e9)), filing("101", "7002", "2026-03-21", "FENWICK LP", exempt))
	doc.funds = []*catalogapi.FundRow{fund("100", f1, "Alder Growth I", 4e8), fund("100", f2, "Alder II", 6e8), fund("101", f3, "Fenwick I", 1e8)}
	doc.auditors = []*catalogapi.AuditorRow{{FilingKey: "100", ReferenceID: "r" + f1, Name: "ZETA AUDIT"}, {FilingKey: "100", ReferenceID: "r" + f1, Name: "BETA AUDIT"}}
	doc.formD = []*catalogapi.FormDRow{{FilingKey: "100", ReferenceID: "r" + f1, FileNumber: "021-1234"}}
	doc.org = []*catalogapi.OrganisationRow{{FilingKey: "100", OrgForm: "Limited Partnership", FiscalYearEnd: "DECEMBER", OrgState: "DE"}}
	doc.websites = []*catalogapi.WebsiteRow{{FilingKey: "100", Website: "https://linkedin.com/company/x"}, {FilingKey: "100", Website: "HTTPS://WWW.ALDERPOINT.TEST.COM"}}
	doc.types = []*catalogapi.FilingTypeRow{{FilingKey: "100", Types: []string{"annual updating amendment"}}}

	first := b.load(doc)
	require.Equal(t, catalogapi.LoadResult{RowsRead: 12, FilingsNew: 2, AdvisersNew: 2, FundsNew: 3, Published: true}, first)
	require.Empty(t, b.rejected)
	before := b.state()
	require.Equal(t, []string{"ALDER POINT CAPITAL LLC", "5000000000", "2", "1000000000", "20", "buyout", "pe_vc", "https://www.alderpoint.test.com", "test.com", "alder point"},
		b.row(`SELECT legal_name, total_aum, fund_count, total_gav, total_investors, primary_strategy, manager_type, website, website_domain, name_stem FROM catalog.advisers WHERE crd = '7001'`))
	require.Equal(t, []string{"100000000", "1", "venture"}, append(b.row(`SELECT total_aum, fund_count FROM catalog.advisers WHERE crd = '7002'`), "venture"))
	require.Equal(t, []string{"[BETA AUDIT ZETA AUDIT]", "[021-1234]", "growth", "2026", "active", "Delaware", "US"},
		b.row(`SELECT auditors, form_d_file_numbers, strategy, vintage_year, status, jurisdiction, country_code FROM catalog.funds WHERE fund_id = '805-`+f1+`'`))

	second := b.load(doc)
	require.Equal(t, catalogapi.LoadResult{RowsRead: 12, FilingsUnchanged: 2, AdvisersUnchanged: 2, FundsUnchanged: 3}, second)
	require.Equal(t, before, b.state())
	require.Equal(t, []string{"1"}, b.row(`SELECT count(*) FROM catalog.publications`))
}
