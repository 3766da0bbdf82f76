package spendingcap_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/billing/internal/account"
	"gpatlas/modules/billing/internal/spendingcap"
	"gpatlas/platform/auth"
	"gpatlas/platform/database"
	"gpatlas/platform/testkit/clocktest"
	"gpatlas/platform/testkit/dbtest"
	"gpatlas/platform/testkit/httpapitest"
)

const (
	capPath    = "/v1/settings/spending-cap"
	alertsPath = capPath + "/alerts"
)

type bench struct {
	db    *database.DB
	clock *clocktest.Clock
	host  *httpapitest.Host
}

func setup(t *testing.T) *bench {
	t.Helper()
	b := &bench{db: dbtest.New(t), clock: clocktest.New(clocktest.Instant("2026-11-22T12:00:00Z"))}
	b.host = httpapitest.New(t, spendingcap.Routes(spendingcap.NewService(b.db, b.clock, nil))...)
	return b
}

func as(userID int64) *auth.Principal { return &auth.Principal{Kind: auth.Session, UserID: userID} }

// spend sets what an account has spent in the month, as the ledger does.
func (b *bench) spend(t *testing.T, userID, micros int64) {
	t.Helper()
	require.NoError(t, account.NewStore(b.db).Ensure(t.Context(), userID, b.clock.Now()))
	_, err := database.Run(t.Context(), b.db, "", "UPDATE billing.accounts SET period = @period, spent_micros = @spent WHERE user_id = @user",
		database.Args{"user": userID, "spent": micros, "period": account.Month(b.clock.Now())})
	require.NoError(t, err)
}

func (b *bench) get(t *testing.T, userID int64, want string) {
	t.Helper()
	b.host.Do(t, httpapitest.Scenario{Path: capPath, As: as(userID), WantJSON: `{"data":{` + want + `}}`})
}

func (b *bench) put(t *testing.T, path, body, want string) {
	t.Helper()
	b.host.Do(t, httpapitest.Scenario{Method: "PUT", Path: path, Body: body, As: as(1), WantJSON: `{"data":{` + want + `}}`})
	b.get(t, 1, want)
}

const (
	november = `"period_start":"2026-11-01","period_end":"2026-11-30"`
	standard = `"cap":null,"spent":0,"limit":null,"limit_by":null,"remaining":null,` + november + `,"thresholds":[80,100]`
)

// status is the account with some cap, what is spent and what remains, and the thresholds of the standard.
func status(limit, spent, remaining string) string {
	by := `"spending_cap"`
	if limit == "null" {
		by = limit
	}
	return fmt.Sprintf(`"cap":%s,"spent":%s,"limit":%s,"limit_by":%s,"remaining":%s,%s,"thresholds":[80,100]`, limit, spent, limit, by, remaining, november)
}

func TestCap(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.get(t, 1, standard)
	for _, amount := range []string{"10", "10.99", "9223372036854.77"} {
		b.put(t, capPath, `{"cap":`+amount+`}`, status(amount, "0", amount))
	}
	b.put(t, capPath, `{"cap":10.0}`, status("10", "0", "10"))
	b.spend(t, 1, 300_000)
	b.get(t, 1, status("10", "0.3", "9.7"))
	b.spend(t, 1, 12_000_000)
	b.get(t, 1, status("10", "12", "0"))
	b.put(t, capPath, `{"cap":100}`, status("100", "12", "88"))
	b.put(t, capPath, `{"cap":11.5}`, status("11.5", "12", "0"))
	b.spend(t, 1, -500_000)
	b.get(t, 1, status("11.5", "-0.5", "12"))
	b.put(t, capPath, `{"cap":null}`, status("null", "-0.5", "null"))
	b.get(t, 2, standard)
}

// A new month begins at midnight of UTC with nothing spent, before anything is charged in it. A clock that is behind does not
// reopen the month before.
func TestMonth(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.put(t, capPath, `{"cap":20}`, status("20", "0", "20"))
	b.spend(t, 1, 5_000_000)
	b.clock.Set(clocktest.Instant("2026-11-30T23:59:59.999Z"))
	b.get(t, 1, status("20", "5", "15"))
	const december = `"cap":20,"spent":0,"limit":20,"limit_by":"spending_cap","remaining":20,"period_start":"2026-12-01","period_end":"2026-12-31","thresholds":[80,100]`
	b.clock.Set(clocktest.Instant("2026-12-01T00:00:00Z"))
	b.get(t, 1, december)
	b.spend(t, 1, 0)
	b.clock.Move(-5 * time.Second)
	b.get(t, 1, december)
	b.clock.Set(clocktest.Instant("2028-02-10T00:00:00Z"))
	b.get(t, 1, strings.NewReplacer("2026-12-01", "2028-02-01", "2026-12-31", "2028-02-29").Replace(december))
}

// An account without a subscription sees the limit that applies to it, before it is refused; one with a subscription sees its cap.
func TestLimitOfAccountsWithoutASubscription(t *testing.T) {
	t.Parallel()
	b := &bench{db: dbtest.New(t), clock: clocktest.New(clocktest.Instant("2026-11-22T12:00:00Z"))}
	b.host = httpapitest.New(t, spendingcap.Routes(spendingcap.NewService(b.db, b.clock, new(int64(25_000_000))))...)
	rest := "," + november + `,"thresholds":[80,100]`
	b.get(t, 1, `"cap":null,"spent":0,"limit":25,"limit_by":"unbacked_limit","remaining":25`+rest)
	b.put(t, capPath, `{"cap":100}`, `"cap":100,"spent":0,"limit":25,"limit_by":"unbacked_limit","remaining":25`+rest)
	b.spend(t, 1, 25_000_000)
	b.get(t, 1, `"cap":100,"spent":25,"limit":25,"limit_by":"unbacked_limit","remaining":0`+rest)
	b.put(t, capPath, `{"cap":20}`, `"cap":20,"spent":25,"limit":20,"limit_by":"spending_cap","remaining":0`+rest)
	b.put(t, capPath, `{"cap":100}`, `"cap":100,"spent":25,"limit":25,"limit_by":"unbacked_limit","remaining":0`+rest)
	_, err := database.Run(t.Context(), b.db, "", "UPDATE billing.accounts SET backed = true", nil)
	require.NoError(t, err)
	b.get(t, 1, `"cap":100,"spent":25,"limit":100,"limit_by":"spending_cap","remaining":75`+rest)
}

func TestThresholds(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for sent, want := range map[string]string{
		`[100,0,50]`: `[0,50,100]`, `[]`: `[]`, `[80,80,80]`: `[80]`, `[10,9,8,7,6,5,4,3,2,1,1,2]`: `[1,2,3,4,5,6,7,8,9,10]`,
	} {
		b.put(t, alertsPath, `{"thresholds":`+sent+`}`, strings.Replace(standard, "[80,100]", want, 1))
	}
	b.get(t, 2, standard)
}

// What is refused names its field and writes nothing.
func TestRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	many := "[" + strings.Repeat("50,", 199) + "50]"
	for _, c := range []struct{ path, body, field string }{
		{capPath, `{"cap":9.99}`, "cap"},
		{capPath, `{"cap":10.005}`, "cap"},
		{capPath, `{"cap":1e300}`, "cap"},
		{capPath, `{"cap":9223372036854.78}`, "cap"},
		{capPath, `{"cap":"10"}`, "cap"},
		{capPath, `{"cap":-1}`, "cap"},
		{capPath, `{"cap":0}`, "cap"},
		{capPath, `{"cap":true}`, "cap"},
		{capPath, `{}`, "cap"},
		{capPath, `{"cap":20,"caps":1}`, "caps"},
		{capPath, `{"cap":NaN}`, "body"},
		{capPath, `null`, "body"},
		{alertsPath, `{"thresholds":[50,101]}`, "thresholds[1]"},
		{alertsPath, `{"thresholds":[-1]}`, "thresholds[0]"},
		{alertsPath, `{"thresholds":[50.5]}`, "thresholds[0]"},
		{alertsPath, `{"thresholds":["50"]}`, "thresholds[0]"},
		{alertsPath, `{"thresholds":[null]}`, "thresholds[0]"},
		{alertsPath, `{"thresholds":[1,2,3,4,5,6,7,8,9,10,11]}`, "thresholds"},
		{alertsPath, `{"thresholds":` + many + `}`, "thresholds"},
		{alertsPath, `{"thresholds":null}`, "thresholds"},
		{alertsPath, `{"thresholds":80}`, "thresholds"},
		{alertsPath, `{}`, "thresholds"},
		{alertsPath, `{"threshold":[80]}`, "threshold"},
	} {
		got := b.host.Do(t, httpapitest.Scenario{Name: c.body, Method: "PUT", Path: c.path, As: as(1), Body: c.body, Status: 400})
		require.Contains(t, got.Body, `"field":"`+c.field+`"`, c.body)
	}
	for _, s := range []httpapitest.Scenario{{Method: "PUT", Path: capPath, Body: `{"cap":10}`}, {Method: "PUT", Path: alertsPath, Body: `{"thresholds":[]}`}, {Method: "GET", Path: capPath}} {
		s.Status = 401
		b.host.Do(t, s)
		s.As, s.Status = &auth.Principal{Kind: auth.Key, UserID: 1}, 403
		b.host.Do(t, s)
	}
	rows, err := database.Values[int](t.Context(), b.db, "", "SELECT count(*) FROM billing.accounts", nil)
	require.NoError(t, err)
	require.Equal(t, []int{0}, rows)
	b.db.Close()
	for _, s := range []httpapitest.Scenario{{Method: "PUT", Path: capPath, Body: `{"cap":10}`}, {Method: "PUT", Path: alertsPath, Body: `{"thresholds":[]}`}, {Method: "GET", Path: capPath}} {
		s.As, s.Status = as(1), 503
		b.host.Do(t, s)
	}
}
