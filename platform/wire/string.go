package wire

import "unicode/utf8"

// plain marks the bytes that need no escape in a JSON string.
var plain = func() (t [256]bool) {
	for c := ' '; c < utf8.RuneSelf; c++ {
		t[c] = c != '"' && c != '\\'
	}
	return t
}()

// IsPlain reports whether s is ASCII that needs no escape in a JSON string.
func IsPlain[S string | []byte](s S) bool {
	for i := range len(s) {
		if !plain[s[i]] {
			return false
		}
	}
	return true
}

// AppendString appends s as a JSON string: control characters, U+2028 and U+2029 are escaped, invalid UTF-8 becomes
// U+FFFD.
func AppendString(dst []byte, s string) []byte {
	return append(AppendInside(append(dst, '"'), s), '"')
}

// AppendInside appends s without the quotation marks of a JSON string.
func AppendInside(dst []byte, s string) []byte {
	start := 0
	for i := 0; i < len(s); {
		if plain[s[i]] {
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if size > 1 && r != '\u2028' && r != '\u2029' {
			i += size
			continue
		}
		dst = append(dst, s[start:i]...)
		dst = appendEscaped(dst, r)
		i += size
		start = i
	}
	return append(dst, s[start:]...)
}

// EscapeTail escapes the bytes of dst from an offset on, so that text can be built in place.
func EscapeTail(dst []byte, from int) []byte {
	if IsPlain(dst[from:]) {
		return dst
	}
	return AppendInside(dst[:from], string(dst[from:]))
}

func appendEscaped(dst []byte, r rune) []byte {
	const hex = "0123456789abcdef"
	switch r {
	case '"', '\\':
		return append(dst, '\\', byte(r))
	case '\b':
		return append(dst, `\b`...)
	case '\f':
		return append(dst, `\f`...)
	case '\n':
		return append(dst, `\n`...)
	case '\r':
		return append(dst, `\r`...)
	case '\t':
		return append(dst, `\t`...)
	case utf8.RuneError:
		return append(dst, `\ufffd`...)
	case '\u2028', '\u2029':
		return append(dst, '\\', 'u', '2', '0', '2', hex[r&0xf])
	}
	return append(dst, '\\', 'u', '0', '0', hex[r>>4&0xf], hex[r&0xf]) // a control character
}
