package index_test

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/internal/index"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/testkit/dbtest"
)

// filed is what a snapshot says about all that it has.
type filed struct {
	Stats       index.Stats
	GPs         []index.GP
	Items       []string
	Funds       []index.Fund
	Served      [][]string
	Disclosures []index.Disclosure
}

func allOf(s *index.Snapshot) (all []filed) {
	for _, of := range []*index.Snapshot{s, s.Former()} {
		f := filed{Stats: of.Stats(), Disclosures: of.Disclosures()}
		for _, id := range of.SearchGPs(&index.GPQuery{Limit: 1000}).IDs {
			f.GPs, f.Items = append(f.GPs, *of.GP(id)), append(f.Items, string(of.AppendGP(nil, id)))
		}
		for _, id := range of.SearchFunds(&index.FundQuery{Limit: 1000}).IDs {
			f.Funds, f.Served = append(f.Funds, of.Fund(id)), append(f.Served, slices.Concat(of.ServedBy(id, index.Roles[0]), of.ServedBy(id, index.Roles[1])))
		}
		all = append(all, f)
	}
	return all
}

// A process that starts reads the rows that another one has kept, and asks the database for the number of the publication alone. A file that it
// cannot use costs it nothing but the time, and no answer.
func TestRowsOfAPublicationAreReadOnce(t *testing.T) {
	t.Parallel()
	g := newGenerator(7, 100, true)
	gps := g.gps(60)
	funds := g.funds(300, gps)
	db, clk, folder := dbtest.New(t), clock.Fixed(time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC)), t.TempDir()
	seed(t, db, gps, funds)
	seedDisclosures(t, db, gps)
	seedServices(t, db, funds)
	var log bytes.Buffer
	store := index.NewStore(db, clk, folder, slog.New(slog.NewTextHandler(&log, nil)))
	exec := func(sql string) {
		t.Helper()
		_, err := database.Run(t.Context(), db, "change", sql, nil)
		require.NoError(t, err)
	}
	files := func() []string {
		list, err := filepath.Glob(filepath.Join(folder, "*"))
		require.NoError(t, err)
		return list
	}
	want, err := index.Load(t.Context(), db, clk)
	require.NoError(t, err)
	require.NotEmpty(t, slices.Concat(allOf(want)[0].Served...))
	require.NotEmpty(t, allOf(want)[0].Disclosures)

	first, err := store.Load(t.Context())
	require.NoError(t, err)
	require.Equal(t, allOf(want), allOf(first))
	require.Len(t, files(), 1)
	path := files()[0]

	exec("ALTER TABLE catalog.fund_services RENAME TO away")
	for range 10 {
		again, err := store.Load(t.Context())
		require.NoError(t, err, "the database was read")
		require.Equal(t, allOf(want), allOf(again))
		require.Equal(t, want.Freshness(), again.Freshness())
	}
	require.Empty(t, log.String())

	whole, err := os.ReadFile(path)
	require.NoError(t, err)
	for name, bad := range map[string][]byte{"cut": whole[:len(whole)/2], "without its end": whole[:len(whole)-5], "empty": nil, "altered": altered(whole), "other": []byte("rows")} {
		log.Reset()
		require.NoError(t, os.WriteFile(path, bad, 0o600))
		_, err = store.Load(t.Context())
		require.ErrorContains(t, err, "read services", name)
		require.Contains(t, log.String(), "rows of the index not read from their file", name)
		require.Len(t, files(), 1, name)
	}

	require.NoError(t, os.WriteFile(path, whole, 0o600))
	log.Reset()
	exec("INSERT INTO catalog.publications (run_id, reason) VALUES (1, 'test')")
	_, err = store.Load(t.Context())
	require.ErrorContains(t, err, "read services", "the file is of the publication before")
	require.Empty(t, log.String())
	exec("ALTER TABLE catalog.away RENAME TO fund_services")
	left := filepath.Join(folder, ".rows-1") // by a process that was killed
	require.NoError(t, os.WriteFile(left, whole, 0o600))
	require.NoError(t, os.Chtimes(left, clk.Now(), clk.Now().Add(-time.Hour)))
	for range 3 {
		newer, err := store.Load(t.Context())
		require.NoError(t, err)
		require.Equal(t, want.Freshness().Publication+1, newer.Freshness().Publication)
		require.Len(t, files(), 2)
		exec("UPDATE catalog.publications SET published_at = published_at + interval '1 second' WHERE seq = (SELECT max(seq) FROM catalog.publications)")
		newer, err = store.Load(t.Context()) // as after a restored backup: the same number, another publication
		require.NoError(t, err)
		require.Equal(t, allOf(want), allOf(newer))
		require.Len(t, files(), 2, "old files are removed")
	}
	require.NotContains(t, files(), path)
}

func altered(b []byte) []byte {
	b = bytes.Clone(b)
	b[len(b)/2] ^= 1
	return b
}

// A folder that cannot be written does not keep a process from starting.
func TestFolderOfRowsIsAway(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	var log bytes.Buffer
	_, err := index.NewStore(db, clock.System{}, filepath.Join(t.TempDir(), "away"), slog.New(slog.NewTextHandler(&log, nil))).Load(t.Context())
	require.NoError(t, err)
	require.Contains(t, log.String(), "rows of the index are not kept")
}
