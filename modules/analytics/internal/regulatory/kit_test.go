package regulatory_test

import (
	"context"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/analytics/internal/regulatory"
	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/catalogtest"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/testkit/dbtest"
	"gpatlas/platform/testkit/httpapitest"
	"gpatlas/platform/testkit/itertest"
)

// noon is when the tests begin.
var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// archive is one Form ADV archive as it is put together.
type archive struct {
	name       string
	filings    []*catalogapi.AdviserFiling
	pages      []*catalogapi.DisclosureRow
	affiliates []*catalogapi.DisclosureAffiliateRow
}

func (a *archive) file(id, crd, date, name string) {
	a.filings = append(a.filings, &catalogapi.AdviserFiling{
		Key: id, FilingID: id, CRD: crd, Submitted: day(date),
		Statement: catalogapi.Statement{
			LegalName: name, SECNumber: catalogapi.Text("801-" + crd[1:]), Country: new("United States"),
		},
		Basis: catalogapi.Basis{Registration: new(string(catalogapi.Registered))},
		File:  "base.csv", Line: len(a.filings) + 2,
	})
}

func (a *archive) page(p catalogapi.DisclosureRow) {
	p.File, p.Line = "drp.csv", len(a.pages)+2
	a.pages = append(a.pages, &p)
}

func (a *archive) affiliate(filing, reference, kind, name, crd, person string) {
	a.affiliates = append(a.affiliates, &catalogapi.DisclosureAffiliateRow{
		FilingKey: filing, ReferenceID: reference, Type: kind, CRD: crd, Kind: person, Registered: new(true), Name: name,
		File: "drp_aa.csv", Line: len(a.affiliates) + 2,
	})
}

func (a *archive) load(tb testing.TB, db *database.DB) {
	tb.Helper()
	load(tb, db, a.document())
}

func (a *archive) document() catalogapi.Document {
	return catalogapi.Document{
		Name: a.name, Source: catalogapi.SourceADVArchive, Filings: itertest.Rows(a.filings...), Disclosures: itertest.Rows(a.pages...), Implicated: itertest.Rows(a.affiliates...),
	}
}

// load loads documents one after the other in one batch.
func load(tb testing.TB, db *database.DB, docs ...catalogapi.Document) {
	tb.Helper()
	loader := catalogtest.NewLoader(db, clock.Fixed(noon))
	_, err := loader.LoadBatch(tb.Context(), func(ctx context.Context, load catalogapi.LoadFunc) error {
		for _, doc := range docs {
			_, err := load(ctx, loader.Prepare(ctx, doc, catalogapi.LoadOptions{
				RunID: 1, Reject: func(r catalogapi.Rejected) { tb.Errorf("rejected: %+v", r) },
			}))
			if err != nil {
				return err
			}
		}
		return nil
	})
	require.NoError(tb, err)
}

func day(s string) time.Time {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		panic(err)
	}
	return t
}

// harborRidge is the adviser 900001 with three yearly filings, each of which repeats the pages of the one before: 11 is
// amended in the second, 12 is not in the third any more, 14 is resolved by the third, and one that has no ReferenceID
// begins with the second. 900002 has nothing to disclose.
func harborRidge(tb testing.TB) *database.DB {
	tb.Helper()
	db := dbtest.New(tb)
	docs := make([]catalogapi.Document, 0, 5)
	for i, date := range []string{"2024-03-28", "2025-03-28", "2026-03-28"} {
		a := &archive{name: "ADV_Filing_Data_" + date + ".zip"}
		id := []string{"999", "1002", "1003"}[i] // by number, not by letter
		a.file(id, "900001", date, "Harbor Ridge Capital Partners LLC")
		finra(a, id, i)
		if i < 2 {
			a.page(catalogapi.DisclosureRow{
				FilingKey: id, Family: catalogapi.DisclosureCriminal, ReferenceID: "12", Items: []string{"11.B(1)"}, FiledAgainst: "Firm",
				Court: "Circuit Court, Merrow County", CaseNumber: "14-CR-77", EventDate: day("2014-05-06"),
				Allegations: "One count of conducting business without a local license.", Felony: new(false), Status: "Final", Resolution: "Dismissed",
			})
		}
		a.page(catalogapi.DisclosureRow{
			FilingKey: id, Family: catalogapi.DisclosureCivil, ReferenceID: "13", Items: []string{"11.H(1)(a)"}, FiledAgainst: "Both",
			InitiatedBy: "A former client", Court: "District Court of Tivan", CaseNumber: "20-CV-9", EventDate: day("2020-07-01"),
			Status: "Pending", Sanctions: []string{"injunction"}, Summary: "The claim is disputed.",
		})
		a.affiliate(id, "13", "Civil Judicial Action", "Larkspur, Ada", "", "Individual")
		sec(a, id, i)
		if i > 0 {
			a.page(catalogapi.DisclosureRow{
				FilingKey: id, Family: catalogapi.DisclosureRegulatory, Items: []string{"11.D(2)"}, FiledAgainst: "You",
				InitiatedBy: "State of Halvor", CaseNumber: []string{"", "HV-2023/1", "HV 2023 1"}[i], EventDate: day("2023-02-03"),
				Allegations: []string{"", "Late notice.", "Late notice filing."}[i],
			})
		}
		docs = append(docs, a.document())
	}
	a := &archive{name: "ADV_Filing_Data_20260401_20260430.zip"}
	a.file("1100", "900002", "2026-04-02", "Kestrel Lane Ventures LLC")
	docs = append(docs, a.document())
	// A roster knows of no disclosures, which does not mean that there are none any more.
	docs = append(docs, catalogapi.Document{Name: "roster-2026-07.xlsx", Source: catalogapi.SourceRoster, Filings: itertest.Rows(&catalogapi.AdviserFiling{
		Key: "r1", CRD: "900001", Submitted: day("2026-07-01"),
		Statement: catalogapi.Statement{
			LegalName: "Harbor Ridge Capital Partners LLC", SECNumber: new("801-00001"), Country: new("United States"),
		},
		Basis: catalogapi.Basis{Registration: new(string(catalogapi.Registered))},
		File:  "roster", Line: 2,
	})})
	load(tb, db, docs...)
	return db
}

// finra is page 11, against affiliates.
func finra(a *archive, id string, i int) {
	a.page(catalogapi.DisclosureRow{
		FilingKey: id, Family: catalogapi.DisclosureRegulatory, ReferenceID: "11", Amended: new(i > 0), Items: []string{"11.E(3)"},
		FiledAgainst: "Affiliates", InitiatedBy: "FINRA", InitiatorType: "SRO", CaseNumber: "2020065242701", EventDate: day("2021-02-19"),
		Product: "No Product", Allegations: []string{"Trade reports had errors.", "Trade reports had errors in a time stamp.", "Trade reports had errors in a time stamp."}[i],
		Status: "Final", Resolution: "Acceptance, Waiver & Consent(AWC)", ResolutionDate: day("2021-02-19"),
		Sanctions: []string{"monetary sanction", "censure"}, MonetaryAmount: new(int64(5000)), SanctionDetail: "Paid in full.", Summary: "Settled.",
	})
	a.affiliate(id, "11", "Regulatory Action", "MOSSGATE SECURITIES, LLC", "900009", "Firm")
	a.affiliate(id, "11", "Regulatory Action", "BATES, IMRA, K", "900019", "Individual")
	a.affiliate(id, "11", "Criminal", "ANOTHER FAMILY'S", "", "Individual")
}

// sec is page 14, against the firm.
func sec(a *archive, id string, i int) {
	p := catalogapi.DisclosureRow{
		FilingKey: id, Family: catalogapi.DisclosureRegulatory, ReferenceID: "14", Items: []string{"11.D(4)"}, FiledAgainst: "Firm",
		InitiatedBy: "United States Securities and Exchange Commission", InitiatorType: "SEC", CaseNumber: "3-19999", EventDate: day("2023-09-30"),
		Status: "Pending", Sanctions: []string{"cease and desist"},
	}
	if i == 2 {
		p.Status, p.Resolution, p.ResolutionDate, p.MonetaryAmount = "Final", "Order", day("2025-06-30"), new(int64(250_000))
	}
	a.page(p)
}

// newHost serves the operation with the filings as its only source.
func newHost(tb testing.TB, db *database.DB, clk clock.Clock) *httpapitest.Host {
	tb.Helper()
	store := regulatory.NewStore(db)
	providers, err := regulatory.Providers(regulatory.Settings{}, store, clk, slog.New(slog.DiscardHandler))
	require.NoError(tb, err)
	return httpapitest.New(tb, regulatory.Routes(regulatory.NewService(store, providers, clk, slog.New(slog.NewTextHandler(tb.Output(), nil))))...)
}

// source is a provider whose answers the test decides.
type source struct {
	name    string
	mu      sync.Mutex
	answer  regulatory.Answer
	err     error
	edition string
	asked   int
	wait    chan struct{} // answers come when it is closed; nil = at once
	begun   chan struct{} // gets one value for each question; nil = none
}

func (s *source) Name() string { return s.name }

func (s *source) Edition(context.Context, string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.edition, nil
}

func (s *source) Events(ctx context.Context, _ string) (regulatory.Answer, error) {
	s.mu.Lock()
	s.asked++
	answer, err := s.answer, s.err
	s.mu.Unlock()
	if s.begun != nil {
		s.begun <- struct{}{}
	}
	if s.wait != nil {
		select {
		case <-s.wait:
		case <-ctx.Done():
			return regulatory.Answer{}, ctx.Err()
		}
	}
	return answer, err
}

func (s *source) set(change func(s *source)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change(s)
}

func (s *source) times() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked
}
