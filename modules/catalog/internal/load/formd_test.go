package load_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
)

// A fund's filing gives the file number: the notice is the fund's, whatever it is called there.
func TestOfferingJoinsByFileNumber(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.load(archiveOf("1", "7001", "2025-03-01", "ALDER POINT LLC", f1, "Alder Growth I, L.P.", "021-400001"))
	require.Equal(t, []string{"∅", "2025", "first_filing"}, b.offer(f1))
	got := b.loadD(notice(1, "021-400001", "2019-05-06", "Something Else LP", offered("06c", "3C.1"), sold("2018-12-30")))
	require.Equal(t, catalogapi.LoadResult{RowsRead: 2, FilingsNew: 1, AdvisersChanged: 1, FundsChanged: 1, Published: true}, got)
	require.Empty(t, b.rejected)
	require.Equal(t, [][]string{{"01", "01", "file_number"}}, b.joins())
	require.Equal(t, []string{"[506c]", "2018", "form_d"}, b.offer(f1))
	require.Equal(t, []string{"2018"}, b.row(`SELECT founded_year FROM catalog.advisers`), "the oldest vintage")

	again := b.loadD(notice(1, "021-400001", "2019-05-06", "Something Else LP", offered("06c", "3C.1"), sold("2018-12-30")))
	require.Equal(t, catalogapi.LoadResult{RowsRead: 2, FilingsUnchanged: 1}, again)
	require.Equal(t, []string{"2"}, b.row(`SELECT count(*) FROM catalog.publications`))
}

// A fund that is wound up keeps the notice with its name, although its name says so now.
func TestAFundThatEndsKeepsItsNotice(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.load(archiveOf("1", "7001", "2025-03-01", "ALDER POINT LLC", f1, "Alder Growth I, L.P."))
	b.loadD(notice(1, "021-400001", "2019-05-06", "Alder Growth I LP"))
	joined := [][]string{{"01", "01", "name"}}
	require.Equal(t, joined, b.joins())
	b.load(archiveOf("2", "7001", "2026-03-01", "ALDER POINT LLC", f1, "ALDER GROWTH I, L.P. (IN LIQUIDATION)"))
	require.Equal(t, joined, b.joins())
	require.Equal(t, []string{"[506b]", "2019", "form_d"}, b.offer(f1))
}

// A notice of no known fund is kept, and nobody is told; when a filing names its number later, it is joined.
func TestOfferingWaitsForItsFund(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	got := b.loadD(notice(1, "021-400001", "2019-05-06", "Alder Growth I LP"))
	require.Equal(t, catalogapi.LoadResult{RowsRead: 2, FilingsNew: 1}, got)
	b.load(archiveOf("1", "7001", "2025-03-01", "ALDER POINT LLC", f1, "Alder Growth I", "021-400001"))
	require.Equal(t, [][]string{{"01", "01", "file_number"}}, b.joins())
	require.Equal(t, []string{"[506b]", "2019", "form_d"}, b.offer(f1))
	// The filing is restated without the number: the name alone is not enough, for it lacks the legal form, but the issuer
	// sits where the adviser does.
	b.load(archiveOf("1", "7001", "2025-03-01", "ALDER POINT LLC", f1, "Alder Growth I"))
	require.Equal(t, [][]string{{"01", "01", "name"}}, b.joins())
	b.load(archiveOf("1", "7001", "2025-03-01", "ALDER POINT LLC", f1, "Alder Growth II"))
	require.Empty(t, b.joins())
	require.Equal(t, []string{"∅", "2025", "first_filing"}, b.offer(f1))
}

// A document looks only for the file numbers of the funds that it names: a roster names all advisers and no fund. The number that is
// taken out here by hand comes back with the next filing of the fund, and not with the roster.
func TestOnlyNamedFundsAreAskedForNumbers(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.load(archiveOf("1", "7001", "2025-03-01", "ALDER POINT LLC", f1, "Alder Growth I, L.P.", "021-400001"))
	b.rows(`DELETE FROM catalog.fund_form_d_numbers RETURNING file_number`)
	numbers := func() [][]string { return b.rows(`SELECT file_number FROM catalog.fund_form_d_numbers`) }
	require.Positive(t, b.load(roster("r.csv", rosterRow("7001", "2025-06-01", "ALDER POINT LLC"))).FilingsNew)
	require.Empty(t, numbers())
	b.load(archiveOf("2", "7001", "2025-07-01", "ALDER POINT LLC", f1, "Alder Growth I, L.P."))
	require.Equal(t, [][]string{{"021-400001"}}, numbers())
}

func TestOfferingJoinsByName(t *testing.T) {
	t.Parallel()
	operating := func(o *catalogapi.OfferingRow, _ *catalogapi.IssuerRow) {
		o.IndustryGroup, o.FundType, o.Exemptions = "Other Technology", "", []string{"06b"}
	}
	for name, c := range map[string]struct {
		fund   string
		notice notices
		joined bool
	}{
		"same but for spelling":         {"ALDER GROWTH FUND II, L.P.", notice(1, "021-1", "2019-05-06", "Alder Growth Fund II LP", from("RENO", "NV")), true},
		"another numeral":               {"Alder Growth Fund II LP", notice(1, "021-1", "2019-05-06", "Alder Growth Fund III LP"), false},
		"another legal form":            {"Alder Growth Fund II Ltd", notice(1, "021-1", "2019-05-06", "Alder Growth Fund II LP"), false},
		"no legal form, same office":    {"Alder Growth Fund II", notice(1, "021-1", "2019-05-06", "Alder Growth Fund II LP", from("Boston", "MA")), true},
		"no legal form, another office": {"Alder Growth Fund II", notice(1, "021-1", "2019-05-06", "Alder Growth Fund II LP", from("RENO", "NV")), false},
		"a general name":                {"Emerging Markets Equity Fund LP", notice(1, "021-1", "2019-05-06", "Emerging Markets Equity Fund LP"), false},
		"an operating company":          {"Alder Growth Fund II LP", notice(1, "021-1", "2019-05-06", "Alder Growth Fund II LP", operating), false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			b.load(archiveOf("1", "7001", "2025-03-01", "ALDER POINT LLC", f1, c.fund))
			b.loadD(c.notice)
			if c.joined {
				require.Equal(t, [][]string{{"01", "01", "name"}}, b.joins())
				require.Equal(t, []string{"[506b]", "2019", "form_d"}, b.offer(f1))
			} else {
				require.Empty(t, b.joins())
				require.Equal(t, []string{"∅", "2025", "first_filing"}, b.offer(f1))
			}
		})
	}
}

// A name at two advisers says nothing, unless the issuer sits where one of them does; the second adviser takes the first
// one's join away, and gives it back when its fund is renamed.
func TestAmbiguousNameIsNotJoined(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.load(archiveOf("1", "7001", "2025-03-01", "ALDER POINT LLC", f1, "Quill Growth Fund II LP"))
	b.loadD(notice(1, "021-1", "2019-05-06", "Quill Growth Fund II, L.P.", from("RENO", "NV")))
	require.Equal(t, [][]string{{"01", "01", "name"}}, b.joins())
	got := b.load(archiveOf("2", "7002", "2025-03-02", "FENWICK LP", f2, "QUILL GROWTH FUND II, L.P."))
	require.Empty(t, b.joins())
	require.Equal(t, []string{"∅", "2025", "first_filing"}, b.offer(f1))
	require.True(t, got.Published)
	// The second moves its office to where the issuer is.
	d := archiveOf("3", "7002", "2025-04-02", "FENWICK LP", f2, "QUILL GROWTH FUND II, L.P.")
	d.filings[0].City, d.filings[0].State = new("Reno"), new("NV")
	b.load(d)
	require.Equal(t, [][]string{{"01", "02", "name"}}, b.joins())
	// Its fund takes another name.
	b.load(archiveOf("4", "7002", "2025-05-02", "FENWICK LP", f2, "Fenwick Growth Fund II LP"))
	require.Equal(t, [][]string{{"01", "01", "name"}}, b.joins())
	require.Equal(t, []string{"[506b]", "2019", "form_d"}, b.offer(f1))
	// It gives the notice's number: that outweighs the name.
	b.load(archiveOf("5", "7002", "2025-06-02", "FENWICK LP", f2, "Fenwick Growth Fund II LP", "021-1"))
	require.Equal(t, [][]string{{"01", "02", "file_number"}}, b.joins())
	require.Equal(t, []string{"∅", "2025", "first_filing"}, b.offer(f1))
}

// A notice and its amendments share the join; the newest says the exemption, the newest credible date is the first sale.
func TestChain(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.load(archiveOf("1", "7001", "2025-03-01", "ALDER POINT LLC", f1, "Alder I", "021-7"))
	b.loadD(several(
		notice(1, "021-7", "2010-02-03", "Old Name LP", offered("06"), sold("2010-01-02")),
		notice(2, "021-7", "2011-02-03", "New Name LP", offered("06b"), sold("2009-11-02"), amends(1)),
		notice(3, "021-7", "2014-02-03", "New Name LP", offered("06c"), sold("2099-11-02"), amends(2)),
		notice(4, "", "2015-02-03", "New Name LP", offered("06b", "06c", "3C.1"), sold("1066-10-14"), amends(3)),
		notice(5, "021-8", "2008-02-03", "Stranger LP", sold("2008-01-01"), amends(3))))
	require.Empty(t, b.rejected)
	require.Equal(t, [][]string{{"01", "01", "file_number"}, {"02", "01", "file_number"}, {"03", "01", "file_number"}, {"04", "01", "file_number"}},
		b.joins(), "an amendment of another number is not of this chain")
	require.Equal(t, []string{"[506b 506c]", "2009", "form_d"}, b.offer(f1))
	// A second offering of the fund, earlier: the vintage is the earliest chain's, the exemptions are those of both.
	b.loadD(several(notice(6, "021-9", "2007-02-03", "Alder I", offered("06"), sold("2007-01-02"))))
	b.load(archiveOf("2", "7001", "2026-03-01", "ALDER POINT LLC", f1, "Alder I", "021-9"))
	require.Equal(t, []string{"[506b 506c]", "2007", "form_d"}, b.offer(f1), "the number of an earlier filing counts on")
	require.Equal(t, []string{"021-7 021-9"}, b.row(`SELECT string_agg(file_number, ' ' ORDER BY file_number) FROM catalog.fund_form_d_numbers`))
}

// A chain that is known only when its link comes: the amendment was there first.
func TestChainGrowsTogether(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.load(archiveOf("1", "7001", "2025-03-01", "ALDER POINT LLC", f1, "Alder I", "021-7"))
	b.loadD(notice(3, "", "2014-02-03", "X LP", offered("06c"), amends(2)))
	require.Empty(t, b.joins())
	b.loadD(notice(2, "", "2013-02-03", "X LP", amends(1)))
	require.Empty(t, b.joins())
	b.loadD(notice(1, "021-7", "2012-02-03", "X LP"))
	require.Len(t, b.joins(), 3)
	require.Equal(t, []string{"[506c]", "2014", "form_d"}, b.offer(f1))
	// The middle one is restated as somebody else's: the last falls away with it.
	b.loadD(notice(2, "021-8", "2013-02-03", "X LP", amends(1)))
	require.Equal(t, [][]string{{"01", "01", "file_number"}}, b.joins())
	require.Equal(t, []string{"[506b]", "2012", "form_d"}, b.offer(f1))
}

// The quarterly set knows the file number, the single document does not; whichever comes first, the end is the same.
func TestTwoEditionsOfOneNotice(t *testing.T) {
	t.Parallel()
	quarterly := notice(1, "021-7", "2024-02-03", "Alder I LP", sold("2024-01-01"))
	quarterly.offerings[0].SICCode = "6799"
	quarterly.people = []*catalogapi.RelatedPersonRow{{Accession: acc(1), Seq: 1, LastName: "EXAMPLE", Relationships: []string{"Director"}, File: "R", Line: 2}}
	single := notice(1, "", "2024-02-01", "Alder I LP", sold("2024-01-02"))
	single.offerings[0].SchemaVersion = "X0708"
	single.offerings[0].PreviousAccession = acc(9)
	single.name = "primary_doc.xml"
	ends := make([]map[string][][]string, 2)
	for i, order := range [][]notices{{quarterly, single}, {single, quarterly}} {
		b := newBench(t)
		b.load(archiveOf("1", "7001", "2025-03-01", "ALDER POINT LLC", f1, "Alder I", "021-7"))
		b.loadD(order[0])
		b.loadD(order[1])
		ends[i] = b.formD()
		require.Equal(t, []string{"021-7", "2024-02-03", "2024-01-01", "6799", "X0708", acc(9)},
			b.row(`SELECT file_number, filing_date, first_sale, sic_code, schema_version, previous_accession FROM catalog.offerings`))
		require.Equal(t, []string{"1"}, b.row(`SELECT count(*) FROM catalog.offering_people`))
		for _, again := range order {
			require.Equal(t, int64(1), b.loadD(again).FilingsUnchanged)
		}
		require.Equal(t, ends[i], b.formD())
	}
	require.Equal(t, ends[0], ends[1])
}

// A restated notice replaces its children.
func TestRestatedNotice(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.load(archiveOf("1", "7001", "2025-03-01", "ALDER POINT LLC", f1, "Alder I", "021-7"))
	first := notice(1, "021-7", "2024-02-03", "Alder I LP")
	first.people = []*catalogapi.RelatedPersonRow{
		{Accession: acc(1), Seq: 1, FirstName: "A", LastName: "EXAMPLE", Relationships: []string{"Director", "Promoter"}},
		{Accession: acc(1), Seq: 2, LastName: "ALDER GP LLC", Entity: true},
	}
	first.recipients = []*catalogapi.RecipientRow{{Accession: acc(1), Seq: 1, Name: "PLACERS", CRD: "5", States: []string{"MA", "NY"}, Foreign: new(false)}}
	b.loadD(first)
	require.Equal(t, []string{"PLACERS", "5", "[MA NY]", "false"}, b.row(`SELECT name, crd, states, is_foreign FROM catalog.offering_recipients`))
	restated := notice(1, "021-7", "2024-02-03", "Alder I LP", offered("06c"))
	restated.people = first.people[1:]
	got := b.loadD(restated)
	require.Equal(t, catalogapi.LoadResult{RowsRead: 3, FilingsChanged: 1, FundsChanged: 1, Published: true}, got)
	require.Equal(t, [][]string{{"2", "ALDER GP LLC", "true"}}, b.rows(`SELECT seq, last_name, entity FROM catalog.offering_people`))
	require.Empty(t, b.rows(`SELECT 1 FROM catalog.offering_recipients`))
	require.Equal(t, []string{"[506c]", "2024", "form_d"}, b.offer(f1))
	// Only a child differs: the notice is another, its funds are not.
	restated.people[0].Clarification = "of the general partner"
	got = b.loadD(restated)
	require.Equal(t, catalogapi.LoadResult{RowsRead: 3, FilingsChanged: 1, Published: true}, got)
}

// The rows of a set in another order say nothing else: the numbers of the children count, not their places.
func TestNoticesInAnyOrder(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.load(archiveOf("1", "7001", "2025-03-01", "ALDER POINT LLC", f1, "Alder I LP", "021-7"))
	doc := several(
		notice(1, "021-7", "2024-02-03", "Alder I LP"), notice(2, "021-7", "2025-02-03", "Alder I LP", amends(1)), notice(3, "", "2025-02-03", "Other LP"))
	for n := range 3 {
		doc.issuers = append(doc.issuers, &catalogapi.IssuerRow{Accession: acc(1), Seq: n + 2, Name: "Alder Parallel LP"})
		for seq := range 4 { // two persons are the same but for their numbers
			doc.people = append(doc.people, &catalogapi.RelatedPersonRow{Accession: acc(n + 1), Seq: seq + 1, LastName: strconv.Itoa(seq / 2)})
			doc.recipients = append(doc.recipients, &catalogapi.RecipientRow{Accession: acc(n + 1), Seq: seq + 1, Name: strconv.Itoa(seq)})
		}
	}
	require.Equal(t, int64(3), b.loadD(doc).FilingsNew)
	want, publications := b.formD(), b.row(`SELECT count(*) FROM catalog.publications`)
	rng := rand.New(rand.NewPCG(5, 8))
	for range 3 {
		shuffle(rng, doc.offerings)
		shuffle(rng, doc.issuers)
		shuffle(rng, doc.people)
		shuffle(rng, doc.recipients)
		require.Equal(t, catalogapi.LoadResult{RowsRead: 33, FilingsUnchanged: 3}, b.loadD(doc))
		require.Empty(t, b.rejected)
		require.Equal(t, want, b.formD())
		require.Equal(t, publications, b.row(`SELECT count(*) FROM catalog.publications`))
	}
}

func shuffle[T any](rng *rand.Rand, list []T) {
	rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
}

// What cannot be loaded is refused with the field's name; the rest is loaded.
func TestBadNotices(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	bad := func(change func(*catalogapi.OfferingRow)) notices {
		return notice(1, "", "2024-01-01", "X", func(o *catalogapi.OfferingRow, _ *catalogapi.IssuerRow) { change(o) })
	}
	doc := several(
		notice(2, "021-2", "2024-01-01", "Good LP"),
		bad(func(o *catalogapi.OfferingRow) { o.Accession = "1" }),
		bad(func(o *catalogapi.OfferingRow) { o.Form = "10-K"; o.Accession = acc(3) }),
		bad(func(o *catalogapi.OfferingRow) { o.Filed = day("0001-01-01"); o.Accession = acc(4) }),
		bad(func(o *catalogapi.OfferingRow) { o.Filed = day("1066-01-01"); o.Accession = acc(5) }),
		notice(2, "021-2", "2024-01-01", "Good LP"),
		notice(2, "021-3", "2024-01-01", "Good LP"))
	doc.issuers = append(doc.issuers[:1],
		&catalogapi.IssuerRow{Accession: acc(2), Seq: 1, Name: "Other"},
		&catalogapi.IssuerRow{Accession: acc(3), Seq: 1, Name: "X"},
		&catalogapi.IssuerRow{Accession: acc(8), Seq: 1, Name: "X", File: "ISSUERS.tsv", Line: 9},
		&catalogapi.IssuerRow{Accession: acc(2), Seq: 2, Name: "\x00 "},
		&catalogapi.IssuerRow{Accession: acc(2), Seq: 0, Name: "X"})
	doc.people = []*catalogapi.RelatedPersonRow{{Accession: acc(2), Seq: 1}}
	doc.recipients = []*catalogapi.RecipientRow{{Accession: acc(2), Seq: 1, Name: ""}}
	var staged catalogapi.Staged
	var rejected []catalogapi.Rejected
	got, err := b.loader.LoadDocument(t.Context(), doc.stream(), catalogapi.LoadOptions{
		Reject: func(r catalogapi.Rejected) { rejected = append(rejected, r) },
		Accept: func(_ context.Context, s catalogapi.Staged) error { staged = s; return nil },
	})
	require.NoError(t, err)
	require.Equal(t, catalogapi.LoadResult{RowsRead: 15, FilingsNew: 1, FilingsUnchanged: 1}, got)
	require.Equal(t, catalogapi.Staged{Rows: 15, Keyed: 5, Filings: 1, Duplicates: 3}, staged)
	reasons := make([]string, len(rejected))
	for i, r := range rejected {
		reasons[i] = r.Reason
		require.NotEmpty(t, r.File)
	}
	require.Equal(t, []string{
		`ACCESSIONNUMBER "1" is not of the form 0000000000-00-000000`,
		`SUBMISSIONTYPE "10-K" is neither D nor D/A`,
		`the filing date is missing`,
		`FILING_DATE 1066-01-01 cannot be right`,
		`ACCESSIONNUMBER "` + acc(2) + `" has an earlier row with other values in this document`,
		`sequence number 1 of notice "` + acc(2) + `" has an earlier row with other values`,
		`the notice "` + acc(3) + `" that the row belongs to was rejected`,
		`ACCESSIONNUMBER "` + acc(8) + `" is not among the notices of this document`,
		`the ENTITYNAME is blank`,
		`the sequence number 0 is not one`,
		`the LASTNAME is blank`,
		`the RECIPIENTNAME is blank`,
	}, reasons)
}

// A rejection by the quality check ends the load before anything is merged.
func TestNoticesAreNotAccepted(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	doubt := errors.New("too few")
	_, err := b.loader.LoadDocument(t.Context(), notice(1, "021-7", "2024-02-03", "Alder I LP").stream(), catalogapi.LoadOptions{
		Accept: func(context.Context, catalogapi.Staged) error { return doubt },
	})
	require.ErrorIs(t, err, doubt)
	require.Empty(t, b.rows(`SELECT 1 FROM catalog.offerings`))
}
