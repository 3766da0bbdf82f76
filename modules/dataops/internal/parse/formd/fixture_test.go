package formd_test

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

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/parse"
)

// files are members by name.
type files map[string]string

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

// table makes a table of tab-separated values out of lines whose fields are parted by bars.
func table(lines ...string) string {
	return strings.ReplaceAll(strings.Join(lines, "\n"), "|", "\t") + "\n"
}

// drained is everything that a document gave.
type drained struct {
	opened     *parse.Opened
	offerings  []*catalogapi.OfferingRow
	issuers    []*catalogapi.IssuerRow
	persons    []*catalogapi.RelatedPersonRow
	recipients []*catalogapi.RecipientRow
	rejected   []catalogapi.Rejected
}

func (d *drained) reasons() []string {
	out := []string{}
	for _, r := range d.rejected {
		out = append(out, fmt.Sprintf("%s:%d: %s", r.File, r.Line, r.Reason))
	}
	return out
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
	opts.Reject = func(r catalogapi.Rejected) { d.rejected = append(d.rejected, r) }
	opened, err := parse.Open(ctx, path, opts)
	if err != nil {
		return d, err
	}
	defer opened.Close()
	d.opened = opened
	doc := opened.Document
	for _, step := range []func() error{
		func() (err error) { d.offerings, err = collect(doc.Offerings); return err },
		func() (err error) { d.issuers, err = collect(doc.Issuers); return err },
		func() (err error) { d.persons, err = collect(doc.RelatedPersons); return err },
		func() (err error) { d.recipients, err = collect(doc.Recipients); return err },
	} {
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
	require.Equal(tb, "form_d", d.opened.Kind)
	require.Equal(tb, catalogapi.SourceFormD, d.opened.Document.Source)
	return d
}

func refused(tb testing.TB, path string) string {
	tb.Helper()
	_, err := drain(tb.Context(), path, parse.Options{})
	require.Error(tb, err)
	return err.Error()
}
