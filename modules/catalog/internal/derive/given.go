package derive

import (
	_ "embed"
	"regexp"
	"strings"
	"unicode"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/text"
)

// givenNames are common given names of many countries, normalized and sorted. Names that firms use more often as words of another meaning, such
// as "Grant", "River" or "Madison", are left out.
//
//go:embed given.txt
var givenNames string

var given = text.SetOf(givenNames)

// plain reports whether a name has only Latin letters, digits, blanks and some signs. Others, which may be invisible, may stand between a firm
// and a person.
func plain(name, signs string) bool {
	for _, r := range name {
		latin := (r < 0x250 || 0x1E00 <= r && r <= 0x1EFF) && (unicode.IsUpper(r) || unicode.IsLower(r))
		if !latin && r != ' ' && (r < '0' || r > '9') && !strings.ContainsRune(signs, r) {
			return false
		}
	}
	return true
}

// joined match signs between two names: "First.Last", "First.M.Last", "First's", "First2Last". Those of "L.P." and "O'Name" are none.
var joined = []*regexp.Regexp{regexp.MustCompile(`(\pL{3})['./]+(\pL)`), regexp.MustCompile(`(\pL)[./]+(\pL{3})`), regexp.MustCompile(`(\pL{3})\d+(\pL{3})`)}

// glued matches two names written as one word: "FirstLast".
var glued = regexp.MustCompile(`\b(\p{Lu}\p{Ll}+)(\p{Lu}\p{Ll}+)`)

// prefixes begin surnames that are written so: "MacDonald".
var prefixes = text.SetOf("mc mac fitz de di du la le van von")

// spread separates joined names by blanks, and glued ones if a given name is among them.
func spread(name string) string {
	name = glued.ReplaceAllStringFunc(name, func(word string) string {
		parts := glued.FindStringSubmatch(word)
		first, last := strings.ToLower(parts[1]), strings.ToLower(parts[2])
		if prefixes[first] || !given[first] && !given[last] {
			return word
		}
		return parts[1] + " " + parts[2]
	})
	if strings.ContainsAny(name, ".'/"+digits) {
		for _, signs := range joined {
			name = signs.ReplaceAllString(name, "$1 $2")
		}
	}
	return name
}

// maxOwn is how many words of its own a firm's name has at most. A person's name and a firm's have three together.
const maxOwn = 2

// mayName reports whether a firm's name may have a person's in it, whatever joins the two. A firm's name has at most two words of its own. If
// there are two, no comma separates them, no initial is before one, none is a common given name, and no capacity of a person, such as "trustee", is
// beside them. A single given name has no initial beside it.
// The name of a well-known firm is one word.
func mayName(name string) bool {
	words := text.Words(spread(name))
	first := wellKnownWords(words)
	known := min(first, 1)
	own, names, letters, initial, acts := known, 0, 0, false, false
	for i, word := range words[first:] {
		next := strings.Join(words[first+i+1:min(first+i+2, len(words))], "")
		acts = acts || word != "retirement" && capacities[word] && !trades[next]
		switch {
		case ownOrGiven(word):
			own++
			initial = initial || i > 0 && len(words[first+i-1]) == 1
			if given[strings.Trim(word, digits)] {
				names++
			}
		case len(word) == 1 && word >= "a":
			letters++
		}
	}
	return own > maxOwn || (initial || acts) && own > 1 || names > 0 && own+letters > 1 || own > known && commaInside(name)
}

func ownOrGiven(word string) bool {
	return given[strings.Trim(word, digits)] || ownWord(strings.TrimRight(word, digits))
}

const digits = "0123456789"

// commaInside reports whether a comma separates two words of a firm's own.
func commaInside(name string) bool {
	behind := false
	for part := range strings.SplitSeq(name, ",") {
		words := text.Words(part)
		if len(words) == 0 {
			continue
		}
		if behind && (ownOrGiven(words[0]) || initialOnly(words)) {
			return true
		}
		behind = ownOrGiven(words[len(words)-1])
	}
	return false
}

// initialOnly reports whether words are an initial, perhaps before a legal form: "Last, J. LLC".
func initialOnly(words []string) bool {
	return len(words[0]) == 1 && words[0] >= "a" && (len(words) == 1 || catalogapi.LegalFormOf(words[1]) != catalogapi.NoForm)
}

// wellKnownWords returns how many of the first words are the name of a well-known firm.
func wellKnownWords(words []string) int {
	for n := min(6, len(words)); n > 0; n-- {
		if wellKnown[strings.Join(words[:n], " ")] {
			return n
		}
	}
	return 0
}
