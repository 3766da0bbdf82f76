package httpapi

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// SentTwice is the message for a field that was sent more than once and is no list.
const SentTwice = "was sent more than once; send it once"

const brokenEscape = "contains a % that is not followed by two hexadecimal digits"

// TextFault reports why a value is no valid text, as the message of a faulty field, or "".
func TextFault(value []byte) string {
	if bytes.IndexByte(value, 0) >= 0 {
		return "must not contain a NUL byte"
	}
	if !utf8.Valid(value) {
		return "must be valid UTF-8"
	}
	return ""
}

func escapesHold(raw []byte) bool {
	for i := 0; i < len(raw); i++ {
		if raw[i] == '%' {
			if i+2 >= len(raw) || !isHex(raw[i+1]) || !isHex(raw[i+2]) {
				return false
			}
			i += 2
		}
	}
	return true
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f'
}

// printable makes a caller's text safe for a response: short, valid and without control characters.
func printable(text string) string {
	const most = 64
	text = strings.Map(func(r rune) rune {
		if r < ' ' || r == utf8.RuneError || r == 0x7f {
			return '?'
		}
		return r
	}, strings.ToValidUTF8(text, "?"))
	if utf8.RuneCountInString(text) > most {
		text = string([]rune(text)[:most]) + "…"
	}
	return text
}
