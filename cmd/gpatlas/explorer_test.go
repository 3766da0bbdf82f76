package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"encoding/xml"
	"html"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/console"
	"gpatlas/platform/testkit/browser"
	"gpatlas/platform/testkit/dbtest"
)

// explored are pages of the explorer on the sample.
var explored = []string{
	"/", "/gps", "/gps?strategy=venture&sort=aum&order=desc&page=2", "/gps/" + shownGP, "/gps/" + shownGP + "?as_of=2025-06-01&plot=employee_count",
	"/funds", "/funds?cols=fund_id,3c7,auditor", "/funds/" + shownFund, "/filings", "/filings?form_type=ADV-W", "/changes?from=oldest", "/gps?q=zzzz&state=NY",
	"/map", "/status", "/market", "/market/growth", "/market/providers", "/market/provider-changes", "/people", "/lps", "/people?q=linara+uldrigard",
	"/gps/" + shownGP + "/compare", "/gps/" + shownGP + "/team", "/gps/" + shownGP + "/filings/ADV-998243-809744",
}

// pictured are the pages that README shows, with the names of the pictures.
var pictured = map[string]string{"/gps?strategy=venture&sort=aum&order=desc&page=2": "managers", "/gps/" + shownGP: "manager"}

// TestExplorer starts one service with the sample for the pages about managers, funds and filings.
func TestExplorer(t *testing.T) {
	t.Parallel()
	h := startHouse(t, sampleDB.NewURL(t), dbtest.RedisURL(t), "ANONYMOUS_LIMITS=off")
	for name, run := range map[string]func(*testing.T, *house){
		"pages equal the API": pagesEqualAPI, "links": exploredLinks, "refusals": exploredRefusals, "browser": exploreInBrowser, "purchases": soldOnPages, "feed": filingsFeed,
		"bytes": exploredBytes,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			run(t, h)
		})
	}
}

func openPage(t *testing.T, h *house, path string) answer {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, h.base+path, http.NoBody)
	require.NoError(t, err)
	req.Header.Set("Accept", "text/html")
	return newVisitor(t, h).do(req)
}

func rows(t *testing.T, h *house, path string) []map[string]any {
	t.Helper()
	status, body := get(t, h.base+path)
	require.Equal(t, http.StatusOK, status, path)
	var list struct{ Data []map[string]any }
	decoder := json.NewDecoder(strings.NewReader(body))
	decoder.UseNumber()
	require.NoError(t, decoder.Decode(&list), path)
	require.NotEmpty(t, list.Data)
	return list.Data
}

// Guarantee: a page states what the operations of the API return: lists row by row, and the figures of each manager to the dollar.
func pagesEqualAPI(t *testing.T, h *house) {
	t.Helper()
	list := rows(t, h, "/v1/gps?per_page=25&page=3&sort=aum&order=desc")
	page := openPage(t, h, "/gps?page=3&sort=aum&order=desc")
	require.Equal(t, http.StatusOK, page.status)
	require.Contains(t, page.body, "/v1/gps?facet_limit=12")
	shown := regexp.MustCompile(`<td class="name"><a href="/gps/(\d+)">([^<]+)</a></td>.*?<td class="number">([^<]+)</td>`).FindAllStringSubmatch(page.body, -1)
	require.Len(t, shown, len(list))
	for i, row := range list {
		require.Equal(t, []string{console.Plain(row["crd"]), console.Plain(row["legal_name"]), console.Money(row["total_aum"])}, []string{shown[i][1], html.UnescapeString(shown[i][2]), shown[i][3]})
	}
	several := slices.Concat(rows(t, h, "/v1/gps?per_page=100"), rows(t, h, "/v1/gps?per_page=100&page=2")) // 200 managers, by name
	for _, row := range several {
		crd := console.Plain(row["crd"])
		var page string
		require.Eventually(t, func() bool { // a panel may be late on a busy machine
			page = html.UnescapeString(openPage(t, h, "/gps/"+crd).body)
			return !strings.Contains(page, `class="late"`)
		}, patience, glance, crd)
		status, body := get(t, h.base+"/v1/gps/"+crd)
		require.Equal(t, http.StatusOK, status)
		var detail struct{ Data map[string]any }
		decoder := json.NewDecoder(strings.NewReader(body))
		decoder.UseNumber()
		require.NoError(t, decoder.Decode(&detail))
		require.Contains(t, page, "<h1>"+console.Plain(detail.Data["legal_name"])+"</h1>")
		for _, member := range []string{"total_aum", "total_gav", "net_gav"} {
			if detail.Data[member] != nil {
				require.Contains(t, page, console.Dollars(detail.Data[member])+", ", "%s of %s", member, crd)
			}
		}
		for _, fund := range rowsOrNone(t, h, "/v1/gps/"+crd+"/funds?per_page=100") {
			require.Contains(t, page, ">"+console.Plain(fund["name"])+"</a>", crd)
		}
	}
}

// Guarantee: a page is small: 25 kB compressed for a manager, 20 for a list, 15 for others, and 8 and 6 for all styles and scripts.
func exploredBytes(t *testing.T, h *house) {
	t.Helper()
	size := func(body string) int {
		var b bytes.Buffer
		w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
		require.NoError(t, err)
		_, err = w.Write([]byte(body))
		require.NoError(t, err)
		require.NoError(t, w.Close())
		return b.Len()
	}
	type kind struct {
		paths *regexp.Regexp
		most  int
	}
	kinds := []kind{{regexp.MustCompile(`^/gps/\d+(\?|$)`), 25_000}, {regexp.MustCompile(`^/(gps|funds|filings|people|lps)(\?|$)`), 20_000}, {regexp.MustCompile(`^/`), 15_000}}
	for _, path := range explored {
		page := openPage(t, h, path)
		i := slices.IndexFunc(kinds, func(k kind) bool { return k.paths.MatchString(path) })
		require.LessOrEqual(t, size(page.body), kinds[i].most, path)
	}
	assets := regexp.MustCompile(`(?:href|src)="(/assets/[^"]+\.(css|js))"`).FindAllStringSubmatch(openPage(t, h, "/gps").body, -1)
	require.Len(t, assets, 2)
	for _, a := range assets {
		require.LessOrEqual(t, size(openPage(t, h, a[1]).body), map[string]int{"css": 8_000, "js": 6_000}[a[2]], a[1])
	}
}

func rowsOrNone(t *testing.T, h *house, path string) []map[string]any {
	t.Helper()
	status, body := get(t, h.base+path)
	require.Equal(t, http.StatusOK, status, path)
	var list struct{ Data []map[string]any }
	require.NoError(t, json.Unmarshal([]byte(body), &list))
	return list.Data
}

// Guarantee: every link of ours on these pages leads to a page or an answer.
func exploredLinks(t *testing.T, h *house) {
	t.Helper()
	href := regexp.MustCompile(`href="(/[^"]*)"`)
	var links []string
	for _, path := range explored {
		page := openPage(t, h, path)
		require.Equal(t, http.StatusOK, page.status, path)
		for _, m := range href.FindAllStringSubmatch(page.body, -1) {
			links = append(links, html.UnescapeString(m[1]))
		}
	}
	slices.Sort(links)
	links = slices.Compact(links)
	require.Greater(t, len(links), 100)
	for i := 0; i < len(links); i += 1 + len(links)/120 {
		require.Less(t, openPage(t, h, links[i]).status, http.StatusBadRequest, links[i])
	}
}

// Guarantee: what the API refuses, a page refuses with its sentence. Text that is searched for is text on the page.
func exploredRefusals(t *testing.T, h *house) {
	t.Helper()
	for path, want := range map[string]struct {
		status int
		text   string
	}{
		"/gps/1":                                {http.StatusNotFound, "GP with CRD 1 not found"},
		"/gps/x%20y":                            {http.StatusBadRequest, "Invalid crd"},
		"/gps?strategy=bogus":                   {http.StatusBadRequest, "is not a strategy"},
		"/gps?bogus=1":                          {http.StatusBadRequest, "Invalid bogus: unknown parameter"},
		"/gps/" + shownGP + "?as_of=2001-01-01": {http.StatusNotFound, "2001-01-01"},
		"/funds/805-0000000001":                 {http.StatusNotFound, "not found"},
	} {
		page := openPage(t, h, path)
		require.Equal(t, want.status, page.status, path)
		require.Contains(t, html.UnescapeString(page.body), want.text, path)
	}
	page := openPage(t, h, "/gps?q=%3Cscript%3Ealert(1)%3C/script%3E%22")
	require.Equal(t, http.StatusOK, page.status)
	require.NotContains(t, page.body, "<script>")
	require.Contains(t, page.body, `value="&lt;script&gt;`)
}

// Guarantee: the pages can be used without seeing them, in light and dark, wide and narrow, and break no policy. Typing shows results; without
// scripts the button does.
func exploreInBrowser(t *testing.T, h *house) {
	t.Helper()
	b := browser.Start(t)
	for _, o := range []browser.Options{{}, {Width: 390, Height: 844, Dark: true}, {Width: 320, Height: 640, NoScript: true}} {
		tab := b.Tab(t, o)
		name := map[bool]string{false: "light", true: "dark"}[o.Dark] + map[int64]string{390: "-390", 320: "-320"}[o.Width]
		for i, path := range explored {
			tab.Open(h.base + path)
			if !o.NoScript {
				require.Empty(t, inaccessible(tab), "%s, %s", path, name)
			}
			require.LessOrEqual(t, browser.Eval[int](tab, "document.documentElement.scrollWidth"), browser.Eval[int](tab, "window.innerWidth"), "%s, %s", path, name)
			require.Empty(t, tab.Faults(), "%s, %s", path, name)
			shot(tab, "explorer-"+string(rune('a'+i))+"-"+name)
			if pictured[path] != "" && name == "light" {
				picture(tab.View, pictured[path])
			}
		}
	}
	for _, noScript := range []bool{true, false} {
		tab := b.Tab(t, browser.Options{NoScript: noScript})
		tab.Open(h.base + "/gps")
		status := func() string { // in one step: the element may be replaced between two
			return browser.Eval[string](tab, `document.querySelector("#results [role=status]")?.textContent ?? ""`)
		}
		tab.Type("#q", "aldrinmead rowan")
		if noScript {
			tab.Click("form.filter button")
		}
		require.Eventually(t, func() bool { return status() == "1 manager" }, patience, patience/1000)
		require.Contains(t, tab.Text("#results tbody"), "ALDRINMEAD ROWAN")
		require.Contains(t, browser.Eval[string](tab, `document.querySelector("#side a").href`), "q=aldrinmead", "the filters are those of the search")
		require.Empty(t, tab.Faults())
	}
}

// Guarantee: the newest filings are an Atom feed with the filters of their page, whose links lead to pages.
func filingsFeed(t *testing.T, h *house) {
	t.Helper()
	feed := openPage(t, h, "/filings.atom?form_type=ADV-W")
	require.Equal(t, http.StatusOK, feed.status, feed.body)
	require.Equal(t, "application/atom+xml; charset=utf-8", feed.header.Get("Content-Type"))
	var read struct {
		Updated string `xml:"updated"`
		Entries []struct {
			ID    string `xml:"id"`
			Title string `xml:"title"`
			Link  struct {
				Href string `xml:"href,attr"`
			} `xml:"link"`
		} `xml:"entry"`
	}
	require.NoError(t, xml.Unmarshal([]byte(feed.body), &read))
	list := rows(t, h, "/v1/filings?form_type=ADV-W")
	require.Len(t, read.Entries, len(list))
	for i, row := range list {
		require.Equal(t, "urn:gpatlas:filing:"+console.Plain(row["crd"])+":"+console.Plain(row["accession_number"]), read.Entries[i].ID)
		require.Equal(t, console.Plain(row["gp_name"])+": ADV-W", read.Entries[i].Title)
	}
	at := strings.Index(read.Entries[0].Link.Href, "/gps/")
	require.Equal(t, http.StatusOK, openPage(t, h, read.Entries[0].Link.Href[at:]).status)
}
