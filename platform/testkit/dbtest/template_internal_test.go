package dbtest

import (
	"errors"
	"testing"
	"testing/fstest"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"
)

func TestMigrationsHash(t *testing.T) {
	t.Parallel()
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	hash := func(files fstest.MapFS) string {
		h, err := migrationsHash(files)
		require.NoError(t, err)
		return h
	}
	base := hash(fstest.MapFS{"1_a.sql": file("x"), "2_b.sql": file("y")})
	require.Equal(t, base, hash(fstest.MapFS{"2_b.sql": file("y"), "1_a.sql": file("x"), "notes.txt": file("z")}))
	require.NotEqual(t, base, hash(fstest.MapFS{"1_a.sql": file("x"), "2_b.sql": file("z")}))
	require.NotEqual(t, base, hash(fstest.MapFS{"1_a.sql": file("x"), "2_c.sql": file("y")}))
}

func TestMajorVersion(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{"15.18 (Debian 15.18-0+deb12u1)": 15, "9.6.24": 9, "17.2": 17, "18beta1": 18, "19": 19, "": 0} {
		require.Equal(t, want, majorVersion(text), text)
	}
}

// Guarantee: only "in use" is tried again.
func TestWhileInUse(t *testing.T) {
	t.Parallel()
	calls := 0
	require.NoError(t, whileInUse(t.Context(), func() error {
		if calls++; calls < 3 {
			return &pgconn.PgError{Code: "55006"}
		}
		return nil
	}))
	require.Equal(t, 3, calls)
	wrong := errors.New("wrong")
	calls = 0
	require.ErrorIs(t, whileInUse(t.Context(), func() error { calls++; return wrong }), wrong)
	require.Equal(t, 1, calls)
}

func TestWithDatabase(t *testing.T) {
	t.Parallel()
	got, err := withDatabase("postgres://u:p@h:5433/postgres?sslmode=disable", "gpt_1")
	require.NoError(t, err)
	require.Equal(t, "postgres://u:p@h:5433/gpt_1?sslmode=disable", got)
	_, err = withDatabase("host=/tmp dbname=postgres", "gpt_1")
	require.ErrorContains(t, err, "TEST_DATABASE_URL")
	require.Equal(t, "redis://:p@h:6379/7?dial_timeout=1s", withNumber("redis://:p@h:6379/0?dial_timeout=1s&db=3", 7))
}
