package gp_test

import (
	"regexp"
	"strings"
)

// The places where people join or part the words of a name otherwise than its owner does.
var (
	dotInside   = regexp.MustCompile(`([A-Za-z\d]{2,})\.([A-Za-z\d]{2,})`)
	dotFirst    = regexp.MustCompile(`^([A-Za-z\d]{2,})\.([A-Za-z\d]{2,})`)
	firstBlank  = regexp.MustCompile(`^([A-Za-z]{2,}) ([A-Za-z]{2,})`)
	digitWord   = regexp.MustCompile(`([A-Za-z]\d+) ([A-Za-z]{2,})`)
	mixedWord   = regexp.MustCompile(`^([A-Za-z]+\d[A-Za-z\d]*|\d+[A-Za-z][A-Za-z\d]*) ([A-Za-z]{2,})`)
	wordMixed   = regexp.MustCompile(`([A-Za-z]{2,}) (\d+[A-Za-z])`)
	digitsEnd   = regexp.MustCompile(`([A-Za-z])(\d+) ([A-Za-z]{2,})`)
	numberInner = regexp.MustCompile(`^([A-Za-z]{2,}) (\d+) ([A-Za-z]{2,})`)
	twoForms    = regexp.MustCompile(`(?i)[ ,]*\(?\b(PTE|PTY|PVT|CO)\b\.?\)?[ ,.]*(LTD|LIMITED)\b\.?`)
	lastForm    = regexp.MustCompile(`(?i)([A-Za-z]{2,}),? (LLC|LLP|LP|LTD|LIMITED|INC|CORP)\b`)
	limitedForm = regexp.MustCompile(`(?i)([A-Za-z]{2,}),? (LTD|LIMITED)\b`)
)

// dots are the names with a full stop inside, and those that are typed with one.
func dots() []variation {
	parted, joined, dotted := replaced(dotInside, "$1 $2"), replaced(dotInside, "$1$2"), replaced(firstBlank, "$1.$2")
	return []variation{
		{"a dot inside as a blank", parted, 20},
		{"a dot inside as a blank, no more", short(replaced(dotFirst, "$1 $2"), 2), 15},
		{"a dot inside left out", joined, 20},
		{"a dot inside left out, no more", short(replaced(dotFirst, "$1$2"), 1), 15},
		{"the first blank as a dot", dotted, 200},
		{"the first blank as a dot, no more", short(dotted, 1), 200},
	}
}

// digits are the boundaries between letters and digits.
func digits() []variation {
	next, before, mixed := replaced(digitWord, "$1$2"), replaced(wordMixed, "$1$2"), replaced(mixedWord, "$1$2")
	return []variation{
		{"digits joined to the next word", next, 60},
		{"digits joined to the next word, no more", short(next, 1), 60},
		{"digits joined to the word before", before, 5},
		{"a word with digits joined to the next", mixed, 150},
		{"a word with digits joined to the next, no more", short(mixed, 1), 150},
		{"digits typed with the next word", replaced(digitsEnd, "$1 $2$3"), 60},
		{"word, number and word joined", replaced(numberInner, "$1$2$3"), 3},
		{"number joined to the second word", replaced(numberInner, "$1 $2$3"), 3},
	}
}

// forms are the legal forms of two words, and those that are joined to the word before.
func forms() []variation {
	second := func(name string) string { // "harbor ridge singapore pte. ltd." as "harbor singapore limited"
		words := strings.Fields(twoForms.ReplaceAllString(name, ""))
		if len(words) < 3 || !twoForms.MatchString(name) {
			return ""
		}
		return words[0] + " " + words[1] + " " + words[len(words)-1] + " limited"
	}
	return []variation{
		{"Pte. Ltd. as Pte.Ltd.", replaced(twoForms, " $1.LTD."), 100},
		{"Pte. Ltd. as Pte.Limited", replaced(twoForms, " $1.LIMITED"), 100},
		{"Pte. Ltd. as Pte Limited", replaced(twoForms, " $1 Limited"), 100},
		{"Pte. Ltd. in one word", replaced(twoForms, " ${1}LTD"), 100},
		{"Pte. Limited in one word", replaced(twoForms, " ${1}LIMITED"), 100},
		{"Pte. Ltd. as Limited", replaced(twoForms, " Limited"), 100},
		{"Pte. Ltd. as Ltd", replaced(twoForms, " Ltd"), 100},
		{"two words, the last, and Limited", second, 100},
		{"the legal form behind a dot", replaced(lastForm, "$1.$2"), 200},
		{"Limited joined to the word before", replaced(limitedForm, "$1$2"), 200},
	}
}
