package markup

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"gpatlas/modules/dataops/internal/parse/value"
)

// DepthMax is how deep elements may nest. Real texts have eight levels.
const DepthMax = 64

// headBytes is how much of a text its declaration is looked for in.
const headBytes = 1 << 10

// ErrXML says that a text is no XML that may be read: malformed, cut short, hostile. Errors of other kinds are the source's.
var ErrXML = errors.New("the XML cannot be read")

// Kind is what a piece of a text is.
type Kind int

// The pieces.
const (
	Start Kind = iota + 1 // the beginning of an element, with its attributes
	End                   // the end of one, also of one without content
	Text                  // characters; one text may come in several pieces
)

// Attr is one attribute.
type Attr struct {
	Name  string // without a prefix
	Value []byte
}

// Reader gives a text's pieces one after the other. It is a reader of its own, for the general one of the standard library
// makes garbage of every tag and takes several times as long on a feed of 80 MB. It takes no text that the general one would
// refuse for its nesting, its quotes or its entities; comments and instructions it passes over unread.
type Reader struct {
	src     source
	charset value.Charset
	line    int
	open    []name // of the open elements
	begun   bool   // the root was opened
	closing bool   // the last element had no content: its end is next

	name    string
	attrs   []Attr
	text    []byte
	scratch []byte // decoded values of the present piece
	names   names
}

// NewReader begins to read src. It fails where the charset shows that it cannot go on. The reading stops with the
// context's cause when ctx is done.
func NewReader(ctx context.Context, src io.Reader) (*Reader, error) {
	r := &Reader{src: source{ctx: ctx, in: src, line: 1}, names: names{all: make(map[string]name)}}
	for r.src.end < headBytes && r.src.more() {
	}
	if err := r.src.err; err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	charset, skip, err := charsetOf(r.src.window())
	if err != nil {
		return nil, err
	}
	r.charset = charset
	r.src.take(skip)
	return r, nil
}

// StartAt says on which line of its file the text begins. It is for a text within another, before its first piece is read.
func (r *Reader) StartAt(line int) { r.src.line += line - 1 }

// Line is the 1-based line on which the last piece begins.
func (r *Reader) Line() int { return r.line }

// Offset counts the bytes that were read.
func (r *Reader) Offset() int64 { return r.src.offset }

// Depth is the number of elements that are open: the root's content has 1.
func (r *Reader) Depth() int { return len(r.open) }

// Name is the element that the last Start or End was of, without a prefix.
func (r *Reader) Name() string { return r.name }

// Attrs are the attributes of the last Start; valid until the next piece.
func (r *Reader) Attrs() []Attr { return r.attrs }

// Text is the characters of the last Text; valid until the next piece.
func (r *Reader) Text() []byte { return r.text }

// Next gives the next piece. At the end of a text whose every element is closed it gives io.EOF.
func (r *Reader) Next() (Kind, error) {
	if r.closing {
		r.closing = false
		return r.end(), nil
	}
	for {
		r.line, r.scratch = r.src.line, r.scratch[:0]
		if len(r.src.window()) == 0 && !r.src.more() {
			return 0, r.ended()
		}
		if r.src.window()[0] != '<' {
			given, err := r.characters()
			if given || err != nil {
				return Text, err
			}
			continue
		}
		for len(r.src.window()) < len(cdata) && r.src.more() { // what opens the piece must be seen whole
		}
		kind, err := r.markup(r.src.window())
		if kind != 0 || err != nil {
			return kind, err
		}
	}
}

const cdata = "<![CDATA["

// markup reads what begins with <. It gives no kind for what is passed over.
func (r *Reader) markup(b []byte) (Kind, error) {
	switch {
	case bytes.HasPrefix(b, []byte("<?")):
		return 0, r.instruction()
	case bytes.HasPrefix(b, []byte("<!--")):
		return 0, r.pass(after(len("<!--"), "-->"))
	case bytes.HasPrefix(b, []byte(cdata)):
		piece, ok := r.src.until(after(len(cdata), "]]>"))
		if !ok {
			return 0, r.ended()
		}
		if len(r.open) == 0 {
			return 0, r.refuse("there is text outside the root element")
		}
		text, err := r.decode(piece[len(cdata):len(piece)-len("]]>")], false)
		r.text = text
		r.src.take(len(piece))
		return Text, err
	case bytes.HasPrefix(b, []byte("<!")):
		return 0, r.refuse("it has a document type or entities of its own (DOCTYPE), which is not allowed")
	}
	piece, ok := r.src.until(tagEnd)
	if !ok {
		return 0, r.ended()
	}
	r.src.take(len(piece))
	if piece[1] == '/' {
		name, rest := nameIn(piece[2 : len(piece)-1])
		if len(name) == 0 || len(bytes.Trim(rest, blanks)) > 0 {
			return 0, r.malformed("a closing tag is malformed")
		}
		if top := len(r.open) - 1; top < 0 || r.open[top].whole != string(name) {
			return 0, r.malformed("a closing tag does not match the innermost open element")
		}
		return r.end(), nil
	}
	return r.start(piece[1 : len(piece)-1])
}

// start reads an opening tag without its brackets.
func (r *Reader) start(tag []byte) (Kind, error) {
	if len(tag) > 0 && tag[len(tag)-1] == '/' {
		r.closing = true
		tag = tag[:len(tag)-1]
	}
	name, rest := nameIn(tag)
	if len(name) == 0 {
		return 0, r.malformed("an element has no name")
	}
	if len(r.open) == 0 && r.begun {
		return 0, r.refuse("a second root element follows the first")
	}
	r.begun = true
	known := r.names.intern(name)
	if r.open = append(r.open, known); len(r.open) > DepthMax {
		return 0, r.refuse(fmt.Sprintf("elements nest deeper than %d", DepthMax))
	}
	r.name = known.local
	return Start, r.attributes(rest)
}

func (r *Reader) attributes(rest []byte) error {
	r.attrs = r.attrs[:0]
	for {
		spaced := skipBlanks(rest)
		if len(spaced) == 0 {
			return nil
		}
		if len(spaced) == len(rest) {
			return r.malformed("attributes are not separated by spaces")
		}
		var name []byte
		name, rest = nameIn(spaced)
		rest = skipBlanks(rest)
		if len(name) == 0 || len(rest) == 0 || rest[0] != '=' {
			return r.malformed("an attribute has no name or no value")
		}
		rest = skipBlanks(rest[1:])
		if len(rest) < 2 || rest[0] != '"' && rest[0] != '\'' {
			return r.malformed("an attribute's value is not in quotes")
		}
		closing := bytes.IndexByte(rest[1:], rest[0])
		if closing < 0 {
			return r.malformed("an attribute's value has no closing quote")
		}
		raw := rest[1 : closing+1]
		rest = rest[closing+2:]
		if bytes.IndexByte(raw, '<') >= 0 {
			return r.malformed("the value of an attribute contains a tag")
		}
		v, err := r.decode(raw, true)
		if err != nil {
			return err
		}
		r.attrs = append(r.attrs, Attr{r.names.intern(name).local, v})
	}
}

// end closes the innermost element.
func (r *Reader) end() Kind {
	top := len(r.open) - 1
	r.name, r.open = r.open[top].local, r.open[:top]
	return End
}

// characters reads up to the next tag. Blanks around the root are passed over.
func (r *Reader) characters() (bool, error) {
	piece, ok := r.src.until(func(b []byte) int { return bytes.IndexByte(b, '<') })
	if !ok {
		if !errors.Is(r.src.err, io.EOF) {
			return false, r.ended()
		}
		piece = r.src.window() // the last
	}
	r.src.take(len(piece))
	if len(r.open) == 0 {
		if len(bytes.Trim(piece, blanks)) > 0 {
			return false, r.refuse("there is text outside the root element")
		}
		return false, nil
	}
	text, err := r.decode(piece, true)
	r.text = text
	return true, err
}

// instruction passes over a processing instruction. A declaration must be of the version of XML that this is.
func (r *Reader) instruction() error {
	piece, ok := r.src.until(after(len("<?"), "?>"))
	if !ok {
		return r.ended()
	}
	if v := version.FindSubmatch(piece); v != nil && string(v[1]) != "1.0" {
		return r.refuse(fmt.Sprintf("unsupported version %q", v[1]))
	}
	r.src.take(len(piece))
	return nil
}

func (r *Reader) pass(find func([]byte) int) error {
	piece, ok := r.src.until(find)
	if !ok {
		return r.ended()
	}
	r.src.take(len(piece))
	return nil
}

func (r *Reader) refuse(reason string) error {
	return fmt.Errorf("%w: line %d: %s", ErrXML, r.line, reason)
}

func (r *Reader) malformed(reason string) error {
	return fmt.Errorf("%w: it is malformed or cut short at line %d: %s", ErrXML, r.line, reason)
}

// ended says why there is nothing more: the text is whole, or cut, or its source failed.
func (r *Reader) ended() error {
	switch err := r.src.err; {
	case errors.Is(err, errPiece):
		return r.refuse(errPiece.Error())
	case !errors.Is(err, io.EOF):
		return err
	case !r.begun:
		return r.refuse("it has no element")
	case len(r.open) > 0 || len(r.src.window()) > 0:
		r.line = r.src.line
		return r.malformed("unexpected end")
	}
	return io.EOF
}
