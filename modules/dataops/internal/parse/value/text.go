package value

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// Charset is how a file's bytes become characters.
type Charset int

// The two charsets in which the regulator writes.
const (
	UTF8 Charset = iota
	Windows1252
)

// String names the charset as messages do.
func (c Charset) String() string {
	if c == Windows1252 {
		return "Windows-1252"
	}
	return "UTF-8"
}

// Text returns a cell's characters. Each run of blanks and line ends becomes one space, and those at both ends are removed. Case, accents and
// punctuation stay as filed. Format controls are left out: they are invisible, and those of direction reverse the text behind them. The five bytes that Windows-1252 leaves undefined become U+FFFD.
func Text(b []byte, c Charset) string {
	clean, ascii := true, true
	b = trim(b)
	for i, x := range b {
		switch {
		case x >= utf8.RuneSelf:
			ascii = false
		case x < ' ', x == ' ' && b[i-1] == ' ': // b[0] is no space: trimmed
			clean = false
		}
	}
	if ascii && clean {
		return string(b)
	}
	s := Decode(b, c)
	if c == UTF8 && !ascii {
		s = once(s)
	}
	if strings.ContainsFunc(s, isControl) {
		s = strings.Map(func(r rune) rune {
			if isControl(r) {
				return -1
			}
			return r
		}, s)
	}
	return strings.Join(strings.FieldsFunc(s, isBlank), " ")
}

// once undoes that a text was encoded twice, by a program that took its UTF-8 for Windows-1252: "JosÃ©" is "José". No other text is both
// writable in Windows-1252 and valid UTF-8 there.
func once(s string) string {
	single := make([]byte, 0, len(s))
	for _, r := range s {
		b, ok := charmap.Windows1252.EncodeRune(r)
		switch {
		case ok:
		case r >= 0x80 && r < 0xa0: // the five bytes that Windows-1252 leaves undefined
			b = byte(r)
		default:
			return s
		}
		single = append(single, b)
	}
	if !utf8.Valid(single) {
		return s
	}
	return string(single)
}

// Decode returns the characters of b, all of them.
func Decode(b []byte, c Charset) string {
	if c == UTF8 {
		return string(b)
	}
	out := make([]byte, 0, len(b)+8)
	for _, x := range b {
		if x < utf8.RuneSelf {
			out = append(out, x)
			continue
		}
		out = utf8.AppendRune(out, charmap.Windows1252.DecodeByte(x))
	}
	return string(out)
}

func isBlank(r rune) bool { return unicode.IsSpace(r) || r == '\u200b' || r == '\ufeff' }

// isControl reports whether a character only controls how others are shown: U+202E, U+2066, U+00AD and the like.
func isControl(r rune) bool { return r > unicode.MaxASCII && !isBlank(r) && unicode.Is(unicode.Cf, r) }

// Interner returns the same string for equal cells, so that a column of few values (states, fund types) costs no memory
// per row. The zero value is ready; it is not for concurrent use.
type Interner struct{ seen map[string]*string }

// internedMax bounds an Interner: a column that turns out to hold free text does not pile up.
const internedMax = 4096

// Text is as the function Text.
func (in *Interner) Text(b []byte, c Charset) string {
	if s := in.Shared(b, c); s != nil {
		return *s
	}
	return ""
}

// Shared is Text, and nil where it is empty. Equal cells share what it points to.
func (in *Interner) Shared(b []byte, c Charset) *string {
	if len(b) == 0 {
		return nil
	}
	if s, ok := in.seen[string(b)]; ok {
		return s
	}
	var s *string
	if text := Text(b, c); text != "" {
		s = &text
	}
	if in.seen == nil {
		in.seen = make(map[string]*string)
	}
	if len(in.seen) < internedMax {
		in.seen[string(b)] = s
	}
	return s
}

// trim removes the ASCII blanks from both ends. It keeps wider ones, because the charset decides what those bytes are.
func trim(b []byte) []byte {
	for len(b) > 0 && blank(b[0]) {
		b = b[1:]
	}
	for len(b) > 0 && blank(b[len(b)-1]) {
		b = b[:len(b)-1]
	}
	return b
}

func blank(x byte) bool { return x == ' ' || x >= '\t' && x <= '\r' }
