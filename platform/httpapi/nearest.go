package httpapi

import (
	"fmt"
	"slices"
	"strings"
)

// Nearest is the known word that a caller's word was probably meant to be, in any letter case, or "".
func Nearest(word string, known []string) string {
	folded := make([]string, len(known))
	for i, k := range known {
		folded[i] = strings.ToLower(k)
	}
	near := nearest(strings.TrimSpace(word), folded)
	if near == "" {
		return ""
	}
	return known[slices.Index(folded, near)]
}

// DidYouMean ends a message about an unknown word: a question after the known word that was probably meant, or nothing.
func DidYouMean(word string, known []string) string {
	if near := Nearest(word, known); near != "" {
		return fmt.Sprintf("; did you mean %q?", near)
	}
	return ""
}

// nearest finds the known name that name was probably meant to be, or "". A name that shares a whole word with it
// ("aum" for "min_aum") counts when no spelling is near.
func nearest(name string, known []string) string {
	name = strings.ToLower(name)
	most := max(2, len(name)/3) // faults that still count as a slip
	if len(name) <= 3 {
		most = 1
	}
	best, bestDistance := "", most+1
	for _, k := range known {
		if d := distance(name, k); d < bestDistance {
			best, bestDistance = k, d
		}
	}
	if best != "" {
		return best
	}
	for _, k := range known {
		if len(name) > 2 && (strings.Contains(k, name) || strings.Contains(name, k)) {
			return k
		}
	}
	return ""
}

// distance counts insertions, deletions, replacements and swaps of neighbours between a and b, byte by byte.
func distance(a, b string) int {
	var before, previous, current []int
	previous = make([]int, len(b)+1)
	for j := range previous {
		previous[j] = j
	}
	for i := 1; i <= len(a); i++ {
		current = make([]int, len(b)+1)
		current[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			current[j] = min(previous[j]+1, current[j-1]+1, previous[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				current[j] = min(current[j], before[j-2]+1)
			}
		}
		before, previous = previous, current
	}
	return previous[len(b)]
}
