package identity_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogtest"
	"gpatlas/modules/people/internal/fixture"
	"gpatlas/platform/apperr"
	"gpatlas/platform/database"
)

// reasons gives why people are suppressed.
func reasons(t *testing.T, w *fixture.World) []string {
	t.Helper()
	const statement = "SELECT DISTINCT concat_ws(' ', person_uid, override_id, reason) FROM people.suppressions ORDER BY 1"
	list, err := database.Values[string](t.Context(), w.DB, "read suppressions", statement, nil)
	require.NoError(t, err)
	return list
}

// Guarantee: a suppression by command stays when an override that says the same is deleted, whichever came first.
func TestCommandSuppressesBesideOverride(t *testing.T) {
	t.Parallel()
	w := fixture.New(t, catalogtest.NewLoader)
	r := newRegister(w)
	ada, theo := fixture.Person{Name: "LARKSPUR, ADA", Number: "1000018"}, fixture.Person{Name: "MOSSGATE, THEO"}
	filings := []fixture.Filing{fixture.Filed("900101", "2020-03-01", people{ada, theo}), fixture.Filed("900102", "2020-04-01", people{ada})}
	w.Load(t, filings...)
	one, two := uids(t, w, "900101")["Ada Larkspur"], uids(t, w, "900101")["Theo Mossgate"]
	x := r.must(t, "person_suppress", one, "true")
	removed, err := w.People.Suppress(t.Context(), one, "objected", nil)
	require.NoError(t, err)
	require.Zero(t, removed)
	require.Equal(t, []string{one + " 1 a letter", one + " objected"}, reasons(t, w))
	_, err = w.People.Suppress(t.Context(), one, "again", nil)
	require.Equal(t, apperr.KindNotFound, apperr.From(err).Kind)
	r.undo(t, x)
	require.Equal(t, []string{one + " objected"}, reasons(t, w))
	w.Load(t, append(filings, fixture.Filed("900103", "2021-05-01", people{ada}))...)
	for _, crd := range []string{"900101", "900102", "900103"} {
		require.NotContains(t, uids(t, w, crd), "Ada Larkspur")
	}

	_, err = w.People.Suppress(t.Context(), two, "objected", nil)
	require.NoError(t, err)
	_, _, err = r.apply(t.Context(), "person_suppress", two, "true")
	require.Equal(t, apperr.KindConflict, apperr.From(err).Kind)
	require.EqualError(t, err, two+" is suppressed already")
	w.Load(t, filings...)
	require.Empty(t, posts(t, w))
}

// Guarantee: no deletion of a merge or a split brings somebody back whom a command suppressed.
func TestCommandSuppressesWhomOverridesMoved(t *testing.T) {
	t.Parallel()
	w := fixture.New(t, catalogtest.NewLoader)
	r := newRegister(w)
	ada := fixture.Person{Name: "LARKSPUR, ADA"}
	filings := []fixture.Filing{
		fixture.Filed("900101", "2020-03-01", people{ada}), fixture.Filed("900102", "2021-04-01", people{ada}), fixture.Filed("900103", "2021-05-01", people{ada}),
	}
	w.Load(t, filings...)
	one, two, three := uids(t, w, "900101")["Ada Larkspur"], uids(t, w, "900102")["Ada Larkspur"], uids(t, w, "900103")["Ada Larkspur"]
	require.NoError(t, w.People.Merge(t.Context(), two, one, "her own word"))
	apart := r.must(t, "person_split", one, quoted("900102"))
	joined := r.must(t, "person_merge", three, quoted(one))
	hidden := r.must(t, "person_suppress", one, "true")
	require.Len(t, posts(t, w), 1)
	r.undo(t, joined)
	_, err := w.People.Suppress(t.Context(), one, "objected", nil)
	require.NoError(t, err)
	_, _, err = r.apply(t.Context(), "person_merge", one, quoted(three))
	require.Equal(t, apperr.KindNotFound, apperr.From(err).Kind)
	require.Len(t, posts(t, w), 1)
	r.undo(t, hidden)
	require.Len(t, posts(t, w), 2, "whom the command does not name is shown again")
	r.undo(t, apart)
	for range 2 {
		require.Len(t, posts(t, w), 1, "who is one with somebody suppressed is suppressed")
		require.NotEmpty(t, uids(t, w, "900103"))
		w.Load(t, filings...)
	}
}

// Guarantee: a command suppresses whoever is left out by the suppression of somebody else, under each ID that was merged then.
func TestCommandSuppressesUnderAFormerID(t *testing.T) {
	t.Parallel()
	w := fixture.New(t, catalogtest.NewLoader)
	r := newRegister(w)
	ada, numbered := fixture.Person{Name: "LARKSPUR, ADA"}, fixture.Person{Name: "LARKSPUR, ADA", Number: "1000018"}
	w.Load(t, fixture.Filed("900101", "2020-03-01", people{ada}), fixture.Filed("900102", "2021-04-01", people{numbered}))
	one, two := uids(t, w, "900101")["Ada Larkspur"], uids(t, w, "900102")["Ada Larkspur"]
	joined := r.must(t, "person_merge", two, quoted(one))
	hidden := r.must(t, "person_suppress", one, "true")
	r.undo(t, joined)
	_, err := w.People.Suppress(t.Context(), two, "objected", nil)
	require.NoError(t, err)
	_, err = w.People.Suppress(t.Context(), two, "again", nil)
	require.EqualError(t, err, two+" is suppressed")
	_, _, err = r.apply(t.Context(), "person_suppress", two, "true")
	require.EqualError(t, err, two+" is suppressed already")
	r.undo(t, hidden)
	require.Equal(t, one, uids(t, w, "900101")["Ada Larkspur"], "who did not object is shown again")
	require.Empty(t, uids(t, w, "900102"))
	w.Load(t, fixture.Filed("900103", "2022-04-01", people{numbered}), fixture.Filed("900102", "2022-05-01", people{ada}))
	require.Empty(t, uids(t, w, "900102"))
	require.Empty(t, uids(t, w, "900103"))
}

// Guarantee: who suppresses one of two people with one number hides the other neither at once nor at a later reading, whatever order the
// two are suppressed in. Once they are said to be one again, both are left out.
func TestSuppressionOfHalf(t *testing.T) {
	t.Parallel()
	numbered := fixture.Person{Name: "LARKSPUR, ADA", Number: "1000018"}
	filings := []fixture.Filing{fixture.Filed("900103", "2020-05-01", people{numbered}), fixture.Filed("900104", "2020-06-01", people{numbered})}
	again := []fixture.Filing{fixture.Filed("900103", "2021-05-01", people{numbered}), fixture.Filed("900104", "2021-06-01", people{numbered})}
	for name, c := range map[string]struct{ hidden, shown string }{"who kept the ID": {"900103", "900104"}, "who got a new one": {"900104", "900103"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := fixture.New(t, catalogtest.NewLoader)
			r := newRegister(w)
			w.Load(t, filings...)
			before := posts(t, w)
			at := func(crd string) string { return uids(t, w, crd)["Ada Larkspur"] }
			apart := r.must(t, "person_split", at("900103"), quoted("900104"))
			stays := at(c.shown)
			require.NotEqual(t, stays, at(c.hidden))
			hidden := r.must(t, "person_suppress", at(c.hidden), "true")
			for range 2 {
				require.Empty(t, at(c.hidden))
				require.Equal(t, stays, at(c.shown))
				w.Load(t, again...)
			}
			// Under the number alone, whoever kept the ID is meant.
			w.Load(t, fixture.Filed("900105", "2021-07-01", people{numbered}))
			require.Equal(t, c.hidden == "900103", at("900105") == "")
			r.undo(t, apart)
			require.Empty(t, posts(t, w), "the two are one, and one of them is suppressed")
			w.Load(t, fixture.Filed("900103", "2022-05-01", people{numbered}))
			require.Empty(t, posts(t, w))
			r.undo(t, hidden)
			require.Equal(t, at("900103"), at("900104"))
			require.Equal(t, at("900103"), at("900105"))
			require.Len(t, posts(t, w), len(before)+1)
		})
	}
}

// Guarantee: what a command says of who is who holds after an override beside it is deleted, be it the same or the contrary.
func TestCommandDecidesBesideOverride(t *testing.T) {
	t.Parallel()
	ada, numbered := fixture.Person{Name: "LARKSPUR, ADA"}, fixture.Person{Name: "LARKSPUR, ADA", Number: "1000018"}
	type ids struct{ one, two, both string } // at 900101; at 900102; at 900103 and 900104 by number
	for name, c := range map[string]struct {
		override func(ids) [3]string
		command  func(t *testing.T, w *fixture.World, p ids)
		same     [][2]string // managers at which it is one person after the deletion
		apart    [][2]string
	}{
		"merge twice": {
			func(p ids) [3]string { return [3]string{"person_merge", p.two, quoted(p.one)} },
			func(t *testing.T, w *fixture.World, p ids) {
				t.Helper()
				require.NoError(t, w.People.Merge(t.Context(), p.two, p.one, "a word"))
				err := w.People.Merge(t.Context(), p.two, p.one, "a word")
				require.EqualError(t, err, p.two+" and "+p.one+" are the same person already")
			},
			[][2]string{{"900101", "900102"}},
			nil,
		},
		"merge the other way": {
			func(p ids) [3]string { return [3]string{"person_merge", p.two, quoted(p.one)} },
			func(t *testing.T, w *fixture.World, p ids) {
				t.Helper()
				require.NoError(t, w.People.Merge(t.Context(), p.one, p.two, "a word"))
				require.Equal(t, p.one, uids(t, w, "900102")["Ada Larkspur"])
			},
			[][2]string{{"900101", "900102"}},
			nil,
		},
		"merge into another": {
			func(p ids) [3]string { return [3]string{"person_merge", p.two, quoted(p.one)} },
			func(t *testing.T, w *fixture.World, p ids) {
				t.Helper()
				require.NoError(t, w.People.Merge(t.Context(), p.two, p.both, "a word"))
			},
			[][2]string{{"900102", "900103"}},
			[][2]string{{"900101", "900102"}},
		},
		"split of a merge": {
			func(p ids) [3]string { return [3]string{"person_merge", p.both, quoted(p.one)} },
			func(t *testing.T, w *fixture.World, p ids) {
				t.Helper()
				uid, err := w.People.Split(t.Context(), p.one, "900103", "a word")
				require.NoError(t, err)
				require.Equal(t, uid, uids(t, w, "900103")["Ada Larkspur"])
			},
			nil,
			[][2]string{{"900103", "900104"}, {"900101", "900103"}, {"900101", "900104"}},
		},
		"split twice": {
			func(p ids) [3]string { return [3]string{"person_split", p.both, quoted("900104")} },
			func(t *testing.T, w *fixture.World, p ids) {
				t.Helper()
				uid, err := w.People.Split(t.Context(), p.both, "900104", "a word")
				require.NoError(t, err)
				require.Equal(t, uid, uids(t, w, "900104")["Ada Larkspur"])
				_, err = w.People.Split(t.Context(), p.both, "900104", "a word")
				require.Equal(t, apperr.KindNotFound, apperr.From(err).Kind)
			},
			nil,
			[][2]string{{"900103", "900104"}},
		},
		"split at the other manager": {
			func(p ids) [3]string { return [3]string{"person_split", p.both, quoted("900104")} },
			func(t *testing.T, w *fixture.World, p ids) {
				t.Helper()
				uid, err := w.People.Split(t.Context(), p.both, "900103", "a word")
				require.NoError(t, err)
				require.Equal(t, uid, uids(t, w, "900103")["Ada Larkspur"])
				_, err = w.People.Split(t.Context(), p.both, "900103", "a word")
				require.Equal(t, apperr.KindConflict, apperr.From(err).Kind)
			},
			nil,
			[][2]string{{"900103", "900104"}},
		},
		"merge of a split": {
			func(p ids) [3]string { return [3]string{"person_split", p.both, quoted("900104")} },
			func(t *testing.T, w *fixture.World, p ids) {
				t.Helper()
				require.NoError(t, w.People.Merge(t.Context(), uids(t, w, "900104")["Ada Larkspur"], p.both, "a word"))
			},
			[][2]string{{"900103", "900104"}},
			nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := fixture.New(t, catalogtest.NewLoader)
			r := newRegister(w)
			filings := []fixture.Filing{
				fixture.Filed("900101", "2020-03-01", people{ada}), fixture.Filed("900102", "2020-04-01", people{ada}),
				fixture.Filed("900103", "2020-05-01", people{numbered}), fixture.Filed("900104", "2020-06-01", people{numbered}),
			}
			w.Load(t, filings...)
			at := func(crd string) string { return uids(t, w, crd)["Ada Larkspur"] }
			p := ids{at("900101"), at("900102"), at("900103")}
			said := c.override(p)
			x := r.must(t, said[0], said[1], said[2])
			c.command(t, w, p)
			r.undo(t, x)
			for range 2 {
				for _, crds := range c.same {
					require.Equal(t, at(crds[0]), at(crds[1]), crds)
				}
				for _, crds := range c.apart {
					require.NotEqual(t, at(crds[0]), at(crds[1]), crds)
				}
				w.Load(t, filings...)
			}
		})
	}
}

// Guarantee: who is one person already is named by the IDs that were sent.
func TestMergeInARing(t *testing.T) {
	t.Parallel()
	w := fixture.New(t, catalogtest.NewLoader)
	r := newRegister(w)
	ada := fixture.Person{Name: "LARKSPUR, ADA"}
	w.Load(t, fixture.Filed("900101", "2020-03-01", people{ada}), fixture.Filed("900102", "2021-04-01", people{ada}), fixture.Filed("900103", "2021-05-01", people{ada}))
	one, two, three := uids(t, w, "900101")["Ada Larkspur"], uids(t, w, "900102")["Ada Larkspur"], uids(t, w, "900103")["Ada Larkspur"]
	r.must(t, "person_merge", one, quoted(two))
	r.must(t, "person_merge", two, quoted(three))
	for _, c := range [][2]string{{two, one}, {three, one}, {three, two}} {
		_, _, err := r.apply(t.Context(), "person_merge", c[0], quoted(c[1]))
		require.Equal(t, apperr.KindConflict, apperr.From(err).Kind)
		require.EqualError(t, err, c[0]+" and "+c[1]+" are the same person already")
	}
	require.Equal(t, apperr.KindInvalid, apperr.From(w.People.Merge(t.Context(), one, one, "a word")).Kind)
}
