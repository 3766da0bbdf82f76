// Package nearest finds what a mistyped word was meant to be.
package nearest

import "github.com/agnivade/levenshtein"

// Of returns the candidate that differs from a word in the fewest letters, but in no more than most of them. Of several it
// returns the first; without any, "".
func Of(word string, candidates []string, most int) string {
	found := ""
	for _, c := range candidates {
		if d := levenshtein.ComputeDistance(word, c); d < most || d == most && found == "" {
			found, most = c, d
		}
	}
	return found
}
