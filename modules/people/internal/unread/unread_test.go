package unread_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/catalogtest"
	"gpatlas/modules/people/internal/testkit/fixture"
	"gpatlas/modules/people/internal/unread"
	"gpatlas/platform/apperr"
	"gpatlas/platform/database"
)

type people = []fixture.Person

// What was published and not read is known by manager, by person and for the search; what was read is not refused for the news of others.
func TestUnread(t *testing.T) {
	t.Parallel()
	w := fixture.New(t, catalogtest.NewLoader)
	s := unread.NewStore(w.DB)
	refused := func(err error) bool {
		if err != nil {
			require.Equal(t, unread.Code, apperr.From(err).Code)
			require.Equal(t, apperr.KindUnavailable, apperr.From(err).Kind)
		}
		return err != nil
	}
	ask := func(uid string) (found []bool) {
		for _, crd := range []string{"900101", "900102"} {
			yes, err := s.Firm(t.Context(), crd)
			require.NoError(t, err)
			require.Equal(t, yes, refused(s.WantFirm(t.Context(), crd)))
			found = append(found, yes)
		}
		return append(found, refused(s.WantPerson(t.Context(), uid)), refused(s.WantSearch(t.Context())))
	}
	require.Equal(t, []bool{false, false, false, false}, ask("per_aaaaaaaaaaaaaaaa"), "nothing was loaded")

	w.LoadOnly(t, fixture.Filed("900101", "2025-03-01", people{{Name: "LARKSPUR, ADA"}}), fixture.Filed("900102", "2025-03-01", people{{Name: "QUILL, BRAM"}}))
	require.Equal(t, []bool{true, true, true, true}, ask("per_aaaaaaaaaaaaaaaa"), "nobody was ever read")
	resolve(t, w)
	uids, err := database.Values[string](t.Context(), w.DB, "read a uid", "SELECT person_uid FROM people.posts WHERE last_key = 'LARKSPUR'", nil)
	require.NoError(t, err)
	ada := uids[0]
	require.Equal(t, []bool{false, false, false, false}, ask(ada))

	w.LoadOnly(t, fixture.Filed("900102", "2025-09-01", people{{Name: "MOSSGATE, THEO"}}))
	require.Equal(t, []bool{false, true, false, false}, ask(ada), "news of another manager, whose people nobody can find")
	_, err = database.Run(t.Context(), w.DB, "enrich", "INSERT INTO people.enriched_firms (crd, first_at, last_at) SELECT '900102', now(), now()", nil)
	require.NoError(t, err)
	require.Equal(t, []bool{false, true, false, true}, ask(ada), "somebody whom the search should find may be among them")
	resolve(t, w)

	w.LoadOnly(t, fixture.Filed("900101", "2025-09-01", people{{Name: "LARKSPUR, ADA"}}))
	require.Equal(t, []bool{true, false, true, false}, ask(ada))
	resolve(t, w)
	require.Equal(t, []bool{false, false, false, false}, ask(ada))
	for _, source := range []catalogapi.Source{catalogapi.SourceRoster, catalogapi.SourceFeed} {
		w.LoadOnly(t, fixture.Filing{CRD: "900101", On: "2025-10-01", Source: source})
		require.Equal(t, []bool{false, false, false, false}, ask(ada), "a %s names no people", source)
	}
	w.LoadNotices(t, fixture.Noticed("0000900000-26-000001", "2026-06-01", "900101", []catalogapi.RelatedPersonRow{{LastName: "Holm", FirstName: "Ole"}}))
	require.Equal(t, []bool{false, false, false, false}, ask(ada), "the notice is read")
	_, err = database.Run(t.Context(), w.DB, "step back", "UPDATE people.progress SET arrival = arrival - 1, processed_at = processed_at - interval '1 day'", nil)
	require.NoError(t, err)
	require.True(t, ask(ada)[0])
}

func resolve(t *testing.T, w *fixture.World) {
	t.Helper()
	_, err := w.People.Resolve(t.Context())
	require.NoError(t, err)
}
