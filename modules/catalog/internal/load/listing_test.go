package load_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/testkit/testscale"
)

// list is a whole edition of a list of advisers, each last filed in 2020.
func list(series, edition string, crds ...string) document {
	var rows []*catalogapi.AdviserFiling
	for _, crd := range crds {
		rows = append(rows, rosterRow(crd, "2020-01-05", "FIRM "+crd+" LLC"))
	}
	d := roster(series+edition, rows...)
	d.without = func(doc *catalogapi.Document) { doc.List = series }
	return d.of(edition)
}

func (b *bench) unlisted() [][]string {
	b.t.Helper()
	return b.rows(`SELECT crd, not_listed_since FROM catalog.advisers WHERE not_listed_since IS NOT NULL ORDER BY crd`)
}

// Who is missing from a newer edition is no longer listed since its day, and comes back when a later one names it.
func TestWhoIsNoLongerListed(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.load(list("roster/registered", "2026-01-31", "7001", "7002", "7003"))
	require.Empty(t, b.unlisted())
	require.True(t, b.load(list("roster/registered", "2026-02-28", "7001", "7003")).Published, "it is news that one is missing")
	b.load(list("roster/registered", "2026-03-31", "7001"))
	require.Equal(t, [][]string{{"7002", "2026-02-28"}, {"7003", "2026-03-31"}}, b.unlisted())
	require.False(t, b.load(list("roster/registered", "2026-03-31", "7001")).Published)
	b.load(list("roster/registered", "2026-04-30", "7001", "7003"))
	require.Equal(t, [][]string{{"7002", "2026-02-28"}}, b.unlisted())
	before := b.state()
	_, err := b.loader.RefreshDerived(t.Context())
	require.NoError(t, err)
	require.Equal(t, before, b.state())
	// A form of that day or later ends it too; one from before does not.
	b.load(archive("a.zip", filing("1", "7002", "2026-02-27", "FIRM 7002 LLC")))
	require.Equal(t, [][]string{{"7002", "2026-02-28"}}, b.unlisted())
	b.load(archive("b.zip", filing("2", "7002", "2026-02-28", "FIRM 7002 LLC")))
	require.Empty(t, b.unlisted())
}

// A corrected edition that no longer names an adviser takes it out of the list, also if no other edition or list names it.
func TestCorrectedEditionsUnlist(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.load(list("roster/exempt", "2026-01-31", "7004"))
	b.load(list("roster/registered", "2026-02-28", "7001", "7002", "7003", "7004"))
	b.load(list("roster/exempt", "2026-03-15"))
	b.load(list("roster/registered", "2026-03-31", "7001"))
	require.Equal(t, [][]string{{"7002", "2026-03-31"}, {"7003", "2026-03-31"}, {"7004", "2026-03-31"}}, b.unlisted())
	b.load(list("roster/registered", "2026-02-28", "7001", "7003"))
	require.Equal(t, [][]string{{"7003", "2026-03-31"}, {"7004", "2026-03-15"}}, b.unlisted())
	before := b.state()
	_, err := b.loader.RefreshDerived(t.Context())
	require.NoError(t, err)
	require.Equal(t, before, b.state())
}

// Who goes from one list to another, or is in the feed, has not gone, whichever list is loaded first. A list that is more
// than a year older vouches for nobody.
func TestWhoMovesIsListed(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.load(list("roster/exempt", "2026-01-31", "7001", "7002", "7003", "7004"))
	b.load(list("roster/registered", "2026-01-31", "7009", "7010"))
	b.load(list("iapd_feed/sec", "2026-01-20", "7003"))
	b.load(list("roster/exempt", "2026-02-28", "7002"))
	require.Equal(t, [][]string{{"7001", "2026-02-28"}, {"7004", "2026-02-28"}}, b.unlisted())
	b.load(list("roster/registered", "2026-02-28", "7001", "7009"))
	require.Equal(t, [][]string{{"7004", "2026-02-28"}, {"7010", "2026-02-28"}}, b.unlisted())
	b.load(list("roster/registered", "2027-06-30", "7001"))
	b.load(list("roster/registered", "2027-07-31"))
	require.Empty(t, b.rows(`SELECT 1 FROM catalog.advisers WHERE crd = '7002' AND not_listed_since IS NOT NULL`))
	b.load(list("iapd_feed/sec", "2027-08-31", "7005"))
	require.Equal(t, []string{"2027-08-31"}, b.row(`SELECT not_listed_since FROM catalog.advisers WHERE crd = '7003'`))
}

// An edition that is not whole takes nobody away; a document without a list or a day neither.
func TestOnlyWholeEditionsCount(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.load(list("roster/registered", "2026-01-31", "7001", "7002"))
	b.run++
	var staged catalogapi.Staged
	_, err := b.loader.LoadDocument(t.Context(), list("roster/registered", "2026-02-28", "7001").stream(), catalogapi.LoadOptions{
		RunID: b.run, Reject: func(catalogapi.Rejected) {}, Whole: func() bool { return false },
		Accept: func(_ context.Context, s catalogapi.Staged) error { staged = s; return nil },
	})
	require.NoError(t, err)
	require.Equal(t, []int64{2, 1}, []int64{staged.Listed, staged.Gone})
	b.load(roster("x.csv", rosterRow("7001", "2026-03-01", "FIRM 7001 LLC")))
	undated := list("roster/registered", "2026-03-31", "7001")
	undated.without = func(d *catalogapi.Document) { d.List = "roster/registered" }
	b.load(undated)
	require.Empty(t, b.unlisted())
}

// The editions of a list come to the same in any order, together or one by one.
func TestListsComeToTheSameInAnyOrder(t *testing.T) {
	t.Parallel()
	docs := []document{
		list("roster/registered", "2026-01-31", "1", "2", "3", "4"), list("roster/registered", "2026-02-28", "1", "2", "4"),
		list("roster/registered", "2026-03-31", "1", "3"), list("roster/registered", "2026-04-30", "1", "3", "4"),
		list("roster/exempt", "2026-02-15", "2"), list("roster/exempt", "2026-03-15", "5"),
	}
	state := func(b *bench) [][]string {
		return append(b.rows(`SELECT crd, not_listed_since FROM catalog.advisers ORDER BY crd`),
			b.rows(`SELECT crd, series, first_on, last_on FROM catalog.listings ORDER BY 1, 2, 3`)...)
	}
	var want [][]string
	for i, order := range orders(rand.New(rand.NewPCG(2, 9)), len(docs), testscale.Rounds(t, 3)) {
		b := newBench(t)
		shuffled := make([]document, len(docs))
		for k, n := range order {
			shuffled[k] = docs[n]
		}
		if i%2 == 0 {
			b.batch(shuffled...)
		} else {
			for _, d := range shuffled {
				b.load(d)
			}
		}
		if want == nil {
			want = state(b)
			require.Equal(t, [][]string{{"1", "∅"}, {"2", "2026-03-31"}, {"3", "∅"}, {"4", "∅"}, {"5", "∅"}}, want[:5])
		}
		require.Equal(t, want, state(b), "order %v", order)
		b.close()
	}
}
