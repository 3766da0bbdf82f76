package parse_test

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/parse"
)

// files are members by name.
type files map[string]string

// zipped makes a zip archive of the files, in the order of their names.
func zipped(tb testing.TB, members files) []byte {
	tb.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range slices.Sorted(maps.Keys(members)) {
		w, err := z.Create(name)
		require.NoError(tb, err)
		_, err = w.Write([]byte(members[name]))
		require.NoError(tb, err)
	}
	require.NoError(tb, z.Close())
	return b.Bytes()
}

func gzipped(tb testing.TB, content string) []byte {
	tb.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := z.Write([]byte(content))
	require.NoError(tb, err)
	require.NoError(tb, z.Close())
	return b.Bytes()
}

// write puts content into a file of its own folder.
func write(tb testing.TB, name string, content []byte) string {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), name)
	require.NoError(tb, os.WriteFile(path, content, 0o600))
	return path
}

// folder writes the files into a folder, subfolders included.
func folder(tb testing.TB, members files) string {
	tb.Helper()
	dir := filepath.Join(tb.TempDir(), "unpacked")
	for name, content := range members {
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(tb, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(tb, os.WriteFile(path, []byte(content), 0o600))
	}
	return dir
}

// table makes a CSV text: a header, then rows as they stand in the file.
func table(header string, rows ...string) string {
	return header + "\n" + strings.Join(rows, "\n") + "\n"
}

// drained is everything that a document gave.
type drained struct {
	kind     string
	opened   *parse.Opened
	doc      catalogapi.Document
	filings  []*catalogapi.AdviserFiling
	orgs     []*catalogapi.OrganizationRow
	websites []*catalogapi.WebsiteRow
	types    []*catalogapi.FilingTypeRow
	funds    []*catalogapi.FundRow
	auditors []*catalogapi.AuditorRow
	formD    []*catalogapi.FormDRow
	rejected []catalogapi.Rejected
}

// reasons gives the rejected rows as "file:line: reason".
func (d *drained) reasons() []string {
	out := []string{}
	for _, r := range d.rejected {
		out = append(out, fmt.Sprintf("%s:%d: %s", r.File, r.Line, r.Reason))
	}
	return out
}

// said gives the filings without what their document is silent about.
func (d *drained) said() []*catalogapi.AdviserFiling {
	out := make([]*catalogapi.AdviserFiling, len(d.filings))
	for i, f := range d.filings {
		said := *f
		said.Silent, out[i] = nil, &said
	}
	return out
}

// filing finds a filing by its key.
func (d *drained) filing(tb testing.TB, key string) *catalogapi.AdviserFiling {
	tb.Helper()
	for _, f := range d.filings {
		if f.Key == key {
			return f
		}
	}
	require.Failf(tb, "no such filing", "%s", key)
	return nil
}

func collect[T any](seq iter.Seq2[*T, error]) ([]*T, error) {
	var out []*T
	if seq == nil {
		return nil, nil
	}
	for v, err := range seq {
		if err != nil {
			return out, err
		}
		out = append(out, v)
	}
	return out, nil
}

// drain opens a file and reads all that it has, as a loader does.
func drain(ctx context.Context, path string, opts parse.Options) (*drained, error) {
	d := &drained{}
	if opts.Reject == nil {
		opts.Reject = func(r catalogapi.Rejected) { d.rejected = append(d.rejected, r) }
	}
	opened, err := parse.Open(ctx, path, opts)
	if err != nil {
		return nil, err
	}
	defer opened.Close()
	d.kind, d.opened, d.doc = opened.Kind, opened, opened.Document
	steps := []func() error{
		func() (err error) { d.filings, err = collect(d.doc.Filings); return err },
		func() (err error) { d.orgs, err = collect(d.doc.Organization); return err },
		func() (err error) { d.websites, err = collect(d.doc.Websites); return err },
		func() (err error) { d.types, err = collect(d.doc.Types); return err },
		func() error { _, err := collect(d.doc.Owners); return err },
		func() error { _, err := collect(d.doc.Withdrawals); return err },
		func() (err error) { d.funds, err = collect(d.doc.Funds); return err },
		func() (err error) { d.auditors, err = collect(d.doc.Auditors); return err },
		func() (err error) { d.formD, err = collect(d.doc.FormDNumbers); return err },
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return d, err
		}
	}
	return d, nil
}

func mustDrain(tb testing.TB, path string) *drained {
	tb.Helper()
	d, err := drain(tb.Context(), path, parse.Options{})
	require.NoError(tb, err)
	return d
}

func refused(tb testing.TB, path string, opts parse.Options) string {
	tb.Helper()
	_, err := drain(tb.Context(), path, opts)
	require.Error(tb, err)
	require.True(tb, strings.HasPrefix(err.Error(), filepath.Base(path)) || strings.Contains(err.Error(), ".csv"), "the error names the file: %s", err)
	return err.Error()
}
