package disclosure_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/disclosure"
	"gpatlas/modules/catalog/internal/testkit/fixture"
	"gpatlas/platform/testkit/httpapitest"
	"gpatlas/platform/testkit/itertest"
)

// bench is the fixture with the operation over it.
type bench struct {
	*fixture.Catalog
	t    *testing.T
	host *httpapitest.Host
}

func newBench(t *testing.T) *bench {
	t.Helper()
	c := fixture.New(t)
	return &bench{c, t, httpapitest.New(t, disclosure.Routes(disclosure.NewService(c.Index, c.DB))...)}
}

type row struct {
	ID          string `json:"event_id"`
	CRD         string
	Firm        string  `json:"firm_name"`
	Type        string  `json:"event_type"`
	EventDate   *string `json:"event_date"`
	DisclosedAt string  `json:"disclosed_at"`
	InitiatedBy *string `json:"initiated_by"`
	Sanctions   []string
	Amount      *int64 `json:"monetary_amount"`
	Resolution  *string
	Affiliates  struct {
		Firms                 []string
		Individuals, Withheld int
	}
	Reference *string `json:"reference_id"`
	Accession string  `json:"accession_number"`
	NoLonger  bool    `json:"no_longer_reported"`
	Since     *string `json:"no_longer_reported_since"`
	Withheld  []string
}

type answer struct {
	Data []row
	Meta struct {
		NextCursor *string `json:"next_cursor"`
		Basis      struct{ Stated bool }
		Unstated   []string
	}
	text string
}

func (b *bench) get(query string) (a answer) {
	b.t.Helper()
	a.text = b.host.Do(b.t, httpapitest.Scenario{Path: "/v1/disclosures?" + query, Status: http.StatusOK}).Body
	require.NoError(b.t, json.Unmarshal([]byte(a.text), &a))
	return a
}

// of are the parts of the rows, one a line.
func (a answer) of(part func(r row) string) string {
	lines := make([]string, len(a.Data))
	for i, r := range a.Data {
		lines[i] = part(r)
	}
	return strings.Join(lines, "\n")
}

// archive is one Form ADV archive as it is put together.
type archive struct {
	filings    []*catalogapi.AdviserFiling
	pages      []*catalogapi.DisclosureRow
	affiliates []*catalogapi.DisclosureAffiliateRow
	owners     []*catalogapi.OwnerRow
}

func (a *archive) file(id, crd, date, state string, silent ...string) {
	a.filings = append(a.filings, &catalogapi.AdviserFiling{
		Key: id, FilingID: id, CRD: crd, Submitted: day(date), Silent: silent,
		Statement: catalogapi.Statement{LegalName: "Firm " + crd + " LLC", Country: new("United States"), State: catalogapi.Text(state)},
		Basis:     catalogapi.Basis{Registration: new(string(catalogapi.Registered))}, File: "base.csv", Line: len(a.filings) + 2,
	})
}

func (a *archive) page(p catalogapi.DisclosureRow) {
	p.File, p.Line = "drp.csv", len(a.pages)+2
	a.pages = append(a.pages, &p)
}

func (a *archive) affiliate(filing, reference, kind, crd, name string) {
	a.affiliates = append(a.affiliates, &catalogapi.DisclosureAffiliateRow{
		FilingKey: filing, ReferenceID: reference, Kind: kind, CRD: crd, Name: name, File: "drp_aa.csv", Line: len(a.affiliates) + 2,
	})
}

func (a *archive) load(b *bench, name string) {
	b.t.Helper()
	b.Add(b.t, catalogapi.Document{
		Name: name, Source: catalogapi.SourceADVArchive, Filings: itertest.Rows(a.filings...), Disclosures: itertest.Rows(a.pages...),
		Implicated: itertest.Rows(a.affiliates...), Owners: itertest.Rows(a.owners...),
	})
}

func day(s string) time.Time {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		panic(err)
	}
	return t
}
