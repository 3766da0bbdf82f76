package load

import "slices"

// lists gathers a few texts for each fund (auditors, Form D numbers) until the document has passed. Most funds have one:
// it takes four bytes a fund, and each text is kept once.
type lists struct {
	ids   map[string]uint32
	texts []string
	first []uint32           // by fund: its first text's id + 1; 0 = none
	more  map[int32][]uint32 // further ones
}

func newLists() *lists { return &lists{ids: map[string]uint32{}, more: map[int32][]uint32{}} }

// add adds a text to a fund, once.
func (l *lists) add(fund int32, text string) {
	id, known := l.ids[text]
	if !known {
		text = string([]byte(text)) // not a part of something larger
		id = uint32(len(l.texts))   // #nosec G115 -- no more than rows, which are counted in 31 bits
		l.ids[text] = id
		l.texts = append(l.texts, text)
	}
	for len(l.first) <= int(fund) {
		l.first = append(l.first, 0)
	}
	switch {
	case l.first[fund] == 0:
		l.first[fund] = id + 1
	case l.first[fund] != id+1 && !slices.Contains(l.more[fund], id):
		l.more[fund] = append(l.more[fund], id)
	}
}

// of returns a fund's texts in the order of their bytes, or nil. The slice is scratch, if that is large enough.
func (l *lists) of(fund int32, scratch []string) []string {
	if int(fund) >= len(l.first) || l.first[fund] == 0 {
		return nil
	}
	out := scratch[:0]
	out = append(out, l.texts[l.first[fund]-1])
	for _, id := range l.more[fund] {
		out = append(out, l.texts[id])
	}
	slices.Sort(out)
	return out
}
