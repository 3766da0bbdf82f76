package ingest

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"gpatlas/platform/clock"
)

// now is what an ingestion does at the moment: it reads a document, or is in a stage. Its mutex also guards what is printed
// about it.
type now struct {
	clock clock.Clock

	mu       sync.Mutex
	document task
	rows     int64
	index    int
	of       int
	stages   []task // those that have begun and not ended; the last one is shown
}

// task is something that takes time.
type task struct {
	name  string
	since time.Time
}

// begin notes that a document begins.
func (n *now) begin(document string, index, of int) {
	n.document, n.rows, n.index, n.of = task{document, n.clock.Now()}, 0, index, of
}

// end notes that a document is over. The one after it may have begun.
func (n *now) end(document string) {
	if n.document.name == document {
		n.document = task{}
	}
}

func (n *now) stage(name string) { n.stages = append(n.stages, task{name, n.clock.Now()}) }

func (n *now) stageEnd(name string) {
	if i := slices.IndexFunc(n.stages, func(t task) bool { return t.name == name }); i >= 0 {
		n.stages = slices.Delete(n.stages, i, i+1)
	}
}

// line describes the moment in at most width characters: what is done, which document of how many it is, rows and time. Of a long
// name the middle is left out.
func (n *now) line(width int) string {
	shown, details := n.document, ""
	if len(n.stages) > 0 {
		shown = n.stages[len(n.stages)-1]
	}
	if shown.name == "" {
		return ""
	}
	if n.of > 1 {
		details += fmt.Sprintf("  [%d/%d]", n.index+1, n.of)
	}
	if len(n.stages) == 0 {
		details += "  " + rows(n.rows)
	}
	details += "  " + elapsed(n.clock.Now().Sub(shown.since))
	return shorten(shown.name, max(width-len(details), nameMin)) + details
}

// nameMin is what a name has on the narrowest terminal.
const nameMin = 8

// elapsed is a time in minutes and seconds.
func elapsed(d time.Duration) string {
	seconds := int(max(d, 0).Seconds())
	return fmt.Sprintf("%d:%02d", seconds/60, seconds%60)
}

// shorten leaves out the middle of a name that is longer than width.
func shorten(name string, width int) string {
	runes := []rune(name)
	if len(runes) <= width {
		return name
	}
	half := (width - 1) / 2
	return string(runes[:width-1-half]) + "…" + string(runes[len(runes)-half:])
}

// stageMin is the shortest stage that has a line: the others would only be in the way.
const stageMin = 0.1

// staged is the line about a document whose rows are in the database.
func staged(d Document) string {
	return fmt.Sprintf("%s: %s staged (%.1f s)", d.Document, rows(d.Read), d.Seconds)
}

// String is the line about a stage that is over.
func (s Stage) String() string {
	if s.Interrupted {
		return fmt.Sprintf("%s: interrupted after %.1f s", s.Name, s.Seconds)
	}
	return fmt.Sprintf("%s (%.1f s)", s.Name, s.Seconds)
}

// position is the number of a document, of how many.
func position(index, of int) string {
	if of <= 1 {
		return ""
	}
	return "[" + strings.Join([]string{grouped(int64(index + 1)), grouped(int64(of))}, "/") + "] "
}
