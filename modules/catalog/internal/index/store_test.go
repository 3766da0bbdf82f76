package index_test

import (
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/internal/index"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/testkit/cutproxy"
	"gpatlas/platform/testkit/dbtest"
)

func TestLoadGivesBackWhatTheTablesHold(t *testing.T) {
	t.Parallel()
	g := newGenerator(3, 100, true)
	gps := g.gps(60)
	funds := g.funds(300, gps)
	db := dbtest.New(t)
	seed(t, db, gps, funds)
	now := time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC)
	s, err := index.Load(t.Context(), db, clock.Fixed(now))
	require.NoError(t, err)
	for i := range gps {
		id, ok := s.FindGP(gps[i].CRD)
		require.True(t, ok)
		require.Equal(t, gps[i], *s.GP(id))
	}
	for i := range funds {
		id, ok := s.FindFund(funds[i].FundID)
		require.True(t, ok)
		got := s.Fund(id)
		require.Equal(t, funds[i], got)
		gp, ok := s.FundGP(id)
		require.True(t, ok)
		require.Equal(t, funds[i].AdviserCRD, s.GP(gp).CRD)
	}
	_, ok := s.FindGP("0")
	require.False(t, ok)
	_, ok = s.FindFund("805-0000000000")
	require.False(t, ok)

	f := s.Freshness()
	require.Equal(t, now, f.BuiltAt)
	require.Equal(t, 60, f.Advisers)
	require.Equal(t, 300, f.Funds+f.ClosedFunds)
	require.Positive(t, f.ClosedFunds)
	require.EqualValues(t, 1, f.Publication)
	type cell struct {
		month  time.Time
		source string
	}
	want, latest := map[cell]int64{}, time.Time{}
	for i := range gps {
		month := gps[i].LatestFiledOn
		if month.After(latest) {
			latest = month
		}
		want[cell{time.Date(month.Year(), month.Month(), 1, 0, 0, 0, 0, time.UTC), []string{"roster", "adv_archive", "fund_list"}[i%3]}]++
	}
	require.Equal(t, latest, f.LatestFilingDate)
	got := map[cell]int64{}
	for _, c := range f.Coverage {
		got[cell{c.Month, string(c.Source)}] = c.Count
	}
	require.Equal(t, want, got)
}

func TestLoadOfAnEmptyCatalog(t *testing.T) {
	t.Parallel()
	s, err := index.Load(t.Context(), dbtest.New(t), clock.System{})
	require.NoError(t, err)
	require.Zero(t, s.Stats())
	require.Zero(t, s.SearchGPs(&index.GPQuery{Limit: 10}).Total)
	require.Zero(t, s.SearchFunds(&index.FundQuery{Text: "capital", Order: index.ByRelevance, Limit: 10}).Total)
	require.Empty(t, s.Autocomplete("ca", index.KindAll, 10))
	_, ok := s.FindFund("805-0000000000")
	require.False(t, ok)
	require.Empty(t, s.Freshness().Coverage)
}

// change renames one adviser and announces it, over a connection that needs no proxy.
func change(t *testing.T, db *database.DB, name string) {
	t.Helper()
	require.NoError(t, db.Conn(t.Context(), func(c *pgx.Conn) error {
		if _, err := c.Exec(t.Context(), "UPDATE catalog.advisers SET legal_name = $1 WHERE crd = (SELECT min(crd) FROM catalog.advisers)", name); err != nil {
			return err
		}
		return announce(t.Context(), c)
	}))
}

func finds(h *index.Holder, name string) bool {
	s, err := h.Snapshot()
	if err != nil {
		return false
	}
	r := s.SearchGPs(&index.GPQuery{Text: name, Limit: 1, Order: index.ByRelevance})
	return r.Total > 0 && s.GP(r.IDs[0]).LegalName == name
}

// The index follows the database through everything: away at the start, changes, killed connections, an outage with a
// change during it. It goes on answering all the while.
func TestRefresherFollowsPostgreSQL(t *testing.T) {
	t.Parallel()
	direct := dbtest.New(t)
	g := newGenerator(4, 100, true)
	gps := g.gps(50)
	seed(t, direct, gps, g.funds(200, gps))
	p := cutproxy.New(t, dbtest.URL(t, direct))
	db, err := database.Open(t.Context(), database.Config{URL: p.URL(), MaxConns: 4, TimeZone: dbtest.TimeZone, ApplicationName: "index-test"})
	require.NoError(t, err)
	defer db.Close()

	p.SetDown(true)
	holder := &index.Holder{}
	r := index.NewRefresher(index.NewStore(db, clock.System{}, "", silent()), holder, clock.System{}, silent(), nil, quick)
	r.Start(t.Context())
	defer func() { require.NoError(t, r.Stop(t.Context())) }()
	eventually(t, "a failure is noted", func() bool { return r.Status().LastError != "" })
	_, err = holder.Snapshot()
	require.Error(t, err)

	p.SetDown(false)
	eventually(t, "the first snapshot", func() bool { return publication(holder) == 1 })

	began := time.Now()
	change(t, direct, "Quillback Harbour Partners")
	eventually(t, "a change is seen", func() bool { return finds(holder, "Quillback Harbour Partners") })
	require.Less(t, time.Since(began), 20*time.Second)

	for _, name := range []string{"Wexmoor Lantern Capital", "Tarnbrook Sable Advisors"} {
		require.NoError(t, direct.From(t.Context()).Exec(
			"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'index-test'").Error)
		change(t, direct, name) // perhaps while nobody listens
		eventually(t, "a change around killed connections is seen", func() bool { return finds(holder, name) })
	}

	p.SetDown(true)
	eventually(t, "the outage is noted", func() bool { return !r.Status().Connected })
	change(t, direct, "Osprey Gantry Ventures")
	require.True(t, finds(holder, "Tarnbrook Sable Advisors"), "the old snapshot answers")
	p.SetDown(false)
	eventually(t, "the change made during the outage is seen", func() bool { return finds(holder, "Osprey Gantry Ventures") })
	eventually(t, "it is connected again", func() bool { return r.Status().Connected })
}

// A publication whose notice is lost is found by the slow tick.
func TestRefresherTicks(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	holder := &index.Holder{}
	cfg := quick
	cfg.Tick = 20 * time.Millisecond
	r := index.NewRefresher(index.NewStore(db, clock.System{}, "", silent()), holder, clock.System{}, silent(), nil, cfg)
	r.Start(t.Context())
	eventually(t, "the first snapshot", func() bool { return publication(holder) == 0 })
	require.NoError(t, db.From(t.Context()).Exec("INSERT INTO catalog.publications (run_id, reason) VALUES (1, 'without a notice')").Error)
	eventually(t, "the change", func() bool { return publication(holder) == 1 })
	require.NoError(t, r.Stop(t.Context()))
}
