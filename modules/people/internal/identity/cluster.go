package identity

import (
	"cmp"
	"slices"

	"gpatlas/modules/people/internal/name"
)

// mention is one spelling of a name with one number, or none, in the filings of one adviser.
type mention struct {
	key    name.Key
	number string
	first  int          // event of the first sighting
	in     map[int]bool // events that name it; including rows that other spellings share
	words  []name.Words // words of each spelling; the key has those of the last name without spaces
}

// cluster is the set of mentions taken for one person at one adviser.
type cluster struct {
	number   string
	mentions []*mention
}

// agrees reports whether a mention may be the person: it agrees with all spellings of the last name that the cluster has, or
// has the words of one in another order, and no filing names both side by side. Other last names of the person, joined by the
// number, are ignored.
func (c *cluster) agrees(m *mention) bool {
	fits := false
	for _, o := range c.mentions {
		if o.key == m.key {
			fits = true
			continue
		}
		switch {
		case o.key.Agree(m.key), o.reordered(m):
			fits = true
		case o.key.Last == m.key.Last:
			return false
		}
		for event := range m.in {
			if o.in[event] {
				return false // one filing spells one person's name in one way
			}
		}
	}
	return fits
}

// reordered reports whether two mentions have the same words and no contradicting suffix: GARCIA LOPEZ, MARIA and MARIA GARCIA
// LOPEZ.
func (m *mention) reordered(o *mention) bool {
	if m.key.Suffix != o.key.Suffix && m.key.Suffix != "" && o.key.Suffix != "" {
		return false
	}
	return slices.ContainsFunc(m.words, func(w name.Words) bool { return slices.ContainsFunc(o.words, w.Agree) })
}

// clusters distinguishes the people of one adviser. The result depends on the set of mentions, not on their order.
func clusters(all []*mention) []*cluster {
	slices.SortFunc(all, func(a, b *mention) int {
		return cmp.Or(cmp.Compare(a.first, b.first), cmp.Compare(a.key.String(), b.key.String()), cmp.Compare(a.number, b.number))
	})
	list := numbered(all)
	var rest []*mention
	for _, m := range all {
		if m.number == "" {
			rest = append(rest, m)
		}
	}
	// The most specific spelling first, so that "A" comes after "ADA".
	slices.SortFunc(rest, func(a, b *mention) int {
		return cmp.Or(
			cmp.Compare(len(b.key.Middle), len(a.key.Middle)), cmp.Compare(len(b.key.Suffix), len(a.key.Suffix)),
			cmp.Compare(len(b.key.First), len(a.key.First)), cmp.Compare(a.key.String(), b.key.String()),
		)
	})
	found := map[string][]*cluster{} // by last name, and by the words of the name in any order
	note := func(c *cluster, m *mention) {
		for _, by := range m.places() {
			if l := found[by]; !slices.Contains(l, c) {
				found[by] = append(l, c)
			}
		}
	}
	for _, c := range list {
		for _, m := range c.mentions {
			note(c, m)
		}
	}
	for i := 0; i < len(rest); {
		same := 1
		for i+same < len(rest) && rest[i+same].key == rest[i].key {
			same++
		}
		var near []*cluster
		for _, by := range rest[i].places() {
			for _, c := range found[by] {
				if !slices.Contains(near, c) {
					near = append(near, c)
				}
			}
		}
		c := fit(near, rest[i])
		if c == nil {
			c = &cluster{}
			list = append(list, c)
		}
		c.mentions = append(c.mentions, rest[i:i+same]...)
		note(c, rest[i])
		i += same
	}
	return list
}

// places are the keys under which a mention is looked up.
func (m *mention) places() []string {
	list := []string{m.key.Last}
	for _, w := range m.words {
		list = append(list, "words "+w.Full)
	}
	return list
}

// fit returns the only cluster that a mention may belong to; of several, the only one with exactly this name. Nil if there is
// none or the choice is ambiguous.
func fit(people []*cluster, m *mention) *cluster {
	var fits, exact []*cluster
	for _, c := range people {
		if !c.agrees(m) {
			continue
		}
		fits = append(fits, c)
		if slices.ContainsFunc(c.mentions, func(o *mention) bool { return o.key == m.key }) {
			exact = append(exact, c)
		}
	}
	switch {
	case len(fits) == 1:
		return fits[0]
	case len(exact) == 1:
		return exact[0]
	}
	return nil
}

// numbered returns the people with a number of their own. A number that appears beside unrelated names belongs to the person
// with the first of these names, and is ignored for the others.
func numbered(all []*mention) (list []*cluster) {
	byNumber := map[string]*cluster{}
	for _, m := range all { // by first sighting
		if m.number == "" {
			continue
		}
		c := byNumber[m.number]
		switch {
		case c == nil:
			c = &cluster{number: m.number, mentions: []*mention{m}}
			byNumber[m.number], list = c, append(list, c)
		case samePerson(c.mentions[0], m):
			c.mentions = append(c.mentions, m)
		default:
			m.number = ""
		}
	}
	return list
}

// samePerson reports whether two names under one number may be one person's: the last or the first name is the same, or the words are in
// another order.
func samePerson(a, b *mention) bool {
	return a.key.Last == b.key.Last || name.SameGiven(a.key.First, b.key.First) || a.reordered(b)
}

// sighting is the mention under which the person was first seen.
func (c *cluster) sighting() *mention {
	return slices.MinFunc(c.mentions, func(a, b *mention) int {
		return cmp.Or(cmp.Compare(a.first, b.first), cmp.Compare(a.key.String(), b.key.String()))
	})
}
