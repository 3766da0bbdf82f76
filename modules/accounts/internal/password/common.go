package password

import (
	_ "embed"
	"strings"
	"unicode"
)

// commonText lists common passwords and the words and keyboard rows that they consist of, one a line, written for this service
// from well-known patterns.
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

// unleet replaces digits and signs by the letters they usually represent.
var unleet = strings.NewReplacer("0", "o", "1", "i", "3", "e", "4", "a", "5", "s", "7", "t", "@", "a", "$", "s", "!", "i")

// isCommon reports whether a password consists of common words, ignoring separators and surrounding digits and signs.
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

// piecesMax is how many consecutive common words are still a common password; four random words are a good one.
const piecesMax = 3

// madeOfCommon reports whether text consists of one to three common words.
func madeOfCommon(text string) bool {
	if text == "" {
		return false
	}
	const never = piecesMax + 1
	fewest := make([]int, len(text)+1) // fewest common words that form the text up to each position
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
