package ingest

import (
	"fmt"
	"io"
	"sync/atomic"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
)

// nameWidth is the room that a document's name has on the terminal.
const nameWidth = 44

// bars reports on a terminal: one bar over the documents with the name and the rows of the one at hand, and a line for
// each that is done. How many rows a document holds is known only at its end, so there is no share of it to show.
type bars struct {
	out  *mpb.Progress
	bar  *mpb.Bar
	name atomic.Value
	rows atomic.Int64
}

// NewBars makes a Progress of bars, for terminals.
func NewBars(out io.Writer) Progress {
	return &bars{out: mpb.New(mpb.WithOutput(out), mpb.WithWidth(nameWidth), mpb.WithAutoRefresh())}
}

// Begin implements Progress.
func (b *bars) Begin(document string, _, of int) {
	b.name.Store(shorten(document))
	b.rows.Store(0)
	if b.bar != nil {
		return
	}
	b.bar = b.out.AddBar(int64(of), mpb.BarRemoveOnComplete(),
		mpb.PrependDecorators(decor.Any(func(decor.Statistics) string { return fmt.Sprintf("%-*s ", nameWidth, b.name.Load()) })),
		mpb.AppendDecorators(
			decor.CountersNoUnit("%d / %d  "),
			decor.Any(func(decor.Statistics) string { return grouped(b.rows.Load()) + " rows  " }),
			decor.Elapsed(decor.ET_STYLE_MMSS)))
}

// Rows implements Progress.
func (b *bars) Rows(read int64) { b.rows.Store(read) }

// End implements Progress.
func (b *bars) End(d Document) {
	_, _ = fmt.Fprintln(b.out, line(d))
	b.bar.Increment()
}

// Close implements Progress. A bar that was broken off would be waited for.
func (b *bars) Close() {
	if b.bar != nil {
		b.bar.Abort(true)
	}
	b.out.Wait()
}

// shorten cuts a name in its middle.
func shorten(name string) string {
	runes := []rune(name)
	if len(runes) <= nameWidth {
		return name
	}
	half := nameWidth/2 - 1
	return string(runes[:half]) + "…" + string(runes[len(runes)-half:])
}
