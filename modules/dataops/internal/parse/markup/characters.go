package markup

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"gpatlas/modules/dataops/internal/parse/value"
)

// blanks are XML's.
const blanks = " \t\r\n"

func skipBlanks(b []byte) []byte {
	for len(b) > 0 && (b[0] == ' ' || b[0] == '\n' || b[0] == '\t' || b[0] == '\r') {
		b = b[1:]
	}
	return b
}

// nameIn cuts a name from the beginning of b. Bytes beyond ASCII count as letters.
func nameIn(b []byte) (name, rest []byte) {
	n := 0
	for n < len(b) && nameByte(b[n], n == 0) {
		n++
	}
	return b[:n], b[n:]
}

func nameByte(x byte, first bool) bool {
	switch {
	case x >= 'a' && x <= 'z', x >= 'A' && x <= 'Z', x == '_', x == ':', x >= utf8.RuneSelf:
		return true
	case x >= '0' && x <= '9', x == '-', x == '.':
		return !first
	}
	return false
}

// local is a name without its prefix.
func local(name string) string { return name[strings.IndexByte(name, ':')+1:] }

// decode returns characters as UTF-8. If references are expected, it resolves numbered characters and the five entities of XML.
// Most texts are plain ASCII: those are returned unchanged.
func (r *Reader) decode(b []byte, references bool) ([]byte, error) {
	for i, x := range b {
		if x < ' ' && x != '\n' && x != '\t' || x >= utf8.RuneSelf || x == '&' && references {
			return r.decodeFrom(b, i, references)
		}
	}
	return b, nil
}

func (r *Reader) decodeFrom(b []byte, i int, references bool) ([]byte, error) {
	from := len(r.scratch)
	r.scratch = append(r.scratch, b[:i]...)
	for i < len(b) {
		x := b[i]
		switch {
		case x >= utf8.RuneSelf:
			c, size := r.wide(b[i:])
			if !character(c) {
				return nil, r.malformed("illegal character code")
			}
			r.scratch = utf8.AppendRune(r.scratch, c)
			i += size
		case x == '&' && references:
			c, size := reference(b[i:])
			if size == 0 || !character(c) {
				return nil, r.malformed("invalid character entity: only &amp; &lt; &gt; &quot; &apos; and numbers are known")
			}
			r.scratch = utf8.AppendRune(r.scratch, c)
			i += size
		case x == '\r': // a line's end is a line feed, however it was written
			if i++; i == len(b) || b[i] != '\n' {
				r.scratch = append(r.scratch, '\n')
			}
		case !character(rune(x)):
			return nil, r.malformed("illegal character code")
		default:
			r.scratch = append(r.scratch, x)
			i++
		}
	}
	return r.scratch[from:len(r.scratch):len(r.scratch)], nil
}

// wide reads a character beyond ASCII.
//
// Spec: not shown; the feed declares ISO-8859-1, in which the bytes 80 to 9F are no characters. They are read as Windows-1252,
// which programs write under that name. Invalid bytes in a UTF-8 text are read so too: one odd name must not make a whole feed
// unusable.
func (r *Reader) wide(b []byte) (c rune, size int) {
	if r.charset == value.UTF8 {
		if c, size = utf8.DecodeRune(b); c != utf8.RuneError || size > 1 {
			return c, size
		}
	}
	return charmap.Windows1252.DecodeByte(b[0]), 1
}

// referenceBytesMax is longer than any reference: &#1114111; with some zeros.
const referenceBytesMax = 16

// reference reads an entity or a numbered character; size 0 means that it is neither.
func reference(b []byte) (c rune, size int) {
	b = b[:min(len(b), referenceBytesMax)]
	end := bytes.IndexByte(b, ';')
	if end < 2 {
		return 0, 0
	}
	switch name := string(b[1:end]); name {
	case "amp":
		return '&', end + 1
	case "lt":
		return '<', end + 1
	case "gt":
		return '>', end + 1
	case "quot":
		return '"', end + 1
	case "apos":
		return '\'', end + 1
	default:
		if name[0] != '#' {
			return 0, 0
		}
		base, digits := 10, name[1:]
		if strings.HasPrefix(digits, "x") {
			base, digits = 16, digits[1:]
		}
		n, err := strconv.ParseUint(digits, base, 32)
		if err != nil || n > utf8.MaxRune {
			return 0, 0
		}
		return rune(n), end + 1
	}
}

// character reports whether XML allows the character.
func character(c rune) bool {
	return c == '\t' || c == '\n' || c == '\r' || c >= ' ' && c <= 0xD7FF || c >= 0xE000 && c <= 0xFFFD || c >= 0x10000 && c <= utf8.MaxRune
}
