package activity_test

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/accounts/internal/activity"
	"gpatlas/modules/accounts/internal/testkit/sessiontest"
	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/catalogtest"
	"gpatlas/platform/auth"
	"gpatlas/platform/testkit/httpapitest"
	"gpatlas/platform/testkit/itertest"
)

func at(s string) time.Time {
	t, err := time.Parse("2006-01-02 15:04", s)
	if err != nil {
		panic(err)
	}
	return t
}

// names of the fixture's advisers. 900003 is on no watchlist.
var names = map[string]string{"900001": "Harbor Ridge Capital Partners LLC", "900002": "Mossgate Ventures LLC", "900003": "Larkspur Hollow LLC"}

func filing(id, crd, submitted string) *catalogapi.AdviserFiling {
	return &catalogapi.AdviserFiling{
		Key: id + crd + submitted, FilingID: id, CRD: crd, Submitted: at(submitted), Statement: catalogapi.Statement{LegalName: names[crd]},
		Basis: catalogapi.Basis{Registration: new(string(catalogapi.Registered))}, FundsListed: id != "",
	}
}

func fund(of *catalogapi.AdviserFiling, number, name string) *catalogapi.FundRow {
	return &catalogapi.FundRow{FilingKey: of.Key, ReferenceID: "805-00000000" + number, FundID: "805-00000000" + number, Name: name, FundType: "Private Equity Fund"}
}

func notice(number, form, filed string) *catalogapi.OfferingRow {
	return &catalogapi.OfferingRow{Accession: "0009999999-26-00000" + number, FileNumber: "021-500001", Form: form, Filed: at(filed + " 00:00")}
}

// documents hold, of 2026-11-20 and before, what is an event and what is none. Funds 11 of 900001 and 21 of 900002 share a
// notice.
func documents() []catalogapi.Document {
	old, annual, other := filing("1001", "900001", "2024-03-28 10:00"), filing("1002", "900001", "2026-11-01 10:00"), filing("1003", "900001", "2026-11-12 15:04")
	mossgate, unwatched := filing("2001", "900002", "2026-11-01 10:00"), filing("3001", "900003", "2026-11-15 09:00")
	list := filing("", "900002", "2026-11-06 00:00")
	return []catalogapi.Document{
		{
			Name: "ADV_Filing_Data.zip", Source: catalogapi.SourceADVArchive, Filings: itertest.Rows(old, annual, other, mossgate, unwatched),
			Funds: itertest.Rows(
				fund(old, "11", "Harbor Ridge Buyout Fund I"), fund(annual, "11", "Harbor Ridge Buyout Fund I"), fund(other, "11", "Harbor Ridge Buyout Fund I"),
				fund(other, "12", "Harbor Ridge Growth Fund II"), fund(mossgate, "21", "Mossgate Seed Fund"), fund(unwatched, "31", "Larkspur Fund"),
			),
			FormDNumbers: itertest.Rows(
				&catalogapi.FormDRow{FilingKey: other.Key, ReferenceID: "805-0000000011", FileNumber: "021-500001"},
				&catalogapi.FormDRow{FilingKey: other.Key, ReferenceID: "805-0000000012", FileNumber: "021-500001"},
				&catalogapi.FormDRow{FilingKey: mossgate.Key, ReferenceID: "805-0000000021", FileNumber: "021-500001"},
			),
		},
		{Name: "roster-2026-11.xlsx", Source: catalogapi.SourceRoster, Filings: itertest.Rows(filing("", "900001", "2026-11-03 00:00"))},
		{Name: "feed.xml.gz", Source: catalogapi.SourceFeed, Filings: itertest.Rows(filing("", "900001", "2026-11-04 00:00"))},
		{Name: "funds.csv", Source: catalogapi.SourceFundList, Filings: itertest.Rows(list), Funds: itertest.Rows(&catalogapi.FundRow{FilingKey: list.Key, FundID: "805-0000000021", Name: "Mossgate Seed Fund"})},
		{Name: "advw.zip", Source: catalogapi.SourceADVW, Withdrawals: itertest.Rows(
			&catalogapi.WithdrawalRow{CRD: "900002", FilingID: "9001", Submitted: at("2026-11-07 00:00"), File: "advw.csv", Line: 2})},
		{Name: "2026q4_d.zip", Source: catalogapi.SourceFormD, Offerings: itertest.Rows(notice("1", "D", "2026-11-05"), notice("2", "D/A", "2026-11-08"), notice("3", "D", "2026-01-05"))},
	}
}

// bench is the feed over the loaded documents: Ada watches 900001 and 900002, Grace 900002, Mary none.
type bench struct {
	*sessiontest.Bench
	host             *httpapitest.Host
	log              *lines
	loader           catalogapi.Loader
	runs             int64
	ada, grace, mary *auth.Principal
}

// lines is a log that several write to.
type lines struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

func newBench(t *testing.T) *bench {
	t.Helper()
	b := &bench{Bench: sessiontest.New(t), log: &lines{}}
	loader := catalogtest.NewLoader(b.DB, b.Clock)
	for i, doc := range documents() {
		_, err := loader.LoadDocument(t.Context(), doc, catalogapi.LoadOptions{
			RunID: int64(i + 1), Reject: func(r catalogapi.Rejected) { require.Fail(t, "the fixture has a bad row", "%+v", r) },
		})
		require.NoError(t, err)
	}
	b.loader, b.runs = loader, int64(len(documents()))
	b.exec(t, "UPDATE catalog.arrivals SET known_at = '2026-11-13 06:00Z' WHERE arrival = (SELECT min(arrival) FROM catalog.filings)")
	b.exec(t, "UPDATE catalog.arrivals SET known_at = '2026-11-14 06:00Z' WHERE arrival = (SELECT max(arrival) FROM catalog.offering_funds)")
	user := func(email string, crds ...string) *auth.Principal {
		u := b.MakeUser(t, email)
		for _, crd := range crds {
			b.watch(t, u.ID, crd)
		}
		return &auth.Principal{Kind: auth.Session, UserID: u.ID}
	}
	b.ada, b.grace, b.mary = user("ada@larkspur.example", "900001", "900002"), user("grace@mossgate.example", "900002"), user("mary@larkspur.example")
	b.host = httpapitest.New(t, activity.Routes(activity.NewService(b.DB, b.Clock, slog.New(slog.NewTextHandler(b.log, nil))))...)
	return b
}

func (b *bench) exec(t *testing.T, statement string) {
	t.Helper()
	require.NoError(t, b.DB.From(t.Context()).Exec(statement).Error)
}

// file loads an archive with one filing; the context may be that of a transaction.
func (b *bench) file(ctx context.Context, t *testing.T, id, crd, submitted string) {
	t.Helper()
	b.runs++
	_, err := b.loader.LoadDocument(ctx, catalogapi.Document{
		Name: "late-" + id + ".zip", Source: catalogapi.SourceADVArchive, Filings: itertest.Rows(filing(id, crd, submitted)),
	}, catalogapi.LoadOptions{RunID: b.runs})
	require.NoError(t, err)
}

func (b *bench) watch(t *testing.T, userID int64, crd string) {
	t.Helper()
	require.NoError(t, b.DB.From(t.Context()).Exec(`INSERT INTO accounts.watchlist_items (id, user_id, adviser_crd, canonical_gp_id, created_at)
		VALUES (gen_random_uuid(), ?, ?, 900001, now())`, userID, crd).Error)
}
