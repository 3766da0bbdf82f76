// Package webtest hosts modules like the web process, and checks them against the contract.
package webtest

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/clock"
	"gpatlas/platform/module"
	"gpatlas/platform/testkit/httpapitest"
	"gpatlas/web"
)

// Config is the initial settings of tests: any port of this machine, no access log.
func Config() web.Config {
	return web.Config{
		Addr: "127.0.0.1:0", ReadTimeout: 10 * time.Second, WriteTimeout: 10 * time.Second, IdleTimeout: 10 * time.Second,
		DatabaseTimeout: 5 * time.Second, BodyLimit: 1 << 20, CORSOrigins: []string{"*"}, AccessLog: "off",
	}
}

// Now is the time of tests.
var Now = clock.Fixed(time.Date(2026, time.November, 20, 12, 0, 0, 0, time.UTC))

// Options are the initial options of tests: a database that answers, a fixed clock, the log in the test's output.
func Options(tb testing.TB, manifests ...module.Manifest) web.Options {
	tb.Helper()
	return web.Options{
		Config: Config(), Build: "test", Manifests: manifests, Database: Up, Clock: Now,
		Logger: slog.New(slog.NewTextHandler(tb.Output(), nil)),
	}
}

// App builds the whole web app over modules.
func App(tb testing.TB, options web.Options) *web.App {
	tb.Helper()
	app, err := web.New(options)
	require.NoError(tb, err)
	return app
}

// Host is the whole web app over modules, ready for scenarios.
func Host(tb testing.TB, manifests ...module.Manifest) *httpapitest.Host {
	tb.Helper()
	app := App(tb, Options(tb, manifests...))
	return &httpapitest.Host{App: app.Fiber, API: app.API}
}

// Serve runs an app on a real socket until the test ends and returns its URL, "http://127.0.0.1:41234".
func Serve(tb testing.TB, app *web.App) string {
	tb.Helper()
	server := web.NewServer(app)
	require.NoError(tb, server.Start(tb.Context()))
	tb.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(tb.Context()), 10*time.Second) // the test's context has ended by now
		defer cancel()
		require.NoError(tb, server.Stop(ctx))
	})
	return "http://" + server.Addr()
}

// Ping is a database that answers with the function's result.
type Ping func(ctx context.Context) error

// Ping calls the function.
func (p Ping) Ping(ctx context.Context) error { return p(ctx) }

// Up is a database that answers.
var Up = Ping(func(context.Context) error { return nil })
