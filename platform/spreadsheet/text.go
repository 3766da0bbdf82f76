// Package spreadsheet writes texts for cells of CSV files that people open in a spreadsheet.
package spreadsheet

import (
	"strings"
	"unicode"
)

// formulas are the first characters by which a spreadsheet takes a text for a formula; the last four are full-width forms.
const formulas = "=+-@\t\r\n＝＋－＠"

// Text is a cell of text that no spreadsheet runs as a formula: an apostrophe stands before one that begins like it, also behind
// spaces and what nobody sees, which spreadsheets may drop. It is not for numbers: -5 would be a text.
func Text(s string) string {
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

// unseen tells spaces and characters that show nothing.
func unseen(r rune) bool {
	return unicode.IsSpace(r) || !unicode.IsGraphic(r) || unicode.In(r, unicode.Mn, unicode.Other_Default_Ignorable_Code_Point)
}
