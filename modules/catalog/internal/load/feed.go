package load

import (
	"errors"
	"io"
)

// feed is rows in hand as the data of a COPY: it asks for more until a chunk is full.
type feed struct {
	more func(r *rowBuffer) error // appends a row or none; io.EOF ends the feed
	rows rowBuffer
	sent int
	err  error
}

// Read implements io.Reader.
func (f *feed) Read(p []byte) (int, error) {
	for f.sent == len(f.rows.buf) {
		if f.err != nil {
			return 0, f.err
		}
		f.sent = 0
		f.rows.buf = f.rows.buf[:0]
		for len(f.rows.buf) < chunkSize && f.err == nil {
			f.err = f.more(&f.rows)
		}
		if f.err != nil && !errors.Is(f.err, io.EOF) {
			return 0, f.err
		}
	}
	n := copy(p, f.rows.buf[f.sent:])
	f.sent += n
	return n, nil
}

// temporary names a temporary table as the target of a COPY.
func temporary(table string) string { return table }

const prefetchRows = rowsAhead
