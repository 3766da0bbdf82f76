package archive

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/klauspost/compress/gzip"

	"gpatlas/platform/apperr"
)

// Member is one file of an input. It can be opened any number of times, one after the other or at once.
type Member struct {
	Name     string // base name without folders, and without .gz where that was unpacked
	Size     int64  // as stored on disk, or uncompressed for a zip's member
	Workbook bool   // an XLSX workbook
	Parent   string // base name of the folder that holds it, for files that are named by it; "" when there is none

	limits  Limits
	open    func() (io.ReadCloser, error)
	failure error // why it cannot be opened
}

// Open opens the member for reading from its beginning.
func (m *Member) Open() (io.ReadCloser, error) {
	if m.failure != nil {
		return nil, m.failure
	}
	rc, err := m.open()
	if err != nil {
		return nil, apperr.Cause(err)
	}
	return rc, nil
}

// HeadMax is how many bytes of a member its kind is recognized by: more than the longest header line (a registered roster's 448
// columns take 8 KiB).
const HeadMax = 64 << 10

// Head returns the member's first 64 KiB.
func (m *Member) Head() ([]byte, error) {
	rc, err := m.Open()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m.Name, err)
	}
	defer rc.Close() //nolint:errcheck // nothing was written
	b, err := io.ReadAll(io.LimitReader(rc, HeadMax))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m.Name, err)
	}
	return b, nil
}

// ReadWorkbook reads a workbook into memory and checks it as the zip archive that it is.
func (m *Member) ReadWorkbook() ([]byte, error) {
	rc, err := m.Open()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m.Name, err)
	}
	defer rc.Close() //nolint:errcheck // nothing was written
	b, err := io.ReadAll(io.LimitReader(rc, m.limits.WorkbookBytesMax+1))
	if err == nil && int64(len(b)) > m.limits.WorkbookBytesMax {
		err = tooLarge("the workbook", "over %d bytes", m.limits.WorkbookBytesMax)
	}
	var z *zip.Reader
	if err == nil {
		z, err = readZip(bytes.NewReader(b), int64(len(b)))
	}
	if err == nil {
		err = m.limits.checkZip(z)
	}
	if err == nil && !isWorkbook(z) {
		err = errors.New("it is not an XLSX workbook")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m.Name, err)
	}
	return b, nil
}

// UnzippedMax is how much a workbook's parts may unfold to together.
func (m *Member) UnzippedMax() int64 { return m.limits.TotalBytesMax }

func (in *Input) fileMember(file, name string, size int64, gzipped bool) *Member {
	m := &Member{Name: label(name), Size: size, limits: in.limits}
	if whole, err := filepath.Abs(file); err == nil {
		m.Parent = label(filepath.Dir(whole))
	}
	m.open = func() (io.ReadCloser, error) { return os.Open(file) }
	if gzipped {
		m.unpack(uint64(size))
	}
	return m
}

// unpack makes a member of a gzip file what the file holds; stored is how many bytes it takes where it lies.
func (m *Member) unpack(stored uint64) {
	if strings.EqualFold(path.Ext(m.Name), ".gz") {
		m.Name = m.Name[:len(m.Name)-len(".gz")]
	}
	packed := m.open
	m.open = func() (io.ReadCloser, error) {
		f, err := packed()
		if err != nil {
			return nil, err
		}
		z, err := gzip.NewReader(f)
		if err != nil {
			return nil, errors.Join(damaged(err), f.Close())
		}
		return &guard{src: z, what: m.Name, limits: m.limits, stored: stored, under: f}, nil
	}
}

func (in *Input) zipMember(f *zip.File) *Member {
	m := &Member{Name: label(f.Name), limits: in.limits, Size: int64(f.UncompressedSize64)}
	if folder := path.Dir(strings.ReplaceAll(f.Name, `\`, "/")); folder != "." {
		m.Parent = label(folder)
	}
	m.Workbook = strings.EqualFold(path.Ext(m.Name), ".xlsx")
	m.open = func() (io.ReadCloser, error) {
		rc, err := f.Open()
		if err != nil {
			return nil, damaged(err)
		}
		return &guard{src: rc, what: m.Name, limits: m.limits, stored: f.CompressedSize64}, nil
	}
	if strings.EqualFold(path.Ext(m.Name), ".gz") {
		m.unpack(f.CompressedSize64)
	}
	return m
}

// label turns the name of an archive's member into a base name for messages.
func label(name string) string {
	name = path.Base(strings.ReplaceAll(strings.ToValidUTF8(name, "\uFFFD"), `\`, "/"))
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return '\uFFFD'
	}, name)
}

// hidden recognizes what archivers and desktops put beside the files: dot files and macOS resource forks.
func hidden(name string) bool {
	name = strings.ReplaceAll(name, `\`, "/")
	return strings.HasPrefix(path.Base(name), ".") || strings.HasPrefix(name, "__MACOSX/") || strings.Contains(name, "/__MACOSX/")
}
