package dbtest_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"gpatlas/platform/database"
	"gpatlas/platform/localserver"
	"gpatlas/platform/testkit/dbtest"
)

// Guarantee: tests that run at once each have an empty, migrated database and an empty Redis, in a hostile time zone.
func TestNewIsOnesOwn(t *testing.T) {
	t.Parallel()
	for range 6 {
		t.Run("clone", func(t *testing.T) {
			t.Parallel()
			db := dbtest.New(t)
			insert := "INSERT INTO platform.outbox (type, payload) VALUES ('x', '{}')"
			require.NoError(t, db.From(t.Context()).Exec(insert).Error)
			var rows int
			require.NoError(t, db.From(t.Context()).Raw("SELECT count(*) FROM platform.outbox").Scan(&rows).Error)
			require.Equal(t, 1, rows)
			rdb := dbtest.Redis(t)
			require.NoError(t, rdb.Set(t.Context(), "key", 1, 0).Err())
			require.EqualValues(t, 1, rdb.DBSize(t.Context()).Val())
		})
	}
}

// Guarantee: a template is filled once; each clone has what was filled in, and a test's own changes stay its own.
func TestTemplate(t *testing.T) {
	t.Parallel()
	var filled atomic.Int64
	template := dbtest.NewTemplate(func(ctx context.Context, db *database.DB) error {
		filled.Add(1)
		return db.From(ctx).Exec("INSERT INTO platform.outbox (type, payload) VALUES ('x', '{}')").Error
	})
	require.NoError(t, template.Drop(), "nobody has asked for it")
	var clones sync.WaitGroup
	for range 4 {
		clones.Go(func() {
			db := template.New(t)
			var rows int
			assert.NoError(t, db.From(t.Context()).Raw("WITH gone AS (DELETE FROM platform.outbox RETURNING 1) SELECT count(*) FROM gone").Scan(&rows).Error) //nolint:testifylint // require is for the goroutine of the test
			assert.Equal(t, 1, rows)
		})
	}
	clones.Wait()
	require.EqualValues(t, 1, filled.Load())
	require.NoError(t, template.Drop())
	out := runHelper(t, "unfilled", "TEST_DATABASE_URL="+os.Getenv("TEST_DATABASE_URL"))
	require.Contains(t, out, "--- FAIL: TestHelper")
	require.Contains(t, out, "fill the template database: no rows today")
}

// Guarantee: the hostile zone holds for our sessions and for those that others open by the URL.
func TestTimeZone(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	var zone string
	require.NoError(t, db.From(t.Context()).Raw("SHOW timezone").Scan(&zone).Error)
	require.Equal(t, dbtest.TimeZone, zone)
	c, err := pgx.Connect(t.Context(), dbtest.URL(t, db))
	require.NoError(t, err)
	t.Cleanup(func() { _ = c.Close(context.WithoutCancel(t.Context())) })
	require.NoError(t, c.QueryRow(t.Context(), "SHOW timezone").Scan(&zone))
	require.Equal(t, dbtest.TimeZone, zone)
}

func TestRedisIsEmptiedAndGivenBack(t *testing.T) {
	t.Parallel()
	server := dbtest.RedisServer(t)
	out := runHelper(t, "redis", "TEST_REDIS_URL="+server.RedisURL())
	require.Contains(t, out, "PASS")
	out = runHelper(t, "redis", "TEST_REDIS_URL="+server.RedisURL())
	require.Contains(t, out, "PASS", "the second finds nothing of the first")
	require.Contains(t, out, "/1 ", "and gets the same number again")
}

// Guarantee: the database of a failed test is kept and its address logged.
func TestDatabaseIsKeptAfterAFailure(t *testing.T) {
	t.Parallel()
	out := runHelper(t, "fail", "TEST_DATABASE_URL="+cluster(t))
	m := regexp.MustCompile(`database kept: (\S+)`).FindStringSubmatch(out)
	require.NotNil(t, m, out)
	require.NoError(t, reach(t.Context(), m[1]))
}

// Guarantee: a server that cannot be had is a failure with its reason, never a skip.
func TestNoServerIsAFailure(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ helper, setting, want string }{
		"postgres": {"database", "TEST_DATABASE_URL=postgres://postgres@127.0.0.1:1/postgres", "reach the test server"},
		"redis":    {"redis", "TEST_REDIS_URL=redis://127.0.0.1:1", "reach Redis"},
		"bad url":  {"database", "TEST_DATABASE_URL=host=/nowhere", "TEST_DATABASE_URL"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out := runHelper(t, c.helper, c.setting)
			require.Contains(t, out, "--- FAIL: TestHelper")
			require.Contains(t, out, c.want)
			require.NotContains(t, out, "SKIP")
		})
	}
}

// Guarantee: test processes that start on one new server at once share one template and leave no half-built one.
func TestTemplateIsBuiltOnce(t *testing.T) {
	t.Parallel()
	url := cluster(t)
	var g errgroup.Group
	for range 3 {
		g.Go(func() error {
			require.Contains(t, runHelper(t, "database", "TEST_DATABASE_URL="+url), "PASS")
			return nil
		})
	}
	require.NoError(t, g.Wait())
	c, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	t.Cleanup(func() { _ = c.Close(context.WithoutCancel(t.Context())) })
	rows, err := c.Query(t.Context(), "SELECT datname FROM pg_database WHERE datname LIKE 'gpt%'")
	require.NoError(t, err)
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	require.Len(t, names, 1, "one template, and no clone is left: %v", names)
	require.Regexp(t, `^gptpl_[0-9a-f]{16}$`, names[0])
}

// TestHelper is what the tests above run in processes of their own; alone it does nothing.
func TestHelper(t *testing.T) { //nolint:paralleltest // the only test of its process
	switch what := os.Getenv("DBTEST_HELPER"); what {
	case "":
		require.Empty(t, what)
	case "database":
		require.NoError(t, dbtest.New(t).Ping(t.Context()))
	case "redis":
		rdb := dbtest.Redis(t)
		require.EqualValues(t, 0, rdb.DBSize(t.Context()).Val())
		require.NoError(t, rdb.Set(t.Context(), "left", "over", 0).Err())
		t.Logf("uses /%d ", rdb.Options().DB)
	case "unfilled":
		template := dbtest.NewTemplate(func(context.Context, *database.DB) error { return errors.New("no rows today") })
		defer func() { require.NoError(t, template.Drop()) }()
		template.New(t)
	case "fail":
		require.NoError(t, reach(t.Context(), dbtest.NewURL(t)))
		t.Error("a failure on purpose")
	}
}

// runHelper runs TestHelper in a process of its own and gives its output.
func runHelper(t *testing.T, what string, settings ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestHelper$", "-test.v")
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "TEST_") {
			cmd.Env = append(cmd.Env, v)
		}
	}
	cmd.Env = append(cmd.Env, append(settings, "DBTEST_HELPER="+what)...)
	out, _ := cmd.CombinedOutput() // some fail on purpose
	return string(out)
}

// cluster is the URL of a cluster of this test's own.
func cluster(t *testing.T) string {
	t.Helper()
	server, err := localserver.TemporaryPostgres(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() {
		if err := server.Stop(context.WithoutCancel(t.Context())); err != nil {
			t.Error(err)
		}
	})
	return server.DatabaseURL()
}

func reach(ctx context.Context, url string) error {
	c, err := pgx.Connect(ctx, url)
	if err != nil {
		return err
	}
	return c.Close(ctx)
}
