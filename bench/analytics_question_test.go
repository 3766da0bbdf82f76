package bench_test

import (
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// analyses makes the questions of history and analytics: the same ones for the same records.
func analyses(r records) []operation {
	return []operation{
		{"related", "related", ask200(5, r, (*asker).related)},
		{"aggregate", "aggregate", ask200(6, r, (*asker).aggregate)},
		{"metrics", "metrics", ask200(7, r, (*asker).metrics)},
	}
}

// related is an adviser with the default factors, or with some of them in any order; at times more or fewer rows.
func (g *asker) related() question {
	q := question{path: "/v1/gps/" + oneOf(g, g.gps...).CRD + "/related", params: url.Values{}}
	if g.IntN(3) > 0 {
		all := []string{"strategy", "aum_band", "geography", "fund_count"}
		g.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		q.set("similarity_factors", strings.Join(all[:1+g.IntN(len(all))], ","))
	}
	if g.IntN(3) == 0 {
		q.set("limit", strconv.Itoa(oneOf(g, 5, 20, 25)))
	}
	return q
}

// aggregate is a grouping with none to four filters, taken from one record.
func (g *asker) aggregate() question {
	r := oneOf(g, g.gps...)
	q := question{path: "/v1/search/aggregate", params: url.Values{}}
	q.set("group_by", oneOf(g, "strategy", "vintage", "geography", "state", "aum_band"))
	filter := func(name, value string) func() bool {
		return func() bool {
			if value != "" {
				q.set(name, value)
			}
			return value != ""
		}
	}
	filters := []func() bool{
		filter("country", r.CountryCode), filter("strategy", r.Strategy),
		filter("min_aum", strconv.FormatInt(roundDown(max(r.AUM, 1)), 10)),
		filter("min_vintage", strconv.FormatInt(r.Vintage, 10)),
		filter("max_vintage", strconv.FormatInt(r.Vintage+int64(g.IntN(4)), 10)),
	}
	if g.IntN(4) > 0 {
		g.refine(filters, 4)
	}
	return q
}

func (g *asker) metrics() question {
	return question{path: "/v1/gps/" + oneOf(g, g.gps...).CRD + "/metrics", params: url.Values{}}
}

// Guarantee: the same questions in every run, of every factor, grouping and filter, and all different kinds of them.
func TestAnalysesQuestions(t *testing.T) {
	t.Parallel()
	drawn := records{gps: []gp{
		{CRD: "900001", Strategy: "venture", CountryCode: "US", AUM: 7e8, Vintage: 2015},
		{CRD: "900002", Strategy: "hedge", Vintage: 2019},
	}}
	list := analyses(drawn)
	require.Equal(t, digest(list), digest(analyses(drawn)))
	require.Len(t, list, 3)
	seen := map[string]int{}
	for _, op := range list {
		require.Len(t, op.questions, questionsEach)
		for i := range op.questions {
			q := &op.questions[i]
			seen[q.path]++
			seen[q.params.Get("group_by")]++
			for name := range q.params {
				seen[name]++
			}
			for f := range strings.SplitSeq(q.params.Get("similarity_factors"), ",") {
				seen[f]++
			}
			require.NotContains(t, q.url(), "country=&", "an unknown country is no filter")
		}
	}
	for _, want := range []string{
		"/v1/gps/900001/related", "/v1/gps/900002/related", "/v1/gps/900001/metrics", "/v1/gps/900002/metrics", "strategy", "aum_band",
		"geography", "fund_count", "vintage", "state", "country", "min_aum", "min_vintage", "max_vintage", "limit",
	} {
		require.Positive(t, seen[want], want)
	}
}
