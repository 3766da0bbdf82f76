package index_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/internal/index"
)

// V6: who is known to have a value and who is not are all, whatever else is asked.
func TestWhatIsAskedAndWhatIsExcludedIsAll(t *testing.T) {
	t.Parallel()
	g := newGenerator(20261126, 160, true)
	gps := g.gps(600)
	funds := g.funds(1_500, gps)
	s := index.Build(slices.Clone(gps), slices.Clone(funds), index.Freshness{})
	a := newAsker(g, gps, funds, nil)
	for range 300 {
		rest := index.GPQuery{Answers: index.GPAnswers{index.GPHasFunds: pick(g, index.Any, index.Yes)}, Band: pick(g, "", "100M-500M", ">10B")}
		all := s.SearchGPs(&rest).Total
		for id, f := range index.GPWordFilters {
			words := []string{*f.Of(a.gp()), *f.Of(a.gp())}
			if slices.Contains(words, "") {
				continue
			}
			with, without := rest, rest
			with.Words[id].Any, without.Words[id].None = words, words
			require.Equal(t, all, s.SearchGPs(&with).Total+s.SearchGPs(&without).Total, "%s %q", f.Param, words)
		}
		with, without := rest, rest
		with.Strategies.Any, without.Strategies.None = []string{"venture", "hedge"}, []string{"hedge", "venture"}
		require.Equal(t, all, s.SearchGPs(&with).Total+s.SearchGPs(&without).Total)
		with, without = rest, rest
		with.CRDs.Any, without.CRDs.None = []string{a.gp().CRD, "999999999"}, nil
		without.CRDs.None = with.CRDs.Any
		require.Equal(t, all, s.SearchGPs(&with).Total+s.SearchGPs(&without).Total)
	}
}

// V7: in each order and direction, the pages joined have each record once, with small and with large pages.
func TestPagesOfEachOrder(t *testing.T) {
	t.Parallel()
	g := newGenerator(20261127, 160, true)
	gps := g.gps(3_000)
	funds := g.funds(6_000, gps)
	s := index.Build(slices.Clone(gps), slices.Clone(funds), index.Freshness{})
	check := func(what string, total, limit int, search func(limit, offset int) index.Result) {
		seen := map[uint32]bool{}
		for offset := 0; offset < total; offset += limit {
			page := search(limit, offset)
			require.Equal(t, total, page.Total, what)
			require.Len(t, page.IDs, min(limit, total-offset), what)
			for _, id := range page.IDs {
				require.False(t, seen[id], "%s: %d stands twice", what, id)
				seen[id] = true
			}
		}
		require.Len(t, seen, total, what)
	}
	for _, desc := range []bool{false, true} {
		for _, by := range []index.Order{
			index.ByName, index.ByAUM, index.ByFundCount, index.ByEmployees, index.ByRegistered, index.ByFounded,
			index.ByLatestFiled, index.ByTotalGAV, index.ByInvestors, index.ByGrowth1, index.ByChange5,
		} {
			q := index.GPQuery{Order: by, Desc: desc, Strategies: index.Asked{None: []string{"venture"}}}
			for _, limit := range []int{37, 1_900} {
				check(fmt.Sprint("gps ", by, desc), s.SearchGPs(&q).Total, limit, func(limit, offset int) index.Result {
					q.Limit, q.Offset = limit, offset
					return s.SearchGPs(&q)
				})
			}
		}
		for _, by := range []index.Order{index.ByName, index.ByGAV, index.ByVintage, index.ByFirstFiled, index.ByLatestFiled, index.ByInvestors, index.ByClosed} {
			q := index.FundQuery{Order: by, Desc: desc}
			check(fmt.Sprint("funds ", by, desc), s.SearchFunds(&q).Total, 613, func(limit, offset int) index.Result {
				q.Limit, q.Offset = limit, offset
				return s.SearchFunds(&q)
			})
		}
	}
}
