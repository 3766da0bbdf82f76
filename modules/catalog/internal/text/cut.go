package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// joint separates two words that are also written as one.
const joint = '.'

// appendReadable appends to an empty dst the text from which the words of a name or a query are cut: its normalized form, where
// a full stop between two words ("harbor.vc", "pte.ltd") is a joint. A full stop vanishes after single letters ("d.e. harbor",
// "l.p.") and in a number.
func appendReadable(dst []byte, s string) []byte {
	start := 0
	for at := 0; ; at++ {
		n := strings.IndexByte(s[at:], '.')
		if n < 0 {
			break
		}
		if at += n; joins(s[:at], s[at+1:]) {
			dst = append(AppendNormal(dst, s[start:at]), joint)
			start = at + 1
		}
	}
	return AppendNormal(dst, s[start:])
}

// joins reports whether a full stop between two texts separates words of at least two letters or digits each.
func joins(before, behind string) bool {
	if len(before) < 2 || len(behind) < 2 || before[len(before)-2] == ' ' || behind[1] == '.' { // nearly all: "fund, l.p."
		return false
	}
	last, n := utf8.DecodeLastRuneInString(before)
	first, m := utf8.DecodeRuneInString(behind)
	if !isSign(last) || !isSign(first) || unicode.IsNumber(last) && unicode.IsNumber(first) {
		return false
	}
	secondLast, _ := utf8.DecodeLastRuneInString(before[:len(before)-n])
	second, _ := utf8.DecodeRuneInString(behind[m:])
	return isSign(secondLast) && isSign(second)
}

// isSign reports whether r is a letter or digit that remains in the normalized form; a few do not.
func isSign(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsNumber(r)) && (r < utf8.RuneSelf || Normalize(string(r)) != "")
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

// cutWords cuts a name or a query into its words. joined is true for a word that is also written as one with the next.
func cutWords(s string) (words []string, joined []bool) {
	for rest := string(appendReadable(nil, s)); rest != ""; {
		word, tail, also := cutWord(rest)
		words, joined, rest = append(words, word), append(joined, also), tail
	}
	return words, joined
}
