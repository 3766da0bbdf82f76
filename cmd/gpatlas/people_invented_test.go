package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/people"
	"gpatlas/platform/database"
	"gpatlas/platform/testkit/dbtest"
	"gpatlas/sample"
)

// Guarantee: the calls of docs/people.md show education and contact in a service with the sample, as they stand on the page, and each
// value is marked as invented. All managers of the sample are known, as they are loaded.
func TestInventedPeopleAreShown(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "people.md"))
	require.NoError(t, err)
	script := regexp.MustCompile("(?s)\n### See it in `gpatlas dev`\n.*?```sh\n(.*?)```").FindStringSubmatch(string(page))
	require.Len(t, script, 2)
	db := sampleDB.New(t)
	_, err = db.Pool().Exec(t.Context(), "DELETE FROM people.enriched_firms")
	require.NoError(t, err)
	h := startHouse(t, dbtest.URL(t, db), dbtest.RedisURL(t), "PEOPLE_PROVIDERS="+strings.Join(people.ForSample(), ","))
	ada := h.signUp(t, "ada@larkspur.example")
	h.verify(t, ada)
	made := ada.call("POST", "/v1/api-keys", `{"name":"walk","tier":"starter","mode":"live"}`)
	said := h.shell(t, script[1], "KEY="+text(t, made.body, "key"))
	require.Regexp(t, `"email":\{"value":"linara\.uldrigaard@invented\.example","source":"invented"`, said)
	require.Regexp(t, `"education":\[\{"school":"[^"]+ \(invented\)"`, said)
	require.Regexp(t, `"providers":\[\{"name":"filings","asked":7,.*?\},\{"name":"invented","asked":7,`, said)

	type manager struct{ CRD, Name string }
	managers, err := database.Select[manager](t.Context(), db, "read managers", "SELECT crd, legal_name AS name FROM catalog.pub_gp", database.Args{})
	require.NoError(t, err)
	require.Len(t, managers, 300)
	for _, m := range managers {
		require.True(t, sample.Has(m.CRD, m.Name), m)
	}
}
