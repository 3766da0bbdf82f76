package database_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/database"
)

// A password with an unescaped special character makes a piece of it the host, the port or the database. Whoever reads the error
// learns what to write, and nothing of the password.
func TestUnescapedPasswords(t *testing.T) {
	t.Parallel()
	for _, url := range []string{
		"postgres://scr:Hidden@S3cret@127.0.0.1:1/gpatlas",
		"postgresql://scr:Hidden@S3cret@127.0.0.1:1/gpatlas?sslmode=disable",
		"postgres://scr:Hidden@@127.0.0.1:1/gpatlas",
		"postgres://scr:3@S3cret@127.0.0.1:1,127.0.0.2:1/gpatlas",
		"postgres://scr:3/S3cret@127.0.0.1:1/gpatlas",
		"postgres://scr:3#S3cret@127.0.0.1:1/gpatlas",
		"postgres://scr:3@S3c#ret@127.0.0.1:1/gpatlas",
		"postgres://scr:Hidden#S3cret@127.0.0.1:1/gpatlas",
		"postgres://scr:3?S3cret@127.0.0.1:1/gpatlas",
		"postgres://scr:Hidden?S3cret@127.0.0.1:1/gpatlas",
	} {
		_, opened := database.Open(t.Context(), database.Config{URL: url})
		_, listed := database.MigrateStatus(t.Context(), url)
		for _, err := range []error{database.Config{URL: url}.Validate(), opened, listed, database.MigrateUp(context.WithoutCancel(t.Context()), url)} {
			require.ErrorContains(t, err, "%40 (@)", url)
			for _, piece := range []string{"Hidden", "S3c", "ret@", "scr", "127.0.0.1", ":3"} {
				require.NotContains(t, strings.ReplaceAll(err.Error(), "%3", ""), piece, url)
			}
		}
		require.Empty(t, database.Place(url), url)
	}
	for url, place := range map[string]string{
		"postgres://scr:Hidden%40S3cret@127.0.0.1:5432/gpatlas":               "gpatlas at 127.0.0.1:5432",
		"postgres://127.0.0.1:5432/gpatlas?user=me@corp.example":              "gpatlas at 127.0.0.1:5432",
		"postgres://me:x@127.0.0.1:5432/gpatlas?application_name=me@corp":     "gpatlas at 127.0.0.1:5432",
		"host=127.0.0.1 port=5432 user=me password=Hidden@S3# dbname=gpatlas": "gpatlas at 127.0.0.1:5432",
		"postgres:///gpatlas?host=/tmp/@sockets&user=me":                      "gpatlas at /tmp/@sockets",
	} {
		require.Equal(t, place, database.Place(url))
		require.NoError(t, database.Config{URL: url}.Validate(), url)
	}
}
