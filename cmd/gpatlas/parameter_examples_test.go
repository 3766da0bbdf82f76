package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gpatlas/platform/httpapi"
)

var proseExample = regexp.MustCompile("For example `([^`]+)`")

// TestParameterExamplesFind sends each example that the descriptions of query parameters name, one at a time, to a service with
// the sample as it is right after start. An example that needs a step before names it; the test takes the steps for all. Lists of
// an account, which start empty, and those of administrators are left out.
func TestParameterExamplesFind(t *testing.T) {
	t.Parallel()
	tr := sampleHouse(t)
	ada := tr.house.signUp(t, "ada@mossgate.example")
	tr.house.verify(t, ada)
	enriched := ada.call(http.MethodPost, "/v1/gps/"+shownGP+"/enrich", `{"async_mode":false}`)
	require.Equal(t, http.StatusOK, enriched.status, enriched.body)
	tries := 0
	for id, r := range tr.routes {
		op := r.Operation
		if op.Method != http.MethodGet || r.Access == httpapi.Admin || r.Access == httpapi.Signature || strings.HasPrefix(op.Path, "/v1/me/") || op.Tags[0] == "Usage" || op.Tags[0] == "API keys" || slices.Contains(absent, id) || id == "list-changes" { // the log of the sample has one event
			continue
		}
		path, needed := op.Path, url.Values{}
		for _, p := range op.Parameters {
			switch {
			case p.In == "path":
				path = strings.Replace(path, "{"+p.Name+"}", fmt.Sprint(p.Example), 1)
			case p.In == "query" && p.Required:
				needed.Set(p.Name, fmt.Sprint(p.Example))
			}
		}
		who := tr.callers[""]
		for i, p := range op.Parameters {
			named := proseExample.FindStringSubmatch(p.Description)
			if p.In != "query" || named == nil {
				continue
			}
			if r.Access != httpapi.Public && i%5 == 0 || who.token == "" && r.Access != httpapi.Public { // of a limit by account
				member := tr.house.signUp(t, fmt.Sprintf("%s-%d@mossgate.example", id, i))
				tr.house.verify(t, member)
				who = member.caller
			}
			tries++
			if p.Example != nil {
				assert.Equal(t, fmt.Sprint(p.Example), named[1], "%s: the example of %s", id, p.Name)
			}
			query := url.Values{}
			for name := range needed {
				query.Set(name, needed.Get(name))
			}
			query.Set(p.Name, named[1])
			if p.Name == "min_aum_before" && id != "search-growth" { // which needs a horizon
				query.Set("min_aum_growth_1y", "-100")
			}
			got := who.call(op.Method, path+"?"+query.Encode(), "")
			assert.True(t, got.status == http.StatusOK && finds(t, got.body), "%s: %s?%s finds nothing: %d %.300s", id, path, query.Encode(), got.status, got.body)
		}
	}
	require.Greater(t, tries, 90)
}

// finds reports whether an answer has a row: data, or else the answer, is a list with one or an object whose lists are not all empty.
func finds(t *testing.T, body string) bool {
	t.Helper()
	var got map[string]any
	require.NoError(t, json.Unmarshal([]byte(body), &got), body)
	if list, ok := got["data"].([]any); ok {
		return len(list) > 0
	}
	if inner, ok := got["data"].(map[string]any); ok {
		got = inner
	}
	lists, rows := 0, 0
	for _, field := range got {
		if list, ok := field.([]any); ok {
			lists, rows = lists+1, rows+len(list)
		}
	}
	return lists == 0 || rows > 0
}
