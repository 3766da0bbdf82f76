package cutproxy_test

import (
	"context"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"gpatlas/platform/testkit/cutproxy"
	"gpatlas/platform/testkit/dbtest"
)

func connect(t *testing.T, url string) *pgx.Conn {
	t.Helper()
	c, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	t.Cleanup(func() { _ = c.Close(context.WithoutCancel(t.Context())) })
	return c
}

// Everything passes: large values both ways, COPY, errors, and a client that asks for encryption first.
func TestPasses(t *testing.T) {
	t.Parallel()
	p := cutproxy.New(t, dbtest.URL(t, dbtest.New(t)))
	c := connect(t, strings.Replace(p.URL(), "sslmode=disable", "sslmode=prefer", 1))
	large := strings.Repeat("harbour ", 1<<17)
	var back string
	require.NoError(t, c.QueryRow(t.Context(), "SELECT $1::text", large).Scan(&back))
	require.Equal(t, large, back)
	_, err := c.Exec(t.Context(), "CREATE TABLE copied (n int)")
	require.NoError(t, err)
	n, err := c.CopyFrom(t.Context(), pgx.Identifier{"copied"}, []string{"n"}, pgx.CopyFromRows(numbers(5000)))
	require.NoError(t, err)
	require.EqualValues(t, 5000, n)
	var failure *pgconn.PgError
	_, err = c.Exec(t.Context(), "SELECT 1/0")
	require.ErrorAs(t, err, &failure)
	require.Equal(t, "22012", failure.Code)
	require.NoError(t, c.Ping(t.Context()))
}

func numbers(n int) [][]any {
	rows := make([][]any, n)
	for i := range rows {
		rows[i] = []any{i}
	}
	return rows
}

// A transaction of one insert is cut after each of its messages: until the server has COMMIT nothing is left of it, from then on
// it is there, whether the client has heard so or not.
func TestCutsAfterEachMessage(t *testing.T) {
	t.Parallel()
	direct := dbtest.New(t)
	p := cutproxy.New(t, dbtest.URL(t, direct))
	plain := connect(t, dbtest.URL(t, direct))
	_, err := plain.Exec(t.Context(), "CREATE TABLE kept (k int)")
	require.NoError(t, err)
	outcomes := map[string]int{}
	for k := 1; ; k++ {
		c := connect(t, p.URL())
		p.Arm(cutproxy.Cut{After: k})
		err := pgx.BeginFunc(t.Context(), c, func(tx pgx.Tx) error {
			_, err := tx.Exec(t.Context(), "INSERT INTO kept VALUES ($1)", k)
			return err
		})
		passed, cut := p.Disarm()
		require.Equal(t, cut, passed == k)
		var rows int
		require.NoError(t, plain.QueryRow(t.Context(), "SELECT count(*) FROM kept WHERE k = $1", k).Scan(&rows))
		switch {
		case err == nil && !cut:
			require.Equal(t, 1, rows)
			require.Greater(t, k, 10)
			require.Positive(t, outcomes["nothing"])
			require.GreaterOrEqual(t, outcomes["all, unheard"], 2, "after COMMIT and after its answer's first message")
			return
		case rows == 0:
			require.Zero(t, outcomes["all, unheard"], "message %d", k)
			require.Error(t, err)
			outcomes["nothing"]++
		case err != nil:
			outcomes["all, unheard"]++
		}
		require.True(t, c.IsClosed() || err == nil, "message %d", k)
		var others int
		require.NoError(t, plain.QueryRow(t.Context(), "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'").Scan(&others))
		require.Zero(t, others, "the session has ended when the client hears of it")
	}
}

// The connection that is not cut goes on, and so does the way to the server.
func TestCutsOneConnection(t *testing.T) {
	t.Parallel()
	p := cutproxy.New(t, dbtest.URL(t, dbtest.New(t)))
	one, other := connect(t, p.URL()), connect(t, p.URL())
	p.Arm(cutproxy.Cut{After: 1, AtOnce: true})
	require.Error(t, one.Ping(t.Context()))
	require.NoError(t, other.Ping(t.Context()))
	require.NoError(t, connect(t, p.URL()).Ping(t.Context()))
	p.Settle()
	passed, cut := p.Disarm()
	require.Equal(t, 1, passed)
	require.True(t, cut)
}

func TestDown(t *testing.T) {
	t.Parallel()
	p := cutproxy.New(t, dbtest.URL(t, dbtest.New(t)))
	c := connect(t, p.URL())
	p.SetDown(true)
	require.Error(t, c.Ping(t.Context()))
	_, err := pgx.Connect(t.Context(), p.URL())
	require.Error(t, err)
	p.SetDown(false)
	require.NoError(t, connect(t, p.URL()).Ping(t.Context()))
}
