package sample

import (
	"regexp"
	"strconv"
	"time"
)

// dialect is how one archive is written; the real ones differ from year to year.
type dialect struct {
	windows1252 bool // instead of UTF-8
	mark        bool // begins each member with a byte order mark
	older       bool // older spellings of some columns
	folder      bool // members sit in a folder named like the zip
	date        string
}

// The three shapes of DateSubmitted.
const (
	dateFull  = "01/02/2006 03:04:05 PM"
	dateShort = "1/2/2006"
	dateTime  = "1/2/2006 15:04"
)

// dialectOf gives the i-th archive its dialect.
func dialectOf(i int) dialect {
	d := dialect{date: dateFull}
	switch i {
	case 0:
		d = dialect{windows1252: true, older: true, folder: true, date: dateShort}
	case 2:
		d.windows1252 = true
	case 3, 4:
		d.date = dateTime
	case 6:
		d.date = dateShort
	case 8:
		d.mark = true
	}
	return d
}

// line builds one row: text in quotes, numbers bare. As in the regulator's files, quotes inside text are not escaped.
type line struct {
	dialect dialect
	buf     []byte
}

func (l *line) begin(filingID int64) { l.buf = strconv.AppendInt(l.buf[:0], filingID, 10) }

func (l *line) text(s string) {
	l.buf = append(l.buf, ',', '"')
	if l.dialect.windows1252 {
		for _, r := range s {
			l.buf = append(l.buf, byte(r)) // #nosec G115 -- all text is Latin-1, a test sees to it
		}
	} else {
		l.buf = append(l.buf, s...)
	}
	l.buf = append(l.buf, '"')
}

func (l *line) bare(s string) {
	l.buf = append(l.buf, ',')
	l.buf = append(l.buf, s...)
}

func (l *line) number(n int64) {
	l.buf = append(l.buf, ',')
	l.buf = strconv.AppendInt(l.buf, n, 10)
}

func (l *line) yes(b bool) {
	if b {
		l.buf = append(l.buf, `,"Y"`...)
	} else {
		l.buf = append(l.buf, `,"N"`...)
	}
}

func (l *line) end() []byte {
	l.buf = append(l.buf, '\r', '\n')
	return l.buf
}

// submitted is DateSubmitted in the archive's shape.
func (l *line) submitted(f filing) string {
	return time.Unix(int64(f.on)*86400+int64(f.second), 0).UTC().Format(l.dialect.date)
}

// sheet is a row of a wide table, by column name; what is not set is answered as most filers answer it.
type sheet struct {
	columns []string
	at      map[string]int
	usual   []answer
	answers []answer
}

type answer struct {
	text   string
	quoted bool
}

func newSheet(header []string) *sheet {
	s := &sheet{columns: header, at: make(map[string]int, len(header)), answers: make([]answer, len(header))}
	for i, name := range header {
		s.at[name] = i
		s.usual = append(s.usual, usualAnswer(name))
	}
	return s
}

// Columns that are numbers, and columns mostly left empty.
var (
	countColumns = regexp.MustCompile(`^(1F5|5B\d|5C\d|5D[13][a-n]|5F2[def]|5F3|9[AB]\d[ab]|9F)$`)
	emptyColumns = regexp.MustCompile(`^(1C-New Name|1F2-Hours|1F4|1G-.*|1N-CIK|1O-Assets|1P|5H|5H-Number|6B.-Description|9E|.*-Other|3.*|Signatory|Title)$`)
)

// usualAnswer is what stands in a column that nobody reads.
func usualAnswer(column string) answer {
	switch {
	case countColumns.MatchString(column):
		return answer{text: "0"}
	case emptyColumns.MatchString(column):
		return answer{"", true}
	case column == "1F2-M-F":
		return answer{"Y", true}
	default:
		return answer{"N", true}
	}
}

// get is a column's answer; empty for a column that the table does not have.
func (s *sheet) get(column string) string {
	if i, ok := s.at[column]; ok {
		return s.answers[i].text
	}
	return ""
}

func (s *sheet) reset()                   { copy(s.answers, s.usual) }
func (s *sheet) text(column, v string)    { s.answers[s.at[column]] = answer{v, true} }
func (s *sheet) bare(column, v string)    { s.answers[s.at[column]] = answer{v, false} }
func (s *sheet) number(c string, n int64) { s.bare(c, strconv.FormatInt(n, 10)) }
func (s *sheet) yes(column string, b bool) {
	v := "N"
	if b {
		v = "Y"
	}
	s.text(column, v)
}

// write appends all but the first column, the filing's number.
func (s *sheet) write(l *line) {
	for _, a := range s.answers[1:] {
		if a.quoted {
			l.text(a.text)
		} else {
			l.bare(a.text)
		}
	}
}
