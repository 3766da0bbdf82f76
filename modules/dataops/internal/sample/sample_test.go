package sample_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/dataops/internal/sample"
)

var update = flag.Bool("update", false, "write the golden sums")

func write(t *testing.T, o sample.Options) (sample.Summary, string) {
	t.Helper()
	o.Dir = filepath.Join(t.TempDir(), "out")
	sum, err := sample.Write(t.Context(), o)
	require.NoError(t, err)
	return sum, o.Dir
}

// The bytes are the same on every machine and every run: documentation, demonstrations and tests speak of them.
func TestTheSmallArchivesAreTheSameBytesEverywhere(t *testing.T) {
	t.Parallel()
	sums := func() string {
		var b strings.Builder
		sum, _ := write(t, sample.Options{})
		for _, a := range sum.Archives {
			data, err := os.ReadFile(a.Path)
			require.NoError(t, err)
			require.EqualValues(t, len(data), a.Bytes)
			digest := sha256.Sum256(data)
			b.WriteString(hex.EncodeToString(digest[:]) + "  " + filepath.Base(a.Path) + "\n")
		}
		return b.String()
	}
	first, second := sums(), sums()
	require.Equal(t, first, second)
	golden := filepath.Join("testdata", "small.sha256")
	if *update {
		require.NoError(t, os.WriteFile(golden, []byte(first), 0o600))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Equal(t, string(want), first, "if the change is meant: go test -run SameBytes -update")
}

func TestAnotherSeedIsAnotherCatalogue(t *testing.T) {
	t.Parallel()
	a, _ := write(t, sample.Options{Scale: sample.Small, Seed: 1})
	b, _ := write(t, sample.Options{Scale: sample.Small, Seed: 2})
	require.Equal(t, []int{300, 2000}, []int{a.Advisers, a.Funds})
	require.Equal(t, []int{300, 2000}, []int{b.Advisers, b.Funds})
	require.NotEqual(t, a.Archives[0].Bytes, b.Archives[0].Bytes)
}

func TestProgressIsToldArchiveByArchive(t *testing.T) {
	t.Parallel()
	var seen []sample.Progress
	sum, dir := write(t, sample.Options{Progress: func(p sample.Progress) { seen = append(seen, p) }})
	require.Len(t, seen, len(sum.Archives))
	for i, p := range seen {
		require.Equal(t, sample.Progress{Archive: filepath.Base(sum.Archives[i].Path), Done: i + 1, Archives: len(seen)}, p)
	}
	names, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, names, len(sum.Archives), "no temporary file is left")
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
	require.ErrorContains(t, err, "dir:")
}

// A stopped run leaves complete archives and nothing half-written.
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
	for _, n := range names {
		require.Equal(t, ".zip", filepath.Ext(n.Name()))
	}
}
