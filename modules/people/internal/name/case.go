package name

import (
	"strings"
	"unicode"
)

// cased writes a name in the usual case. Names that are already in mixed case stay as filed.
func cased(s string) string {
	if strings.ToUpper(s) != s && strings.ToLower(s) != s {
		return s
	}
	parts := strings.Fields(s)
	for i, word := range parts {
		parts[i] = casedWord(word)
	}
	return strings.Join(parts, " ")
}

// casedWord begins with a capital, and again after a hyphen, an apostrophe that follows one or two letters (O'Hara, D'Angelo), and Mc.
func casedWord(word string) string {
	out := []rune(strings.ToLower(word))
	start := 0
	for i, r := range out {
		switch {
		case i == start:
			out[i] = unicode.ToUpper(r)
		case r == '-' || r == '\'' && i-start <= 2 && len(out)-i > 2:
			start = i + 1
		case i-start == 2 && out[start] == 'M' && out[start+1] == 'c':
			out[i] = unicode.ToUpper(r)
		}
	}
	return string(out)
}
