package load_test

import (
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/testkit/testscale"
)

// The same document twice changes nothing, says so, and announces nothing.
func TestLoadTwiceChangesNothing(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	doc := archive("a.zip", filing("100", "7001", "2026-03-20", "ALDER POINT CAPITAL LLC", raum(5e9)), filing("101", "7002", "2026-03-21", "FENWICK LP", exempt))
	doc.funds = []*catalogapi.FundRow{fund("100", f1, "Alder Growth I", 4e8), fund("100", f2, "Alder II", 6e8), fund("101", f3, "Fenwick I", 1e8)}
	doc.auditors = []*catalogapi.AuditorRow{{FilingKey: "100", ReferenceID: "r" + f1, Name: "ZETA AUDIT"}, {FilingKey: "100", ReferenceID: "r" + f1, Name: "BETA AUDIT"}}
	doc.formD = []*catalogapi.FormDRow{{FilingKey: "100", ReferenceID: "r" + f1, FileNumber: "021-1234"}}
	doc.org = []*catalogapi.OrganizationRow{{
		FilingKey: "100",
		Statement: catalogapi.Statement{OrgForm: new("Limited Partnership"), FiscalYearEnd: new("DECEMBER"), OrgState: new("DE")},
	}}
	doc.websites = []*catalogapi.WebsiteRow{{FilingKey: "100", Website: "https://linkedin.com/company/x"}, {FilingKey: "100", Website: "HTTPS://WWW.ALDERPOINT.TEST.COM"}}
	doc.types = []*catalogapi.FilingTypeRow{{FilingKey: "100", Types: []string{"annual updating amendment"}}}

	first := b.load(doc)
	require.Equal(t, catalogapi.LoadResult{RowsRead: 12, FilingsNew: 2, AdvisersNew: 2, FundsNew: 3, Published: true}, first)
	require.Empty(t, b.rejected)
	before := b.state()
	require.Equal(t, []string{"ALDER POINT CAPITAL LLC", "5000000000", "2", "1000000000", "20", "buyout", "pe_vc", "https://www.alderpoint.test.com", "test.com", "alder point"},
		b.row(`SELECT legal_name, total_aum, fund_count, total_gav, total_investors, primary_strategy, manager_type, website, website_domain, name_stem FROM catalog.advisers WHERE crd = '7001'`))
	require.Equal(t, []string{"100000000", "1"}, b.row(`SELECT total_aum, fund_count FROM catalog.advisers WHERE crd = '7002'`))
	require.Equal(t, []string{"[BETA AUDIT ZETA AUDIT]", "[021-1234]", "growth", "2026", "active", "Delaware", "US"},
		b.row(`SELECT auditors, form_d_file_numbers, strategy, vintage_year, status, jurisdiction, country_code FROM catalog.funds WHERE fund_id = '805-`+f1+`'`))

	second := b.load(doc)
	require.Equal(t, catalogapi.LoadResult{RowsRead: 12, FilingsUnchanged: 2, AdvisersUnchanged: 2, FundsUnchanged: 3}, second)
	require.Equal(t, before, b.state())
	require.Equal(t, []string{"1"}, b.row(`SELECT count(*) FROM catalog.publications`))
}

// history is a handful of documents about three advisers over the years, of all sources of advisers, with restated places, a
// change of regime, a fund that closes, one that moves and one that comes back.
func history() []document {
	d2023 := archive("2023.zip",
		filing("1", "7001", "2023-03-30", "ALDER POINT LLC", exempt, func(f *catalogapi.AdviserFiling) { f.SECNumber = new("802-1") }),
		filing("2", "7002", "2023-05-02", "FENWICK LP", raum(1e9)))
	d2023.org = []*catalogapi.OrganizationRow{{FilingKey: "1", Statement: catalogapi.Statement{FiscalYearEnd: new("DECEMBER"), OrgState: new("DE")}}}
	d2023.owners = []*catalogapi.OwnerRow{owner("1", "PERSON, INVENTED"), owner("1", "PERSON, OTHER"), owner("2", "FENWICK GP LLC")}
	d2023.providers = []*catalogapi.ProviderRow{provider("1", f1, "INVENTED BANK"), provider("1", f2, "INVENTED BANK"), provider("2", f3, "INVENTED BANK")}
	d2023.funds = []*catalogapi.FundRow{fund("1", f1, "Alder Growth I", 4e8), fund("1", f2, "Alder II", 6e8), fund("2", f3, "Fenwick I", 1e8)}
	d2024 := archive("2024.zip",
		filing("3", "7001", "2024-03-28", "ALDER POINT LLC", raum(3e9), func(f *catalogapi.AdviserFiling) { f.SECNumber = new("801-9") }),
		filing("4", "7002", "2024-05-02", "FENWICK LP", raum(2e9)))
	d2024.owners = []*catalogapi.OwnerRow{owner("3", "PERSON, INVENTED"), owner("4", "FENWICK GP LLC")}
	d2024.affiliates = []*catalogapi.AffiliateRow{affiliate("3", "7002", "FENWICK LP"), affiliate("4", "7001", "ALDER POINT LLC")}
	d2024.funds = []*catalogapi.FundRow{fund("3", f1, "Alder Growth I", 9e7), fund("4", f3, "Fenwick I", 2e8), fund("4", f2, "Alder II", 5e8)}
	d2025 := archive("2025.zip", filing("5", "7001", "2025-08-01", "ALDER POINT CAPITAL LLC", raum(4e9)), filing("6", "7001", "2025-08-01", "ALDER POINT CAPITAL LLC", raum(5e9)))
	d2025.funds = []*catalogapi.FundRow{fund("5", f1, "Alder Growth I", 8e7), fund("6", f1, "Alder Growth I", 8e7)}
	d2025.types = []*catalogapi.FilingTypeRow{{FilingKey: "5", Types: []string{"annual updating amendment"}}, {FilingKey: "6", Types: []string{"other-than-annual amendment"}}}
	d2025.websites = []*catalogapi.WebsiteRow{{FilingKey: "6", Website: "https://alder-point.com"}}
	r2024 := roster("roster-2024.csv",
		rosterRow("7001", "2024-03-28", "ALDER POINT LLC", func(f *catalogapi.AdviserFiling) {
			f.SECStatus, f.StatusDate, f.City, f.State = new("Approved"), new(day("2024-02-01")), new("BOSTON"), new("MA")
		}),
		rosterRow("7003", "2008-01-07", "QUILL ADVISERS", exempt, func(f *catalogapi.AdviserFiling) {
			f.AdvisesFunds, f.ReportedFundCount, f.ReportedFundGAV = new(true), new(int64(3)), new(int64(7e8))
		}))
	list := document{name: "funds.csv", source: catalogapi.SourceFundList, filings: []*catalogapi.AdviserFiling{
		{Key: "7003", CRD: "7003", Submitted: day("2024-07-10"), Statement: catalogapi.Statement{LegalName: "QUILL"}},
	}}
	list.funds = []*catalogapi.FundRow{fund("7003", "0000000004", "Quill I", 1e7)}
	list.funds[0].ReferenceID = ""
	feed := document{name: "feed.xml.gz", source: catalogapi.SourceFeed, filings: []*catalogapi.AdviserFiling{
		rosterRow("7002", "2024-05-02", "FENWICK LP OF THE FEED", func(f *catalogapi.AdviserFiling) { f.Phone = new("617-555-0100") }),
	}}
	gone := withdrawals("advw.zip", withdrawal("7003", "81", "2025-01-31", true), withdrawal("7001", "82", "2024-12-31", true), withdrawal("7002", "83", "2025-12-31", false))
	return []document{d2023, d2024, d2025, r2024, list, feed, gone}
}

// historyLoaded is the state that the history comes to, its documents loaded one by one as they stand. The first test that
// asks loads it for all.
func historyLoaded(t *testing.T) map[string][][]string {
	t.Helper()
	theHistory.once.Do(func() {
		b := newBench(t)
		for _, d := range history() {
			b.load(d)
		}
		require.Equal(t, []string{"3"}, b.row(`SELECT count(*) FROM catalog.filings WHERE crd = '7003'`))
		theHistory.state = b.state()
	})
	require.NotEmpty(t, theHistory.state, "the test that loaded the history first has failed")
	return theHistory.state
}

var theHistory struct {
	once  sync.Once
	state map[string][][]string
}

// orders are 2·pairs orders of the numbers below n: some that chance gives, and each of them backwards, so that of any two
// numbers either is the first in half of the orders.
func orders(rng *rand.Rand, n, pairs int) (out [][]int) {
	for range pairs {
		order := rng.Perm(n)
		back := slices.Clone(order)
		slices.Reverse(back)
		out = append(out, order, back)
	}
	return out
}

// Documents may come in any order: the catalog is the same in the end. Twelve orders are the full figure.
func TestAnyOrderGivesTheSameState(t *testing.T) {
	t.Parallel()
	docs := history()
	want := historyLoaded(t)
	for _, order := range orders(rand.New(rand.NewPCG(5, 17)), len(docs), testscale.Rounds(t, 2)) {
		b := newBench(t)
		for _, n := range order {
			b.load(docs[n])
		}
		require.Equal(t, want, b.state(), "order %v", order)
		b.close()
	}
}

// What the history above comes to, field by field.
func TestHistoryComesTo(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for _, d := range history() {
		b.load(d)
		require.Empty(t, b.rejected)
	}
	require.Equal(t, [][]string{
		{"ADV-7001-1", "ADV", "initial"},
		{"ADV-7001-3", "ADV/A", "annual"},
		{"ROSTER-7001-20240328", "ADV/A", "annual"},
		{"ADVW-7001-82", "ADV-W", "withdrawal"},
		{"ADV-7001-5", "ADV/A", "annual"},
		{"ADV-7001-6", "ADV/A", "material"},
	}, b.rows(`SELECT accession, form_type, amendment_type FROM catalog.filings WHERE crd = '7001' ORDER BY filing_date, accession`))
	// The newest of two filings of one day is the one with the higher FilingID. Its number belongs to the new regime and
	// was not repeated; the roster's date of registration stands; the website is the firm's.
	require.Equal(t, []string{"ALDER POINT CAPITAL LLC", "registered", "∅", "Approved", "2024-02-01", "5000000000", "ADV-7001-6", "https://alder-point.com", "2023", "2023-03-30"},
		b.row(`SELECT legal_name, registration_status, sec_number, sec_status, registered_on, total_aum, latest_accession, website, founded_year, first_filed_on FROM catalog.advisers WHERE crd = '7001'`))
	require.Equal(t, []string{"1", "80000000", "10", "growth"},
		b.row(`SELECT fund_count, total_gav, total_investors, primary_strategy FROM catalog.advisers WHERE crd = '7001'`))
	// Its second fund went over to the other adviser.
	require.Equal(t, [][]string{
		{"805-" + f1, "7001", "active", "2023", "400000000"},
		{"805-" + f2, "7002", "active", "2023", "600000000"},
		{"805-" + f3, "7002", "active", "2023", "200000000"},
		{"805-0000000004", "7003", "active", "2024", "10000000"},
	}, b.rows(`SELECT fund_id, adviser_crd, status, vintage_year, peak_gav FROM catalog.funds ORDER BY fund_id`))
	// One has withdrawn since its last filing; the other two have filed since, or withdrew in part.
	require.Equal(t, [][]string{{"7001", "∅"}, {"7002", "∅"}, {"7003", "2025-01-31"}}, b.rows(`SELECT crd, withdrawn_on FROM catalog.advisers ORDER BY crd`))
	// A fund list names the funds; what it calls the adviser does not replace the roster's name. The funds that it named
	// count, not the roster's older figures.
	require.Equal(t, []string{"QUILL ADVISERS", "ROSTER-7003-20080107", "1", "10000000", "10000000", "2008"},
		b.row(`SELECT legal_name, latest_accession, fund_count, total_gav, total_aum, founded_year FROM catalog.advisers WHERE crd = '7003'`))
}

// A filing that is restated replaces its version: a fund that it no longer names was never named by it.
func TestRestatedFilingReplacesItsVersion(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	first := archive("june.zip", filing("1", "7001", "2026-06-03", "ALDER POINT LLC", raum(1e9)), filing("2", "7002", "2026-06-04", "FENWICK LP"))
	first.funds = []*catalogapi.FundRow{fund("1", f1, "Alder I", 1e8), fund("1", f2, "Alder II", 2e8), fund("2", f3, "Fenwick I", 3e8)}
	first.auditors = []*catalogapi.AuditorRow{{FilingKey: "1", ReferenceID: "r" + f1, Name: "BETA AUDIT"}}
	b.load(first)
	untouched := b.rows(`SELECT to_jsonb(a) FROM catalog.advisers a WHERE crd = '7002'`)

	restated := archive("june.zip", filing("1", "7001", "2026-06-03", "ALDER POINT LLC", raum(2e9)), filing("2", "7002", "2026-06-04", "FENWICK LP"))
	restated.funds = []*catalogapi.FundRow{fund("1", f1, "Alder I", 1e8), fund("2", f3, "Fenwick I", 3e8)}
	got := b.load(restated)
	require.Equal(t, catalogapi.LoadResult{
		RowsRead: 4, FilingsChanged: 1, FilingsUnchanged: 1, AdvisersChanged: 1, AdvisersUnchanged: 1, FundsChanged: 1, FundsUnchanged: 1, Published: true,
	}, got)
	require.Equal(t, []string{"2000000000", "1"}, b.row(`SELECT total_aum, fund_count FROM catalog.advisers WHERE crd = '7001'`))
	require.Equal(t, []string{"∅"}, b.row(`SELECT auditors FROM catalog.funds WHERE fund_id = '805-`+f1+`'`))
	require.Equal(t, []string{"2"}, b.row(`SELECT count(*) FROM catalog.funds`))
	require.Equal(t, []string{"2"}, b.row(`SELECT count(*) FROM catalog.fund_versions`))
	require.Equal(t, untouched, b.rows(`SELECT to_jsonb(a) FROM catalog.advisers a WHERE crd = '7002'`), "not even its updated_at")
}

// An archive is a delta: who is not in it stays as he was.
func TestAbsentAdvisersStay(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.load(archive("may.zip", filing("1", "7001", "2026-05-03", "ALDER POINT LLC"), filing("2", "7002", "2026-05-04", "FENWICK LP")))
	b.load(archive("june.zip", filing("3", "7001", "2026-06-03", "ALDER POINT CAPITAL LLC")))
	require.Equal(t, [][]string{{"7001", "ALDER POINT CAPITAL LLC"}, {"7002", "FENWICK LP"}},
		b.rows(`SELECT crd, legal_name FROM catalog.advisers ORDER BY crd`))
}

// A fund that the newest list omits is closed, and open again when a later one names it.
func TestFundClosesAndReopens(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	with, without := func(id, date string) document {
		d := archive(id, filing(id, "7001", date, "ALDER POINT LLC"))
		d.funds = []*catalogapi.FundRow{fund(id, f1, "Alder I", 1e8)}
		return d
	}, func(id, date string) document { return archive(id, filing(id, "7001", date, "ALDER POINT LLC")) }
	state := func() []string {
		return b.row(`SELECT f.status, a.fund_count, a.total_gav, a.primary_strategy FROM catalog.funds f JOIN catalog.advisers a ON a.crd = f.adviser_crd`)
	}
	b.load(with("1", "2024-03-01"))
	require.Equal(t, []string{"active", "1", "100000000", "buyout"}, state())
	b.load(without("2", "2025-03-01"))
	require.Equal(t, []string{"closed", "0", "0", "∅"}, state())
	b.load(roster("r.csv", rosterRow("7001", "2025-04-01", "ALDER POINT LLC")))
	require.Equal(t, []string{"closed", "0", "0", "∅"}, state(), "a roster lists no funds")
	b.load(with("3", "2026-03-01"))
	require.Equal(t, []string{"active", "1", "100000000", "buyout"}, state())
}
