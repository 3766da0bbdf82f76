package table

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// The limits of one record. A quote that is never closed must not swallow the rest of the file.
const (
	RecordBytesMax = 64 << 10
	recordLinesMax = 200
	bufferBytes    = 512 << 10
)

// Record is one row. Its fields and raw bytes belong to the reader and are valid until the next call.
type Record struct {
	Line   int // 1-based physical line on which it begins
	Fields [][]byte
	Raw    []byte // as written in the file, without the final line end
}

// Bad is a row that could not be read.
type Bad struct {
	Line   int
	Reason string
	Raw    []byte // its first line; belongs to the reader
}

// Reader reads records. Every record must have the number of fields set by Expect; before that any number will do.
//
// A row is read by the standard rules first (a quote inside quotes is doubled). Where these do not hold or do not give
// the right number of fields, a quote counts as the closing one when a comma or the line's end follows it, all others
// as text; and where that fails too, what follows the comma must look like the beginning of a field as the regulator
// writes them (a quote, a digit, another comma). The number of fields must be right in any case.
type Reader struct {
	src    io.Reader
	onBad  func(Bad)
	expect int // fields of a record; 0 = any number
	named  int // columns that the header names, where they are not as many

	buf        []byte
	start, end int // the unread part of buf
	eof        bool
	err        error // what src failed with, once everything before it is read
	line       int   // line at start
	fields     [][]byte
	scratch    []byte // unescaped fields of the current record

	cut *CutError // what the end of the file says, if the file ended here
}

// NewReader reads src and passes unreadable rows to onBad. A byte order mark at the beginning is skipped.
func NewReader(src io.Reader, onBad func(Bad)) *Reader {
	return &Reader{src: src, onBad: onBad, buf: make([]byte, bufferBytes), line: 1}
}

// Expect sets the number of fields that every further record has, and how many columns the header names: another number,
// where it is known to be written wrongly.
func (r *Reader) Expect(fields, named int) { r.expect, r.named = fields, named }

// miscounted returns the reason for a row without the expected number of fields.
func (r *Reader) miscounted(fields int) string {
	if r.named != r.expect {
		return fmt.Sprintf("The row has %d fields, but %d are expected (the header has %d)", fields, r.expect, r.named)
	}
	return fmt.Sprintf("The row has %d fields, but the header has %d", fields, r.expect)
}

// Read returns the next record, or io.EOF. Blank lines are skipped. Any other error is the source's, or says that a part of the file was zeroed.
func (r *Reader) Read() (Record, error) {
	for {
		if err := r.fill(); err != nil {
			return Record{}, err
		}
		window := r.buf[r.start:min(r.end, r.start+RecordBytesMax+1)]
		if n := blankLine(window); n > 0 {
			r.start += n
			r.line++
			continue
		}
		line, atEOF := r.line, r.eof && r.start+len(window) == r.end
		rec, reason := r.parse(window)
		r.noteEnd(window, line, atEOF, reason)
		if reason == "" {
			return rec, nil
		}
		if zeroed(window, atEOF) {
			return Record{}, fmt.Errorf("line %d has a block of zero bytes. The file is damaged, and rows may be lost", line)
		}
		if err := r.skipLine(reason); err != nil {
			return Record{}, err
		}
	}
}

// parse tries the readings of a record, from the strictest to the laxest, and advances past the record. If none works, it
// returns the reason and does not advance.
func (r *Reader) parse(window []byte) (rec Record, reason string) {
	p := parser{in: window, atEOF: r.eof && r.start+len(window) == r.end, fields: r.fields[:0], scratch: r.scratch[:0]}
	for _, mode := range readings {
		p.reset(mode)
		fault := p.record()
		r.fields, r.scratch = p.fields, p.scratch
		switch {
		case fault != "":
		case r.expect > 0 && len(p.fields) != r.expect:
			fault = r.miscounted(len(p.fields))
		case mode != doubled && p.lines > 1 && r.runaway(window, p.atEOF):
			fault = "A quote is not closed on its line"
		case bytes.IndexByte(window[:p.pos], 0) >= 0:
			fault = "The row contains a NUL byte"
		default:
			rec = Record{Line: r.line, Fields: p.fields, Raw: bytes.TrimRight(window[:p.pos], "\r\n")}
			r.start += p.pos
			r.line += p.lines
			return rec, ""
		}
		if reason == "" || mode == bare {
			reason = fault
		}
		if !p.quoted {
			break // without quotes all readings are the same
		}
	}
	return Record{}, reason
}

// zeroed reports whether the first line has a block of zero bytes, because a part of the file was never written. Some programs write zeros
// behind the last line.
func zeroed(window []byte, atEOF bool) bool {
	line, _, ended := bytes.Cut(window, []byte{'\n'})
	block := bytes.Contains(line, zeros[:])
	return block && (ended || !atEOF || len(bytes.Trim(line, " \t\r\x1a\x00")) > 0)
}

// zeros is the least block of zero bytes that is damage of the file, and not of a row.
var zeros [16]byte

// runaway reports whether a record of its own begins on the second line of window: then one that reaches over it was held
// together by a quote that should have been closed.
func (r *Reader) runaway(window []byte, atEOF bool) bool {
	p := parser{in: window[bytes.IndexByte(window, '\n')+1:], atEOF: atEOF}
	for _, mode := range readings {
		p.reset(mode)
		if p.record() == "" && len(p.fields) == r.expect {
			return true
		}
	}
	return false
}

// readings are the ways to read a record, from the strictest to the laxest.
var readings = [...]quoting{doubled, bare, guarded}

// skipLine reports the line at the reader's position as bad and goes to the next one.
func (r *Reader) skipLine(reason string) error {
	reported := false
	for {
		rest := r.buf[r.start:r.end]
		n := bytes.IndexByte(rest, '\n') + 1
		if n == 0 {
			n = len(rest)
		}
		if !reported {
			r.onBad(Bad{Line: r.line, Reason: reason, Raw: bytes.TrimRight(rest[:min(n, RecordBytesMax)], "\r\n")})
			reported = true
		}
		ended := rest[n-1] == '\n'
		r.start += n
		if ended {
			r.line++
			return nil
		}
		if err := r.fill(); err != nil {
			return err
		}
	}
}

// fill makes sure that the buffer has a whole record of the largest size, or the rest of the file.
func (r *Reader) fill() error {
	if r.end-r.start > RecordBytesMax {
		return nil
	}
	if !r.eof && r.err == nil {
		r.end = copy(r.buf, r.buf[r.start:r.end])
		r.start = 0
	}
	for empty := 0; !r.eof && r.err == nil && r.end < len(r.buf); {
		n, err := r.src.Read(r.buf[r.end:])
		atStart := r.line == 1 && r.start == 0 && r.end < len(bom)
		r.end += n
		if atStart && r.end >= len(bom) && bytes.HasPrefix(r.buf, bom) {
			r.end = copy(r.buf, r.buf[len(bom):r.end])
		}
		switch {
		case errors.Is(err, io.EOF):
			r.eof = true
		case err != nil:
			r.err = err
		case n == 0:
			if empty++; empty > 100 {
				r.err = io.ErrNoProgress
			}
		}
		if r.end > RecordBytesMax && r.end > len(r.buf)/2 {
			break
		}
	}
	switch {
	case r.end > r.start && r.err == nil:
		return nil
	case r.err != nil:
		return r.err // what precedes the fault may be a torn row: it is not trusted
	}
	return io.EOF
}

var bom = []byte("\xef\xbb\xbf")

func blankLine(b []byte) int {
	switch {
	case len(b) > 0 && b[0] == '\n':
		return 1
	case len(b) > 1 && b[0] == '\r' && b[1] == '\n':
		return 2
	case len(b) == 1 && b[0] == '\r':
		return 1
	}
	return 0
}
