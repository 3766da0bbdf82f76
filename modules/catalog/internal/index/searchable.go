package index

import (
	"gpatlas/modules/catalog/internal/index/column"
	"gpatlas/modules/catalog/internal/text"
)

// searchable is what the indexes of advisers and of funds have in common. The records are numbered by their size, the assets: 0 has the most, the
// unknown come last, ties by the key (CRD or id).
type searchable struct {
	n     int
	text  *text.Index
	known int               // records of known size: numbers 0…known-1
	size  func(i int) int64 // the value of the number filter bySize, descending; nil: numbers has it, and the records have another order

	isWord     []wordGroups      // by filter
	numbers    []*column.Numbers // by filter: of those that have parameters; none for bySize
	answers    [][3]*column.Set  // by filter, then by Tri
	isStrategy column.Groups[string]
	orders     [ByRelevance + 1]directions      // by Order
	coded      []*column.Coded                  // by filter: of those that are Coded
	picks      [orderCount]func(i uint32) int64 // by Order: the numbers of keys without presorted orders
	ids        identifiers
	tie        []int64 // by record: the key that decides between equal ones
}

// bySize is the number by which records are numbered.
const bySize = 0

// wordGroups files records under a word, compared as its filter does.
type wordGroups struct {
	column.Groups[string]
	as *comparison
}

// directions are the two of a sort key. The zero value is the numbering itself.
type directions struct{ asc, desc *column.Order }

// search is what a query asks of the records themselves.
type search struct {
	text          string
	words         []Asked
	numbers       []Range
	answers       []Tri
	strategies    Asked
	holders       []uint32 // records that have the text as an identifier: they match too, and come first
	sent          []uint32 // records in the order in which they were asked for, for BySent
	order         Order
	desc          bool
	limit, offset int
}

// Result is one page of a search: how many records there are in all, the page's numbers, and the facets asked for by name.
type Result struct {
	Total      int
	IDs        []uint32
	Facets     []Facet
	Identified *Identified // the identifier that the text is; nil for most texts
	Growth     GrowthCount
}

// newSearchable is an index of n records, with room for its filters.
func newSearchable(n, words, numbers, answers int) searchable {
	return searchable{
		n: n, isWord: make([]wordGroups, words), numbers: make([]*column.Numbers, numbers), coded: make([]*column.Coded, numbers), answers: make([][3]*column.Set, answers),
	}
}

// sortRecords makes the orders and the columns of numbers.
func sortRecords[R any](ix *searchable, filters []numberFilter[R], values func(id int) []int64, name func(i uint32) string, tie []uint32) {
	to := &ix.orders[ByName]
	to.asc, to.desc = column.SortNames(ix.n, name, text.AppendNormal, tie)
	for id := range filters {
		row := &filters[id]
		switch to := &ix.orders[row.Order]; {
		case id == bySize:
			to.asc = column.Turned(values(id), ix.known)
		case row.Order != 0:
			to.asc, to.desc, ix.numbers[id] = column.SortNumbers(values(id), tie)
		case row.Coded:
			c := column.NewCoded(values(id))
			ix.coded[id] = c
			ix.pick(row.Pick, c.At)
		case row.Min != "" || row.Max != "":
			c := column.NewNumbers(values(id))
			ix.numbers[id] = c
			ix.pick(row.Pick, func(i uint32) int64 { return c.Values[i] })
		}
	}
}

func (ix *searchable) pick(by Order, value func(i uint32) int64) {
	if by != 0 {
		ix.picks[by] = value
	}
}

// conds appends what is asked of a word.
func (g wordGroups) conds(asked *Asked, n int, conds []column.Cond) []column.Cond {
	if len(asked.Any) > 0 {
		conds = append(conds, column.InSet(g.any(asked.Any, n)))
	}
	if len(asked.None) > 0 {
		conds = append(conds, column.NotInSet(g.any(asked.None, n), n))
	}
	return conds
}

func (g wordGroups) any(words []string, n int) *column.Set {
	if len(words) == 1 {
		return g.Get(g.as.Key(words[0]))
	}
	keys := make([]string, len(words))
	for i, w := range words {
		keys[i] = g.as.Key(w)
	}
	return g.Any(n, keys)
}

// match is what the text of a query matches; nil where it asks for none.
func (ix *searchable) match(q *search) *text.Matches {
	if q.text == "" {
		return nil
	}
	return ix.text.Match(q.text)
}

// conds appends what q asks, compiled. The Matches, those of its text, must live as long.
func (ix *searchable) conds(q *search, m *text.Matches, conds []column.Cond) []column.Cond {
	for id := range q.words {
		conds = ix.isWord[id].conds(&q.words[id], ix.n, conds)
	}
	conds = wordGroups{ix.isStrategy, exactly}.conds(&q.strategies, ix.n, conds)
	conds = appendAnswers(conds, q.answers, ix.answers)
	for id := range q.numbers {
		switch r := &q.numbers[id]; {
		case r.Open():
		case id == bySize && ix.size != nil:
			conds = append(conds, column.InDescending(ix.known, *r, ix.size))
		case ix.coded[id] != nil:
			conds = append(conds, column.Scan(ix.coded[id], *r))
		default:
			conds = append(conds, column.InRange(ix.numbers[id], *r))
		}
	}
	if q.text != "" {
		matches := column.BitsSet(m.Set(), m.Count())
		if len(q.holders) > 0 {
			matches = withHolders(m, q.holders, ix.n)
		}
		conds = append(conds, column.InSet(matches))
	}
	return conds
}

// page takes the page of q from r, the answer to conds. Without text the largest are the most relevant.
func (ix *searchable) page(q *search, r *column.Result, m *text.Matches, conds []column.Cond, sc *scratch) Result {
	if q.order == ByRelevance && len(q.holders) > 0 {
		return Result{Total: r.N, IDs: holdersFirst(r, m, q.holders, q.limit, q.offset, sc.facet[:len(sc.A)], sc)}
	}
	if q.order == ByRelevance && m != nil {
		return Result{Total: r.N, IDs: relevant(r, m, q.limit, q.offset, sc)}
	}
	if q.order == BySent {
		return Result{Total: r.N, IDs: sent(r, q)}
	}
	if pick := ix.picks[q.order]; pick != nil {
		return Result{Total: r.N, IDs: r.PageBy(&column.By{Value: pick, Tie: ix.tie, Desc: q.desc}, q.limit, q.offset)}
	}
	order := ix.orders[q.order].asc
	if q.desc {
		order = ix.orders[q.order].desc
	}
	return Result{Total: r.N, IDs: r.Page(order, conds, q.limit, q.offset, &sc.Scratch)}
}

// relevant takes the page of r, whose records all match the text, in order of relevance: by rank, in each the lower
// numbers first.
func relevant(r *column.Result, m *text.Matches, limit, offset int, s *scratch) []uint32 {
	if limit <= 0 || offset >= r.N {
		return nil
	}
	limit = min(limit, r.N-offset)
	s.hits = m.Best(s.hits[:0], text.Relevance, text.Only{Bits: r.Bits, List: r.List, N: r.N, Within: true}, offset, limit)
	out := make([]uint32, len(s.hits))
	for i, h := range s.hits {
		out[i] = h.Record
	}
	return out
}

// sent takes the page of r in the order in which the query lists the records.
func sent(r *column.Result, q *search) []uint32 {
	var out []uint32
	skip := q.offset
	for _, i := range q.sent {
		switch {
		case len(out) >= q.limit:
			return out
		case !r.Has(i):
		case skip > 0:
			skip--
		default:
			out = append(out, i)
		}
	}
	return out
}
