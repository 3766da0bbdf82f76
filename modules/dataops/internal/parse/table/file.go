package table

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/parse/value"
)

// File is one CSV file of a document, as it is read row by row.
type File struct {
	Name    string // as quarantined rows name it
	Open    func() (io.ReadCloser, error)
	Columns []Column
	Charset value.Charset
	// ByRow finds the charset row by row, for a file that is not inspected before: a row is UTF-8 if every byte of it is,
	// else Windows-1252. A file that is in one of them throughout is read as Inspect would have it.
	ByRow bool
	// Unnamed is the number of columns without a name before those of the header.
	Unnamed int
	// Repair, unless nil, puts a header right that is known to be written wrongly, before anything is looked for in it.
	Repair func(header []string) []string
	Reject func(catalogapi.Rejected)
	// Ended means that every row of a complete file ends with a line end, so that a file without one after its last row is cut
	// off. A file that ends inside a row is cut off in any case.
	Ended bool
	// Fill counts the values of the rows that Rows yields.
	Fill Fill
}

// Rows returns the file's rows, one at a time: each is valid until the next. Rows that cannot be read at all go to Reject.
// The caller rejects rows with other faults (see Quarantine).
func (f *File) Rows(ctx context.Context) iter.Seq2[*Row, error] {
	return func(yield func(*Row, error) bool) {
		src, err := f.Open()
		if err != nil {
			yield(nil, fmt.Errorf("%s: %w", f.Name, err))
			return
		}
		defer src.Close() //nolint:errcheck // nothing was written
		f.scan(ctx, src, yield)
	}
}

// Inspect reads the whole file once, so that damage shows before anything is loaded, and finds its charset. Rows are
// given to visit (unless it is nil) undecoded: their text is not to be trusted yet. Nothing goes to Reject.
func (f *File) Inspect(ctx context.Context, visit func(*Row), bad func(Bad)) error {
	src, err := f.Open()
	if err != nil {
		return fmt.Errorf("%s: %w", f.Name, err)
	}
	defer src.Close() //nolint:errcheck // nothing was written
	inspector := NewInspector(src)
	if bad == nil {
		bad = func(Bad) {}
	}
	r := NewReader(UntilDone(ctx, inspector), bad)
	row, err := f.begin(r)
	for err == nil && visit != nil {
		var rec Record
		if rec, err = r.Read(); err == nil {
			row.Set(rec.Line, rec.Fields, rec.Raw)
			visit(row)
		}
	}
	if err == nil {
		_, err = io.Copy(io.Discard, UntilDone(ctx, inspector))
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("%s: %w", f.Name, err)
	}
	f.Charset = inspector.Charset()
	return nil
}

func (f *File) scan(ctx context.Context, src io.Reader, yield func(*Row, error) bool) {
	r := NewReader(UntilDone(ctx, src), func(b Bad) { f.reject(b.Line, b.Reason, b.Raw) })
	row, err := f.begin(r)
	if err == nil {
		row.CountInto(&f.Fill)
	}
	for err == nil {
		var rec Record
		rec, err = r.Read()
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		if err != nil {
			break
		}
		row.Set(rec.Line, rec.Fields, rec.Raw)
		row.Charset = f.charset(rec.Raw)
		if !yield(row, nil) {
			return
		}
	}
	if cut := r.Cut(); errors.Is(err, io.EOF) && cut != nil && (cut.Inside || f.Ended) {
		err = cut
	}
	if !errors.Is(err, io.EOF) {
		yield(nil, fmt.Errorf("%s: %w", f.Name, err))
	}
}

var errEmpty = errors.New("the file is empty")

// begin reads the header and finds the columns.
func (f *File) begin(r *Reader) (*Row, error) {
	rec, err := r.Read()
	if errors.Is(err, io.EOF) {
		return nil, errEmpty
	}
	if err != nil {
		return nil, err
	}
	header := make([]string, f.Unnamed, f.Unnamed+len(rec.Fields))
	for _, name := range rec.Fields {
		header = append(header, value.Text(name, f.Charset))
	}
	if f.Repair != nil {
		header = f.Repair(header)
	}
	layout, err := Bind(header, f.Columns)
	if err != nil {
		return nil, err
	}
	r.Expect(len(header), len(rec.Fields))
	return NewRow(f.Name, layout, f.Charset), nil
}

// Quarantine passes the row to Reject with its fault.
func (f *File) Quarantine(row *Row) { f.reject(row.Line, row.Fault(), row.Raw()) }

func (f *File) reject(line int, reason string, raw []byte) {
	f.Reject(catalogapi.Rejected{File: f.Name, Line: line, Reason: reason, Raw: RawText(raw, f.charset(raw))})
}

func (f *File) charset(raw []byte) value.Charset {
	if f.ByRow {
		return value.CharsetOf(raw)
	}
	return f.Charset
}

// rawMax is how much of a quarantined row is kept.
const rawMax = 4 << 10

// RawText makes a quarantined row's text: valid UTF-8 without NULs, at most 4 KiB.
func RawText(raw []byte, c value.Charset) string {
	s := value.Decode(raw[:min(len(raw), rawMax)], c)
	clean := bytes.ToValidUTF8(bytes.ReplaceAll([]byte(s), []byte{0}, []byte("\uFFFD")), []byte("\uFFFD"))
	if len(clean) > rawMax {
		clean = bytes.ToValidUTF8(clean[:rawMax], nil)
	}
	return string(clean)
}

// UntilDone reads src until ctx is done, and then fails with the context's cause.
func UntilDone(ctx context.Context, src io.Reader) io.Reader { return &contextReader{ctx, src} }

type contextReader struct {
	ctx context.Context //nolint:containedctx // lives as long as one call
	src io.Reader
}

func (c *contextReader) Read(p []byte) (int, error) {
	if c.ctx.Err() != nil {
		return 0, context.Cause(c.ctx)
	}
	return c.src.Read(p)
}
