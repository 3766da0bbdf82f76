package text

import (
	"slices"
	"strings"
	"sync"

	"gpatlas/modules/catalog/internal/intern"
)

// The marks of a word in a record's row of words.
const (
	nameStart = 1 << 31 // the first word of a name
	made      = 1 << 30 // another spelling of words in the name: see NameWords
	begins    = 1 << 29 // a name begins with it
	marks     = nameStart | made | begins
)

// Builder collects records for an Index. It is used by one goroutine.
type Builder struct {
	words intern.Words
	rows  []uint32 // the records' words, one record after another: names, then location
	row   []span   // by record
	apart []uint32 // the words of Locations
	full  []uint64 // hash of a name's key << 32 | record
	buf   []byte
	cut   []string   // words of the current text
	cutID []uint32   // their numbers
	also  []bool     // of each, whether it and the next are also written as one
	read  []NameWord // the same with what they are found by
}

// span is where one record's words are in rows: names from..nameEnd, location nameEnd..to.
type span struct{ from, nameEnd, to uint32 }

// Location is a location that many records have in common. The zero value is none.
type Location struct{ from, to uint32 }

// NewBuilder makes a builder for records numbered 0 to records-1.
func NewBuilder(records int) *Builder {
	return &Builder{
		rows: make([]uint32, 0, 12*records),
		row:  make([]span, records),
		full: make([]uint64, 0, records),
	}
}

// Add adds a record with its names and its location, which may be in parts. Each record is added at most once, in any order. A
// record that is never added matches nothing.
func (b *Builder) Add(record uint32, names []string, location ...string) {
	from := b.addNames(record, names)
	nameEnd := uint32(len(b.rows))
	for _, part := range location {
		b.rows = b.appendWords(b.rows, part)
	}
	b.row[record] = span{from, nameEnd, uint32(len(b.rows))}
}

// Location reads a location once for all records that AddAt adds with it.
func (b *Builder) Location(parts ...string) Location {
	from := uint32(len(b.apart))
	for _, part := range parts {
		b.apart = b.appendWords(b.apart, part)
	}
	return Location{from, uint32(len(b.apart))}
}

// AddAt is Add with a location that has been read.
func (b *Builder) AddAt(record uint32, names []string, at Location) {
	from := b.addNames(record, names)
	nameEnd := uint32(len(b.rows))
	b.rows = append(b.rows, b.apart[at.from:at.to]...)
	b.row[record] = span{from, nameEnd, uint32(len(b.rows))}
}

func (b *Builder) addNames(record uint32, names []string) (from uint32) {
	from = uint32(len(b.rows))
	for i, n := range names {
		if n == "" || slices.Contains(names[:i], n) {
			continue
		}
		start := len(b.rows)
		b.rows = b.appendWords(b.rows, n)
		if len(b.rows) > start {
			b.rows[start] |= nameStart
			b.buf = appendKey(b.buf[:0], b.cut)
			b.full = append(b.full, uint64(hash(b.buf))<<32|uint64(record))
		}
	}
	return from
}

// appendWords appends what a text is found by to rows, and leaves its words in cut.
func (b *Builder) appendWords(rows []uint32, s string) []uint32 {
	b.buf = appendReadable(b.buf[:0], s)
	b.cut, b.cutID, b.also = b.cut[:0], b.cutID[:0], b.also[:0]
	for rest := b.buf; len(rest) > 0; {
		var word []byte
		var joined bool
		word, rest, joined = cutWord(rest)
		id := intern.Number(&b.words, word)
		b.cut, b.cutID, b.also = append(b.cut, b.words.List[id]), append(b.cutID, id), append(b.also, joined)
	}
	b.read = appendMade(b.read[:0], b.cut, b.also)
	for i, w := range b.read {
		var id uint32
		if i < len(b.cutID) { // the text's own words come first
			id = b.cutID[i]
		} else {
			id = intern.Number(&b.words, w.Word)
		}
		if w.Begins {
			id |= begins
		}
		if w.Made {
			id |= made
		}
		rows = append(rows, id)
	}
	return rows
}

// Build makes the index; the builder is spent.
func (b *Builder) Build() *Index {
	words := b.words.List
	order := make([]uint32, len(words)) // order[new] = old
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(x, y uint32) int { return strings.Compare(words[x], words[y]) })
	renamed := make([]uint32, len(order))
	size := 0
	for i, old := range order {
		renamed[old] = uint32(i)
		size += len(words[old])
	}
	for i, w := range b.rows {
		b.rows[i] = renamed[w&^marks] | w&marks
	}
	slices.Sort(b.full)
	dict := newDictionary(words, order, size)
	b.words, b.apart = intern.Words{}, nil

	ix := &Index{
		records: len(b.row),
		dict:    dict,
		rows:    slices.Clone(b.rows), // without the room that it grew for more
		row:     b.row,
		full:    slices.Clone(slices.Compact(b.full)),
		pool:    new(sync.Pool),
	}
	b.rows, b.full = nil, nil
	ix.names = newPostings(ix, 0, func(s span) []uint32 { return ix.rows[s.from:s.nameEnd] })
	ix.all = newPostings(ix, 0, func(s span) []uint32 { return ix.rows[s.from:s.to] })
	ix.begun = newPostings(ix, begins, func(s span) []uint32 { return ix.rows[s.from:s.nameEnd] })
	return ix
}

// hash is 32-bit FNV-1a; equal keys are verified word by word afterwards.
func hash(s []byte) uint32 {
	h := uint32(2166136261)
	for _, c := range s {
		h = (h ^ uint32(c)) * 16777619
	}
	return h
}
