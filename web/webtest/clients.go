package webtest

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The pinned generators of clients, and what their output is compiled with. Their Node versions are those that support
// the oldest Node.js still maintained, 20.
const (
	goGenerator = "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2"
	goSecond    = "github.com/ogen-go/ogen/cmd/ogen@v1.24.0"
	goSecondRun = "module client\n\ngo 1.26.0\n\nrequire github.com/ogen-go/ogen v1.24.0\n"
	// goSecondParts leaves out the server, which takes most of the time.
	goSecondParts = "generator:\n  features:\n    disable_all: true\n    enable: [paths/client]\n"
	goRuntime     = "module client\n\ngo 1.26.0\n\nrequire github.com/oapi-codegen/runtime v1.8.0\n"
	tsTypes       = "openapi-typescript@7.13.0"
	tsClient      = "@hey-api/openapi-ts@0.95.0"
	tsCompiler    = "typescript@5.9.3"
)

// GoClient generates a Go client with oapi-codegen and compiles it. It skips, with a message, if the generator is not
// available.
func GoClient(tb testing.TB, document []byte, names ...string) {
	tb.Helper()
	dir := tb.TempDir()
	file := filepath.Join(dir, "openapi.json")
	write(tb, file, document)
	write(tb, filepath.Join(dir, "go.mod"), []byte(goRuntime))
	out, err := run(tb, dir, "go", "run", goGenerator, "-generate", "types,client", "-package", "client", "-o", "client.go", file)
	if err != nil && !bytes.Contains(out, []byte("generating code")) && !bytes.Contains(out, []byte("loading swagger spec")) {
		tb.Skipf("NO Go client was generated: %s could not be run: %s", goGenerator, out)
	}
	require.NoError(tb, err, "%s", out)
	out, err = run(tb, dir, "go", "build", "-trimpath", "-mod=mod", ".")
	require.NoError(tb, err, "%s", out)
	contains(tb, filepath.Join(dir, "client.go"), names)
}

// StrictGoClient generates a Go client with ogen, which refuses unions and reads names more strictly than oapi-codegen, and
// compiles it. It skips, with a message, if the generator is not available.
func StrictGoClient(tb testing.TB, document []byte, names ...string) {
	tb.Helper()
	dir := tb.TempDir()
	write(tb, filepath.Join(dir, "openapi.json"), document)
	write(tb, filepath.Join(dir, "ogen.yml"), []byte(goSecondParts))
	write(tb, filepath.Join(dir, "go.mod"), []byte(goSecondRun))
	out, err := run(tb, dir, "go", "run", goSecond, "--config", "ogen.yml", "--target", ".", "--package", "client", "openapi.json")
	if err != nil && !bytes.Contains(out, []byte("openapi.json")) {
		tb.Skipf("NO strict Go client was generated: %s could not be run: %s", goSecond, out)
	}
	require.NoError(tb, err, "%s", out)
	out, err = run(tb, dir, "go", "build", "-trimpath", "-mod=mod", ".")
	require.NoError(tb, err, "%s", out)
	contains(tb, filepath.Join(dir, "oas_schemas_gen.go"), names)
}

// TypeScriptClients generates types with openapi-typescript and a client with Hey API, and compiles both in strict mode. It
// skips, with a message, if the generators are not available.
func TypeScriptClients(tb testing.TB, document []byte, names ...string) {
	tb.Helper()
	npx, err := exec.LookPath("npx")
	if err != nil {
		tb.Skip("NO TypeScript client was generated: npx (Node.js) is not there")
	}
	dir := tb.TempDir()
	write(tb, filepath.Join(dir, "openapi.json"), document)
	write(tb, filepath.Join(dir, "package.json"), []byte(`{"type":"module"}`))
	script := strings.Join([]string{
		"echo started",
		"openapi-typescript openapi.json -o types.ts",
		"openapi-ts --no-log-file -i openapi.json -o client",
		"tsc --noEmit --strict --skipLibCheck --target es2022 --module esnext --moduleResolution bundler types.ts client/index.ts",
	}, " && ")
	out, err := run(tb, dir, npx, "--yes", "-p", tsTypes, "-p", tsClient, "-p", tsCompiler, "-c", script)
	if err != nil && !bytes.Contains(out, []byte("started")) {
		tb.Skipf("NO TypeScript client was generated: %s and %s could not be run: %s", tsTypes, tsClient, out)
	}
	require.NoError(tb, err, "%s", out)
	contains(tb, filepath.Join(dir, "types.ts"), names)
}

// contains checks that a generated file has names.
func contains(tb testing.TB, file string, names []string) {
	tb.Helper()
	text, err := os.ReadFile(file)
	require.NoError(tb, err)
	for _, name := range names {
		require.True(tb, bytes.Contains(text, []byte(name)), "%s has no %s", filepath.Base(file), name)
	}
}

func run(tb testing.TB, dir, program string, arguments ...string) ([]byte, error) {
	tb.Helper()
	command := exec.CommandContext(context.WithoutCancel(tb.Context()), program, arguments...) //nolint:gosec // fixed arguments
	command.Dir = dir
	command.Env = append(command.Environ(), "GOFLAGS=", "GOWORK=off", "CI=true")
	return command.CombinedOutput() //nolint:wrapcheck // the caller shows it with the output
}

func write(tb testing.TB, file string, text []byte) {
	tb.Helper()
	require.NoError(tb, os.WriteFile(file, text, 0o600))
}
