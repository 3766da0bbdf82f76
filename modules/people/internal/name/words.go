package name

import (
	"slices"
	"strings"
)

// Words are those of a name in the order of the alphabet, so that it does not matter which of them are filed as the last name.
type Words struct {
	Full     string // of two letters and more, between single spaces
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

// Agree says whether two names have the same words. A single word says too little, and an initial that only one of them has says nothing.
func (w Words) Agree(o Words) bool {
	return w.Full == o.Full && strings.Contains(w.Full, " ") && (w.Initials == o.Initials || w.Initials == "" || o.Initials == "")
}
