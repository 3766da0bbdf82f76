package free_test

import (
	"encoding/json"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gpatlas/modules/accounts/accountsapi"
	"gpatlas/modules/keys/internal/fixture"
	"gpatlas/modules/keys/internal/free"
	"gpatlas/platform/apperr"
	"gpatlas/platform/auth"
	"gpatlas/platform/database"
	"gpatlas/platform/dbtest"
	"gpatlas/platform/httpapi/httpapitest"
	"gpatlas/platform/ratelimit"
)

var (
	_ ratelimit.Allowance  = (*free.Allowance)(nil)
	_ accountsapi.Exporter = free.Exporter{}
)

const search = "/v1/gps"

func live(userID int64) *auth.Principal {
	return &auth.Principal{Kind: auth.Key, UserID: userID, KeyID: "k", Mode: "live", Free: true}
}

func newAllowance(db *database.DB, clk *fixture.Clock) *free.Allowance {
	return free.NewAllowance(free.NewStore(db), clk, slog.New(slog.DiscardHandler))
}

func setup(tb testing.TB) (*free.Allowance, *database.DB, *fixture.Clock) {
	tb.Helper()
	db, clk := dbtest.New(tb), fixture.NewClock(tb, "2026-11-20T10:00:00Z")
	return newAllowance(db, clk), db, clk
}

func counted(tb testing.TB, db *database.DB, userID int64) (used int64) {
	tb.Helper()
	require.NoError(tb, db.Pool().QueryRow(tb.Context(), "SELECT used FROM keys.free_calls WHERE user_id = $1", userID).Scan(&used))
	return used
}

func requireUsedUp(tb testing.TB, err error) {
	tb.Helper()
	require.Error(tb, err)
	require.Equal(tb, apperr.KindPaymentRequired, apperr.From(err).Kind)
	require.Contains(tb, apperr.From(err).Message, "All 1000 free API calls")
}

func TestModels(t *testing.T) {
	t.Parallel()
	dbtest.CheckModels(t, dbtest.New(t), free.Models()...)
}

func TestWhoseCallsCount(t *testing.T) {
	t.Parallel()
	a, db, _ := setup(t)
	fixture.Exec(t, db, "INSERT INTO keys.free_calls VALUES (1, 1000)")
	for name, c := range map[string]struct {
		caller *auth.Principal
		path   string
	}{
		"anonymous":        {&auth.Principal{}, search},
		"session":          {fixture.Session(1), search},
		"test key":         {&auth.Principal{Kind: auth.Key, UserID: 1, Mode: "test", Free: true}, search},
		"paid plan":        {&auth.Principal{Kind: auth.Key, UserID: 1, Mode: "live"}, search},
		"status":           {live(1), "/v1/billing/free-tier-status"},
		"usage":            {live(1), "/v1/usage"},
		"usage by day":     {live(1), "/v1/usage/daily"},
		"scheduler's jobs": {live(1), "/v1/admin/jobs/trial-check"},
	} {
		taken, err := a.Take(t.Context(), c.caller, c.path)
		require.NoError(t, err, name)
		require.False(t, taken, name)
	}
	_, err := a.Take(t.Context(), live(1), search)
	requireUsedUp(t, err)
	taken, err := a.Take(t.Context(), live(2), search)
	require.NoError(t, err)
	require.True(t, taken)
}

// Three processes, 1,500 calls at once: exactly a thousand pass, however they are spread, and the count says so.
func TestAThousandAcrossProcesses(t *testing.T) {
	t.Parallel()
	first, db, clk := setup(t)
	processes := []*free.Allowance{first, newAllowance(db, clk), newAllowance(db, clk)}
	var passed, refused atomic.Int64
	ask := func(n int) {
		var wait sync.WaitGroup
		for worker := range 24 {
			wait.Go(func() {
				for range n / 24 {
					_, err := processes[worker%3].Take(t.Context(), live(7), search)
					switch {
					case err == nil:
						passed.Add(1)
					case apperr.From(err).Kind == apperr.KindPaymentRequired:
						refused.Add(1)
					default:
						t.Errorf("%v", err)
					}
				}
			})
		}
		wait.Wait()
	}
	ask(1512)
	require.LessOrEqual(t, passed.Load(), int64(1000))
	require.GreaterOrEqual(t, passed.Load(), int64(940), "at most twenty are held by each process")
	for _, p := range processes { // ten seconds later the rest can be had
		clk.Move(10 * time.Second)
		require.NoError(t, p.Settle(t.Context(), false))
	}
	require.Equal(t, passed.Load(), counted(t, db, 7))
	for passed.Load() < 1000 {
		was := passed.Load()
		clk.Move(10 * time.Second)
		ask(24)
		require.Greater(t, passed.Load(), was, "while some are left, some pass")
		for _, p := range processes {
			require.NoError(t, p.Stop(t.Context()))
		}
	}
	clk.Move(time.Minute)
	ask(48)
	require.EqualValues(t, 1000, passed.Load())
	require.EqualValues(t, 1000, counted(t, db, 7))
	require.Positive(t, refused.Load())
}

// The first calls of an account in two processes at once are both let through: one of them begins the count.
func TestFirstCallsAtOnce(t *testing.T) {
	t.Parallel()
	first, db, clk := setup(t)
	second := newAllowance(db, clk)
	for user := range int64(40) {
		var wait sync.WaitGroup
		for _, process := range []*free.Allowance{first, second} {
			wait.Go(func() {
				_, err := process.Take(t.Context(), live(100+user), search)
				assert.NoError(t, err)
			})
		}
		wait.Wait()
	}
}

// What is not answered with 2xx costs nothing; what is held but not used is given back after a while, and at the stop.
func TestGivenBack(t *testing.T) {
	t.Parallel()
	a, db, clk := setup(t)
	take := func(n int) {
		for range n {
			taken, err := a.Take(t.Context(), live(1), search)
			require.NoError(t, err)
			require.True(t, taken)
		}
	}
	take(5)
	require.EqualValues(t, 20, counted(t, db, 1), "taken ahead")
	a.GiveBack(live(1))
	require.NoError(t, a.Settle(t.Context(), false))
	require.EqualValues(t, 20, counted(t, db, 1), "in use")
	clk.Move(10 * time.Second)
	require.NoError(t, a.Settle(t.Context(), false))
	require.EqualValues(t, 4, counted(t, db, 1))
	take(30)
	require.NoError(t, a.Stop(t.Context()))
	require.EqualValues(t, 34, counted(t, db, 1))

	fixture.Exec(t, db, "UPDATE keys.free_calls SET used = 999")
	take(1)
	_, err := a.Take(t.Context(), live(1), search)
	requireUsedUp(t, err)
	a.GiveBack(live(1)) // the last one failed
	take(1)
}

// Without the database calls pass and are owed; they are paid when it is back.
func TestWithoutDatabase(t *testing.T) {
	t.Parallel()
	db, clk := dbtest.New(t), fixture.NewClock(t, "2026-11-20T10:00:00Z")
	fixture.Exec(t, db, `CREATE FUNCTION keys.away() RETURNS trigger LANGUAGE plpgsql AS
		$$ BEGIN RAISE EXCEPTION 'shutting down' USING ERRCODE = '57P01'; END $$`)
	fixture.Exec(t, db, "CREATE TRIGGER away BEFORE INSERT OR UPDATE ON keys.free_calls EXECUTE FUNCTION keys.away()")
	a := newAllowance(db, clk)
	for range 30 {
		taken, err := a.Take(t.Context(), live(1), search)
		require.NoError(t, err)
		require.True(t, taken)
	}
	require.Error(t, a.Settle(t.Context(), false))
	clk.Move(time.Second) // it is asked again, in vain
	_, err := a.Take(t.Context(), live(1), search)
	require.NoError(t, err)
	a.GiveBack(live(1))
	fixture.Exec(t, db, "DROP TRIGGER away ON keys.free_calls")
	require.NoError(t, a.Settle(t.Context(), false))
	require.EqualValues(t, 30, counted(t, db, 1))
}

func TestExport(t *testing.T) {
	t.Parallel()
	_, db, _ := setup(t)
	e := free.NewExporter(free.NewStore(db))
	require.Equal(t, "free_calls", e.ExportName())
	fixture.Exec(t, db, "INSERT INTO keys.free_calls VALUES (1, 20), (2, 30)")
	part, err := e.ExportFor(t.Context(), 1)
	require.NoError(t, err)
	document, err := json.Marshal(part)
	require.NoError(t, err)
	require.JSONEq(t, `{"used": 20}`, string(document))
}

func TestStatus(t *testing.T) {
	t.Parallel()
	a, db, _ := setup(t)
	user, paid := fixture.Account{Plan: "free"}.Insert(t, db, "ada"), fixture.Account{}.Insert(t, db, "bob")
	host := httpapitest.New(t, free.Routes(a)...)
	const path = "/v1/billing/free-tier-status"
	status := func(as *auth.Principal, want string) {
		host.Do(t, httpapitest.Scenario{Path: path, As: as, WantJSON: want, WantHeader: map[string]string{"ETag": ""}})
	}
	status(live(user), `{"data": {"applies": true, "limit": 1000, "total_calls_used": 0, "calls_remaining": 1000, "percentage_used": 0, "limit_exceeded": false}}`)
	for range 25 {
		_, err := a.Take(t.Context(), live(user), search)
		require.NoError(t, err)
	}
	used := `{"data": {"applies": true, "limit": 1000, "total_calls_used": 25, "calls_remaining": 975, "percentage_used": 2.5, "limit_exceeded": false}}`
	status(live(user), used)
	status(fixture.Session(user), used)
	fixture.Exec(t, db, "INSERT INTO keys.free_calls VALUES ($1, 1000)", paid)
	status(&auth.Principal{Kind: auth.Key, UserID: paid, Mode: "live"},
		`{"data": {"applies": false, "limit": 1000, "total_calls_used": 1000, "calls_remaining": 0, "percentage_used": 100, "limit_exceeded": false}}`)
	status(live(paid), `{"data": {"applies": true, "limit": 1000, "total_calls_used": 1000, "calls_remaining": 0, "percentage_used": 100, "limit_exceeded": true}}`)
	host.Do(t, httpapitest.Scenario{Path: path, Status: 401})
	db.Close()
	host.Do(t, httpapitest.Scenario{Path: path, As: live(user), Status: 503})
}

func BenchmarkTake(b *testing.B) {
	a, _, _ := setup(b)
	b.ReportAllocs()
	for b.Loop() { // as of a free account all of whose requests fail: the cost without the database
		taken, err := a.Take(b.Context(), live(1), search)
		require.NoError(b, err)
		require.True(b, taken)
		a.GiveBack(live(1))
	}
}
