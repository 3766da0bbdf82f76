package main

import (
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/fx"

	"gpatlas/platform/clock"
	"gpatlas/platform/config"
	"gpatlas/platform/module"
	"gpatlas/platform/telemetry"
	"gpatlas/platform/testkit/dbtest"
)

// TestModels holds the GORM models of every module against the columns of the migrated database: names, types, nulls.
func TestModels(t *testing.T) {
	t.Parallel()
	var s settings
	_ = config.Load(nil, &s) // the defaults
	var manifests []module.Manifest
	require.NoError(t, fx.New(compose(parts{
		process: module.Process{Name: "models"}, settings: s, clock: clock.System{}, log: slog.New(slog.DiscardHandler), tracing: telemetry.NoTracing(),
	}), fx.Populate(&manifests)).Err())
	var models []any
	for _, m := range manifests {
		models = append(models, m.Models...)
	}
	require.NotEmpty(t, models)
	dbtest.CheckModels(t, dbtest.New(t), models...)
}

// TestPersonal holds what the modules keep about people against the list: a part that is forgotten is in no export, and
// one that does not listen keeps what it has of accounts that are purged.
func TestPersonal(t *testing.T) {
	t.Parallel()
	var s settings
	_ = config.Load(nil, &s) // the defaults
	var personal *module.Personal
	var manifests []module.Manifest
	require.NoError(t, fx.New(compose(parts{
		process: module.Process{Name: "personal"}, settings: s, clock: clock.System{}, log: slog.New(slog.DiscardHandler), tracing: telemetry.NoTracing(),
	}), fx.Populate(&personal, &manifests)).Err())
	var names []string
	for _, e := range personal.Exporters {
		names = append(names, e.Name)
	}
	require.Equal(t, []string{"watchlist", "collections", "saved_searches", "billing", "subscriptions", "exports", "webhooks", "search_alerts", "api_keys", "api_usage", "free_calls", "notifications", "notification_preferences", "digests", "notification_registry", "notification_tracking", "enrichments"}, names)
	require.Len(t, personal.Deleted, 3, "keys are revoked; kept responses are removed; subscriptions are canceled")
	require.Len(t, personal.Purged, 14, "webhook endpoints are removed; alerts are removed; what waits for a receipt is removed; the registry of notifications forgets who has changed it; what was tracked is removed; keys are removed; kept responses are removed; subscriptions are removed; how an account buys is removed; how far digests have come is removed; who asked for enrichments is removed; exports, notifications and their preferences are removed")
}
