package database_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"gpatlas/platform/apperr"
	"gpatlas/platform/database"
	"gpatlas/platform/testkit/dbtest"
)

func TestAway(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		err  error
		want bool
	}{
		{nil, false},
		{context.Canceled, false},
		{context.DeadlineExceeded, true},
		{fmt.Errorf("read: %w", &pgconn.PgError{Code: "57P01"}), true},
		{&pgconn.PgError{Code: "53300"}, true},
		{fmt.Errorf("write: %w", &pgconn.PgError{Code: "25006"}), true},
		{&pgconn.PgError{Code: "42P01"}, false},
		{errors.New("sql: Scan error on column index 0"), false},
		{errors.New("unexpected EOF"), true},
	} {
		require.Equal(t, c.want, database.Away(c.err), "%v", c.err)
	}
}

func TestUnsure(t *testing.T) {
	t.Parallel()
	away := apperr.Unavailable("The database is unavailable")
	for _, c := range []struct {
		err  error
		want bool
	}{
		{nil, false},
		{away, false}, // nothing was asked of it
		{away.Wrap(fmt.Errorf("commit: %w", errors.New("unexpected EOF"))), true},
		{fmt.Errorf("commit: %w", away.Wrap(context.DeadlineExceeded)), true},
		{context.Canceled, true},
		{&pgconn.PgError{Code: "57P01"}, true},
		{&pgconn.PgError{Code: "57014"}, false},
		{away.Wrap(&pgconn.PgError{Code: "53300"}), false},
		{&pgconn.PgError{Code: "42P01"}, false},
	} {
		require.Equal(t, c.want, database.Unsure(c.err), "%v", c.err)
	}
}

func TestAwayOfRealFailures(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	err := db.From(t.Context()).Exec("SELECT nothing FROM nowhere").Error
	require.Error(t, err)
	require.False(t, database.Away(err), "%v", err)
	db.Close()
	err = db.From(t.Context()).Exec("SELECT 1").Error
	require.Error(t, err)
	require.True(t, database.Away(err), "%v", err)

	_, err = database.Open(t.Context(), database.Config{URL: "postgres://nobody@127.0.0.1:1/none?connect_timeout=2"})
	require.Error(t, err)
	require.True(t, database.Away(err), "%v", err)
}

func TestFailure(t *testing.T) {
	t.Parallel()
	require.NoError(t, database.Failure("read", nil))
	away := database.Failure("read", &pgconn.PgError{Code: "57P03"})
	require.Equal(t, apperr.KindUnavailable, apperr.From(away).Kind)
	wrong := database.Failure("read", &pgconn.PgError{Code: "42703"})
	require.Equal(t, apperr.KindInternal, apperr.From(wrong).Kind)
	require.ErrorContains(t, wrong, "read: ")
}
