package identity_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogtest"
	"gpatlas/modules/people/internal/testkit/fixture"
	"gpatlas/platform/apperr"
	"gpatlas/platform/database"
)

// Guarantee: a number that is first filed after a suppression, at an adviser of the suppressed person, leaves the person out
// wherever it is filed, before or later, unless a split makes it another person there.
func TestSuppressionLearnsNumber(t *testing.T) {
	t.Parallel()
	plain, numbered := fixture.Person{Name: "LARKSPUR, ADA"}, fixture.Person{Name: "LARKSPUR, ADA", Number: "1000018"}
	w, never := fixture.New(t, catalogtest.NewLoader), fixture.New(t, catalogtest.NewLoader)
	load := func(filings ...fixture.Filing) {
		w.Load(t, filings...)
		never.Load(t, filings...)
	}
	at := func(crd string) string { return uids(t, w, crd)["Ada Larkspur"] }
	load(fixture.Filed("900101", "2020-03-01", people{plain}))
	one := at("900101")
	hidden := must(t, w, "person_suppress", one, "true")
	load(
		fixture.Filed("900102", "2020-04-01", people{numbered}), fixture.Filed("900103", "2020-05-01", people{numbered}),
		fixture.Filed("900104", "2020-06-01", people{{Name: "LARKSPUR, ADA", Number: "1000019"}}),
	)
	two, other := at("900102"), at("900104")
	require.NotEmpty(t, two, "nothing ties the two")
	apart := must(t, w, "person_split", two, quoted("900103"))
	apartThere := must(t, never, "person_split", two, quoted("900103"))
	three := at("900103")
	_, err := database.Run(t.Context(), w.DB, "keep a profile", "INSERT INTO people.profiles (person_uid, fields, asked, updated_at) VALUES (@uid, '{}', '{}', now())", database.Args{"uid": two})
	require.NoError(t, err)

	load(fixture.Filed("900101", "2021-03-01", people{numbered}))
	load(fixture.Filed("900105", "2021-04-01", people{numbered}))
	for _, crd := range []string{"900101", "900102", "900105"} {
		require.Empty(t, at(crd), crd)
	}
	require.Equal(t, three, at("900103"), "told apart")
	require.Equal(t, other, at("900104"), "another number")
	profiles, err := database.Values[int64](t.Context(), w.DB, "count profiles", "SELECT count(*) FROM people.profiles", nil)
	require.NoError(t, err)
	require.Zero(t, profiles[0])
	_, err = w.People.Export(t.Context(), two)
	require.EqualError(t, err, one+" is suppressed")
	kept, err := database.Values[int64](t.Context(), w.DB, "look for personal data", `SELECT count(*) FROM (SELECT to_jsonb(s) AS kept FROM people.suppressions s
		UNION ALL SELECT to_jsonb(h) FROM people.suppressed_at h) AS k WHERE kept::text ~* 'larkspur|ada |1000018'`, nil)
	require.NoError(t, err)
	require.Zero(t, kept[0])

	w.Undo(t, apart)
	require.Empty(t, at("900103"))
	w.Undo(t, hidden)
	never.Undo(t, apartThere)
	require.Equal(t, posts(t, never), posts(t, w))
	record, err := w.People.Export(t.Context(), two)
	require.NoError(t, err, "an ID that was given up meanwhile leads on")
	require.Equal(t, one, record.PersonUID)
}

// Guarantee: a person who was left out because decisions made them one with a suppressed person is shown once they no longer
// do, unless the person objected as well.
func TestSuppressionFollowsDecisions(t *testing.T) {
	t.Parallel()
	for name, objects := range map[string]bool{"who did not object": false, "who did": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := fixture.New(t, catalogtest.NewLoader)
			ada := fixture.Person{Name: "LARKSPUR, ADA"}
			filings := []fixture.Filing{fixture.Filed("900101", "2020-03-01", people{ada}), fixture.Filed("900102", "2021-04-01", people{ada})}
			w.Load(t, filings...)
			at := func(crd string) string { return uids(t, w, crd)["Ada Larkspur"] }
			one, two := at("900101"), at("900102")
			joined := must(t, w, "person_merge", two, quoted(one))
			apart := must(t, w, "person_split", one, quoted("900102"))
			w.Suppress(t, one)
			require.NotEmpty(t, at("900102"))
			w.Undo(t, apart)
			require.Empty(t, posts(t, w))
			if objects {
				require.Equal(t, two, w.Suppress(t, two).EntityID)
				_, _, err := apply(t.Context(), w, "person_suppress", two, "true")
				require.Equal(t, apperr.KindConflict, apperr.From(err).Kind)
			}
			w.Undo(t, joined)
			for range 2 {
				require.Empty(t, at("900101"))
				require.Equal(t, objects, at("900102") == "")
				w.Load(t, filings...)
			}
		})
	}
}

// Guarantee: a namesake is left out at the adviser of the suppressed person, where the two cannot be distinguished by name, and
// is shown at others under the namesake's own number.
func TestSuppressionOfNamesake(t *testing.T) {
	t.Parallel()
	ada, other := fixture.Person{Name: "LARKSPUR, ADA", Number: "1000018"}, fixture.Person{Name: "LARKSPUR, ADA", Number: "1000019"}
	theo := fixture.Person{Name: "MOSSGATE, THEO"}
	w := fixture.New(t, catalogtest.NewLoader)
	filings := []fixture.Filing{
		fixture.Filed("900101", "2020-03-01", people{ada, theo}), fixture.Filed("900101", "2021-03-01", people{other, theo}),
		fixture.Filed("900102", "2020-04-01", people{ada}), fixture.Filed("900103", "2020-05-01", people{other}),
	}
	w.Load(t, filings[0], filings[2], filings[3])
	stays := uids(t, w, "900103")["Ada Larkspur"]
	w.Suppress(t, uids(t, w, "900102")["Ada Larkspur"])
	for _, some := range [][]fixture.Filing{nil, filings[1:2], filings, slices.Concat(filings[3:], filings[:1])} {
		if some != nil {
			w.Load(t, some...)
		}
		require.NotContains(t, uids(t, w, "900101"), "Ada Larkspur")
		require.Contains(t, uids(t, w, "900101"), "Theo Mossgate")
		require.Empty(t, uids(t, w, "900102"))
		require.Equal(t, stays, uids(t, w, "900103")["Ada Larkspur"])
	}
}

// Guarantee: every spelling of a suppressed person's name is left out, also one that later filings no longer tie to the others.
func TestSuppressionKnowsSpellings(t *testing.T) {
	t.Parallel()
	w := fixture.New(t, catalogtest.NewLoader)
	w.Load(t, fixture.Filed("900101", "2020-03-01", people{{Name: "LARKSPUR, ANNA"}}), fixture.Filed("900101", "2021-03-01", people{{Name: "LARKSPUR, A"}}))
	list := posts(t, w)
	require.Len(t, list, 1)
	w.Suppress(t, uids(t, w, "900101")["A Larkspur"])
	w.Load(t, fixture.Filed("900101", "2022-03-01", people{{Name: "LARKSPUR, ALMA"}}))
	require.Equal(t, []string{"Alma Larkspur team 2022-03-01 2022-03-01"}, byName(posts(t, w)))
}
