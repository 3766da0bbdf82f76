package bench_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/devstack"
)

// The scales of the catalogue.
const (
	scaleSmall = "small"
	scaleSEC   = "sec"
	scale10x   = "10x" // ten copies of sec under different names and numbers
)

// copies is how many times the sample stands in the catalogue of scale10x.
const copies = 10

// catalogueDir gives a data folder that holds the catalogue of a scale, loaded by the real ingestion from the real sample.
// With keep it is the one of an earlier run, if the code that made it is still the same; without, it is removed in the end.
func catalogueDir(ctx context.Context, tb testing.TB, binary, scale string, keep bool) string {
	tb.Helper()
	var dir string
	if keep {
		dir = keptDir(tb, scale)
		if _, err := os.Stat(filepath.Join(dir, "complete")); err == nil {
			say("data      %s, kept from an earlier run", dir)
			return filepath.Join(dir, "data")
		}
		require.NoError(tb, os.RemoveAll(dir))
		require.NoError(tb, os.MkdirAll(dir, 0o755))
	} else {
		dir = scratch(tb)
	}
	sample, data := filepath.Join(dir, "sample"), filepath.Join(dir, "data")
	written := map[string]string{scaleSmall: scaleSmall, scaleSEC: scaleSEC, scale10x: scaleSEC}[scale]
	run(ctx, tb, exec.CommandContext(ctx, binary, "sample", "--scale", written, "--out", sample))
	began := time.Now()
	summary := run(ctx, tb, exec.CommandContext(ctx, binary, "ingest", "--data-dir", data, sample))
	say("ingested  %s (%s in all)", lastLine(summary), time.Since(began).Round(100*time.Millisecond))
	require.NoError(tb, os.RemoveAll(sample))
	if scale == scale10x {
		began = time.Now()
		multiply(ctx, tb, data)
		say("copied    %d times in %s", copies-1, time.Since(began).Round(100*time.Millisecond))
	}
	require.NoError(tb, os.WriteFile(filepath.Join(dir, "complete"), nil, 0o600))
	return data
}

// scratch is a temporary folder that the servers' user can pass through, too.
func scratch(tb testing.TB) string {
	tb.Helper()
	dir, err := os.MkdirTemp("", "gpatlas-bench-")
	require.NoError(tb, err)
	require.NoError(tb, os.Chmod(dir, 0o755))
	tb.Cleanup(func() { require.NoError(tb, os.RemoveAll(dir)) })
	return dir
}

// keptDir stands beside the data folder of `gpatlas dev`, where the servers' user can surely reach it. Its name carries a
// digest of what decides its content: schema, sample, parsers and loader.
func keptDir(tb testing.TB, scale string) string {
	tb.Helper()
	base, err := devstack.DefaultDir(os.Getenv)
	require.NoError(tb, err)
	digest := sha256.New()
	for _, root := range []string{
		"migrations", "modules/dataops/internal/sample", "modules/dataops/internal/parse", "modules/catalog/internal/load",
		"modules/catalog/internal/derive", "bench/multiply_test.go",
	} {
		require.NoError(tb, filepath.WalkDir(filepath.Join("..", root), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || strings.HasSuffix(path, "_test.go") && !strings.Contains(path, "multiply") {
				return err
			}
			content, err := os.ReadFile(path)
			_, _ = fmt.Fprintf(digest, "%s %d\n%s", path, len(content), content)
			return err
		}))
	}
	return fmt.Sprintf("%s-bench-%s-%s", base, scale, hex.EncodeToString(digest.Sum(nil))[:12])
}

func lastLine(text string) string {
	text = strings.TrimSpace(text)
	return strings.TrimSpace(text[strings.LastIndexByte(text, '\n')+1:])
}
