package identity_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogtest"
	"gpatlas/modules/people/internal/testkit/fixture"
	"gpatlas/platform/apperr"
)

// TestSuppressed never shows a suppressed person again: not in a later filing, not at another adviser under the same number,
// not when everything is read again.
func TestSuppressed(t *testing.T) {
	t.Parallel()
	w := fixture.New(t, catalogtest.NewLoader)
	ada, theo := fixture.Person{Name: "LARKSPUR, ADA", Number: "1000018"}, fixture.Person{Name: "MOSSGATE, THEO"}
	first := fixture.Filed("900101", "2020-03-01", people{ada, theo})
	w.Load(t, first, fixture.Filed("900102", "2020-04-01", people{ada}))
	uid := uids(t, w, "900101")["Ada Larkspur"]
	w.Suppress(t, uid)
	absent := func() {
		t.Helper()
		require.NotContains(t, strings.ToUpper(strings.Join(posts(t, w), "\n")), "LARKSPUR")
	}
	absent()
	w.Load(t, first, fixture.Filed("900101", "2021-03-01", people{{Name: "Ada M. Larkspur"}, theo}), fixture.Filed("900103", "2021-05-01", people{{Name: "LARKSPUR-FERN, ADA", Number: "1000018"}, theo}))
	absent()
	require.NotEmpty(t, posts(t, w), "others stay")
	found, err := w.People.Find(t.Context(), "Ada Larkspur")
	require.NoError(t, err)
	require.Empty(t, found)
	_, err = w.People.Export(t.Context(), uid)
	require.Equal(t, apperr.KindNotFound, apperr.From(err).Kind)
}

// TestMergeAndSplit applies merges and splits, and keeps them when filings come.
func TestMergeAndSplit(t *testing.T) {
	t.Parallel()
	w := fixture.New(t, catalogtest.NewLoader)
	ada := fixture.Person{Name: "LARKSPUR, ADA"}
	w.Load(t, fixture.Filed("900101", "2020-03-01", people{ada}), fixture.Filed("900102", "2021-04-01", people{ada}))
	one, two := uids(t, w, "900101")["Ada Larkspur"], uids(t, w, "900102")["Ada Larkspur"]
	w.Merge(t, two, one)
	same := func(want string) {
		t.Helper()
		require.Equal(t, want, uids(t, w, "900102")["Ada Larkspur"])
		require.Equal(t, one, uids(t, w, "900101")["Ada Larkspur"])
	}
	same(one)
	record, err := w.People.Export(t.Context(), two)
	require.NoError(t, err)
	require.Equal(t, one, record.PersonUID)
	require.Equal(t, []string{two}, record.FormerUIDs)
	require.Len(t, record.Posts, 2)
	require.Equal(t, "Harbor Ridge 900101 LLC", record.Posts[0].Firm)
	w.Load(t, fixture.Filed("900102", "2022-04-01", people{ada}))
	same(one)
	_, _, err = apply(t.Context(), w, "person_merge", two, quoted(one))
	require.EqualError(t, err, two+" and "+one+" are the same person already")

	_, apart := w.Split(t, one, "900102")
	same(apart)
	w.Load(t, fixture.Filed("900101", "2023-04-01", people{ada}), fixture.Filed("900102", "2023-04-01", people{ada}))
	same(apart)

	found, err := w.People.Find(t.Context(), "larkspur, ada")
	require.NoError(t, err)
	require.Len(t, found, 2)
	_, err = w.People.Find(t.Context(), " , ")
	require.Equal(t, apperr.KindInvalid, apperr.From(err).Kind)
}
