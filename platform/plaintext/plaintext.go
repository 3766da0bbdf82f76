// Package plaintext has rules for texts that people write and read: which names and reasons hide something, what a spreadsheet would run,
// and which word a mistyped one was meant to be. Invisible characters turn a text around where it is shown, or make two names look
// the same.
package plaintext

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"gpatlas/platform/apperr"
)

// LineFault reports why a text is rejected as a name or another single line, or "". All of its characters must be visible;
// spaces alone do not count as visible.
func LineFault(text string) string {
	if hides(text, "") {
		return "must be one line without control or invisible characters"
	}
	return blank(text)
}

// NameMax is how many characters a name that a user gives may have.
const NameMax = 100

// Name trims the name of something that a user has made, or returns the error that rejects it: see NameFault.
func Name(name string) (string, error) {
	name = strings.TrimSpace(name)
	if fault := NameFault(name); fault != "" {
		return "", apperr.Invalid(apperr.FieldError{Field: "name", Message: fault})
	}
	return name, nil
}

// NameFault reports why a trimmed text is rejected as the name of something that a user has made, or "".
func NameFault(name string) string {
	switch {
	case name == "":
		return "must not be empty"
	case utf8.RuneCountInString(name) > NameMax:
		return "must have at most 100 characters"
	}
	return LineFault(name)
}

// Fault is LineFault for a text that may have several lines.
func Fault(text string) string {
	if hides(text, "\t\r\n") {
		return "must not contain control characters other than tabs and line breaks, nor invisible characters"
	}
	return blank(text)
}

// hides reports whether a text has invisible characters besides the allowed ones.
func hides(text, allowed string) bool {
	var before rune // other than joiners
	for i, r := range text {
		switch {
		case strings.ContainsRune(allowed, r) && r != utf8.RuneError:
		case r == nonJoiner || r == joiner:
			after, _ := utf8.DecodeRuneInString(text[i+utf8.RuneLen(r):])
			if !joined(before) || !joined(after) {
				return true
			}
		case r == utf8.RuneError, !unicode.IsGraphic(r), unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r):
			return true
		}
		before = r
	}
	return false
}

const (
	nonJoiner = '\u200c'
	joiner    = '\u200d'
)

// joined reports characters whose look joiners change: those of scripts whose letters join, and emoji. Names in Persian and
// Sinhala are spelled with joiners.
func joined(r rune) bool {
	return r != utf8.RuneError && unicode.In(r, joining...) // which is also an emoji
}

var joining = []*unicode.RangeTable{
	unicode.Arabic, unicode.Syriac, unicode.Mongolian, unicode.Nko, unicode.Mandaic,
	unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya, unicode.Tamil, unicode.Telugu,
	unicode.Kannada, unicode.Malayalam, unicode.Sinhala, unicode.Myanmar, unicode.Khmer, unicode.Tibetan,
	unicode.So, unicode.Sk, unicode.Variation_Selector,
}

func blank(text string) string {
	for _, r := range text {
		if r != brailleBlank && unicode.In(r, unicode.L, unicode.N, unicode.P, unicode.S) {
			return ""
		}
	}
	return "must have a visible character"
}

// brailleBlank is a symbol that shows nothing.
const brailleBlank = '\u2800'

// Optional is a text that may be absent: nil if it is empty.
func Optional(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// Storable is a text without what PostgreSQL's text cannot hold: NUL and malformed UTF-8.
func Storable(text string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "")
}
