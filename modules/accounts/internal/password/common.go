package password

import (
	_ "embed"
	"strings"
	"unicode"
)

// commonText lists common passwords and the words and rows of keys that they are made of, one a line: written for this
// service from well-known patterns.
//
//go:embed common.txt
var commonText string

var common = func() map[string]bool {
	set := map[string]bool{}
	for line := range strings.Lines(commonText) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			set[line] = true
		}
	}
	return set
}()

// unleet undoes the usual writing of letters as digits and signs.
var unleet = strings.NewReplacer("0", "o", "1", "i", "3", "e", "4", "a", "5", "s", "7", "t", "@", "a", "$", "s", "!", "i")

// isCommon says whether a password, or what is left of it without separators and without the digits and signs around it,
// is made of common words alone.
func isCommon(folded string) bool {
	for _, form := range []string{folded, unleet.Replace(folded)} {
		for _, text := range []string{form, strings.TrimFunc(form, notLetter), strings.TrimFunc(folded, notLetter)} {
			for _, candidate := range []string{text, letters(text)} {
				if madeOfCommon(candidate) || madeOfCommon(unleet.Replace(candidate)) {
					return true
				}
			}
		}
	}
	return false
}

// piecesMax is how many common words in a row are still a common password; four at random are a good one.
const piecesMax = 3

// madeOfCommon says whether text is one to three common words, one after the other.
func madeOfCommon(text string) bool {
	if text == "" {
		return false
	}
	const never = piecesMax + 1
	fewest := make([]int, len(text)+1) // common words that make up the text up to here
	for end := 1; end <= len(text); end++ {
		fewest[end] = never
		for start := range end {
			if fewest[start] < fewest[end]-1 && common[text[start:end]] {
				fewest[end] = fewest[start] + 1
			}
		}
	}
	return fewest[len(text)] <= piecesMax
}

func notLetter(r rune) bool { return !unicode.IsLetter(r) }

// letters is text without separators.
func letters(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, text)
}
