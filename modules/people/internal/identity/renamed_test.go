package identity_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/catalogtest"
	"gpatlas/modules/people/internal/testkit/fixture"
	"gpatlas/platform/database"
)

func named(first, last string) []catalogapi.RelatedPersonRow {
	return []catalogapi.RelatedPersonRow{{FirstName: first, LastName: last, Relationships: []string{"Executive Officer"}}}
}

// All names that a number ever had at a manager are one person's, also in Form D, which has no numbers. What was bought under the name
// that Form D had alone leads to the person.
func TestRenamed(t *testing.T) {
	t.Parallel()
	w := fixture.New(t, catalogtest.NewLoader)
	w.Load(t, fixture.Filed("900101", "2023-03-01", people{{Name: "LARKSPUR, ADA", Number: "1000018"}, {Name: "QUILL, BRAM", Number: "1000019"}}))
	w.LoadNotices(t,
		fixture.Noticed("0009999999-25-000001", "2025-02-01", "900101", named("Ada", "Mossgate")),
		fixture.Noticed("0009999999-25-000002", "2025-02-02", "900101", named("Ada", "Larkspur")),
		fixture.Noticed("0009999999-25-000003", "2025-02-03", "900101", named("Bram", "Fernley")),
	)
	before := uids(t, w, "900101")
	require.Len(t, before, 4, "the new name stands in Form D alone")
	w.Load(t,
		fixture.Filed("900101", "2025-03-01", people{{Name: "MOSSGATE, ADA", Number: "1000018"}, {Name: "QUILL, BRAM", Number: "1000019"}}),
		fixture.Filed("900101", "2025-06-01", people{{Name: "BIRCH, ADA", Number: "1000018"}, {Name: "QUILL, BRAM", Number: "1000019"}}),
	)
	after := uids(t, w, "900101")
	require.Equal(t, map[string]string{"Ada Birch": before["Ada Larkspur"], "Bram Quill": before["Bram Quill"], "Bram Fernley": before["Bram Fernley"]}, after,
		"another last name without the number is another person")
	w.LoadNotices(t, fixture.Noticed("0009999999-25-000009", "2025-09-01", "900101", named("Ada", "Larkspur")))
	require.Equal(t, after, uids(t, w, "900101"), "a later notice with an earlier name: the name is from the schedules, as the title is")
	now, err := w.People.Currents(t.Context(), []string{before["Ada Mossgate"]})
	require.NoError(t, err)
	require.Equal(t, before["Ada Larkspur"], now[before["Ada Mossgate"]])
	bought, err := database.Values[string](t.Context(), w.DB, "read what entitles", "SELECT unnest(people.units_of(@uid))", database.Args{"uid": before["Ada Larkspur"]})
	require.NoError(t, err)
	require.Contains(t, bought, before["Ada Mossgate"], "who has bought the person of Form D does not pay again")
}

// The order of the words of a name does not count; people whom one filing names side by side, and those with another initial or suffix,
// stay apart.
func TestOrderOfWords(t *testing.T) {
	t.Parallel()
	w := fixture.New(t, catalogtest.NewLoader)
	w.Load(t,
		fixture.Filed("900101", "2025-03-01", people{
			{Name: "GARCIA LOPEZ, MARIA", Number: "1000018"},
			{Name: "FERN, OLE, T"},
			{Name: "THOMAS, JAMES"},
			{Name: "JAMES, THOMAS"},
			{Name: "MOSS, THEO, JR"},
			{Name: "LARKSPUR, ADA"},
			{Name: "HOLM, UNA", Number: "1000020"},
		}),
		fixture.Filed("900102", "2026-03-01", people{{Name: "UNA, HOLM", Number: "1000020"}}),
	)
	before := uids(t, w, "900101")
	require.Len(t, before, 7)
	require.Equal(t, before["Una Holm"], uids(t, w, "900102")["Holm Una"])
	w.LoadNotices(t,
		fixture.Noticed("0009999999-25-000001", "2025-04-01", "900101", named("Maria Garcia", "Lopez")),
		fixture.Noticed("0009999999-25-000002", "2025-04-02", "900101", named("Lopez", "Maria Garcia")),
		fixture.Noticed("0009999999-25-000003", "2025-04-03", "900101", named("Larkspur", "Ada")),
		fixture.Noticed("0009999999-25-000004", "2025-04-04", "900101", named("Fern B", "Ole")),
		fixture.Noticed("0009999999-25-000005", "2025-04-05", "900101", named("Moss", "Theo Sr")),
	)
	after := uids(t, w, "900101")
	require.Len(t, after, 9, "the two with another initial or suffix")
	for name, uid := range before {
		require.Equal(t, uid, after[name], name)
	}
}
