package marketintel_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/robfig/cron/v3"
	"github.com/stretchr/testify/require"

	"gpatlas/modules/accounts/accountsapi"
	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/catalogtest"
	"gpatlas/modules/notifications/internal/kind"
	"gpatlas/modules/notifications/internal/marketintel"
	"gpatlas/modules/notifications/internal/queue"
	"gpatlas/modules/notifications/internal/render"
	"gpatlas/platform/apperr"
	"gpatlas/platform/auth"
	"gpatlas/platform/database"
	"gpatlas/platform/jobs"
	"gpatlas/platform/testkit/clocktest"
	"gpatlas/platform/testkit/dbtest"
	"gpatlas/platform/testkit/httpapitest"
	"gpatlas/platform/testkit/itertest"
)

// kinds are those of the program, all off or all on.
type kinds struct{ off bool }

func (k *kinds) Find(ctx context.Context, id string) (kind.Kind, bool, error) {
	found, ok, err := kind.InCode{}.Find(ctx, id)
	found.Enabled = !k.off
	return found, ok, err
}

type bench struct {
	t       *testing.T
	db      *database.DB
	clock   *clocktest.Clock
	kinds   *kinds
	loader  catalogapi.Loader
	runs    int64
	service *marketintel.Service
}

func newBench(t *testing.T) *bench {
	t.Helper()
	b := &bench{t: t, db: dbtest.New(t), clock: clocktest.At("2026-11-23T13:00:00Z"), kinds: &kinds{}}
	b.loader = catalogtest.NewLoader(b.db, b.clock)
	b.service = marketintel.NewService(b.db, b.clock, queue.NewService(b.db, b.clock, b.kinds), b.kinds, jobs.NewEnqueuer(b.db))
	return b
}

func (b *bench) exec(statement string, args ...any) {
	b.t.Helper()
	_, err := b.db.Pool().Exec(b.t.Context(), statement, args...)
	require.NoError(b.t, err, statement)
}

func (b *bench) account(name, plan string) (id int64) {
	b.t.Helper()
	require.NoError(b.t, b.db.Pool().QueryRow(b.t.Context(), `INSERT INTO accounts.users
		(email, email_key, full_name, password_hash, tier, subscription_plan, api_tier, email_verified_at, created_at, updated_at)
		VALUES ($1, $1, $2, '', $3, $3, 'starter', now(), now(), now()) RETURNING id`, strings.ToLower(name)+"@larkspur.example", name, plan).Scan(&id))
	return id
}

// filed is a filing: CRD, day, assets in millions of USD (0: not stated), and the numbers of the funds that it lists.
type filed struct {
	crd, day string
	millions int64
	funds    []string
}

// load loads filings and withdrawals ("CRD day"), which become known at an instant.
func (b *bench) load(known string, filings []filed, withdrawals ...string) {
	b.t.Helper()
	doc := catalogapi.Document{Name: fmt.Sprintf("ADV_Filing_Data_%d.zip", b.runs+1), Source: catalogapi.SourceADVArchive}
	var papers []*catalogapi.AdviserFiling
	var funds []*catalogapi.FundRow
	for i, f := range filings {
		paper := &catalogapi.AdviserFiling{
			Key: strconv.Itoa(i), FilingID: strconv.FormatInt(1000*(b.runs+1)+int64(i), 10), CRD: f.crd, Submitted: day(f.day),
			Statement: catalogapi.Statement{
				LegalName: "Harbor " + f.crd + " LLC", City: new("Boston"), State: new("MA"), Country: new("United States"),
			},
			Basis: catalogapi.Basis{Registration: new(string(catalogapi.Registered))}, FundsListed: true,
		}
		if f.millions > 0 {
			paper.RAUM = new(f.millions * 1e6)
		}
		papers = append(papers, paper)
		for _, number := range f.funds {
			id := "805-00000000" + number
			funds = append(funds, &catalogapi.FundRow{
				FilingKey: paper.Key, ReferenceID: id, FundID: id, Name: "Fund " + number, FundType: "Private Equity Fund", GAV: new(int64(25e6)),
			})
		}
	}
	doc.Filings, doc.Funds = itertest.Rows(papers...), itertest.Rows(funds...)
	if len(withdrawals) > 0 {
		var rows []*catalogapi.WithdrawalRow
		for i, w := range withdrawals {
			crd, at, _ := strings.Cut(w, " ")
			rows = append(rows, &catalogapi.WithdrawalRow{CRD: crd, FilingID: strconv.FormatInt(9000*(b.runs+1)+int64(i), 10), Submitted: day(at), Full: true, File: "advw.csv", Line: 2 + i})
		}
		doc = catalogapi.Document{Name: "advw.zip", Source: catalogapi.SourceADVW, Withdrawals: itertest.Rows(rows...)}
	}
	b.loadDocument(known, doc)
}

func (b *bench) loadDocument(known string, doc catalogapi.Document) {
	b.t.Helper()
	b.runs++
	_, err := b.loader.LoadDocument(b.t.Context(), doc, catalogapi.LoadOptions{RunID: b.runs, Reject: func(r catalogapi.Rejected) {
		require.Fail(b.t, "the fixture has a bad row", "%+v", r)
	}})
	require.NoError(b.t, err)
	b.exec("UPDATE catalog.arrivals SET known_at = $1 WHERE arrival = (SELECT max(arrival) FROM catalog.arrivals)", clocktest.Instant(known))
}

func day(text string) time.Time {
	at, err := time.Parse(time.DateOnly, text)
	if err != nil {
		panic(err)
	}
	return at
}

func (b *bench) run(day string) int {
	b.t.Helper()
	mails, err := b.service.Run(b.t.Context(), day)
	require.NoError(b.t, err)
	return mails
}

// text is the newest mail, in one line.
func (b *bench) text() string {
	b.t.Helper()
	var raw json.RawMessage
	require.NoError(b.t, b.db.Pool().QueryRow(b.t.Context(), "SELECT data FROM notifications.queue ORDER BY id DESC LIMIT 1").Scan(&raw))
	content, more, err := marketintel.Renderers()[kind.Market](b.t.Context(), accountsapi.Account{FullName: "Ada Larkspur"}, raw,
		render.Links{PublicURL: "https://atlas.example", Unsubscribe: "https://atlas.example/v1/unsubscribe/token"})
	require.NoError(b.t, err)
	require.True(b.t, more)
	return strings.Join(strings.Fields(content.Text), " ")
}

// The week from Monday to Sunday in New York, by when things became known: what was known before, or filed long ago, is not new.
func TestWeek(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.account("Ada", "enterprise")
	b.load("2026-11-16T04:59:00Z", []filed{ // Sunday evening
		{"900001", "2026-03-01", 1200, []string{"11", "12"}},
		{"900002", "2026-03-01", 18_400, []string{"21"}},
		{"900003", "2026-03-02", 500, nil},
		{"900004", "2026-11-15", 700, nil},
	})
	b.load("2026-11-16T05:00:00Z", []filed{ // Monday, 0:00
		{"900001", "2026-11-12", 2900, []string{"11", "13"}}, // fund 12 is closed, 13 is new
		{"900002", "2026-11-13", 16_100, []string{"21"}},
		{"900003", "2025-03-02", 400, nil}, // filed before the one that is known
		{"900005", "2026-11-14", 410, nil}, // new
		{"900006", "2019-03-01", 900, nil}, // loaded late
	})
	b.load("2026-11-20T05:00:00Z", nil, "900004 2026-11-18")
	b.load("2026-11-23T05:00:00Z", []filed{{"900007", "2026-11-20", 100, []string{"71"}}}) // Monday, 0:00: next week's
	require.Equal(t, 1, b.run("2026-11-23"))
	text := b.text()
	for _, want := range []string{
		"16 November 2026 to 22 November 2026: 1 new adviser, 2 changes of assets, 1 new fund and 2 closings.",
		"New advisers Advisers whose first filing became known. - Harbor 900005 LLC: Boston, MA, $410.0M https://atlas.example/gps/900005 Largest",
		"- Harbor 900002 LLC: $18.4B to $16.1B, -12.5% https://atlas.example/gps/900002 - Harbor 900001 LLC: $1.2B to $2.9B, +141.7% ",
		"- Fund 13: buyout, $25.0M https://atlas.example/funds/805-0000000013 Closings",
		"- Harbor 900004 LLC: adviser, $700.0M https://atlas.example/gps/900004 - Fund 12: fund, $25.0M https://atlas.example/funds/805-0000000012 Sources: ",
		"To stop emails of this kind, open: https://atlas.example/v1/unsubscribe/token",
	} {
		require.Contains(t, text, want)
	}
	require.NotContains(t, text, "900006")
	require.NotContains(t, text, "900007")

	require.Zero(t, b.run("2026-11-24"), "the same week")
	require.Equal(t, 1, b.run("2026-11-30"))
	require.Contains(t, b.text(), "1 new adviser, no changes of assets, 1 new fund and no closings.")
	require.Equal(t, 2, strings.Count(b.text(), "None this week."))
	require.Zero(t, b.run("2026-12-07"), "a week without news has no mail")
	b.load("2026-12-09T12:00:00Z", []filed{{"900008", "2026-12-08", 100, nil}})
	require.Equal(t, 1, b.run("2026-12-14"))
}

// A fund closes on the day that the catalog shows, and is reported once: also if a later filing of the same day ends it, and if an earlier
// list without it comes late.
func TestClosingsAreTheCatalogs(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.account("Ada", "enterprise")
	b.load("2026-11-10T12:00:00Z", []filed{{"900001", "2026-10-01", 100, []string{"11", "12"}}})
	b.load("2026-11-17T12:00:00Z", []filed{
		{"900001", "2026-11-12", 100, []string{"11"}},
		{"900002", "2026-11-13", 100, []string{"21", "22"}},
		{"900002", "2026-11-13", 100, []string{"21"}},
	})
	require.Equal(t, 1, b.run("2026-11-23"))
	require.Contains(t, b.text(), "and 2 closings.")
	require.Contains(t, b.text(), "- Fund 12: fund")
	require.Contains(t, b.text(), "- Fund 22: fund")
	b.load("2026-11-24T12:00:00Z", []filed{{"900001", "2026-11-05", 100, []string{"11"}}, {"900009", "2026-11-23", 100, nil}})
	var closed string
	require.NoError(t, b.db.Pool().QueryRow(t.Context(), "SELECT closed_on::text FROM catalog.funds WHERE fund_id = '805-0000000012'").Scan(&closed))
	require.Equal(t, "2026-11-05", closed)
	require.Equal(t, 1, b.run("2026-11-30"))
	require.Contains(t, b.text(), "and no closings.")
}

// The first week of a copy of GP Atlas has nothing to compare with: there is no mail.
func TestFirstWeek(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.account("Ada", "enterprise")
	b.load("2026-11-18T12:00:00Z", []filed{{"900001", "2026-11-12", 2900, []string{"11"}}})
	require.Zero(t, b.run("2026-11-23"))
}

// Regulatory assets beside the assets of an adviser that was exempt in between are no change of assets.
func TestNoChangeOfRegistration(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.account("Ada", "enterprise")
	b.load("2026-11-10T12:00:00Z", []filed{
		{"900001", "2024-03-01", 1200, nil}, {"900002", "2024-03-01", 1200, nil}, {"900003", "2025-03-01", 80, nil}, {"900001", "2025-03-01", 0, nil},
	})
	b.exec("UPDATE catalog.adviser_versions SET registration = 'exempt_reporting' WHERE crd = '900003' OR raum IS NULL")
	b.load("2026-11-18T12:00:00Z", []filed{{"900001", "2026-11-12", 2900, nil}, {"900002", "2026-11-12", 2900, nil}, {"900003", "2026-11-12", 600, nil}})
	require.Equal(t, 1, b.run("2026-11-23"))
	text := b.text()
	require.Contains(t, text, "1 change of assets")
	require.Contains(t, text, "- Harbor 900002 LLC: $1.2B to $2.9B")
}

// Filings of one day and instant are compared in the order of the catalog: source, then FilingID.
func TestFilingsOfOneDay(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.account("Ada", "enterprise")
	load := func(week string, source catalogapi.Source, on, crd, id string, millions int64) {
		b.loadDocument(fmt.Sprintf("%sT12:%02d:00Z", week, b.runs), catalogapi.Document{
			Name: fmt.Sprint(source, b.runs), Source: source, Filings: itertest.Rows(&catalogapi.AdviserFiling{
				Key: "1", FilingID: id, CRD: crd, Submitted: day(on),
				Statement: catalogapi.Statement{LegalName: "Harbor " + crd + " LLC", RAUM: new(millions * 1e6)},
				Basis:     catalogapi.Basis{Registration: new(string(catalogapi.Registered))},
			}),
		})
	}
	for i, week := range []string{"2026-11-10", "2026-11-18"} {
		on, n := []string{"2026-03-01", "2026-11-12"}[i], int64(i+1)
		load(week, catalogapi.SourceRoster, on, "900001", "", 100*n)
		load(week, catalogapi.SourceFeed, on, "900001", "", 1100*n)
		load(week, catalogapi.SourceRoster, on, "900002", "", 200*n)
		load(week, catalogapi.SourceADVArchive, on, "900002", strconv.FormatInt(999997+n, 10), 300*n)
		load(week, catalogapi.SourceADVArchive, on, "900002", strconv.FormatInt(1000000+n, 10), 2100*n)
	}
	require.Equal(t, 1, b.run("2026-11-23"))
	text := b.text()
	require.Contains(t, text, "- Harbor 900001 LLC: $1.1B to $2.2B")
	require.Contains(t, text, "- Harbor 900002 LLC: $2.1B to $4.2B")
}

// Accounts of the enterprise plan that want it and whose address is confirmed; one mail each, however many run at once.
func TestReaders(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for i := range 205 {
		b.account(fmt.Sprintf("Ada%d", i), "enterprise")
	}
	b.account("Pro", "pro")
	b.account("Free", "free")
	refused, unconfirmed := b.account("Refused", "enterprise"), b.account("Unconfirmed", "enterprise")
	b.exec("INSERT INTO notifications.preferences (user_id, billing, activity_digest, market_intel, product, updated_at) VALUES ($1, true, true, false, true, now())", refused)
	b.exec("UPDATE accounts.users SET email_verified_at = NULL WHERE id = $1", unconfirmed)
	b.load("2026-11-10T12:00:00Z", []filed{{"900001", "2026-11-09", 1200, nil}})
	b.load("2026-11-18T12:00:00Z", []filed{{"900002", "2026-11-12", 2900, nil}})
	b.kinds.off = true
	require.Zero(t, b.run("2026-11-23"))
	b.kinds.off = false
	var wait sync.WaitGroup
	var mu sync.Mutex
	total := 0
	for range 2 {
		wait.Go(func() {
			n, err := b.service.Run(t.Context(), "2026-11-23")
			mu.Lock()
			defer mu.Unlock()
			total += n
			if err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	require.Equal(t, 205, total)
	require.Zero(t, b.run("2026-11-23"))
}

// Mondays at 8:00 in New York, also in the weeks in which the clocks change.
func TestClockChanges(t *testing.T) {
	t.Parallel()
	s := new(marketintel.Service).Part().Schedules[0]
	times, err := cron.ParseStandard(s.Cron)
	require.NoError(t, err)
	for from, want := range map[string][]string{
		"2026-03-01T12:00:00Z": {"2026-03-02T13:00:00Z", "2026-03-09T12:00:00Z"},
		"2026-10-25T12:00:00Z": {"2026-10-26T12:00:00Z", "2026-11-02T13:00:00Z"},
	} {
		at := clocktest.Instant(from)
		for _, text := range want {
			at = times.Next(at)
			require.Equal(t, text, at.UTC().Format(time.RFC3339))
			require.Equal(t, text[:10], s.Bucket(at.UTC()))
		}
	}
}

// Only administrators can start the job by hand.
func TestStart(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	host := httpapitest.New(t, marketintel.Routes(b.service)...)
	const path = "/v1/admin/jobs/market-intel"
	for _, status := range []string{"accepted", "already_started"} {
		got := host.Do(t, httpapitest.Scenario{Method: "POST", Path: path, As: &auth.Principal{Kind: auth.Session, UserID: 1, Admin: true}, Status: 202})
		require.Contains(t, got.Body, `"status":"`+status+`"`)
	}
	host.Do(t, httpapitest.Scenario{Method: "POST", Path: path, Status: 401})
	host.Do(t, httpapitest.Scenario{Method: "POST", Path: path, As: &auth.Principal{Kind: auth.Session, UserID: 2}, Status: 403})
}

// The job's faults: an invalid payload, an invalid day, an unavailable database.
func TestFaults(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	h := marketintel.Handlers(b.service)[0]
	require.Equal(t, marketintel.Job, h.Type)
	require.ErrorContains(t, h.Run(t.Context(), []byte(`{"bucket":"Monday"}`)), "is not a day")
	require.Error(t, h.Run(t.Context(), []byte(`[]`)))
	require.NoError(t, h.Run(t.Context(), []byte(`{"bucket":"2026-11-23"}`)))
	b.db.Close()
	require.Equal(t, apperr.KindUnavailable, apperr.From(h.Run(t.Context(), []byte(`{"bucket":"2026-11-23"}`))).Kind)
}
