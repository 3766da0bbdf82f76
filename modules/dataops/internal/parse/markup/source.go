package markup

import (
	"bytes"
	"context"
	"errors"
	"io"
)

// PieceBytesMax bounds one piece of the text: a tag with its attributes, a run of characters, a comment. Real ones have some 3 KiB.
const PieceBytesMax = 1 << 20

// bufferBytes is how much is read at once, at first; the buffer grows with the pieces.
const bufferBytes = 32 << 10

var errPiece = errors.New("a tag or a text is longer than 1 MiB")

// source is the window on the text: the bytes that are read and not yet given.
type source struct {
	ctx        context.Context //nolint:containedctx // lives as long as one reading
	in         io.Reader
	buf        []byte
	start, end int
	err        error // what in ended with; io.EOF for its end
	offset     int64 // of start
	line       int   // at start, 1-based
}

// window is what is there.
func (s *source) window() []byte { return s.buf[s.start:s.end] }

// more reads on. It says false when there is nothing more, and why in err.
func (s *source) more() bool {
	if s.err != nil {
		return false
	}
	if s.start > 0 {
		s.end = copy(s.buf, s.window())
		s.start = 0
	}
	if s.end > PieceBytesMax {
		s.err = errPiece
		return false
	}
	if s.end == len(s.buf) {
		s.buf = append(s.buf, make([]byte, max(bufferBytes, len(s.buf)))...)
	}
	from := s.end
	for empty := 0; s.err == nil && s.end < len(s.buf); { // filled whole, so that a long piece is not looked through at every read
		if s.ctx.Err() != nil {
			s.err = context.Cause(s.ctx)
			return false
		}
		n, err := s.in.Read(s.buf[s.end:])
		s.end += n
		s.err = err
		if n > 0 {
			empty = 0
		} else if empty++; empty > emptyReadsMax && err == nil {
			s.err = io.ErrNoProgress
		}
	}
	return s.end > from
}

// emptyReadsMax is how often a source may give nothing without an end.
const emptyReadsMax = 100

// until gives the window up to and with what find finds the end of: it gives the length, or -1 to see more. Nothing is
// given when the text ends or fails before that.
func (s *source) until(find func([]byte) int) ([]byte, bool) {
	for {
		if n := find(s.window()); n >= 0 {
			if n > PieceBytesMax {
				s.err = errPiece
				return nil, false
			}
			return s.buf[s.start : s.start+n], true
		}
		if !s.more() {
			return nil, false
		}
	}
}

// take steps over the first n bytes of the window.
func (s *source) take(n int) {
	s.line += bytes.Count(s.buf[s.start:s.start+n], newline)
	s.start += n
	s.offset += int64(n)
}

var newline = []byte{'\n'}

// after finds the end of the first mark that begins at the given place or later.
func after(from int, mark string) func([]byte) int {
	return func(b []byte) int {
		if len(b) < from {
			return -1
		}
		if i := bytes.Index(b[from:], []byte(mark)); i >= 0 {
			return from + i + len(mark)
		}
		return -1
	}
}

// tagEnd finds the end of a tag: the first > that stands in no attribute's value.
func tagEnd(b []byte) int {
	for i := 0; i < len(b); i++ {
		switch b[i] {
		case '>':
			return i + 1
		case '"', '\'':
			closing := bytes.IndexByte(b[i+1:], b[i])
			if closing < 0 {
				return -1
			}
			i += closing + 1
		}
	}
	return -1
}
