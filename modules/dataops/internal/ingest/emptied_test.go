package ingest_test

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/dataops/internal/gate"
	"gpatlas/modules/dataops/internal/ingest"
	"gpatlas/sample"
)

// emptied writes an archive again with a column of a table without values.
func emptied(t *testing.T, archive, table, column string) string {
	t.Helper()
	in, err := zip.OpenReader(archive)
	require.NoError(t, err)
	defer func() { _ = in.Close() }()
	matches, found := regexp.MustCompile(`(?:^|/)`+table+`(_\d|\.tsv)`), false
	var b bytes.Buffer
	out := zip.NewWriter(&b)
	for _, f := range in.File {
		src, err := f.Open()
		require.NoError(t, err)
		dst, err := out.Create(f.Name)
		require.NoError(t, err)
		if !matches.MatchString(f.Name) {
			_, err = io.Copy(dst, src) // #nosec G110 -- our own sample
			require.NoError(t, err)
			continue
		}
		found = true
		text, err := io.ReadAll(src)
		require.NoError(t, err)
		_, err = dst.Write(blank(t, text, column, strings.HasSuffix(f.Name, ".tsv")))
		require.NoError(t, err)
	}
	require.True(t, found, table)
	require.NoError(t, out.Close())
	return write(t, t.TempDir(), filepath.Base(archive), b.String())
}

// blank empties a column of a table.
func blank(t *testing.T, text []byte, column string, tabs bool) []byte {
	t.Helper()
	var rows [][]string
	if tabs {
		for line := range strings.Lines(string(text)) {
			rows = append(rows, strings.Split(strings.TrimRight(line, "\r\n"), "\t"))
		}
	} else {
		r := csv.NewReader(bytes.NewReader(text))
		r.LazyQuotes = true
		var err error
		rows, err = r.ReadAll()
		require.NoError(t, err)
	}
	at := slices.Index(rows[0], column)
	require.GreaterOrEqual(t, at, 0, "%s in %v", column, rows[0])
	for _, row := range rows[1:] {
		row[at] = ""
	}
	var b bytes.Buffer
	if !tabs {
		w := csv.NewWriter(&b)
		require.NoError(t, w.WriteAll(rows))
		return b.Bytes()
	}
	for _, row := range rows {
		b.WriteString(strings.Join(row, "\t") + "\n")
	}
	return b.Bytes()
}

// A column that is there without values, although the documents before it fill it, is as good as lost.
func TestGateStopsEmptiedColumns(t *testing.T) {
	t.Parallel()
	list := months(t)
	dir := filepath.Dir(list[0])
	k := newKit(t)
	k.loaded(list[:secondMarch]...)
	before := k.catalog()
	for table, column := range map[string]string{"IA_Schedule_D_7B1": "Gross Asset Value", "IA_Schedule_A_B": "Title or Status", "ERA_ADV_Base": "1F1-City"} {
		_, err := k.ingest(emptied(t, list[secondMarch], table, column))
		require.ErrorContains(t, err, strings.ToLower(table+"."+strings.ReplaceAll(column, " ", ""))+" (0 of ")
		require.ErrorContains(t, err, "--accept column_lost")
		require.Equal(t, before, k.catalog(), table)
	}
	_, err := k.accepting(k.loader, gate.ColumnLost).Ingest(t.Context(), []string{emptied(t, list[secondMarch], "IA_Schedule_A_B", "Title or Status")}, ingest.Silent{}, nil)
	require.NoError(t, err)
	k.loaded(list[secondMarch:]...)

	sets := func(quarter string) string { return filepath.Join(dir, quarter+"_d.zip") }
	k.loaded(sets("2025q1"), sets("2025q2"))
	_, err = k.ingest(emptied(t, sets("2025q3"), "OFFERING", "TOTALAMOUNTSOLD"))
	require.ErrorContains(t, err, "offering.totalamountsold (0 of ")
	_, err = k.ingest(emptied(t, sets("2025q3"), "RELATEDPERSONS", "LASTNAME"))
	require.Error(t, err)
	k.loaded(sets("2025q3"))

	packed, err := os.ReadFile(filepath.Join(dir, "IA_FIRM_SEC_Feed_10_31_2026.xml.gz"))
	require.NoError(t, err)
	unpacked, err := gzip.NewReader(bytes.NewReader(packed))
	require.NoError(t, err)
	text, err := io.ReadAll(unpacked)
	require.NoError(t, err)
	feed := func(day, text string) string { return write(t, t.TempDir(), "IA_FIRM_SEC_Feed_"+day+"_2026.xml", text) }
	k.loaded(feed("10_31", string(text)))
	next := strings.Replace(string(text), `GenOn="2026-10-31"`, `GenOn="2026-11-01"`, 1)
	without := regexp.MustCompile(` Q5F2C="[^"]*"`).ReplaceAllString(next, ` Q5F2C=""`)
	require.NotEqual(t, next, without)
	_, err = k.ingest(feed("11_01", without))
	require.ErrorContains(t, err, "q5f2c")
	k.loaded(feed("11_01", next))

	firms := crds(101, 30)
	k.loaded(write(t, t.TempDir(), "ia110226.csv", rosterCSV("11/02/2026", firms...)))
	_, err = k.ingest(write(t, t.TempDir(), "ia110326.csv", strings.ReplaceAll(rosterCSV("11/02/2026", firms...), ",1000\n", ",\n")))
	require.ErrorContains(t, err, "5f(2)(c) (0 of 30 rows; usually 100 %)")
}

// Whole documents are not stopped, and nothing is in doubt.
func TestGateLetsWholeDocumentsPass(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	_, err := sample.Write(t.Context(), sample.Options{Dir: dir})
	require.NoError(t, err)
	k := newKit(t)
	for _, pattern := range []string{"ADV_Filing_Data_*", "*_d.zip", "ADVW_*", "IA_FIRM*"} {
		files, err := filepath.Glob(filepath.Join(dir, pattern))
		require.NoError(t, err)
		require.NotEmpty(t, files)
		sum, err := k.ingest(files...)
		require.NoError(t, err)
		for _, d := range sum.Documents {
			require.Empty(t, d.Warnings, d.Document)
		}
	}
}
