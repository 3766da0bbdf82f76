package run_test

import (
	"math/rand/v2"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/catalogtest"
	"gpatlas/modules/dataops/internal/run"
	"gpatlas/platform/clock"
	"gpatlas/platform/testkit/dbtest"
	"gpatlas/platform/testkit/itertest"
)

// The quality check foretells how many advisers a document of withdrawals ends: the catalog then decides the same (fold.Withdrawn).
func TestLossIsWhatTheCatalogDecides(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	store, loader, rng := run.NewStore(db), catalogtest.NewLoader(db, clock.Fixed(noon)), rand.New(rand.NewPCG(28, 11))
	day := func() time.Time { return time.Date(2026, 3, 1+rng.IntN(9), 0, 0, 0, 0, time.UTC) }
	load := func(id int64, doc catalogapi.Document) {
		_, err := loader.LoadDocument(t.Context(), doc, catalogapi.LoadOptions{RunID: id})
		require.NoError(t, err)
	}
	var filings []*catalogapi.AdviserFiling
	for n := range 90 {
		id := strconv.Itoa(5001 + n)
		filings = append(filings, &catalogapi.AdviserFiling{
			Key: id, FilingID: id, CRD: strconv.Itoa(900001 + n%40), Submitted: day(), Statement: catalogapi.Statement{LegalName: "Larkspur LLC"}, File: "f", Line: 2,
		})
	}
	load(1, catalogapi.Document{Name: "ADV.zip", Source: catalogapi.SourceADVArchive, Filings: itertest.Rows(filings...)})
	for round := range 2 {
		withdrawn := map[string]time.Time{}
		var rows []*catalogapi.WithdrawalRow
		for n := range 20 {
			row := &catalogapi.WithdrawalRow{CRD: strconv.Itoa(900001 + rng.IntN(60)), FilingID: strconv.Itoa(8001 + 100*round + n), Submitted: day(), Full: true, File: "w", Line: 2}
			if row.Submitted.After(withdrawn[row.CRD]) {
				withdrawn[row.CRD] = row.Submitted
			}
			rows = append(rows, row)
		}
		before, _, err := store.Left(t.Context())
		require.NoError(t, err)
		current, lost, err := store.Loss(t.Context(), withdrawn)
		require.NoError(t, err)
		load(int64(2+round), catalogapi.Document{Name: "W" + strconv.Itoa(round), Source: catalogapi.SourceADVW, Withdrawals: itertest.Rows(rows...)})
		after, _, err := store.Left(t.Context())
		require.NoError(t, err)
		require.Equal(t, after-before, lost)
		require.Positive(t, lost)
		require.Greater(t, current, lost)
	}
}
