package plaintext

import (
	"strings"
	"unicode"
)

// formulas are the first characters by which a spreadsheet recognizes a formula; the last four are full-width forms.
const formulas = "=+-@\t\r\n＝＋－＠"

// Cell is a cell of a CSV file that no spreadsheet runs as a formula: an apostrophe stands before a text that begins like one, also
// behind spaces and invisible characters, which spreadsheets may drop. It is not for numbers: -5 would be a text.
func Cell(s string) string {
	for _, r := range s {
		switch {
		case strings.ContainsRune(formulas, r):
			return "'" + s
		case !unseen(r):
			return s
		}
	}
	return s
}

// unseen returns whether a character is a space or shows nothing.
func unseen(r rune) bool {
	return unicode.IsSpace(r) || !unicode.IsGraphic(r) || unicode.In(r, unicode.Mn, unicode.Other_Default_Ignorable_Code_Point)
}
