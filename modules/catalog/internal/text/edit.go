package text

import (
	"strings"
	"unicode/utf8"
)

// EditWithinOne reports whether a becomes b by at most one edit: a letter inserted, deleted or replaced, or two
// neighbors swapped (optimal string alignment), counted in runes. Both are valid UTF-8.
func EditWithinOne(a, b string) bool {
	a, b = cutCommon(a, b)
	if a == "" && b == "" {
		return true
	}
	return oneEdit(a, b, func(s, t string) bool { return s == t })
}

// nearPrefix reports whether the term is at most one edit away from the word or from a prefix of it.
func nearPrefix(term, word string) bool {
	t, w := cutCommon(term, word)
	if len(t) > 0 && t[0] < utf8.RuneSelf && (w == "" || w[0] < utf8.RuneSelf) && (len(t) == 1 || t[1] < utf8.RuneSelf) {
		return nearASCII(t, w)
	}
	return t == "" || oneEdit(t, w, func(rest, tail string) bool { return strings.HasPrefix(tail, rest) })
}

// nearASCII is nearPrefix of what follows the common beginning, where the letters that an edit may touch are one byte each.
func nearASCII(t, w string) bool {
	rest := t[1:]
	switch {
	case rest == "": // one letter too many
		return true
	case w == "":
		return false
	case w[0] == rest[0] && strings.HasPrefix(w, rest):
		return true
	case len(w) == 1:
		return false
	case w[1] == rest[0] && strings.HasPrefix(w[1:], rest): // another letter
		return true
	case w[1] != t[0]:
		return false
	}
	return strings.HasPrefix(w[1:], t) || // a letter missing
		w[0] == rest[0] && strings.HasPrefix(w[2:], rest[1:]) // two swapped
}

// oneEdit reports whether the rest fits after one edit at the beginning. t and w differ in their first letter, so it suffices to
// look for the edit there.
func oneEdit(t, w string, fits func(t, w string) bool) bool {
	_, a := utf8.DecodeRuneInString(t)
	_, b := utf8.DecodeRuneInString(w)
	if a > 0 && b > 0 && fits(t[a:], w[b:]) || a > 0 && fits(t[a:], w) || b > 0 && fits(t, w[b:]) {
		return true
	}
	// Swapped neighbors: w begins with the second letter of t, then the first.
	_, second := utf8.DecodeRuneInString(t[a:])
	return a > 0 && second > 0 && len(w) >= a+second && w[:second] == t[a:a+second] && w[second:second+a] == t[:a] &&
		fits(t[a+second:], w[a+second:])
}

// cutCommon cuts off the letters with which both begin.
func cutCommon(a, b string) (restA, restB string) {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	for i < len(a) && i < len(b) && !utf8.RuneStart(a[i]) {
		i--
	}
	return a[i:], b[i:]
}
