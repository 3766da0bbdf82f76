package httpapi

import (
	"fmt"
	"slices"
	"strings"

	"gpatlas/platform/plaintext"
)

// Nearest is the known word that a caller's word was probably meant to be, ignoring case, or "".
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

// DidYouMean ends a message about an unknown word: a question with the known word that was probably meant, or nothing.
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
	most := max(2, len(name)/3) // differences that still count as a typing error
	if len(name) <= 3 {
		most = 1
	}
	if best := plaintext.Nearest(name, known, most); best != "" {
		return best
	}
	for _, k := range known {
		if len(name) > 2 && (strings.Contains(k, name) || strings.Contains(name, k)) {
			return k
		}
	}
	return ""
}
