package lp

import (
	"slices"
	"strings"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/people/internal/name"
)

// trades are trade words at the end of advisers' names, which other sources often omit.
var trades = map[string]bool{
	"MANAGEMENT": true, "ADVISORS": true, "ADVISERS": true, "ADVISORY": true, "ADVISOR": true, "ADVISER": true, "GROUP": true, "HOLDINGS": true,
	"MANAGERS": true, "MANAGER": true, "SERVICES": true,
}

// fillers are left out of all names.
var fillers = map[string]bool{"THE": true, "AND": true, "OF": true, "FUND": true, "FUNDS": true}

// words are the distinguishing words of a name: without text in parentheses, legal forms at the end and fillers. Roman numerals
// become digits: Fund VI is Fund 6.
func words(text string) []string {
	list := catalogapi.WithoutFormsAtEnd(strings.Fields(name.Fold(outside(text))))
	kept := list[:0]
	for _, w := range list {
		if fillers[w] {
			continue
		}
		if n, ok := roman[w]; ok && len(kept) > 0 {
			w = n
		}
		kept = append(kept, w)
	}
	return kept
}

// outside drops text in parentheses: an LP's own name, the kind of a vehicle.
func outside(text string) string {
	var b strings.Builder
	depth := 0
	for _, r := range text {
		switch {
		case r == '(':
			depth++
		case r == ')' && depth > 0:
			depth--
			b.WriteByte(' ')
		case depth == 0:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// core is an adviser's or manager's name without the trade words at its end.
func core(list []string) []string {
	for len(list) > 1 && (trades[list[len(list)-1]] || catalogapi.LegalFormOf(list[len(list)-1]) != catalogapi.NoForm) {
		list = list[:len(list)-1]
	}
	return list
}

// stem is the name of a series of funds: the words before the first number. A name without a number has no stem.
func stem(list []string) []string {
	for i, w := range list {
		if i > 0 && isNumber(w) {
			return list[:i]
		}
	}
	return nil
}

func isNumber(w string) bool {
	return w != "" && !strings.ContainsFunc(w, func(r rune) bool { return r < '0' || r > '9' })
}

// key joins words for comparison.
func key(list []string) string { return strings.Join(list, " ") }

// begins reports whether a name begins with the other's first word, the minimum that a manager and its fund must share.
func begins(list, other []string) bool {
	return len(list) > 0 && len(other) > 0 && list[0] == other[0] && !slices.Contains(common, list[0])
}

// common are first words that many managers share.
var common = []string{"CAPITAL", "AMERICAN", "GLOBAL", "NEW", "FIRST", "PRIVATE", "EQUITY", "INVESTMENT", "INTERNATIONAL", "NATIONAL", "REAL", "VENTURE"}

// roman are the numerals in names of funds. I, V and X are letters as well; as the number of a fund they follow its name.
var roman = func() map[string]string {
	list := strings.Fields("I II III IV V VI VII VIII IX X XI XII XIII XIV XV XVI XVII XVIII XIX XX XXI XXII XXIII XXIV XXV")
	numbers := strings.Fields("1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25")
	m := make(map[string]string, len(list))
	for i, r := range list {
		m[r] = numbers[i]
	}
	return m
}()
