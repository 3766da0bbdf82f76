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
	size  func(i int) int64 // the value of the number filter bySize, descending

	isWord     []wordGroups      // by filter
	numbers    []*column.Numbers // by filter: of those that have parameters; none for bySize
	answers    [][3]*column.Set  // by filter, then by Tri
	isStrategy column.Groups[string]
	orders     [ByRelevance + 1]directions // by Order
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
	words         []string
	numbers       []Range
	answers       []Tri
	strategies    []string
	order         Order
	desc          bool
	limit, offset int
}

// Result is one page of a search: how many records there are in all, and the page's numbers.
type Result struct {
	Total int
	IDs   []uint32
}

// newSearchable is an index of n records, with room for its filters.
func newSearchable(n, words, numbers, answers int) searchable {
	return searchable{
		n: n, isWord: make([]wordGroups, words), numbers: make([]*column.Numbers, numbers), answers: make([][3]*column.Set, answers),
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
		case row.Min != "" || row.Max != "":
			ix.numbers[id] = column.NewNumbers(values(id))
		}
	}
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
	for id, asked := range q.words {
		if asked != "" {
			conds = append(conds, column.InSet(ix.isWord[id].Get(ix.isWord[id].as.Key(asked))))
		}
	}
	if len(q.strategies) > 0 {
		conds = append(conds, column.InSet(ix.isStrategy.Any(ix.n, q.strategies)))
	}
	conds = appendAnswers(conds, q.answers, ix.answers)
	for id := range q.numbers {
		switch r := &q.numbers[id]; {
		case r.Open():
		case id == bySize:
			conds = append(conds, column.InDescending(ix.known, *r, ix.size))
		default:
			conds = append(conds, column.InRange(ix.numbers[id], *r))
		}
	}
	if q.text != "" {
		conds = append(conds, column.InSet(column.BitsSet(m.Set(), m.Count())))
	}
	return conds
}

// page takes the page of q from r, the answer to conds. Without text the largest are the most relevant.
func (ix *searchable) page(q *search, r *column.Result, m *text.Matches, conds []column.Cond, sc *scratch) Result {
	if q.order == ByRelevance && m != nil {
		return Result{r.N, relevant(r, m, q.limit, q.offset, sc)}
	}
	order := ix.orders[q.order].asc
	if q.desc {
		order = ix.orders[q.order].desc
	}
	return Result{r.N, r.Page(order, conds, q.limit, q.offset, &sc.Scratch)}
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
