package sample

import (
	"archive/zip"
	"bufio"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"os"
	"time"

	"github.com/klauspost/compress/flate"
)

// A zip's members come one after the other, but a filing writes to all tables at once. So each table is compressed
// into a temporary file, and the zip is put together from those: memory stays the same at every scale.

// spool is one table on its way into a zip.
type spool struct {
	file *os.File
	pack *flate.Writer
	out  *bufio.Writer
	sum  hash.Hash32
	size uint64
	rows int
}

// newSpool begins an archive's i-th table.
func (p *plan) newSpool(dir string, i int) (*spool, error) {
	for len(p.packers) <= i {
		// The pinned module's compressor, not the standard library's: its bytes do not change with the toolchain.
		pack, err := flate.NewWriter(io.Discard, 5)
		if err != nil {
			return nil, err
		}
		p.packers = append(p.packers, pack)
	}
	f, err := os.CreateTemp(dir, ".sample-*.part")
	if err != nil {
		return nil, err
	}
	pack := p.packers[i]
	pack.Reset(f)
	return &spool{file: f, pack: pack, out: bufio.NewWriterSize(pack, 1<<16), sum: crc32.NewIEEE()}, nil
}

// newTable begins an archive's i-th table with its header.
func (p *plan) newTable(dir string, i int, header string) (*spool, error) {
	s, err := p.newSpool(dir, i)
	if err != nil {
		return nil, err
	}
	if err := s.write([]byte(header)); err != nil {
		return nil, errors.Join(err, s.remove())
	}
	return s, nil
}

// row writes one row, and counts it.
func (s *spool) row(p []byte) error {
	s.rows++
	return s.write(p)
}

func (s *spool) write(p []byte) error {
	s.size += uint64(len(p))
	_, _ = s.sum.Write(p) // never fails
	_, err := s.out.Write(p)
	return err
}

// finish flushes and goes back to the start, for reading.
func (s *spool) finish() (packed int64, err error) {
	if err := s.out.Flush(); err != nil {
		return 0, err
	}
	if err := s.pack.Close(); err != nil {
		return 0, err
	}
	if packed, err = s.file.Seek(0, io.SeekEnd); err != nil {
		return 0, err
	}
	_, err = s.file.Seek(0, io.SeekStart)
	return packed, err
}

func (s *spool) remove() error {
	return errors.Join(s.file.Close(), os.Remove(s.file.Name()))
}

// zipTogether writes the spools as members of one zip. Its times are the end of the period, not the clock's.
func zipTogether(path string, names []string, spools []*spool, at time.Time) (size int64, err error) {
	part := path + ".part"
	f, err := os.OpenFile(part, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600) // #nosec G304 -- the folder is the caller's
	if err != nil {
		return 0, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, f.Close(), os.Remove(part))
		}
	}()
	z := zip.NewWriter(f)
	for i, s := range spools {
		packed, err := s.finish()
		if err != nil {
			return 0, fmt.Errorf("%s: %w", names[i], err)
		}
		h := &zip.FileHeader{
			Name: names[i], Method: zip.Deflate, CRC32: s.sum.Sum32(),
			CompressedSize64: uint64(packed), UncompressedSize64: s.size,
		} // #nosec G115 -- a file's size
		h.SetModTime(at) //nolint:staticcheck // CreateRaw takes the old fields as they are and does not look at Modified
		w, err := z.CreateRaw(h)
		if err != nil {
			return 0, err
		}
		if _, err := io.Copy(w, s.file); err != nil {
			return 0, err
		}
	}
	if err := z.Close(); err != nil {
		return 0, err
	}
	if size, err = f.Seek(0, io.SeekEnd); err != nil {
		return 0, err
	}
	if err := f.Close(); err != nil {
		return 0, errors.Join(err, os.Remove(part))
	}
	return size, os.Rename(part, path)
}
