package log

import (
	"io"
	"sync"
	"time"
)

const (
	bufferBytes = 64 << 10
	bufferDelay = 100 * time.Millisecond
)

// buffered gathers lines and writes them when there are enough of them, after bufferDelay, or on Flush.
type buffered struct {
	mu    sync.Mutex
	w     io.Writer
	lines []byte
	timer *time.Timer
}

// Write accepts one line. The error, if any, is that of writing earlier ones.
func (b *buffered) Write(line []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	first := len(b.lines) == 0
	b.lines = append(b.lines, line...)
	if len(b.lines) >= bufferBytes {
		return len(line), b.flush()
	}
	if first {
		if b.timer == nil {
			b.timer = time.AfterFunc(bufferDelay, b.Flush)
		} else {
			b.timer.Reset(bufferDelay)
		}
	}
	return len(line), nil
}

// Flush writes what has gathered.
func (b *buffered) Flush() {
	b.mu.Lock()
	defer b.mu.Unlock()
	_ = b.flush() // there is no place to report a failing log
}

func (b *buffered) flush() error {
	if len(b.lines) == 0 {
		return nil
	}
	_, err := b.w.Write(b.lines)
	b.lines = b.lines[:0]
	return err
}
