package people_test

import (
	"log/slog"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogtest"
	"gpatlas/modules/people"
	"gpatlas/modules/people/internal/testkit/fixture"
	"gpatlas/modules/people/peopleapi"
	"gpatlas/platform/database"
	"gpatlas/platform/testkit/itertest"
)

// harbor is a resolver over three advisers with four people. One person is at two of the advisers.
func harbor(t *testing.T) (*fixture.World, peopleapi.Resolver, func(last string) string) {
	t.Helper()
	w := fixture.New(t, catalogtest.NewLoader)
	ada := fixture.Person{Name: "LARKSPUR, ADA", Title: "PARTNER", Number: "1000018"}
	w.Load(t,
		fixture.Filed("900101", "2020-03-01", []fixture.Person{ada, {Name: "MOSSGATE, THEO"}}),
		fixture.Filed("900102", "2021-03-01", []fixture.Person{ada, {Name: "FENWICK, IDA"}}),
		fixture.Filed("900103", "2021-03-01", []fixture.Person{{Name: "QUILL, OTTO"}}),
	)
	uid := func(last string) string {
		list, err := database.Values[string](t.Context(), w.DB, "read a uid", "SELECT DISTINCT person_uid FROM people.posts WHERE full_name LIKE '% ' || @last", database.Args{"last": last})
		require.NoError(t, err)
		require.Len(t, list, 1)
		return list[0]
	}
	return w, people.NewResolver(w.DB, w.Clock, slog.New(slog.DiscardHandler)), uid
}

func exec(t *testing.T, w *fixture.World, statement string, args ...any) {
	t.Helper()
	require.NoError(t, w.DB.From(t.Context()).Exec(statement, args...).Error)
}

// A person is known by the present UID and by a former one, until suppressed; an LP by its ID.
func TestResolverKnows(t *testing.T) {
	t.Parallel()
	w, resolver, uid := harbor(t)
	knows := func(uid string) bool {
		known, err := resolver.KnowsPerson(t.Context(), uid)
		require.NoError(t, err)
		return known
	}
	theo, otto := uid("Mossgate"), uid("Quill")
	require.True(t, knows(theo))
	require.False(t, knows("per_aaaaaaaaaaaaaaaa"))
	w.Merge(t, otto, theo)
	require.True(t, knows(otto), "a former UID leads to the present one")
	w.Suppress(t, theo)
	require.False(t, knows(theo))
	require.False(t, knows(otto))

	day := time.Date(2025, 6, 30, 0, 0, 0, 0, time.UTC)
	_, err := people.NewLists(w.DB, w.Clock, slog.New(slog.DiscardHandler)).Load(t.Context(), peopleapi.List{
		RunID: 1, Rows: itertest.Rows(&peopleapi.Commitment{LP: "Larkspur Pension", EntityType: "pension", Fund: "Harbor Ridge Fund I", AsOf: day, Committed: new(int64(1))}),
	})
	require.NoError(t, err)
	ids, err := database.Values[int64](t.Context(), w.DB, "read an ID", "SELECT id FROM people.lps", nil)
	require.NoError(t, err)
	require.Len(t, ids, 1)
	for id, want := range map[int64]bool{ids[0]: true, ids[0] + 1: false, 0: false} {
		known, err := resolver.KnowsLP(t.Context(), id)
		require.NoError(t, err)
		require.Equal(t, want, known, id)
	}
}

// The stale people are those that a check of all advisers one by one finds. People whose advisers were never enriched do not
// count. For a person at two advisers the newest enrichment counts.
func TestStalePersons(t *testing.T) {
	t.Parallel()
	w, resolver, uid := harbor(t)
	now := w.Clock.Now()
	stale := func(until time.Time, limit int) (found []string, total int64) {
		list, total, err := resolver.StalePersons(t.Context(), until, limit)
		require.NoError(t, err)
		for _, p := range list {
			found = append(found, p.PersonUID)
		}
		return found, total
	}
	found, total := stale(now, 10)
	require.Empty(t, found, "no adviser was enriched")
	require.Zero(t, total)
	exec(t, w, "INSERT INTO people.enriched_firms (crd, first_at, last_at) VALUES ('900101', ?, ?), ('900102', ?, ?)", now.AddDate(-1, 0, 0), now.AddDate(0, 0, -200), now.AddDate(-1, 0, 0), now.AddDate(0, 0, -100))
	oracle := `SELECT DISTINCT p.person_uid COLLATE "C", (SELECT max(last_at) FROM people.enriched_firms WHERE crd IN (SELECT crd FROM people.posts q WHERE q.person_uid = p.person_uid)) AS at
		FROM people.posts p WHERE EXISTS (SELECT FROM people.posts q JOIN people.enriched_firms USING (crd) WHERE q.person_uid = p.person_uid)
		AND NOT EXISTS (SELECT FROM people.posts q JOIN people.enriched_firms f USING (crd) WHERE q.person_uid = p.person_uid AND f.last_at > @until) ORDER BY at, 1`
	for days, want := range map[int]int{201: 0, 200: 1, 180: 1, 101: 1, 100: 3, 0: 3} {
		until := now.AddDate(0, 0, -days)
		expected, err := database.Values[string](t.Context(), w.DB, "look plainly", "SELECT person_uid FROM ("+oracle+") x", database.Args{"until": until})
		require.NoError(t, err)
		found, total := stale(until, 10)
		require.Equal(t, expected, append([]string{}, found...), days)
		require.Len(t, found, want, days)
		require.EqualValues(t, want, total, days)
	}
	list, total, err := resolver.StalePersons(t.Context(), now, 1)
	require.NoError(t, err)
	require.EqualValues(t, 3, total, "the limit bounds the list alone")
	require.Equal(t, []peopleapi.StalePerson{{
		PersonUID: uid("Mossgate"), FullName: "Theo Mossgate", CRD: "900101", Firm: "Harbor Ridge 900101 LLC", EnrichedAt: list[0].EnrichedAt,
	}}, list)
	require.True(t, list[0].EnrichedAt.Equal(now.AddDate(0, 0, -200)))
	w.Suppress(t, uid("Mossgate"))
	found, total = stale(now, 10)
	require.ElementsMatch(t, []string{uid("Larkspur"), uid("Fenwick")}, found, "a suppressed person is not shown")
	require.EqualValues(t, 2, total)
}

// A board is stale by its last successful reading, or from when it was added; a failed reading changes nothing.
func TestStaleBoards(t *testing.T) {
	t.Parallel()
	w, resolver, _ := harbor(t)
	now := w.Clock.Now()
	for _, b := range []struct {
		crd, token   string
		added, since int // days ago; 0 = never
	}{{"900101", "late", 90, 8}, {"900101", "good", 90, 1}, {"900102", "never", 9, 0}, {"900103", "new", 2, 0}, {"999999", "unlisted", 90, 20}} {
		var succeeded *time.Time
		if b.since > 0 {
			succeeded = new(now.AddDate(0, 0, -b.since))
		}
		exec(t, w, "INSERT INTO people.boards (crd, vendor, token, from_file, added_at, checked_at, succeeded_at, failures, failure) VALUES (?, 'ashby', ?, false, ?, ?, ?, 1, 'answered with 503')",
			b.crd, b.token, now.AddDate(0, 0, -b.added), now, succeeded)
	}
	for days, want := range map[int][]string{
		7: {"unlisted", "never", "late"}, 8: {"unlisted", "never", "late"}, 9: {"unlisted", "never"}, 21: nil, 0: {"unlisted", "never", "late", "new", "good"},
	} {
		list, total, err := resolver.StaleBoards(t.Context(), now.AddDate(0, 0, -days), 10)
		require.NoError(t, err)
		var found []string
		for _, b := range list {
			found = append(found, b.Token)
		}
		expected, err := database.Values[string](t.Context(), w.DB, "look plainly",
			"SELECT token FROM people.boards WHERE NOT coalesce(succeeded_at > @until, added_at > @until)", database.Args{"until": now.AddDate(0, 0, -days)})
		require.NoError(t, err)
		require.ElementsMatch(t, expected, found, days)
		require.Equal(t, want, found, days)
		require.EqualValues(t, len(want), total, days)
	}
	list, total, err := resolver.StaleBoards(t.Context(), now.AddDate(0, 0, -7), 2)
	require.NoError(t, err)
	require.EqualValues(t, 3, total)
	require.Len(t, list, 2)
	require.Empty(t, list[0].Firm, "the catalog does not have it")
	never := list[slices.IndexFunc(list, func(b peopleapi.StaleBoard) bool { return b.Token == "never" })]
	require.Equal(t, "Harbor Ridge 900102 LLC", never.Firm)
	require.Nil(t, never.SucceededAt)
	require.Equal(t, "answered with 503", *never.Failure)
}
