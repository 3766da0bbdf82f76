package main

import (
	"context"
	"net/http"
	netmail "net/mail"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"gpatlas/platform/database"
	"gpatlas/platform/localserver"
	"gpatlas/platform/testkit/dbtest"
)

// kill -9 amid 200 mails: each is delivered, and at most the one in flight twice.
func TestWorkerIsKilledAmidMails(t *testing.T) {
	t.Parallel()
	const total = 200
	db, queue, folder := dbtest.New(t), dbtest.RedisURL(t), filepath.Join(t.TempDir(), "mail")
	inQueue := redisClient(t, queue)
	_, err := db.Pool().Exec(t.Context(), `WITH people AS (
			INSERT INTO accounts.users (email, email_key, full_name, password_hash, tier, subscription_plan, api_tier, created_at, updated_at)
			SELECT e, e, 'Ada Larkspur', '-', 'free_trial', 'pro', 'starter', now(), now()
			FROM (SELECT 'reader' || n || '@larkspur.example' AS e FROM generate_series(1, $1) n) x RETURNING id)
		INSERT INTO platform.outbox (type, payload) SELECT 'accounts.send_verification', jsonb_build_object('user_id', id) FROM people`, total)
	require.NoError(t, err)
	worker := func() (*exec.Cmd, *output) {
		cmd, out := gpatlas(t, "worker")
		cmd.Env = append(cmd.Env, "DATABASE_URL="+dbtest.URL(t, db), "REDIS_URL="+queue, "MAIL_DIR="+folder, "JOBS_CONCURRENCY=1")
		require.NoError(t, cmd.Start())
		t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
		return cmd, out
	}
	first, out := worker()
	require.Eventually(t, func() bool { return len(letters(folder)) >= 50 }, patience, time.Millisecond, out)
	require.NoError(t, first.Process.Kill())
	require.Error(t, first.Wait())
	sent := len(letters(folder))
	require.Less(t, sent, total, "it was killed amid them")

	held := expireLeases(t, inQueue)
	require.LessOrEqual(t, held, 1, "one at a time")
	second, out := worker()
	require.Eventually(t, func() bool { return waiting(t, db) == 0 && jobsDone(t, inQueue) }, patience, glance, out)
	mails := addressees(t, folder)
	require.Len(t, mails, total, "nobody goes without")
	twice := 0
	for address, n := range mails {
		require.LessOrEqual(t, n, 2, address)
		twice += n - 1
	}
	require.LessOrEqual(t, twice, held, "only what was in flight is sent again")
	t.Logf("killed after %d mails, %d in flight, %d sent twice", sent, held, twice)
	require.NoError(t, second.Process.Signal(syscall.SIGTERM))
	require.NoError(t, ended(t, second, out), out)
}

// letters are the mails in a folder.
func letters(folder string) []string {
	list, _ := filepath.Glob(filepath.Join(folder, "*.eml"))
	return list
}

// addressees counts the mails in a folder by address.
func addressees(t *testing.T, folder string) map[string]int {
	t.Helper()
	out := map[string]int{}
	for _, name := range letters(folder) {
		f, err := os.Open(name)
		require.NoError(t, err)
		m, err := netmail.ReadMessage(f)
		require.NoError(t, err)
		require.NoError(t, f.Close())
		to, err := netmail.ParseAddress(m.Header.Get("To"))
		require.NoError(t, err)
		out[to.Address]++
	}
	return out
}

func redisClient(t *testing.T, url string) *redis.Client {
	t.Helper()
	options, err := redis.ParseURL(url)
	require.NoError(t, err)
	c := redis.NewClient(options)
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// inQueues are the names of what Redis holds of the jobs' queues.
func inQueues(part string) (keys []string) {
	for _, queue := range []string{"critical", "default", "low"} {
		keys = append(keys, "asynq:{"+queue+"}:"+part)
	}
	return keys
}

// expireLeases makes the leases of jobs in flight long out, which otherwise takes a minute, and returns how many there are. A
// worker looks for such jobs when it starts.
func expireLeases(t *testing.T, c *redis.Client) (held int) {
	t.Helper()
	for _, leases := range inQueues("lease") {
		ids, err := c.ZRange(t.Context(), leases, 0, -1).Result()
		require.NoError(t, err)
		for _, id := range ids {
			long := float64(time.Now().Add(-2 * time.Minute).Unix())
			require.NoError(t, c.ZAddXX(t.Context(), leases, redis.Z{Score: long, Member: id}).Err())
		}
		held += len(ids)
	}
	return held
}

// jobsDone reports whether every job that was handed over has been run, and none was given up. All is asked at once: a job that
// goes from one list to another meanwhile, as one that is run again does, would be seen in neither.
func jobsDone(t *testing.T, c *redis.Client) bool {
	t.Helper()
	var unfinished []string
	for _, part := range []string{"pending", "active", "scheduled", "retry", "archived"} {
		unfinished = append(unfinished, inQueues(part)...)
	}
	left, err := c.Exists(t.Context(), unfinished...).Result() // Redis keeps no empty lists
	return err == nil && left == 0 && c.Exists(t.Context(), inQueues("completed")...).Val() > 0
}

func waiting(t *testing.T, db *database.DB) (n int) {
	t.Helper()
	require.NoError(t, db.Pool().QueryRow(t.Context(), "SELECT count(*) FROM platform.outbox WHERE handed_at IS NULL").Scan(&n))
	return n
}

// server is one of the servers below the service, which a test may stop and start again where it was.
type server struct {
	cfg   localserver.Config
	stack *localserver.Stack
}

func startServer(t *testing.T, cfg localserver.Config) *server {
	t.Helper()
	s := &server{cfg: cfg}
	s.cfg.Dir = scratch(t)
	s.start(t)
	t.Cleanup(func() { require.NoError(t, s.stack.Stop(context.WithoutCancel(t.Context()))) })
	return s
}

func (s *server) start(t *testing.T) {
	t.Helper()
	var err error
	s.stack, err = localserver.Start(t.Context(), s.cfg)
	require.NoError(t, err)
}

// While Redis is stopped requests pass and jobs wait in the outbox; when it returns everything is run.
func TestRedisStopsBelowTheService(t *testing.T) {
	t.Parallel()
	db, queue := dbtest.New(t), startServer(t, localserver.Config{NoDB: true})
	h := startHouse(t, dbtest.URL(t, db), queue.stack.RedisURL(), "JOBS_RELAY_INTERVAL=200ms")
	ada := h.signUp(t, "ada@larkspur.example")
	h.verify(t, ada)
	key := ada.makeKey("starter")
	require.Equal(t, http.StatusOK, key.call("GET", "/v1/gps?per_page=1", "").status)

	// A job that ends while Redis is stopped would run again only when its lease is over.
	before := redisClient(t, queue.stack.RedisURL())
	require.Eventually(t, func() bool { return waiting(t, db) == 0 && jobsDone(t, before) }, patience, glance, h.out)
	require.NoError(t, queue.stack.Stop(t.Context()))
	for range 3 {
		a := key.call("GET", "/v1/gps?per_page=1", "")
		require.Equal(t, http.StatusOK, a.status, a.body)
	}
	ben := h.signUp(t, "ben@mossgate.example")
	require.Equal(t, http.StatusOK, ben.call("GET", "/v1/auth/me", "").status)
	require.Eventually(t, func() bool {
		// Jobs of schedules whose minute comes meanwhile wait beside it.
		var kept, tried int
		err := db.Pool().QueryRow(t.Context(), `SELECT count(*), count(*) FILTER (WHERE attempts > 0)
			FROM platform.outbox WHERE type = 'accounts.send_verification' AND handed_at IS NULL`).Scan(&kept, &tried)
		return err == nil && kept == 1 && tried == 1
	}, patience, glance, "the mail's job is kept, and somebody has tried to hand it over")
	require.NotContains(t, addressees(t, h.mails), ben.email)

	queue.start(t)
	h.verify(t, ben)
	inQueue := redisClient(t, queue.stack.RedisURL())
	require.Eventually(t, func() bool { return waiting(t, db) == 0 && jobsDone(t, inQueue) }, patience, glance, h.out)
	require.Equal(t, map[string]int{ada.email: 1, ben.email: 1}, addressees(t, h.mails))
	require.Equal(t, http.StatusOK, key.call("GET", "/v1/gps?per_page=1", "").status)
}

// While PostgreSQL is stopped searches are answered and accounts say that they cannot be had; when it returns all is well.
func TestPostgresStopsBelowTheService(t *testing.T) {
	t.Parallel()
	store := startServer(t, localserver.Config{NoRedis: true})
	h := startHouse(t, store.stack.DatabaseURL(), dbtest.RedisURL(t))
	ada := h.signUp(t, "ada@larkspur.example")
	h.verify(t, ada)
	key := ada.makeKey("starter")
	require.Equal(t, http.StatusOK, key.call("GET", "/v1/gps?per_page=1", "").status)

	require.NoError(t, store.stack.Stop(t.Context()))
	nobody := caller{t: t, base: h.base}
	login := `{"username":"` + ada.email + `","password":"` + h.password + `"}`
	require.Equal(t, http.StatusOK, nobody.call("GET", "/v1/gps?per_page=1", "").status)
	require.Equal(t, http.StatusOK, key.call("GET", "/v1/gps?per_page=1", "").status, "a key that is known goes on")
	for _, c := range []struct {
		by                 caller
		method, path, body string
	}{
		{nobody, "POST", "/v1/auth/login", login},
		{nobody, "POST", "/v1/auth/refresh", `{"refresh_token":"` + ada.refresh + `"}`},
		{nobody, "POST", "/v1/auth/register", h.form("ben@mossgate.example")},
		{ada.caller, "GET", "/v1/auth/me", ""},
		{ada.caller, "GET", "/v1/api-keys", ""},
		{ada.caller, "POST", "/v1/api-keys", `{"name":"second","tier":"starter"}`},
	} {
		a := c.by.call(c.method, c.path, c.body)
		require.Equal(t, http.StatusServiceUnavailable, a.status, "%s %s: %s", c.method, c.path, a.body)
		require.JSONEq(t, `{"detail":"The database is unavailable; try again"}`, a.body, c.path)
	}

	store.start(t)
	require.Eventually(t, func() bool {
		a, err := ada.ask("GET", "/v1/auth/me", "")
		return err == nil && a.status == http.StatusOK
	}, patience, glance, "the session goes on")
	signedIn := nobody.call("POST", "/v1/auth/login", login)
	require.Equal(t, http.StatusOK, signedIn.status, signedIn.body)
	ada.token = text(t, signedIn.body, "access_token")
	require.Equal(t, http.StatusOK, ada.call("GET", "/v1/api-keys", "").status)
	require.Equal(t, http.StatusCreated, ada.call("POST", "/v1/api-keys", `{"name":"second","tier":"starter"}`).status)
	require.Equal(t, http.StatusOK, key.call("GET", "/v1/gps?per_page=1", "").status)
	h.verify(t, h.signUp(t, "ben@mossgate.example"))
}
