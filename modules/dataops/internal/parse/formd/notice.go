package formd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"gpatlas/modules/dataops/internal/parse/archive"
	"gpatlas/modules/dataops/internal/parse/markup"
	"gpatlas/modules/dataops/internal/parse/table"
	"gpatlas/modules/dataops/internal/parse/value"
)

// element is one record of a notice as it was read: the text of each field.
type element struct {
	line  int
	cells [][]byte
}

// noticeFile is a file with one notice in it: primary_doc.xml, or the full submission that it is a document of.
type noticeFile struct {
	*archive.Member
	submission bool
}

// notice is one primary_doc.xml as it was read.
type notice struct {
	header               *header // of the full submission that it was read from; nil = it stood alone
	submission, offering element
	issuers              []element // the primary one first
	persons              []element
	recipients           []element
}

// noticeBytesMax bounds a notice. One with a hundred related persons, the most that a filing may list, has some 100 KiB.
const noticeBytesMax = 16 << 20

// The elements of a notice that are records.
const (
	elRoot       = "edgarSubmission"
	elPrimary    = "primaryIssuer"
	elIssuer     = "issuer"
	elPerson     = "relatedPersonInfo"
	elOffering   = "offeringData"
	elRecipient  = "recipient"
	elIssuerList = "issuerList"
)

// shapes are the records' fields by path. They are made once for a document.
type shapes struct {
	submission, offering, issuer, person, recipient shape
}

type shape struct {
	record record
	places map[string]int
	row    row
}

func newShapes() (*shapes, error) {
	var s shapes
	for to, r := range map[*shape]record{
		&s.submission: submissionRecord(), &s.offering: offeringRecord(), &s.issuer: issuerRecord(), &s.person: personRecord(), &s.recipient: recipientRecord(),
	} {
		*to = shape{record: r, places: make(map[string]int)}
		header, columns := make([]string, len(r.fields)), make([]table.Column, len(r.fields))
		names := make([]string, len(r.fields))
		for i, f := range r.fields {
			header[i], names[i] = f.column+"|"+f.path, shortName(f.path)
			columns[i] = table.Column{Name: header[i]}
			if f.path != "" {
				to.places[f.path] = i
			}
		}
		bound, err := table.Bind(header, columns)
		if err != nil {
			return nil, err
		}
		to.row = row{table.NewRow("", bound, value.UTF8), names}
	}
	return &s, nil
}

// shortName is what messages call a field: its element, with the one above where that alone says nothing.
func shortName(path string) string {
	above, name := "", path
	for i := strings.IndexByte(name, '/'); i >= 0; i = strings.IndexByte(name, '/') {
		above, name = name[:i], name[i+1:]
	}
	if name == "value" || name == "dollarAmount" || name == "item" {
		return above + "/" + name
	}
	return name
}

// fill returns the shape's row with a record's values in it.
func (s *shape) fill(file string, e element) row {
	s.row.File = file
	s.row.Set(e.line, e.cells, nil)
	return s.row
}

func (s *shape) element(line int) element { return element{line, make([][]byte, len(s.record.fields))} }

// scope is a record that is open, and the path of the elements open below it.
type scope struct {
	shape *shape
	into  *element
	depth int // of the record's own element
}

// reading walks through a notice.
type reading struct {
	in     *markup.Reader
	shapes *shapes
	out    *notice
	scopes []scope
	path   []string // names of all open elements
	text   []byte   // of the innermost one
}

// read reads a notice. What keeps it from being one is an error: ErrXML, unless the source is at fault.
func (n *notices) read(ctx context.Context, f noticeFile) (*notice, error) {
	src, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer src.Close() //nolint:errcheck // nothing was written
	if f.submission {
		return n.submitted(ctx, src)
	}
	read, err := n.shapes.parse(ctx, src, 1)
	if errors.Is(err, markup.ErrXML) {
		if head, fault := f.Head(); fault == nil && strings.EqualFold(markup.Root(head), "html") {
			return nil, errRendering // even if it has other faults
		}
	}
	return read, err
}

// parse reads the XML of a notice, which begins on the given line of its file.
func (s *shapes) parse(ctx context.Context, src io.Reader, line int) (*notice, error) {
	in, err := markup.NewReader(ctx, src)
	if err != nil {
		return nil, err
	}
	in.StartAt(line)
	n, err := s.walk(in)
	if errors.Is(err, markup.ErrXML) {
		return nil, &damage{in.Line(), err}
	}
	return n, err
}

// damage is an error that shows on one line of a file. Its text names the line where that helps.
type damage struct {
	line int
	error
}

func (d *damage) Unwrap() error { return d.error }

// lineOf returns the line of an error; 1 if it is unknown.
func lineOf(err error) int {
	if d, ok := errors.AsType[*damage](err); ok {
		return max(d.line, 1)
	}
	return 1
}

func (s *shapes) walk(in *markup.Reader) (*notice, error) {
	r := &reading{in: in, shapes: s, out: &notice{submission: s.submission.element(1), offering: s.offering.element(1)}}
	for {
		kind, err := in.Next()
		if errors.Is(err, io.EOF) {
			return r.out, nil
		}
		if err != nil {
			return nil, err
		}
		if in.Offset() > noticeBytesMax {
			return nil, fmt.Errorf("%w: it is larger than 16 MiB, too large for a notice", markup.ErrXML)
		}
		switch kind {
		case markup.Start:
			err = r.begin(in.Name())
		case markup.Text:
			r.text = append(r.text, in.Text()...)
		case markup.End:
			err = r.end()
		}
		if err != nil {
			return nil, err
		}
	}
}

func (r *reading) begin(name string) error {
	if len(r.path) == 0 {
		if name != elRoot {
			return notANotice(name)
		}
		r.scopes = append(r.scopes, scope{&r.shapes.submission, &r.out.submission, 1})
		r.out.submission.line = r.in.Line()
	}
	parent := ""
	if len(r.path) > 0 {
		parent = r.path[len(r.path)-1]
	}
	r.path = append(r.path, name)
	r.text = r.text[:0]
	depth, line, s := len(r.path), r.in.Line(), r.shapes
	switch {
	case name == elPrimary && parent == elRoot:
		r.out.issuers = append([]element{s.issuer.element(line)}, r.out.issuers...)
		r.scopes = append(r.scopes, scope{&s.issuer, &r.out.issuers[0], depth})
	case name == elIssuer && parent == elIssuerList:
		r.out.issuers = append(r.out.issuers, s.issuer.element(line))
		r.scopes = append(r.scopes, scope{&s.issuer, last(r.out.issuers), depth})
	case name == elPerson:
		r.out.persons = append(r.out.persons, s.person.element(line))
		r.scopes = append(r.scopes, scope{&s.person, last(r.out.persons), depth})
	case name == elRecipient:
		r.out.recipients = append(r.out.recipients, s.recipient.element(line))
		r.scopes = append(r.scopes, scope{&s.recipient, last(r.out.recipients), depth})
	case name == elOffering && parent == elRoot:
		r.out.offering.line = line
		r.scopes = append(r.scopes, scope{&s.offering, &r.out.offering, depth})
	}
	return nil
}

func last[T any](list []T) *T { return &list[len(list)-1] }

// end puts the text of the element that ends into the field that its path names, in whichever open record has it. Values of
// elements that occur several times are separated by mark.
func (r *reading) end() error {
	if text := value.Text(r.text, value.UTF8); text != "" {
		for _, s := range slices.Backward(r.scopes) {
			at, ok := s.shape.places[strings.Join(r.path[s.depth:], "/")]
			if !ok {
				continue
			}
			if s.into.cells[at] != nil {
				if name := last(r.path); !many(*name) {
					return fmt.Errorf("%w: line %d: %s is present twice, but only one is allowed", markup.ErrXML, r.in.Line(), *name)
				}
				s.into.cells[at] = append(s.into.cells[at], mark)
			}
			s.into.cells[at] = append(s.into.cells[at], text...)
			break
		}
	}
	r.text = r.text[:0]
	if top := len(r.scopes) - 1; top >= 0 && r.scopes[top].depth == len(r.path) {
		r.scopes = r.scopes[:top]
	}
	r.path = r.path[:len(r.path)-1]
	return nil
}

// many reports whether an element may occur several times in a record.
func many(name string) bool {
	switch name {
	case "item", "value", "previousName", "relationship", "state", "signatureDate":
		return true
	}
	return false
}

// errRendering refuses the page that EDGAR makes of a notice for people to read.
var errRendering = fmt.Errorf("%w: it is the HTML page that EDGAR shows of a Form D (xslFormDX01), not the notice: take primary_doc.xml from the folder above", markup.ErrXML)

// notANotice refuses a text by its root.
func notANotice(root string) error {
	return fmt.Errorf("%w: its root is %s, but the root of a Form D is %s", markup.ErrXML, quoted(root), elRoot)
}
