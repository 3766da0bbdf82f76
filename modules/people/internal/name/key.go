package name

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Key is a name reduced to what filings write consistently: letters without accents, in upper case, nothing else. Two people
// may have the same key.
type Key struct {
	Last   string
	First  string // the first of the given names
	Middle string // the others, between single spaces; initials among them
	Suffix string
}

// Key of the name.
func (n Name) Key() Key {
	given := strings.Fields(Fold(n.First + " " + n.Middle))
	k := Key{Last: strings.ReplaceAll(Fold(n.Last), " ", ""), Suffix: strings.TrimRight(strings.ToUpper(n.Suffix), ".")}
	if len(given) > 0 {
		k.First, k.Middle = given[0], strings.Join(given[1:], " ")
	}
	return k
}

// String is the key as text, the same for the same key only.
func (k Key) String() string { return k.Last + "|" + k.First + "|" + k.Middle + "|" + k.Suffix }

// SameGiven reports whether two first names may be one person's: they are equal, or one is a common short form or the initial
// of the other.
func SameGiven(a, b string) bool {
	if a == b || Formal(a) == Formal(b) {
		return true
	}
	return initialOf(a, b) || initialOf(b, a)
}

// Agree reports whether the keys may be one person's within one firm: the same last name, first names that may be one person's,
// and no contradicting middle name or suffix.
func (k Key) Agree(o Key) bool {
	return k.Last == o.Last && SameGiven(k.First, o.First) && (k.Suffix == "" || o.Suffix == "" || k.Suffix == o.Suffix) && middlesAgree(k.Middle, o.Middle)
}

// middlesAgree compares middle names word by word, as far as both have them.
func middlesAgree(a, b string) bool {
	left, right := strings.Fields(a), strings.Fields(b)
	for i := range min(len(left), len(right)) {
		if left[i] != right[i] && !initialOf(left[i], right[i]) && !initialOf(right[i], left[i]) {
			return false
		}
	}
	return true
}

// initialOf reports whether a is one letter, with which b begins.
func initialOf(a, b string) bool {
	return a != "" && utf8.RuneCountInString(a) == 1 && strings.HasPrefix(b, a)
}

// Fold returns the letters of a text in upper case without accents, with apostrophes dropped and everything else as single
// spaces.
func Fold(s string) string {
	if ascii(s) {
		return foldASCII(s)
	}
	var b strings.Builder
	b.Grow(len(s))
	for _, r := range norm.NFD.String(s) {
		if plain, ok := ligatures[r]; ok {
			b.WriteString(plain)
			continue
		}
		switch {
		case unicode.Is(unicode.Mn, r), r == '\'', r == '’', r == '`', r == '´', r == '.':
		case unicode.IsLetter(r), unicode.IsDigit(r):
			b.WriteRune(unicode.ToUpper(r))
		default:
			b.WriteByte(' ')
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// foldASCII is Fold for most names, which have letters of the alphabet only.
func foldASCII(s string) string {
	b := make([]byte, 0, len(s))
	for i := range len(s) {
		switch c := s[i]; {
		case c >= 'a' && c <= 'z':
			b = append(b, c-'a'+'A')
		case c >= 'A' && c <= 'Z', c >= '0' && c <= '9':
			b = append(b, c)
		case c == '\'' || c == '`' || c == '.':
		case len(b) > 0 && b[len(b)-1] != ' ':
			b = append(b, ' ')
		}
	}
	return strings.TrimRight(string(b), " ")
}

// ligatures are letters that do not decompose into a letter and an accent.
var ligatures = map[rune]string{
	'ø': "O", 'Ø': "O", 'ł': "L", 'Ł': "L", 'ß': "SS", 'ẞ': "SS", 'æ': "AE", 'Æ': "AE", 'œ': "OE", 'Œ': "OE", 'đ': "D", 'Đ': "D", 'ð': "D", 'Ð': "D",
	'þ': "TH", 'Þ': "TH", 'ı': "I",
}

// Formal is the usual long form of a first name in upper case: WILLIAM of BILL. A name without one is its own.
func Formal(first string) string {
	if long, ok := shortForms[first]; ok {
		return long
	}
	return first
}

// shortForms is short on purpose: a wrong pair joins two people.
var shortForms = map[string]string{
	"BILL": "WILLIAM", "WILL": "WILLIAM", "BOB": "ROBERT", "ROB": "ROBERT", "JIM": "JAMES", "MIKE": "MICHAEL", "TOM": "THOMAS", "DAVE": "DAVID",
	"STEVE": "STEVEN", "STEPHEN": "STEVEN", "JEFF": "JEFFREY", "JEFFERY": "JEFFREY", "GREG": "GREGORY", "MATT": "MATTHEW", "ANDY": "ANDREW", "DREW": "ANDREW", "TONY": "ANTHONY",
	"CHUCK": "CHARLES", "DICK": "RICHARD", "RICK": "RICHARD", "RICH": "RICHARD", "KEN": "KENNETH", "JOE": "JOSEPH", "TED": "EDWARD", "ED": "EDWARD", "DON": "DONALD", "RON": "RONALD",
	"TIM": "TIMOTHY", "BEN": "BENJAMIN", "NICK": "NICHOLAS", "KATE": "KATHERINE", "KATHY": "KATHERINE", "LIZ": "ELIZABETH", "BETH": "ELIZABETH", "SUE": "SUSAN", "DEB": "DEBORAH",
	"PAM": "PAMELA", "JEN": "JENNIFER", "PETE": "PETER", "PHIL": "PHILIP", "PHILLIP": "PHILIP", "DAN": "DANIEL", "LARRY": "LAWRENCE", "LAURENCE": "LAWRENCE", "FRED": "FREDERICK",
}
