package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// letters holds what NFKD leaves whole although readers type it otherwise.
var letters = map[rune]string{
	'ß': "ss", 'æ': "ae", 'œ': "oe", 'þ': "th", 'ð': "d", 'đ': "d", 'ø': "o", 'ł': "l", 'ħ': "h", 'ŧ': "t",
	'ŋ': "n", 'ı': "i", 'ĸ': "k", 'ς': "σ",
}

// vanishing reports whether a sign may be inside a word without separating it: the many apostrophes, and the full stop. Some
// decompose into a space, so they are removed before NFKD.
func vanishing(r rune) bool {
	switch r {
	case '\'', '.', '`', '´', '’', '‘', '‛', 'ʼ', 'ʹ', '′', '＇', '．':
		return true
	}
	return false
}

// Normalize returns the form of a name, a place or a query in which words are compared: lower case without
// diacritics, words of letters and digits joined by one space. It is idempotent. Text without a letter or digit
// becomes the empty string. Invalid UTF-8 separates words, like any other sign.
func Normalize(s string) string {
	return string(appendNormal(make([]byte, 0, len(s)+4), s))
}

// AppendNormal appends the normalized form of s to dst.
func AppendNormal(dst []byte, s string) []byte {
	tail := appendNormal(dst[len(dst):], s)
	if cap(tail) == cap(dst)-len(dst) { // it had enough room, so it is already there
		return dst[:len(dst)+len(tail)]
	}
	return append(dst, tail...)
}

// Words cuts a text into its normalized words, in order, repeats included.
func Words(s string) []string {
	return strings.Fields(Normalize(s))
}

// appendNormal appends the normalized form of s to an empty dst and returns it; ASCII, which is nearly everything
// filed, needs no look at the Unicode tables.
func appendNormal(dst []byte, s string) []byte {
	gap := false
	for i := range len(s) {
		c := s[i]
		switch {
		case 'a' <= c && c <= 'z' || '0' <= c && c <= '9':
		case 'A' <= c && c <= 'Z':
			c += 'a' - 'A'
		case c == '\'' || c == '.' || c == '`':
			continue
		case c == '&':
			if len(dst) > 0 {
				dst = append(dst, ' ')
			}
			dst, gap = append(dst, "and"...), true
			continue
		case c >= utf8.RuneSelf:
			return appendUnicode(dst[:0], s)
		default:
			gap = true
			continue
		}
		if gap && len(dst) > 0 {
			dst = append(dst, ' ')
		}
		dst, gap = append(dst, c), false
	}
	return dst
}

func appendUnicode(dst []byte, s string) []byte {
	s = strings.Map(func(r rune) rune {
		if vanishing(r) {
			return -1
		}
		return r
	}, s)
	gap := false
	put := func(r rune) {
		if gap && len(dst) > 0 {
			dst = append(dst, ' ')
		}
		dst, gap = utf8.AppendRune(dst, r), false
	}
	for _, r := range norm.NFKD.String(s) {
		r = unicode.ToLower(r)
		switch {
		case r == '&':
			gap = true
			put('a')
			dst = append(dst, "nd"...)
			gap = true
		case vanishing(r) || unicode.Is(unicode.M, r):
		case letters[r] != "":
			for _, l := range letters[r] {
				put(l)
			}
		case unicode.IsLetter(r) || unicode.IsNumber(r):
			put(r)
		default:
			gap = true
		}
	}
	return dst
}
