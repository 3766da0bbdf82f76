package formd

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
)

// lineBytesMax is how much of a line is held. Longer ones, which only documents have, come in pieces.
const lineBytesMax = 16 << 10

// envelope reads a full submission line by line, and the notice within it as a stream of its own.
type envelope struct {
	ctx   context.Context //nolint:containedctx // lives as long as one reading
	in    *bufio.Reader
	line  int   // of the last line given, 1-based
	read  int64 // bytes
	torn  bool  // the last piece did not end its line
	inXML bool  // the lines belong to the notice: Read returns them
	left  []byte
}

func newEnvelope(ctx context.Context, src io.Reader) *envelope {
	return &envelope{ctx: ctx, in: bufio.NewReaderSize(src, lineBytesMax)}
}

// piece returns the next line, or the next part of a long one, with its end. It is valid until the next call.
func (e *envelope) piece() (b []byte, fresh bool, err error) {
	if e.ctx.Err() != nil {
		return nil, false, context.Cause(e.ctx)
	}
	b, err = e.in.ReadSlice('\n')
	if e.read += int64(len(b)); e.read > noticeBytesMax {
		return nil, false, &damage{e.line, fmt.Errorf("%w: it is larger than 16 MiB, too large for a submission of Form D", errEnvelope)}
	}
	if fresh = !e.torn; fresh && len(b) > 0 {
		e.line++
	}
	e.torn = errors.Is(err, bufio.ErrBufferFull)
	switch {
	case e.torn, errors.Is(err, io.EOF) && len(b) > 0:
		return b, fresh, nil
	}
	return b, fresh, err
}

// next returns the next line without its end. Of a line that is too long for one piece it returns the first piece, and nil for
// each further one.
func (e *envelope) next() ([]byte, error) {
	b, fresh, err := e.piece()
	if !fresh {
		return nil, err
	}
	return bytes.TrimRight(b, "\r\n"), err
}

// Read returns the notice. It ends before the line </XML>, or with the file.
func (e *envelope) Read(p []byte) (int, error) {
	if len(e.left) == 0 && e.inXML {
		b, fresh, err := e.piece()
		if err != nil {
			e.inXML = false
			return 0, err
		}
		if fresh && bytes.EqualFold(bytes.TrimSpace(b), []byte("</XML>")) {
			e.inXML = false
		} else {
			e.left = b
		}
	}
	if len(e.left) == 0 {
		return 0, io.EOF
	}
	n := copy(p, e.left)
	e.left = e.left[n:]
	return n, nil
}
