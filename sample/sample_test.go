package sample_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/sample"
)

var update = flag.Bool("update", false, "write the golden sums")

// written is what all tests of the package read, written once: the small sample, after another one in the same process,
// so that nothing of a run may stay behind for the next.
type written struct {
	dir      string
	another  sample.Summary // of another seed, its files removed
	summary  sample.Summary
	progress []sample.Progress // told while the small one was written
}

var once struct {
	sync.Once

	written
	err error
}

func theWritten() (*written, error) {
	once.Do(func() { once.err = once.write(context.Background()) })
	return &once.written, once.err
}

func (w *written) write(ctx context.Context) (err error) {
	if w.dir, err = os.MkdirTemp("", "sample-"); err != nil {
		return err
	}
	other := filepath.Join(w.dir, "another")
	if w.another, err = sample.Write(ctx, sample.Options{Scale: sample.Small, Seed: 1, Dir: other}); err != nil {
		return err
	}
	if err = os.RemoveAll(other); err != nil {
		return err
	}
	w.summary, err = sample.Write(ctx, sample.Options{
		Dir: filepath.Join(w.dir, "out"), Progress: func(p sample.Progress) { w.progress = append(w.progress, p) },
	})
	return err
}

func theFiles(t *testing.T) *written {
	t.Helper()
	w, err := theWritten()
	require.NoError(t, err)
	return w
}

func TestMain(m *testing.M) {
	code := m.Run()
	if once.dir != "" {
		_ = os.RemoveAll(once.dir)
	}
	os.Exit(code)
}

// digests are the sums of archives, a line for each.
func digests(t *testing.T, paths ...string) string {
	t.Helper()
	var b strings.Builder
	for _, path := range paths {
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		digest := sha256.Sum256(data)
		b.WriteString(hex.EncodeToString(digest[:]) + "  " + filepath.Base(path) + "\n")
	}
	return b.String()
}

// The bytes are the same on every machine and every run: documentation, demonstrations and tests speak of them.
func TestTheSmallArchivesAreTheSameBytesEverywhere(t *testing.T) {
	t.Parallel()
	w := theFiles(t)
	paths := make([]string, 0, len(w.summary.Archives))
	for _, a := range w.summary.Archives {
		info, err := os.Stat(a.Path)
		require.NoError(t, err)
		require.Equal(t, info.Size(), a.Bytes)
		paths = append(paths, a.Path)
	}
	first := digests(t, append(paths, w.summary.Boards...)...)
	golden := filepath.Join("testdata", "small.sha256")
	if *update {
		require.NoError(t, os.WriteFile(golden, []byte(first), 0o600))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Equal(t, string(want), first, "if the change is meant: go test -run SameBytes -update")
}

func TestAnotherSeedIsAnotherCatalog(t *testing.T) {
	t.Parallel()
	w := theFiles(t)
	a, b := w.another, w.summary
	require.Equal(t, []int{300, 2000}, []int{a.Advisers, a.Funds})
	require.Equal(t, []int{300, 2000}, []int{b.Advisers, b.Funds})
	require.NotEqual(t, a.Archives[0].Bytes, b.Archives[0].Bytes)
}

func TestProgressIsToldArchiveByArchive(t *testing.T) {
	t.Parallel()
	w := theFiles(t)
	sum, seen := w.summary, w.progress
	require.Len(t, seen, len(sum.Archives))
	for i, p := range seen {
		require.Equal(t, sample.Progress{Archive: filepath.Base(sum.Archives[i].Path), Done: i + 1, Archives: len(seen)}, p)
	}
	names, err := os.ReadDir(filepath.Join(w.dir, "out"))
	require.NoError(t, err)
	require.Len(t, names, len(sum.Archives)+1, "no temporary file is left beside the archives and the folder of boards")
}

func TestBadOptionsAreNamed(t *testing.T) {
	t.Parallel()
	_, err := sample.Write(t.Context(), sample.Options{Scale: "huge", Dir: t.TempDir()})
	require.ErrorContains(t, err, `scale: "huge" is unknown; small, sec, 10x are known`)
	_, err = sample.Write(t.Context(), sample.Options{Scale: sample.Small})
	require.ErrorContains(t, err, "dir:")
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	_, err = sample.Write(t.Context(), sample.Options{Dir: filepath.Join(file, "below")})
	require.EqualError(t, err, "cannot write to the folder "+filepath.Join(file, "below")+": not a directory")
}

// A stopped run leaves complete archives, as they would be otherwise, and nothing half-written.
func TestAStoppedRunLeavesNoHalves(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	_, err := sample.Write(ctx, sample.Options{Dir: dir, Progress: func(p sample.Progress) {
		if p.Done == 2 {
			cancel()
		}
	}})
	require.ErrorIs(t, err, context.Canceled)
	names, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, names, 2)
	whole := theFiles(t)
	for i, n := range names {
		require.Equal(t, filepath.Base(whole.summary.Archives[i].Path), n.Name())
		require.Equal(t, digests(t, whole.summary.Archives[i].Path), digests(t, filepath.Join(dir, n.Name())))
	}
}
