package identity_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogtest"
	"gpatlas/modules/people/internal/testkit/fixture"
	"gpatlas/platform/apperr"
	"gpatlas/platform/overrides"
)

// Guarantee: no deletion of a merge or a split shows a suppressed person again. A person who becomes one with a suppressed person is hidden.
func TestSuppressionOutlivesMergeAndSplit(t *testing.T) {
	t.Parallel()
	w := fixture.New(t, catalogtest.NewLoader)
	ada := fixture.Person{Name: "LARKSPUR, ADA"}
	filings := []fixture.Filing{
		fixture.Filed("900101", "2020-03-01", people{ada}), fixture.Filed("900102", "2021-04-01", people{ada}), fixture.Filed("900103", "2021-05-01", people{ada}),
	}
	w.Load(t, filings...)
	before := posts(t, w)
	one, two, three := uids(t, w, "900101")["Ada Larkspur"], uids(t, w, "900102")["Ada Larkspur"], uids(t, w, "900103")["Ada Larkspur"]
	first := w.Merge(t, two, one)
	apart, _ := w.Split(t, one, "900102")
	joined := w.Merge(t, three, one)
	hidden := w.Suppress(t, one)
	require.Len(t, posts(t, w), 1)
	w.Undo(t, joined)
	require.Len(t, posts(t, w), 1)
	_, _, err := apply(t.Context(), w, "person_merge", one, quoted(three))
	require.Equal(t, apperr.KindNotFound, apperr.From(err).Kind)
	w.Undo(t, apart)
	for range 2 {
		require.Empty(t, posts(t, w))
		w.Load(t, filings...)
	}
	w.Undo(t, hidden)
	w.Undo(t, first)
	require.Equal(t, before, posts(t, w))
}

// Guarantee: after a merge is deleted, each person hidden by a suppression of the merged person can be suppressed under the
// former ID, and stays hidden without the first suppression.
func TestSuppressionUnderAFormerID(t *testing.T) {
	t.Parallel()
	w := fixture.New(t, catalogtest.NewLoader)
	ada, numbered := fixture.Person{Name: "LARKSPUR, ADA"}, fixture.Person{Name: "LARKSPUR, ADA", Number: "1000018"}
	w.Load(t, fixture.Filed("900101", "2020-03-01", people{ada}), fixture.Filed("900102", "2021-04-01", people{numbered}))
	one, two := uids(t, w, "900101")["Ada Larkspur"], uids(t, w, "900102")["Ada Larkspur"]
	joined := w.Merge(t, two, one)
	hidden := w.Suppress(t, one)
	w.Undo(t, joined)
	own := w.Suppress(t, two)
	require.Equal(t, two, own.EntityID)
	_, _, err := apply(t.Context(), w, "person_suppress", two, "true")
	require.Equal(t, apperr.KindConflict, apperr.From(err).Kind)
	w.Undo(t, hidden)
	require.Equal(t, one, uids(t, w, "900101")["Ada Larkspur"], "who did not object is shown again")
	require.Empty(t, uids(t, w, "900102"))
	w.Load(t, fixture.Filed("900103", "2022-04-01", people{numbered}), fixture.Filed("900102", "2022-05-01", people{ada}))
	require.Empty(t, uids(t, w, "900102"))
	require.Empty(t, uids(t, w, "900103"))
	w.Undo(t, own)
	require.Equal(t, two, uids(t, w, "900103")["Ada Larkspur"])
}

// Guarantee: a suppression of one of two people with one number does not hide the other, neither at once nor at a later reading. Once the
// split is deleted, both are hidden.
func TestSuppressionOfHalf(t *testing.T) {
	t.Parallel()
	numbered := fixture.Person{Name: "LARKSPUR, ADA", Number: "1000018"}
	filings := []fixture.Filing{fixture.Filed("900103", "2020-05-01", people{numbered}), fixture.Filed("900104", "2020-06-01", people{numbered})}
	again := []fixture.Filing{fixture.Filed("900103", "2021-05-01", people{numbered}), fixture.Filed("900104", "2021-06-01", people{numbered})}
	for name, c := range map[string]struct{ hidden, shown string }{"who kept the ID": {"900103", "900104"}, "who got a new one": {"900104", "900103"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := fixture.New(t, catalogtest.NewLoader)
			w.Load(t, filings...)
			before := posts(t, w)
			at := func(crd string) string { return uids(t, w, crd)["Ada Larkspur"] }
			apart := must(t, w, "person_split", at("900103"), quoted("900104"))
			stays := at(c.shown)
			require.NotEqual(t, stays, at(c.hidden))
			hidden := must(t, w, "person_suppress", at(c.hidden), "true")
			for range 2 {
				require.Empty(t, at(c.hidden))
				require.Equal(t, stays, at(c.shown))
				w.Load(t, again...)
			}
			// A new post with the number is of the person who kept the ID.
			w.Load(t, fixture.Filed("900105", "2021-07-01", people{numbered}))
			require.Equal(t, c.hidden == "900103", at("900105") == "")
			w.Undo(t, apart)
			require.Empty(t, posts(t, w), "the two are one, and one of them is suppressed")
			w.Load(t, fixture.Filed("900103", "2022-05-01", people{numbered}))
			require.Empty(t, posts(t, w))
			w.Undo(t, hidden)
			require.Equal(t, at("900103"), at("900104"))
			require.Equal(t, at("900103"), at("900105"))
			require.Len(t, posts(t, w), len(before)+1)
		})
	}
}

// Guarantee: of two overrides of the same people, the second is applied to who they are then. When the first is deleted, the second holds as
// far as there are people for it.
func TestDecisionsBesideEachOther(t *testing.T) {
	t.Parallel()
	ada, numbered := fixture.Person{Name: "LARKSPUR, ADA"}, fixture.Person{Name: "LARKSPUR, ADA", Number: "1000018"}
	type ids struct{ one, two, both string } // at 900101; at 900102; at 900103 and 900104 by number
	for name, c := range map[string]struct {
		first   func(t *testing.T, w *fixture.World, p ids) *overrides.Override
		second  func(p ids, split string) [3]string
		refused apperr.Kind
		same    [][2]string // managers at which it is one person after the deletion of the first
		apart   [][2]string
	}{
		"merge twice": {
			func(t *testing.T, w *fixture.World, p ids) *overrides.Override {
				t.Helper()
				return w.Merge(t, p.two, p.one)
			},
			func(p ids, _ string) [3]string { return [3]string{"person_merge", p.two, quoted(p.one)} }, apperr.KindConflict,
			nil,
			[][2]string{{"900101", "900102"}},
		},
		"merge the other way": {
			func(t *testing.T, w *fixture.World, p ids) *overrides.Override {
				t.Helper()
				return w.Merge(t, p.two, p.one)
			},
			func(p ids, _ string) [3]string { return [3]string{"person_merge", p.one, quoted(p.two)} }, apperr.KindConflict,
			nil,
			[][2]string{{"900101", "900102"}},
		},
		"merge into another": {
			func(t *testing.T, w *fixture.World, p ids) *overrides.Override {
				t.Helper()
				return w.Merge(t, p.two, p.one)
			},
			func(p ids, _ string) [3]string { return [3]string{"person_merge", p.two, quoted(p.both)} }, 0,
			[][2]string{{"900101", "900103"}},
			[][2]string{{"900101", "900102"}},
		},
		"split of a merge": {
			func(t *testing.T, w *fixture.World, p ids) *overrides.Override {
				t.Helper()
				return w.Merge(t, p.both, p.one)
			},
			func(p ids, _ string) [3]string { return [3]string{"person_split", p.one, quoted("900103")} }, 0,
			[][2]string{{"900103", "900104"}},
			[][2]string{{"900101", "900103"}},
		},
		"split twice": {
			func(t *testing.T, w *fixture.World, p ids) *overrides.Override {
				t.Helper()
				x, _ := w.Split(t, p.both, "900104")
				return x
			},
			func(p ids, _ string) [3]string { return [3]string{"person_split", p.both, quoted("900104")} }, apperr.KindInvalid,
			[][2]string{{"900103", "900104"}},
			nil,
		},
		"split at the other manager": {
			func(t *testing.T, w *fixture.World, p ids) *overrides.Override {
				t.Helper()
				x, _ := w.Split(t, p.both, "900104")
				return x
			},
			func(p ids, _ string) [3]string { return [3]string{"person_split", p.both, quoted("900103")} }, apperr.KindInvalid,
			[][2]string{{"900103", "900104"}},
			nil,
		},
		"merge of a split": {
			func(t *testing.T, w *fixture.World, p ids) *overrides.Override {
				t.Helper()
				x, _ := w.Split(t, p.both, "900104")
				return x
			},
			func(p ids, split string) [3]string { return [3]string{"person_merge", split, quoted(p.both)} }, 0,
			[][2]string{{"900103", "900104"}},
			nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := fixture.New(t, catalogtest.NewLoader)
			filings := []fixture.Filing{
				fixture.Filed("900101", "2020-03-01", people{ada}), fixture.Filed("900102", "2020-04-01", people{ada}),
				fixture.Filed("900103", "2020-05-01", people{numbered}), fixture.Filed("900104", "2020-06-01", people{numbered}),
			}
			w.Load(t, filings...)
			at := func(crd string) string { return uids(t, w, crd)["Ada Larkspur"] }
			p := ids{at("900101"), at("900102"), at("900103")}
			first := c.first(t, w, p)
			second := c.second(p, at("900104"))
			_, _, err := apply(t.Context(), w, second[0], second[1], second[2])
			if c.refused != 0 {
				require.Equal(t, c.refused, apperr.From(err).Kind)
			} else {
				require.NoError(t, err)
			}
			w.Undo(t, first)
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

// Guarantee: a merge of one person with itself is refused with the IDs that were sent.
func TestMergeInARing(t *testing.T) {
	t.Parallel()
	w := fixture.New(t, catalogtest.NewLoader)
	ada := fixture.Person{Name: "LARKSPUR, ADA"}
	w.Load(t, fixture.Filed("900101", "2020-03-01", people{ada}), fixture.Filed("900102", "2021-04-01", people{ada}), fixture.Filed("900103", "2021-05-01", people{ada}))
	one, two, three := uids(t, w, "900101")["Ada Larkspur"], uids(t, w, "900102")["Ada Larkspur"], uids(t, w, "900103")["Ada Larkspur"]
	must(t, w, "person_merge", one, quoted(two))
	must(t, w, "person_merge", two, quoted(three))
	for _, c := range [][2]string{{two, one}, {three, one}, {three, two}} {
		_, _, err := apply(t.Context(), w, "person_merge", c[0], quoted(c[1]))
		require.Equal(t, apperr.KindConflict, apperr.From(err).Kind)
		require.EqualError(t, err, c[0]+" and "+c[1]+" are the same person already")
	}
}
