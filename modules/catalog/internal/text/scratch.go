package text

// scratch is the working memory of one query. Only seen is zero between uses: each user clears what it touched, because
// clearing it whole would cost more than most queries. Bitsets keep their old content.
type scratch struct {
	query      []byte
	queryWords []string
	termTexts  []string // the terms of queryWords; see Terms
	isForm     []bool   // of the terms that are looked up, whether each is a legal form that excludes none
	key        []byte
	terms      []term  // those that a record must match
	forms      []term  // legal forms behind them, which decide the order alone
	space      []term  // backs both, so that their memory is used again
	seen       []uint8 // by word
	found      []uint32
	full       []uint32 // records with the query as a full name
	scores     []uint8  // of few records
	sets       [][]uint64
	used       int // so many of sets are taken

	include, better, named [][][]uint64 // of one rank: see walk
	begun                  [][][]uint64 // of the rank Begins
	begunList              []uint32     // the same where they are few
	first                  [][]uint64   // see Matches.begunBy
	both, borne            [][][]uint64 // see walk.show
}

// read looks up the distinct terms of a query that appendReadable has read.
func (d *scratch) read(ix *Index, query string) {
	d.queryWords = d.queryWords[:0]
	for rest := query; rest != ""; {
		var word string
		word, rest, _ = cutWord(rest)
		d.queryWords = append(d.queryWords, word)
	}
	if !ix.strict {
		mendForms(d.queryWords, ix.knows)
	}
	d.key = appendKey(d.key[:0], d.queryWords)
	d.termTexts = appendTerms(d.termTexts[:0], d.queryWords)
	d.lookUp(ix, d.termTexts)
}

// lookUp looks up distinct terms.
func (d *scratch) lookUp(ix *Index, texts []string) {
	d.isForm = markForms(d.isForm, texts)
	if ix.strict {
		clear(d.isForm)
	}
	n := d.lookUpThose(ix, texts, 0, false)
	all := d.lookUpThose(ix, texts, n, true)
	d.terms, d.forms = d.space[:n], d.space[n:all]
}

// lookUpThose looks up the terms that are legal forms, or the others, behind those that were.
func (d *scratch) lookUpThose(ix *Index, texts []string, n int, forms bool) int {
next:
	for at, word := range texts {
		if forms != d.isForm[at] {
			continue
		}
		for i := range n {
			if d.space[i].s == word {
				continue next
			}
		}
		if n == len(d.space) {
			d.space = append(d.space, term{})
		}
		d.space[n].look(ix, word)
		n++
	}
	return n
}

// bitset takes one of the answer's own bitsets, its content undefined.
func (m *Matches) bitset() []uint64 {
	if m.used == len(m.sets) {
		m.sets = append(m.sets, make([]uint64, m.ix.words()))
	}
	m.used++
	return m.sets[m.used-1]
}

// wipe drops all references to the index, so that a scratch in the pool does not keep an old index in memory.
func (d *scratch) wipe() {
	d.forget()
	for _, groups := range [][][][]uint64{d.include, d.better, d.named, d.begun} {
		for i := range groups[:cap(groups)] {
			g := groups[:cap(groups)][i]
			clear(g[:cap(g)])
		}
	}
	clear(d.queryWords)
	clear(d.termTexts)
	d.terms, d.forms, d.used = nil, nil, 0
	clear(d.both[:cap(d.both)])
	clear(d.borne[:cap(d.borne)])
	d.both, d.borne = d.both[:0], d.borne[:0]
	clear(d.first[:cap(d.first)])
	d.begun, d.begunList, d.first = d.begun[:0], d.begunList[:0], d.first[:0]
	d.full = d.full[:0]
}

// forget drops what is known of the terms.
func (d *scratch) forget() {
	for i := range len(d.terms) + len(d.forms) {
		t := &d.space[i]
		t.s = ""
		clear(t.matched)
		t.matched = t.matched[:0]
		for f := range t.sets {
			for c := range t.sets[f] {
				s := &t.sets[f][c]
				clear(s.list)
				*s = sets{list: s.list[:0]}
			}
		}
	}
}
