package text

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// joint parts two words that are also written as one.
const joint = '.'

// appendReadable appends to an empty dst what the words of a name or a query are cut from: its normalised form, where a full
// stop between two words ("harbor.vc", "pte.ltd") is a joint. It vanishes in initials ("d.e. harbor", "l.p."), of which
// each is one letter, and in a number.
func appendReadable(dst []byte, s string) []byte {
	if strings.IndexByte(s, '.') < 0 {
		return appendNormal(dst, s)
	}
	start := 0
	for i := range len(s) {
		if s[i] != '.' || !joins(s[:i], s[i+1:]) {
			continue
		}
		dst = append(AppendNormal(dst, s[start:i]), joint)
		start = i + 1
	}
	return AppendNormal(dst, s[start:])
}

// joins says whether a full stop between two texts stands between words that each have two letters or digits at least.
func joins(before, behind string) bool {
	last, n := utf8.DecodeLastRuneInString(before)
	first, m := utf8.DecodeRuneInString(behind)
	if !isSign(last) || !isSign(first) || unicode.IsNumber(last) && unicode.IsNumber(first) {
		return false
	}
	secondLast, _ := utf8.DecodeLastRuneInString(before[:len(before)-n])
	second, _ := utf8.DecodeRuneInString(behind[m:])
	return isSign(secondLast) && isSign(second)
}

// isSign says whether a letter or digit is one in the normalised form too, which a few are not.
func isSign(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsNumber(r)) && (r < utf8.RuneSelf || Normalise(string(r)) != "")
}

// cutWord takes the first word from what appendReadable made. joined says that it and the next are also one word.
func cutWord[T string | []byte](text T) (word, rest T, joined bool) {
	end := 0
	for end < len(text) && text[end] != ' ' && text[end] != joint {
		end++
	}
	word = text[:end]
	if at := limitedFrom(word); at > 0 {
		return word[:at], text[at:], true
	}
	if end < len(text) {
		rest, joined = text[end+1:], text[end] == joint
	}
	return word, rest, joined
}

// limitedFrom is where "ltd" or "limited" begins that is joined to the word before ("pteltd"), or 0. Other legal forms are
// also inside words that are being typed: "hillc" begins Hillcrest.
func limitedFrom[T string | []byte](word T) int {
	const least = 2 // letters before it
	n := len(word)
	if n < least+len("ltd") || word[n-1] != 'd' {
		return 0
	}
	for _, form := range [...]string{"ltd", "limited"} {
		if at := n - len(form); at >= least && string(word[at:]) == form && string(word) != "unlimited" {
			return at
		}
	}
	return 0
}

// cutWords cuts a name or a query into its words. joined says of each whether it and the next are also written as one.
func cutWords(s string) (words []string, joined []bool) {
	for rest := string(appendReadable(nil, s)); rest != ""; {
		word, tail, also := cutWord(rest)
		words, joined, rest = append(words, word), append(joined, also), tail
	}
	return words, joined
}

// joinedUntil is the place of the last word that is written as one with the word at a place, which is the first of them.
func joinedUntil(joined []bool, at int) int {
	return at + max(0, slices.Index(joined[at:], false))
}
