package main

import (
	"encoding/json"
	"flag"
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/fx"

	"gpatlas/platform/config"
	"gpatlas/platform/module"
	"gpatlas/platform/telemetry"
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
				process: process, settings: s, log: slog.New(slog.DiscardHandler), tracing: telemetry.NoTracing(),
			})))
		})
	}
}

func TestOpenAPIDocument(t *testing.T) {
	t.Parallel()
	text, err := (&program{}).describe()
	require.NoError(t, err)
	var doc struct {
		OpenAPI string         `json:"openapi"`
		Paths   map[string]any `json:"paths"`
	}
	require.NoError(t, json.Unmarshal(text, &doc))
	require.Equal(t, "3.1.0", doc.OpenAPI)
	require.Contains(t, doc.Paths, "/health")
}

var update = flag.Bool("update", false, "write .env.example anew")

// .env.example says what the structs say.
func TestEnvExample(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..")
	want, err := config.Example(root, "gpatlas", &settings{})
	require.NoError(t, err)
	path := filepath.Join(root, ".env.example")
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(want), 0o644))
	}
	have, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, want, string(have), ".env.example is not what the settings say: make generate")
}
