package formd

import (
	"strings"
	"unicode"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/parse/value"
)

// nameWords are the words of a name without signs.
func nameWords(name string) []string {
	return strings.FieldsFunc(strings.ReplaceAll(name, ".", ""), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// legalForm reports whether a text is the legal form of a firm alone. Forms that are names of people too (SA, AG) are left out.
func legalForm(text string) bool {
	words := nameWords(text)
	return len(words) == 1 && catalogapi.LegalFormOf(words[0]) >= catalogapi.FormNotOfName
}

// entity recognizes a firm among the related persons and returns its whole name. The form has fields for a person's names only.
// Filers put the name into the last name and the legal form ("LLC"), a dash or N/A into the first, which may not be blank;
// others split the name somewhere.
//
// Spec: not shown; the form does not state which is a firm, so these are rules of thumb. A name without a first name counts as
// a firm's.
func entity(first, middle, last string) (whole string, ok bool) {
	if value.None([]byte(last)) && !legalForm(first) { // the other way round
		first, last = last, first
	}
	switch {
	case legalForm(first) && last != "":
		if words := strings.Fields(last); legalForm(words[len(words)-1]) {
			return join(middle, last), true
		}
		return join(middle, last, first), true
	case value.None([]byte(first)):
		return join(middle, last), !value.None([]byte(last))
	}
	if last != "" && catalogapi.IsFirm(nameWords(first+" "+last)) {
		return join(first, middle, last), true
	}
	return "", false
}

// join puts the parts of a name together again.
func join(parts ...string) string {
	var words []string
	for _, p := range parts {
		if !value.None([]byte(p)) {
			words = append(words, p)
		}
	}
	return strings.Join(words, " ")
}
