package column

import "math/bits"

// Runs are consecutive stretches of records, some of which may be empty, and say which of them a set of records
// touches.
type Runs struct {
	ends gatherer // the last record of each
	with gatherer // the stretches that are not empty
}

// NewRuns makes the stretches whose first records are start[0], start[1] and so on, and the last of which ends
// before start's last.
func NewRuns(start []int) Runs {
	n := len(start) - 1
	last, with := NewBits(start[n]), NewBits(n)
	for i := range n {
		if end := start[i+1]; end > start[i] {
			last.Set(uint32(end - 1))
			with.Set(uint32(i))
		}
	}
	return Runs{newGatherer(last), newGatherer(with)}
}

// Touched makes dst the stretches with a record of hits. A stretch ends with a bit of ends; adding all ones below
// that bit to the hits carries into it if there is any hit, and on into the next word where the stretch goes on,
// so one addition settles sixty-four records. What stands at the ends then is gathered, a bit a stretch that is not empty,
// and scattered over all stretches. space has room for a bit a stretch, and one word more.
func (s *Runs) Touched(dst, space, hits Bits) {
	clear(space)
	var carry uint64
	for i, x := range hits {
		w := &s.ends.words[i]
		var sum uint64
		sum, carry = bits.Add64(x&^w.chosen, ^w.chosen, carry)
		if hit := (sum | x) & w.chosen; hit != 0 {
			put(space, w.at, w.gather(hit))
		}
	}
	for i := range dst {
		w := &s.with.words[i]
		dst[i] = w.scatter(read64(space, w.at))
	}
}
