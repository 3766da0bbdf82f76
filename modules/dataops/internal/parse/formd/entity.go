package formd

import (
	"strings"

	"gpatlas/modules/dataops/internal/parse/value"
)

// legalFormMax is longer than any legal form: names are asked for by the hundred thousand.
const legalFormMax = 16

// legalForm reports whether a word is the legal form of a firm, with or without dots and comma. Forms that are names of people
// too (SA, AG) are left out.
func legalForm(word string) bool {
	if len(word) > legalFormMax {
		return false
	}
	bare := strings.Map(func(r rune) rune {
		if r == '.' || r == ',' {
			return -1
		}
		return r
	}, word)
	switch strings.ToUpper(bare) {
	case "LLC", "LP", "LLP", "LLLP", "INC", "INCORPORATED", "CORP", "CORPORATION", "LTD", "LIMITED", "PLC", "GMBH", "SARL", "SCSP":
		return true
	}
	return false
}

// entity recognizes a firm among the related persons and returns its whole name. The form has fields for a person's names only.
// Filers put the name into the last name and the legal form ("LLC"), a dash or N/A into the first, which may not be blank;
// others part the name somewhere.
//
// Spec: not shown; the form does not say which is a firm, so these are rules of thumb. A name without a first name is taken
// for a firm's.
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
	words := strings.Fields(last)
	if len(words) > 0 && legalForm(words[len(words)-1]) && (len(words) > 1 || middle == "" && longer(first)) {
		return join(first, middle, last), true
	}
	return "", false
}

// longer reports whether a first name has the words of a firm's name: "Harbor Ridge Partners" before the last name "LLC".
func longer(first string) bool { return len(strings.Fields(first)) > 1 }

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
