package name

import (
	"slices"
	"strings"

	"gpatlas/modules/catalog/catalogapi"
)

// IsEntity reports whether a filed person's name is that of a firm or trust.
func IsEntity(filed string) bool { return catalogapi.IsFirm(strings.Fields(Fold(filed))) }

// Words are the words of a name in alphabetical order, so that it does not matter which of them are filed as the last name.
type Words struct {
	Full     string // words of two letters and more, between single spaces
	Initials string
}

// Words of the name, without its suffix.
func (n Name) Words() Words {
	var full, initials []string
	for word := range strings.FieldsSeq(Fold(n.First + " " + n.Middle + " " + n.Last)) {
		if len(word) > 1 {
			full = append(full, word)
		} else {
			initials = append(initials, word)
		}
	}
	slices.Sort(full)
	slices.Sort(initials)
	return Words{strings.Join(full, " "), strings.Join(initials, "")}
}

// Agree reports whether two names have the same words. A single word is not enough, and an initial that only one of them has is
// ignored.
func (w Words) Agree(o Words) bool {
	return w.Full == o.Full && strings.Contains(w.Full, " ") && (w.Initials == o.Initials || w.Initials == "" || o.Initials == "")
}
