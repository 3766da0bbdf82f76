package index_test

import (
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/internal/index"
	"gpatlas/platform/testkit/testscale"
)

// How a search asks for a value of each facet.
var (
	gpAsks = map[string]func(q *index.GPQuery, value string){
		"state":               func(q *index.GPQuery, v string) { q.Words[index.GPState].Any = listOf(v) },
		"strategy":            func(q *index.GPQuery, v string) { q.Strategies.Any = listOf(v) },
		"aum_band":            func(q *index.GPQuery, v string) { q.Band = v },
		"registration_status": func(q *index.GPQuery, v string) { q.Words[index.GPRegistration].Any = listOf(v) },
		"has_funds":           func(q *index.GPQuery, v string) { q.Answers[index.GPHasFunds] = answerOf(v) },
		"manager_type":        func(q *index.GPQuery, v string) { q.Words[index.GPManagerType].Any = listOf(v) },
		"country":             func(q *index.GPQuery, v string) { q.Words[index.GPCountry].Any = listOf(v) },
	}
	fundAsks = map[string]func(q *index.FundQuery, value string){
		"strategy": func(q *index.FundQuery, v string) { q.Strategies.Any = listOf(v) },
		"status": func(q *index.FundQuery, v string) {
			if q.Words[index.FundStatus].Any = listOf(v); v == "" { // any, not the default
				q.Words[index.FundStatus].Any = []string{"active", "liquidating", "closed"}
			}
		},
		"vintage_year": func(q *index.FundQuery, v string) {
			q.Year, _ = strconv.ParseInt(v, 10, 64)
		},
		"jurisdiction":    func(q *index.FundQuery, v string) { q.Jurisdictions = listOf(v) },
		"vintage_quality": func(q *index.FundQuery, v string) { q.Words[index.FundQuality].Any = listOf(v) },
		"has_auditor":     func(q *index.FundQuery, v string) { q.Answers[index.FundHasAuditor] = answerOf(v) },
	}
)

func listOf(v string) []string {
	if v == "" {
		return nil
	}
	return []string{v}
}

func answerOf(v string) index.Tri {
	return map[string]index.Tri{"": index.Any, "true": index.Yes, "false": index.No}[v]
}

// V55: each count of a facet is the total of its own search. V56: the counts, the others and the unknown add up to the search
// without the facet's filter; where a record has several values (a fund of Delaware is one of the US too), none is left out.
// Every change asks 1,000 questions, GPATLAS_TEST_ROUNDS=5 the 5,000 of the promise.
func TestFacetsAreTotalsOfSearches(t *testing.T) {
	t.Parallel()
	g := newGenerator(20261128, 160, true)
	gps := g.gps(500)
	funds := g.funds(1_500, gps)
	s := index.Build(slices.Clone(gps), slices.Clone(funds), index.Freshness{})
	a := newAsker(g, gps, funds, g.terms(gps, funds, 200))
	listed, selected := 0, 0
	check := func(question any, f index.Facet, limit int, total func(value string) int) {
		sum, all := f.Other+f.Unknown, total("")
		plain := 0
		for i, v := range f.Values {
			require.Equal(t, total(v.Value), v.Count, "%s %s %s", f.Name, v.Value, dump(question))
			sum += v.Count
			listed++
			if v.Selected {
				selected++
			} else {
				plain++
			}
			if i > 0 && i < limit {
				require.GreaterOrEqual(t, f.Values[i-1].Count, v.Count)
			}
		}
		require.LessOrEqual(t, plain, limit)
		require.GreaterOrEqual(t, f.Other, 0)
		require.GreaterOrEqual(t, f.Unknown, 0)
		if f.Name == "jurisdiction" {
			require.LessOrEqual(t, f.Other+f.Unknown, all)
			require.GreaterOrEqual(t, sum, all)
		} else {
			require.Equal(t, all, sum, "%s %s", f.Name, dump(question))
		}
	}
	for range 500 * testscale.Rounds(t, 1) {
		a.question++
		limit := pick(g, 1, 3, 20, 100)
		q, _ := a.gpQuery()
		q.Limit, q.Offset, q.FacetLimit, q.Facets = pick(g, 0, 25), 0, limit, drawnFrom(a, index.GPFacets())
		r := s.SearchGPs(q)
		require.Len(t, r.Facets, len(q.Facets))
		for _, f := range r.Facets {
			check(q, f, limit, func(value string) int {
				one := *q
				one.Facets = nil
				gpAsks[f.Name](&one, value)
				return s.SearchGPs(&one).Total
			})
		}
		fq, _ := a.fundQuery()
		fq.Limit, fq.Offset, fq.FacetLimit, fq.Facets = pick(g, 0, 25), 0, limit, drawnFrom(a, index.FundFacets())
		r = s.SearchFunds(fq)
		require.Len(t, r.Facets, len(fq.Facets))
		for _, f := range r.Facets {
			check(fq, f, limit, func(value string) int {
				one := *fq
				one.Facets = nil
				fundAsks[f.Name](&one, value)
				return s.SearchFunds(&one).Total
			})
		}
	}
	require.Greater(t, listed, 2_000)
	require.Greater(t, selected, 20)
}

// drawnFrom draws some names, none twice.
func drawnFrom(a *asker, names []string) []string {
	return unique(a.some(names...))
}

// V57: five facets of advisers, without filters and with two of them.
func BenchmarkFacets(b *testing.B) {
	s := marketSnapshot()
	five := []string{"state", "strategy", "aum_band", "registration_status", "has_funds"}
	for name, q := range map[string]index.GPQuery{
		"everything":  {},
		"two filters": {Words: index.GPWords{index.GPCountry: index.One("US")}, Strategies: index.One("venture")},
	} {
		b.Run(name, func(b *testing.B) {
			q.Limit, q.FacetLimit, q.Facets = 25, 20, five
			measure(b, []func(){func() { _ = s.SearchGPs(&q) }})
		})
		b.Run(name+", without facets", func(b *testing.B) {
			q.Facets = nil
			measure(b, []func(){func() { _ = s.SearchGPs(&q) }})
		})
	}
	b.Run("funds", func(b *testing.B) {
		q := index.FundQuery{Limit: 25, FacetLimit: 20, Facets: index.FundFacets()}
		measure(b, []func(){func() { _ = s.SearchFunds(&q) }})
	})
}
