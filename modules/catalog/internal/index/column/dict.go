package column

import "gpatlas/modules/catalog/internal/intern"

// Dict is a column of few distinct strings: a code a row. Codes have 32 bits, for 16 overflowed on real columns.
type Dict struct {
	Words []string // by code
	Codes []uint32 // by row
}

// At is the string of a row.
func (d *Dict) At(i uint32) string { return d.Words[d.Codes[i]] }

// Combined returns for each of n rows the code of its combination of values, which key turns into one number, and a row of
// each combination.
func Combined(n int, key func(i uint32) uint64) (codes, first []uint32) {
	known := map[uint64]uint32{}
	codes = make([]uint32, n)
	for i := range uint32(n) { // #nosec G115 -- a number of a record
		k := key(i)
		code, ok := known[k]
		if !ok {
			code = uint32(len(first)) // #nosec G115 -- not more than records
			known[k] = code
			first = append(first, i)
		}
		codes[i] = code
	}
	return codes, first
}

// DictRows is a growing Dict.
type DictRows struct {
	words intern.Words
	codes []uint32
}

// NewDictRows is an empty column with room for so many rows.
func NewDictRows(room int) DictRows {
	return DictRows{codes: make([]uint32, 0, room)}
}

// Add appends a row.
func (d *DictRows) Add(word string) { d.codes = append(d.codes, intern.Number(&d.words, word)) }

// Dict returns the column so far.
func (d *DictRows) Dict() Dict { return Dict{Words: d.words.List, Codes: d.codes} }

// Arrange returns the column in another order. d is empty after that.
func (d *DictRows) Arrange(order []uint32) Dict {
	return Dict{Words: d.words.List, Codes: Arrange(&d.codes, order)}
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
	words intern.Words
	lists Lists
}

// NewListRows is an empty column with room for so many rows of one string each.
func NewListRows(room int) ListRows {
	return ListRows{lists: Lists{codes: make([]uint32, 0, room), ends: make([]int, 0, room)}}
}

// Add appends a row.
func (r *ListRows) Add(words []string) {
	for _, w := range words {
		r.lists.codes = append(r.lists.codes, intern.Number(&r.words, w))
	}
	r.lists.ends = append(r.lists.ends, len(r.lists.codes))
}

// Arrange is the column in another order.
func (r *ListRows) Arrange(order []uint32) Lists {
	out := Lists{Words: r.words.List, codes: make([]uint32, 0, len(r.lists.codes)), ends: make([]int, len(order))}
	for i, at := range order {
		out.codes = append(out.codes, r.lists.At(at)...)
		out.ends[i] = len(out.codes)
	}
	return out
}
