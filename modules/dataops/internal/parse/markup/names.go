package markup

// name is the name of an element or attribute.
type name struct {
	whole string // with its prefix
	local string // without
}

// names keeps the names of a text, so that each is made a string once.
type names struct {
	all    map[string]name
	recent [512]name // of all, those met last, where they are found faster
}

// What is kept of names: real texts have some 300, none longer than 40 bytes.
const (
	namesMax     = 4096
	nameBytesMax = 64
)

// intern gives a name as a string, the same one every time. It is not blank.
func (n *names) intern(text []byte) name {
	at := &n.recent[place(text)]
	if at.whole == string(text) {
		return *at
	}
	found, known := n.all[string(text)]
	if !known {
		whole := string(text)
		found = name{whole, local(whole)}
		if len(text) > nameBytesMax || len(n.all) >= namesMax {
			return found
		}
		n.all[whole] = found
	}
	*at = found
	return found
}

// place says where in recent a name stands. Names differ at their ends: Q5DF1, Q5DF3.
func place(text []byte) uint32 {
	h := uint32(len(text))
	for _, x := range text[max(0, len(text)-8):] {
		h = h*31 + uint32(x)
	}
	return (h ^ h>>9) % uint32(len(names{}.recent))
}
