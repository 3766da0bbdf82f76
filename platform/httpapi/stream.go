package httpapi

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"github.com/gofiber/fiber/v2"
)

const streamBufferBytes = 32 << 10

// stream is a body that is written while it is sent. The server reads it after the handler has returned; nothing runs before
// that, so nothing runs for a HEAD request or for a response that was replaced by a failure. If the writer fails, so does
// reading: the server then closes the connection without the end mark of the body, so that the caller notices.
type stream struct {
	write  func(*bufio.Writer) error
	encode func(io.Writer) io.WriteCloser // nil: as it is
	broken func(error)                    // called with the writer's error, unless the caller hung up
	start  sync.Once
	closed atomic.Bool
	reader *io.PipeReader
	writer *io.PipeWriter
}

func newStream(write func(*bufio.Writer) error, broken func(error)) *stream {
	s := &stream{write: write, broken: broken}
	s.reader, s.writer = io.Pipe()
	return s
}

// Read starts the writer with the first call.
func (s *stream) Read(p []byte) (int, error) {
	s.start.Do(func() { go s.run() })
	return s.reader.Read(p) //nolint:wrapcheck // io.EOF must stay io.EOF
}

// Close makes the writer's next write fail: the answer was sent, or the caller hung up.
func (s *stream) Close() error {
	s.closed.Store(true)
	s.start.Do(func() {})
	return s.reader.Close() //nolint:wrapcheck // always nil
}

func (s *stream) run() {
	err := s.produce()
	if err != nil && !s.closed.Load() {
		s.broken(err)
	}
	_ = s.writer.CloseWithError(err) // nil is the end; the method never fails
}

func (s *stream) produce() (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	var out io.Writer = s.writer
	var encoder io.WriteCloser
	if s.encode != nil {
		encoder = s.encode(out)
		out = encoder
	}
	b := bufio.NewWriterSize(out, streamBufferBytes)
	if err := errors.Join(s.write(b), b.Flush()); err != nil {
		return err
	}
	if encoder == nil {
		return nil
	}
	return encoder.Close() //nolint:wrapcheck // logged with the operation
}

// EncodeStream sets an encoder for the response's stream, and reports whether the body is a stream. The end of the encoding is
// written only if the stream is complete.
func EncodeStream(c *fiber.Ctx, encode func(io.Writer) io.WriteCloser) bool {
	s, ok := c.Response().BodyStream().(*stream)
	if ok {
		s.encode = encode
	}
	return ok
}
