package database_test

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"gpatlas/platform/database"
	"gpatlas/platform/testkit/dbtest"
)

// A second database stands in for the standby: it has other rows, so that each read shows where it went.
func TestReader(t *testing.T) {
	t.Parallel()
	primary, standby := dbtest.URL(t, dbtest.New(t)), dbtest.URL(t, dbtest.New(t))
	for url, name := range map[string]string{primary: "primary", standby: "standby"} {
		db, err := database.Open(t.Context(), database.Config{URL: url})
		require.NoError(t, err)
		_, err = db.Pool().Exec(t.Context(), "CREATE TABLE public.place AS SELECT '"+name+"' AS name")
		require.NoError(t, err)
		db.Close()
	}
	db, err := database.Open(t.Context(), database.Config{URL: primary, ReadURL: standby, MaxConns: 4})
	require.NoError(t, err)
	defer db.Close()
	const where = "SELECT name FROM public.place"
	place := func(of *database.DB, ctx context.Context) string {
		t.Helper()
		found, err := database.Values[string](ctx, of, "ask", where, nil)
		require.NoError(t, err)
		return found[0]
	}
	reader := db.Reader()
	require.Eventually(t, func() bool { return reader.OfStandby(t.Context()) }, 10*time.Second, 10*time.Millisecond)
	require.Equal(t, "standby", place(reader, t.Context()))
	require.Equal(t, "primary", place(db, t.Context()))
	require.Equal(t, "primary", place(reader, database.FromPrimary(t.Context())))
	require.NoError(t, db.InTx(t.Context(), func(ctx context.Context) error {
		require.Equal(t, "primary", place(reader, ctx), "a transaction reads what it wrote")
		return nil
	}))
	var name string
	ask := func(c *pgx.Conn) error { return c.QueryRow(t.Context(), where).Scan(&name) }
	require.NoError(t, reader.Snapshot(t.Context(), ask))
	require.Equal(t, "standby", name)
	require.NoError(t, reader.From(t.Context()).Raw(where).Scan(&name).Error)
	require.Equal(t, "standby", name)
	affected, err := database.Run(t.Context(), reader, "write", "UPDATE public.place SET name = 'written'", nil)
	require.NoError(t, err)
	require.EqualValues(t, 1, affected)
	require.Equal(t, "written", place(db, t.Context()))

	require.NoError(t, db.Reader().Conn(t.Context(), func(c *pgx.Conn) error { // the standby's connections are lost
		_, err := c.Exec(t.Context(), "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()")
		return err
	}))
	require.NotEmpty(t, place(reader, t.Context()), "a read that the standby cannot answer is the primary's")
}

func TestReaderWithoutStandby(t *testing.T) {
	t.Parallel()
	db, err := database.Open(t.Context(), database.Config{URL: dbtest.URL(t, dbtest.New(t)), ReadURL: "postgres://nobody@127.0.0.1:1/none", MaxConns: 2})
	require.NoError(t, err, "a standby that is unavailable at the start is no fault")
	defer db.Close()
	found, err := database.Values[int](t.Context(), db.Reader(), "ask", "SELECT 1", nil)
	require.NoError(t, err)
	require.Equal(t, []int{1}, found)
	require.False(t, db.Reader().OfStandby(t.Context()))
	_, err = database.Open(t.Context(), database.Config{URL: dbtest.URL(t, dbtest.New(t)), ReadURL: "postgres://a:secret@h:port/x"})
	require.ErrorContains(t, err, "DATABASE_READ_URL")
	require.NotContains(t, err.Error(), "secret")
}
