package column

// Dict is a column of few distinct strings: a code a row. Codes have 32 bits, for 16 overflowed on real columns.
type Dict struct {
	Words []string // by code
	Codes []uint32 // by row
}

// At is the string of a row.
func (d *Dict) At(i uint32) string { return d.Words[d.Codes[i]] }

// coder gives distinct words codes, in the order in which they come.
type coder struct {
	words []string
	known map[string]uint32
}

func (c *coder) code(word string) uint32 {
	code, known := c.known[word]
	if !known {
		code = uint32(len(c.words)) // #nosec G115 -- not more than records
		c.known[word] = code
		c.words = append(c.words, word)
	}
	return code
}

// DictRows is a growing Dict.
type DictRows struct {
	coder
	codes []uint32
}

// NewDictRows is an empty column with room for so many rows.
func NewDictRows(room int) DictRows {
	return DictRows{coder{known: map[string]uint32{}}, make([]uint32, 0, room)}
}

// Add appends a row.
func (d *DictRows) Add(word string) { d.codes = append(d.codes, d.code(word)) }

// Dict is the column as it stands.
func (d *DictRows) Dict() Dict { return Dict{Words: d.words, Codes: d.codes} }

// Arrange is the column in another order; it takes the rows away from d.
func (d *DictRows) Arrange(order []uint32) Dict {
	return Dict{Words: d.words, Codes: Arrange(&d.codes, order)}
}

// Lists is a column of lists of few distinct strings.
type Lists struct {
	Words []string // by code
	codes []uint32
	ends  []int
}

// At lists the codes of a row.
func (l *Lists) At(i uint32) []uint32 {
	start := 0
	if i > 0 {
		start = l.ends[i-1]
	}
	return l.codes[start:l.ends[i]]
}

// ListRows is a growing Lists.
type ListRows struct {
	coder
	lists Lists
}

// NewListRows is an empty column.
func NewListRows() ListRows { return ListRows{coder: coder{known: map[string]uint32{}}} }

// Add appends a row.
func (r *ListRows) Add(words []string) {
	for _, w := range words {
		r.lists.codes = append(r.lists.codes, r.code(w))
	}
	r.lists.ends = append(r.lists.ends, len(r.lists.codes))
}

// Arrange is the column in another order.
func (r *ListRows) Arrange(order []uint32) Lists {
	out := Lists{Words: r.words, codes: make([]uint32, 0, len(r.lists.codes)), ends: make([]int, len(order))}
	for i, at := range order {
		out.codes = append(out.codes, r.lists.At(at)...)
		out.ends[i] = len(out.codes)
	}
	return out
}
