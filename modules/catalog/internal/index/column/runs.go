package column

import "math/bits"

// Runs divides records into consecutive runs, which may be empty. Touched finds the runs that a set of records touches.
type Runs struct {
	ends gatherer // the last record of each
	with gatherer // the runs that are not empty
}

// NewRuns makes len(start)-1 runs: run i has the records from start[i] up to but not including start[i+1].
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

// Touched sets dst to the runs with a record in hits. Each run ends with a bit of ends. Adding ones to all bits below it carries into
// that bit if the run has a hit, and into the next word if the run continues there, so one addition decides sixty-four records. The
// bits at the ends are then gathered, one for each run that is not empty, and spread over all runs. space needs one bit for each run,
// and one more word.
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
