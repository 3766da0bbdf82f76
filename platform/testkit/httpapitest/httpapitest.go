// Package httpapitest runs tables of scenarios over declared operations: one row is one promise of the contract. Every JSON
// response is also checked against the operation's own OpenAPI schema.
package httpapitest

import (
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/gofiber/fiber/v2"
	recovery "github.com/gofiber/fiber/v2/middleware/recover"
	"github.com/stretchr/testify/require"

	"gpatlas/platform/auth"
	"gpatlas/platform/charge"
	"gpatlas/platform/httpapi"
)

// Scenario is one request and its expected response.
type Scenario struct {
	Name   string
	Method string // "" = GET
	Path   string // with the query, escaped as it is to be sent
	Header map[string]string
	Body   string
	As     *auth.Principal // the caller; nil = anonymous

	Status      int               // 0 = 200
	WantJSON    string            // the whole body, compared as JSON
	WantHeader  map[string]string // exact values; "" = absent
	Contains    []string          // parts of the body
	NotContains []string
}

// Response is a response.
type Response struct {
	Status int
	Header http.Header
	Body   string
}

// Host is an app and the API on it.
type Host struct {
	App *fiber.App
	API *httpapi.API

	callers *callers
}

// New hosts only routes, without the web process's middleware: enough for the tests of a slice.
func New(tb testing.TB, routes ...httpapi.Route) *Host {
	tb.Helper()
	return NewMetered(tb, nil, routes...)
}

// NewMetered is New with a meter.
func NewMetered(tb testing.TB, meter charge.Meter, routes ...httpapi.Route) *Host {
	tb.Helper()
	return NewWith(tb, httpapi.Config{Meter: meter}, routes...)
}

// NewWith is New with other parts of an API: its Meter, its Keeper.
func NewWith(tb testing.TB, config httpapi.Config, routes ...httpapi.Route) *Host {
	tb.Helper()
	logger := slog.New(slog.NewTextHandler(tb.Output(), nil))
	app := fiber.New(httpapi.FiberConfig(logger))
	app.Use(recovery.New())
	known := &callers{}
	app.Use(known.handle)
	config.Title, config.Version, config.Logger = "test", "1.1.0", logger
	api := httpapi.New(app, config)
	require.NoError(tb, api.Register(routes))
	return &Host{App: app, API: api, callers: known}
}

// Run runs each scenario as a subtest.
func (h *Host) Run(t *testing.T, scenarios []Scenario) {
	t.Helper()
	for _, s := range scenarios {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			h.Do(t, s)
		})
	}
}

// Do sends one scenario's request, checks the response and returns it.
func (h *Host) Do(tb testing.TB, s Scenario) Response {
	tb.Helper()
	got := h.send(tb, s)
	status := s.Status
	if status == 0 {
		status = http.StatusOK
	}
	require.Equal(tb, status, got.Status, "status; body: %s", got.Body)
	if s.WantJSON != "" {
		require.JSONEq(tb, s.WantJSON, got.Body)
	}
	for _, part := range s.Contains {
		require.Contains(tb, got.Body, part)
	}
	for _, part := range s.NotContains {
		require.NotContains(tb, got.Body, part)
	}
	for name, value := range s.WantHeader {
		require.Equal(tb, value, strings.Join(got.Header.Values(name), ", "), "header %s", name)
	}
	require.NoError(tb, Conforms(h.API, method(s), s.Path, got))
	return got
}

// Ask sends one scenario's request and returns the response without checking it.
func (h *Host) Ask(tb testing.TB, s Scenario) Response {
	tb.Helper()
	return h.send(tb, s)
}

func method(s Scenario) string {
	if s.Method == "" {
		return http.MethodGet
	}
	return s.Method
}

// send writes the URL unchanged, because http.NewRequest rejects malformed ones that are tested.
func (h *Host) send(tb testing.TB, s Scenario) Response {
	tb.Helper()
	request := &http.Request{
		Method: method(s), URL: &url.URL{Path: "/"}, RequestURI: s.Path, Host: "gpatlas.test",
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: http.Header{},
	}
	if s.Body != "" {
		request.Body = io.NopCloser(strings.NewReader(s.Body))
		request.ContentLength = int64(len(s.Body))
		request.Header.Set("Content-Type", "application/json")
	}
	for name, value := range s.Header {
		request.Header.Set(name, value)
	}
	if s.As != nil {
		request.Header.Set(callerHeader, h.callers.add(tb, s.As))
	}
	response, err := h.App.Test(request, -1)
	require.NoError(tb, err)
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	require.NoError(tb, err)
	response.Header.Del("Date") // it changes every second, and responses are compared
	return Response{Status: response.StatusCode, Header: response.Header, Body: string(body)}
}
