package main

import (
	"log/slog"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/fx"

	"gpatlas/platform/clock"
	"gpatlas/platform/config"
	"gpatlas/platform/module"
	"gpatlas/platform/telemetry"
	"gpatlas/web/webtest"
)

// Everything that a process needs can be had, without starting it.
func TestCompositionIsComplete(t *testing.T) {
	t.Parallel()
	for _, process := range []module.Process{
		{Name: "web", Web: true}, {Name: "worker", Worker: true}, {Name: "dev", Web: true, Worker: true}, {Name: "ingest"},
	} {
		t.Run(process.Name, func(t *testing.T) {
			t.Parallel()
			var s settings
			require.Error(t, config.Load(nil, &s), "nothing says where the servers are")
			require.NoError(t, fx.ValidateApp(compose(parts{
				process: process, settings: s, clock: clock.System{}, log: slog.New(slog.DiscardHandler), tracing: telemetry.NoTracing(),
			})))
		})
	}
}

// .env.example says what the structs say.
func TestEnvExample(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..")
	want, err := config.Example(root, "gpatlas", &settings{})
	require.NoError(t, err)
	webtest.Golden(t, filepath.Join(root, ".env.example"), []byte(want))
}
