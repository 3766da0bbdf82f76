package history_test

import (
	"log/slog"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/history"
	"gpatlas/modules/catalog/internal/load"
	"gpatlas/modules/catalog/internal/testkit/correctiontest"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/testkit/dbtest"
	"gpatlas/platform/testkit/testscale"
)

// instant is the database's clock, by which filings are processed.
func instant(t *testing.T, db *database.DB) (at time.Time) {
	t.Helper()
	err := db.Conn(t.Context(), func(c *pgx.Conn) error {
		return c.QueryRow(t.Context(), "SELECT clock_timestamp()").Scan(&at)
	})
	require.NoError(t, err)
	return at
}

// What known_at says of an instant is what the catalog said then: documents are loaded in any order of their days, and
// again with other contents, the current rows are kept after each, and at the end every instant is asked for again. Once 45
// documents were loaded: GPATLAS_TEST_ROUNDS=2.
func TestKnownIsWhatTheCatalogSaidThen(t *testing.T) {
	t.Parallel()
	knownIsWhatTheCatalogSaidThen(t, testscale.Rounds(t, 30), nil)
}

// The same where operators correct and take corrections back. A timeline is without corrections.
func TestKnownCorrectionsAreWhatTheCatalogSaidThen(t *testing.T) {
	t.Parallel()
	operator := &correctiontest.Operator{Rand: rand.New(rand.NewPCG(57, 59)), CRDs: crds, Funds: fundIDs, Undoes: true}
	knownIsWhatTheCatalogSaidThen(t, testscale.Rounds(t, 30), operator)
	require.Greater(t, operator.Made, 20)
	require.Greater(t, operator.Undone, 10)
}

func knownIsWhatTheCatalogSaidThen(t *testing.T, rounds int, operator *correctiontest.Operator) {
	t.Helper()
	db := dbtest.New(t)
	store := history.NewStore(db)
	rng := rand.New(rand.NewPCG(51, 53))
	today := date("2026-11-21")
	loader := load.New(db, clock.Fixed(today), slog.New(slog.DiscardHandler))
	put := func(doc catalogapi.Document) {
		_, err := loader.LoadDocument(t.Context(), doc, catalogapi.LoadOptions{RunID: 1, Reject: func(catalogapi.Rejected) {}})
		require.NoError(t, err)
	}
	type loaded struct {
		no     int
		when   time.Time
		source catalogapi.Source
	}
	before := instant(t, db)
	var docs []loaded
	var states []state
	for n := range rounds {
		l := loaded{no: n, when: date("2012-02-10").AddDate(0, 0, rng.IntN(3000))}
		restated := n > 5 && rng.IntN(2) == 0
		if restated { // the same filings, mostly of the same day
			l = docs[rng.IntN(len(docs))]
			if rng.IntN(3) == 0 {
				l.when = l.when.AddDate(0, 0, rng.IntN(200)-100)
			}
		}
		doc := randomDocument(rng, l.no, l.when)
		for restated && doc.Source != l.source {
			doc = randomDocument(rng, l.no, l.when)
		}
		l.source = doc.Source
		doc.List = "" // whom an edition named before it was loaded anew is not kept
		docs = append(docs, l)
		put(doc)
		for _, doc := range []catalogapi.Document{randomNotices(rng, l.no, l.when), randomWithdrawals(rng, l.no, l.when)} {
			if !isEmpty(doc) {
				put(doc)
			}
		}
		states = append(states, currentState(t, store, instant(t, db)))
		if operator != nil {
			operator.DB = db
			for range 3 {
				operator.Act(t, today)
			}
			states = append(states, currentState(t, store, instant(t, db)))
		}
	}
	var replaced, dropped, added int
	err := db.Conn(t.Context(), func(c *pgx.Conn) error {
		return c.QueryRow(t.Context(), `SELECT count(*) FILTER (WHERE fund_id = ''), count(*) FILTER (WHERE said IS NULL),
			count(*) FILTER (WHERE fund_id <> '' AND said IS NOT NULL) FROM catalog.replaced_versions`).Scan(&replaced, &added, &dropped)
	})
	require.NoError(t, err)
	require.Greater(t, replaced, 5)
	require.Positive(t, added)
	require.Positive(t, dropped)

	last := states[len(states)-1]
	compared := 0
	known := func(at time.Time) history.AsOf {
		return history.AsOf{Point: catalogapi.Point{Moment: catalogapi.Moment{Day: today, Known: at}}}
	}
	for i, s := range states {
		atOnceAsThen(t, store, &s, &last, known(s.day))
		for crd, want := range s.advisers {
			got, err := store.AdviserAt(t.Context(), last.advisers[crd], known(s.day))
			require.NoError(t, err)
			if want == nil {
				require.Nil(t, got)
				continue
			}
			require.NotNil(t, got)
			require.Empty(t, cmp.Diff(*want, got.Adviser), "%s after document %d", crd, i)
			compared++
			if operator != nil {
				continue
			}
			timeline, err := store.Timeline(t.Context(), last.advisers[crd], known(s.day))
			require.NoError(t, err)
			end := timeline[len(timeline)-1].Adviser
			require.Empty(t, cmp.Diff(shown(*want), end), "%s after document %d", crd, i)
		}
		for id, want := range s.funds {
			if last.funds[id] == nil {
				continue
			}
			got, err := store.FundAt(t.Context(), last.funds[id], known(s.day))
			require.NoError(t, err)
			if want == nil {
				require.Nil(t, got)
				continue
			}
			want.ID = last.funds[id].ID // another one, where it went in between and came back
			require.Empty(t, cmp.Diff(*want, got.Fund), "%s after document %d", id, i)
			require.Equal(t, want.LatestAccession, got.Provenance["name"].Accession)
			require.Equal(t, s.advisers[want.AdviserCRD].LegalName, got.AdviserName)
			if operator == nil {
				require.Equal(t, s.advisers[want.AdviserCRD].LatestAccession, got.Provenance["adviser_name"].Accession)
			}
			compared++
		}
	}
	require.Greater(t, compared, 250)
	for _, crd := range crds {
		none, err := store.AdviserAt(t.Context(), last.advisers[crd], known(before))
		require.NoError(t, err)
		require.Nil(t, none)
	}
}
