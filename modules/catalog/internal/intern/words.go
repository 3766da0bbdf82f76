package intern

import "math/bits"

// Words numbers words in the order of first sight. A look-up reads one place in memory, because nearly all words are short enough
// for the table itself. A map of many words reads three places that are in no cache.
type Words struct {
	List  []string // by number
	slots []slot   // a power of two of them; at least half are free
	long  map[string]uint32
}

// slot holds a short word, zero behind its end.
type slot struct {
	head, tail uint64
	number     uint32 // plus one; 0 = free
}

// short is the most bytes of a word in a slot.
const short = 16

// Number returns the number of a word, and adds a new word. No word may have a zero byte.
func Number[T string | []byte](w *Words, word T) uint32 {
	if len(word) > short {
		number, known := w.long[string(word)]
		if !known {
			number = w.learn(string(word))
			if w.long == nil {
				w.long = map[string]uint32{}
			}
			w.long[w.List[number]] = number
		}
		return number
	}
	if 2*len(w.List) >= len(w.slots) {
		w.grow()
	}
	s := slotOf(word)
	at := w.find(&s)
	if at.number == 0 {
		s.number = w.learn(string(word)) + 1
		*at = s
	}
	return at.number - 1
}

func (w *Words) learn(word string) (number uint32) {
	w.List = append(w.List, word)
	return uint32(len(w.List) - 1) // #nosec G115 -- not more than records have words
}

// find is the slot that has the word of s, or the free one that is for it.
func (w *Words) find(s *slot) *slot {
	high, low := bits.Mul64(s.head^0x9e3779b97f4a7c15, s.tail^0xd1b54a32d192ed03)
	last := uint64(len(w.slots) - 1)
	for i := high ^ low; ; i++ {
		if at := &w.slots[i&last]; at.number == 0 || at.head == s.head && at.tail == s.tail {
			return at
		}
	}
}

func (w *Words) grow() {
	old := w.slots
	w.slots = make([]slot, max(32, 2*len(old)))
	for i := range old {
		if old[i].number != 0 {
			*w.find(&old[i]) = old[i]
		}
	}
}

// slotOf reads the bytes of a short word; those in the middle may be read twice.
func slotOf[T string | []byte](word T) (s slot) {
	switch n := len(word); {
	case n >= 8:
		s.head, s.tail = eight(word, 0), eight(word, n-8)>>(8*(short-n))
	case n >= 4:
		s.head = four(word, 0) | four(word, n-4)<<(8*(n-4))
	case n > 0:
		s.head = uint64(word[0]) | uint64(word[n/2])<<(8*(n/2)) | uint64(word[n-1])<<(8*(n-1))
	}
	return s
}

func eight[T string | []byte](s T, at int) uint64 { return four(s, at) | four(s, at+4)<<32 }

func four[T string | []byte](s T, at int) uint64 {
	return uint64(s[at]) | uint64(s[at+1])<<8 | uint64(s[at+2])<<16 | uint64(s[at+3])<<24
}
