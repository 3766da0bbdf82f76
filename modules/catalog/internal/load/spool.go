package load

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
)

// spoolMemory is how much of a spool stays in memory.
const spoolMemory = 16 << 20

// spool keeps rows that are complete only when the rest of the document has passed: few of them in memory, more in a file
// that has no name any more, so that nothing is left of it however the process ends.
type spool struct {
	rows rowBuffer
	file *os.File
}

// spill moves the rows to the file when they are many. To be called between rows.
func (p *spool) spill() error {
	if len(p.rows.buf) < spoolMemory {
		return nil
	}
	if p.file == nil {
		file, err := os.CreateTemp("", "gpatlas-load-*")
		if err != nil {
			return fmt.Errorf("catalog load: keep rows for later: %w", err)
		}
		p.file = file
		if err := os.Remove(file.Name()); err != nil {
			return fmt.Errorf("catalog load: keep rows for later: %w", err)
		}
	}
	if _, err := p.file.Write(p.rows.buf); err != nil {
		return fmt.Errorf("catalog load: keep rows for later: %w", err)
	}
	p.rows.buf = p.rows.buf[:0]
	return nil
}

// close lets go of the rows.
func (p *spool) close() {
	if p.file != nil {
		_ = p.file.Close() // it holds nothing that is wanted any more
	}
	p.file, p.rows.buf = nil, nil
}

// read goes through the rows from the first on, in their order.
func (p *spool) read() *spoolReader {
	r := &spoolReader{rest: p.rows.buf}
	if p.file != nil {
		r.file = bufio.NewReaderSize(&fileFrom{p.file, 0}, chunk)
	}
	return r
}

// fileFrom reads a file from an offset, and leaves its own where it is.
type fileFrom struct {
	file *os.File
	at   int64
}

// Read implements io.Reader.
func (f *fileFrom) Read(b []byte) (int, error) {
	n, err := f.file.ReadAt(b, f.at)
	f.at += int64(n)
	if n > 0 {
		return n, nil
	}
	return n, err
}

type spoolReader struct {
	file *bufio.Reader
	rest []byte
	long []byte
}

// next gives the next row without its end; it holds until the next one.
func (r *spoolReader) next() ([]byte, error) {
	if r.file == nil {
		return r.fromMemory()
	}
	row, err := r.file.ReadSlice('\n')
	if errors.Is(err, io.EOF) && len(row) == 0 {
		r.file = nil
		return r.fromMemory()
	}
	for r.long = r.long[:0]; errors.Is(err, bufio.ErrBufferFull); {
		r.long = append(r.long, row...)
		row, err = r.file.ReadSlice('\n')
	}
	if err != nil {
		return nil, fmt.Errorf("catalog load: read rows kept for later: %w", err)
	}
	if len(r.long) > 0 {
		r.long = append(r.long, row...)
		row = r.long
	}
	return row[:len(row)-1], nil
}

func (r *spoolReader) fromMemory() ([]byte, error) {
	row, rest, found := bytes.Cut(r.rest, []byte{'\n'})
	if !found {
		return nil, io.ErrUnexpectedEOF
	}
	r.rest = rest
	return row, nil
}
