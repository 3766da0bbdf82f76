package history_test

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/history"
	"gpatlas/modules/catalog/internal/load"
	"gpatlas/modules/catalog/internal/storedhistory"
	"gpatlas/platform/apperr"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/testkit/dbtest"
	"gpatlas/platform/testkit/itertest"
	"gpatlas/platform/testkit/testscale"
)

// keptIsTheFold requires that what is kept of every adviser and fund is what folding their filings anew on a day says.
func keptIsTheFold(t *testing.T, db *database.DB, on time.Time) (compared int) {
	t.Helper()
	store, asOf := history.NewStore(db), history.AsOf{Today: on}
	for _, crd := range crds {
		current, sources, ok, err := store.AdviserWithSources(t.Context(), crd)
		require.NoError(t, err)
		require.Equal(t, current != nil, ok, "a row for each adviser")
		if !ok {
			continue
		}
		state, err := store.AdviserAt(t.Context(), current, asOf)
		require.NoError(t, err)
		require.Empty(t, cmp.Diff(state.Adviser, *current), crd)
		require.Empty(t, cmp.Diff(state.Provenance.Sources(), sources.Sources()), crd)
		folded, states, err := store.CourseAt(t.Context(), crd, asOf)
		require.NoError(t, err)
		standing, timeline, ok, err := store.KeptCourse(t.Context(), crd)
		require.NoError(t, err)
		require.True(t, ok)
		require.Empty(t, cmp.Diff(storedhistory.StandingOf(folded), standing), crd)
		require.Empty(t, cmp.Diff(storedhistory.TimelineOf(states), timeline), crd)
		alone, ok, err := store.KeptTimeline(t.Context(), crd)
		require.NoError(t, err)
		require.True(t, ok)
		require.Empty(t, cmp.Diff(timeline, alone), crd)
		compared++
	}
	for _, id := range fundIDs {
		f, ok, err := store.FundWithSources(t.Context(), id, 0)
		require.NoError(t, err)
		require.Equal(t, f != nil, ok, "sources of each fund")
		if !ok {
			continue
		}
		folded, err := store.FundAt(t.Context(), &f.Fund, asOf)
		require.NoError(t, err)
		require.Empty(t, cmp.Diff(folded.Provenance.Sources(), f.Provenance.Sources()), id)
		f.Provenance, folded.Provenance = nil, nil
		require.Empty(t, cmp.Diff(folded, f), id)
		compared++
	}
	return compared
}

// After every load of a random history, be it of new filings, of editions that restate old ones, of withdrawals or of notices,
// what is kept is the fold anew. One day is today throughout: what depends on the day is derived anew by the refresh alone.
func TestKeptIsTheFold(t *testing.T) {
	t.Parallel()
	for n := range testscale.Rounds(t, 1) {
		t.Run(strconv.Itoa(n), func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(91, uint64(n)))
			today := date("2040-01-01")
			h := newKeeper(t, today)
			began, compared := date("2012-02-10"), 0
			for i := range days {
				day := i
				if rng.IntN(3) == 0 {
					day = rng.IntN(i + 1) // an edition that was loaded, or comes late
				}
				when := began.AddDate(0, 0, 90*day)
				for _, doc := range []catalogapi.Document{
					randomDocument(rng, day, when), randomNotices(rng, day, when), randomWithdrawals(rng, day, when),
				} {
					if !isEmpty(doc) {
						h.load(t, doc)
						compared += keptIsTheFold(t, h.db, today)
					}
				}
			}
			require.Greater(t, compared, 500)
			changed, err := h.loader.RefreshDerived(t.Context())
			require.NoError(t, err)
			require.Zero(t, changed)
			keptIsTheFold(t, h.db, today)
		})
	}
}

// keeper loads documents.
type keeper struct {
	db     *database.DB
	store  *history.Store
	loader *load.Loader
	runs   int64
}

func newKeeper(t *testing.T, today time.Time) *keeper {
	t.Helper()
	db := dbtest.New(t)
	return &keeper{db: db, store: history.NewStore(db), loader: load.New(db, clock.Fixed(today), slog.New(slog.DiscardHandler))}
}

func (k *keeper) load(t *testing.T, doc catalogapi.Document) {
	t.Helper()
	k.runs++
	_, err := k.loader.LoadDocument(t.Context(), doc, catalogapi.LoadOptions{RunID: k.runs, Reject: func(catalogapi.Rejected) {}})
	require.NoError(t, err)
}

// loadSome loads the archives of some days.
func (k *keeper) loadSome(t *testing.T) {
	t.Helper()
	for i := range allKnown + 1 {
		k.load(t, randomDocument(rand.New(rand.NewPCG(17, uint64(i))), i, date("2012-02-10").AddDate(0, 0, 90*i)))
	}
}

// Rows of another encoding count as missing: the filings are folded instead, until the refresh writes the rows anew.
func TestAnotherEncoding(t *testing.T) {
	t.Parallel()
	k := newKeeper(t, date("2026-11-22"))
	k.loadSome(t)
	before, want, ok, err := k.store.KeptCourse(t.Context(), crds[0])
	require.NoError(t, err)
	require.True(t, ok)
	_, err = database.Run(t.Context(), k.db, "age the rows", "UPDATE catalog.adviser_histories SET encoding = 0, states = '', funds = ''", nil)
	require.NoError(t, err)
	_, _, ok, err = k.store.KeptCourse(t.Context(), crds[0])
	require.NoError(t, err)
	require.False(t, ok)
	_, sources, ok, err := k.store.AdviserWithSources(t.Context(), crds[0])
	require.NoError(t, err)
	require.False(t, ok)
	require.Nil(t, sources)
	_, err = k.loader.RefreshDerived(t.Context())
	require.NoError(t, err)
	standing, timeline, ok, err := k.store.KeptCourse(t.Context(), crds[0])
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, want, timeline)
	require.Equal(t, before, standing)
}

// Records that another release wrote in another form are not read: questions about the past wait for the refresh.
func TestRecordsOfAnotherEncoding(t *testing.T) {
	t.Parallel()
	k := newKeeper(t, date("2026-11-22"))
	k.loadSome(t)
	adviser, err := k.store.FindAdviser(t.Context(), crds[0])
	require.NoError(t, err)
	ask := func() error {
		_, err := k.store.AdviserAt(t.Context(), adviser, history.AsOf{Point: catalogapi.Point{Moment: catalogapi.Moment{Day: date("2020-01-01")}}})
		return err
	}
	require.NoError(t, ask())
	for _, statement := range []string{"UPDATE catalog.records SET encoding = 0, filed = ''", "DELETE FROM catalog.records"} {
		_, err = database.Run(t.Context(), k.db, "age the records", statement, nil)
		require.NoError(t, err)
		require.Equal(t, apperr.KindUnavailable, apperr.From(ask()).Kind)
		_, err = k.loader.RefreshDerived(t.Context())
		require.NoError(t, err)
		require.NoError(t, ask())
	}
}

// A load is seen whole or not at all: what stands of an adviser and what is kept of it are of one state at any time.
func TestReadingWhileLoadsCommit(t *testing.T) {
	t.Parallel()
	k := newKeeper(t, date("2040-01-01"))
	k.loadSome(t)
	states, mixes, done := map[string]bool{}, []string{}, make(chan error, 1)
	ended := make(chan struct{})
	go func() {
		for {
			a, sources, ok, err := k.store.AdviserWithSources(context.WithoutCancel(t.Context()), crds[0])
			if err != nil || !ok {
				done <- errors.Join(err, errors.New("no row is kept"))
				return
			}
			states[a.LatestAccession] = true
			if by := sources["legal_name"]; by.Accession != a.LatestAccession {
				mixes = append(mixes, a.LatestAccession+" beside "+by.Accession)
			}
			select {
			case <-ended:
				done <- nil
				return
			default:
			}
		}
	}()
	for i := range 20 {
		doc := randomDocument(rand.New(rand.NewPCG(19, uint64(i))), allKnown, date("2020-01-05"))
		doc.Filings = itertest.Rows(&catalogapi.AdviserFiling{
			Key: strconv.Itoa(9000 + i), FilingID: strconv.Itoa(9000 + i), CRD: crds[0], Submitted: date("2020-01-05").AddDate(0, 0, i),
			Statement: catalogapi.Statement{LegalName: "Larkspur " + strconv.Itoa(i) + " LLC"}, FundsListed: true, File: "f", Line: 1,
		})
		doc.Name, doc.Funds, doc.FormDNumbers, doc.Affiliates, doc.List, doc.Edition = strconv.Itoa(i), nil, nil, nil, "", nil
		k.load(t, doc)
	}
	close(ended)
	require.NoError(t, <-done)
	require.Empty(t, mixes)
	require.Greater(t, len(states), 2, "loads committed between the readings")
}
