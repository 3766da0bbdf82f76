package overrides

import (
	"unicode"
	"unicode/utf8"
)

// TextFault says why a text of an operator cannot be kept, or "". It is one line in which everything is seen: what is invisible turns
// the text around where it is shown, or hides what a spreadsheet runs. Spaces are not counted as visible.
func TextFault(text string) string {
	seen := false
	for _, r := range text {
		if r == utf8.RuneError || !unicode.IsGraphic(r) || unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) {
			return "must be one line without control or invisible characters"
		}
		seen = seen || r != brailleBlank && unicode.In(r, unicode.L, unicode.N, unicode.P, unicode.S)
	}
	if !seen {
		return "must have a visible character"
	}
	return ""
}

// brailleBlank is a symbol that shows nothing.
const brailleBlank = '\u2800'
