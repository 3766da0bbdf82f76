package parse_test

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/parse"
)

const tinyHeader = `FilingID,DateSubmitted,1A,1E1`

// TestHostileFiles: each is refused with a sentence that names the file and the reason, before anything is drained.
func TestHostileFiles(t *testing.T) {
	t.Parallel()
	archive := zipped(t, archiveFiles())
	roster := gzipped(t, table(cutHeader, strings.Repeat(cutRow+"\n", 2000)))
	flipped := bytes.Clone(archive)
	flipped[200] ^= 0xff
	for name, c := range map[string]struct {
		file    string
		content []byte
		want    string
	}{
		"empty file":           {"empty.csv", nil, "the file is empty"},
		"empty archive":        {"empty.zip", zipped(t, nil), "the archive is empty"},
		"only folders":         {"dirs.zip", zipped(t, files{"a/": ""}), "the archive is empty"},
		"truncated zip":        {"adv.zip", archive[:len(archive)/2], "truncated or damaged"},
		"zip cut to its name":  {"adv.zip", []byte("PK"), "truncated or damaged"},
		"no zip at all":        {"adv.zip", []byte("<html>403 Forbidden</html>"), "truncated or damaged"},
		"damaged member":       {"adv.zip", flipped, "damaged"},
		"truncated gzip":       {"ia.csv.gz", roster[:len(roster)-20], "truncated or damaged"},
		"gzip cut to its name": {"ia.csv.gz", roster[:4], "truncated or damaged"},
		"damaged gzip":         {"ia.csv.gz", append(bytes.Clone(roster[:len(roster)-8]), 1, 2, 3, 4, 5, 6, 7, 8), "truncated or damaged"},
		"truncated workbook":   {"ia.xlsx", zipped(t, files{"xl/workbook.xml": "x"})[:40], "truncated or damaged"},
		"unknown archive":      {"other.zip", zipped(t, files{"a.csv": "x,y\n", "b.csv": "x,y\n"}), "it holds a.csv, b.csv"},
		"zip in a zip":         {"outer.zip", zipped(t, files{"ADV.zip": string(archive)}), "not a known format"},
		"unknown text":         {"notes.txt", []byte("hello\n"), "closest: monthly roster (no columns \"Organization CRD#\""},
		"unknown binary":       {"photo.jpg", []byte("\xff\xd8\xff\xe0\x00\x10JFIF\x00"), "closest: monthly roster (no columns"},
		"encrypted":            {"ADV_Filing_Data_1.zip", encrypted(t), "is encrypted"},
	} {
		require.Contains(t, refused(t, write(t, c.file, c.content), parse.Options{}), c.want, name)
	}
}

// encrypted sets the flag of encryption on the only member of an archive, in its header and in the directory.
func encrypted(t *testing.T) []byte {
	t.Helper()
	b := zipped(t, files{"IA_ADV_Base_A" + month: table(tinyHeader)})
	for magic, offset := range map[string]int{"PK\x03\x04": 6, "PK\x01\x02": 8} {
		at := bytes.Index(b, []byte(magic)) + offset
		binary.LittleEndian.PutUint16(b[at:], binary.LittleEndian.Uint16(b[at:])|1)
	}
	return b
}

// TestBombs: what unfolds to far more than it stores is refused, whatever container it hides in.
func TestBombs(t *testing.T) {
	t.Parallel()
	bomb := tinyHeader + "\n" + strings.Repeat(strings.Repeat("0", 4095)+"\n", 1<<8) // 1 MiB that stores as a few KiB
	limits := func(l parse.Limits) parse.Options { return parse.Options{Limits: l} }
	ratio := limits(parse.Limits{RatioMax: 50, RatioFreeBytes: 1 << 18})
	adv := write(t, "ADV_Filing_Data_1.zip", zipped(t, files{"IA_ADV_Base_A" + month: bomb}))
	gz := write(t, "IA_ADV_Base_A"+month+".gz", gzipped(t, bomb))
	book := write(t, "ia.xlsx", zipped(t, files{"xl/workbook.xml": bomb}))
	inner := write(t, "ia.zip", zipped(t, files{"ia.xlsx": string(zipped(t, files{"xl/workbook.xml": bomb}))}))
	for _, path := range []string{adv, gz, book, inner} {
		require.Contains(t, refused(t, path, ratio), "exceeds a limit when unpacked", path)
		require.Contains(t, refused(t, path, limits(parse.Limits{MemberBytesMax: 1 << 18})), "exceeds a limit when unpacked", path)
	}
	two := write(t, "ADV_Filing_Data_2.zip", zipped(t, files{"a.csv": bomb, "b.csv": bomb}))
	require.Contains(t, refused(t, two, limits(parse.Limits{TotalBytesMax: 3 << 19})), "exceeds a limit when unpacked")
	require.Contains(t, refused(t, two, limits(parse.Limits{MembersMax: 1})), "2 members, at most 1")
	require.Contains(t, refused(t, folder(t, files{"a.csv": "", "b.csv": ""}), limits(parse.Limits{MembersMax: 1})), "more than 1 files")
	require.Contains(t, refused(t, inner, limits(parse.Limits{WorkbookBytesMax: 100})), "over 100 bytes")
}

// TestLyingSize: a member that holds more than the directory says is damage, found while it is read.
func TestLyingSize(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	content := table(tinyHeader, strings.Repeat("1,6/1/2026,ALDERMOOR,1\n", 1000))
	w, err := z.Create("IA_ADV_Base_A" + month)
	require.NoError(t, err)
	_, err = w.Write([]byte(content))
	require.NoError(t, err)
	require.NoError(t, z.Close())
	lie := b.Bytes()
	at := bytes.Index(lie, []byte("PK\x01\x02")) + 24 // uncompressed size in the directory
	binary.LittleEndian.PutUint32(lie[at:], 100)
	require.Contains(t, refused(t, write(t, "adv.zip", lie), parse.Options{}), "truncated or damaged")
}

func TestFolders(t *testing.T) {
	t.Parallel()
	empty := t.TempDir()
	require.Contains(t, refused(t, empty, parse.Options{}), "the folder is empty")
	require.Contains(t, refused(t, filepath.Join(empty, "missing.zip"), parse.Options{}), "no such file")

	dir := folder(t, files{"IA_ADV_Base_A" + month: table(tinyHeader, "1,6/1/2026,ALDERMOOR,1"), "sub/.hidden": "x", ".git/IA_ADV_Base_A" + month: "x"})
	require.NoError(t, os.Symlink(filepath.Join(dir, "gone"), filepath.Join(dir, "unrelated.txt")))
	require.NoError(t, syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600))
	d := mustDrain(t, dir)
	require.Len(t, d.filings, 1, "what is not ours in a folder does no harm")

	require.NoError(t, os.Symlink(filepath.Join(dir, "gone"), filepath.Join(dir, "ERA_ADV_Base"+month)))
	require.Contains(t, refused(t, dir, parse.Options{}), "ERA_ADV_Base"+month+": no such file")
	require.NoError(t, os.Remove(filepath.Join(dir, "ERA_ADV_Base"+month)))
	require.NoError(t, syscall.Mkfifo(filepath.Join(dir, "ERA_ADV_Base"+month), 0o600))
	require.Contains(t, refused(t, dir, parse.Options{}), "ERA_ADV_Base"+month+": it is not a regular file")
	require.Contains(t, refused(t, filepath.Join(dir, "pipe"), parse.Options{}), "neither a file nor a folder")

	link := filepath.Join(t.TempDir(), "link")
	require.NoError(t, os.Symlink(folder(t, archiveFiles()), link))
	require.Len(t, mustDrain(t, link).filings, 3, "a link to a folder is followed")
}

// TestUnreadable needs a user whom file modes bind; root reads everything.
func TestUnreadable(t *testing.T) {
	t.Parallel()
	if os.Geteuid() == 0 {
		t.Skip("file modes do not bind root; TestFolders covers unreadable members by other means")
	}
	dir := folder(t, files{"IA_ADV_Base_A" + month: table(tinyHeader)})
	require.NoError(t, os.Chmod(filepath.Join(dir, "IA_ADV_Base_A"+month), 0))
	require.Contains(t, refused(t, dir, parse.Options{}), "IA_ADV_Base_A"+month+": permission denied")
}

func TestGzippedMembers(t *testing.T) {
	t.Parallel()
	d := mustDrain(t, folder(t, files{"IA_ADV_Base_A" + month + ".gz": string(gzipped(t, table(tinyHeader, "1,6/1/2026,ALDERMOOR,1")))}))
	require.Len(t, d.filings, 1)
	require.Equal(t, "IA_ADV_Base_A"+month, d.filings[0].File)
}

// TestTooManyRejected: a file that is not what it seems ends with an error, not with a million quarantined rows.
func TestTooManyRejected(t *testing.T) {
	t.Parallel()
	path := folder(t, files{"IA_ADV_Base_A" + month: table(tinyHeader, "1,6/1/2026,ALDERMOOR,1", "torn", "torn", "torn", "2,6/1/2026,ALDERMOOR,1")})
	n := 0
	_, err := drain(t.Context(), path, parse.Options{RejectedMax: 2, Reject: func(catalogapi.Rejected) { n++ }})
	require.ErrorIs(t, err, parse.ErrTooManyRejected)
	require.ErrorContains(t, err, "unpacked: too many rows are unusable: 3 of the 4 rows read, where 2 and beyond that one in 20 are let pass; the last one: ")
	require.Equal(t, 2, n)
	_, err = drain(t.Context(), path, parse.Options{RejectedMax: 3})
	require.NoError(t, err)
}

// TestRejectedShare: of a large document more rows may be of no use than of a small one, as long as they are a small share
// of those read so far.
func TestRejectedShare(t *testing.T) {
	t.Parallel()
	rows := func(good, torn int) (out []string) {
		for i := range good {
			out = append(out, fmt.Sprintf("%d,6/1/2026,ALDERMOOR,%d", i+1, i+1))
		}
		return append(out, slices.Repeat([]string{"torn"}, torn)...)
	}
	read := func(good, torn int) error {
		_, err := drain(t.Context(), folder(t, files{"IA_ADV_Base_A" + month: table(tinyHeader, rows(good, torn)...)}), parse.Options{RejectedMax: 2})
		return err
	}
	require.NoError(t, read(190, 10), "one in twenty")
	require.ErrorContains(t, read(189, 11), "10 of the 199 rows read, where 2 and ")
	require.NoError(t, read(1, 2), "below the number no share counts")
}

func TestCancel(t *testing.T) {
	t.Parallel()
	cause := errors.New("the operator is tired")
	for _, path := range []string{folder(t, archiveFiles()), write(t, "ia.csv", []byte(table(cutHeader, cutRow)))} {
		ctx, cancel := context.WithCancelCause(t.Context())
		opened, err := parse.Open(ctx, path, parse.Options{Reject: func(catalogapi.Rejected) {}})
		require.NoError(t, err)
		cancel(cause)
		_, err = collect(opened.Document.Filings)
		require.ErrorIs(t, err, cause)
		require.NoError(t, opened.Close())
		_, err = parse.Open(ctx, path, parse.Options{Reject: func(catalogapi.Rejected) {}})
		require.ErrorIs(t, err, cause)
	}
	opened, err := parse.Open(t.Context(), write(t, "ia.csv", []byte(table(cutHeader, cutRow))), parse.Options{Reject: func(catalogapi.Rejected) {}})
	require.NoError(t, err)
	require.NoError(t, opened.Close())
	_, err = collect(opened.Document.Filings)
	require.ErrorIs(t, err, context.Canceled, "a closed document gives nothing")
}

// TestStop: a consumer may stop at any row.
func TestStop(t *testing.T) {
	t.Parallel()
	opened, err := parse.Open(t.Context(), folder(t, archiveFiles()), parse.Options{Reject: func(catalogapi.Rejected) {}})
	require.NoError(t, err)
	n := 0
	for _, err := range opened.Document.Filings {
		require.NoError(t, err)
		n++
		break
	}
	for range opened.Document.Funds {
		n++
		break
	}
	require.Equal(t, 2, n)
	require.NoError(t, opened.Close())
}

func TestOptions(t *testing.T) {
	t.Parallel()
	_, err := parse.Open(t.Context(), "nowhere", parse.Options{})
	require.ErrorContains(t, err, "Options.Reject")
	names := []string{}
	for _, f := range parse.Formats() {
		names = append(names, f.Name)
		require.NotEmpty(t, f.Looks)
	}
	require.Subset(t, names, []string{"adv_archive", "advw", "fund_list", "roster"})
	require.Len(t, slices.Compact(slices.Sorted(slices.Values(names))), len(names), "names are unique")
}

// TestRawIsStorable: whatever a row holds, its quarantined text is valid, short and without NULs.
func TestRawIsStorable(t *testing.T) {
	t.Parallel()
	d := mustDrain(t, folder(t, files{"IA_ADV_Base_A" + month: table(tinyHeader, "torn\x00\xc9"+strings.Repeat("é", 5000), "2,6/1/2026,CAF\xc9,1")}))
	require.Len(t, d.rejected, 1)
	require.LessOrEqual(t, len(d.rejected[0].Raw), 4<<10)
	require.True(t, strings.HasPrefix(d.rejected[0].Raw, "torn\uFFFDÉ"))
	require.NotContains(t, d.rejected[0].Raw, "\x00")
	require.Equal(t, "CAFÉ", d.filings[0].LegalName)
}
