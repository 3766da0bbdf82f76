package main

import (
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/fx"

	"gpatlas/modules"
	"gpatlas/platform/config"
	"gpatlas/platform/dbtest"
	"gpatlas/platform/module"
	"gpatlas/platform/telemetry"
)

// TestModels holds the GORM models of every module against the columns of the migrated database: names, types, nulls.
func TestModels(t *testing.T) {
	t.Parallel()
	var s settings
	_ = config.Load(nil, &s) // the defaults
	var manifests modules.Manifests
	require.NoError(t, fx.New(compose(parts{
		process: module.Process{Name: "models"}, settings: s, log: slog.New(slog.DiscardHandler), tracing: telemetry.NoTracing(),
	}), fx.Invoke(func(m modules.Manifests) { manifests = m })).Err())
	var models []any
	for _, m := range manifests.Sorted() {
		models = append(models, m.Models...)
	}
	require.NotEmpty(t, models)
	dbtest.CheckModels(t, dbtest.New(t), models...)
}
