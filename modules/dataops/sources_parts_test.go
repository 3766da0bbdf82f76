package dataops_test

import (
	"archive/zip"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/dataops"
)

const (
	partOne = "adv-filing-data-20111105-20241231-part1.zip"
	partTwo = "adv-filing-data-20111105-20241231-part2.zip"
)

// cut makes two parts of an archive as the regulator cut the one of 2011 to 2024: the tables of filings are in the first.
func cut(t *testing.T, content string) (one, two string) {
	t.Helper()
	in, err := zip.NewReader(strings.NewReader(content), int64(len(content)))
	require.NoError(t, err)
	var parts [2]bytes.Buffer
	writers := [2]*zip.Writer{zip.NewWriter(&parts[0]), zip.NewWriter(&parts[1])}
	var members [2]int
	for _, f := range in.File {
		part := 1
		if strings.Contains(f.Name, "ADV_Base") {
			part = 0
		}
		members[part]++
		w, err := writers[part].Create(f.Name)
		require.NoError(t, err)
		r, err := f.Open()
		require.NoError(t, err)
		_, err = io.Copy(w, r)
		require.NoError(t, err)
	}
	require.Positive(t, members[0])
	require.Positive(t, members[1])
	require.NoError(t, writers[0].Close())
	require.NoError(t, writers[1].SetComment("as first published"))
	require.NoError(t, writers[1].Close())
	return parts[0].String(), parts[1].String()
}

// An archive in parts is one document. It is loaded when all parts are there; a part that is here already is not fetched
// again while another is missing; unchanged, nothing is fetched or loaded again; where one part changes, all are loaded.
func TestSourceInParts(t *testing.T) {
	t.Parallel()
	m := newMirror(t)
	deps := m.use(t, "ops@example.org")
	const month = "ADV_Filing_Data_20260601_20260630.zip"
	one, two := cut(t, sampleMonths(t, "20260630.zip")[month])
	m.serve("/files/"+partOne, one)
	use := func() (dataops.Summary, error) {
		return dataops.IngestSources(t.Context(), deps, []string{"adv-history"}, dataops.IngestOptions{})
	}
	_, err := use()
	require.ErrorContains(t, err, "download "+m.server.URL+"/files/"+partTwo+": the file does not exist")
	require.Equal(t, []string{partOne}, m.fetched())
	require.Equal(t, []int64{0}, ints(t, deps.DB, `SELECT count(*) FROM dataops.ingestion_runs`), "a part alone is not loaded")

	m.serve("/files/"+partTwo, two)
	sum, err := use()
	require.NoError(t, err)
	require.Equal(t, []string{partTwo}, m.fetched(), "the first part was kept")
	require.Equal(t, []int{2, 2, 0}, []int{sum.Sources[0].Listed, sum.Sources[0].Loaded, sum.Sources[0].Known})
	require.Len(t, sum.Documents, 1)
	require.Equal(t, "adv-filing-data-20111105-20241231", sum.Documents[0].Document)
	require.Equal(t, m.server.URL+"/files/"+partOne, sum.Documents[0].Location)
	require.Equal(t, int64(len(one)+len(two)), sum.Documents[0].Bytes)
	require.Positive(t, sum.Advisers.New)
	require.Positive(t, sum.Funds.New, "the second part's rows found their filings in the first")
	require.Equal(t, []int64{2}, ints(t, deps.DB, `SELECT count(*) FROM dataops.fetched WHERE source_name = 'adv-history' AND run_id IS NOT NULL`))
	requireEmpty(t, deps.DownloadDir)

	sum, err = use()
	require.NoError(t, err)
	require.Empty(t, m.fetched())
	require.Empty(t, sum.Documents)
	require.Equal(t, 2, sum.Sources[0].Known)

	byHand := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(byHand, partOne), []byte(one), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(byHand, partTwo), []byte(two), 0o600))
	sum, err = dataops.Ingest(t.Context(), deps, []string{byHand}, dataops.IngestOptions{})
	require.NoError(t, err)
	require.False(t, sum.Changed)
	require.Equal(t, []int64{1}, ints(t, deps.DB, `SELECT count(DISTINCT sha256) FROM dataops.ingestion_runs`), "the same bytes, however they came")

	one, two = cut(t, sampleMonths(t, "20260731.zip")["ADV_Filing_Data_20260701_20260731.zip"])
	m.serve("/files/"+partOne, one)
	m.serve("/files/"+partTwo, two)
	sum, err = use()
	require.NoError(t, err)
	require.ElementsMatch(t, []string{partOne, partTwo}, m.fetched())
	require.True(t, sum.Changed)
	requireEmpty(t, deps.DownloadDir)
}

// Where one part alone has changed the other is fetched again too, for the one is of no use without the other.
func TestSourceInPartsOneChanged(t *testing.T) {
	t.Parallel()
	m := newMirror(t)
	deps := m.use(t, "ops@example.org")
	one, two := cut(t, sampleMonths(t, "20260630.zip")["ADV_Filing_Data_20260601_20260630.zip"])
	m.serve("/files/"+partOne, one)
	m.serve("/files/"+partTwo, two)
	for _, want := range [][]string{{partOne, partTwo}, {partTwo, partOne}} {
		sum, err := dataops.IngestSources(t.Context(), deps, []string{"adv-history"}, dataops.IngestOptions{})
		require.NoError(t, err)
		require.Equal(t, want, m.fetched())
		require.Len(t, sum.Documents, 1)
		require.Equal(t, 2, sum.Sources[0].Loaded)
		m.serve("/files/"+partTwo, two[:len(two)-len("as first published")-2]+"\x00\x00") // without its comment
	}
	requireEmpty(t, deps.DownloadDir)
}

func requireEmpty(t *testing.T, dir string) {
	t.Helper()
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, left)
}
