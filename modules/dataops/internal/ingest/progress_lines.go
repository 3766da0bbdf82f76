package ingest

import (
	"fmt"
	"io"
	"time"

	"gpatlas/platform/clock"
)

// A line follows within two seconds after the one before.
const (
	linesEvery = 1800 * time.Millisecond
	linesLook  = 200 * time.Millisecond
)

// lines reports in plain lines, for logs and pipes.
type lines struct {
	now

	out     io.Writer
	signs   bool     // only what lasts is shown, and nothing when it is done
	waiting []string // positions of the documents begun and not ended, which end in the order in which they began
	last    time.Time
	done    chan struct{} // closed at the end
}

// NewLines makes a Progress of plain lines.
func NewLines(out io.Writer, clk clock.Clock) Progress { return newLines(out, clk).watched() }

// NewSigns makes a Progress that only shows that work goes on: a line while something lasts, and none when it is done.
func NewSigns(out io.Writer, clk clock.Clock) Progress {
	l := newLines(out, clk)
	l.signs = true
	return l.watched()
}

// watched begins to look.
func (l *lines) watched() *lines {
	look := time.NewTicker(linesLook)
	go func() {
		defer look.Stop()
		for {
			select {
			case <-look.C:
				l.look()
			case <-l.done:
				return
			}
		}
	}()
	return l
}

func newLines(out io.Writer, clk clock.Clock) *lines {
	return &lines{now: now{clock: clk}, out: out, last: clk.Now(), done: make(chan struct{})}
}

// look prints a line if none was printed for some time.
func (l *lines) look() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.clock.Now().Sub(l.last) < linesEvery {
		return
	}
	if text := l.line(1000); text != "" {
		l.print("%s …\n", text)
	}
}

func (l *lines) Begin(document string, index, of int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.begin(document, index, of)
	l.waiting = append(l.waiting, position(index, of))
}

func (l *lines) Rows(read int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.rows = read
}

func (l *lines) Staged(d Document) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.signs {
		l.print("%s%s\n", position(l.index, l.of), staged(d))
	}
}

func (l *lines) Stage(name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.stage(name)
}

func (l *lines) StageEnd(s Stage) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.stageEnd(s.Name)
	if s.Seconds >= stageMin && !l.signs {
		l.print("%s\n", s)
	}
}

func (l *lines) End(d Document) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.end(d.Document)
	at := ""
	if len(l.waiting) > 0 {
		at, l.waiting = l.waiting[0], l.waiting[1:]
	}
	if !l.signs || d.Error != "" {
		l.print("%s%s\n", at, line(d))
	}
}

func (l *lines) Close() { close(l.done) }

// print ignores a failing writer: the ingestion itself does not depend on it.
func (l *lines) print(format string, args ...any) {
	l.last = l.clock.Now()
	_, _ = fmt.Fprintf(l.out, format, args...)
}
