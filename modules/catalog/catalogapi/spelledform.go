package catalogapi

import (
	"slices"
	"strings"
)

// A SpelledForm is a legal form of several words, each in full, and the word that means the same.
type SpelledForm struct {
	Words []string
	Short string
}

// spelledForms are the legal forms of several words, those of more words first.
var spelledForms = func() (list []SpelledForm) {
	for _, f := range [][2]string{
		{"limited liability limited partnership", "lllp"},
		{"professional limited liability company", "pllc"},
		{"limited liability company", "llc"},
		{"limited liability partnership", "llp"},
		{"exempted limited partnership", "lp"},
		{"public limited company", "plc"},
		{"segregated portfolio company", "spc"},
		{"designated activity company", "dac"},
		{"limited partnership", "lp"},
		{"professional corporation", "pc"},
	} {
		list = append(list, SpelledForm{strings.Fields(f[0]), f[1]})
	}
	return list
}()

// SpelledForms are the legal forms of several words, those of more words first.
func SpelledForms() []SpelledForm { return slices.Clone(spelledForms) }

// WordOfForm is the word of a legal form, in full, that one in lower case is short for; otherwise the word itself.
func WordOfForm(word string) string {
	switch word {
	case "ltd":
		return "limited"
	case "co":
		return "company"
	case "corp":
		return "corporation"
	case "inc":
		return "incorporated"
	}
	return word
}

// spelledAtEnd returns the legal form of several words at the end of a name's words; nil if there is none, or nothing before it.
func spelledAtEnd(words []string) *SpelledForm {
	switch WordOfForm(strings.ToLower(words[len(words)-1])) {
	case "company", "partnership", "corporation": // the last words of all
	default:
		return nil
	}
	for i := range spelledForms {
		f := &spelledForms[i]
		at := len(words) - len(f.Words)
		if at > 0 && slices.EqualFunc(words[at:], f.Words, func(w, full string) bool { return WordOfForm(strings.ToLower(w)) == full }) {
			return f
		}
	}
	return nil
}

// WithShortForm writes the legal form at the end of a name's words as one word, in lower case: "limited liability company" as "llc".
func WithShortForm(words []string) []string {
	if len(words) == 0 {
		return words
	}
	if f := spelledAtEnd(words); f != nil {
		return append(slices.Clone(words[:len(words)-len(f.Words)]), f.Short)
	}
	return words
}
