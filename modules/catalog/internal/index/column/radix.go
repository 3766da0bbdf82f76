package column

import (
	"cmp"
	"slices"
	"sync"
	"weak"
)

// sortKey is a record with the number that it is sorted by.
type sortKey struct {
	value uint64
	item  uint32
	rank  uint32 // free for the caller
}

// sortSpace is room for keys. What was last given stays until the next collection: an index is sorted by many columns one
// after another, whose keys would otherwise be a sixth of all memory that it is built with.
type sortSpace []sortKey

var spareSpace struct {
	sync.Mutex
	last weak.Pointer[sortSpace]
}

func takeSpace(n int) sortSpace {
	spareSpace.Lock()
	defer spareSpace.Unlock()
	if last := spareSpace.last.Value(); last != nil && cap(*last) >= n {
		spareSpace.last = weak.Pointer[sortSpace]{}
		return (*last)[:n]
	}
	return make(sortSpace, n)
}

func (s sortSpace) give() {
	spareSpace.Lock()
	defer spareSpace.Unlock()
	spareSpace.last = weak.Make(&s)
}

// radixFrom is the number of keys from which on sorting byte by byte is faster than by comparison.
const radixFrom = 512

// sortKeys sorts by value, byte by byte from the lowest, and skips bytes that are equal in all keys. So the number of steps per
// key does not grow with the number of keys. Equal keys keep their order. spare has room for as many keys; the result is in
// keys or in spare.
func sortKeys(keys, spare []sortKey) []sortKey {
	if len(keys) < radixFrom {
		slices.SortStableFunc(keys, func(a, b sortKey) int { return cmp.Compare(a.value, b.value) })
		return keys
	}
	spare = spare[:len(keys)]
	var counts [8][256]uint32
	for i := range keys {
		v := keys[i].value
		for at := range counts {
			counts[at][byte(v>>(8*at))]++
		}
	}
	for at := range counts {
		count, shift := &counts[at], 8*at
		if int(count[byte(keys[0].value>>shift)]) == len(keys) {
			continue
		}
		next := uint32(0)
		for b, n := range count {
			count[b] = next
			next += n
		}
		for i := range keys {
			to := &count[byte(keys[i].value>>shift)]
			spare[*to] = keys[i]
			*to++
		}
		keys, spare = spare, keys
	}
	return keys
}
