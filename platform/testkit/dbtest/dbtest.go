// Package dbtest gives every test a PostgreSQL database and a Redis of its own. Without real servers the test fails.
//
// The servers are those of TEST_DATABASE_URL (an administrator's URL) and TEST_REDIS_URL where these are set (see
// cmd/teststack), else private ones that this test process starts once and that end with it.
package dbtest

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"gpatlas/platform/database"
	"gpatlas/platform/localserver"
)

// TimeZone is the zone of every test database and of its sessions: half an hour off and with daylight saving, so that code
// which depends on the session's zone fails here. Production sessions are in UTC. It is the one also called
// Canada/Newfoundland, a name that newer systems leave out.
const TimeZone = "America/St_Johns"

// adminTimeout bounds one administrative statement.
const adminTimeout = 60 * time.Second

// adminURL is the server of this test process, found or started on first use.
var adminURL = sync.OnceValues(func() (string, error) {
	if u := os.Getenv("TEST_DATABASE_URL"); u != "" {
		_, err := withDatabase(u, "") // whether we can use it at all
		return u, err
	}
	server, err := localserver.TemporaryPostgres(context.Background())
	if err != nil {
		return "", err
	}
	return server.DatabaseURL(), nil
})

var (
	counter atomic.Int64
	urls    sync.Map // *database.DB → its URL
)

// New is an empty, migrated database for this test alone; it is dropped when the test has passed, and kept, its URL logged,
// when it has failed. Without a server the test fails: it never skips.
func New(tb testing.TB) *database.DB {
	tb.Helper()
	return open(tb, NewURL(tb))
}

func open(tb testing.TB, dbURL string) *database.DB {
	tb.Helper()
	db, err := database.Open(tb.Context(), database.Config{URL: dbURL, MaxConns: 8, TimeZone: TimeZone})
	require.NoError(tb, err, "open the test database")
	urls.Store(db, dbURL)
	tb.Cleanup(func() {
		urls.Delete(db)
		db.Close()
	})
	return db
}

// URL is the connection URL of a database that New made.
func URL(tb testing.TB, db *database.DB) string {
	tb.Helper()
	u, ok := urls.Load(db)
	require.True(tb, ok, "dbtest.URL: not a database of dbtest.New, or its test has ended")
	return u.(string)
}

// NewURL is New for tests that open the database themselves: a whole process under test, or another driver.
func NewURL(tb testing.TB) string {
	tb.Helper()
	return create(tb, ensureTemplate)
}

// NewEmptyURL is the URL of a database without any schema, for tests of the migrations themselves.
func NewEmptyURL(tb testing.TB) string {
	tb.Helper()
	return create(tb, func(context.Context, string) (string, error) { return "template0", nil })
}

func create(tb testing.TB, template func(ctx context.Context, admin string) (string, error)) string {
	tb.Helper()
	admin, err := adminURL()
	require.NoError(tb, err, "a test database needs a PostgreSQL server")
	from, err := template(tb.Context(), admin)
	require.NoError(tb, err, "make the template database")
	name := fmt.Sprintf("gpt_%d_%d_%d", os.Getpid(), time.Now().UnixNano()%1e9, counter.Add(1))
	require.NoError(tb, clone(tb.Context(), admin, from, name), "clone the template database")
	dbURL, err := withDatabase(admin, name)
	require.NoError(tb, err)
	tb.Cleanup(func() {
		if tb.Failed() {
			tb.Logf("database kept: %s%s", dbURL, keptFor())
			return
		}
		ctx, cancel := context.WithTimeout(context.WithoutCancel(tb.Context()), adminTimeout)
		defer cancel()
		if err := execAdmin(ctx, admin, "DROP DATABASE IF EXISTS "+quote(name)+" WITH (FORCE)"); err != nil {
			tb.Errorf("drop the test database: %v", err)
		}
	})
	return dbURL
}

// keptFor returns how long a kept database lives.
func keptFor() string {
	if os.Getenv("TEST_DATABASE_URL") == "" {
		return " (until this test process ends; set TEST_DATABASE_URL to keep it longer)"
	}
	return ""
}

// execAdmin runs statements one by one over a connection of its own: CREATE DATABASE cannot run in a transaction, and a pool
// would leave goroutines for leak detectors to find.
func execAdmin(ctx context.Context, admin string, statements ...string) error {
	return withAdmin(ctx, admin, func(c *pgx.Conn) error {
		for _, s := range statements {
			if _, err := c.Exec(ctx, s); err != nil {
				return fmt.Errorf("%s: %w", s, err)
			}
		}
		return nil
	})
}

func withAdmin(ctx context.Context, admin string, fn func(c *pgx.Conn) error) error {
	c, err := pgx.Connect(ctx, admin)
	if err != nil {
		return fmt.Errorf("reach the test server: %w", err)
	}
	defer func() { _ = c.Close(context.WithoutCancel(ctx)) }()
	return fn(c)
}

func quote(name string) string { return pgx.Identifier{name}.Sanitize() }

// withDatabase is the admin URL with another database in it.
func withDatabase(admin, name string) (string, error) {
	u, err := url.Parse(admin)
	if err != nil || !strings.HasPrefix(u.Scheme, "postgres") {
		return "", fmt.Errorf("TEST_DATABASE_URL: must be of the form postgres://…")
	}
	u.Path = "/" + name
	return u.String(), nil
}
