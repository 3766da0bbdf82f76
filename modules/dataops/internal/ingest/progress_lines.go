package ingest

import (
	"fmt"
	"io"
	"sync"
	"time"

	"gpatlas/platform/clock"
)

// linesEvery is how often a line tells of a document that takes its time.
const linesEvery = 5 * time.Second

// lines reports in plain lines: one when a document begins to take long, one when it is done.
type lines struct {
	out   io.Writer
	clock clock.Clock

	mu       sync.Mutex
	document string
	position string
	waiting  []string // positions of the documents begun and not ended, which end in the order in which they began
	last     time.Time
}

// NewLines makes a Progress of plain lines, for logs and pipes.
func NewLines(out io.Writer, clk clock.Clock) Progress { return &lines{out: out, clock: clk} }

func (l *lines) Begin(document string, index, of int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.document, l.position, l.last = document, "", l.clock.Now()
	if of > 1 {
		l.position = fmt.Sprintf("[%d/%d] ", index+1, of)
	}
	l.waiting = append(l.waiting, l.position)
}

func (l *lines) Rows(read int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if now := l.clock.Now(); now.Sub(l.last) >= linesEvery {
		l.last = now
		l.print("%s%s: %s rows read …\n", l.position, l.document, grouped(read))
	}
}

func (l *lines) End(d Document) {
	l.mu.Lock()
	defer l.mu.Unlock()
	position := l.position
	if len(l.waiting) > 0 {
		position, l.waiting = l.waiting[0], l.waiting[1:]
	}
	l.print("%s%s\n", position, line(d))
}

func (l *lines) Close() {}

// print ignores a writer that fails: what is reported happens all the same.
func (l *lines) print(format string, args ...any) { _, _ = fmt.Fprintf(l.out, format, args...) }
