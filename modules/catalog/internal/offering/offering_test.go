package offering_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/fund"
	"gpatlas/modules/catalog/internal/gp"
	"gpatlas/modules/catalog/internal/history"
	"gpatlas/modules/catalog/internal/offering"
	"gpatlas/modules/catalog/internal/testkit/fixture"
	"gpatlas/platform/clock"
	"gpatlas/platform/testkit/httpapitest"
	"gpatlas/platform/testkit/itertest"
)

type bench struct {
	*fixture.Catalog
	t    *testing.T
	host *httpapitest.Host
}

func newBench(t *testing.T) *bench {
	t.Helper()
	b := &bench{Catalog: fixture.New(t), t: t}
	b.on(fixture.Today.Now())
	return b
}

// on makes the host of a day.
func (b *bench) on(day time.Time) {
	filed, clk := history.NewStore(b.DB), clock.Fixed(day)
	routes := offering.Routes(offering.NewService(b.DB, filed, clk))
	routes = append(append(routes, gp.Routes(gp.NewService(b.Index, filed, nil, clk))...), fund.Routes(fund.NewService(b.Index, filed, nil, clk))...)
	b.host = httpapitest.New(b.t, routes...)
}

type row struct {
	ID           string   `json:"offering_id"`
	Fund         string   `json:"fund_id"`
	Others       []string `json:"other_fund_ids"`
	CRD, Stage   string
	Accession    string `json:"accession_number"`
	LatestNotice string `json:"latest_notice"`
	Date         string `json:"filing_date"`
	Amount       *int64 `json:"offering_amount"`
	Sold         *int64 `json:"amount_sold"`
	Remaining    *int64 `json:"amount_remaining"`
	Recipients   []struct{ Name string }
	Withheld     int    `json:"recipients_withheld"`
	MatchedBy    string `json:"matched_by"`
}

type answer struct {
	Data []row
	Meta struct {
		Total      int
		NextCursor *string `json:"next_cursor"`
	}
	text string
}

func (b *bench) get(path string) (a answer) {
	b.t.Helper()
	got := b.host.Do(b.t, httpapitest.Scenario{Path: "/v1/" + path})
	a.text = got.Body
	require.NoError(b.t, json.Unmarshal([]byte(got.Body), &a), got.Body)
	return a
}

// of lists one member of each row.
func (a answer) of(member func(r row) string) string {
	var list []string
	for _, r := range a.Data {
		list = append(list, member(r))
	}
	return strings.Join(list, " ")
}

func id(r row) string    { return r.ID }
func stage(r row) string { return r.Stage }
func last(r row) string  { return r.Accession[len(r.Accession)-2:] }

// notice is one notice of a data set; nth is the end of its accession number.
type notice struct {
	catalogapi.OfferingRow

	issuer     string
	recipients []*catalogapi.RecipientRow
	people     []*catalogapi.RelatedPersonRow
}

func accession(nth int) string { return fmt.Sprintf("0009999999-26-%06d", nth) }

// filed is a notice of a day.
func filed(nth int, number, on string, set ...func(n *notice)) *notice {
	day, err := time.Parse(time.DateOnly, on)
	if err != nil {
		panic(err)
	}
	n := &notice{OfferingRow: catalogapi.OfferingRow{
		Accession: accession(nth), FileNumber: number, Form: "D", Filed: day, IndustryGroup: "Pooled Investment Fund", Exemptions: []string{"06b"}, FirstSale: day.AddDate(0, 0, -9),
		OfferingAmount: new(int64(500)), AmountSold: new(int64(200)), Remaining: new(int64(300)), File: "OFFERING.tsv", Line: 2,
	}, issuer: "Nobody's Fund, L.P."}
	for _, s := range set {
		s(n)
	}
	return n
}

func amends(nth int) func(n *notice) {
	return func(n *notice) { n.Form, n.PreviousAccession = "D/A", accession(nth) }
}

func (b *bench) load(notices ...*notice) {
	b.t.Helper()
	doc := catalogapi.Document{Name: "2026q1_d.zip", Source: catalogapi.SourceFormD}
	var offerings []*catalogapi.OfferingRow
	var issuers []*catalogapi.IssuerRow
	var recipients []*catalogapi.RecipientRow
	var people []*catalogapi.RelatedPersonRow
	for _, n := range notices {
		offerings = append(offerings, &n.OfferingRow)
		issuers = append(issuers, &catalogapi.IssuerRow{Accession: n.Accession, Seq: 1, CIK: "1900001", Name: n.issuer, File: "ISSUERS.tsv", Line: 2})
		for i, r := range n.recipients {
			r.Accession, r.Seq, r.File, r.Line = n.Accession, i+1, "RECIPIENTS.tsv", 2
			recipients = append(recipients, r)
		}
		for i, p := range n.people {
			p.Accession, p.Seq, p.File, p.Line = n.Accession, i+1, "RELATEDPERSONS.tsv", 2
			people = append(people, p)
		}
	}
	doc.Offerings, doc.Issuers = itertest.Rows(offerings...), itertest.Rows(issuers...)
	doc.Recipients, doc.RelatedPersons = itertest.Rows(recipients...), itertest.Rows(people...)
	b.Add(b.t, doc)
}

// The number of fund 805-0000000011 in its filing, and that fund.
const (
	number = "021-900001"
	raised = "805-0000000011"
)

func TestOffering(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.load(filed(31, number, "2026-09-30", amends(30), func(n *notice) {
		n.FirstSale = time.Date(2025, 10, 28, 0, 0, 0, 0, time.UTC)
		n.OfferingAmount, n.AmountSold, n.Remaining = new(int64(750_000_000)), new(int64(412_500_000)), new(int64(337_500_000))
		n.Investors, n.SalesCommission, n.Exemptions = new(int64(61)), new(int64(4_125_000)), []string{"06b", "3C.7"}
		n.recipients = []*catalogapi.RecipientRow{{Name: "Mossgate Placement LLC", CRD: "900321", States: []string{"MA"}}}
	}))
	const want = `{
		"offering_id": "021-900001", "fund_id": "805-0000000011", "other_fund_ids": [], "crd": "900001", "stage": "raising", "latest_notice": "2026-09-30",
		"accession_number": "0009999999-26-000031", "filing_type": "D/A", "filing_date": "2026-09-30", "first_sale": "2025-10-28",
		"offering_amount": 750000000, "indefinite": false, "amount_sold": 412500000, "amount_remaining": 337500000, "investor_count": 61,
		"sales_commission": 4125000, "exemptions": ["506b"], "recipients": [{"name": "Mossgate Placement LLC", "crd": "900321", "states": ["MA"]}],
		"recipients_withheld": 0, "matched_by": "file_number"}`
	for _, path := range []string{"funds/" + raised + "/offerings", fmt.Sprintf("funds/%d/offerings", b.FundID(t, raised)), "gps/900001/offerings", "offerings?state=MA"} {
		var got struct{ Data []json.RawMessage }
		require.NoError(t, json.Unmarshal([]byte(b.get(path).text), &got))
		require.Len(t, got.Data, 1, path)
		require.JSONEq(t, want, string(got.Data[0]), path)
	}
	every := b.get("gps/900001/offerings?history=true")
	require.Equal(t, "31 11", every.of(last))
	require.Equal(t, "raising raising", every.of(stage), "the stage is the offering's")
	require.Equal(t, []string{"2026-09-30", "2020-12-31"}, []string{every.Data[0].Date, every.Data[1].Date})
	require.Equal(t, "2026-09-30", every.Data[1].LatestNotice)
	require.Empty(t, b.get("gps/900003/offerings").Data)
	require.Empty(t, b.get("funds/805-0000000012/offerings").Data)
	require.Contains(t, b.get("gps/900001/offerings?history=true&limit=1&offset=1").text, `"total":2,"limit":1,"offset":1`)
}

// V22: an offering is open for 395 days after its newest notice. The stage, the filters of the searches and the entity tags change with the day.
func TestStages(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	open := filed(31, number, "2026-01-01")
	b.load(open)
	at := func(days int) (list, market, gps, funds string) {
		b.on(open.Filed.AddDate(0, 0, days).Add(23 * time.Hour))
		list, market = b.get("funds/"+raised+"/offerings").of(stage), b.get("offerings?stage=raising,announced").of(id)
		return list, market, b.get("gps?raising_now=true").of(func(r row) string { return r.CRD }), b.get("funds?raising_now=true").of(func(r row) string { return r.Fund })
	}
	list, market, gps, funds := at(395)
	require.Equal(t, []string{"raising", number, "900001", raised}, []string{list, market, gps, funds})
	tag := func() string {
		return b.host.Do(t, httpapitest.Scenario{Path: "/v1/gps/900001/offerings"}).Header.Get("ETag")
	}
	before := tag()
	require.Equal(t, before, tag())
	list, market, gps, funds = at(396)
	require.Equal(t, []string{"lapsed", "", "", ""}, []string{list, market, gps, funds})
	require.NotEqual(t, before, tag())
	require.Equal(t, number, b.get("offerings?stage=lapsed&strategy=buyout").of(id))

	stages := func(days int, change func(n *notice)) (s string) {
		n := filed(31, number, "2026-01-01", change)
		b.load(n)
		list, market, gps, funds := at(days)
		isOpen := list == "raising" || list == "announced"
		require.Equal(t, []bool{isOpen, isOpen, isOpen}, []bool{market != "", gps != "", funds != ""}, list)
		require.Equal(t, number, b.get("offerings?min_sold=1&stage="+list).of(id))
		return list
	}
	require.Equal(t, "announced", stages(10, func(n *notice) { n.YetToOccur, n.FirstSale = new(true), time.Time{} }))
	require.Equal(t, "lapsed", stages(400, func(n *notice) { n.YetToOccur = new(true) }))
	require.Equal(t, "sold_out", stages(400, func(n *notice) { n.Remaining, n.YetToOccur = new(int64(0)), new(true) }))
	require.Equal(t, "raising", stages(10, func(n *notice) { n.Remaining, n.OfferingAmount, n.Indefinite = new(int64(0)), nil, true }))
	row := b.get("gps/900001/offerings").Data[0]
	require.Nil(t, row.Amount)
	require.Nil(t, row.Remaining, "an indefinite offering has no rest")
	require.Equal(t, "raising", stages(10, func(n *notice) { n.Remaining = nil }))

	b.load(filed(31, number, "2026-01-01"))
	b.file("9001", "2026-04-01", "0000000012") // the fund is in the list no more
	list, market, gps, funds = at(40)
	require.Equal(t, []string{"closed", "", "", ""}, []string{list, market, gps, funds})
	require.Equal(t, number, b.get("offerings?stage=closed").of(id))
}

// file loads a filing of 900001 that lists some funds, with the number where it lists its fund.
func (b *bench) file(filing, on string, funds ...string) {
	b.t.Helper()
	day, err := time.Parse(time.DateOnly, on)
	require.NoError(b.t, err)
	doc := catalogapi.Document{
		Name: "ADV_" + filing + ".zip", Source: catalogapi.SourceADVArchive,
		Filings: itertest.Rows(&catalogapi.AdviserFiling{
			Key: filing, FilingID: filing, CRD: "900001", Submitted: day, FundsListed: true,
			Statement: catalogapi.Statement{LegalName: "Harbor Ridge Capital Partners LLC", City: new("Boston"), State: new("MA")},
			Basis:     catalogapi.Basis{Registration: new(string(catalogapi.Registered))}, File: "f", Line: 2,
		}),
	}
	var rows []*catalogapi.FundRow
	var numbers []*catalogapi.FormDRow
	for _, f := range funds {
		rows = append(rows, &catalogapi.FundRow{FilingKey: filing, ReferenceID: f, FundID: "805-" + f, Name: "Fund " + f + ", L.P.", FundType: "Private Equity Fund", File: "f", Line: 2})
		if "805-"+f != "805-0000000012" {
			numbers = append(numbers, &catalogapi.FormDRow{FilingKey: filing, ReferenceID: f, FileNumber: number})
		}
	}
	doc.Funds, doc.FormDNumbers = itertest.Rows(rows...), itertest.Rows(numbers...)
	b.Add(b.t, doc)
}

// V24: a chain is one offering, whatever numbers its notices have; the newest day counts, also of an amendment that is older than its notice.
func TestChains(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	const other = "0000000013"
	b.load(
		filed(31, number, "2025-12-01", func(n *notice) { n.AmountSold = new(int64(1)) }),
		filed(32, "", "2026-02-01", amends(31), func(n *notice) { n.AmountSold = new(int64(2)) }),           // without a number
		filed(33, "021-900099", "2026-03-01", amends(32), func(n *notice) { n.AmountSold = new(int64(3)) }), // with a new one
		filed(34, "021-900099", "2026-01-15", amends(35), func(n *notice) { n.AmountSold = new(int64(4)) }), // older than its notice
		filed(35, "021-900099", "2026-02-15"),
	)
	got := b.get("gps/900001/offerings")
	require.Len(t, got.Data, 1)
	require.Equal(t, []any{"021-900099", "2026-03-01", int64(3)}, []any{got.Data[0].ID, got.Data[0].LatestNotice, *got.Data[0].Sold})
	require.Equal(t, "33 35 32 34 31 11", b.get("gps/900001/offerings?history=true").of(last))
	require.Equal(t, "021-900099", b.get("offerings?filed_after=2026-02-20").of(id))
	require.Empty(t, b.get("offerings?filed_after=2026-03-02").Data, "the newest notice counts")

	b.file("9001", "2026-04-01", "0000000011", "0000000012", other) // two funds with one number
	both := b.get("gps/900001/offerings").Data
	require.Len(t, both, 1)
	require.Equal(t, []any{raised, []string{"805-" + other}}, []any{both[0].Fund, both[0].Others})
	require.Equal(t, []any{"805-" + other, []string{raised}}, func() []any {
		r := b.get("funds/805-" + other + "/offerings").Data[0]
		return []any{r.Fund, r.Others}
	}())
	require.Equal(t, "021-900099", b.get("offerings?state=MA").of(id), "once, however many funds it matches")
	require.Equal(t, raised+" 805-"+other, b.get("funds?raising_now=true").of(func(r row) string { return r.Fund }))

	b.file("9002", "2026-05-01", "0000000012", other) // one of them is closed: the other one is shown
	require.Equal(t, []string{"805-" + other, "raising"}, func() []string {
		r := b.get("gps/900001/offerings").Data[0]
		return []string{r.Fund, r.Stage}
	}())
	require.Equal(t, "closed", b.get("funds/"+raised+"/offerings").of(stage))
}

// An offering without a number has the accession number of its first notice, and is found by the name of its issuer.
func TestNamed(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	named := func(n *notice) { n.issuer = "Kestrel Lane Seed Fund, L.P." }
	b.load(filed(41, "", "2026-03-01", named), filed(42, "", "2026-04-01", named, amends(41)))
	got := b.get("funds/805-0000000021/offerings").Data
	require.Equal(t, []string{accession(41), accession(42), "name"}, []string{got[0].ID, got[0].Accession, got[0].MatchedBy})
	require.Equal(t, accession(41), b.get("offerings?state=CA&filed_after=2026-01-01").of(id))
}

// V23: who is or may be a person is counted and never named, and no filter finds such a name.
func TestPersonsAreWithheld(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.load(filed(31, number, "2026-09-30", func(n *notice) {
		for _, r := range []struct{ name, crd string }{
			{"Juno Alderwick", ""},
			{"ALDERWICK, JUNO", "7654321"},
			{"Mossgate Placement LLC", ""},
			{"Thistle and Thorn", "900003"},
			{"ALDERWICK, JUNO", "900002"},
			{"Juno Alderwick c/o Kestrel LLC", ""},
			{"Alderwick Family Trust", ""},
			{"Juno Alderwick LLC", ""}, // a firm that is called after a related person
			{"JunoAlderwick Placement LLC", "7654322"},
			{"Harwell Securities", "77"},
			{"None", ""},
		} {
			n.recipients = append(n.recipients, &catalogapi.RecipientRow{Name: r.name, CRD: r.crd, BrokerDealer: "Juno Alderwick"})
		}
		n.people = []*catalogapi.RelatedPersonRow{{FirstName: "Juno", LastName: "Alderwick", Relationships: []string{"Executive Officer"}}}
	}))
	for _, path := range []string{"gps/900001/offerings?history=true", "funds/" + raised + "/offerings", "offerings?recipient=mossgate", "offerings"} {
		got := b.get(path)
		require.Equal(t, number, got.Data[0].ID, path)
		var names []string
		for _, r := range got.Data[0].Recipients {
			names = append(names, r.Name)
		}
		require.Equal(t, []string{"Mossgate Placement LLC", "Thistle & Thorn Credit Advisors Ltd", "Kestrel Lane Ventures LLC", "Harwell Securities"}, names, path)
		require.Equal(t, 7, got.Data[0].Withheld, path)
		for _, secret := range []string{"juno", "alderwick", "7654321"} {
			require.NotContains(t, strings.ToLower(got.text), secret, path)
		}
	}
	for _, name := range []string{"juno", "Alderwick", "none", "placement LLP"} {
		require.Empty(t, b.get("offerings?recipient="+strings.ReplaceAll(name, " ", "+")).Data, name)
	}
	require.Equal(t, number, b.get("offerings?recipient=nothing+here;thorn").of(id))
}

func TestBadInput(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.load(filed(31, number, "2026-09-30"), filed(32, "021-900002", "2026-09-29"))
	cursor := *b.get("offerings?limit=1").Meta.NextCursor
	for query, contains := range map[string]string{
		"offerings?stage=open": "Invalid stage", "offerings?stage=raising,": "Invalid stage", "offerings?min_offering=2&max_offering=1": "Invalid min_offering",
		"offerings?min_sold=-1": "Invalid min_sold", "offerings?exemption=3c7": "Invalid exemption", "offerings?recipient=%3B": "Invalid recipient",
		"offerings?state=Narnia": "Invalid state", "offerings?strategy=x": "Invalid strategy", "offerings?filed_after=1+May": "Invalid filed_after", "offerings?sort=name": "Invalid sort",
		"offerings?limit=101": "Invalid limit", "offerings?cursor=x": "Invalid cursor", "offerings?sort=sold&cursor=" + cursor: "Invalid cursor",
		"offerings?cursor=" + cursor + "&min_sold=1": "Invalid cursor", "offerings?crd=900001": "crd", "offerings?max_sold=1": "max_sold", "offerings?stage=raising&stage=closed": "Invalid stage",
		"gps/900001/offerings?history=yes": "Invalid history", "gps/0123/offerings": "Invalid crd", "funds/805-1/offerings": "Invalid fund_id",
		"gps/900001/offerings?as_of=2026-11-22": "Invalid as_of: must not be in the future", "funds/" + raised + "/offerings?as_of=soon": "Invalid as_of",
		"gps/900001/offerings?known_at=2026-01-01": "Invalid known_at: is not accepted: the recipients of restated notices are not kept",
		"offerings?as_of=2026-01-01":               "Invalid as_of: is not accepted: to which funds notices belong is known for today only",
		"gps?raising_now=false":                    "Invalid raising_now", "funds?raising_now=false": "Invalid raising_now",
		"funds?raising_now=true&status=closed": "Invalid raising_now", "funds?raising_now=true&closed_after=2026-01-01": "Invalid raising_now",
	} {
		b.host.Do(t, httpapitest.Scenario{Name: query, Path: "/v1/" + query, Status: http.StatusBadRequest, Contains: []string{contains}})
	}
	for path, what := range map[string]string{"gps/900001": "GP with CRD 900001", "funds/" + raised: "Fund " + raised} {
		b.host.Do(t, httpapitest.Scenario{Path: "/v1/" + path + "/offerings?as_of=2010-01-01", Status: http.StatusNotFound, WantJSON: `{"detail": "` + what + ` is in no filing up to 2010-01-01"}`})
	}
	b.host.Do(t, httpapitest.Scenario{Path: "/v1/gps/123/offerings", Status: http.StatusNotFound, WantJSON: `{"detail": "GP with CRD 123 not found"}`})
	b.host.Do(t, httpapitest.Scenario{Path: "/v1/funds/805-9999999999/offerings", Status: http.StatusNotFound, WantJSON: `{"detail": "Fund 805-9999999999 not found"}`})
}
