package user

import (
	"strings"
)

// The longest address, and the longest part before its @ (RFC 5321, 4.5.3.1), in bytes.
const (
	EmailMax = 254
	localMax = 64
)

// EmailRule is EmailFault's text for invalid addresses.
const EmailRule = "must be an email address such as ada@larkspur.example"

// EmailFault reports why a text is not a valid email address, or "".
//
// Spec: not shown; addresses are of the plain ASCII form local@domain, the domain being a name with a dot. Quoted local parts,
// addresses of numbers ([192.0.2.1]) and names beyond ASCII are rejected: people do not use the first two, and the last allows
// addresses that look like others (the xn-- form is accepted).
func EmailFault(text string) string {
	at := strings.LastIndexByte(text, '@')
	switch {
	case len(text) > EmailMax:
		return "must have at most 254 characters"
	case at < 1 || at > localMax || !dotted(text[:at], isAtom) || !isDomain(text[at+1:]):
		return EmailRule
	}
	return ""
}

// Domain is the part of an address after the @, normalized for comparison.
func Domain(email string) string {
	key := Key(email)
	return key[strings.LastIndexByte(key, '@')+1:]
}

func isDomain(text string) bool {
	labels := strings.Split(text, ".")
	if len(labels) < 2 || len(text) > 253 {
		return false
	}
	for _, l := range labels {
		if l == "" || len(l) > 63 || l[0] == '-' || l[len(l)-1] == '-' || !each(l, isHostByte) {
			return false
		}
	}
	top := labels[len(labels)-1]
	return len(top) >= 2 && !each(top, isDigit)
}

// dotted reports whether text consists of non-empty parts between dots.
func dotted(text string, allowed func(byte) bool) bool {
	for part := range strings.SplitSeq(text, ".") {
		if part == "" || !each(part, allowed) {
			return false
		}
	}
	return true
}

func each(text string, allowed func(byte) bool) bool {
	for i := range len(text) {
		if !allowed(text[i]) {
			return false
		}
	}
	return true
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isAlnum(c byte) bool { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'z' }

func isHostByte(c byte) bool { return isAlnum(c) || c == '-' }

func isAtom(c byte) bool { return isAlnum(c) || strings.IndexByte("!#$%&'*+-/=?^_`{|}~", c) >= 0 }
