package history_test

import (
	"fmt"
	"log/slog"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/history"
	"gpatlas/modules/catalog/internal/load"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/testkit/dbtest"
	"gpatlas/platform/testkit/itertest"
)

// loadLongHistory loads an adviser of 60 filings, each of which lists all of its 300 funds.
func loadLongHistory(tb testing.TB) *database.DB {
	tb.Helper()
	db := dbtest.New(tb)
	loader := load.New(db, clock.Fixed(date("2026-11-21")), slog.New(slog.DiscardHandler))
	kinds := []string{"Private Equity Fund", "Hedge Fund", "Other Private Fund"}
	for n := range 60 {
		key := strconv.Itoa(n + 1)
		doc := catalogapi.Document{Name: key, Source: catalogapi.SourceADVArchive, Filings: itertest.Rows(&catalogapi.AdviserFiling{
			Key: key, FilingID: key, CRD: "900011", Submitted: date("2012-03-01").AddDate(0, 3*n, 0),
			Statement: catalogapi.Statement{
				LegalName: "Larkspur Hollow Capital LLC", City: new("Boston"), State: new("MA"), RAUM: new(int64(1e9 + n)),
			},
			Basis: catalogapi.Basis{Registration: new(string(catalogapi.Registered))}, FundsListed: true,
		})}
		var funds []*catalogapi.FundRow
		for k := range 300 {
			id := fmt.Sprintf("805-%010d", k+1)
			funds = append(funds, &catalogapi.FundRow{
				FilingKey: key, ReferenceID: id, FundID: id, Name: fmt.Sprintf("Larkspur Hollow Growth Opportunities Fund %d, L.P.", k+1),
				State: "Delaware", FundType: kinds[k%3], GAV: new(int64(1e8 + n*k)), Owners: new(int64(k)),
			})
		}
		doc.Funds = itertest.Rows(funds...)
		_, err := loader.LoadDocument(tb.Context(), doc, catalogapi.LoadOptions{RunID: int64(n + 1)})
		require.NoError(tb, err)
	}
	return db
}

func BenchmarkTimeline(b *testing.B) {
	store := history.NewStore(loadLongHistory(b))
	current, err := store.FindAdviser(b.Context(), "900011")
	require.NoError(b, err)
	for b.Loop() {
		states, err := store.Timeline(b.Context(), current, history.AsOf{Today: date("2026-11-21")})
		if err != nil || len(states) != 60 || *states[59].FundCount != 300 {
			b.Fatal(len(states), err)
		}
	}
}

// BenchmarkAdviserAt is what as_of, known_at and include=provenance cost for the same adviser.
func BenchmarkAdviserAt(b *testing.B) {
	store := history.NewStore(loadLongHistory(b))
	current, err := store.FindAdviser(b.Context(), "900011")
	require.NoError(b, err)
	for b.Loop() {
		state, err := store.AdviserAt(b.Context(), current, history.AsOf{Today: date("2026-11-21")})
		if err != nil || len(state.Funds) != 300 {
			b.Fatal(err)
		}
	}
}
