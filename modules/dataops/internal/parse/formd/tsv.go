package formd

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/parse/archive"
	"gpatlas/modules/dataops/internal/parse/table"
	"gpatlas/modules/dataops/internal/parse/value"
)

// file is one table of a data set: lines of fields parted by tabs. There is no quoting, so a quote is a character like any
// other, and a field cannot hold a tab or a line's end.
type file struct {
	member   *archive.Member
	record   record
	charset  value.Charset
	header   []string // folded
	shuffled bool     // the children of a notice are not in the order of their keys
	reject   func(catalogapi.Rejected)
	fill     table.Fill
}

// bufferBytes holds a line: longer ones are no rows.
const bufferBytes = table.RecordBytesMax

// line is one line of a table, valid until the next. bad says why it is no row. A line that is open has no end: it is the last.
type line struct {
	number int
	text   []byte
	bad    string
	open   bool
}

// lines returns the lines that are not blank, without their ends.
func lines(ctx context.Context, src io.Reader) iter.Seq2[line, error] {
	return func(yield func(line, error) bool) {
		in := bufio.NewReaderSize(src, bufferBytes)
		for n := 1; ; n++ {
			text, err := in.ReadSlice('\n')
			l := line{number: n, text: bytes.TrimRight(text, "\r\n")}
			if errors.Is(err, bufio.ErrBufferFull) {
				l.text, l.bad = bytes.Clone(l.text), "The row is longer than 64 KiB"
				for errors.Is(err, bufio.ErrBufferFull) {
					_, err = in.ReadSlice('\n')
				}
			}
			if ctx.Err() != nil {
				err = context.Cause(ctx)
			}
			if l.open = errors.Is(err, io.EOF); err != nil && !l.open {
				yield(line{}, err)
				return
			}
			if n == 1 {
				l.text = bytes.TrimPrefix(l.text, []byte("\xef\xbb\xbf"))
			}
			if bytes.IndexByte(l.text, 0) >= 0 {
				l.bad = "The row contains a NUL byte"
			}
			if len(l.text) > 0 && !yield(l, nil) || err != nil {
				return
			}
		}
	}
}

var errEmpty = errors.New("the table is empty")

// scan reads the table's rows. The row is valid until the next.
func (f *file) scan(ctx context.Context, src io.Reader, visit func(row) bool, bad func(line)) error {
	var r row
	var cells [][]byte
	for l, err := range lines(ctx, src) {
		switch {
		case err != nil:
			return err
		case r.Row == nil:
			if r, err = f.begin(l); err != nil {
				return err
			}
			continue
		}
		cells = cells[:0]
		for cell := range bytes.SplitSeq(l.text, []byte{'\t'}) {
			cells = append(cells, cell)
		}
		if l.open && len(cells) < len(f.header) { // anything after it, in this row or in later ones, is lost
			return fmt.Errorf("line %d ends in the middle of a row: it has %d of %d fields and no line end. The file is cut off", l.number, len(cells), len(f.header))
		}
		if l.bad == "" && len(cells) != len(f.header) {
			l.bad = fmt.Sprintf("The row has %d fields, but the header has %d", len(cells), len(f.header))
		}
		if l.bad != "" {
			bad(l)
			continue
		}
		r.Set(l.number, cells, l.text)
		if !visit(r) {
			return nil
		}
	}
	if r.Row == nil {
		return errEmpty
	}
	return nil
}

// begin reads the header.
func (f *file) begin(l line) (row, error) {
	if l.bad != "" {
		return row{}, errors.New("the header cannot be read: " + l.bad)
	}
	var header []string
	for name := range bytes.SplitSeq(l.text, []byte{'\t'}) {
		header = append(header, value.Text(name, f.charset))
	}
	bound, err := table.Bind(header, f.record.columns())
	if err != nil {
		return row{}, err
	}
	f.header = make([]string, 0, len(header)) // the one before is the layout's by now, which is read while the rows are
	for _, name := range header {
		f.header = append(f.header, table.Fold(name))
	}
	names := make([]string, len(f.record.fields))
	for i, field := range f.record.fields {
		names[i] = field.column
	}
	r := table.NewRow(f.member.Name, bound, f.charset)
	r.CountInto(&f.fill)
	return row{r, names}, nil
}

// inspect reads the whole table once, for damage and its charset. visit (unless it is nil) sees rows whose text is not
// decoded; nothing is rejected.
func (f *file) inspect(ctx context.Context, visit func(row)) error {
	src, err := f.member.Open()
	if err != nil {
		return fmt.Errorf("%s: %w", f.member.Name, err)
	}
	defer src.Close() //nolint:errcheck // nothing was written
	inspector := table.NewInspector(src)
	err = f.scan(ctx, inspector, func(r row) bool {
		if visit != nil {
			visit(r)
		}
		return true
	}, func(line) {})
	if err != nil {
		return fmt.Errorf("%s: %w", f.member.Name, err)
	}
	f.charset = inspector.Charset()
	return nil
}

// rows returns the table's rows; those that cannot be read go to the quarantine.
func (f *file) rows(ctx context.Context) iter.Seq2[row, error] {
	return func(yield func(row, error) bool) {
		src, err := f.member.Open()
		if err == nil {
			defer src.Close() //nolint:errcheck // nothing was written
			err = f.scan(ctx, src, func(r row) bool { return yield(r, nil) }, func(l line) { f.quarantine(l.number, l.bad, l.text) })
		}
		if err != nil {
			yield(row{}, fmt.Errorf("%s: %w", f.member.Name, err))
		}
	}
}

func (f *file) quarantine(number int, reason string, raw []byte) {
	f.reject(catalogapi.Rejected{File: f.member.Name, Line: number, Reason: reason, Raw: table.RawText(raw, f.charset)})
}

func (f *file) refuse(r row) { f.quarantine(r.Line, r.Fault(), r.Raw()) }
