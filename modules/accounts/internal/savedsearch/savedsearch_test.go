package savedsearch_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/accounts/internal/savedsearch"
	"gpatlas/modules/accounts/internal/testkit/sessiontest"
	"gpatlas/platform/apperr"
	"gpatlas/platform/auth"
	"gpatlas/platform/testkit/httpapitest"
)

// A search is saved, read, changed, run and deleted.
func TestJourney(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	got := b.host.Do(t, httpapitest.Scenario{
		Method: "POST", Path: path, As: b.ada, Status: http.StatusCreated,
		Body: `{"name":"  Boston & more ","filters":{"city":"boston","min_aum":80000000,"has_funds":false,"state":"Massachusetts","order":"desc"}}`,
	})
	var answer struct{ Data savedsearch.Search }
	require.NoError(t, json.Unmarshal([]byte(got.Body), &answer))
	search := answer.Data
	require.Equal(t, savedsearch.Search{
		ID: search.ID, Name: "Boston & more", CreatedAt: sessiontest.Start, UpdatedAt: sessiontest.Start,
		Filters: map[string]any{"city": "boston", "min_aum": 80e6, "has_funds": false, "state": "Massachusetts", "order": "desc"},
	}, search, "filters stay as they were sent")
	require.Contains(t, got.Body, `"last_run_at":null,"last_match_count":null`)
	require.Contains(t, got.Body, `"min_aum":80000000`)
	require.Equal(t, search, b.get(t, b.ada, search.ID))

	b.Clock.Move(time.Hour)
	changed := b.host.Do(t, httpapitest.Scenario{
		Method: "PUT", Path: path + "/" + search.ID, As: b.ada, Body: `{"name":"Boston","filters":{"city":"Boston","sort":"aum","order":"desc"}}`,
		Contains: []string{`"name":"Boston"`, `"updated_at":"2026-11-20T10:30:00.000000Z"`, `"created_at":"2026-11-20T09:30:00.000000Z"`, `"last_run_at":null`},
	})
	require.NoError(t, json.Unmarshal([]byte(changed.Body), &answer))
	b.Clock.Move(time.Hour)
	crds, meta := b.run(t, b.ada, search.ID, "?per_page=1&page=2")
	require.Equal(t, "2", crds)
	require.Equal(t, search.ID, meta.SavedSearchID)
	require.Equal(t, "Boston", meta.SavedSearchName)
	require.Equal(t, map[string]any{"city": "Boston"}, meta.FiltersApplied)
	require.Equal(t, []int{2, 1, 1, 2, 1}, []int{meta.Total, meta.Limit, meta.Offset, meta.Page, meta.PerPage})
	search = b.get(t, b.ada, search.ID)
	require.Equal(t, sessiontest.Start.Add(2*time.Hour), *search.LastRunAt)
	require.Equal(t, int64(2), *search.LastMatchCount)

	for range 2 { // another name keeps the last run, whatever the order of the filters
		b.host.Do(t, httpapitest.Scenario{
			Method: "PUT", Path: path + "/" + search.ID, As: b.ada, Body: `{"filters":{"order":"desc","sort":"aum","city":"Boston"},"name":"Boston again"}`,
			Contains: []string{`"last_run_at":"2026-11-20T11:30:00.000000Z","last_match_count":2`},
		})
	}
	b.host.Do(t, httpapitest.Scenario{
		Method: "PUT", Path: path + "/" + search.ID, As: b.ada, Body: `{"name":"Boston again","filters":{"city":"Salem"}}`,
		Contains: []string{`"last_run_at":null,"last_match_count":null`},
	})
	b.host.Do(t, httpapitest.Scenario{Method: "DELETE", Path: path + "/" + search.ID, As: b.ada, Status: http.StatusNoContent})
	b.host.Do(t, httpapitest.Scenario{Method: "DELETE", Path: path + "/" + search.ID, As: b.ada, Status: http.StatusNotFound})
}

// A run answers as the search does, in either style of paging, with rows that are the search's own.
func TestRuns(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for filters, want := range map[string]string{
		`{}`:                             "1 3 2",
		`{"sort":"aum"}`:                 "2 3 1",
		`{"sort":"aum","order":"desc"}`:  "1 3 2",
		`{"q":"mossgate"}`:               "2",
		`{"min_aum":600000000}`:          "1 3",
		`{"aum_band":"<100M"}`:           "2",
		`{"city":"Boston","q":"harbor"}`: "1",
		`{"city":"Lynn"}`:                "",
	} {
		id := b.save(t, b.ada, "search", filters)
		crds, meta := b.run(t, b.ada, id, "")
		require.Equal(t, want, crds, filters)
		require.Equal(t, len(strings.Fields(want)), meta.Total)
		require.Equal(t, int64(meta.Total), *b.get(t, b.ada, id).LastMatchCount)
	}
	id := b.save(t, b.ada, "all", `{"sort":"aum"}`)
	for query, want := range map[string]string{
		"?limit=1": "2", "?limit=1&offset=1": "3", "?offset=2": "1", "?offset=3": "", "?page=2&per_page=2": "1", "?limit=1&page=3": "2", "?per_page=2": "2 3",
	} {
		crds, meta := b.run(t, b.ada, id, query)
		require.Equal(t, want, crds, query)
		require.Equal(t, 3, meta.Total)
	}
	b.host.Do(t, httpapitest.Scenario{
		Path: path + "/" + id + "/run?per_page=1&page=2", As: b.ada,
		Contains:   []string{`"data":[{"crd":"900003",`, `"legal_name":"Larkspur Hollow LLC"`, `"saved_search_name":"all"`},
		WantHeader: map[string]string{"ETag": "", "Cache-Control": "no-store"},
	})
	require.Equal(t, int64(3), *b.get(t, b.ada, id).LastMatchCount, "of the whole list, whatever the page")
}

// All faults of a search are reported before it is saved, and nothing is saved.
func TestRefusals(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	id := b.save(t, b.ada, "good", `{}`)
	for name, c := range map[string]struct {
		body   string
		fields []string
		says   string
	}{
		"no name":            {`{"name":" ","filters":{}}`, []string{"name"}, "must not be empty"},
		"name too long":      {`{"name":"` + strings.Repeat("é", 101) + `","filters":{}}`, []string{"name"}, "must have at most 100 characters"},
		"name with a NUL":    {`{"name":"a\u0000b","filters":{}}`, []string{"body"}, `must not contain the character \\u0000`},
		"name with a bell":   {`{"name":"a\u0007b","filters":{}}`, []string{"name"}, "must be one line without control or invisible characters"},
		"name turned around": {`{"name":"a\u202eb","filters":{}}`, []string{"name"}, "must be one line without control or invisible characters"},
		"name missing":       {`{"filters":{}}`, []string{"name"}, "required"},
		"filters missing":    {`{"name":"a"}`, []string{"filters"}, "required"},
		"filters a list":     {`{"name":"a","filters":[]}`, []string{"filters"}, "must be an object"},
		"filters null":       {`{"name":"a","filters":null}`, []string{"filters"}, "must be an object"},
		"unknown filter":     {`{"name":"a","filters":{"min_amu":1}}`, []string{"filters.min_amu"}, `did you mean \"min_aum\"?`},
		"unknown member":     {`{"name":"a","filters":{},"user_id":2}`, []string{"user_id"}, "is not a known field"},
		"id of one's own":    {`{"name":"a","filters":{},"id":"x","last_match_count":9}`, []string{"id", "last_match_count"}, "is not a known field"},
		"text for a number":  {`{"name":"a","filters":{"min_aum":"5"}}`, []string{"filters.min_aum"}, "must be a whole number, at least 0"},
		"number not exact":   {`{"name":"a","filters":{"min_aum":9007199254740993}}`, []string{"filters.min_aum"}, "must be a whole number of at most 9007199254740991"},
		"number for a text":  {`{"name":"a","filters":{"city":5}}`, []string{"filters.city"}, "must be a string"},
		"list for a text":    {`{"name":"a","filters":{"strategy":["PE"]}}`, []string{"filters.strategy"}, "must be a string"},
		"unknown strategy":   {`{"name":"a","filters":{"strategy":"x"}}`, []string{"filters.strategy"}, "the strategies are buyout"},
		"turned around":      {`{"name":"a","filters":{"min_aum":2,"max_aum":1}}`, []string{"filters.min_aum"}, "must not be greater than max_aum"},
		"paging":             {`{"name":"a","filters":{"limit":5,"page":1}}`, []string{"filters.limit", "filters.page"}, "is not a filter"},
		"several":            {`{"name":"","filters":{"q":"a","sort":"age"}}`, []string{"name", "filters.q", "filters.sort"}, "Invalid name"},
		"a filter with NUL":  {`{"name":"a","filters":{"q":"ab\u0000"}}`, []string{"body"}, `must not contain the character \\u0000`},
		"filters of a book":  {`{"name":"a","filters":{"strategy":"` + strings.Repeat("PE,", 4000) + `PE"}}`, []string{"filters", "filters.strategy"}, "must have at most 8192 bytes"},
		"filters in filters": {`{"name":"a","filters":{"filters":{"city":"Boston"}}}`, []string{"filters.filters"}, "unknown parameter"},
	} {
		for _, s := range []httpapitest.Scenario{{Method: "POST", Path: path}, {Method: "PUT", Path: path + "/" + id}} {
			s.As, s.Body, s.Status, s.Contains = b.ada, c.body, http.StatusBadRequest, []string{c.says}
			var problem struct{ Errors []apperr.FieldError }
			require.NoError(t, json.Unmarshal([]byte(b.host.Do(t, s).Body), &problem), name)
			var fields []string
			for _, f := range problem.Errors {
				fields = append(fields, f.Field)
			}
			require.ElementsMatch(t, c.fields, fields, name)
		}
	}
	list, total, err := b.service.List(t.Context(), b.ada.UserID, 10, 0)
	require.NoError(t, err)
	require.Equal(t, 1, total)
	require.Equal(t, "good", list[0].Name)
}

// Another's search is answered like one that does not exist, byte for byte, and is not touched.
func TestAnothersSearchIsNone(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	id := b.save(t, b.ada, "mine", `{"city":"Boston"}`)
	before := b.get(t, b.ada, id)
	const madeUp = "0190a5b2-7c41-4d6e-9a3f-1c2b3d4e5f60"
	b.Clock.Move(time.Hour)
	for _, s := range []httpapitest.Scenario{
		{Method: "GET"}, {Method: "PUT", Body: `{"name":"theirs","filters":{}}`}, {Method: "DELETE"}, {Method: "GET", Name: "/run"}, {Method: "GET", Name: "/run?limit=1"},
	} {
		s.As, s.Status = b.grace, http.StatusNotFound
		theirs, none := s, s
		theirs.Path, none.Path = path+"/"+id+s.Name, path+"/"+madeUp+s.Name
		got, want := b.host.Do(t, theirs), b.host.Do(t, none)
		require.Equal(t, want.Body, got.Body)
		require.Equal(t, want.Header, got.Header)
		require.JSONEq(t, `{"detail":"Saved search not found"}`, got.Body)
	}
	require.Equal(t, before, b.get(t, b.ada, id))
	list := b.host.Do(t, httpapitest.Scenario{Path: path, As: b.grace, Contains: []string{`{"data":[],"meta":{"total":0,`}})
	require.NotContains(t, list.Body, id)
	for _, caller := range []struct {
		as     *auth.Principal
		status int
	}{{nil, http.StatusUnauthorized}, {&auth.Principal{Kind: auth.Key, UserID: b.ada.UserID}, http.StatusForbidden}} {
		for _, s := range []httpapitest.Scenario{
			{Path: path},
			{Path: path, Method: "POST", Body: `{"name":"a","filters":{}}`},
			{Path: path + "/" + id},
			{Path: path + "/" + id, Method: "PUT", Body: `{"name":"a","filters":{}}`},
			{Path: path + "/" + id, Method: "DELETE"},
			{Path: path + "/" + id + "/run"},
		} {
			s.As, s.Status = caller.as, caller.status
			b.host.Do(t, s)
		}
	}
	for _, malformed := range []string{"1", strings.ToUpper(madeUp), "%27", madeUp + "0"} {
		b.host.Do(t, httpapitest.Scenario{Path: path + "/" + malformed, As: b.ada, Status: http.StatusBadRequest, Contains: []string{"a UUID in lower case"}})
	}
}

// The list has the newest first, in pages.
func TestList(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for i := range 5 {
		b.save(t, b.ada, fmt.Sprintf("search %d", i), `{}`)
		b.Clock.Move(time.Second)
	}
	b.save(t, b.grace, "another's", `{}`)
	for query, want := range map[string]string{"": "43210", "?limit=2&offset=1": "32", "?page=3&per_page=2": "0", "?offset=5": ""} {
		var answer struct {
			Data []savedsearch.Search
			Meta struct{ Total int }
		}
		require.NoError(t, json.Unmarshal([]byte(b.host.Do(t, httpapitest.Scenario{Path: path + query, As: b.ada}).Body), &answer))
		var names strings.Builder
		for _, s := range answer.Data {
			names.WriteString(strings.TrimPrefix(s.Name, "search "))
		}
		require.Equal(t, want, names.String(), query)
		require.Equal(t, 5, answer.Meta.Total)
	}
}
