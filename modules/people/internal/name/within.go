package name

import (
	"slices"
	"strings"
)

// In reports whether a text, such as the name of a trust, has the person's first and last name, or at least the letters of the last name.
// The first name may be a short form or stand as an initial before the last one.
func (k Key) In(text string) (whole, last bool) {
	words := strings.Fields(Fold(text))
	if k.Last == "" || !strings.Contains(strings.Join(words, ""), k.Last) {
		return false, false
	}
	for from := range words {
		joined := ""
		for until := from; until < len(words) && len(joined) < len(k.Last); {
			joined += words[until]
			if until++; joined == k.Last && k.given(words[:from], words[until:]) {
				return true, true
			}
		}
	}
	return false, true
}

// given reports whether the words before or after a last name have the first name.
func (k Key) given(before, after []string) bool {
	if len(before) > 0 && initialOf(before[len(before)-1], k.First) {
		return true
	}
	return len(k.First) > 1 && slices.ContainsFunc(slices.Concat(before, after), func(word string) bool { return Formal(word) == Formal(k.First) })
}
