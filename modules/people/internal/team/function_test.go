package team_test

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/people/internal/testkit/fixture"
	"gpatlas/modules/people/internal/title"
	"gpatlas/platform/auth"
	"gpatlas/platform/testkit/httpapitest"
)

// several are three firms: one with a CFO, one with two, and one without people of schedules.
func several() []fixture.Filing {
	shared := fixture.Person{Name: "LARKSPUR, ADA", Title: "CHIEF FINANCIAL OFFICER, PARTNER", Number: "1000018", Since: "2011-03"}
	return []fixture.Filing{
		fixture.Filed("900101", "2020-03-01", people{shared, {Name: "MOSSGATE, THEO", Title: "FOUNDER AND CEO"}}),
		fixture.Filed("900101", "2026-03-01", people{
			shared,
			{Name: "MOSSGATE, THEO", Title: "FOUNDER AND CEO"},
			{Name: "QUILL, BRAM", Title: "CHIEF OPERATING OFFICER", Since: "2026-01"},
			{Name: "SLOANE, UNA", Title: "DEPUTY CFO"},
		}),
		fixture.Filed("900102", "2026-03-01", people{shared, {Name: "FERNLEY, IRIS", Title: "CFO/COO"}, {Name: "BIRCH, OLAF", Title: "MEMBER"}}),
		fixture.Filed("900103", "2026-03-01", nil),
	}
}

// Functions, the month of a title and the time of joining stand beside the role, which is as before (V31). The preview counts them.
func TestFunctions(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Load(t, several()...)
	for query, want := range map[string][]string{
		"?function=cfo":                          {"Ada Larkspur"},
		"?function=coo,founder":                  {"Theo Mossgate", "Bram Quill"},
		"?function=coo,founder&role=md":          {"Bram Quill"},
		"?function=treasurer":                    nil,
		"?joined_after=2025-12-31":               {"Bram Quill", "Una Sloane"},
		"?joined_after=2026-02-15":               {"Una Sloane"},
		"?joined_after=2000-01-01":               {"Ada Larkspur", "Bram Quill", "Una Sloane"}, // of the founder, nothing is known
		"?joined_before=2020-03-01":              {"Ada Larkspur"},
		"?joined_after=2025-01-01&function=coo":  {"Bram Quill"},
		"?joined_before=2026-01-31&function=coo": nil,
	} {
		got, _ := b.get(t, ada, "/v1/gps/900101/team"+query)
		require.Equal(t, want, got, query)
	}
	b.host.Do(t, httpapitest.Scenario{Path: "/v1/gps/900101/team?function=coo", As: ada, Contains: []string{
		`"functions":["coo"],"title_since":"2026-01","joined_between":{"after":"2020-03-01","before":"2026-01-31"}`, `"function":"coo"`,
	}})
	b.host.Do(t, httpapitest.Scenario{Path: "/v1/gps/900101/team?function=founder", As: ada, Contains: []string{
		`"functions":["founder","ceo"],"title_since":null,"joined_between":{"after":null,"before":"2020-03-01"}`,
	}})
	var preview struct {
		Data struct {
			Functions map[string]int `json:"by_function"`
			Joined    int            `json:"joined_last_12_months"`
		}
	}
	got := b.host.Do(t, httpapitest.Scenario{Path: "/v1/gps/900101/team/preview", As: ada})
	require.NoError(t, json.Unmarshal([]byte(got.Body), &preview))
	require.Len(t, preview.Data.Functions, len(title.Functions()))
	require.Equal(t, 2, preview.Data.Joined)
	for function, count := range preview.Data.Functions {
		want := map[string]int{"cfo": 1, "partner": 1, "founder": 1, "ceo": 1, "coo": 1}[function]
		require.Equal(t, want, count, function)
	}
	for query, field := range map[string]string{
		"function=boss": "function", "function=cfo,": "function", "function=": "function", "joined_after=2026-02-30": "joined_after", "joined_after=2026-01": "joined_after",
		"joined_after=2026-01-02&joined_before=2026-01-01": "joined_after", "function=cfo&function=coo": "function",
	} {
		b.host.Do(t, httpapitest.Scenario{Path: "/v1/gps/900101/team?" + query, As: ada, Status: 400, Contains: []string{field}, WantHeader: map[string]string{"X-Charge": "0.00"}})
	}
	b.Load(t, fixture.Filed("900101", "2026-06-01", people{{Name: "MOSSGATE, THEO", Title: "FOUNDER AND CEO"}}))
	gone, _ := b.get(t, ada, "/v1/gps/900101/alumni?function=cfo,coo")
	require.ElementsMatch(t, []string{"Ada Larkspur", "Bram Quill"}, gone)
	b.host.Do(t, httpapitest.Scenario{Path: "/v1/gps/900101/alumni?function=boss", As: ada, Status: 400, Contains: []string{"function"}})
}

// What filters by joining, and of alumni by function, find is sold: every free answer is the same.
func TestFiltersByJoiningRevealNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Load(t, several()...)
	b.Load(t, fixture.Filed("900102", "2026-06-01", people{{Name: "BIRCH, OLAF", Title: "MEMBER"}}))
	for path, filters := range map[string][]string{
		"/v1/gps/900101/team?limit=2&":   {"joined_after=2000-01-01", "joined_after=2030-01-01", "joined_before=2000-01-01"},
		"/v1/gps/900102/alumni?limit=1&": {"function=cfo", "function=coo", "function=treasurer"},
	} {
		for terms, status := range map[string]int{"&quote=true": 200, "&max_charge=0": 402} {
			var first string
			for _, f := range filters {
				got := b.host.Do(t, httpapitest.Scenario{Path: path + f + terms, As: ada, Status: status}).Body
				if first == "" {
					first = got
				}
				require.Equal(t, first, got, path+f+terms)
			}
		}
	}
}

// V32: the quote of an unlock is the most that it can cost: people on two teams count for both, and people bought before are not looked
// for among those chosen. An unknown manager, a bad function or number charges nothing.
func TestUnlockPeople(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Load(t, several()...)
	unlock := func(as *auth.Principal, query, body string) (price, estimate float64, names []string) {
		t.Helper()
		quoted := b.host.Do(t, httpapitest.Scenario{Method: "POST", Path: "/v1/people/unlock?quote=true" + query, Body: body, As: as})
		var q struct{ Data struct{ Amount float64 } }
		require.NoError(t, json.Unmarshal([]byte(quoted.Body), &q))
		for _, name := range []string{"Larkspur", "Fernley", "Mossgate"} {
			require.NotContains(t, quoted.Body, name)
		}
		got := b.host.Do(t, httpapitest.Scenario{Method: "POST", Path: "/v1/people/unlock?" + query, Body: body, As: as})
		_, err := fmt.Sscan(got.Header.Get("X-Charge"), &price)
		require.NoError(t, err)
		_, names = ids(t, got.Body)
		return price, q.Data.Amount, names
	}
	const all = `"crds":["900102","900101","900103"]`
	price, quote, got := unlock(ada, "", `{`+all+`,"tier":"complete","functions":["cfo"]}`)
	require.Equal(t, []any{1.0, 1.5}, []any{price, quote}, "two persons, one of them on two teams; the quote counts her on both, so it does not show that")
	require.Equal(t, []string{"Ada Larkspur", "Iris Fernley", "Ada Larkspur"}, got, "in the order of the list")
	require.Len(t, b.meter.Charged()[0].Units, 2)

	b.buy(t, "LARKSPUR")
	b.buy(t, "FERNLEY")
	price, quote, _ = unlock(ada, "", `{`+all+`,"tier":"complete","functions":["cfo"]}`)
	require.Equal(t, []any{0.0, 1.0}, []any{price, quote}, "one of three is left of 900102; the quote of a part of the teams does not show who is in it")
	price, quote, got = unlock(ada, "", `{`+all+`,"tier":"senior","max_per_firm":1}`)
	require.Equal(t, []any{0.0, 1.0}, []any{price, quote})
	require.Equal(t, []string{"Ada Larkspur", "Ada Larkspur"}, got)
	price, quote, got = unlock(ada, "", `{`+all+`,"tier":"complete"}`)
	require.Equal(t, []any{2.0, 2.0}, []any{price, quote}, "four of six persons; Larkspur and Fernley are owned at each of their managers")
	require.Len(t, got, 7)
	price, quote, got = unlock(test, "", `{`+all+`,"tier":"complete"}`)
	require.Equal(t, []any{0.0, 0.0}, []any{price, quote})
	require.Len(t, got, 7)
	for _, name := range got {
		require.NotContains(t, strings.Join(append(names, "QUILL"), " "), strings.ToUpper(name[strings.LastIndex(name, " ")+1:]), "invented")
	}
	uid, _ := ids(t, b.host.Do(t, httpapitest.Scenario{Path: "/v1/gps/900102/team?function=coo", As: ada}).Body)
	b.Suppress(t, uid[0])
	clear(b.owned)
	price, quote, got = unlock(&auth.Principal{Kind: auth.Session, UserID: 8}, "", `{"crds":["900102"],"tier":"complete"}`)
	require.Equal(t, []any{1.0, 1.0}, []any{price, quote}, "one of three persons is suppressed")
	require.Equal(t, []string{"Ada Larkspur", "Olaf Birch"}, got)

	before := b.meter.Spent(7)
	many := make([]string, 101)
	for i := range many {
		many[i] = strconv.Quote(strconv.Itoa(900101 + i))
	}
	for body, want := range map[string]struct {
		status int
		says   string
	}{
		`{"crds":["900101","900999"],"tier":"complete"}`:                   {404, "900999"},
		`{"crds":["900101"],"tier":"complete","functions":["boss"]}`:       {400, "functions"},
		`{"crds":["900101"],"tier":"complete","functions":[]}`:             {400, "functions"},
		`{"crds":["900101"],"tier":"custom"}`:                              {400, "tier"},
		`{"crds":["900101"]}`:                                              {400, "tier"},
		`{"crds":[],"tier":"senior"}`:                                      {400, "crds"},
		`{"tier":"senior"}`:                                                {400, "crds"},
		`{"crds":["0900101"],"tier":"senior"}`:                             {400, "crds[0]"},
		`{"crds":["900101","900101"],"tier":"senior"}`:                     {400, "crds[1]"},
		`{"crds":["900101"],"tier":"senior","max_per_firm":0}`:             {400, "max_per_firm"},
		`{"crds":["900101"],"tier":"senior","count":1}`:                    {400, "count"},
		`{"crds":[` + strings.Join(many, ",") + `],"tier":"senior"}`:       {400, "crds"},
		`{"crds":["900101"],"tier":"complete","functions":["cfo","cfoo"]}`: {400, "cfo"},
	} {
		b.host.Do(t, httpapitest.Scenario{Method: "POST", Path: "/v1/people/unlock", Body: body, As: ada, Status: want.status, Contains: []string{want.says}, WantHeader: map[string]string{"X-Charge": "0.00"}})
	}
	require.Equal(t, before, b.meter.Spent(7))
	b.host.Do(t, httpapitest.Scenario{Method: "POST", Path: "/v1/people/unlock", Body: `{"crds":["900101"],"tier":"senior"}`, Status: 401})
	// functions narrow the tiers of one team as well.
	one := b.host.Do(t, httpapitest.Scenario{Method: "POST", Path: "/v1/gps/900101/team/unlock", Body: `{"tier":"complete","functions":["coo","ceo"]}`, As: ada})
	_, got = ids(t, one.Body)
	require.Equal(t, []string{"Theo Mossgate", "Bram Quill"}, got)
	b.host.Do(t, httpapitest.Scenario{Method: "POST", Path: "/v1/gps/900101/team/unlock", Body: `{"tier":"complete","functions":["x"]}`, As: ada, Status: 400, Contains: []string{"functions"}})
}
