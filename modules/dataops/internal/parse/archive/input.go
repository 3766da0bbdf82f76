package archive

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/klauspost/compress/flate"

	"gpatlas/platform/apperr"
)

// Input is what a user pointed at, open for reading.
type Input struct {
	Name    string // base name, part of provenance
	Bytes   int64  // size on disk
	Folder  bool
	Packed  bool // the members were in a zip archive
	Members []*Member

	limits Limits
	close  []func() error
}

// Magic numbers of containers; plain files have none of them.
var (
	magicZip      = []byte("PK\x03\x04")
	magicEmptyZip = []byte("PK\x05\x06")
	magicGzip     = []byte("\x1f\x8b")
)

// workbookPart is the member by which an XLSX workbook, itself a zip archive, is known.
const workbookPart = "xl/workbook.xml"

// Open opens a file, an archive or a folder. Errors name the file and the reason.
func Open(ctx context.Context, path string, limits Limits) (*Input, error) {
	in := &Input{Name: filepath.Base(filepath.Clean(path)), limits: limits.withDefaults()}
	if err := in.open(ctx, path); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", in.Name, apperr.Cause(err)), in.Close())
	}
	return in, nil
}

// OnClose has fn called by Close, the last one first.
func (in *Input) OnClose(fn func() error) { in.close = append(in.close, fn) }

// Close closes everything that was opened.
func (in *Input) Close() error {
	var errs []error
	for _, fn := range slices.Backward(in.close) {
		errs = append(errs, fn())
	}
	in.close = nil
	return errors.Join(errs...)
}

func (in *Input) open(ctx context.Context, path string) error {
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return err
	}
	info, err := os.Stat(target)
	if err != nil {
		return err
	}
	switch {
	case info.IsDir():
		return in.openFolder(ctx, target)
	case !info.Mode().IsRegular():
		return errors.New("it is neither a file nor a folder")
	case info.Size() == 0:
		return errors.New("the file is empty")
	}
	in.Bytes = info.Size()
	magic, err := head(target, 4)
	if err != nil {
		return err
	}
	if bytes.Equal(magic, magicZip) || bytes.Equal(magic, magicEmptyZip) {
		return in.openZip(target)
	}
	if strings.EqualFold(filepath.Ext(target), ".zip") {
		return damaged(errors.New("it does not begin like a zip archive"))
	}
	in.Members = []*Member{in.fileMember(target, in.Name, info.Size(), bytes.HasPrefix(magic, magicGzip))}
	return nil
}

func (in *Input) openZip(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	in.OnClose(file.Close)
	z, err := readZip(file, in.Bytes)
	if err != nil {
		return err
	}
	if err := in.limits.checkZip(z); err != nil {
		return err
	}
	if isWorkbook(z) {
		m := in.fileMember(path, in.Name, in.Bytes, false)
		m.Workbook = true
		in.Members = []*Member{m}
		return nil
	}
	in.Packed = true
	for _, f := range z.File {
		if f.Mode().IsRegular() && !hidden(f.Name) {
			in.Members = append(in.Members, in.zipMember(f))
		}
	}
	if len(in.Members) == 0 {
		return errors.New("the archive is empty")
	}
	return nil
}

func readZip(file io.ReaderAt, size int64) (*zip.Reader, error) {
	z, err := zip.NewReader(file, size)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) { // names are labels here, so an insecure one is harmless
		return nil, damaged(err)
	}
	z.RegisterDecompressor(zip.Deflate, flate.NewReader)
	return z, nil
}

func isWorkbook(z *zip.Reader) bool {
	for _, f := range z.File {
		if strings.EqualFold(f.Name, workbookPart) {
			return true
		}
	}
	return false
}

// head reads the first n bytes of a file, or all of a shorter one.
func head(path string, n int) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close() //nolint:errcheck // nothing was written
	b := make([]byte, n)
	got, err := io.ReadFull(file, b)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return nil, err
	}
	return b[:got], nil
}
