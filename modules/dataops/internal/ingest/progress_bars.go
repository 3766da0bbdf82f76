package ingest

import (
	"fmt"
	"io"
	"sync"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"gpatlas/platform/clock"
)

const (
	barMin  = 12  // the least room for the bar itself
	lineMax = 100 // the most room for the text before it
)

// bars reports on a terminal: one bar over the documents, before it what is done at the moment, and a line for each document and
// stage that is done. How many rows a document has is known only at its end, so no share of them can be shown.
type bars struct {
	now

	staged int // documents that are done except for the steps that all have in common
	out    *mpb.Progress
	adding sync.Mutex
	bar    *mpb.Bar // nil = nothing has begun
}

// NewBars makes a Progress of bars, for terminals. The bar is as wide as the terminal if out is an *os.File, else 80 columns.
func NewBars(out io.Writer, clk clock.Clock) Progress {
	return &bars{now: now{clock: clk}, out: mpb.New(mpb.WithOutput(out), mpb.WithAutoRefresh())}
}

// show shows so many documents as done. Without a bar it adds one. It must not be called with mu held: a bar asks for its line.
func (b *bars) show(done, of int) {
	b.adding.Lock()
	defer b.adding.Unlock()
	if b.bar == nil {
		// A bar without a total ends only when it is completed: stages follow the last document.
		b.bar = b.out.AddBar(0, mpb.PrependDecorators(decor.Any(func(s decor.Statistics) string {
			b.mu.Lock()
			defer b.mu.Unlock()
			return b.line(min(s.AvailableWidth-barMin, lineMax))
		})))
	}
	b.bar.SetTotal(int64(of), false)
	b.bar.SetCurrent(int64(done))
}

// Begin implements Progress.
func (b *bars) Begin(document string, index, of int) {
	b.mu.Lock()
	b.begin(document, index, of)
	b.staged = index
	b.mu.Unlock()
	b.show(index, of)
}

// Rows implements Progress.
func (b *bars) Rows(read int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.rows = read
}

// Staged implements Progress.
func (b *bars) Staged(d Document) {
	b.print(staged(d))
	b.mu.Lock()
	b.staged++
	done, of := b.staged, b.of
	b.mu.Unlock()
	b.show(done, of)
}

// Stage implements Progress.
func (b *bars) Stage(name string) {
	b.mu.Lock()
	b.stage(name)
	done, of := b.staged, b.of
	b.mu.Unlock()
	b.show(done, of)
}

// StageEnd implements Progress.
func (b *bars) StageEnd(s Stage) {
	b.mu.Lock()
	b.stageEnd(s.Name)
	b.mu.Unlock()
	if s.Seconds >= stageMin {
		b.print(s.String())
	}
}

// End implements Progress.
func (b *bars) End(d Document) {
	b.mu.Lock()
	b.end(d.Document)
	b.mu.Unlock()
	b.print(line(d))
}

// Close implements Progress. It aborts an unfinished bar, for which Wait would wait.
func (b *bars) Close() {
	b.adding.Lock()
	defer b.adding.Unlock()
	if b.bar != nil {
		b.bar.Abort(true)
	}
	b.out.Wait()
}

// print writes a line above the bar.
func (b *bars) print(text string) { _, _ = fmt.Fprintln(b.out, text) }
