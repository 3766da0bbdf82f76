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

// sample is of how many rows one is looked at before there is room for all.
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
	r.data = slices.Clone(r.data) // without the room that it grew for more
	return r
}

// At gives the bytes of a row, not to be written to.
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
func (a *StringRows) Add(s string) { a.add(append(a.rows.data, s...)) }

// add takes data with a row appended to it.
func (a *StringRows) add(data []byte) {
	a.rows.data, a.rows.ends = data, append(a.rows.ends, len(data))
}

// strings is the column in the order in which the rows came; it empties a.
func (a *StringRows) strings() Strings {
	s := Strings{data: string(a.rows.data), ends: a.rows.ends}
	*a = StringRows{}
	return s
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
