package table

import "bytes"

// quoting is the rule by which a quote closes a quoted field.
type quoting int

const (
	doubled quoting = iota // the first that is not doubled; anything but a comma or a line's end after it is a fault
	bare                   // the first before a comma or a line's end; doubled ones are text
	guarded                // as bare, and the comma is followed by the possible beginning of a field
)

// parser reads one record at the beginning of in.
type parser struct {
	in      []byte
	atEOF   bool // nothing follows in
	mode    quoting
	pos     int
	lines   int // physical lines that the record takes
	quoted  bool
	fields  [][]byte
	scratch []byte
}

func (p *parser) reset(mode quoting) {
	p.mode, p.pos, p.lines, p.quoted = mode, 0, 1, false
	p.fields, p.scratch = p.fields[:0], p.scratch[:0]
}

const (
	faultLong  = "The row is longer than 64 KiB"
	faultOpen  = "A quote is not closed within 64 KiB or 200 lines"
	faultInner = "A quoted field contains a quote"
)

// record reads the fields and the end of the line; it returns the fault, or "".
func (p *parser) record() string {
	in, pos := p.in, 0
	for {
		if pos < len(in) && in[pos] == '"' {
			next, fault := p.quotedField(pos)
			if fault != "" {
				return fault
			}
			pos = next
		} else {
			from := pos
			for pos < len(in) && in[pos] != ',' && in[pos] != '\n' {
				pos++
			}
			if pos == len(in) && !p.atEOF {
				return faultLong
			}
			to := pos
			if to > from && in[to-1] == '\r' && (pos == len(in) || in[pos] == '\n') {
				to--
			}
			p.fields = append(p.fields, in[from:to:to])
		}
		if pos == len(in) {
			p.pos = pos
			return ""
		}
		pos++ // the comma or the line's end
		if in[pos-1] == '\n' {
			p.pos = pos
			return ""
		}
	}
}

// quotedField reads the field whose opening quote is at open. It returns the position after its closing quote and, at the end of
// a line, after the carriage return.
func (p *parser) quotedField(open int) (int, string) {
	p.quoted = true
	in, from := p.in, open+1
	escaped := false
	for search := from; ; {
		i := bytes.IndexByte(in[search:], '"')
		if i < 0 {
			return 0, faultOpen
		}
		quote := search + i
		if p.lines += bytes.Count(in[search:quote], newline); p.lines > recordLinesMax {
			return 0, faultOpen
		}
		after, closes := p.closes(quote)
		switch {
		case closes:
			p.keep(in[from:quote:quote], escaped)
			return after, ""
		case p.mode != doubled:
			search = quote + 1
		case after < len(in) && in[after] == '"':
			escaped = true
			search = quote + 2
		case after == len(in):
			return 0, faultOpen
		default:
			return 0, faultInner
		}
	}
}

var newline = []byte{'\n'}

// closes reports whether the quote ends its field, and returns the position of what follows: a comma, a line feed or the end.
func (p *parser) closes(quote int) (after int, ok bool) {
	in := p.in
	after = quote + 1
	switch {
	case after == len(in):
		return after, p.atEOF
	case in[after] == '\n':
		return after, true
	case in[after] == '\r' && after+1 == len(in) && p.atEOF, in[after] == '\r' && after+1 < len(in) && in[after+1] == '\n':
		return after + 1, true
	case in[after] == ',':
		return after, p.mode != guarded || after+1 == len(in) || fieldBegins(in[after+1])
	}
	return after, false
}

func fieldBegins(b byte) bool {
	switch b {
	case '"', ',', '\n', '\r', '-', '.', '$':
		return true
	}
	return b >= '0' && b <= '9'
}

func (p *parser) keep(field []byte, escaped bool) {
	if !escaped {
		p.fields = append(p.fields, field)
		return
	}
	from := len(p.scratch)
	for i := 0; i < len(field); i++ {
		p.scratch = append(p.scratch, field[i])
		if field[i] == '"' {
			i++ // its twin
		}
	}
	p.fields = append(p.fields, p.scratch[from:len(p.scratch):len(p.scratch)])
}
