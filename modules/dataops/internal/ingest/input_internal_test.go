package ingest

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestInputsOfXML: every notice and feed of a folder is a document; the tables of a Form D set are one together.
func TestInputsOfXML(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{
		"a/000185150821000002/primary_doc.xml", "b/IA_FIRM_SEC_Feed_09_16_2026.xml.gz", "2025Q4_d/FORMDSUBMISSION.tsv", "2025Q4_d/OFFERING.tsv",
		"2025Q4_d/FormD_readme.htm", "2025Q4_d/metadata.json", "other/notes.tsv", "other/page.html",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o750))
		require.NoError(t, os.WriteFile(path, []byte("x"), 0o600))
	}
	found, err := inputs([]string{dir})
	require.NoError(t, err)
	names := make([]string, len(found))
	for i, in := range found {
		names[i] = in.Name
	}
	require.ElementsMatch(t, []string{"primary_doc.xml", "IA_FIRM_SEC_Feed_09_16_2026.xml.gz", "2025Q4_d"}, names)
}

// Notices come first and withdrawals last, so that the current state is derived once for a folder of everything.
func TestInputsInTheOrderOfTheLeastWork(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	want := []string{
		"0001234567-24-000001.txt", "2025q1_d.zip", "2025q2_d.zip", "ADV_Filing_Data_20250101_20250131.zip", "ADV_Filing_Data_20250201_20250228.zip",
		"ADVW_20240101_20241231.zip", "ADVW_20250101_20250228.zip",
	}
	for _, name := range want {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), nil, 0o600))
	}
	found, err := inputs([]string{dir})
	require.NoError(t, err)
	var got []string
	for _, in := range found {
		got = append(got, in.Name)
	}
	require.Equal(t, want, got)
}

// The error about a folder that may not be read names what to do. Tests may run as root, who may read all, so the error is given.
func TestUnreadableFolder(t *testing.T) {
	t.Parallel()
	err := unlisted("/proc/1/fdinfo", &fs.PathError{Op: "open", Path: "/proc/1/fdinfo", Err: fs.ErrPermission})
	require.EqualError(t, err, "/proc/1/fdinfo: permission denied; name a folder that holds only documents, or make this one readable")
	_, err = inputsIn(filepath.Join(t.TempDir(), "missing"))
	require.ErrorIs(t, err, fs.ErrNotExist)
	require.NotContains(t, err.Error(), "only documents")
}
