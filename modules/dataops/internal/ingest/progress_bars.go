package ingest

import (
	"fmt"
	"io"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
)

// nameWidth is the room that a document's name has on the terminal.
const nameWidth = 44

// bars reports on a terminal: a bar over the documents, a spinner with the rows of the one at hand, and a line for each
// that is done. How many rows a document holds is known only at its end, so there is no share of it to show.
type bars struct {
	out   *mpb.Progress
	total *mpb.Bar
	now   *mpb.Bar
}

// NewBars makes a Progress of bars, for terminals.
func NewBars(out io.Writer) Progress {
	return &bars{out: mpb.New(mpb.WithOutput(out), mpb.WithWidth(nameWidth), mpb.WithAutoRefresh())}
}

func (b *bars) Begin(document string, index, of int) {
	if b.total == nil && of > 1 {
		b.total = b.out.AddBar(int64(of), mpb.BarPriority(of+1), mpb.BarRemoveOnComplete(),
			mpb.PrependDecorators(decor.Name("documents", decor.WC{W: nameWidth, C: decor.DindentRight})),
			mpb.AppendDecorators(decor.CountersNoUnit("%d / %d")))
	}
	b.now = b.out.New(0, mpb.SpinnerStyle(), mpb.BarPriority(index), mpb.BarRemoveOnComplete(),
		mpb.PrependDecorators(decor.Name(shorten(document), decor.WC{W: nameWidth, C: decor.DindentRight})),
		mpb.AppendDecorators(
			decor.Any(func(s decor.Statistics) string { return grouped(s.Current) + " rows " }),
			decor.Elapsed(decor.ET_STYLE_MMSS)))
}

func (b *bars) Rows(read int64) { b.now.SetCurrent(read) }

func (b *bars) End(d Document) {
	b.now.SetTotal(-1, true)
	b.now.Wait()
	_, _ = fmt.Fprintln(b.out, line(d))
	if b.total != nil {
		b.total.Increment()
	}
}

func (b *bars) Close() {
	if b.total != nil {
		b.total.Abort(true) // a bar that was broken off would be waited for
	}
	b.out.Wait()
}

// shorten cuts a name in its middle.
func shorten(name string) string {
	runes := []rune(name)
	if len(runes) < nameWidth {
		return name
	}
	half := nameWidth/2 - 1
	return string(runes[:half]) + "…" + string(runes[len(runes)-half:])
}
