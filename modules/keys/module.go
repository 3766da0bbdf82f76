package keys

import (
	"context"
	"log/slog"
	"slices"

	"github.com/prometheus/client_golang/prometheus"
	"go.uber.org/fx"

	"gpatlas/modules/accounts/accountsapi"
	"gpatlas/modules/keys/internal/apikey"
	"gpatlas/modules/keys/internal/free"
	"gpatlas/modules/keys/internal/limit"
	"gpatlas/modules/keys/internal/plans"
	"gpatlas/modules/keys/internal/usage"
	"gpatlas/platform/auth"
	"gpatlas/platform/clock"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/module"
	"gpatlas/platform/ratelimit"
)

// Module hands keys, limits and usage to the container. It needs *database.DB, clock.Clock, *slog.Logger and RedisURL.
var Module = fx.Module(
	"keys",
	fx.Provide(
		func(v *apikey.Verifier) auth.KeyVerifier { return v },
		func(r *usage.Recorder) ratelimit.Recorder { return r },
		func(a *free.Allowance) ratelimit.Allowance { return a },
		newLimiter,
		fx.Annotate(func(s *apikey.Service) accountsapi.Deleted { return apikey.NewAccount(s) }, fx.ResultTags(`group:"account listeners"`)),
		fx.Annotate(func(s *apikey.Service) accountsapi.Exporter { return apikey.NewAccount(s) }, fx.ResultTags(`group:"exporters"`)),
		fx.Annotate(func(s *usage.Store) accountsapi.Exporter { return usage.NewExporter(s) }, fx.ResultTags(`group:"exporters"`)),
		fx.Annotate(func(s *free.Store) accountsapi.Exporter { return free.NewExporter(s) }, fx.ResultTags(`group:"exporters"`)),
		fx.Annotate(manifest, fx.ResultTags(`group:"manifests"`)),
	),
	fx.Provide(
		fx.Private,
		apikey.NewStore, apikey.NewVerifier, apikey.NewService,
		usage.NewStore, usage.NewService, newRecorder, free.NewStore, free.NewAllowance,
	),
	fx.Invoke(run),
)

func manifest(keys *apikey.Service, u *usage.Service, a *free.Allowance) module.Manifest {
	return module.Manifest{
		Name:   "keys",
		Pages:  plans.Pages(),
		Routes: slices.Concat([]httpapi.Route{}, apikey.Routes(keys), usage.Routes(u), free.Routes(a)),
		Models: slices.Concat(apikey.Models(), free.Models()),
	}
}

// limiting is what the limiter is made of; a process without metrics counts nothing.
type limiting struct {
	fx.In

	Config  Config   `optional:"true"`
	URL     RedisURL `optional:"true"`
	Clock   clock.Clock
	Log     *slog.Logger
	Metrics prometheus.Registerer `optional:"true"`
}

// newLimiter connects with the first request. Where no Redis is named (operations are only described) nothing is limited.
func newLimiter(l limiting, lifecycle fx.Lifecycle) (ratelimit.Limiter, error) {
	if l.URL == "" {
		return nil, nil
	}
	rdb, err := limit.Open(string(l.URL))
	if err != nil {
		return nil, err
	}
	var metrics *limit.Metrics
	if l.Metrics != nil {
		metrics = limit.NewMetrics(l.Metrics)
	}
	limiter := limit.NewLimiter(limit.Options{Redis: rdb, Clock: l.Clock, Log: l.Log, Metrics: metrics, Unlimited: l.Config.Unlimited()})
	lifecycle.Append(fx.Hook{OnStop: func(ctx context.Context) error {
		if err := limiter.Stop(ctx); err != nil {
			return err
		}
		return rdb.Close()
	}})
	return limiter, nil
}

type recording struct {
	fx.In

	Store   *usage.Store
	Clock   clock.Clock
	Log     *slog.Logger
	Metrics prometheus.Registerer `optional:"true"`
}

func newRecorder(r recording) *usage.Recorder {
	return usage.NewRecorder(r.Store, r.Clock, r.Log, r.Metrics)
}

// run does what goes on in the background where requests are answered. It stops after the web server, which stands later.
func run(lifecycle fx.Lifecycle, process module.Process, v *apikey.Verifier, r *usage.Recorder) {
	if !process.Web {
		return
	}
	start := func(begin func(context.Context), end func(context.Context) error) {
		lifecycle.Append(fx.Hook{OnStart: func(ctx context.Context) error { begin(ctx); return nil }, OnStop: end})
	}
	start(v.Start, v.Stop)
	start(r.Start, r.Stop)
}
