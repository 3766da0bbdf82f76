// Package password decides which passwords are accepted, and computes and checks their hashes.
package password

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// The minimum and maximum length of a password in characters.
const (
	MinLength = 12
	MaxLength = 128
)

// localMin is the minimum length of a local part that a password must not contain: "jo" is in too many words.
const localMin = 4

// Fault reports why a password is not accepted for an account of an address, or "". It gives no hint how to pass with a small
// change, because that leads to weak passwords.
//
// Spec: not shown; 12 to 128 characters of any kind, no rule about kinds of characters, but neither a common password (also
// with other case, letters written as digits, and digits or signs around it) nor one made of few characters nor one that
// contains the part of the address before the @ (of four letters and more).
func Fault(password, email string) string {
	count := utf8.RuneCountInString(password)
	switch {
	case !utf8.ValidString(password):
		return "must be valid UTF-8"
	case count < MinLength || count > MaxLength:
		return "must have 12 to 128 characters"
	case strings.ContainsFunc(password, unicode.IsControl):
		return "must not contain control characters"
	}
	folded := fold(password)
	local, _, _ := strings.Cut(fold(email), "@")
	if utf8.RuneCountInString(local) >= localMin && strings.Contains(folded, local) {
		return "must not contain your email address"
	}
	if isCommon(folded) || monotonous(folded) {
		return "is too common; attackers try it early"
	}
	return ""
}

// fold normalizes passwords for comparison with common ones.
func fold(text string) string { return strings.ToLower(norm.NFKC.String(text)) }

// monotonous reports whether a password has fewer than five different characters, or repeats one short piece.
func monotonous(folded string) bool {
	seen := map[rune]bool{}
	for _, r := range folded {
		seen[r] = true
	}
	if len(seen) < 5 {
		return true
	}
	runes := []rune(folded)
	for period := 1; period <= 6 && period*2 <= len(runes); period++ {
		again := true
		for i := period; i < len(runes) && again; i++ {
			again = runes[i] == runes[i-period]
		}
		if again {
			return true
		}
	}
	return false
}
