package table

import (
	"bytes"
	"fmt"
)

// CutError says that a file was cut off: rows behind its end are lost.
type CutError struct {
	Line   int
	Inside bool   // it ends inside a row; otherwise the last row is whole but has no line end
	Empty  bool   // it has no byte, not even a header
	why    string // how it ends inside a row
}

func (e *CutError) Error() string {
	if e.Empty {
		return "it is empty and lacks even its header. The file is cut off"
	}
	if !e.Inside {
		return fmt.Sprintf("line %d has no line end, unlike every row of a complete file. The file may be cut off", e.Line)
	}
	return fmt.Sprintf("line %d ends in the middle of a row: %s. The file is cut off", e.Line, e.why)
}

// noteEnd notes how the file ends, if the record at the beginning of window is its last: parsed, or bad for a reason.
func (r *Reader) noteEnd(window []byte, line int, atEOF bool, reason string) {
	last := atEOF && (reason == "" && r.start == r.end || reason != "" && bytes.IndexByte(window, '\n') < 0)
	unended := last && window[len(window)-1] != '\n'
	switch {
	case reason == "":
		if r.cut = nil; unended {
			r.cut = &CutError{Line: line}
		}
	case r.cut != nil && !unended: // a quote that is still open
	case unended && len(bytes.Trim(window, " \t\r\x1a\x00")) == 0: // what some programs write behind the last line
	case atEOF && reason == faultOpen:
		if r.cut == nil {
			r.cut = &CutError{Line: line, Inside: true, why: "a quote is not closed"}
		}
	case unended && r.expect > 0 && len(r.fields) < r.expect:
		if r.cut == nil {
			r.cut = &CutError{Line: line, Inside: true, why: fmt.Sprintf("it has %d of %d fields and no line end", len(r.fields), r.expect)}
		}
	case unended:
		r.cut = &CutError{Line: line}
	}
}

// Cut says how a file that was read to its end was cut off; nil = it was not. A quote that is open at the end of the file
// counts only if no row follows that can be read: otherwise it is a stray one.
func (r *Reader) Cut() *CutError { return r.cut }
