package text

import (
	"slices"
	"strings"
)

// alike lists the words that say the same: a word of one line, typed in full, matches the others as if it were they. A
// beginning ("comp") matches only what begins so.
var alike = [][]string{
	{"limited", "ltd"},
	{"corporation", "corp"},
	{"company", "co"},
	{"companies", "cos"},
	{"incorporated", "inc"},
	{"management", "mgmt", "mgt"},
	{"international", "intl"},
	{"national", "natl"},
	{"associates", "assoc", "assocs"},
	{"association", "assn"},
	{"partners", "ptnrs", "prtnrs", "ptrs"},
	{"partner", "ptnr"},
	{"investments", "invs", "invts", "invests"},
	{"investment", "inv", "invt", "invest"},
	{"advisors", "advisers", "advs"},
	{"advisor", "adviser", "adv"},
	{"group", "grp"},
	{"holdings", "hldgs"},
	{"holding", "hldg"},
	{"brothers", "bros"},
	{"services", "svcs"},
	{"service", "svc"},
	{"financial", "finl"},
	{"department", "dept"},
	{"saint", "st"},
	{"mount", "mt"},
}

var alikeOf = func() map[string][]string {
	of := map[string][]string{}
	for _, line := range alike {
		for _, w := range line {
			of[w] = line
		}
	}
	return of
}()

// AlikeTo lists the words that say the same as a normalized word, itself among them; nil when there is no other.
func AlikeTo(word string) []string { return alikeOf[word] }

// shortStart is the most letters of a first word that is also known joined to the next, as "jp morgan" is by "jpmorgan".
const shortStart = 3

// Terms returns the normalized words that a query asks for:
//
//   - single letters side by side are joined ("d e shaw" = "de shaw"), as are a letter and a number at the beginning ("k 2" = "k2");
//   - legal forms in words become their letters ("limited partnership" = "lp");
//   - words are split at a full stop ("harbor.vc" = "harbor vc") and before "ltd" and "limited" ("pteltd" = "pte ltd").
func Terms(query string) []string {
	words, _ := cutWords(query)
	return appendTerms(nil, words)
}

func appendTerms(dst, words []string) []string {
	for i := 0; i < len(words); {
		word, n := readAt(words, i)
		dst = append(dst, word)
		i += n
	}
	return dst
}

// blankForms are the legal forms of two letters, as names have them at their end: "A/S", "S. A.", "B. V.".
var blankForms = SetOf("ag as bv cv gk kg kk ks nv pc ps sa se sl")

// readAt reads one term at a position of a text's words, and says how many words it takes.
func readAt(words []string, at int) (term string, taken int) {
	word := words[at]
	switch word {
	case "limited", "ltd", "exempted", "public", "professional", "segregated", "designated": // with which the forms in words begin
		if term, taken = readForm(words[at:]); taken > 0 {
			return term, taken
		}
		return word, 1
	}
	end := letterRun(words, at)
	if end-at < 2 {
		if at == 0 && end == 1 && len(words) > 1 && isNumber(words[1]) { // "k 2 fund"
			return word + words[1], 2
		}
		return word, 1
	}
	term = strings.Join(words[at:end], "")
	if at > 0 { // "fund v l p": the form is a word of its own; at the beginning letters are initials
		for _, form := range [...]string{"llc", "llp", "lp"} {
			if len(term) > len(form) && strings.HasSuffix(term, form) {
				taken = len(term) - len(form)
				return term[:taken], taken
			}
		}
		if taken = len(term) - 2; taken > 0 && end == len(words) && blankForms[term[taken:]] { // "fund i a/s"
			return term[:taken], taken
		}
	}
	return term, end - at
}

// letterRun returns the end of the run of single letters that begins at a position.
func letterRun(words []string, at int) int {
	for at < len(words) && isLetter(words[at]) {
		at++
	}
	return at
}

func isLetter(word string) bool { return len(word) == 1 && word[0] >= 'a' }

const digits = "0123456789"

func isNumber(word string) bool {
	for i := range len(word) {
		if !isDigit(word[i]) {
			return false
		}
	}
	return true
}

func hasDigit(word string) bool {
	for i := range len(word) {
		if isDigit(word[i]) {
			return true
		}
	}
	return false
}

// appendKey appends what all ways to write a whole name have in common: the terms' letters and digits without blanks, one
// spelling for words that say the same.
func appendKey(dst []byte, words []string) []byte {
	for i := 0; i < len(words); {
		term, n := readAt(words, i)
		if line := AlikeTo(term); line != nil {
			term = line[0]
		}
		dst = append(dst, term...)
		i += n
	}
	return dst
}

// Key is what all ways to write a whole name have in common: "D. E. Shaw & Co., L.P." and "de shaw and company lp" have
// the same. It is empty for a text without a letter or digit.
func Key(name string) string {
	words, _ := cutWords(name)
	return string(appendKey(nil, words))
}

// A NameWord is a word by which a name is found.
type NameWord struct {
	Word   string
	Begins bool // the name begins with it
	Made   bool // a derived spelling that is not in the name itself
}

// NameWords are the words by which a name is found: its own, and those that other ways to write it would have.
func NameWords(name string) []NameWord {
	words, joined := cutWords(name)
	return appendMade(nil, words, joined)
}

// appendMade appends a name's words, followed by those of its other spellings: single letters as one word, alone and with the
// next word, a short first word with the next, a word and a number as one word and the other way
// round, words that are joined by a full stop as one, a legal form in words as letters. An article begins no name: what
// follows it does too.
func appendMade(dst []NameWord, words []string, joined []bool) []NameWord {
	first := 0
	if len(words) > 1 && words[0] == "the" {
		first = 1
	}
	for i, w := range words {
		dst = append(dst, NameWord{Word: w, Begins: i <= first})
	}
	m := maker{dst, words, first}
	for i := 0; i < len(words); {
		term, n := readAt(words, i)
		letters := isLetter(words[i])
		if n > 1 {
			m.made(i, term)
		}
		if letters || i == first && !isNumber(term) && (len(term) <= shortStart || hasDigit(term)) {
			m.withNext(i, i+n, term)
		}
		if end := i + n; letters && end+1 < len(words) && words[end] == "and" && isLetter(words[end+1]) { // "s & p" is "sp"
			term += words[end+1]
			m.made(i, term)
			m.withNext(i, end+2, term)
		}
		i += n
	}
	if slices.ContainsFunc(words, hasDigit) {
		for i := range words {
			m.numbers(i)
		}
	}
	for i := 0; i < len(words); i++ {
		if !joined[i] {
			continue
		}
		start := i
		for i+1 < len(words) && joined[i] {
			i++
		}
		m.made(start, strings.Join(words[start:i+1], ""))
	}
	return m.dst
}

// maker appends words that are not a name's own.
type maker struct {
	dst   []NameWord
	words []string
	first int // the place of the word with which the name begins
}

func (m *maker) made(at int, word string) {
	m.dst = append(m.dst, NameWord{word, at <= m.first, true})
}

// withNext appends a word from a position joined to the next, unless that is a letter, a number or "and".
func (m *maker) withNext(at, next int, word string) {
	if next < len(m.words) && len(m.words[next]) > 1 && m.words[next] != "and" && !isNumber(m.words[next]) {
		m.made(at, word+m.words[next])
	}
}

// numbers appends what the numbers in a word and next to it make of it: a letter and a digit may have a blank between them
// or none.
func (m *maker) numbers(at int) {
	word, next := m.words[at], ""
	if at+1 < len(m.words) {
		next = m.words[at+1]
	}
	if isNumber(word) {
		if at == m.first && next != "" && !isNumber(next) {
			m.made(at, word+next)
		}
		return
	}
	m.dst = appendParts(m.dst, word, at <= m.first)
	switch {
	case next == "":
	case isNumber(next): // "point 72 fund"
		m.made(at, word+next)
		if at == m.first {
			m.withNext(at, at+2, word+next)
			m.withNext(at+1, at+2, next)
		}
	case isDigit(next[0]): // "client 1st"
		m.made(at, word+next)
		m.made(at, word+next[:len(next)-len(strings.TrimLeft(next, digits))])
	case isDigit(word[len(word)-1]): // "team8 labs"
		if at != m.first {
			m.withNext(at, at+1, word)
		}
		m.withNext(at+1, at+1, word[len(strings.TrimRight(word, digits)):])
	}
}

// appendParts appends the letters and the numbers of a word of both: "point72" is "point" and "72".
func appendParts(dst []NameWord, word string, begins bool) []NameWord {
	from := 0
	for i := 1; i <= len(word); i++ {
		if i < len(word) && isDigit(word[i]) == isDigit(word[i-1]) {
			continue
		}
		if from > 0 || i < len(word) {
			dst = append(dst, NameWord{word[from:i], begins && from == 0, true})
		}
		from = i
	}
	return dst
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
