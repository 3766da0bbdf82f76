package text

import "gpatlas/modules/catalog/internal/index/column"

// postings say which records have a word in one of their fields. A frequent word's records are a dense bitset, all
// others' ascending numbers; those of neighboring words lie side by side, so that a prefix is one stretch of memory.
//
// Both pay. With 250,000 funds, bitsets for all words would take as many times 30 KB as there are words, gigabytes; with
// lists alone the 99th percentile of completions was 113 µs instead of 60, of mixed searches 409 instead of 56, and the medians
// a quarter higher. (At 2,000 funds there is no difference.) Answers are worked out with bitsets alone: to look at the
// records of the rarest term one by one where they were few was no faster at any size; a completion took 10.3 µs in the
// median instead of 5.1, at ten times as many funds 70 instead of 27.
type postings struct {
	count  []uint32 // count[w+1]-count[w] records have word w, dense or not
	start  []uint32 // list[start[w]:start[w+1]]; empty for dense words
	list   []uint32
	dense  []uint32 // the dense words, ascending
	bits   [][]uint64
	prefix map[uint64][]uint64 // lo<<32|hi → the union of a heavy range, for short prefixes
}

// denseShare: a word in at least one of so many records has a bitset. At that share the bitset takes four times the memory of a list, but
// a small part of the time.
const denseShare = 128

// denseLeast is the number of records up to which a word has no bitset.
const denseLeast = 64

// unitedFrom is the number of postings from which on a prefix may have its union kept.
const unitedFrom = 1024

// newPostings collects the words of each record, only those with a mark unless that is 0.
func newPostings(ix *Index, mark uint32, words func(span) []uint32) *postings {
	n := ix.dict.len()
	p := &postings{count: make([]uint32, n+1), start: make([]uint32, n+1), prefix: map[uint64][]uint64{}}
	each := func(visit func(w, record uint32)) {
		seen := make([]uint32, n) // last record of the word, plus one
		for r := range ix.row {
			for _, w := range words(ix.row[r]) {
				if w&mark != mark {
					continue
				}
				w &^= marks
				if record := uint32(r); seen[w] != record+1 {
					seen[w] = record + 1
					visit(w, record)
				}
			}
		}
	}
	each(func(w, _ uint32) { p.count[w+1]++ })
	number := make([]int32, n) // -1 - number of a dense word, else ≥ 0
	total := uint32(0)
	for w := range n {
		df := p.count[w+1]
		if df > denseLeast && int(df) >= ix.records/denseShare {
			p.dense = append(p.dense, uint32(w))
			p.bits = append(p.bits, make([]uint64, ix.words()))
			number[w] = -int32(len(p.dense))
		} else {
			total += df
		}
		p.start[w+1] = total
		p.count[w+1] += p.count[w]
	}
	p.list = make([]uint32, total)
	next := append([]uint32(nil), p.start...)
	each(func(w, record uint32) {
		if k := number[w]; k < 0 {
			p.bits[-k-1][record>>6] |= 1 << (record & 63)
			return
		}
		p.list[next[w]] = record
		next[w]++
	})
	heavy := max(unitedFrom, ix.records/64)
	if mark != 0 {
		heavy = unitedFrom // these are asked for at every keystroke
	}
	p.cachePrefixes(ix, heavy)
	return p
}

// cachePrefixes unites beforehand what short prefixes of many words would have to unite at every keystroke.
func (p *postings) cachePrefixes(ix *Index, heavy int) {
	for length := 1; length <= 4; length++ {
		for lo := uint32(0); int(lo) < ix.dict.len(); {
			word := ix.dict.word(lo)
			hi := lo + 1
			if len(word) >= length {
				lo, hi = ix.dict.prefixed(word[:length])
				key := uint64(lo)<<32 | uint64(hi)
				if hi-lo > 1 && p.size(lo, hi) > heavy && p.prefix[key] == nil {
					p.prefix[key] = p.united(lo, hi, ix.words())
				}
			}
			lo = hi
		}
	}
}

func (p *postings) united(lo, hi uint32, words int) []uint64 {
	set := make([]uint64, words)
	for _, d := range p.denseIn(lo, hi) {
		column.Bits(set).Or(d)
	}
	addAll(set, p.sparse(lo, hi))
	return set
}

// size is the number of postings of the words lo..hi.
func (p *postings) size(lo, hi uint32) int { return int(p.count[hi] - p.count[lo]) }

// sparse is the records of the words lo..hi that are not dense, each word's ascending.
func (p *postings) sparse(lo, hi uint32) []uint32 { return p.list[p.start[lo]:p.start[hi]] }

// denseIn is the bitsets of the dense words of lo..hi.
func (p *postings) denseIn(lo, hi uint32) [][]uint64 {
	a := lower(p.dense, uint64(lo))
	b := a
	for b < len(p.dense) && p.dense[b] < hi {
		b++
	}
	return p.bits[a:b]
}

func addAll(set []uint64, list []uint32) {
	for _, r := range list {
		set[r>>6] |= 1 << (r & 63)
	}
}
