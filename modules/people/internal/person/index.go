package person

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"
	"unicode/utf8"

	"gpatlas/modules/people/internal/name"
	"gpatlas/platform/plaintext"
)

// index finds people by names that may be misspelled. It is not safe for concurrent changes.
type index struct {
	people []indexed
	at     map[string]int32 // by uid
	words  []word
	spelt  map[string]int32 // place in words
}

// indexed is a person in the index.
type indexed struct {
	uid   string
	words []int32
	firms string // in normal form, each between spaces
	gone  bool   // indexed again since
}

// word is one word of names, with the people who have it.
type word struct {
	letters []rune
	mask    uint64
	formal  string
	people  []int32
}

func newIndex() *index { return &index{at: map[string]int32{}, spelt: map[string]int32{}} }

// add indexes a person, replacing earlier entries of the uid.
func (x *index) add(uid string, names, firms []string) {
	p := indexed{uid: uid}
	for _, filed := range names {
		for w := range strings.FieldsSeq(name.Fold(filed)) {
			if at := x.word(w); !slices.Contains(p.words, at) {
				p.words = append(p.words, at)
			}
		}
	}
	for _, f := range firms {
		p.firms += " " + name.Fold(f) + " "
	}
	if old, ok := x.at[uid]; ok {
		o := &x.people[old]
		if o.firms == p.firms && slices.Equal(o.words, p.words) {
			return
		}
		o.gone = true
	}
	n := int32(len(x.people)) // #nosec G115 -- people of a market
	for _, at := range p.words {
		x.words[at].people = append(x.words[at].people, n)
	}
	x.people, x.at[uid] = append(x.people, p), n
}

func (x *index) word(text string) int32 {
	at, ok := x.spelt[text]
	if !ok {
		at = int32(len(x.words)) // #nosec G115 -- words of names
		x.spelt[text] = at
		x.words = append(x.words, word{letters: []rune(text), mask: maskOf(text), formal: name.Formal(text)})
	}
	return at
}

// maskOf has a bit for each letter that occurs.
func maskOf(text string) (mask uint64) {
	for _, r := range text {
		mask |= 1 << (uint32(r) % 64) // #nosec G115 -- a letter
	}
	return mask
}

// The costs of differences. A typing error in one word costs more than a shortened name.
const (
	costShort   = 2 // BILL for WILLIAM
	costPrefix  = 4
	costInitial = 6
	costTypo    = 10
	costFiled   = 22 // a word of the query for which the name has only its initial: worse than two errors
	costMissing = 25 // a word of the query that the name lacks
	noMatch     = 255
)

// cost of a word of the query against the word w of a name: 0 = the same.
func (w *word) cost(asked []rune, mask uint64, formal string) uint8 {
	if len(asked) == 1 || len(w.letters) == 1 {
		switch {
		case asked[0] != w.letters[0]:
			return noMatch
		case len(asked) == len(w.letters):
			return 0
		case len(w.letters) == 1:
			return costFiled
		}
		return costInitial
	}
	most := typos(min(len(asked), len(w.letters))) // of the shorter: ABREN is not BEN
	if startsWith(w.letters, asked) {
		if len(w.letters) == len(asked) {
			return 0
		}
		return costPrefix
	}
	if formal == w.formal {
		return costShort
	}
	if most == 0 || bits.OnesCount64(mask^w.mask) > 2*most || max(len(asked)-len(w.letters), len(w.letters)-len(asked)) > most {
		return noMatch
	}
	if d := plaintext.Distance(asked, w.letters, most); d <= most {
		return uint8(d) * costTypo // #nosec G115 -- two at most
	}
	return noMatch
}

// typos is how many letters may be wrong in a word.
func typos(letters int) int {
	switch {
	case letters <= 2:
		return 0
	case letters <= 4:
		return 1
	default:
		return 2
	}
}

func startsWith(word, start []rune) bool {
	return len(word) >= len(start) && slices.Equal(word[:len(start)], start)
}

// hit is a person who was found.
type hit struct {
	uid   string
	cost  int
	words int // of the name
}

// wordsMost is how many words of a query count.
const wordsMost = 6

// find returns people whose names have the words of a query, the best first. Of three words or more, one may be missing. At
// least one whole word must match a whole word, so initials alone find no one. company, in normal form, keeps only people at
// firms that have its words.
func (x *index) find(query, company string, most int) []hit {
	asked := strings.Fields(query)
	asked = asked[:min(len(asked), wordsMost)]
	need := len(asked)
	if need > 2 {
		need--
	}
	costs := make([]map[int32]uint8, len(asked)) // by word of the index
	seen, round := make([]uint8, len(x.people)), make([]uint8, len(x.people))
	var candidates []int32
	for i, text := range asked {
		costs[i] = x.costs(text)
		for at := range costs[i] {
			for _, p := range x.words[at].people {
				if turn := uint8(i + 1); round[p] != turn { // #nosec G115 -- few words
					round[p] = turn
					if seen[p]++; int(seen[p]) == need {
						candidates = append(candidates, p)
					}
				}
			}
		}
	}
	wants := strings.Fields(company)
	var hits []hit
	for _, at := range candidates {
		p := &x.people[at]
		if p.gone || !p.worksAt(wants) {
			continue
		}
		if cost, ok := p.cost(asked, costs, need); ok {
			hits = append(hits, hit{p.uid, cost, len(p.words)})
		}
	}
	slices.SortFunc(hits, func(a, b hit) int {
		return cmp.Or(cmp.Compare(a.cost, b.cost), cmp.Compare(a.words, b.words), strings.Compare(a.uid, b.uid))
	})
	return hits[:min(len(hits), most)]
}

// costs returns the costs of the words of names that may be meant.
func (x *index) costs(text string) map[int32]uint8 {
	letters, mask, formal := []rune(text), maskOf(text), name.Formal(text)
	found := map[int32]uint8{}
	for at := range x.words {
		if c := x.words[at].cost(letters, mask, formal); c != noMatch {
			found[int32(at)] = c // #nosec G115 -- words of names
		}
	}
	return found
}

// cost of a person: each word of the query takes another word of the name, the longest first. At least one whole word matches a
// whole word; if a word is missing, no filed initial may replace another.
func (p *indexed) cost(asked []string, costs []map[int32]uint8, need int) (total int, ok bool) {
	order := make([]int, len(asked))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return utf8.RuneCountInString(asked[b]) - utf8.RuneCountInString(asked[a]) })
	var taken [64]bool
	matched, whole, initials := 0, 0, 0
	for _, i := range order {
		best, from := uint8(noMatch), -1
		for k, at := range p.words[:min(len(p.words), len(taken))] {
			if c, found := costs[i][at]; found && !taken[k] && c < best {
				best, from = c, k
			}
		}
		if from < 0 {
			total += costMissing
			continue
		}
		taken[from] = true // #nosec G602 -- from is below len(taken)
		matched++
		total += int(best)
		switch {
		case best == costFiled:
			initials++
		case utf8.RuneCountInString(asked[i]) > 1:
			whole++
		}
	}
	return total, matched >= need && whole > 0 && (initials == 0 || matched == len(asked))
}

// worksAt reports whether one of the person's firms has all words, or words that begin with them.
func (p *indexed) worksAt(words []string) bool {
	for _, w := range words {
		if !strings.Contains(p.firms, " "+w) {
			return false
		}
	}
	return true
}
