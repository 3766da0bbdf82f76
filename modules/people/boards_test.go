package people_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogtest"
	"gpatlas/modules/people"
	"gpatlas/modules/people/internal/testkit/fixture"
	"gpatlas/platform/database"
)

func write(t *testing.T, name, body string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte(body), 0o600))
	return path
}

// TestLoadBoards applies recorded listings by their days: a posting that the later one lacks is closed.
func TestLoadBoards(t *testing.T) {
	t.Parallel()
	w := fixture.New(t, catalogtest.NewLoader)
	w.Load(t, fixture.Filed("900101", "2020-03-01", nil))
	files := []string{
		write(t, "900101.greenhouse.harborridge.2026-10-15.json", `{"jobs":[{"id":12,"title":"Associate"}],"meta":{"total":1}}`),
		write(t, "900101.greenhouse.harborridge.2026-10-01.json", `{"jobs":[{"id":11,"title":"Analyst"},{"id":12,"title":"Associate"}],"meta":{"total":2}}`),
		write(t, "900101.lever-eu.harbor.ridge.json", `[{"id":"a-1","text":"Vice President"}]`),
	}
	for range 2 {
		open, err := people.LoadBoards(t.Context(), w.DB, w.Clock, files)
		require.NoError(t, err)
		require.Equal(t, 2, open)
		const statement = "SELECT vendor || ' ' || posting_id || coalesce(' closed ' || closed_at::date, '') FROM people.postings ORDER BY 1"
		got, err := database.Values[string](t.Context(), w.DB, "read postings", statement, nil)
		require.NoError(t, err)
		require.Equal(t, []string{"greenhouse 11 closed 2026-10-15", "greenhouse 12", "lever-eu a-1"}, got)
	}
	for name, body := range map[string]string{
		"900101.greenhouse.json": "{}", "900101.monster.x.json": "{}", "900101.ashby.a%2F.json": "{}", "900101.ashby.x.2026-13-01.json": "{}", "900101.ashby.x.txt": "{}",
		"900101.ashby.x.json": `{"jobs":7}`, "999999.ashby.x.json": `{"jobs":[]}`,
	} {
		_, err := people.LoadBoards(t.Context(), w.DB, w.Clock, []string{write(t, name, body)})
		require.ErrorContains(t, err, name)
	}
}
