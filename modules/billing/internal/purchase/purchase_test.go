package purchase_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/billing/internal/account"
	"gpatlas/modules/billing/internal/ledger"
	"gpatlas/modules/billing/internal/purchase"
	"gpatlas/platform/auth"
	"gpatlas/platform/charge"
	"gpatlas/platform/database"
	"gpatlas/platform/testkit/clocktest"
	"gpatlas/platform/testkit/dbtest"
	"gpatlas/platform/testkit/httpapitest"
)

const path = "/v1/me/purchases"

type bench struct {
	db      *database.DB
	clock   *clocktest.Clock
	service *purchase.Service
	host    *httpapitest.Host
	meter   *ledger.Meter
}

func setup(t *testing.T) *bench {
	t.Helper()
	b := &bench{db: dbtest.New(t), clock: clocktest.At("2026-11-22T12:00:00Z")}
	b.service = purchase.NewService(b.db)
	b.host = httpapitest.New(t, purchase.Routes(b.service)...)
	b.meter = ledger.NewMeter(b.db, b.clock, slog.New(slog.DiscardHandler), ledger.Rules{}, ledger.Hooks{})
	return b
}

func as(userID int64) *auth.Principal { return &auth.Principal{Kind: auth.Session, UserID: userID} }

// charge charges and moves the clock by a minute.
func (b *bench) charge(t *testing.T, caller *auth.Principal, item charge.Item) charge.Receipt {
	t.Helper()
	receipt, err := b.meter.Charge(auth.With(t.Context(), caller), item)
	require.NoError(t, err)
	b.clock.Move(time.Minute)
	return receipt
}

func fee(crd string, micros int64) charge.Item {
	return charge.Item{Operation: "get-gp-metrics", Subject: crd, CRD: crd, Per: charge.PerRequest, UnitMicros: micros, RequestID: "req-1"}
}

func team(units ...string) charge.Item {
	return charge.Item{Operation: "unlock-gp-team", Subject: "900001", CRD: "900001", Product: "roster", Units: units, Per: charge.PerPerson, UnitMicros: 500_000, RequestID: "req-2"}
}

type answer struct {
	Data []struct {
		ID        int64
		Operation string
		Amount    json.Number
	}
	Meta struct {
		Total, Limit, Offset, Page int
		Amount                     json.Number
	}
}

func (b *bench) get(t *testing.T, userID int64, path string) (answer, httpapitest.Response) {
	t.Helper()
	got := b.host.Do(t, httpapitest.Scenario{Path: path, As: as(userID)})
	var a answer
	require.NoError(t, json.Unmarshal([]byte(got.Body), &a))
	return a, got
}

// Fees, sales, requests with test keys and corrections are listed as the ledger has them, the newest first; their sum is what
// was spent.
func TestList(t *testing.T) {
	t.Parallel()
	b := setup(t)
	const empty = `{"data":[],"meta":{"total":0,"limit":25,"offset":0,"page":1,"per_page":25,"amount":0}}`
	b.host.Do(t, httpapitest.Scenario{Path: path, As: as(1), WantJSON: empty})
	b.host.Do(t, httpapitest.Scenario{Path: path + "/gp/900001", As: as(1), WantJSON: empty})
	b.charge(t, as(1), fee("900002", 100_000))
	b.charge(t, as(1), team("per_a", "per_b", "per_c"))
	b.charge(t, as(1), team("per_a"))
	b.addKey(t, 1, testKey, "Trial", "test")
	b.charge(t, &auth.Principal{Kind: auth.Key, UserID: 1, KeyID: testKey, Mode: auth.ModeTest}, fee("900001", 150_000))
	search := charge.Item{Operation: "search-aggregate", Per: charge.PerRequest, UnitMicros: 200_000, RequestID: "req-3"}
	b.charge(t, as(1), search)
	b.charge(t, as(2), fee("900001", 150_000))
	_, err := database.Run(t.Context(), b.db, "", `INSERT INTO billing.charges (period, at, user_id, operation, subject, quantity, unit_micros, amount_micros, mode, request_id, reason)
		VALUES ('2026-11-01', '2026-11-22T13:00:00Z', 1, 'adjustment', '', 1, -500000, -500000, 'live', '', 'An outage')`, nil)
	require.NoError(t, err)

	row := func(id int, at, operation, product, crd, subject string, quantity int, unit, amount, mode, request, reason string) string {
		return fmt.Sprintf(`{"id":%d,"created_at":"2026-11-22T%s:00.000000Z","operation":%q,"product":%s,"crd":%s,"subject":%s,"quantity":%d,"unit_price":%s,"amount":%s,"mode":%q,"key":%s,"request_id":%q,"reason":%s}`,
			id, at, operation, product, crd, subject, quantity, unit, amount, mode, map[string]string{"live": "null", "test": `{"id":"` + testKey + `","name":"Trial"}`}[mode], request, reason)
	}
	const none, first, second = "null", `"900001"`, `"900002"`
	bought := row(2, "12:01", "unlock-gp-team", `"roster"`, first, first, 3, "0.5", "1.5", "live", "req-2", none)
	tried := row(3, "12:03", "get-gp-metrics", none, first, first, 1, "0.15", "0", "test", "req-1", none)
	b.host.Do(t, httpapitest.Scenario{Path: path, As: as(1), WantJSON: `{"data":[` +
		row(6, "13:00", "adjustment", none, none, none, 1, "-0.5", "-0.5", "live", "", `"An outage"`) + `,` +
		row(4, "12:04", "search-aggregate", none, none, none, 1, "0.2", "0.2", "live", "req-3", none) + `,` + tried + `,` + bought + `,` +
		row(1, "12:00", "get-gp-metrics", none, second, second, 1, "0.1", "0.1", "live", "req-1", none) +
		`],"meta":{"total":5,"limit":25,"offset":0,"page":1,"per_page":25,"amount":1.3}}`})
	b.host.Do(t, httpapitest.Scenario{Path: path + "/gp/900001", As: as(1), WantJSON: `{"data":[` + tried + `,` + bought + `],"meta":{"total":2,"limit":25,"offset":0,"page":1,"per_page":25,"amount":1.5}}`})
	a, err := account.NewStore(b.db).Find(t.Context(), 1, b.clock.Now())
	require.NoError(t, err)
	require.EqualValues(t, 1_800_000, a.SpentMicros, "the correction above has bypassed the account")
}

// Pages join to the whole list, and amounts add up exactly: 0.1 and 0.2 are 0.3.
func TestPages(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for range 7 {
		b.charge(t, as(1), fee("900001", 100_000))
	}
	b.clock.Set(clocktest.Instant("2026-12-02T00:00:00Z"))
	b.charge(t, as(1), fee("900001", 200_000))
	b.charge(t, as(1), fee("900002", 200_000))
	var seen []int64
	for offset := 0; offset < 9; offset += 2 {
		page, got := b.get(t, 1, fmt.Sprintf("%s?limit=2&offset=%d", path, offset))
		for _, p := range page.Data {
			seen = append(seen, p.ID)
		}
		require.Equal(t, 9, page.Meta.Total)
		require.Equal(t, json.Number("1.1"), page.Meta.Amount)
		require.Contains(t, got.Header.Get("Link"), `rel="last"`)
	}
	require.Equal(t, []int64{9, 8, 7, 6, 5, 4, 3, 2, 1}, seen, "both months, the newest first")
	page, got := b.get(t, 1, path+"/gp/900001?page=2&per_page=3")
	require.Equal(t, []int{8, 3, 3, 2}, []int{page.Meta.Total, page.Meta.Limit, page.Meta.Offset, page.Meta.Page})
	require.Equal(t, json.Number("0.9"), page.Meta.Amount)
	require.Contains(t, got.Header.Get("Link"), `rel="prev"`)
	for month, want := range map[string][]string{"2026-11": {"7", "0.7"}, "2026-12": {"2", "0.4"}, "2027-01": {"0", "0"}} {
		page, got := b.get(t, 1, path+"?limit=1&month="+month)
		require.Equal(t, want, []string{strconv.Itoa(page.Meta.Total), page.Meta.Amount.String()}, "the bill of %s", month)
		require.True(t, page.Meta.Total < 2 || strings.Contains(got.Header.Get("Link"), "month="+month), "pages are of the month")
	}
	ofGP, _ := b.get(t, 1, path+"/gp/900001?month=2026-12")
	require.Equal(t, json.Number("0.2"), ofGP.Meta.Amount)
	beyond, _ := b.get(t, 1, path+"?offset=100")
	require.Empty(t, beyond.Data)
	require.Equal(t, 9, beyond.Meta.Total)
	other, _ := b.get(t, 2, path)
	require.Empty(t, other.Data)
}

func TestRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, crd := range []string{"0900001", "x", "12345678901", "-1", "0"} {
		got := b.host.Do(t, httpapitest.Scenario{Name: crd, Path: path + "/gp/" + crd, As: as(1), Status: 400})
		require.Contains(t, got.Body, `"field":"crd"`)
	}
	for query, field := range map[string]string{
		"limit=0": "limit", "limit=101": "limit", "offset=-1": "offset", "mode=test": "mode", "month=2026-13": "month", "month=": "month", "month=2026-1": "month",
		"operation=A": "operation", "key=1": "key", "key=NONE": "key", "from=2026-11-31": "from", "to=x": "to", "from=2026-11-02&to=2026-11-01": "to", "group_by=month": "group_by",
		"format=xml": "format", "format=csv&limit=5": "limit", "format=csv&page=1": "page",
	} {
		require.Contains(t, b.host.Do(t, httpapitest.Scenario{Path: path + "?" + query, As: as(1), Status: 400}).Body, `"field":"`+field+`"`)
	}
	for _, p := range []string{path, path + "/gp/900001"} {
		b.host.Do(t, httpapitest.Scenario{Path: p, Status: 401})
		b.host.Do(t, httpapitest.Scenario{Path: p, As: &auth.Principal{Kind: auth.Key, UserID: 1}, Status: 403})
	}
	b.db.Close()
	b.host.Do(t, httpapitest.Scenario{Path: path, As: as(1), Status: 503})
}

// The statements with which the documentation checks a bill run, and find nothing wrong with a good ledger and the fault of a
// bad one.
func TestStatementsOfTheDocumentation(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.charge(t, as(1), fee("900001", 150_000))
	b.charge(t, as(1), team("per_a", "per_b"))
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "docs", "billing.md"))
	require.NoError(t, err)
	found := regexp.MustCompile("(?s)```sql\n(.*?)```").FindAllStringSubmatch(string(text), -1)
	require.Len(t, found, 3)
	rows := func(i int) []map[string]any {
		var list []map[string]any
		require.NoError(t, b.db.From(t.Context()).Raw(found[i][1]).Scan(&list).Error)
		return list
	}
	_, err = database.Run(t.Context(), b.db, "", `INSERT INTO accounts.users (id, email, email_key, full_name, password_hash, tier, subscription_plan, api_tier, created_at, updated_at)
		OVERRIDING SYSTEM VALUE VALUES (1, 'ada@larkspur.example', 'ada@larkspur.example', 'Ada', '', 'student', 'free', 'starter', now(), now())`, nil)
	require.NoError(t, err)
	require.Len(t, rows(0), 2, "an operation each")
	require.Empty(t, rows(1))
	require.Empty(t, rows(2))
	for _, plant := range []string{"UPDATE billing.accounts SET spent_micros = spent_micros + 1", "DELETE FROM billing.entitlements WHERE unit = 'per_a'"} {
		_, err := database.Run(t.Context(), b.db, "", plant, nil)
		require.NoError(t, err)
	}
	require.Len(t, rows(1), 1)
	require.Len(t, rows(2), 1)
}
