package related_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/analytics/internal/related"
	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/catalogtest"
	"gpatlas/platform/testkit/dbtest"
	"gpatlas/platform/testkit/httpapitest"
)

// market loads an invented market into a database of its own and serves related lists from a real index over it.
func market(t *testing.T, seed uint64, advisers int) (*httpapitest.Host, catalogtest.Market) {
	t.Helper()
	m := catalogtest.NewMarket(seed, advisers)
	db := dbtest.New(t)
	loader := catalogtest.NewLoader(db, noon)
	for i, doc := range m.Documents {
		_, err := loader.LoadDocument(t.Context(), doc, catalogapi.LoadOptions{
			RunID: int64(i + 1), Reject: func(r catalogapi.Rejected) { require.Fail(t, "the market has a bad row", "%+v", r) },
		})
		require.NoError(t, err)
	}
	analysis, err := catalogtest.NewAnalysis(t.Context(), db, noon)
	require.NoError(t, err)
	db.Close() // from here on the index answers alone
	return httpapitest.New(t, related.Routes(serve(analysis))...), m
}

func ask(t *testing.T, host *httpapitest.Host, crd, factors string) related.Related {
	t.Helper()
	got := host.Do(t, httpapitest.Scenario{Path: "/v1/gps/" + crd + "/related?limit=25&similarity_factors=" + factors})
	var a related.Related
	require.NoError(t, json.Unmarshal([]byte(got.Body), &a))
	return a
}

var pointsOf = map[string]int{"Same primary strategy: ": 40, "Assets within 50 percent: ": 30, "Same state: ": 20, "Same country: ": 20, "Fund count within 30 percent: ": 10}

// Over random markets, everybody's list for every choice of factors: no score exceeds the maximum, each is the sum of the
// points of its reasons, the order is by score, and what is alike in strategy or place is so both ways. The lists are
// complete, for there are no more advisers than a list may hold.
func TestScoresOverMarkets(t *testing.T) {
	t.Parallel()
	choices := []string{"strategy", "aum_band", "geography", "fund_count", "strategy,aum_band,geography", "strategy,aum_band,geography,fund_count", "aum_band,fund_count"}
	met := map[string]int{}
	for seed := range uint64(4) {
		host, m := market(t, seed, 26)
		for _, factors := range choices {
			listed := map[string][]string{}
			for _, crd := range m.CRDs {
				if slices.Contains(m.Withdrawn, crd) {
					a := ask(t, host, crd, factors) // its own list is answered, and it is in no other's
					require.Equal(t, crd, a.SourceGP.CRD)
					for _, gp := range a.SimilarGPs {
						require.NotContains(t, m.Withdrawn, gp.CRD)
					}
					continue
				}
				a := ask(t, host, crd, factors)
				require.Equal(t, crd, a.SourceGP.CRD)
				require.Equal(t, strings.Split(factors, ","), a.Meta.SimilarityFactors)
				require.True(t, slices.IsSortedFunc(a.SimilarGPs, func(x, y related.SimilarGP) int { return y.SimilarityScore - x.SimilarityScore }))
				for _, gp := range a.SimilarGPs {
					listed[crd] = append(listed[crd], gp.CRD)
					require.NotEqual(t, crd, gp.CRD)
					require.NotContains(t, m.Withdrawn, gp.CRD)
					require.Positive(t, gp.SimilarityScore)
					require.LessOrEqual(t, gp.SimilarityScore, a.Meta.MaxScore)
					require.Equal(t, gp.SimilarityScore, gp.SimilarityBreakdown.Score)
					sum := 0
					for _, reason := range gp.SimilarityBreakdown.Reasons {
						kind, points := pointsFor(reason)
						require.Positive(t, points, reason)
						requireHolds(t, reason, &a.SourceGP, &gp)
						met[kind]++
						sum += points
					}
					require.Equal(t, gp.SimilarityScore, sum, gp.SimilarityBreakdown.Reasons)
				}
			}
			if factors != "strategy" && factors != "geography" {
				continue
			}
			for crd, list := range listed {
				for _, other := range list {
					require.Contains(t, listed[other], crd, "%s lists %s by %s, but not the other way round", crd, other, factors)
				}
			}
		}
	}
	for kind := range pointsOf {
		require.Greater(t, met[kind], 20, kind)
	}
}

func pointsFor(reason string) (kind string, points int) {
	for kind, points := range pointsOf {
		if strings.HasPrefix(reason, kind) {
			return kind, points
		}
	}
	return "", 0
}

// requireHolds requires that a reason is true of what the answer itself shows of the two advisers.
func requireHolds(t *testing.T, reason string, source *related.RelatedGP, gp *related.SimilarGP) {
	t.Helper()
	kind, _ := pointsFor(reason)
	switch kind {
	case "Same primary strategy: ":
		require.Equal(t, *source.Strategy, *gp.Strategy)
		require.Equal(t, kind+*source.Strategy, reason)
	case "Assets within 50 percent: ":
		require.LessOrEqual(t, 2*max(*source.AUM-*gp.AUM, *gp.AUM-*source.AUM), *source.AUM)
	case "Fund count within 30 percent: ":
		require.LessOrEqual(t, 10*max(*source.FundCount-*gp.FundCount, *gp.FundCount-*source.FundCount), 3**source.FundCount)
		require.Equal(t, fmt.Sprintf("%s%d against %d", kind, *gp.FundCount, *source.FundCount), reason)
	case "Same state: ":
		state := strings.TrimPrefix(reason, kind)
		for _, place := range []*string{source.Location, gp.Location} {
			// Outside the US the location shows the country.
			require.True(t, strings.HasSuffix(*place, state) || strings.HasSuffix(*place, "Canada"), "%s: %s", reason, *place)
		}
	}
}
