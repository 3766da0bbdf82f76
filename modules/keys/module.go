package keys

import (
	"context"
	"log/slog"

	"github.com/prometheus/client_golang/prometheus"
	"go.uber.org/fx"

	"gpatlas/modules/accounts/accountsapi"
	"gpatlas/modules/keys/internal/apikey"
	"gpatlas/modules/keys/internal/free"
	"gpatlas/modules/keys/internal/limit"
	"gpatlas/modules/keys/internal/pages"
	"gpatlas/modules/keys/internal/usage"
	"gpatlas/platform/auth"
	"gpatlas/platform/charge"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/module"
	"gpatlas/platform/ratelimit"
)

// Module provides keys, limits and usage to the container. It needs its Config, RedisURL, *database.DB, clock.Clock,
// *slog.Logger, prometheus.Registerer, accountsapi.PublicURL, and for the plans page *charge.List and charge.Offers.
var Module = fx.Module(
	"keys",
	fx.Provide(newLimiter, fx.Annotate(build, fx.ResultTags("", "", "", `group:"manifests"`))),
)

// build makes the module's slices. The constructors only assign.
func build(
	db *database.DB, clk clock.Clock, log *slog.Logger, metrics prometheus.Registerer, url accountsapi.PublicURL, prices *charge.List, offers charge.Offers,
) (
	auth.KeyVerifier, ratelimit.Recorder, ratelimit.Allowance, module.Manifest,
) {
	keys, counts := apikey.NewStore(db), usage.NewStore(db)
	verifier := apikey.NewVerifier(keys, clk, log)
	recorder := usage.NewRecorder(counts, clk, log, metrics)
	allowance := free.NewAllowance(free.NewStore(db), clk, log)
	return verifier, recorder, allowance, module.New("keys",
		apikey.NewService(keys, verifier, clk).Part(url),
		usage.NewService(counts, clk).Part(),
		module.Part{Background: []module.Background{recorder}},
		allowance.Part(),
		pages.Part(prices, offers),
	)
}

// newLimiter connects with the first request. Without a Redis URL (when operations are only described) nothing is limited.
func newLimiter(
	c Config, url RedisURL, clk clock.Clock, log *slog.Logger, metrics prometheus.Registerer, lifecycle fx.Lifecycle,
) (ratelimit.Limiter, error) {
	if url == "" {
		return nil, nil
	}
	rdb, err := limit.Open(string(url))
	if err != nil {
		return nil, err
	}
	limiter := limit.NewLimiter(limit.Options{
		Redis: rdb, Clock: clk, Log: log, Metrics: limit.NewMetrics(metrics), Unlimited: c.Unlimited(),
	})
	lifecycle.Append(fx.Hook{OnStop: func(ctx context.Context) error {
		if err := limiter.Stop(ctx); err != nil {
			return err
		}
		return rdb.Close()
	}})
	return limiter, nil
}
