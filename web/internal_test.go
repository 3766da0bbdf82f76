package web_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/httpapi/httpapitest"
	"gpatlas/platform/module"
	"gpatlas/web/webtest"
)

const token = "a-token-of-the-operator"

// The internal pages are there for this machine and for the token's holders; for everybody else they are not.
func TestInternalPagesAreGuarded(t *testing.T) {
	t.Parallel()
	options := webtest.Options(t)
	options.Config.InternalToken = token
	app := webtest.App(t, options)
	address := webtest.Serve(t, app)
	port := address[len("http://127.0.0.1"):]
	for name, test := range map[string]struct {
		headers []string
		status  int
	}{
		"this machine":                      {nil, 200},
		"this machine by name":              {[]string{"Host", "localhost" + port}, 200},
		"passed on by a proxy":              {[]string{"X-Forwarded-For", "203.0.113.9"}, 404},
		"passed on, said to be from here":   {[]string{"X-Forwarded-For", "127.0.0.1"}, 404},
		"passed on, other header":           {[]string{"Forwarded", "for=127.0.0.1"}, 404},
		"passed on, Via":                    {[]string{"Via", "1.1 proxy"}, 404},
		"a name that points here":           {[]string{"Host", "evil.example.com"}, 404},
		"a name that looks like this":       {[]string{"Host", "localhost.evil.example.com"}, 404},
		"another number":                    {[]string{"Host", "203.0.113.9"}, 404},
		"passed on with the token":          {[]string{"X-Forwarded-For", "203.0.113.9", "Authorization", "Bearer " + token}, 200},
		"passed on with another token":      {[]string{"X-Forwarded-For", "203.0.113.9", "Authorization", "Bearer " + token + "x"}, 404},
		"passed on with an empty token":     {[]string{"X-Forwarded-For", "203.0.113.9", "Authorization", "Bearer "}, 404},
		"passed on with the token as basic": {[]string{"X-Forwarded-For", "203.0.113.9", "Authorization", "Basic " + token}, 404},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, page := range []string{"/_internal/metrics", "/_internal/ready", "/_internal/pprof", "/_internal/pprof/goroutine", "/_internal/pprof/cmdline"} {
				got := ask(t, address+page, test.headers...)
				require.Equal(t, test.status, got.Status, page)
				if test.status == 404 {
					require.JSONEq(t, `{"detail":"There is no `+page+`; /openapi.json lists every operation"}`, got.Body)
				}
			}
		})
	}
}

func TestInternalPagesWithoutToken(t *testing.T) {
	t.Parallel()
	h := webtest.Host(t) // in-process requests come from no machine
	for _, credential := range []string{"", "Bearer ", "Bearer x"} {
		h.Do(t, httpapitest.Scenario{Path: "/_internal/ready", Header: map[string]string{"Authorization": credential}, Status: 404})
	}
}

// A trusted proxy's word is taken: visitors behind it are who it says, and it is not itself a visitor from here.
func TestTrustedProxies(t *testing.T) {
	t.Parallel()
	options := webtest.Options(t)
	options.Config.TrustedProxies = []string{"127.0.0.0/8", "10.1.2.3"}
	address := webtest.Serve(t, webtest.App(t, options))
	for forwarded, status := range map[string]int{
		"": 404, "203.0.113.9": 404, "203.0.113.9, 127.0.0.1": 404, "127.0.0.1, 203.0.113.9": 404, "::1": 200, "::1, 10.1.2.3": 200, "rubbish, ::1": 200,
		"rubbish": 200, // the proxy is on this machine and names nobody else
	} {
		headers := []string{"X-Forwarded-For", forwarded}
		if forwarded == "" {
			headers = nil
		}
		got := ask(t, address+"/_internal/ready", headers...)
		require.Equal(t, status, got.Status, forwarded)
	}
}

func TestReadiness(t *testing.T) {
	t.Parallel()
	var failure error
	m := module.Manifest{Name: "fake", Checks: []module.Check{{Name: "index", Run: func(context.Context) error { return failure }}}}
	address := webtest.Serve(t, webtest.App(t, webtest.Options(t, m)))
	got := ask(t, address+"/_internal/ready")
	require.Equal(t, 200, got.Status)
	require.JSONEq(t, `{"ready":true,"draining":false,"checks":{"fake.index":"ok"}}`, got.Body)
	failure = errors.New("the first snapshot is not loaded")
	got = ask(t, address+"/_internal/ready")
	require.Equal(t, 503, got.Status)
	require.JSONEq(t, `{"ready":false,"draining":false,"checks":{"fake.index":"the first snapshot is not loaded"}}`, got.Body)
}
