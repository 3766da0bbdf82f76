package column

import (
	"slices"
	"strings"
)

// Strings is a column of strings in one arena: no pointer a row for the collector to follow, and nothing borrowed from
// a driver's buffer. Offsets are full integers, for arenas outgrow 32 bits before machines do.
type Strings struct {
	data string
	ends []int
}

// At is the string of a row.
func (s *Strings) At(i uint32) string {
	start := 0
	if i > 0 {
		start = s.ends[i-1]
	}
	return s.data[start:s.ends[i]]
}

// Bytes is a column of rendered rows in one arena.
type Bytes struct {
	data []byte
	ends []int
}

// sample is of how many rows one is looked at before there is room for all, with as much as 1/sample to spare.
const sample = 32

// NewBytes renders n rows.
func NewBytes(n int, render func(dst []byte, i uint32) []byte) Bytes {
	r := Bytes{ends: make([]int, n)}
	for i := range uint32(n) {
		r.data = render(r.data, i)
		r.ends[i] = len(r.data)
		if int(i) == n/sample { // so many more as long as these
			r.data = slices.Grow(r.data, len(r.data)*sample)
		}
	}
	r.data = tight(r.data)
	return r
}

// At returns the bytes of a row, not to be written to.
func (r *Bytes) At(i uint32) []byte {
	start := 0
	if i > 0 {
		start = r.ends[i-1]
	}
	return r.data[start:r.ends[i]]
}

// StringRows is a growing column of strings.
type StringRows struct{ rows Bytes }

// NewStringRows is an empty column with room for so many rows, each of some length.
func NewStringRows(room, length int) StringRows {
	return StringRows{Bytes{ends: make([]int, 0, room), data: make([]byte, 0, room*length)}}
}

// Add appends a row.
func (a *StringRows) Add(s string) {
	a.rows.data = append(a.rows.data, s...)
	a.rows.ends = append(a.rows.ends, len(a.rows.data))
}

// tight is list without the room that it has for more, unless that is too little to be worth a copy.
func tight[T any](list []T) []T {
	const worth = 16 // the share of what is in use
	if cap(list)-len(list) <= len(list)/worth {
		return list
	}
	return slices.Clone(list)
}

// Arrange is the column in another order; it empties a.
func (a *StringRows) Arrange(order []uint32) Strings {
	ends := make([]int, len(order))
	var data strings.Builder
	data.Grow(len(a.rows.data))
	for i, at := range order {
		_, _ = data.Write(a.rows.At(at))
		ends[i] = data.Len()
	}
	*a = StringRows{}
	return Strings{data: data.String(), ends: ends}
}

// Arrange is a column of anything in another order; the old one may go.
func Arrange[T any](column *[]T, order []uint32) []T {
	out := make([]T, len(order))
	for i, at := range order {
		out[i] = (*column)[at]
	}
	*column = nil
	return out
}
