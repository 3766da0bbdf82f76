package web_test

import (
	"context"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/fx"
	"go.uber.org/fx/fxtest"

	"gpatlas/platform/module"
	"gpatlas/platform/telemetry"
	"gpatlas/platform/testkit/httpapitest"
	"gpatlas/web"
	"gpatlas/web/webtest"
)

// A stop lets the request under way finish, and takes no new ones.
func TestStopDrains(t *testing.T) {
	t.Parallel()
	f := &fake{slow: make(chan struct{})}
	server := web.NewServer(webtest.App(t, webtest.Options(t, f.manifest())))
	require.Empty(t, server.Addr())
	require.NoError(t, server.Start(t.Context()))
	address := server.Addr()
	answered := make(chan httpapitest.Response, 1)
	go func() {
		answered <- ask(t, "http://"+address+"/v1/slow")
	}()
	<-f.slow // the request is under way
	stopped := make(chan error, 1)
	go func() {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		stopped <- server.Stop(ctx)
	}()
	require.Eventually(t, func() bool {
		conn, err := net.Dial("tcp", address)
		if err == nil {
			_ = conn.Close()
		}
		return err != nil
	}, time.Minute, 10*time.Millisecond, "new connections are refused")
	f.slow <- struct{}{}
	got := <-answered
	require.Equal(t, http.StatusOK, got.Status)
	require.JSONEq(t, `{"name":"finished"}`, got.Body)
	require.NoError(t, <-stopped)
	require.NoError(t, server.Stop(t.Context()), "stopping twice is no error")
	require.NoError(t, <-server.Done())
}

// A request that outlasts the stop is cancelled.
func TestStopCancelsWhatOutlastsIt(t *testing.T) {
	t.Parallel()
	f := &fake{slow: make(chan struct{})}
	server := web.NewServer(webtest.App(t, webtest.Options(t, f.manifest())))
	require.NoError(t, server.Start(t.Context()))
	answered := make(chan int, 1)
	go func() {
		got := ask(t, "http://"+server.Addr()+"/v1/slow")
		answered <- got.Status
	}()
	<-f.slow
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	require.ErrorContains(t, server.Stop(ctx), "before every request was finished")
	require.Equal(t, http.StatusServiceUnavailable, <-answered)
}

func TestDrainDelay(t *testing.T) {
	t.Parallel()
	options := webtest.Options(t)
	options.Config.DrainDelay, options.Config.InternalAddr = time.Minute, "127.0.0.1:0"
	server := web.NewServer(webtest.App(t, options))
	require.NoError(t, server.Start(t.Context()))
	address, internal := "http://"+server.Addr(), "http://"+server.InternalAddr()
	ctx, cancel := context.WithCancel(t.Context())
	stopped := make(chan error, 1)
	go func() { stopped <- server.Stop(ctx) }()
	require.Eventually(t, func() bool {
		got := ask(t, internal+"/_internal/ready")
		return got.Status == http.StatusServiceUnavailable && strings.Contains(got.Body, `"draining":true`)
	}, time.Minute, 10*time.Millisecond)
	got := ask(t, address+"/")
	require.Equal(t, http.StatusOK, got.Status, "it still answers")
	cancel()
	<-stopped
}

func TestStartFailsClearly(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer func() { _ = taken.Close() }()
	options := webtest.Options(t)
	options.Config.Addr = taken.Addr().String()
	err = web.NewServer(webtest.App(t, options)).Start(t.Context())
	require.EqualError(t, err, "web: "+taken.Addr().String()+" is in use by another program; choose another HOST:PORT (WEB_ADDR or --addr)")
	options = webtest.Options(t)
	options.Config.Addr = "203.0.113.1:80"
	require.ErrorContains(t, web.NewServer(webtest.App(t, options)).Start(t.Context()), "cannot listen on 203.0.113.1:80")

	server := web.NewServer(webtest.App(t, webtest.Options(t)))
	require.NoError(t, server.Stop(t.Context()), "stopping what never ran is no error")
	require.NoError(t, server.Start(t.Context()))
	require.ErrorContains(t, server.Start(t.Context()), "runs already")
	require.NoError(t, server.Stop(t.Context()))
}

func TestConfigValidate(t *testing.T) {
	t.Parallel()
	require.NoError(t, webtest.Config().Validate())
	for name, spoil := range map[string]func(*web.Config){
		"WEB_ADDR":            func(c *web.Config) { c.Addr = "8080" },
		"WEB_PUBLIC_URL":      func(c *web.Config) { c.PublicURL = "api.example.com" },
		"WEB_CORS_ORIGINS":    func(c *web.Config) { c.CORSOrigins = []string{"example.com/"} },
		"WEB_INTERNAL_ADDR":   func(c *web.Config) { c.InternalAddr = "8081" },
		"WEB_INTERNAL_TOKEN":  func(c *web.Config) { c.InternalToken = "short" },
		"WEB_TRUSTED_PROXIES": func(c *web.Config) { c.TrustedProxies = []string{"10.0.0.0/33"} },
		"WEB_ACCESS_LOG":      func(c *web.Config) { c.AccessLog = "some" },
		"ACCESS_POLICY":       func(c *web.Config) { c.AccessPolicy = "closed" },
	} {
		c := webtest.Config()
		spoil(&c)
		require.ErrorContains(t, c.Validate(), name)
		options := webtest.Options(t)
		options.Config = c
		_, err := web.New(options)
		require.ErrorContains(t, err, name)
	}
	c := webtest.Config()
	c.CORSOrigins, c.PublicURL = []string{"https://app.example.com", "http://localhost:3000"}, "https://api.example.com/base"
	require.NoError(t, c.Validate())
}

func TestModule(t *testing.T) {
	t.Parallel()
	var app *web.App
	var server *web.Server
	container := fxtest.New(t, fx.NopLogger,
		fx.Supply(webtest.Config(), telemetry.NewMetrics(), telemetry.NoTracing(), web.Build("b1"), webtest.Options(t).Logger),
		fx.Supply([]module.Manifest{(&fake{}).manifest()}),
		web.Module, fx.Populate(&app, &server))
	container.RequireStart()
	got := ask(t, "http://"+server.Addr()+"/")
	require.Equal(t, 200, got.Status)
	require.Contains(t, got.Body, `"build":"b1"`)
	container.RequireStop()
	require.Len(t, app.API.Routes(), 13)
}
