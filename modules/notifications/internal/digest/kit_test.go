package digest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/catalogtest"
	"gpatlas/modules/notifications/internal/digest"
	"gpatlas/modules/notifications/internal/kind"
	"gpatlas/modules/notifications/internal/queue"
	"gpatlas/platform/database"
	"gpatlas/platform/jobs"
	"gpatlas/platform/testkit/clocktest"
	"gpatlas/platform/testkit/dbtest"
	"gpatlas/platform/testkit/itertest"
)

// weekly are the accounts that want digests on Mondays.
type weekly map[int64]bool

func (w weekly) WeeklyDigest(_ context.Context, id int64) (bool, error) { return w[id], nil }

func (w weekly) WeeklyDigests(_ context.Context, ids []int64) (map[int64]bool, error) {
	found := map[int64]bool{}
	for _, id := range ids {
		if w[id] {
			found[id] = true
		}
	}
	return found, nil
}

// kinds are those of the program, some of them disabled.
type kinds struct{ off map[string]bool }

func (k kinds) Find(ctx context.Context, id string) (kind.Kind, bool, error) {
	found, ok, err := kind.InCode{}.Find(ctx, id)
	found.Enabled = !k.off[id]
	return found, ok, err
}

// bench is digests over a real database and a real loader of the catalog.
type bench struct {
	t       testing.TB
	db      *database.DB
	clock   *clocktest.Clock
	loader  catalogapi.Loader
	runs    int64
	weekly  weekly
	kinds   kinds
	service *digest.Service
}

func newBench(tb testing.TB) *bench {
	tb.Helper()
	b := &bench{t: tb, db: dbtest.New(tb), clock: clocktest.At("2026-11-20T11:00:00Z"), weekly: weekly{}, kinds: kinds{map[string]bool{}}}
	b.loader = catalogtest.NewLoader(b.db, b.clock)
	mails := queue.NewService(b.db, b.clock, b.kinds)
	b.service = digest.NewService(b.db, b.clock, mails, b.kinds, b.weekly, jobs.NewEnqueuer(b.db))
	return b
}

func (b *bench) exec(statement string, args ...any) {
	b.t.Helper()
	_, err := b.db.Pool().Exec(b.t.Context(), statement, args...)
	require.NoError(b.t, err, statement)
}

// account makes an account with a verified address that watches GPs with alerts on, since before the catalog begins.
func (b *bench) account(name string, crds ...string) (id int64) {
	b.t.Helper()
	require.NoError(b.t, b.db.Pool().QueryRow(b.t.Context(), `INSERT INTO accounts.users
		(email, email_key, full_name, password_hash, tier, subscription_plan, api_tier, email_verified_at, created_at, updated_at)
		VALUES ($1, $1, $2, '', 'free', 'free', 'starter', now(), now(), now()) RETURNING id`, strings.ToLower(name)+"@larkspur.example", name).Scan(&id))
	for _, crd := range crds {
		b.watch(id, crd, true, time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	}
	return id
}

func (b *bench) watch(id int64, crd string, alert bool, since time.Time) {
	b.t.Helper()
	b.exec(`INSERT INTO accounts.watchlist_items (id, user_id, adviser_crd, canonical_gp_id, alert_enabled, created_at)
		VALUES (gen_random_uuid(), $1, $2::text, $2::text::bigint, $3, $4)`, id, crd, alert, since)
}

// load loads filings of advisers, named "CRD day", each with one fund of its own where the day ends in "+". It becomes known now.
func (b *bench) load(filings ...string) {
	b.t.Helper()
	var papers []*catalogapi.AdviserFiling
	var funds []*catalogapi.FundRow
	for _, text := range filings {
		crd, day, _ := strings.Cut(text, " ")
		day, withFund := strings.CutSuffix(day, "+")
		submitted, err := time.Parse(time.DateOnly, day)
		require.NoError(b.t, err)
		b.runs++
		f := &catalogapi.AdviserFiling{
			Key: text, FilingID: strconv.FormatInt(1000+b.runs, 10), CRD: crd, Submitted: submitted,
			Statement: catalogapi.Statement{LegalName: "Harbor " + crd + " LLC"},
			Basis:     catalogapi.Basis{Registration: new(string(catalogapi.Registered))}, FundsListed: true,
		}
		papers = append(papers, f)
		if withFund {
			id := fmt.Sprintf("805-%010d", 100+b.runs)
			funds = append(funds, &catalogapi.FundRow{FilingKey: text, ReferenceID: id, FundID: id, Name: "Fund of " + text, FundType: "Private Equity Fund"})
		}
	}
	b.runs++
	_, err := b.loader.LoadDocument(b.t.Context(), catalogapi.Document{
		Name: fmt.Sprintf("ADV_Filing_Data_%d.zip", b.runs), Source: catalogapi.SourceADVArchive, Filings: itertest.Rows(papers...), Funds: itertest.Rows(funds...),
	}, catalogapi.LoadOptions{RunID: b.runs, Reject: func(r catalogapi.Rejected) { require.Fail(b.t, "the fixture has a bad row", "%+v", r) }})
	require.NoError(b.t, err)
	b.exec("UPDATE catalog.arrivals SET known_at = $1 WHERE arrival = (SELECT max(arrival) FROM catalog.arrivals)", b.clock.Now())
}

// run runs the digest at 6:00 Eastern time of a day, and gives how many mails it queued.
func (b *bench) run(day string) int {
	b.t.Helper()
	at, err := time.ParseInLocation(time.DateOnly, day, jobs.Eastern)
	require.NoError(b.t, err)
	b.clock.Set(at.Add(6 * time.Hour))
	mails, err := b.service.Run(b.t.Context(), day)
	require.NoError(b.t, err)
	return mails
}

// settle reports what became of the mails in the queue.
func (b *bench) settle(state string) {
	b.t.Helper()
	b.exec(`UPDATE notifications.queue SET state = $1, sent_at = CASE WHEN $1 = 'sent' THEN now() END WHERE state = 'queued'`, state)
}

// lines returns the text of the newest mail to an account: a line for each GP.
func (b *bench) lines(id int64) string {
	b.t.Helper()
	var raw []byte
	require.NoError(b.t, b.db.Pool().QueryRow(b.t.Context(), `SELECT coalesce((SELECT data FROM notifications.queue
		WHERE user_id = $1 AND kind = 'activity_digest' ORDER BY id DESC LIMIT 1), '{}')`, id).Scan(&raw))
	var d struct {
		GPs []struct {
			CRD  string
			News []struct {
				What string
				Day  time.Time
			}
			More int
		}
		MoreGPs int `json:"more_gps"`
	}
	require.NoError(b.t, json.Unmarshal(raw, &d))
	var lines []string
	for _, g := range d.GPs {
		words := []string{g.CRD + ":"}
		for _, n := range g.News {
			words = append(words, n.What, n.Day.Format("01-02")+";")
		}
		if g.More > 0 {
			words = append(words, fmt.Sprintf("and %d", g.More))
		}
		lines = append(lines, strings.Join(words, " "))
	}
	if d.MoreGPs > 0 {
		lines = append(lines, fmt.Sprintf("and %d GPs", d.MoreGPs))
	}
	return strings.Join(lines, "\n")
}
