package database_test

import (
	"context"
	"errors"
	"net/url"
	"strconv"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"gorm.io/gorm"

	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/testkit/dbtest"
)

// open is a database of dbtest opened as a process would: UTC, and with the given changes to the settings.
func open(t *testing.T, change func(*database.Config)) *database.DB {
	t.Helper()
	cfg := database.Config{URL: dbtest.NewURL(t)}
	if change != nil {
		change(&cfg)
	}
	db, err := database.Open(t.Context(), cfg)
	require.NoError(t, err)
	t.Cleanup(db.Close)
	return db
}

func show(t *testing.T, db *database.DB, setting string) string {
	t.Helper()
	var got string
	require.NoError(t, db.From(t.Context()).Raw("SELECT current_setting(?)", setting).Scan(&got).Error)
	return got
}

// Guarantee: whatever the server or the database is set to, a session of ours is in UTC, bounded and named.
func TestOpenSession(t *testing.T) {
	t.Parallel()
	db := open(t, nil)
	require.Equal(t, "UTC", show(t, db, "TimeZone"))
	require.Equal(t, "30s", show(t, db, "statement_timeout"))
	require.Equal(t, "gpatlas", show(t, db, "application_name"))
	require.EqualValues(t, database.DefaultMaxConns, db.Pool().Config().MaxConns)
	require.NoError(t, db.Ping(t.Context()))
}

func TestOpenSettings(t *testing.T) {
	t.Parallel()
	db := open(t, func(c *database.Config) {
		c.MaxConns, c.MinConns, c.StatementTimeout, c.ApplicationName = 3, 1, 250*time.Millisecond, "atlas test"
	})
	require.Equal(t, "250ms", show(t, db, "statement_timeout"))
	require.Equal(t, "atlas test", show(t, db, "application_name"))
	require.EqualValues(t, 3, db.Pool().Config().MaxConns)
	require.EqualValues(t, 1, db.Pool().Config().MinConns)
	none := open(t, func(c *database.Config) { c.StatementTimeout = -1 })
	require.Equal(t, "0", show(t, none, "statement_timeout"))
}

// Guarantee: a statement ends after the timeout, a transaction may lift it for itself, and the next one has it again.
func TestStatementTimeout(t *testing.T) {
	t.Parallel()
	db := open(t, func(c *database.Config) { c.StatementTimeout, c.MaxConns = time.Second, 1 })
	const slow = "SELECT pg_sleep(2)"
	require.ErrorContains(t, db.From(t.Context()).Exec(slow).Error, "statement timeout")
	require.NoError(t, db.InTx(t.Context(), func(ctx context.Context) error {
		if err := db.From(ctx).Exec("SET LOCAL statement_timeout = 0").Error; err != nil {
			return err
		}
		return db.From(ctx).Exec(slow).Error
	}))
	require.ErrorContains(t, db.From(t.Context()).Exec(slow).Error, "statement timeout")
}

// Guarantee: an instant comes back in UTC through both ways of reading, alone and in arrays.
func TestTimesAreUTC(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	const query = "SELECT timestamptz '2026-07-01 12:00:00+05:30'"
	want := time.Date(2026, 7, 1, 6, 30, 0, 0, time.UTC)
	var byGORM time.Time
	require.NoError(t, db.From(t.Context()).Raw(query).Scan(&byGORM).Error)
	require.Equal(t, want, byGORM)
	require.NoError(t, db.Conn(t.Context(), func(c *pgx.Conn) error {
		var byPGX time.Time
		require.NoError(t, c.QueryRow(t.Context(), query).Scan(&byPGX))
		require.Equal(t, want, byPGX)
		var list []time.Time
		require.NoError(t, c.QueryRow(t.Context(), "SELECT ARRAY["+query[len("SELECT "):]+"]").Scan(&list))
		require.Equal(t, []time.Time{want}, list)
		return nil
	}))
}

func TestGORM(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	db := open(t, func(c *database.Config) { c.Clock = clock.Fixed(now) })
	require.NoError(t, db.From(t.Context()).Exec("CREATE TABLE notes (id bigint PRIMARY KEY, created_at timestamptz)").Error)
	type Note struct {
		ID        int64
		CreatedAt time.Time
	}
	n := Note{ID: 7}
	require.NoError(t, db.From(t.Context()).Create(&n).Error)
	require.Equal(t, now, n.CreatedAt, "GORM's own columns come from the injected clock")
	require.ErrorIs(t, db.From(t.Context()).Create(&Note{ID: 7}).Error, gorm.ErrDuplicatedKey)
}

func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		cfg  database.Config
		want []string
	}{
		"no address":          {database.Config{}, []string{"DATABASE_URL"}},
		"bad address":         {database.Config{URL: "postgres://u:secret@h:port/x"}, []string{"DATABASE_URL"}},
		"too many idle":       {database.Config{URL: "postgres://h/x", MinConns: 17}, []string{"DATABASE_MIN_CONNS", "17", "16"}},
		"all at once":         {database.Config{MinConns: 17}, []string{"DATABASE_URL", "DATABASE_MIN_CONNS"}},
		"nobody answers":      {database.Config{URL: "postgres://u:secret@127.0.0.1:1/x", ConnectTimeout: time.Second}, []string{"cannot reach the database at 127.0.0.1:1: nothing is listening there: start PostgreSQL, or correct DATABASE_URL"}},
		"nobody of that name": {database.Config{URL: "postgres://u:secret@no-such-host.invalid/x", ConnectTimeout: 5 * time.Second}, []string{"cannot reach the database at no-such-host.invalid:5432: "}},
		"no socket":           {database.Config{URL: "postgres://u:secret@/x?host=/nowhere", ConnectTimeout: time.Second}, []string{"cannot reach the database at /nowhere: nothing is listening there: "}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := database.Open(t.Context(), c.cfg)
			for _, want := range c.want {
				require.ErrorContains(t, err, want)
			}
			require.NotContains(t, err.Error(), "secret")
			require.NotContains(t, err.Error(), "\t", "one line a fault")
		})
	}
}

// Guarantee: what a borrower did to a session is gone when the next one gets it.
func TestConnIsCleanedAfterUse(t *testing.T) {
	t.Parallel()
	db := open(t, func(c *database.Config) { c.MaxConns = 1 })
	ctx := t.Context()
	require.NoError(t, db.Conn(ctx, func(c *pgx.Conn) error {
		_, err := c.PgConn().Exec(ctx, `LISTEN news; SET statement_timeout = '1s'; SET timezone = 'Asia/Tokyo';
			CREATE TEMPORARY TABLE scratch (x int); SELECT pg_advisory_lock(1)`).ReadAll()
		return err
	}))
	require.Equal(t, "30s", show(t, db, "statement_timeout"))
	require.Equal(t, "UTC", show(t, db, "TimeZone"))
	var left int
	require.NoError(t, db.From(ctx).Raw(`SELECT (SELECT count(*) FROM pg_listening_channels())
		+ (SELECT count(*) FROM pg_class WHERE relname = 'scratch')
		+ (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid())`).Scan(&left).Error)
	require.Zero(t, left)
	wrong := errors.New("wrong")
	require.ErrorIs(t, db.Conn(ctx, func(*pgx.Conn) error { return wrong }), wrong)
	require.NoError(t, db.Conn(ctx, func(c *pgx.Conn) error { return c.Close(ctx) }), "a connection broken in use is dropped")
	require.NoError(t, db.Ping(ctx))
}

// Guarantee: a snapshot sees nothing that is committed after its first statement, writes nothing, and hands its connection back as it
// came, also when it fails. In a transaction it belongs to it.
func TestSnapshot(t *testing.T) {
	t.Parallel()
	db := open(t, func(c *database.Config) { c.MaxConns = 2 })
	ctx := t.Context()
	run := func(statement string) { require.NoError(t, db.From(ctx).Exec(statement).Error) }
	run("CREATE TABLE snapshots (n int)")
	count := func(c *pgx.Conn) (n int) {
		require.NoError(t, c.QueryRow(ctx, "SELECT count(*) FROM snapshots").Scan(&n))
		return n
	}
	wrong := errors.New("wrong")
	require.ErrorIs(t, db.Snapshot(ctx, func(c *pgx.Conn) error {
		require.Zero(t, count(c))
		run("INSERT INTO snapshots VALUES (1)")
		require.Zero(t, count(c))
		_, err := c.Exec(ctx, "SET statement_timeout = '1s'; LISTEN news")
		require.NoError(t, err)
		return wrong
	}), wrong)
	require.ErrorContains(t, db.Snapshot(ctx, func(c *pgx.Conn) error {
		_, err := c.Exec(ctx, "INSERT INTO snapshots VALUES (2)")
		return err
	}), "read-only transaction")
	require.NoError(t, db.Snapshot(ctx, func(c *pgx.Conn) error {
		require.Equal(t, 1, count(c))
		var mode string
		require.NoError(t, c.QueryRow(ctx, "SHOW plan_cache_mode").Scan(&mode))
		require.Equal(t, "force_generic_plan", mode)
		return nil
	}))
	require.NoError(t, db.Conn(ctx, func(c *pgx.Conn) error { // one connection, and show has the other
		const clean = "SELECT current_setting('statement_timeout') || ' ' || current_setting('plan_cache_mode') || ' ' || (SELECT count(*) FROM pg_listening_channels())"
		var one, other string
		require.NoError(t, c.QueryRow(ctx, clean).Scan(&one))
		require.NoError(t, db.From(ctx).Raw(clean).Scan(&other).Error)
		require.Equal(t, []string{"30s auto 0", "30s auto 0"}, []string{one, other})
		return nil
	}))
	require.False(t, db.InTransaction(ctx))
	require.NoError(t, db.InTx(ctx, func(ctx context.Context) error {
		require.True(t, db.InTransaction(ctx))
		if err := db.From(ctx).Exec("INSERT INTO snapshots VALUES (3)").Error; err != nil {
			return err
		}
		return db.Snapshot(ctx, func(c *pgx.Conn) error {
			require.Equal(t, 2, count(c))
			return nil
		})
	}))
	require.NoError(t, db.Snapshot(ctx, func(c *pgx.Conn) error { return c.Close(ctx) }), "a connection broken in use is dropped")
	require.NoError(t, db.Ping(ctx))
	requireAllBack(t, db)
}

func TestCloseTwice(t *testing.T) {
	t.Parallel()
	db := open(t, nil)
	db.Close()
	db.Close()
	require.Error(t, db.Ping(t.Context()))
}

// A server that answers, but not as asked, is told in one line as well; migrations say the same.
func TestRefusedByTheServer(t *testing.T) {
	t.Parallel()
	cfg, err := pgx.ParseConfig(dbtest.NewEmptyURL(t))
	require.NoError(t, err)
	at := "postgres://" + cfg.User + "@/no_such_database?host=" + url.QueryEscape(cfg.Host) + "&port=" + strconv.Itoa(int(cfg.Port))
	_, err = database.Open(t.Context(), database.Config{URL: at})
	require.ErrorContains(t, err, `it has no database "no_such_database": create it, or correct DATABASE_URL`)
	require.EqualError(t, database.MigrateUp(t.Context(), at), err.Error())
	at = "postgres://no_such_user@/postgres?host=" + url.QueryEscape(cfg.Host) + "&port=" + strconv.Itoa(int(cfg.Port))
	_, err = database.Open(t.Context(), database.Config{URL: at})
	require.ErrorContains(t, err, `it rejects the user "no_such_user" (`)
	require.NotContains(t, err.Error(), "\n")
}
