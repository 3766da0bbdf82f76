package ingest_test

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"io"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// shifted writes an archive again, under its own name, in which each row of a table has the FilingID of the row before it.
func shifted(t *testing.T, archive, table string) string {
	t.Helper()
	matches := regexp.MustCompile(`(?:^|/)` + table + `_\d`)
	in, err := zip.OpenReader(archive)
	require.NoError(t, err)
	defer func() { _ = in.Close() }()
	var b bytes.Buffer
	out, found := zip.NewWriter(&b), false
	for _, f := range in.File {
		src, err := f.Open()
		require.NoError(t, err)
		text, err := io.ReadAll(src)
		require.NoError(t, err)
		if matches.MatchString(f.Name) {
			r := csv.NewReader(bytes.NewReader(text))
			r.LazyQuotes, r.FieldsPerRecord = true, -1
			rows, err := r.ReadAll()
			require.NoError(t, err)
			last := rows[len(rows)-1][0]
			found = true
			for _, row := range rows[1:] {
				row[0], last = last, row[0]
			}
			var again bytes.Buffer
			require.NoError(t, csv.NewWriter(&again).WriteAll(rows))
			text = again.Bytes()
		}
		dst, err := out.Create(f.Name)
		require.NoError(t, err)
		_, err = dst.Write(text)
		require.NoError(t, err)
	}
	require.NoError(t, out.Close())
	require.True(t, found, table)
	return write(t, t.TempDir(), filepath.Base(archive), b.String())
}

// An archive in which a table has the numbers of other filings is stopped: its rows would be shown under other advisers.
func TestGateStopsRowsOfOtherFilings(t *testing.T) {
	t.Parallel()
	k, list := newKit(t), months(t)
	k.loaded(list[:secondMarch]...)
	for table, list9 := range map[string]string{
		"ERA_Schedule_D_7B1": "funds of exempt advisers", "IA_Schedule_D_7B1": "funds", "ERA_Schedule_A_B": "owners of exempt advisers", "IA_Schedule_A_B": "owners",
		"IA_Schedule_D_1I": "websites", "ERA_Schedule_D_1I": "websites of exempt advisers", "IA_Schedule_D_1F": "offices", "IA_Schedule_D_7A": "affiliates",
		"IA_1D3_CIK": "identifiers: cik",
	} {
		_, err := k.ingest(shifted(t, list[secondMarch], table))
		require.ErrorContains(t, err, list9+": ", table)
	}
}
