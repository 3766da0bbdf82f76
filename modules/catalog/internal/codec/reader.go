package codec

import (
	"errors"
	"math"
	"math/bits"
	"slices"
	"time"
)

// Reader reads what a Writer wrote, in the same order. After a fault it reads zeros. Texts share the memory of all.
type Reader struct {
	all   []byte
	at    int  // what is to be read next
	bad   bool // nothing is left to read, or it is none of ours
	words []string

	// What pointers and lists point to.
	integers  slab[int64]
	fractions slab[float64]
	instants  slab[time.Time]
	texts     slab[string]
}

// slab makes memory for many values at once.
type slab[T any] struct{ all []T }

func (s *slab[T]) take(n int) []T {
	at := len(s.all)
	if s.all == nil || at+n > cap(s.all) {
		s.all, at = make([]T, 0, max(16, n, 2*cap(s.all))), 0
	}
	s.all = s.all[:at+n]
	return s.all[at : at+n : at+n]
}

func (s *slab[T]) put(v T) *T {
	of := s.take(1)
	of[0] = v
	return &of[0]
}

func (s *slab[T]) reset() { s.all = s.all[:0] }

// Open begins to read bytes, in the memory of what was read before.
func (d *Reader) Open(all []byte) {
	d.all, d.at, d.bad = all, 0, false
	d.integers.reset()
	d.fractions.reset()
	d.instants.reset()
	d.texts.reset()
	d.readWords()
}

var errDamaged = errors.New("it is damaged")

// End fails unless all was read, and nothing else.
func (d *Reader) End() error {
	if d.bad || d.Left() > 0 {
		return errDamaged
	}
	return nil
}

// Fail marks what was read as damaged.
func (d *Reader) Fail() { d.bad = true }

// Left is how many bytes are still to be read.
func (d *Reader) Left() int { return len(d.all) - d.at }

// readWords reads the words, which share the memory of one text.
func (d *Reader) readWords() {
	n := d.Count()
	lengths := d.at
	total := 0
	for range n {
		total += d.Count()
	}
	if d.bad || total > d.Left() {
		d.words = d.words[:0]
		d.Skip(d.Left() + 1)
		return
	}
	text := string(d.all[d.at : d.at+total])
	end := d.at + total
	d.at = lengths
	d.words = slices.Grow(d.words[:0], n)[:n]
	for i := range d.words {
		length := d.Number()
		d.words[i], text = text[:length], text[length:]
	}
	d.at = end
}

// Count reads how many there are of something that takes at least a byte each, or how long it is.
func (d *Reader) Count() int {
	n := d.Number()
	if n > uint64(d.Left()) {
		d.Skip(d.Left() + 1)
		return 0
	}
	return int(n)
}

// Skip passes over bytes.
func (d *Reader) Skip(n int) {
	if d.at += n; d.at > len(d.all) {
		d.at, d.bad = len(d.all), true
	}
}

// Number reads a number.
func (d *Reader) Number() (n uint64) {
	for shift := 0; d.at < len(d.all) && shift < 10*7; shift += 7 {
		b := d.all[d.at]
		d.at++
		n |= uint64(b&0x7f) << shift
		if b < 0x80 {
			return n
		}
	}
	d.Skip(d.Left() + 1)
	return 0
}

// Signed reads a number that may be negative.
func (d *Reader) Signed() int64 {
	n := d.Number()
	return int64(n>>1) ^ -int64(n&1)
}

var noWord string

func (d *Reader) wordAt() *string {
	n := d.Number()
	if n >= uint64(len(d.words)) {
		d.bad = true
		return &noWord
	}
	return &d.words[n]
}

// Word reads a text.
func (d *Reader) Word() string { return *d.wordAt() }

// Instant reads a day or an instant.
func (d *Reader) Instant() time.Time {
	n := d.Signed()
	if n&1 != 0 {
		return time.UnixMicro(n >> 1).UTC()
	}
	return time.Unix(n>>1*secondsOfDay, 0).UTC()
}

// Differences reads the fields that are not as in the row before.
func (d *Reader) Differences(fields []any) {
	for set := d.Number(); set != 0; set &= set - 1 {
		i := bits.TrailingZeros64(set)
		if i >= len(fields) {
			d.bad = true
			return
		}
		d.field(fields[i])
	}
}

var yesNo = [...]bool{true, false}

func (d *Reader) field(to any) {
	switch to := to.(type) {
	case *string:
		*to = d.Word()
	case **string:
		if *to = nil; d.Number() != 0 {
			*to = d.wordAt()
		}
	case *bool:
		*to = !*to
	case **bool:
		*to = nil
		if n := d.Number(); n == 1 || n == 2 {
			*to = &yesNo[n-1]
		}
	case *int64:
		*to = d.Signed()
	case **int64:
		if *to = nil; d.Number() != 0 {
			*to = d.integers.put(d.Signed())
		}
	case **float64:
		if *to = nil; d.Number() != 0 {
			*to = d.fractions.put(math.Float64frombits(bits.ReverseBytes64(d.Number())))
		}
	case *time.Time:
		*to = d.Instant()
	case **time.Time:
		if *to = nil; d.Number() != 0 {
			*to = d.instants.put(d.Instant())
		}
	case *[]string:
		if *to = nil; d.Number() != 0 {
			list := d.texts.take(d.Count())
			for i := range list {
				list[i] = d.Word()
			}
			*to = list
		}
	case *map[string]int64:
		if *to = nil; d.Number() != 0 {
			n := d.Count()
			all := make(map[string]int64, n)
			for range n {
				word := d.Word()
				all[word] = d.Signed()
			}
			*to = all
		}
	}
}
