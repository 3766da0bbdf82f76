package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/testkit/browser"
	"gpatlas/platform/testkit/dbtest"
)

// served is the part of the OpenAPI document that a reference page needs for a first try.
type served struct {
	Paths map[string]map[string]struct {
		Tags       []string
		Security   []map[string][]string
		Parameters []struct {
			Name, In string
			Required bool
			Example  any
			Examples map[string]any
			Schema   struct {
				Default, Example any
				Examples         []any
			}
		}
	}
}

// Guarantee: whoever fills in only what must be filled in, with the document's own examples, gets rows from every data operation;
// no optional parameter has an example that a page would send.
func TestFirstTry(t *testing.T) {
	t.Parallel()
	h := startHouse(t, sampleDB.NewURL(t), dbtest.RedisURL(t), "ANONYMOUS_LIMITS=off")
	anybody := caller{t: t, base: h.base}
	var document served
	require.NoError(t, json.Unmarshal([]byte(anybody.call(http.MethodGet, "/openapi.json", "").body), &document))
	tried := 0
	for template, operations := range document.Paths {
		op, ok := operations["get"]
		if !ok || len(op.Security) == 0 || len(op.Security[0]) > 0 || template == "/v1/changes" {
			continue // needs a credential, is about the service, or begins now
		}
		path, query := template, url.Values{}
		for _, p := range op.Parameters {
			if !p.Required {
				require.Nil(t, p.Example, "%s %s", template, p.Name)
				require.Empty(t, p.Examples, "%s %s", template, p.Name)
				require.Empty(t, p.Schema.Examples, "%s %s", template, p.Name)
				continue
			}
			require.NotNil(t, p.Example, "%s %s", template, p.Name)
			if p.In == "path" {
				path = strings.ReplaceAll(path, "{"+p.Name+"}", url.PathEscape(fmt.Sprint(p.Example)))
			} else {
				query.Set(p.Name, fmt.Sprint(p.Example))
			}
		}
		if len(query) > 0 {
			path += "?" + query.Encode()
		}
		got := anybody.call(http.MethodGet, path, "")
		require.Equal(t, http.StatusOK, got.status, "%s: %s", path, got.body)
		require.True(t, hasRows(t, got.body), "%s: %s", path, got.body)
		tried++
	}
	require.GreaterOrEqual(t, tried, 20)
}

// hasRows reports whether an answer shows something: every list at its top has an item, and there is a list or an object.
func hasRows(t *testing.T, body string) bool {
	t.Helper()
	var answer map[string]json.RawMessage
	require.NoError(t, json.Unmarshal([]byte(body), &answer))
	data, ok := answer["data"]
	if !ok {
		data = json.RawMessage(body)
	}
	var list []any
	if json.Unmarshal(data, &list) == nil {
		return len(list) > 0
	}
	var object map[string]any
	require.NoError(t, json.Unmarshal(data, &object))
	for _, value := range object {
		switch v := value.(type) {
		case nil:
		case []any:
			if len(v) > 0 {
				return true
			}
		case map[string]any:
			if len(v) > 0 {
				return true
			}
		default:
			return true
		}
	}
	return false
}

// quickly is how long the request of a first try may take, in milliseconds as the browser measures it.
const quickly = 5000

// Guarantee: the reference loads without a fault in the console, which is where the page's policy reports what it refuses; it names
// the data before administration; it marks what needs a credential; the first click on "Test Request" and "Send" gives rows.
func TestReferenceInBrowser(t *testing.T) {
	t.Parallel()
	b := browser.Start(t)
	h := startHouse(t, sampleDB.NewURL(t), dbtest.RedisURL(t))
	for name, o := range map[string]browser.Options{"light": {Width: 1400, Height: 900}, "dark": {Width: 1400, Height: 900, Dark: true}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tab := b.Tab(t, o)
			soon := func(condition string) {
				t.Helper()
				require.Eventually(t, func() bool { return browser.Eval[bool](tab, condition) }, patience, 10*glance, condition)
			}
			tab.Open(h.base + "/docs#tag/fund-managers/GET/v1/gps")
			soon(buttons("Test Request") + ".length > 0")
			require.Equal(t, o.Dark, browser.Eval[bool](tab, `document.body.classList.contains("dark-mode")`))
			side := browser.Eval[string](tab, `document.querySelector("aside, nav, .t-doc__sidebar").innerText`)
			last := -1
			for _, tag := range []string{"Fund managers", "Funds", "Search", "Accounts", "Administration"} {
				at := strings.Index(side, "Group - "+tag+"\n")
				require.Greater(t, at, last, "%s in %s", tag, side)
				last = at
			}
			require.True(t, browser.Eval[bool](tab, section("GET/v1/gps")+`.innerText.includes("Auth Optional")`))
			shot(tab, "docs-"+name)
			if o.Dark { // the colors alone differ
				require.Empty(t, tab.Faults())
				return
			}
			browser.Eval[any](tab, buttons("Curl")+"[0].click()")
			soon(`["TypeScript", "Go", "Fetch", "Requests", "Curl"].every(n => document.body.innerText.includes(n)) && document.querySelectorAll("[role=option]").length === 5`)
			browser.Eval[any](tab, `[...document.querySelectorAll("[role=option]")].find(e => e.innerText.includes("TypeScript")).click()`)
			soon(section("GET/v1/gps") + `.innerText.includes("openapi-typescript")`)

			browser.Eval[any](tab, buttons("Test Request")+"[0].click()")
			soon(buttons("Send") + ".length > 0")
			browser.Eval[any](tab, buttons("Send")+"[0].click()")
			soon(`document.body.innerText.includes("200 OK")`)
			soon(`[...document.querySelectorAll(".cm-content")].some(e => (e.scrollIntoView(), e.innerText.includes('"crd"') && e.innerText.includes('"legal_name"')))`) // the editor renders what can be seen
			require.Equal(t, []string{h.base + "/v1/gps"}, browser.Eval[[]string](tab,
				`performance.getEntriesByType("resource").map(e => e.name).filter(n => n.includes("/v1/"))`), "no filter is filled in")
			require.Less(t, browser.Eval[float64](tab, `performance.getEntriesByName(location.origin + "/v1/gps")[0].duration`), float64(quickly))
			require.Empty(t, browser.Eval[[]string](tab,
				`performance.getEntriesByType("resource").map(e => e.name).filter(n => /^https?:/.test(n) && !n.startsWith(location.origin))`))
			shot(tab, "docs-answer")
			require.Empty(t, tab.Faults())

			for anchor, mark := range map[string]string{
				"tag/accounts/POST/v1/auth/login": "", "tag/service/GET/health": "", "tag/api-keys/GET/v1/api-keys": "Auth Required",
			} {
				tab.Open("about:blank")
				tab.Open(h.base + "/docs#" + anchor)
				own := section(anchor[strings.LastIndex(anchor, "/v1/")+1:])
				if !strings.Contains(anchor, "/v1/") {
					own = section("GET/health")
				}
				soon(own + " !== null && " + own + `.innerText.includes("Test Request")`)
				text := browser.Eval[string](tab, own+".innerText")
				if mark == "" {
					require.NotContains(t, text, "Auth ", anchor)
				} else {
					require.Contains(t, text, mark, anchor)
				}
				require.Contains(t, text, "Curl", anchor)
			}
			require.Empty(t, tab.Faults())
		})
	}
}

// buttons are those whose text is the given.
func buttons(text string) string {
	return fmt.Sprintf(`[...document.querySelectorAll("button")].filter(b => b.innerText.includes(%q))`, text)
}

// section is the part of the page about one operation.
func section(path string) string {
	return fmt.Sprintf(`document.querySelector('section[id$=%q]')`, path)
}
