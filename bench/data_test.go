package bench_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/localserver"
)

// The scales of the catalog.
const (
	scaleSmall = "small"
	scaleSEC   = "sec"
	scale10x   = "10x" // ten copies of sec under different names and numbers
)

// copies is how many times the sample stands in the catalog of scale10x.
const copies = 10

// heldBack is how many months are left out of the catalog, to be ingested while the service runs.
const heldBack = 3

// filled is a data folder with the catalog of a scale, and the archives of the months that it lacks, the oldest first.
type filled struct {
	data   string
	months []string
}

// loadedCatalog loads the catalog of a scale by the real ingestion from the real sample, but for the last months. With keep it is
// a copy of that of an earlier run, if the code that made it is still the same; everything but what is kept is removed in
// the end.
func loadedCatalog(ctx context.Context, tb testing.TB, binary string, r *report, keep bool) filled {
	tb.Helper()
	if !keep {
		dir := scratch(tb)
		fill(ctx, tb, binary, r, dir)
		return filled{filepath.Join(dir, "data"), months(tb, dir)}
	}
	dir := keptDir(tb, r.scale)
	if _, err := os.Stat(filepath.Join(dir, "complete")); err != nil {
		require.NoError(tb, os.RemoveAll(dir))
		require.NoError(tb, os.MkdirAll(dir, 0o755))
		fill(ctx, tb, binary, r, dir)
		require.NoError(tb, os.WriteFile(filepath.Join(dir, "complete"), nil, 0o600))
	}
	copied := filepath.Join(scratch(tb), "data")
	run(ctx, tb, exec.CommandContext(ctx, "cp", "-a", filepath.Join(dir, "data"), copied))
	say("  data kept in %s", dir)
	return filled{copied, months(tb, dir)}
}

// fill makes the data folder and the months that it lacks.
func fill(ctx context.Context, tb testing.TB, binary string, r *report, dir string) {
	tb.Helper()
	sample, data, later := filepath.Join(dir, "sample"), filepath.Join(dir, "data"), filepath.Join(dir, "months")
	written := map[string]string{scaleSmall: scaleSmall, scaleSEC: scaleSEC, scale10x: scaleSEC}[r.scale]
	run(ctx, tb, exec.CommandContext(ctx, binary, "sample", "--scale", written, "--out", sample))
	require.NoError(tb, os.Mkdir(later, 0o700))
	archives := monthly(tb, sample)
	require.Greater(tb, len(archives), heldBack)
	for _, path := range archives[len(archives)-heldBack:] {
		require.NoError(tb, os.Rename(path, filepath.Join(later, filepath.Base(path))))
	}
	startService(tb, binary, data).end() // makes the database
	sum := ingest(ctx, tb, binary, data, sample)
	r.measure("ingest/devstack", "ingestion of the catalog into `gpatlas dev`'s database", "s", []float64{sum.Seconds},
		fmt.Sprintf("%d rows, %s a second, no months of the last %d", sum.Read, figure(float64(sum.Read)/sum.Seconds), heldBack))
	require.NoError(tb, os.RemoveAll(sample))
	if r.scale == scale10x {
		began := time.Now()
		tenfold(ctx, tb, data)
		say("  copied %d times in %s", copies-1, time.Since(began).Round(100*time.Millisecond))
	}
}

// monthly lists the Form ADV archives of a folder, the oldest first.
func monthly(tb testing.TB, dir string) []string {
	tb.Helper()
	archives, err := filepath.Glob(filepath.Join(dir, "ADV_Filing_Data_*.zip"))
	require.NoError(tb, err)
	return archives // sorted, and their names begin with the date
}

func months(tb testing.TB, dir string) []string {
	tb.Helper()
	list := monthly(tb, filepath.Join(dir, "months"))
	require.Len(tb, list, heldBack)
	return list
}

// ingested is what we read of the summary of `gpatlas ingest --json`.
type ingested struct {
	Seconds float64 `json:"seconds"`
	Read    int64   `json:"rows_read"`
	Changed bool    `json:"changed"`
	Failed  int     `json:"failed"`
}

// ingest loads documents into the database of a data folder, running or not.
func ingest(ctx context.Context, tb testing.TB, binary, data string, paths ...string) (sum ingested) {
	tb.Helper()
	out := run(ctx, tb, exec.CommandContext(ctx, binary, append([]string{"ingest", "--json", "--data-dir", data}, paths...)...))
	require.NoError(tb, json.Unmarshal([]byte(out), &sum))
	require.Zero(tb, sum.Failed)
	require.Positive(tb, sum.Read)
	return sum
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
	base, err := localserver.DefaultDir(os.Getenv)
	require.NoError(tb, err)
	digest := sha256.New()
	for _, root := range []string{
		"migrations", "sample", "modules/dataops/internal/parse", "modules/catalog/internal/load",
		"modules/catalog/internal/derive", "modules/catalog/internal/record", "bench/multiply_test.go", "bench/data_test.go",
	} {
		require.NoError(tb, filepath.WalkDir(filepath.Join("..", root), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || strings.HasSuffix(path, "_test.go") && !strings.HasPrefix(root, "bench/") {
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
