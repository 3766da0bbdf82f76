package load

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// secNumbers returns the SEC numbers that a text may mean, in the form of the catalog: of "801-12", "801 - 0012" and "SEC No. 80112" the first is 801-12.
// Without 801 or 802 before it a number may be of either kind, and without a sign between them these digits may be a part of the number. A text without
// digits, like a blank one, means none. A text that cannot be read as one number is not readable: which adviser it names is unknown.
func secNumbers(text string) (numbers []string, readable bool) {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Cf, r): // invisible signs
			return -1
		case unicode.IsLetter(r):
			return unicode.ToUpper(r)
		case unicode.IsNumber(r):
			return r
		}
		return ' '
	}, norm.NFKC.String(text))
	if !strings.ContainsFunc(text, unicode.IsNumber) {
		return nil, true
	}
	words := strings.Fields(text)
	for len(words) > 0 && numberWords[words[0]] {
		words = words[1:]
	}
	for i, word := range words {
		if strings.Trim(word, "0123456789") != "" {
			return nil, false
		}
		words[i] = strings.TrimLeft(word, "0")
	}
	switch {
	case len(words) == 1 && words[0] != "" && !secKinds[words[0]]:
		if kind, number := words[0][:min(3, len(words[0]))], words[0][min(3, len(words[0])):]; secKinds[kind] && strings.TrimLeft(number, "0") != "" {
			numbers = append(numbers, kind+"-"+strings.TrimLeft(number, "0"))
		}
		numbers = append(numbers, "801-"+words[0], "802-"+words[0])
	case len(words) == 2 && secKinds[words[0]] && words[1] != "":
		numbers = append(numbers, words[0]+"-"+words[1])
	}
	return numbers, numbers != nil
}

var (
	secKinds    = map[string]bool{"801": true, "802": true}                              // registered and exempt advisers
	numberWords = map[string]bool{"SEC": true, "FILE": true, "NO": true, "NUMBER": true} // before a number
)
