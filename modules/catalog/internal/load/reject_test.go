package load_test

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/load"
	"gpatlas/modules/catalog/internal/publish"
	"gpatlas/platform/clock"
)

// What the merge cannot use is refused with file, line and reason, and the rest is loaded.
func TestRejects(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	doc := archive("a.zip",
		filing("1", "7001", "2026-05-03", "ALDER POINT LLC"),
		filing("1", "7001", "2026-05-03", "ALDER POINT LLC"), // the same again
		filing("1", "7001", "2026-05-03", "ALDER POINT LTD"), // the same key with another name
		filing("2", "07002", "2026-05-03", "FENWICK LP"),
		filing("3", "7003", "2026-05-03", ""),
		filing("4", "7004", "0001-01-01", "NO DAY LP"),
		filing("x5", "7005", "2026-05-03", "NO NUMBER LP"))
	broken := fund("1", "123", "Short", 1)
	nameless := fund("1", "0000000009", "", 1)
	other := fund("1", f1, "Alder Renamed", 1e8)
	other.ReferenceID = "r-other"
	doc.funds = []*catalogapi.FundRow{
		fund("1", f1, "Alder I", 1e8), fund("1", f1, "Alder I", 1e8), other, broken, nameless,
		fund("77", f2, "Nobody's", 1), fund("2", f3, "Refused one's", 1),
	}
	doc.auditors = []*catalogapi.AuditorRow{
		{FilingKey: "1", ReferenceID: "r" + f1, Name: "BETA AUDIT"},
		{FilingKey: "1", ReferenceID: "nope", Name: "X"},
		{FilingKey: "1", ReferenceID: "r-other", Name: "Y"},
		{FilingKey: "77", ReferenceID: "r", Name: "Z", File: "a.csv", Line: 9},
	}
	doc.org = []*catalogapi.OrganizationRow{{
		FilingKey: "1",
		Statement: catalogapi.Statement{OrgForm: new("LLC")},
	}, {
		FilingKey: "1",
		Statement: catalogapi.Statement{OrgForm: new("LLC")},
	}, {
		FilingKey: "1",
		Statement: catalogapi.Statement{OrgForm: new("LP")},
	}}
	doc.websites = []*catalogapi.WebsiteRow{{FilingKey: "77", Website: "https://a.example"}}
	doc.types = []*catalogapi.FilingTypeRow{{FilingKey: "1", Types: []string{"a"}}, {FilingKey: "1", Types: []string{"b"}}}
	got := b.load(doc)
	require.Equal(t, catalogapi.LoadResult{RowsRead: 24, FilingsNew: 1, FilingsUnchanged: 1, AdvisersNew: 1, FundsNew: 1, Published: true}, got)
	var reasons []string
	for _, r := range b.rejected {
		require.NotEmpty(t, r.File)
		require.NotEmpty(t, r.Raw)
		reasons = append(reasons, r.Reason)
	}
	require.Equal(t, []string{
		`ADV-7001-1 has an earlier row with other values in this document`,
		`CRD "07002" is not 1 to 10 digits without leading zeros`,
		`legal name (1A) and business name (1B) are both missing`,
		`the filing date is missing`,
		`FilingID "x5" is not a number`,
		`FilingID "1" has an earlier row with other values`,
		`FilingID "77" is not among the filings of this document`,
		`FilingID "1" has an earlier row with other types`,
		`fund 805-` + f1 + ` is listed before in the same filing, with other values`,
		`Fund ID "805-123" is not 805- and ten digits`,
		`Fund Name is blank`,
		`FilingID "77" is not among the filings of this document`,
		`the filing "2" that the row belongs to was rejected`,
		`ReferenceID "nope" is not among the funds of filing "1"`,
		`the fund with ReferenceID "r-other" of filing "1" was rejected`,
		`FilingID "77" is not among the filings of this document`,
	}, reasons)
	require.True(t, slices.ContainsFunc(b.rejected, func(r catalogapi.Rejected) bool { return r.File == "7b1.csv" && r.Line == 3 }))
	require.Equal(t, []string{"Alder I", "[BETA AUDIT]"}, b.row(`SELECT name, auditors FROM catalog.funds`))
}

// A name of more than 500 characters, however many bytes they have, is none: its row is refused with the field, and the rest is loaded.
func TestLongNames(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	most, more := strings.Repeat("é", 500), strings.Repeat("é", 501)
	doc := archive("a.zip", filing("1", "7001", "2026-05-03", most), filing("2", "7002", "2026-05-03", more), filing("3", "7003", "2026-05-03", "FENWICK LP"))
	doc.filings[2].BusinessName = catalogapi.Text(more)
	doc.funds = []*catalogapi.FundRow{fund("1", f1, most, 1e8), fund("1", f2, more, 1e8)}
	doc.owners = []*catalogapi.OwnerRow{{FilingKey: "1", Schedule: "A", Name: most, EntityType: "I"}, {FilingKey: "1", Schedule: "A", Name: more, EntityType: "I"}}
	got := b.load(doc)
	require.EqualValues(t, 1, got.AdvisersNew)
	require.EqualValues(t, 1, got.FundsNew)
	var reasons []string
	for _, r := range b.rejected {
		reasons = append(reasons, r.Reason)
	}
	const why = " has 501 characters; a name has at most 500"
	require.ElementsMatch(t, []string{"legal name (1A)" + why, "business name (1B)" + why, "Fund Name" + why, "Full Legal Name" + why}, reasons)
	require.Equal(t, []string{most}, b.row("SELECT legal_name FROM catalog.advisers"))
}

// The same holds for each name in the tables of a filing.
func TestLongNamesOfTables(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	more, ref := strings.Repeat("é", 501), "r"+f1
	doc := archive("a.zip", filing("1", "7001", "2026-05-03", "ALDER LP"))
	feeder := fund("1", f2, "Alder Feeder", 1e8)
	feeder.MasterName = more
	doc.funds = []*catalogapi.FundRow{fund("1", f1, "Alder I", 1e8), feeder}
	doc.auditors = []*catalogapi.AuditorRow{{FilingKey: "1", ReferenceID: ref, Name: more}, {FilingKey: "1", ReferenceID: ref, Name: "INVENTED AUDIT"}}
	doc.affiliates = []*catalogapi.AffiliateRow{{FilingKey: "1", CRD: "7009", LegalName: more}, {FilingKey: "1", CRD: "7009", BusinessName: more}}
	doc.implicated = []*catalogapi.DisclosureAffiliateRow{{FilingKey: "1", CRD: "7009", Name: more}}
	doc.subAdvised = []*catalogapi.SubAdvisedRow{{FilingKey: "1", Name: more}, {FilingKey: "1", Name: "Fenwick I", AdviserName: more}}
	doc.feeders = []*catalogapi.FeederRow{{FilingKey: "1", ReferenceID: ref, Name: more}}
	doc.providers = []*catalogapi.ProviderRow{
		{FilingKey: "1", ReferenceID: ref, Role: catalogapi.RoleCustodian, Name: more},
		{FilingKey: "1", ReferenceID: ref, Role: catalogapi.RoleCustodian, Name: "INVENTED BANK", BusinessName: more},
	}
	require.EqualValues(t, 1, b.load(doc).FundsNew)
	var fields []string
	for _, r := range b.rejected {
		field, ok := strings.CutSuffix(r.Reason, " has 501 characters; a name has at most 500")
		require.True(t, ok, r.Reason)
		fields = append(fields, field)
	}
	require.ElementsMatch(t, []string{
		"Master Fund Name", "Name of Auditing Firm", "Legal Name", "Business Name", "Affiliate Name", "Fund Name", "Adviser Name", "Private Fund Name",
		"the name of the fund's custodian", "the name of the fund's custodian",
	}, fields)
	require.Equal(t, []string{"[INVENTED AUDIT]"}, b.row("SELECT auditors FROM catalog.funds"))

	b.rejected = nil
	quarterly := notice(1, "021-7", "2026-05-03", "Alder I LP")
	quarterly.people = []*catalogapi.RelatedPersonRow{
		{Accession: acc(1), Seq: 1, FirstName: more, LastName: "EXAMPLE"},
		{Accession: acc(1), Seq: 2, MiddleName: more, LastName: "EXAMPLE"},
		{Accession: acc(1), Seq: 3, FirstName: "ADA", LastName: "EXAMPLE"},
	}
	b.loadD(quarterly)
	require.Len(t, b.rejected, 2)
	require.Equal(t, "the FIRSTNAME has 501 characters; a name has at most 500", b.rejected[0].Reason)
	require.Equal(t, "the MIDDLENAME has 501 characters; a name has at most 500", b.rejected[1].Reason)
}

// Text that PostgreSQL cannot hold, and text that its COPY reads as signs, arrives as far as it can.
func TestHostileText(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	name := "A\tB\nC\\N \"D\" 'E' {F,G} \\."
	doc := archive("it's $1 \\ ;.zip", filing("1", "7001", "2026-05-03", name, func(f *adviser) { f.City = new("NUL\x00 \xff") }))
	doc.funds = []*catalogapi.FundRow{fund("1", f1, name, 1)}
	doc.auditors = []*catalogapi.AuditorRow{{FilingKey: "1", ReferenceID: "r" + f1, Name: name}, {FilingKey: "1", ReferenceID: "r" + f1, Name: `\N`}}
	doc.types = []*catalogapi.FilingTypeRow{{FilingKey: "1", Types: []string{name, ""}}}
	b.load(doc)
	require.Equal(t, []string{name, "NUL \uFFFD", name, "it's $1 \\ ;.zip"}, b.row(`SELECT a.legal_name, a.city, f.name, l.document FROM catalog.advisers a, catalog.funds f, catalog.filings l`))
	require.Equal(t, []string{name, `\N`}, b.row(`SELECT auditors[1], auditors[2] FROM catalog.funds`))
	require.Equal(t, []string{name, ""}, b.row(`SELECT filing_types[1], filing_types[2] FROM catalog.filings`))
}

var errBroken = errors.New("the file is damaged at line 7")

// An error in the middle of a document leaves everything as it was, and arrives as it is.
func TestErrorMidStreamLeavesTheOldState(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	good := archive("a.zip", filing("1", "7001", "2026-05-03", "ALDER POINT LLC"))
	good.funds = []*catalogapi.FundRow{fund("1", f1, "Alder I", 1e8)}
	b.load(good)
	before := b.state()
	bad := archive("b.zip", filing("2", "7001", "2026-06-03", "ALDER POINT CAPITAL LLC"))
	bad.funds = []*catalogapi.FundRow{fund("2", f2, "Alder II", 1e8)}
	bad.breaks = errBroken
	_, err := b.loader.LoadDocument(t.Context(), bad.stream(), catalogapi.LoadOptions{RunID: 9})
	require.ErrorIs(t, err, errBroken)
	require.Equal(t, before, b.state())
	bad.breaks = nil
	require.True(t, b.load(bad).Published, "the connection is as good as before")
}

// Two loads at once wait for each other; both arrive.
func TestLoadsAtOnce(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	docs := history()
	var wg sync.WaitGroup
	errs := make([]error, len(docs))
	for i, d := range docs {
		wg.Go(func() {
			_, errs[i] = b.loader.LoadDocument(t.Context(), d.stream(), catalogapi.LoadOptions{RunID: int64(i)})
		})
	}
	wg.Wait()
	require.NoError(t, errors.Join(errs...))
	require.Equal(t, historyLoaded(t), b.state())
}

// A change is announced with its number, by the commit that brings it; a load that changes nothing is not.
func TestChangeNotice(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	doc := archive("a.zip", filing("1", "7001", "2026-05-03", "ALDER POINT LLC"))
	err := b.db.Conn(t.Context(), func(c *pgx.Conn) error {
		_, err := c.Exec(t.Context(), "LISTEN "+publish.Channel)
		require.NoError(t, err)
		b.load(doc)
		b.load(doc)
		doc.filings[0].LegalName = "ALDER POINT CAPITAL LLC"
		b.load(doc)
		for _, want := range []string{"1", "2"} {
			n, err := c.WaitForNotification(t.Context())
			require.NoError(t, err)
			require.Equal(t, want, n.Payload)
		}
		seq, err := publish.Latest(t.Context(), c)
		require.Equal(t, int64(2), seq)
		return err
	})
	require.NoError(t, err)
	require.Equal(t, []string{"ingested a.zip", "3"}, b.row(`SELECT reason, run_id FROM catalog.publications WHERE seq = 2`))
}

// A fund is liquidating when its name says so, and when it is at less than a quarter of its peak eight years after its
// vintage. The second depends on the day: the refresh finds it, once.
func TestLiquidatingDependsOnTheDay(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	first := archive("2018.zip", filing("1", "7001", "2018-05-03", "ALDER POINT LLC"))
	first.funds = []*catalogapi.FundRow{fund("1", f1, "Alder I", 400), fund("1", f2, "Alder II", 400), fund("1", f3, "Alder III in liquidation", 400)}
	second := archive("2025.zip", filing("2", "7001", "2025-05-03", "ALDER POINT LLC"))
	second.funds = []*catalogapi.FundRow{fund("2", f1, "Alder I", 99), fund("2", f2, "Alder II", 100), fund("2", f3, "Alder III in liquidation", 400)}
	early := load.New(b.db, clock.Fixed(time.Date(2025, 12, 31, 23, 0, 0, 0, time.UTC)), discard)
	for _, d := range []document{first, second} {
		_, err := early.LoadDocument(t.Context(), d.stream(), catalogapi.LoadOptions{RunID: 1})
		require.NoError(t, err)
	}
	status := func() (out []string) {
		for _, r := range b.rows(`SELECT status FROM catalog.funds ORDER BY fund_id`) {
			out = append(out, r[0])
		}
		return out
	}
	require.Equal(t, []string{"active", "active", "liquidating"}, status())
	later := load.New(b.db, clock.Fixed(time.Date(2026, 1, 1, 1, 0, 0, 0, time.UTC)), discard)
	changed, err := later.RefreshDerived(t.Context())
	require.NoError(t, err)
	require.Equal(t, int64(1), changed)
	require.Equal(t, []string{"liquidating", "active", "liquidating"}, status())
	changed, err = later.RefreshDerived(t.Context())
	require.NoError(t, err)
	require.Zero(t, changed)
	require.Equal(t, []string{"3"}, b.row(`SELECT count(*) FROM catalog.publications`))
}

// The refresh recomputes everything from the versions, and finds nothing to change after a load.
func TestRefreshAgreesWithLoads(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	empty, err := b.loader.Empty(t.Context())
	require.NoError(t, err)
	require.True(t, empty)
	for _, d := range history() {
		b.load(d)
	}
	changed, err := b.loader.RefreshDerived(t.Context())
	require.NoError(t, err)
	require.Zero(t, changed)
	empty, err = b.loader.Empty(t.Context())
	require.NoError(t, err)
	require.False(t, empty)
}
