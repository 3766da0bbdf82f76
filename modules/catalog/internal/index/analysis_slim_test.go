package index_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/index"
	"gpatlas/platform/testkit/testscale"
)

// TestAnAnalysisAnswersAsASnapshot asks random questions of both indexes over one catalog, with funds of advisers that
// are in neither. A factor of 3 in GPATLAS_TEST_ROUNDS asks the 6,000 questions of old.
func TestAnAnalysisAnswersAsASnapshot(t *testing.T) {
	t.Parallel()
	for _, odd := range []bool{true, false} {
		g := newGenerator(20261122, 160, odd)
		gps := g.gps(900)
		funds := g.funds(6_000, gps)
		gps = gps[:800]
		open := make([]index.OpenFund, 0, len(funds))
		for i := range funds {
			if f := &funds[i]; f.Status != catalogapi.FundClosed {
				open = append(open, index.OpenFund{AdviserCRD: f.AdviserCRD, Strategy: f.Strategy, VintageYear: f.VintageYear, Quality: f.Quality, GAV: f.GAV})
			}
		}
		a := index.BuildAnalysis(slices.Clone(gps), open, index.Freshness{Publication: 3}, nil)
		s := index.Build(slices.Clone(gps), funds, index.Freshness{})
		filled, alike := 0, 0
		for range testscale.Rounds(t, 700) {
			q := randomAggregate(g, gps)
			if g.IntN(6) == 0 {
				q.Country = gps[g.IntN(len(gps))].Country // a name
			}
			want := s.Aggregate(&q)
			require.Equal(t, want, a.Aggregate(&q), "%s %+v", q.GroupBy, q)
			if len(want) > 1 {
				filled++
			}
		}
		for range testscale.Rounds(t, 350) {
			crd, factors, limit := gps[g.IntN(len(gps))].CRD, catalogapi.Factor(1+g.IntN(15)), 1+g.IntN(30)
			of, ok := s.FindGP(crd)
			require.True(t, ok)
			as, ok := a.FindGP(crd)
			require.True(t, ok)
			require.Equal(t, s.RelatedGP(of), a.RelatedGP(as))
			want := s.Related(of, factors, limit)
			require.Equal(t, want, a.Related(as, factors, limit), "%s %b %d", crd, factors, limit)
			if len(want) > 0 {
				alike++
			}
		}
		require.Greater(t, filled, testscale.Rounds(t, 175))
		require.Greater(t, alike, testscale.Rounds(t, 175))
		_, ok := a.FindGP("0")
		require.False(t, ok)
		require.Equal(t, 800, a.Freshness().Advisers)
		require.Equal(t, len(open), a.Freshness().Funds)
		require.EqualValues(t, 3, a.Freshness().Publication)
	}
}

func TestAnAnalysisOfNothing(t *testing.T) {
	t.Parallel()
	a, s := index.BuildAnalysis(nil, nil, index.Freshness{}, nil), index.Build(nil, nil, index.Freshness{})
	least, from := int64(1), int64(2000)
	for _, by := range []index.Grouping{
		index.GroupStrategy, index.GroupVintage, index.GroupGeography, index.GroupState, index.GroupAUMBand,
	} {
		for _, q := range []index.AggregateQuery{{}, {MinAUM: &least, MinVintage: &from}, {Former: true}, {Former: true, MinVintage: &from}} {
			q.GroupBy = by
			require.Equal(t, s.Aggregate(&q), a.Aggregate(&q))
		}
	}
}

// Place is a factor that works both ways: an adviser of a known country is like those of it alone, one of an unknown
// country like those of its state whose country is not known either.
func TestPlaceWorksBothWays(t *testing.T) {
	t.Parallel()
	s := index.Build([]index.GP{
		{CRD: "900001", LegalName: "Harbor Ridge", State: "MA", CountryCode: "US", TotalAUM: 4},
		{CRD: "900002", LegalName: "Mossgate", State: "MA", Country: "Ruritania", TotalAUM: 3},
		{CRD: "900003", LegalName: "Larkspur", State: "ma", Country: "Ruritania", TotalAUM: 2},
		{CRD: "900004", LegalName: "Fenwick", State: "NY", CountryCode: "US", TotalAUM: 1},
	}, nil, index.Freshness{})
	alike := map[string][]string{}
	for id := range uint32(4) {
		for _, r := range s.Related(id, catalogapi.FactorGeography, 10) {
			alike[s.GP(id).CRD] = append(alike[s.GP(id).CRD], r.CRD)
		}
	}
	require.Equal(t, map[string][]string{"900001": {"900004"}, "900002": {"900003"}, "900003": {"900002"}, "900004": {"900001"}}, alike)
}
