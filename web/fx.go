package web

import (
	"log/slog"

	"go.uber.org/fx"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/auth"
	"gpatlas/platform/charge"
	"gpatlas/platform/clock"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/jobs/queueui"
	"gpatlas/platform/module"
	"gpatlas/platform/ratelimit"
	"gpatlas/platform/telemetry"
)

// Build is the version or commit of the binary.
type Build string

// params are the host's dependencies in the container.
type params struct {
	fx.In

	Config    Config
	Manifests []module.Manifest
	Logger    *slog.Logger
	Metrics   *telemetry.Metrics
	Tracing   *telemetry.Tracing
	Build     Build                 `optional:"true"`
	Clock     clock.Clock           `optional:"true"`
	Meter     charge.Meter          `optional:"true"`
	Database  Pinger                `optional:"true"`
	Data      catalogapi.DataSource `optional:"true"`
	Prices    *charge.List          `optional:"true"`
	Keeper    httpapi.Keeper        `optional:"true"`

	Keys      auth.KeyVerifier     `optional:"true"`
	Sessions  auth.SessionVerifier `optional:"true"`
	Browsers  auth.BrowserVerifier `optional:"true"`
	Limiter   ratelimit.Limiter    `optional:"true"`
	Recorder  ratelimit.Recorder   `optional:"true"`
	Allowance ratelimit.Allowance  `optional:"true"`
	Queues    *queueui.UI          `optional:"true"`
}

// Module hosts the modules' manifests over HTTP.
var Module = fx.Module("web",
	fx.Provide(func(p params) (*App, error) {
		return New(Options{
			Config: p.Config, Build: string(p.Build), Manifests: p.Manifests, Database: p.Database, Data: p.Data,
			Logger: p.Logger, Metrics: p.Metrics, Tracing: p.Tracing, Clock: p.Clock, Meter: p.Meter, Prices: p.Prices, Keeper: p.Keeper,
			Queues: p.Queues, Keys: p.Keys, Sessions: p.Sessions, Browsers: p.Browsers, Limiter: p.Limiter, Recorder: p.Recorder, Allowance: p.Allowance,
		})
	}, NewServer),
	fx.Invoke(func(lifecycle fx.Lifecycle, s *Server) {
		lifecycle.Append(fx.Hook{OnStart: s.Start, OnStop: s.Stop})
	}),
)
