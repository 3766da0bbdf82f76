package web_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/console"
	"gpatlas/platform/module"
	"gpatlas/platform/testkit/clocktest"
	"gpatlas/platform/testkit/httpapitest"
	templates "gpatlas/templates/console"
	"gpatlas/web/webtest"
)

func TestHome(t *testing.T) {
	t.Parallel()
	webtest.Host(t).Do(t, httpapitest.Scenario{Path: "/", WantJSON: `{"service":"gpatlas","name":"GP Atlas","version":"1.1.0","build":"test",
		"links":{"docs":"/docs","openapi":"/openapi.json","llms":"/llms.txt","status":"/status","health":"/health"}}`})
}

// A browser at the root gets the home page. Programs get JSON, also those that take anything.
func TestHomeForBrowsers(t *testing.T) {
	t.Parallel()
	h := webtest.Host(t, module.New("front", module.Part{Pages: []console.Page{{Method: http.MethodGet, Path: "/", Load: func(context.Context, *console.Request) (console.View, error) {
		return console.View{Title: "Home", Body: templates.ErrorPage, Data: "x"}, nil
	}}}}))
	for _, accept := range []string{
		"text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",                                                                         // Firefox, Safari
		"text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7", // Chrome
		"text/html", "application/json;q=0.5, text/html", "text/html, application/json",
	} {
		got := fetch(t, h, "/", "Accept", accept)
		require.Equal(t, 200, got.Status)
		require.Equal(t, "text/html; charset=utf-8", got.Header.Get("Content-Type"))
		require.Contains(t, strings.Join(got.Header.Values("Vary"), ", "), "Accept")
		require.Equal(t, `</v1/legal/terms>; rel="terms-of-service"`, got.Header.Get("Link"))
		require.Contains(t, got.Body, "<h1>Home</h1>")
	}
	for _, accept := range []string{
		"", "*/*", "application/json", "application/*", "application/json, text/plain, */*", "application/json, text/html", "text/html;q=0.5, */*",
		"text/html;q=0.1, application/json", "text/plain", "application/json, text/html;q=0", "\xff,;q",
	} {
		h.Do(t, httpapitest.Scenario{
			Path: "/", Header: map[string]string{"Accept": accept}, Contains: []string{`"service":"gpatlas"`},
			WantHeader: map[string]string{"Location": "", "Vary": "Accept"},
		})
	}
}

// Guarantee: a browser gets a page for an address that does not exist; programs get JSON, and below /v1 everyone does.
func TestUnknownPathForBrowsers(t *testing.T) {
	t.Parallel()
	h, _ := limited(t, plenty)
	const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
	for path, accept := range map[string]string{"/nope": "", "/nope/": "*/*", "/nope?": "application/json, text/html", "/v1/nope": browser, "/v1": browser} {
		h.Do(t, httpapitest.Scenario{
			Path: path, Status: 404, Header: map[string]string{"Accept": accept}, Contains: []string{`{"detail":"There is no ` + strings.TrimSuffix(path, "?")},
			WantHeader: map[string]string{"Content-Type": "application/json"},
		})
	}
	for _, path := range []string{"/nope", "/login/x", "/_internal/metrics", "/v1x", "/about/"} {
		got := fetch(t, h, path, "Accept", browser)
		require.Equal(t, 404, got.Status)
		require.Equal(t, []string{"text/html; charset=utf-8", "no-store"}, []string{got.Header.Get("Content-Type"), got.Header.Get("Cache-Control")})
		require.Contains(t, got.Body, "<h1>Page not found</h1>")
		require.Contains(t, strings.Join(got.Header.Values("Vary"), ", "), "Accept")
	}
	require.Contains(t, fetch(t, h, "/health/", "Accept", browser).Body, "did you mean &#34;/health&#34;?")
	h.Do(t, httpapitest.Scenario{Method: "POST", Path: "/nope", Status: 404, Header: map[string]string{"Accept": browser}, Contains: []string{`{"detail":`}})
}

func TestHealth(t *testing.T) {
	t.Parallel()
	var failure atomic.Pointer[error]
	var asked atomic.Int32
	clock := clocktest.New(webtest.Now.Now())
	options := webtest.Options(t)
	options.Clock = clock
	options.Database = webtest.Ping(func(context.Context) error {
		asked.Add(1)
		if err := failure.Load(); err != nil {
			return *err
		}
		return nil
	})
	app := webtest.App(t, options)
	h := &httpapitest.Host{App: app.Fiber, API: app.API}
	healthy := `{"status":"healthy","service":"gpatlas","version":"1.1.0","build":"test","timestamp":"2026-11-20T12:00:00.000000Z","checks":{"database":"connected"}}`
	for range 3 {
		h.Do(t, httpapitest.Scenario{Path: "/health", WantJSON: healthy, WantHeader: map[string]string{"Cache-Control": "no-store", "ETag": ""}})
	}
	require.EqualValues(t, 1, asked.Load(), "the public check asks the database once a second at most")
	away := errors.New("password authentication failed for hidden")
	failure.Store(&away)
	clock.Move(time.Second)
	h.Do(t, httpapitest.Scenario{
		Path: "/health", Status: 503, NotContains: []string{"hidden"},
		WantHeader: map[string]string{"Retry-After": "5"},
		WantJSON:   `{"status":"unhealthy","service":"gpatlas","version":"1.1.0","build":"test","timestamp":"2026-11-20T12:00:01.000000Z","checks":{"database":"unreachable"}}`,
	})
	failure.Store(nil)
	clock.Move(time.Second)
	h.Do(t, httpapitest.Scenario{Path: "/health"})
	h.Do(t, httpapitest.Scenario{Method: "HEAD", Path: "/health"})
}

func TestHealthWithoutDatabase(t *testing.T) {
	t.Parallel()
	options := webtest.Options(t)
	options.Database = nil
	app := webtest.App(t, options)
	h := &httpapitest.Host{App: app.Fiber, API: app.API}
	h.Do(t, httpapitest.Scenario{Path: "/health", Status: 503, Contains: []string{"unreachable"}})
}

// freshness is a source of the age of the data.
type freshness func() catalogapi.Freshness

func (f freshness) Freshness() catalogapi.Freshness { return f() }

// The status is told from memory, so it works while the database is unavailable.
func TestStatus(t *testing.T) {
	t.Parallel()
	options := webtest.Options(t)
	options.Database = webtest.Ping(func(context.Context) error { panic("the status asked the database") })
	options.Data = freshness(func() catalogapi.Freshness {
		month := time.Date(2026, time.October, 1, 0, 0, 0, 0, time.UTC)
		return catalogapi.Freshness{
			Publication: 12, BuiltAt: webtest.Now.Now().Add(-2 * time.Minute), LatestFilingDate: month.AddDate(0, 0, 30), Advisers: 300, Funds: 1800, ClosedFunds: 200,
			Coverage: []catalogapi.Coverage{{Month: month, Source: "adv_archive", Count: 41}, {Month: month, Source: "roster", Count: 7}},
		}
	})
	app := webtest.App(t, options)
	h := &httpapitest.Host{App: app.Fiber, API: app.API}
	h.Do(t, httpapitest.Scenario{Path: "/status", WantJSON: `{"status":"ready","service":"gpatlas","version":"1.1.0","build":"test","timestamp":"2026-11-20T12:00:00.000000Z",
		"data":{"publication":12,"loaded_at":"2026-11-20T11:58:00.000000Z","age_seconds":120,"latest_filing_date":"2026-10-31","advisers":300,"funds":1800,"closed_funds":200,
		"coverage":[{"month":"2026-10","source":"adv_archive","filings":41},{"month":"2026-10","source":"roster","filings":7}]}}`})
}

func TestStatusBeforeTheFirstCatalog(t *testing.T) {
	t.Parallel()
	webtest.Host(t).Do(t, httpapitest.Scenario{Path: "/status", Contains: []string{
		`"status":"loading"`, `"loaded_at":null,"age_seconds":null,"latest_filing_date":null`, `"coverage":[]`,
	}})
}
