package text

import (
	"strings"
	"unicode/utf8"
)

// A trigram posting is position<<posShift | word; positions from lastPos on share one number.
const (
	posShift = 27
	posMask  = 1<<posShift - 1
	lastPos  = 31
	codes    = 38 // a letter is one of 0-9, a-z, or any other byte
)

// dictionary holds the distinct words of the index in byte order, with a trigram index over them that has the
// position of each trigram in the word.
type dictionary struct {
	text    string
	offset  []uint32 // word i is text[offset[i]:offset[i+1]]
	byFirst [257]uint32
	short   []uint32 // words of two to five bytes without digits
	foreign []uint32 // words with a byte outside ASCII: their letters' positions are not byte positions

	gramStart []uint32 // by trigram code
	grams     []uint32 // per trigram in order of position, then word
}

func newDictionary(words []string, order []uint32, size int) *dictionary {
	d := &dictionary{offset: make([]uint32, 1, len(order)+1)}
	var all strings.Builder
	all.Grow(size)
	for _, old := range order {
		all.WriteString(words[old])
		d.offset = append(d.offset, uint32(all.Len()))
	}
	d.text = all.String()
	for c, next := 0, uint32(0); c <= 256; c++ {
		for int(next) < d.len() && int(d.word(next)[0]) < c {
			next++
		}
		d.byFirst[c] = next
	}
	d.indexGrams()
	return d
}

func (d *dictionary) indexGrams() {
	d.gramStart = make([]uint32, codes*codes*codes+1)
	longest := 0
	for w := range uint32(d.len()) {
		s := d.word(w)
		longest = max(longest, len(s))
		if 2 <= len(s) && len(s) <= fuzzyFrom && !hasDigit(s) {
			d.short = append(d.short, w)
		}
		if !ascii(s) {
			d.foreign = append(d.foreign, w)
		}
		for p := 0; p+3 <= len(s); p++ {
			d.gramStart[gram(s, p)+1]++
		}
	}
	for i := 1; i < len(d.gramStart); i++ {
		d.gramStart[i] += d.gramStart[i-1]
	}
	d.grams = make([]uint32, d.gramStart[len(d.gramStart)-1])
	next := append([]uint32(nil), d.gramStart...)
	for p := range min(lastPos, longest) {
		for w := range uint32(d.len()) {
			if s := d.word(w); p+3 <= len(s) {
				g := gram(s, p)
				d.grams[next[g]] = uint32(p)<<posShift | w
				next[g]++
			}
		}
	}
	for w := range uint32(d.len()) {
		s := d.word(w)
		for p := lastPos; p+3 <= len(s); p++ {
			g := gram(s, p)
			d.grams[next[g]] = lastPos<<posShift | w
			next[g]++
		}
	}
}

func (d *dictionary) len() int { return len(d.offset) - 1 }

func (d *dictionary) word(w uint32) string { return d.text[d.offset[w]:d.offset[w+1]] }

// prefixed is the range of words that begin with a prefix that is not empty.
func (d *dictionary) prefixed(prefix string) (lo, hi uint32) {
	lo, hi = d.byFirst[prefix[0]], d.byFirst[int(prefix[0])+1]
	if len(prefix) == 1 {
		return lo, hi
	}
	end := hi
	for lo < hi {
		if mid := lo + (hi-lo)/2; d.word(mid) < prefix {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	// Ranges are short as a rule: gallop to the end rather than halve the rest.
	at := lo
	step := uint32(1)
	for at < end && strings.HasPrefix(d.word(at), prefix) {
		lo2 := at + 1
		at = min(at+step, end)
		step *= 2
		hi = lo2
	}
	for hi < at {
		if mid := hi + (at-hi)/2; strings.HasPrefix(d.word(mid), prefix) {
			hi = mid + 1
		} else {
			at = mid
		}
	}
	return lo, hi
}

// find returns the number of a word.
func (d *dictionary) find(word string) (w uint32, ok bool) {
	lo, hi := d.prefixed(word)
	return lo, lo < hi && len(d.word(lo)) == len(word)
}

// at is the words that have trigram g at a position (or, for lastPos, there or later), as postings.
func (d *dictionary) at(g, pos int) []uint32 {
	list := d.from(g, pos)
	return list[:lower(list, uint64(min(pos, lastPos)+1)<<posShift)]
}

// from is the words that have trigram g at a position or later, as postings.
func (d *dictionary) from(g, pos int) []uint32 {
	list := d.grams[d.gramStart[g]:d.gramStart[g+1]]
	return list[lower(list, uint64(min(pos, lastPos))<<posShift):]
}

// lower is the number of entries below a key in a sorted list.
func lower(list []uint32, key uint64) int {
	lo, hi := 0, len(list)
	for lo < hi {
		if mid := int(uint(lo+hi) >> 1); uint64(list[mid]) < key {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

func gram(s string, p int) int {
	return (int(code[s[p]])*codes+int(code[s[p+1]]))*codes + int(code[s[p+2]])
}

var code = func() (c [256]uint8) {
	for i := range c {
		switch {
		case '0' <= i && i <= '9':
			c[i] = uint8(i - '0')
		case 'a' <= i && i <= 'z':
			c[i] = uint8(i-'a') + 10
		default:
			c[i] = codes - 1
		}
	}
	return c
}()

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
