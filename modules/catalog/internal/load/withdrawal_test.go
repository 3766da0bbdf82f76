package load_test

import (
	"context"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
)

const withdrawnSQL = `SELECT crd, withdrawn_on, latest_accession, latest_form_type FROM catalog.advisers ORDER BY crd`

// A full withdrawal that is later than everything else ends the adviser; a form that comes after it, or that is as late,
// does not let it; a partial one never does. Nothing else of the adviser depends on it.
func TestWithdrawals(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	forms := archive("a.zip",
		filing("1", "7001", "2025-03-30", "ALDER POINT LLC"), filing("2", "7001", "2026-03-30", "ALDER POINT LLC"),
		filing("3", "7002", "2026-03-30", "FENWICK LP"), filing("4", "7003", "2026-03-30", "QUILL LP"), filing("5", "7004", "2026-03-30", "ROWAN LP"))
	b.load(forms)
	chain := b.rows(`SELECT accession, form_type, amendment_type FROM catalog.filings ORDER BY accession`)
	doc := withdrawals("advw.zip",
		withdrawal("7001", "11", "2026-04-02", true), withdrawal("7001", "12", "2025-01-02", true), withdrawal("7001", "13", "2026-05-02", false),
		withdrawal("7002", "14", "2026-03-30", true), withdrawal("7003", "15", "2026-06-30", false),
		withdrawal("7999", "16", "2026-06-30", true), withdrawal("7999", "16", "2026-06-30", true),
		withdrawal("07001", "17", "2026-06-30", true), withdrawal("7001", "x", "2026-06-30", true), withdrawal("7001", "18", "0001-01-01", true),
		withdrawal("7001", "11", "2026-04-03", true))
	got := b.load(doc)
	require.Equal(t, catalogapi.LoadResult{
		RowsRead: 11, FilingsNew: 6, FilingsUnchanged: 1, AdvisersChanged: 2, AdvisersUnchanged: 2, Published: true,
	}, got)
	reasons := make([]string, len(b.rejected))
	for i, r := range b.rejected {
		reasons[i] = r.Reason
	}
	require.Equal(t, []string{
		`CRD Number "07001" is not 1 to 10 digits without leading zeros`, `Filing ID "x" is not a number`, `Filing Date is missing`,
		`ADVW-7001-11 has an earlier row with other values in this document`,
	}, reasons)
	want := [][]string{
		{"7001", "2026-04-02", "ADV-7001-2", "ADV/A"},
		{"7002", "∅", "ADV-7002-3", "ADV"},
		{"7003", "∅", "ADV-7003-4", "ADV"},
		{"7004", "∅", "ADV-7004-5", "ADV"},
	}
	require.Equal(t, want, b.rows(withdrawnSQL))
	require.Equal(t, []string{"ADV-W", "withdrawal", "advw", "2026-04-02", "11", "false", "true", "2026-04-02", "no clients left"},
		b.row(`SELECT form_type, amendment_type, source, filing_date, filing_id, funds_listed, is_full, ceased_on, reason
			FROM catalog.filings JOIN catalog.withdrawals USING (accession) WHERE accession = 'ADVW-7001-11'`))
	require.Equal(t, chain, b.rows(`SELECT accession, form_type, amendment_type FROM catalog.filings WHERE form_type <> 'ADV-W' ORDER BY accession`))
	require.Equal(t, []string{"5"}, b.row(`SELECT count(*) FROM catalog.adviser_versions`))

	before := b.state()
	again := b.load(doc)
	require.Equal(t, catalogapi.LoadResult{RowsRead: 11, FilingsUnchanged: 7, AdvisersUnchanged: 4}, again)
	require.Equal(t, before, b.state())
	changed, err := b.loader.RefreshDerived(t.Context())
	require.NoError(t, err)
	require.Zero(t, changed)
}

// A withdrawal that is restated counts as it is restated; the adviser that files again is back.
func TestWithdrawnAdviserComesBack(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.load(withdrawals("advw.zip", withdrawal("7001", "11", "2026-04-02", true)))
	require.Empty(t, b.rows(withdrawnSQL), "nothing says who it is")
	b.load(archive("a.zip", filing("1", "7001", "2026-03-30", "ALDER POINT LLC")))
	require.Equal(t, [][]string{{"7001", "2026-04-02", "ADV-7001-1", "ADV"}}, b.rows(withdrawnSQL))
	partial := withdrawals("advw.zip", withdrawal("7001", "11", "2026-04-02", false))
	require.Equal(t, catalogapi.LoadResult{RowsRead: 1, FilingsChanged: 1, AdvisersChanged: 1, Published: true}, b.load(partial))
	require.Equal(t, [][]string{{"7001", "∅", "ADV-7001-1", "ADV"}}, b.rows(withdrawnSQL))
	b.load(withdrawals("advw.zip", withdrawal("7001", "11", "2026-04-05", true)))
	require.Equal(t, []string{"2026-04-05", "2026-04-05"}, b.row(`SELECT filing_date, withdrawn_on FROM catalog.filings f
		JOIN catalog.advisers USING (crd) WHERE f.form_type = 'ADV-W'`))
	feed := document{name: "feed.xml", source: catalogapi.SourceFeed, filings: []*adviser{rosterRow("7001", "2026-04-05", "ALDER POINT LLC")}}
	b.load(feed)
	require.Equal(t, [][]string{{"7001", "∅", "FEED-7001-20260405", "ADV/A"}}, b.rows(withdrawnSQL))
}

// The feed is a cut of the form, as a roster is, and of one day says more than it and less than the archive.
func TestFeedStandsBetweenRosterAndArchive(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	feed := func(date, name string) document {
		return document{name: "feed.xml", source: catalogapi.SourceFeed, filings: []*adviser{rosterRow("7001", date, name, func(f *adviser) { f.Phone = new("1") })}}
	}
	b.load(feed("2026-03-30", "OF THE FEED LLC"))
	b.load(roster("r.csv", rosterRow("7001", "2026-03-30", "OF THE ROSTER LLC")))
	query := `SELECT legal_name, latest_accession, phone, city FROM catalog.advisers`
	require.Equal(t, []string{"OF THE FEED LLC", "FEED-7001-20260330", "1", "∅"}, b.row(query))
	b.load(archive("a.zip", filing("1", "7001", "2026-03-30", "OF THE FORM LLC")))
	require.Equal(t, []string{"OF THE FORM LLC", "ADV-7001-1", "∅", "BOSTON"}, b.row(query), "the whole form of the day leaves the phone blank")
	b.load(feed("2026-04-30", "OF THE NEXT FEED LLC"))
	require.Equal(t, []string{"OF THE NEXT FEED LLC", "FEED-7001-20260430", "1", "BOSTON"}, b.row(query))
	require.Equal(t, [][]string{{"ADV", "initial"}, {"ADV", "initial"}, {"ADV/A", "material"}, {"ADV", "initial"}},
		b.rows(`SELECT form_type, amendment_type FROM catalog.filings ORDER BY accession`))
}

// A withdrawal with another adviser's SEC number is refused: the number or the CRD is wrong. An adviser may have had several numbers, and numbers
// and advisers that are not known contradict nothing. What was loaded before stays.
func TestWithdrawalsOfAnotherSECNumber(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	numbered := func(number string) func(*adviser) {
		return func(f *adviser) { f.SECNumber = &number }
	}
	b.load(archive("a.zip",
		filing("1", "7001", "2025-03-30", "ALDER POINT LLC", numbered("802-1"), exempt), filing("2", "7001", "2026-03-30", "ALDER POINT LLC", numbered("801-11")),
		filing("3", "7002", "2026-03-30", "FENWICK LP", numbered("801-2")), filing("4", "7003", "2026-03-30", "QUILL LP", numbered("801-3")),
		filing("5", "7004", "2025-03-30", "ROWAN LP", numbered("801-3")), filing("6", "7004", "2026-03-30", "ROWAN LP", numbered("801-4")),
		filing("7", "7005", "2026-03-30", "TEASEL LP", numbered("none")), filing("8", "7006", "2026-03-30", "VETCH LP", numbered("801-6"))))
	of := func(crd, id, number string) *catalogapi.WithdrawalRow {
		w := withdrawal(crd, id, "2026-06-30", true)
		w.SECNumber = number
		return w
	}
	doc := withdrawals("advw.zip",
		of("7001", "11", "802-1"), // its number before
		of("7002", "12", "802-1"), // another adviser's number before
		of("7003", "13", "801-3"), // two advisers had it
		of("7004", "14", "801-99"), of("7005", "15", ""), of("7006", "16", "none"),
		of("7998", "17", "801-2"), of("7998", "27", "801-0002"), of("7998", "37", "8012"), of("7999", "18", "801-98"))
	got := b.load(doc)
	require.Equal(t, catalogapi.LoadResult{RowsRead: 10, FilingsNew: 6, AdvisersChanged: 5, AdvisersUnchanged: 1, Published: true}, got)
	reasons := make([]string, len(b.rejected))
	for i, r := range b.rejected {
		reasons[i] = r.Reason + " " + r.Raw
	}
	require.Equal(t, []string{
		"the SEC number 802-1 is known of CRD 7001, not of CRD 7002: one of them must be wrong 7002,12,GONE LLC",
		"the SEC number 801-2 is known of CRD 7002, not of CRD 7998: one of them must be wrong 7998,17,GONE LLC",
		"the SEC number 801-2 is known of CRD 7002, not of CRD 7998: one of them must be wrong 7998,27,GONE LLC",
		"the SEC number 801-2 is known of CRD 7002, not of CRD 7998: one of them must be wrong 7998,37,GONE LLC",
	}, reasons)
	require.Equal(t, [][]string{{"7002"}}, b.rows(`SELECT crd FROM catalog.advisers WHERE withdrawn_on IS NULL`))

	b.load(archive("b.zip", filing("9", "7008", "2026-07-30", "YARROW LP", numbered("801-99"))))
	before := b.state()
	again := b.load(doc)
	require.Equal(t, catalogapi.LoadResult{RowsRead: 10, FilingsUnchanged: 6, AdvisersUnchanged: 6}, again)
	require.Len(t, b.rejected, 4)
	require.Equal(t, before, b.state())
}

// A withdrawal whose Filing ID a later document gives to another adviser was filed under a wrong CRD number, and withdraws nothing. Loaded again, the
// first document holds.
func TestAWithdrawalUnderAWrongCRD(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.load(archive("a.zip", filing("1", "7001", "2026-03-30", "ALDER POINT LLC"), filing("2", "7002", "2026-03-30", "FENWICK LP")))
	out := func() [][]string { return b.rows(`SELECT crd FROM catalog.advisers WHERE withdrawn_on IS NOT NULL`) }
	right, wrong := withdrawals("advw.zip", withdrawal("7001", "11", "2026-06-30", true)), withdrawals("damaged.zip", withdrawal("7002", "11", "2026-06-30", true))
	for range 2 {
		b.load(wrong)
		require.Equal(t, [][]string{{"7002"}}, out())
		b.load(right)
		require.Equal(t, [][]string{{"7001"}}, out())
	}
	require.Equal(t, catalogapi.LoadResult{RowsRead: 1, FilingsUnchanged: 1, AdvisersUnchanged: 1}, b.load(right))

	b.load(withdrawals("twice.zip", withdrawal("7002", "11", "2026-06-30", true), withdrawal("7003", "11", "2026-06-30", true)))
	require.Equal(t, [][]string{{"7002"}}, out(), "two advisers have the Filing ID, and none of them is the first")
}

// What a document brought and no longer has is taken back when it is loaded again, whatever the extension of its name. Nothing is left of it, except in
// the records, as what was known before: all else is as in a catalog that never had it. A document of another name takes nothing back, nor does one that
// is not whole.
func TestAWithdrawalThatItsDocumentLacks(t *testing.T) {
	t.Parallel()
	forms := archive("a.zip", filing("1", "7001", "2026-03-30", "ALDER POINT LLC"), filing("2", "7002", "2026-03-30", "FENWICK LP"))
	clean := withdrawals("ADVW_1.zip", withdrawal("7001", "11", "2026-06-30", true))
	never := newBench(t)
	never.load(forms)
	never.load(clean)

	b := newBench(t)
	b.load(forms)
	altered := withdrawals("advw_1.CSV", withdrawal("7001", "11", "2026-06-30", true), withdrawal("7002", "12", "2026-07-30", true))
	b.load(altered)
	b.load(withdrawals("ADVW_2.zip", withdrawal("7001", "11", "2026-06-30", true)))
	var staged catalogapi.Staged
	result, err := b.loader.LoadDocument(t.Context(), clean.stream(), catalogapi.LoadOptions{
		Accept: func(_ context.Context, s catalogapi.Staged) error { staged = s; return nil }, Whole: func() bool { return false },
	})
	require.NoError(t, err)
	require.Equal(t, []int64{2, 1}, []int64{staged.Brought, staged.Lacking})
	require.False(t, result.Published)
	require.Equal(t, []string{"2"}, b.row(`SELECT count(*) FROM catalog.advisers WHERE withdrawn_on IS NOT NULL`))

	back := catalogapi.LoadResult{
		RowsRead: 1, FilingsUnchanged: 1, AdvisersChanged: 1, AdvisersUnchanged: 1, Published: true, TakenBack: []catalogapi.TakenBack{{CRD: "7002", FilingID: 12}},
	}
	require.Equal(t, back, b.load(clean))
	same := func() {
		t.Helper()
		got, want := b.state(), never.state()
		got["filings"], want["filings"] = b.rows(filedSQL), never.rows(filedSQL)
		require.Equal(t, want, got)
		const histories = `SELECT crd, encoding, states, funds, sources, fund_sources FROM catalog.adviser_histories ORDER BY crd`
		require.Equal(t, never.rows(histories), b.rows(histories))
	}
	same()
	require.Equal(t, [][]string{{"ADVW-7002-12", "true"}}, b.rows(`SELECT accession, said ->> 'is_full' FROM catalog.replaced_versions`))
	require.Equal(t, catalogapi.LoadResult{RowsRead: 1, FilingsUnchanged: 1, AdvisersUnchanged: 1}, b.load(clean))

	b.load(withdrawals("ADVW_3.zip", withdrawal("7002", "11", "2026-07-30", true)))
	require.Equal(t, [][]string{{"7002"}}, b.rows(`SELECT crd FROM catalog.withdrawals`))
	require.Equal(t, []catalogapi.TakenBack{{CRD: "7002", FilingID: 11}}, b.load(clean).TakenBack, "the Filing ID is another adviser's")
	same()
}

// filedSQL are the filings without the name of the document.
const filedSQL = `SELECT to_jsonb(f) - 'run_id' - 'processed_at' - 'arrival' - 'document' FROM catalog.filings f ORDER BY accession`

// An SEC number is compared however it is written. One that cannot be read sends the row to the quarantine.
func TestWithdrawalsWithAnUnusualSECNumber(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.load(archive("a.zip", filing("1", "7001", "2026-03-30", "ALDER POINT LLC", func(f *catalogapi.AdviserFiling) { f.SECNumber = new("801-900245") })))
	rows := make([]*catalogapi.WithdrawalRow, 0, 5)
	for i, number := range []string{"SEC 801–900245", "900245", "801-900245A", "900246", "none"} {
		w := withdrawal("7002", strconv.Itoa(11+i), "2026-06-30", true)
		w.SECNumber = number
		rows = append(rows, w)
	}
	b.load(withdrawals("advw.zip", rows...))
	reasons := make([]string, len(b.rejected))
	for i, r := range b.rejected {
		reasons[i] = r.Reason
	}
	require.ElementsMatch(t, []string{
		"the SEC number 801-900245 is known of CRD 7001, not of CRD 7002: one of them must be wrong",
		"the SEC number 801-900245 is known of CRD 7001, not of CRD 7002: one of them must be wrong",
		`SEC File Number "801-900245A" is not one SEC number`,
	}, reasons)
	require.Equal(t, [][]string{{"14"}, {"15"}}, b.rows(`SELECT filing_id FROM catalog.filings WHERE form_type = 'ADV-W' ORDER BY 1`))
}

// A row that was corrected is new when it comes again, so its SEC number is compared.
func TestACorrectedWithdrawalComesAgain(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.load(archive("a.zip", filing("1", "7001", "2026-03-30", "ALDER POINT LLC", func(f *catalogapi.AdviserFiling) { f.SECNumber = new("801-1") }),
		filing("2", "7002", "2026-03-30", "FENWICK LP", func(f *catalogapi.AdviserFiling) { f.SECNumber = new("801-2") })))
	wrong := withdrawal("7002", "11", "2026-06-30", true)
	b.load(withdrawals("advw.zip", wrong))
	b.load(withdrawals("advw.zip", withdrawal("7001", "11", "2026-06-30", true)))
	wrong.SECNumber = "801-1"
	b.load(withdrawals("again.zip", wrong))
	require.Len(t, b.rejected, 1)
	require.Equal(t, [][]string{{"7001"}}, b.rows(`SELECT crd FROM catalog.advisers WHERE withdrawn_on IS NOT NULL`))
}
