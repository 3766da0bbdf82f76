package table

import (
	"bytes"
	"errors"
	"io"
	"unicode/utf8"

	"gpatlas/modules/dataops/internal/parse/value"
)

// Faults of a whole file.
var (
	ErrUTF16  = errors.New("the text is UTF-16: save it as UTF-8 or Windows-1252")
	ErrBinary = errors.New("the file is binary; text was expected")
)

// A file of whose first bytes more than one in so many is NUL is no text. A stray NUL is a fault of its row alone.
const (
	nulProbeBytes = 4096
	nulOneIn      = 64
)

// probe looks at a file's first bytes.
func probe(b []byte) error {
	switch {
	case bytes.HasPrefix(b, []byte("\xff\xfe")), bytes.HasPrefix(b, []byte("\xfe\xff")):
		return ErrUTF16
	case len(b) > 1 && min(b[0], b[1]) == 0 && b[0]|b[1] >= ' ' && b[0]|b[1] < utf8.RuneSelf: // ASCII without a byte order mark
		return ErrUTF16
	case bytes.Count(b, []byte{0})*nulOneIn > len(b):
		return ErrBinary
	}
	return nil
}

// Header reads the header line from a file's first bytes, folded. Without a header it returns nil.
func Header(head []byte) ([]string, error) {
	names, err := HeaderTexts(head)
	for i := range names {
		names[i] = Fold(names[i])
	}
	return names, err
}

// HasRows reports whether a row of so many fields follows the header in a file's first bytes, or may follow behind them. named is
// how many fields the header has.
func HasRows(head []byte, fields, named int, whole bool) bool {
	r := NewReader(bytes.NewReader(head), func(Bad) {})
	if _, err := r.Read(); err != nil {
		return false
	}
	r.Expect(fields, named)
	_, err := r.Read()
	return err == nil || !whole
}

// HeaderTexts is Header as written in the file.
func HeaderTexts(head []byte) ([]string, error) {
	if err := probe(head[:min(len(head), nulProbeBytes)]); err != nil {
		return nil, err
	}
	rec, err := NewReader(bytes.NewReader(head), func(Bad) {}).Read()
	if err != nil {
		return nil, nil //nolint:nilerr // what cannot be read as a header is none
	}
	names := make([]string, len(rec.Fields))
	for i, field := range rec.Fields {
		names[i] = string(field)
	}
	return names, nil
}

// Inspector passes a file's bytes through and finds out its charset on the way: UTF-8 if every byte of it is, else
// Windows-1252. It holds nothing but the bytes of a character cut in two.
type Inspector struct {
	src     io.Reader
	seen    int
	carry   [utf8.UTFMax]byte
	carried int
	invalid bool
}

// NewInspector inspects what is read from src.
func NewInspector(src io.Reader) *Inspector { return &Inspector{src: src} }

// Read is io.Reader's; it fails with ErrUTF16 or ErrBinary when the text cannot be in one of the two charsets.
func (s *Inspector) Read(p []byte) (int, error) {
	n, err := s.src.Read(p)
	b := p[:n]
	if s.seen == 0 {
		if fault := probe(b[:min(n, nulProbeBytes)]); fault != nil {
			return 0, fault
		}
	}
	s.seen += n
	if !s.invalid {
		s.check(b)
	}
	return n, err
}

func (s *Inspector) check(b []byte) {
	for s.carried > 0 && len(b) > 0 {
		s.carry[s.carried] = b[0]
		s.carried++
		b = b[1:]
		if utf8.FullRune(s.carry[:s.carried]) {
			s.invalid = !utf8.Valid(s.carry[:s.carried])
			s.carried = 0
		}
	}
	tail := len(b)
	for back := 1; back < utf8.UTFMax && back <= len(b); back++ {
		if utf8.RuneStart(b[len(b)-back]) {
			if !utf8.FullRune(b[len(b)-back:]) {
				tail = len(b) - back
			}
			break
		}
	}
	s.invalid = s.invalid || !utf8.Valid(b[:tail])
	s.carried += copy(s.carry[s.carried:], b[tail:])
}

// Charset returns the charset of the part read so far, as if it were the whole file.
func (s *Inspector) Charset() value.Charset {
	if s.invalid || s.carried > 0 {
		return value.Windows1252
	}
	return value.UTF8
}
