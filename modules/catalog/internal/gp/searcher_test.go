package gp_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/internal/gp"
	"gpatlas/modules/catalog/internal/index"
	"gpatlas/platform/apperr"
	"gpatlas/platform/clock"
	"gpatlas/platform/testkit/httpapitest"
)

// Kept filters give the rows, the total and filters_applied that the operation gives for them as parameters.
func TestSearcherIsTheOperation(t *testing.T) {
	t.Parallel()
	host, c := newHost(t)
	searcher := gp.NewSearcher(c.Index, c.Clock)
	for _, filters := range []string{
		`{}`,
		`{"q":"harbor"}`,
		`{"q":"harbor","sort":"name","order":"desc"}`,
		`{"min_aum":80000000,"max_aum":2500000000,"sort":"aum"}`,
		`{"strategy":"PE","country":"United States","has_funds":true}`,
		`{"has_auditor":false,"vintage_min":2019}`,
		`{"registered_after":"2001-01-01"}`,
		`{"aum_band":">10B"}`,
		`{"auditor_name":"birch & sloane"}`,
		`{"launched_within_months":12}`,
		`{"city":"Nowhere"}`,
		// V9: saved searches accept what the operation accepts.
		`{"state":"MA,CA","exclude_city":"San Francisco","sort":"total_gav","order":"desc"}`,
		`{"exclude_strategy":"venture","filed_after":"2026-01-01","min_total_gav":1}`,
		`{"crd":"900003,900001,900004,900002","sort":"as_sent"}`,
	} {
		var kept map[string]any
		require.NoError(t, json.Unmarshal([]byte(filters), &kept))
		query := url.Values{"limit": {"3"}, "offset": {"1"}}
		for name, value := range kept {
			text := fmt.Sprint(value)
			if number, ok := value.(float64); ok {
				text = strconv.FormatFloat(number, 'f', -1, 64)
			}
			query.Set(name, text)
		}
		got := host.Do(t, httpapitest.Scenario{Path: "/v1/gps?" + query.Encode()})
		require.NoError(t, searcher.CheckGPFilters(kept))
		found, err := searcher.SearchGPs(t.Context(), kept, 3, 1)
		require.NoError(t, err)
		require.NotNil(t, found.Rows)
		rows, err := json.Marshal(found.Rows)
		require.NoError(t, err)
		applied, err := json.Marshal(found.FiltersApplied)
		require.NoError(t, err)
		var want struct {
			Data json.RawMessage
			Meta struct {
				Total          int
				FiltersApplied json.RawMessage `json:"filters_applied"`
			}
		}
		require.NoError(t, json.Unmarshal([]byte(got.Body), &want))
		require.JSONEq(t, string(want.Data), string(rows), filters)
		require.JSONEq(t, string(want.Meta.FiltersApplied), string(applied), filters)
		require.Equal(t, want.Meta.Total, found.Total, filters)
	}
}

// What the operation refuses is refused, when it is kept and when it is searched for; so is paging.
func TestSearcherRefuses(t *testing.T) {
	t.Parallel()
	searcher := gp.NewSearcher(&index.Holder{}, clock.System{})
	for filters, want := range map[string]string{
		`{"min_amu":1}`:                          `min_amu: unknown parameter; did you mean "min_aum"?`,
		`{"min_aum":"1"}`:                        "min_aum: must be a whole number, at least 0",
		`{"min_aum":2,"max_aum":1}`:              "min_aum: must not be greater than max_aum (2 > 1)",
		`{"q":"a"}`:                              "q: must have at least 2 characters",
		`{"q":"%%"}`:                             "q: must contain a letter or a digit",
		`{"state":"XX","city":"%"}`:              `city: must contain a letter or a digit; state: "XX" is not a US state; send a code such as NY`,
		`{"as_of":"2026-01-01"}`:                 "as_of: is not a filter; the search is of today. Lists of a past day are GET /v1/gps with as_of",
		`{"limit":5}`:                            "limit: is not a filter; send it with each search instead",
		`{"page":1,"per_page":5}`:                "page: is not a filter; send it with each search instead; per_page: is not a filter; send it with each search instead",
		`{"offset":0,"has_funds":1}`:             "has_funds: must be true or false; offset: is not a filter; send it with each search instead",
		`{"sort":"age"}`:                         "sort: must be one of name, aum, fund_count, employees, registered_on, founded_year, latest_filing_date, total_gav, investors, aum_growth_1y, aum_growth_2y, aum_growth_3y, aum_growth_5y, as_sent",
		`{"registered_after":"0001-01-01"}`:      "registered_after: must not be 0001-01-01, which programs send for an unset date; leave it out instead",
		`{"include":"registration"}`:             "include: is not a filter; send it with each search instead",
		`{"state":"TX,"}`:                        `state: has an empty value; send the values with one "," between two of them`,
		`{"state":"TX,NY","exclude_state":"TX"}`: "state: asks for what exclude_state excludes: TX",
		`{"sort":"as_sent"}`:                     "sort: as_sent needs crd",
		`{"registered_after":"2001"}`:            "registered_after: must be a date such as 2026-01-31",
	} {
		var kept map[string]any
		require.NoError(t, json.Unmarshal([]byte(filters), &kept))
		err := searcher.CheckGPFilters(kept)
		require.Equal(t, apperr.KindInvalid, apperr.From(err).Kind, filters)
		var said []string
		for _, f := range apperr.From(err).Fields {
			said = append(said, f.Field+": "+f.Message)
		}
		require.Equal(t, want, strings.Join(said, "; "), filters)
		_, err = searcher.SearchGPs(t.Context(), kept, 10, 0)
		require.Equal(t, apperr.KindInvalid, apperr.From(err).Kind, filters)
	}
	_, err := searcher.SearchGPs(t.Context(), nil, 10, 0)
	require.Equal(t, apperr.KindUnavailable, apperr.From(err).Kind, "no index yet")
}
