package export_test

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/internal/export"
	"gpatlas/modules/catalog/internal/fund"
	"gpatlas/modules/catalog/internal/gp"
	"gpatlas/modules/catalog/internal/history"
	"gpatlas/modules/catalog/internal/index"
	"gpatlas/modules/catalog/internal/offering"
	"gpatlas/modules/catalog/internal/testkit/fixture"
	"gpatlas/platform/auth"
	"gpatlas/platform/testkit/httpapitest"
)

var ada = &auth.Principal{Kind: auth.Session, UserID: 7, Plan: "enterprise"}

func newHost(tb testing.TB, sold bool) (*httpapitest.Host, *fixture.Catalog, *export.Service) {
	tb.Helper()
	c := fixture.New(tb)
	service, filed := export.NewService(c.Index, c.DB, c.Clock, sold), history.NewStore(c.DB)
	routes := append(export.Routes(service), gp.Routes(gp.NewService(c.Index, filed, nil, c.Clock))...)
	routes = append(routes, offering.Routes(offering.NewService(c.DB, filed, c.Clock))...)
	return httpapitest.New(tb, append(routes, fund.Routes(fund.NewService(c.Index, filed, nil, c.Clock))...)...), c, service
}

func ask(t *testing.T, host *httpapitest.Host, body string) httpapitest.Response {
	t.Helper()
	return host.Do(t, httpapitest.Scenario{Method: http.MethodPost, Path: "/v1/export/csv", Body: body, As: ada})
}

// listed are the rows of the search's pages, as JSON has them.
func listed(t *testing.T, host *httpapitest.Host, path string, query url.Values) (rows []map[string]any) {
	t.Helper()
	for offset := 0; ; offset += 3 {
		query.Set("limit", "3")
		query.Set("offset", strconv.Itoa(offset))
		got := host.Do(t, httpapitest.Scenario{Path: path + "?" + query.Encode()})
		var body struct{ Data []map[string]any }
		decoder := json.NewDecoder(strings.NewReader(got.Body))
		decoder.UseNumber()
		require.NoError(t, decoder.Decode(&body))
		if rows = append(rows, body.Data...); len(body.Data) < 3 {
			return rows
		}
	}
}

// parse reads CSV by the grammar of RFC 4180 and nothing else, for a second opinion beside encoding/csv.
func parse(t *testing.T, text string) (rows [][]string) {
	t.Helper()
	for text != "" {
		var row []string
		for end := false; !end; {
			var cell string
			if strings.HasPrefix(text, `"`) {
				text = text[1:]
				for {
					part, rest, ok := strings.Cut(text, `"`)
					require.True(t, ok, "a quote is not closed")
					cell, text = cell+part, rest
					if !strings.HasPrefix(text, `"`) {
						break
					}
					cell, text = cell+`"`, text[1:]
				}
			} else {
				at := strings.IndexAny(text, ",\r\n\"")
				require.GreaterOrEqual(t, at, 0, "the last line has no end")
				cell, text = text[:at], text[at:]
			}
			row = append(row, cell)
			if end = strings.HasPrefix(text, "\r\n"); end {
				text = text[2:]
				continue
			}
			require.True(t, strings.HasPrefix(text, ","), "after a cell: %.20q", text)
			text = text[1:]
		}
		rows = append(rows, row)
	}
	return rows
}

// Guarantee: an export is the pages of the search, joined, cell by cell, in both formats, for any filters and order.
func TestExportIsThePagesJoined(t *testing.T) {
	t.Parallel()
	host, _, _ := newHost(t, false)
	for _, c := range []struct {
		of      string
		filters map[string]any
		sort    string
		desc    bool
	}{
		{"gps", nil, "", false},
		{"gps", nil, "aum", true},
		{"gps", map[string]any{"q": "harbor"}, "", false},
		{"gps", map[string]any{"min_aum": 80_000_000, "has_funds": true}, "employees", false},
		{"gps", map[string]any{"strategy": "PE"}, "name", true},
		{"gps", map[string]any{"city": "São Paulo"}, "", false},
		{"funds", nil, "", false},
		{"funds", map[string]any{"status": "closed"}, "gav", true},
		{"funds", map[string]any{"is_3c7": true, "min_vintage": 2000}, "vintage_year", false},
		{"funds", map[string]any{"q": "nobody"}, "", false},
	} {
		query, request := url.Values{}, map[string]any{"type": c.of, "filters": c.filters}
		for name, v := range c.filters {
			query.Set(name, fmt.Sprint(v))
		}
		if c.filters == nil {
			delete(request, "filters")
		}
		if c.sort != "" {
			query.Set("sort", c.sort)
			request["sort"] = c.sort
		}
		if c.desc {
			query.Set("order", "desc")
			request["order"] = "desc"
		}
		want := listed(t, host, "/v1/"+c.of, query)
		body, err := json.Marshal(request)
		require.NoError(t, err)
		got := ask(t, host, string(body))
		require.Equal(t, strconv.Itoa(len(want)), got.Header.Get("X-Total-Count"))
		require.Equal(t, "false", got.Header.Get("X-Truncated"))
		require.Equal(t, "text/csv; charset=utf-8; header=present", got.Header.Get("Content-Type"))
		rows, err := csv.NewReader(strings.NewReader(got.Body)).ReadAll()
		require.NoError(t, err)
		require.Equal(t, rows, parse(t, got.Body), "two readers")
		require.Len(t, rows, len(want)+1, "%v", request)
		for i, row := range rows[1:] {
			for k, name := range rows[0] {
				value, cell := want[i][name], ""
				if value != nil {
					cell = fmt.Sprint(value)
				}
				require.Equal(t, cell, row[k], "%s of row %d of %v", name, i, request)
			}
		}

		request["format"] = "ndjson"
		body, err = json.Marshal(request)
		require.NoError(t, err)
		lines := strings.Split(strings.TrimSuffix(ask(t, host, string(body)).Body, "\n"), "\n")
		if len(want) == 0 {
			require.Equal(t, []string{""}, lines)
			continue
		}
		require.Len(t, lines, len(want))
		for i, line := range lines {
			decoder, row := json.NewDecoder(strings.NewReader(line)), map[string]any{}
			decoder.UseNumber()
			require.NoError(t, decoder.Decode(&row))
			for name, value := range row {
				require.Equal(t, want[i][name], value, name)
			}
			require.Len(t, row, len(rows[0]))
		}
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	host, _, _ := newHost(t, true)
	post := func(name, body string, status int, contains ...string) httpapitest.Scenario {
		return httpapitest.Scenario{Name: name, Method: http.MethodPost, Path: "/v1/export/csv", Body: body, As: ada, Status: status, Contains: contains}
	}
	anonymous := post("nobody", `{"type":"gps"}`, 401)
	anonymous.As = nil
	free := post("a free plan", `{"type":"gps"}`, 403, "pro (1,000 rows)", "enterprise (10,000 rows)", "Your plan is free")
	free.As = &auth.Principal{Kind: auth.Session, UserID: 8, Plan: auth.PlanFree}
	starter := post("a starter plan", `{"type":"gps"}`, 403, "Your plan is starter")
	starter.As = &auth.Principal{Kind: auth.Session, UserID: 8, Plan: "starter"}
	host.Run(t, []httpapitest.Scenario{
		anonymous, free, starter,
		post("no type", `{}`, 400, "type"),
		post("another type", `{"type":"people"}`, 400, "type", "gps"),
		post("another format", `{"type":"gps","format":"xlsx"}`, 400, "format", "ndjson"),
		post("an unknown field", `{"type":"gps","fields":["crd","total_aums"]}`, 400, "fields[1]", "total_aum", "latest_filing_date"),
		post("a field twice", `{"type":"gps","fields":["crd","crd"]}`, 400, "fields[1]", "stands twice"),
		post("a field of the other type", `{"type":"funds","fields":["total_aum"]}`, 400, "fields[0]", "gross_asset_value"),
		post("an unknown filter", `{"type":"gps","filters":{"statee":"MA"}}`, 400, "filters.statee", "state"),
		post("a filter of the other type", `{"type":"funds","filters":{"min_aum":1}}`, 400, "filters.min_aum"),
		post("a filter of another JSON type", `{"type":"gps","filters":{"min_aum":"much"}}`, 400, "filters.min_aum"),
		post("a value that does not exist", `{"type":"gps","filters":{"strategy":"byout"}}`, 400, "filters.strategy", "buyout"),
		post("paging", `{"type":"gps","filters":{"limit":5,"sort":"aum"}}`, 400, "filters.limit", "filters.sort", "beside filters"),
		post("a past day", `{"type":"gps","filters":{"as_of":"2025-06-30"}}`, 400, "filters.as_of", "of today"),
		post("an unknown sort", `{"type":"gps","sort":"gav"}`, 400, "sort"),
		post("a misspelled order", `{"type":"gps","order":"down"}`, 400, "order", "desc"),
		post("an unknown member", `{"type":"gps","limit":5}`, 400, "limit"),
	})
}

// big is an index of as many invented managers, two of which have names that spreadsheets would run.
func big(n int) *index.Snapshot {
	list := make([]index.GP, n)
	for i := range list {
		list[i] = index.GP{CRD: strconv.Itoa(900_000 + i), LegalName: fmt.Sprintf("Alder %05d LLC", i), TotalAUM: int64(i), CanonicalID: int64(i)}
	}
	return index.Build(list, nil, index.Freshness{Publication: 3})
}

// Each plan has its number of rows, and the headers say what was cut off.
func TestRowsByPlan(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		plan             string
		sold             bool
		have, want, most int
	}{
		{"pro", true, 1000, 1000, 1000},
		{"pro", true, 1001, 1000, 1000},
		{"enterprise", true, 10_001, 10_000, 10_000},
		{"enterprise", true, 1001, 1001, 10_000},
		{"free", false, 10_001, 10_000, 10_000},
	} {
		host, catalog, _ := newHost(t, c.sold)
		catalog.Index.Swap(big(c.have))
		as := &auth.Principal{Kind: auth.Session, UserID: 7, Plan: c.plan}
		got := host.Do(t, httpapitest.Scenario{Method: http.MethodPost, Path: "/v1/export/csv", Body: `{"type":"gps","fields":["crd"]}`, As: as})
		require.Equal(t, c.want+1, strings.Count(got.Body, "\r\n"), "%+v", c)
		require.Equal(t, strconv.Itoa(c.have), got.Header.Get("X-Total-Count"))
		require.Equal(t, strconv.FormatBool(c.have > c.want), got.Header.Get("X-Truncated"))
		require.Equal(t, "3", got.Header.Get("X-Snapshot"))
		require.Regexp(t, `^attachment; filename="gpatlas-gps-\d{4}-\d\d-\d\d\.csv"$`, got.Header.Get("Content-Disposition"))
		host.Do(t, httpapitest.Scenario{Path: "/v1/export/fields", As: as, Contains: []string{fmt.Sprintf(`"max_rows":%d`, c.most)}})
	}
}

// Texts that a spreadsheet would run as a formula are made harmless; numbers are left alone, also negative ones.
func TestFormulas(t *testing.T) {
	t.Parallel()
	host, catalog, _ := newHost(t, false)
	hostile := []string{"=1+1", "+1", "-Alpha", "@SUM(A1)", "\tx", "\rx", "＝1", "－1", `=HYPERLINK("http://x","y")`, "\u200b=1+1", " =1", "\u00a0+1", "\ufeff\u202e@SUM(A1)", "\u00ad-1", "\u3164=1"}
	harmless := []string{"Alpha-Beta", "O'Neil", "a=b", "1+1", `say "no"`, "a,b", "two\nlines", "é", "'quoted"}
	var list []index.GP
	for i, name := range append(append([]string{}, hostile...), harmless...) {
		list = append(list, index.GP{CRD: strconv.Itoa(900_000 + i), LegalName: name, TotalAUM: -5 - int64(i), CanonicalID: 1})
	}
	catalog.Index.Swap(index.Build(list, nil, index.Freshness{}))
	got := ask(t, host, `{"type":"gps","fields":["legal_name","total_aum"]}`)
	seen := map[string]string{}
	for _, row := range parse(t, got.Body)[1:] {
		seen[row[0]] = row[1]
	}
	for i, name := range hostile {
		require.Equal(t, strconv.Itoa(-5-i), seen["'"+strings.ReplaceAll(name, "\r", "")], "%q", name)
	}
	for i, name := range harmless {
		require.Equal(t, strconv.Itoa(-5-len(hostile)-i), seen[strings.ReplaceAll(name, "\n", "\r\n")], "%q", name)
	}
	exact := ask(t, host, `{"type":"gps","fields":["legal_name"],"format":"ndjson"}`)
	require.Contains(t, exact.Body, `{"legal_name":"=1+1"}`)
}

// A new index while a file is written changes nothing in it.
func TestOneSnapshot(t *testing.T) {
	t.Parallel()
	_, catalog, service := newHost(t, false)
	catalog.Index.Swap(big(50))
	file, err := service.Export(t.Context(), ada, &export.Request{Type: "gps"})
	require.NoError(t, err)
	catalog.Index.Swap(big(0))
	var out bytes.Buffer
	require.NoError(t, file.Write(bufio.NewWriter(&out)))
	require.Equal(t, 51, strings.Count(out.String(), "\r\n"))
}

// Callers who hang up at the first bytes, a hundred times, leave no goroutine behind.
func TestCallersWhoHangUp(t *testing.T) { //nolint:paralleltest // it counts goroutines
	host, catalog, _ := newHost(t, false)
	catalog.Index.Swap(big(10_000))
	ask(t, host, `{"type":"gps"}`) // the host now knows the caller as number 0
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	go func() { _ = host.App.Listener(listener) }()
	t.Cleanup(func() { require.NoError(t, host.App.Shutdown()) })
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	hangUp := func() {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+listener.Addr().String()+"/v1/export/csv", strings.NewReader(`{"type":"gps"}`))
		require.NoError(t, err)
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("X-Httpapitest-Caller", "0")
		response, err := client.Do(request)
		require.NoError(t, err)
		require.Equal(t, http.StatusOK, response.StatusCode)
		_, err = io.CopyN(io.Discard, response.Body, 5000)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
	}
	hangUp()
	before := runtime.NumGoroutine()
	for range 100 {
		hangUp()
	}
	require.Eventually(t, func() bool { return runtime.NumGoroutine() <= before+2 }, time.Minute, 20*time.Millisecond, "goroutines are left")
}

// The history is kept through a deletion and forgotten with the account; another's is not told.
func TestHistory(t *testing.T) {
	t.Parallel()
	host, _, service := newHost(t, false)
	ask(t, host, `{"type":"funds","filters":{"min_gav":1},"fields":["fund_id"]}`)
	require.Empty(t, service.Part().Deleted, "the history stays until the account is purged")
	history := func(userID int64) string {
		kept, err := service.ExportFor(t.Context(), userID)
		require.NoError(t, err)
		text, err := json.Marshal(kept)
		require.NoError(t, err)
		return string(text)
	}
	require.Contains(t, history(ada.UserID), `"filters":{"min_gav":1}`)
	require.Equal(t, "[]", history(8))
	require.NoError(t, service.Part().Purged[0](t.Context(), ada.UserID))
	require.Equal(t, "[]", history(ada.UserID))
}
