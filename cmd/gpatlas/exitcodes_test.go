package main

import (
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"gpatlas/platform/clock"
)

// Guarantee: every command ends with 2 where its command line is wrong and with 1 where it cannot work, each with a line that
// says so, as docs/getting-started.md has it; its help is 0. A command that lists others names each of them.
func TestExitCodes(t *testing.T) {
	t.Parallel()
	arguments := map[string]string{
		"ingest": "x.zip", "sample": "--out /dev/null/x", "admin grant": "ada@larkspur.example", "admin revoke": "ada@larkspur.example",
		"billing statement": "ada@larkspur.example 2026-11", "billing adjust": "ada@larkspur.example 1 late", "people find": "x",
		"people export": "per_i7h2e4utcexl6eqt", "people suppress": "per_i7h2e4utcexl6eqt letter", "people merge": "per_i7h2e4utcexl6eqt per_i7h2e4utcexl6eqs letter",
		"people split": "per_i7h2e4utcexl6eqt 900001 letter", "people board add": "900001 greenhouse x", "people board remove": "900001 greenhouse x",
		"dev": "--addr 192.0.2.1:80",
	}
	ends := func(code int, args ...string) {
		t.Helper()
		var said strings.Builder
		require.Equal(t, code, run(clock.System{}, args, nil, nil, io.Discard, &said), "%s: %s", args, said.String())
		require.Equal(t, code == 0, said.String() == "", "%s: %s", args, said.String())
	}
	var try func(cmd *cobra.Command, path []string)
	try = func(cmd *cobra.Command, path []string) {
		with := func(more ...string) []string { return append(slices.Clip(path), more...) }
		name := strings.Join(path, " ")
		ends(0, with("--help")...)
		ends(exitUsage, with("--no-such-flag")...)
		if !strings.Contains(cmd.Use, "…") && !strings.Contains(cmd.Use, "...") {
			ends(exitUsage, with(strings.Fields("x x x x x x x x x")...)...)
		}
		for _, below := range cmd.Commands() {
			if len(path) > 0 && cmd.Long != "" && path[0] != "completion" {
				require.Contains(t, strings.ToLower(cmd.Long), below.Name(), "the help of gpatlas %s", name)
			}
			try(below, with(below.Name()))
		}
		if name == "listen" { // it needs a setting
			ends(exitUsage, with("--forward-to", "localhost:1")...)
			return
		}
		if cmd.HasSubCommands() || name == "openapi" || name == "help" || strings.HasPrefix(name, "completion") {
			return
		}
		fails := with(strings.Fields(arguments[name])...)
		if f := cmd.Flag("data-dir"); f != nil {
			ends(exitUsage, with("--data-dir=")...)
			fails = append(fails, "--data-dir", filepath.Join(t.TempDir(), "none"))
		}
		ends(exitFailed, fails...)
	}
	try((&program{}).rootCommand(), nil)
}
