package free_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/keys/internal/free"
	"gpatlas/modules/keys/internal/testkit/fixture"
	"gpatlas/platform/apperr"
	"gpatlas/platform/auth"
	"gpatlas/platform/database"
	"gpatlas/platform/ratelimit"
	"gpatlas/platform/testkit/clocktest"
	"gpatlas/platform/testkit/dbtest"
	"gpatlas/platform/testkit/httpapitest"
)

var _ ratelimit.Allowance = (*free.Allowance)(nil)

const search = "/v1/gps"

func live(userID int64) *auth.Principal {
	return &auth.Principal{Kind: auth.Key, UserID: userID, KeyID: "k", Mode: "live", Plan: auth.PlanFree, FreeTier: true}
}

func newAllowance(db *database.DB, clk *clocktest.Clock) *free.Allowance {
	return free.NewAllowance(free.NewStore(db), clk, slog.New(slog.DiscardHandler))
}

func setup(tb testing.TB) (*free.Allowance, *database.DB, *clocktest.Clock) {
	tb.Helper()
	db, clk := dbtest.New(tb), clocktest.At("2026-11-20T10:00:00Z")
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
		"test key":         {&auth.Principal{Kind: auth.Key, UserID: 1, Mode: "test", Plan: auth.PlanFree, FreeTier: true}, search},
		"paid API tier":    {&auth.Principal{Kind: auth.Key, UserID: 1, Mode: "live", Plan: auth.PlanFree}, search},
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

// Three processes, 1,512 calls at once: exactly a thousand pass, and the count is a thousand.
func TestAThousandAcrossProcesses(t *testing.T) {
	t.Parallel()
	first, db, clk := setup(t)
	processes := []*free.Allowance{first, newAllowance(db, clk), newAllowance(db, clk)}
	var passed, refused atomic.Int64
	var wait sync.WaitGroup
	for worker := range 24 {
		wait.Go(func() {
			for range 1512 / 24 {
				taken, err := processes[worker%3].Take(t.Context(), live(7), search)
				switch {
				case err == nil && taken:
					passed.Add(1)
				case apperr.From(err).Kind == apperr.KindPaymentRequired:
					refused.Add(1)
				default:
					t.Errorf("%v %v", taken, err)
				}
			}
		})
	}
	wait.Wait()
	require.EqualValues(t, 1000, passed.Load())
	require.EqualValues(t, 512, refused.Load())
	require.EqualValues(t, 1000, counted(t, db, 7))
}

// What is not answered with 2xx costs nothing.
func TestGivenBack(t *testing.T) {
	t.Parallel()
	a, db, _ := setup(t)
	take := func() {
		taken, err := a.Take(t.Context(), live(1), search)
		require.NoError(t, err)
		require.True(t, taken)
	}
	take()
	take()
	a.GiveBack(t.Context(), live(1))
	require.EqualValues(t, 1, counted(t, db, 1))
	a.GiveBack(t.Context(), live(1))
	a.GiveBack(t.Context(), live(1)) // once too often
	require.EqualValues(t, 0, counted(t, db, 1))

	fixture.Exec(t, db, "UPDATE keys.free_calls SET used = 999")
	take()
	_, err := a.Take(t.Context(), live(1), search)
	requireUsedUp(t, err)
	gone, cancel := context.WithCancel(t.Context())
	cancel() // the caller has hung up; the call still goes back
	a.GiveBack(gone, live(1))
	take()
}

// While the database is unavailable, calls pass uncounted, and it is asked once a second.
func TestWithoutDatabase(t *testing.T) {
	t.Parallel()
	a, db, clk := setup(t)
	fixture.Exec(t, db, `CREATE FUNCTION keys.away() RETURNS trigger LANGUAGE plpgsql AS
		$$ BEGIN RAISE EXCEPTION 'shutting down' USING ERRCODE = '57P01'; END $$`)
	fixture.Exec(t, db, "CREATE TRIGGER away BEFORE INSERT OR UPDATE ON keys.free_calls EXECUTE FUNCTION keys.away()")
	pass := func() {
		taken, err := a.Take(t.Context(), live(1), search)
		require.NoError(t, err)
		require.False(t, taken)
	}
	pass()
	fixture.Exec(t, db, "DROP TRIGGER away ON keys.free_calls")
	pass() // not asked again within the second
	clk.Move(time.Second)
	taken, err := a.Take(t.Context(), live(1), search)
	require.NoError(t, err)
	require.True(t, taken)
	require.EqualValues(t, 1, counted(t, db, 1))
}

func TestExport(t *testing.T) {
	t.Parallel()
	a, db, _ := setup(t)
	fixture.Exec(t, db, "INSERT INTO keys.free_calls VALUES (1, 20), (2, 30)")
	part, err := a.ExportFor(t.Context(), 1)
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
	person := fixture.Session(user)
	person.Plan, person.FreeTier = auth.PlanFree, true
	status(person, used)
	fixture.Exec(t, db, "INSERT INTO keys.free_calls VALUES ($1, 1000)", paid)
	status(&auth.Principal{Kind: auth.Key, UserID: paid, Mode: "live"},
		`{"data": {"applies": false, "limit": 1000, "total_calls_used": 1000, "calls_remaining": 0, "percentage_used": 100, "limit_exceeded": false}}`)
	status(live(paid), `{"data": {"applies": true, "limit": 1000, "total_calls_used": 1000, "calls_remaining": 0, "percentage_used": 100, "limit_exceeded": true}}`)
	host.Do(t, httpapitest.Scenario{Path: path, Status: 401})
	db.Close()
	host.Do(t, httpapitest.Scenario{Path: path, As: live(user), Status: 503})
}

// BenchmarkTake compares the count with the smallest answer the database gives.
func BenchmarkTake(b *testing.B) {
	a, db, _ := setup(b)
	b.Run("take and give back", func(b *testing.B) {
		for b.Loop() {
			taken, err := a.Take(b.Context(), live(1), search)
			require.NoError(b, err)
			require.True(b, taken)
			a.GiveBack(b.Context(), live(1))
		}
	})
	b.Run("select 1", func(b *testing.B) {
		for b.Loop() {
			_, err := db.Pool().Exec(b.Context(), "SELECT 1")
			require.NoError(b, err)
		}
	})
}
