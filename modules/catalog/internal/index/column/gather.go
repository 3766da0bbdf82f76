package column

import "math/bits"

// gatherer moves the bits at chosen positions of a bitset together, all 64 of a word at once. Some processors have an instruction
// for this; it uses the steps of Hacker's Delight 7-4, with masks that are computed once.
type gatherer struct {
	words []gatherWord
}

// gatherWord is for one word of the bitset.
type gatherWord struct {
	chosen uint64
	steps  [6]uint64 // step k moves the bits under its mask down by 1<<k
	at     uint32    // how many positions are chosen in the words before
}

func newGatherer(chosen Bits) gatherer {
	g := gatherer{words: make([]gatherWord, len(chosen))}
	at := 0
	for i, m := range chosen {
		w := &g.words[i]
		w.chosen, w.at = m, uint32(at) // #nosec G115 -- below the number of records
		at += bits.OnesCount64(m)
		rest := ^m << 1
		for k := range w.steps {
			odd := rest ^ rest<<1 // by how many positions, modulo 2
			for s := uint(2); s < 64; s *= 2 {
				odd ^= odd << s
			}
			w.steps[k] = odd & m
			m = m ^ w.steps[k] | w.steps[k]>>(uint(1)<<k)
			rest &^= odd
		}
	}
	return g
}

// gather moves the chosen bits of x, which has none elsewhere, to its lower end.
func (w *gatherWord) gather(x uint64) uint64 {
	t := x & w.steps[0]
	x = x ^ t | t>>1
	t = x & w.steps[1]
	x = x ^ t | t>>2
	t = x & w.steps[2]
	x = x ^ t | t>>4
	t = x & w.steps[3]
	x = x ^ t | t>>8
	t = x & w.steps[4]
	x = x ^ t | t>>16
	t = x & w.steps[5]
	return x ^ t | t>>32
}

// scatter moves the bits at the lower end of x to the chosen positions.
func (w *gatherWord) scatter(x uint64) uint64 {
	for k := 5; k >= 0; k-- {
		x = x&^w.steps[k] | x<<(uint(1)<<k)&w.steps[k]
	}
	return x & w.chosen
}

// put writes the lower bits of x at a position of dst that has none yet.
func put(dst Bits, at uint32, x uint64) {
	i, shift := at>>6, at&63
	dst[i] |= x << shift
	if over := x >> (64 - shift); over != 0 {
		dst[i+1] |= over
	}
}

// read64 returns 64 bits of src from a position on; bits beyond its end are zero.
func read64(src Bits, at uint32) uint64 {
	i, shift := at>>6, at&63
	var x uint64
	if int(i) < len(src) {
		x = src[i] >> shift
	}
	if int(i)+1 < len(src) {
		x |= src[i+1] << (64 - shift)
	}
	return x
}
