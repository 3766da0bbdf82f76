package identity_test

import (
	"context"
	"encoding/json"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogtest"
	"gpatlas/modules/people/internal/testkit/fixture"
	"gpatlas/platform/apperr"
	"gpatlas/platform/database"
	"gpatlas/platform/overrides"
	"gpatlas/platform/testkit/testscale"
)

func apply(ctx context.Context, w *fixture.World, kind, entity, value string) (*overrides.Override, string, error) {
	x := w.Of(kind, entity, value)
	original, err := w.Apply(ctx, x)
	return x, string(original), err
}

func must(t *testing.T, w *fixture.World, kind, entity, value string) *overrides.Override {
	t.Helper()
	x, _, err := apply(t.Context(), w, kind, entity, value)
	require.NoError(t, err)
	return x
}

func quoted(text string) string { return strconv.Quote(text) }

// A merge and a split hold through ingestion, and the persons before are back when they are taken back, in whichever order.
func TestMergeAndSplitOverrides(t *testing.T) {
	t.Parallel()
	w := fixture.New(t, catalogtest.NewLoader)
	ada := fixture.Person{Name: "LARKSPUR, ADA"}
	filings := []fixture.Filing{
		fixture.Filed("900101", "2020-03-01", people{ada}), fixture.Filed("900102", "2021-04-01", people{ada}), fixture.Filed("900103", "2021-05-01", people{ada}),
	}
	w.Load(t, filings...)
	before := posts(t, w)
	at := func(crd string) string {
		t.Helper()
		return uids(t, w, crd)["Ada Larkspur"]
	}
	one, two, three := at("900101"), at("900102"), at("900103")
	first, original, err := apply(t.Context(), w, "person_merge", two, quoted(one))
	require.NoError(t, err)
	require.Equal(t, quoted(two), original)
	second := must(t, w, "person_merge", one, quoted(three))
	require.Equal(t, []string{three, three, three}, []string{at("900101"), at("900102"), at("900103")}, "who was merged goes along")
	third := must(t, w, "person_split", two, quoted("900102"))
	require.Equal(t, three, third.EntityID, "a former ID leads to the one now")
	require.Equal(t, "900102", third.Field)
	apart := at("900102")
	require.NotContains(t, []string{one, two, three}, apart)
	again := func(want ...string) {
		t.Helper()
		for i, uid := range want {
			require.Equal(t, uid, at(strconv.Itoa(900_101+i)))
		}
	}
	w.Load(t, fixture.Filed("900102", "2022-04-01", people{ada}), filings[0])
	again(three, apart, three)

	back := must(t, w, "person_merge", apart, quoted(one))
	again(three, three, three)
	w.Load(t, filings[1])
	again(three, three, three)
	w.Undo(t, back)
	again(three, apart, three)
	w.Undo(t, first)
	again(three, two, three)
	w.Undo(t, third)
	again(three, two, three)
	w.Undo(t, second)
	again(one, two, three)
	w.Load(t, filings...)
	again(one, two, three)
	record, err := w.People.Export(t.Context(), apart)
	require.NoError(t, err)
	require.Equal(t, two, record.PersonUID, "the ID of the split leads on")
	require.Len(t, posts(t, w), len(before))
}

// Guarantee: the error of a rejected override names its field, and nothing is stored.
func TestOverrideFaults(t *testing.T) {
	t.Parallel()
	w := fixture.New(t, catalogtest.NewLoader)
	ada, theo := fixture.Person{Name: "LARKSPUR, ADA", Number: "1000018"}, fixture.Person{Name: "MOSSGATE, THEO"}
	w.Load(t, fixture.Filed("900101", "2020-03-01", people{ada, theo}), fixture.Filed("900102", "2021-04-01", people{ada}))
	one, two := uids(t, w, "900101")["Ada Larkspur"], uids(t, w, "900101")["Theo Mossgate"]
	const nobody = "per_aaaaaaaaaaaaaaaa"
	for _, c := range []struct{ kind, entity, value, field string }{
		{"person_merge", "900101", quoted(two), "entity_id"},
		{"person_split", "", quoted("900101"), "entity_id"},
		{"person_suppress", "Ada Larkspur", "true", "entity_id"},
		{"person_merge", one, "null", "value"},
		{"person_merge", one, quoted(one), "value"},
		{"person_merge", one, quoted("Theo Mossgate"), "value"},
		{"person_merge", one, quoted(nobody), "value"},
		{"person_split", one, "900101", "value"},
		{"person_split", one, quoted("900109"), "value"},
		{"person_split", two, quoted("900101"), "value"},
		{"person_suppress", one, "false", "value"},
		{"person_suppress", one, quoted("true"), "value"},
	} {
		_, _, err := apply(t.Context(), w, c.kind, c.entity, c.value)
		e := apperr.From(err)
		require.Equal(t, apperr.KindInvalid, e.Kind, "%+v: %v", c, err)
		require.Equal(t, c.field, e.Fields[0].Field, "%+v", c)
	}
	for kind, value := range map[string]string{"person_merge": quoted(one), "person_split": quoted("900101"), "person_suppress": "true"} {
		_, _, err := apply(t.Context(), w, kind, nobody, value)
		require.Equal(t, apperr.KindNotFound, apperr.From(err).Kind, kind)
	}
	for field, x := range map[string]overrides.Override{
		"valid_from": {ValidFrom: fixture.Now.AddDate(0, 0, -1)},
		"field":      {ValidFrom: fixture.Now, Field: "full_name"},
	} {
		x.Type, x.EntityID, x.Value, x.Reason = "person_merge", one, json.RawMessage(quoted(two)), "a letter"
		_, err := w.Apply(t.Context(), &x)
		require.Equal(t, field, apperr.From(err).Fields[0].Field)
	}
	require.Equal(t, one, uids(t, w, "900102")["Ada Larkspur"])
	kept, err := database.Values[int64](t.Context(), w.DB, "count", "SELECT count(*) FROM people.decisions", nil)
	require.NoError(t, err)
	require.Zero(t, kept[0])
}

// Of two equal overrides at once one is applied, and the other finds it done.
func TestOverridesAtOnce(t *testing.T) {
	t.Parallel()
	w := fixture.New(t, catalogtest.NewLoader)
	ada := fixture.Person{Name: "LARKSPUR, ADA"}
	w.Load(t, fixture.Filed("900101", "2020-03-01", people{ada}), fixture.Filed("900102", "2021-04-01", people{ada}))
	one, two := uids(t, w, "900101")["Ada Larkspur"], uids(t, w, "900102")["Ada Larkspur"]
	twice := func(kind, entity, value string) apperr.Kind {
		t.Helper()
		errs := make([]error, 2)
		var all sync.WaitGroup
		for i := range errs {
			all.Go(func() { _, _, errs[i] = apply(t.Context(), w, kind, entity, value) })
		}
		all.Wait()
		refused := slices.DeleteFunc(errs, func(err error) bool { return err == nil })
		require.Len(t, refused, 1)
		return apperr.From(refused[0]).Kind
	}
	require.Equal(t, apperr.KindConflict, twice("person_merge", two, quoted(one)))
	require.Equal(t, one, uids(t, w, "900102")["Ada Larkspur"])
	require.Equal(t, apperr.KindInvalid, twice("person_split", one, quoted("900102")), "the other finds nobody there")
	require.Equal(t, apperr.KindConflict, twice("person_suppress", one, "true"))
	require.Empty(t, uids(t, w, "900101"))
}

// A suppression that is taken back shows the person again, at all managers and as before; that of a namesake stays.
func TestSuppressOverride(t *testing.T) {
	t.Parallel()
	w := fixture.New(t, catalogtest.NewLoader)
	ada, theo := fixture.Person{Name: "LARKSPUR, ADA", Number: "1000018", Title: "PARTNER"}, fixture.Person{Name: "MOSSGATE, THEO"}
	w.Load(t, fixture.Filed("900101", "2020-03-01", people{ada, theo}), fixture.Filed("900102", "2020-04-01", people{ada}))
	uid := uids(t, w, "900101")["Ada Larkspur"]
	x, original, err := apply(t.Context(), w, "person_suppress", uid, "true")
	require.NoError(t, err)
	require.Equal(t, "false", original)
	require.Equal(t, int64(1), w.Later())
	_, _, err = apply(t.Context(), w, "person_suppress", uid, "true")
	require.Equal(t, apperr.KindConflict, apperr.From(err).Kind)
	theos := must(t, w, "person_suppress", uids(t, w, "900101")["Theo Mossgate"], "true")
	// A filing that comes meanwhile, at a manager where the person was not before.
	w.Load(t, fixture.Filed("900103", "2021-05-01", people{ada}))
	require.Empty(t, posts(t, w))
	w.Undo(t, x)
	want := fixture.New(t, catalogtest.NewLoader)
	want.Load(t, fixture.Filed("900101", "2020-03-01", people{ada}), fixture.Filed("900102", "2020-04-01", people{ada}), fixture.Filed("900103", "2021-05-01", people{ada}))
	require.Equal(t, posts(t, want), posts(t, w))
	w.Undo(t, theos)
	require.Contains(t, uids(t, w, "900101"), "Theo Mossgate")
}

// Guarantee: whatever is loaded afterward, in whichever order, decisions hold; and once all are taken back, in whichever order, everything
// is as in a module without overrides.
func TestOverridesInAnyOrder(t *testing.T) {
	t.Parallel()
	documents := history(rand.New(rand.NewPCG(7, 7)))
	const known = 3 // documents that were loaded before the decisions
	plain := fixture.New(t, catalogtest.NewLoader)
	for _, filings := range documents {
		plain.Load(t, filings...)
	}
	none := posts(t, plain)
	var want []string
	for order := range uint64(testscale.Rounds(t, 2)) {
		w := fixture.New(t, catalogtest.NewLoader)
		for _, filings := range documents[:known] {
			w.Load(t, filings...)
		}
		made := decideAtRandom(t, w, rand.New(rand.NewPCG(3, 3)))
		require.Greater(t, len(made), 7)
		rest := slices.Clone(documents[known-1:]) // one of them again
		if order > 0 {
			rand.New(rand.NewPCG(order, 2)).Shuffle(len(rest), func(i, j int) { rest[i], rest[j] = rest[j], rest[i] })
		}
		for _, filings := range rest {
			w.Load(t, filings...)
		}
		got := posts(t, w)
		if order == 0 {
			want = got
			require.NotEqual(t, none, got)
		}
		same(t, want, got)
		rand.New(rand.NewPCG(order, 3)).Shuffle(len(made), func(i, j int) { made[i], made[j] = made[j], made[i] })
		for _, x := range made {
			w.Undo(t, x)
		}
		same(t, none, posts(t, w))
	}
}

// same shows where two lists of posts differ, and no more.
func same(t *testing.T, want, got []string) {
	t.Helper()
	without := func(list, others []string) []string {
		return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return slices.Contains(others, s) })
	}
	require.Empty(t, without(want, got), "missing")
	require.Empty(t, without(got, want), "more than wanted")
}

// decideAtRandom merges, splits and suppresses some people.
func decideAtRandom(t *testing.T, w *fixture.World, random *rand.Rand) (made []*overrides.Override) {
	t.Helper()
	for range 18 {
		const statement = "SELECT crd || ' ' || person_uid FROM people.posts ORDER BY 1"
		all, err := database.Values[string](t.Context(), w.DB, "read posts", statement, nil)
		require.NoError(t, err)
		pick := func() (crd, uid string) { line := all[random.IntN(len(all))]; return line[:6], line[7:] }
		crd, uid := pick()
		_, other := pick()
		kinds := map[string]string{"person_merge": quoted(other), "person_split": quoted(crd), "person_suppress": "true"}
		kind := slices.Sorted(maps.Keys(kinds))[min(random.IntN(8)/3, 2)]
		x, _, err := apply(t.Context(), w, kind, uid, kinds[kind])
		if err == nil {
			made = append(made, x)
			continue
		}
		require.Contains(t, []apperr.Kind{apperr.KindConflict, apperr.KindInvalid}, apperr.From(err).Kind)
	}
	return made
}
