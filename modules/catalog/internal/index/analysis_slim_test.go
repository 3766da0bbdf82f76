package index_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
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
		open, closed := make([]index.OpenFund, 0, len(funds)), []int64{}
		for i := range funds {
			f := &funds[i]
			if f.Status == catalogapi.FundClosed {
				closed = append(closed, index.FundNumber(f.FundID))
				continue
			}
			open = append(open, index.OpenFund{
				Number: index.FundNumber(f.FundID), AdviserCRD: f.AdviserCRD, Strategy: f.Strategy, State: f.State, Country: f.Country, CountryCode: f.CountryCode,
				VintageYear: f.VintageYear, Quality: f.Quality, GAV: f.GAV,
			})
		}
		a := index.BuildAnalysis(slices.Clone(gps), open, closed, index.Freshness{Publication: 3}, nil)
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
		analysisGroups(t, g, a, s)
		require.Greater(t, filled, testscale.Rounds(t, 175))
		require.Greater(t, alike, testscale.Rounds(t, 175))
		analysisFindsFunds(t, g, a, s, funds)
		_, ok := a.FindGP("0")
		require.False(t, ok)
		require.Equal(t, 800, a.Freshness().Advisers)
		require.Equal(t, len(open), a.Freshness().Funds)
		require.EqualValues(t, 3, a.Freshness().Publication)
	}
}

// analysisGroups compares groups by one and two dimensions, and the figures of all quantities but growth.
func analysisGroups(t *testing.T, g *generator, a *index.Analysis, s *index.Snapshot) {
	t.Helper()
	filled := 0
	for i, by := range groupings() {
		least, from := max(0, g.amount(1e10)), int64(2008+g.IntN(10))
		for k, gps := range []index.GPQuery{
			{},
			{Numbers: index.GPNumbers{index.GPAUM: {Min: &least}}, Words: index.GPWords{index.GPCountry: index.One("US")}},
			{Fund: index.FundMatch{Numbers: index.MatchNumbers{index.MatchSize: {Max: &least}, index.MatchVintage: {Min: &from}}}},
			{Strategies: index.Asked{None: []string{"hedge"}}, Words: index.GPWords{index.GPRegistration: index.One(string(catalogapi.Registered))}},
		} {
			q := &index.GroupQuery{By: by, GPs: gps, Quantities: []index.Quantity{index.QuantityAUM, index.QuantityFundGAV, index.QuantityFundCount, index.QuantityEmployees}, Key: fmt.Sprint(i, k)}
			if ofFunds(q) {
				q.Quantities = []index.Quantity{index.QuantityFundGAV}
			}
			want := s.Group(q)
			require.Equal(t, want, a.Group(q), "%v %d", by, k)
			if len(want) > 1 && slices.ContainsFunc(want, func(r index.AggregateRow) bool { return r.Figures[0].Known > 1 }) {
				filled++
			}
		}
	}
	require.Greater(t, filled, 3*len(groupings()))
}

// analysisFindsFunds asks random questions for funds of both indexes. The snapshot also has the funds of advisers that it lacks.
func analysisFindsFunds(t *testing.T, g *generator, a *index.Analysis, s *index.Snapshot, funds []index.Fund) {
	t.Helper()
	byID := map[string]*index.Fund{}
	for i := range funds {
		byID[funds[i].FundID] = &funds[i]
	}
	orders := map[index.Order]func(f *index.Fund) int64{
		index.ByGAV: func(f *index.Fund) int64 { return f.GAV }, index.ByVintage: func(f *index.Fund) int64 { return f.VintageYear },
	}
	found := 0
	for range testscale.Rounds(t, 350) {
		q := index.FundQuery{Order: pick(g, index.ByGAV, index.ByVintage), Desc: g.IntN(2) == 0, Limit: len(funds)}
		like := &funds[g.IntN(len(funds))]
		for _, ask := range []func(){
			func() { q.Strategies.Any = []string{like.Strategy, "hedge"} },
			func() { q.Strategies.None = []string{"venture"} },
			func() { q.AdviserCRD = like.AdviserCRD },
			func() { q.Year = like.VintageYear },
			func() { q.Numbers[index.FundVintage] = index.Range{Min: &like.VintageYear} },
			func() { q.Numbers[index.FundGAV] = index.Range{Max: new(max(like.GAV, 1_000_000))} },
			func() { q.Numbers[index.FundGAV].Min = new(int64(50_000_000)) },
			func() { q.Words[index.FundQuality] = index.One(like.Quality) },
			func() { q.Jurisdictions = []string{pick(g, "Delaware", "Georgia", "US", "KY", "Atlantis", "NY")} },
			func() { q.FundIDs = []string{like.FundID, funds[0].FundID, funds[1].FundID, "805-0000000001"} },
		} {
			if g.IntN(6) == 0 {
				ask()
			}
		}
		var want []string
		for _, id := range s.SearchFunds(&q).IDs {
			if _, ok := s.FundGP(id); ok {
				want = append(want, s.Fund(id).FundID)
			}
		}
		slices.SortFunc(want, func(x, y string) int {
			a, b := orders[q.Order](byID[x]), orders[q.Order](byID[y])
			switch {
			case a == b:
				return strings.Compare(x, y)
			case a == index.Unknown || b == index.Unknown || q.Desc:
				return cmp.Compare(b, a)
			}
			return cmp.Compare(a, b)
		})
		total, got := a.SearchFunds(&q)
		require.Equal(t, want, got, "%+v", q)
		require.Len(t, want, total)
		if q.Offset, q.Limit = g.IntN(20), 1+g.IntN(20); q.Offset < total {
			_, got = a.SearchFunds(&q)
			require.Equal(t, want[q.Offset:min(q.Offset+q.Limit, total)], got)
			found++
		}
	}
	require.Greater(t, found, testscale.Rounds(t, 100))
	for i := range funds[:500] {
		f := &funds[i]
		_, listed := s.FindGP(f.AdviserCRD)
		known, former, closed := a.HasFund(f.FundID)
		require.Equal(t, listed || f.Status == catalogapi.FundClosed, known)
		require.Equal(t, f.Status == catalogapi.FundClosed, closed)
		require.False(t, former)
	}
}

func TestAnAnalysisOfNothing(t *testing.T) {
	t.Parallel()
	a, s := index.BuildAnalysis(nil, nil, nil, index.Freshness{}, nil), index.Build(nil, nil, index.Freshness{})
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
