// Package title maps the title or status that a filing states to a role of the contract and its seniority. Titles are free
// text, several in one line: "DIRECTOR, CHAIRMAN, PRESIDENT AND CHIEF EXECUTIVE OFFICER".
package title

import (
	"slices"
	"strings"
)

// Role is a role of the contract.
type Role string

// The roles, the most senior first.
const (
	Partner   Role = "partner"   // founders, partners, managing members, chief executives, presidents
	MD        Role = "md"        // managing and executive directors, other chiefs, general counsels, heads of departments
	VP        Role = "vp"        // principals, vice presidents, directors
	Associate Role = "associate" // associates, analysts
	Other     Role = "other"     // all others: members, shareholders, limited partners, registrations
)

// Roles lists them, the most senior first.
func Roles() []Role { return []Role{Partner, MD, VP, Associate, Other} }

// Rank is the role's place in Roles; an unknown role has the rank of Other.
func (r Role) Rank() int {
	if at := slices.Index(Roles(), r); at >= 0 {
		return at
	}
	return len(Roles()) - 1
}

// Level is how senior the role is: senior, mid, junior or staff.
func (r Role) Level() string {
	switch r {
	case Partner, MD:
		return "senior"
	case VP:
		return "mid"
	case Associate:
		return "junior"
	default:
		return "staff"
	}
}

// Read returns the role of a title; of several titles in one line, the most senior.
func Read(filed string) Role {
	best := Other
	for _, part := range parts(filed) {
		if r := roleOf(part); r.Rank() < best.Rank() {
			best = r
		}
	}
	return best
}

// parts are the single titles of a line, each as words in upper case between single spaces, with one at both ends.
func parts(filed string) []string {
	var list []string
	var b strings.Builder
	end := func() {
		if b.Len() > 1 {
			list = append(list, b.String())
		}
		b.Reset()
		b.WriteByte(' ')
	}
	end()
	for word := range strings.FieldsSeq(Spaced(filed)) {
		if word == "," || word == "AND" {
			end()
			continue
		}
		if full, ok := abbreviations[word]; ok {
			word = full
		}
		b.WriteString(word)
		b.WriteByte(' ')
	}
	end()
	return unite(list)
}

// Spaced separates words, in upper case, with marks between titles as commas. "V.P." becomes "VP", "CO-FOUNDER" two words.
func Spaced(filed string) string {
	var b strings.Builder
	b.Grow(len(filed) + 8)
	for _, r := range strings.ToUpper(filed) {
		switch r {
		case ',', '/', '&', ';', '|', '+', '(', ')', '[', ']', ':', '\\', '•', '\n':
			b.WriteString(" , ")
		case '.', '\'', '’', '"':
		case '-', '–', '—', '_', '\t':
			b.WriteByte(' ')
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// unite rejoins titles such as "GENERAL AND LIMITED PARTNER" that were split at the "AND".
func unite(list []string) []string {
	for i := 1; i < len(list); i++ {
		if list[i-1] == " GENERAL " && strings.HasPrefix(list[i], " LIMITED PARTNER ") {
			list[i-1] = " GENERAL PARTNER "
		}
	}
	return list
}

// roleOf is the role of one title: that of the first rule of the table whose words it has.
func roleOf(part string) Role {
	part = ofWhat(part)
	for _, r := range rules {
		if r.in(part) {
			return r.role
		}
	}
	return Other
}

// ofWhat cuts off what follows "OF" and is no title: "PRESIDENT OF THE GENERAL PARTNER" becomes "PRESIDENT". "HEAD OF" is kept
// as such, and a member of the board of directors is a director.
func ofWhat(part string) string {
	if strings.Contains(part, " BOARD OF DIRECTORS ") && strings.Contains(part, " MEMBER ") {
		return " DIRECTOR "
	}
	at := -1
	for _, word := range []string{" OF ", " FOR ", " TO "} {
		if i := strings.Index(part, word); i >= 0 && (at < 0 || i < at) {
			at = i
		}
	}
	switch {
	case at < 0:
		return part
	case strings.HasSuffix(part[:at], " HEAD") || strings.HasSuffix(part[:at], " CHIEF"):
		return part // "HEAD OF …", "CHIEF OF STAFF"
	default:
		return part[:at+1]
	}
}
