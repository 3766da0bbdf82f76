package index

import "gpatlas/modules/catalog/internal/text"

// textCond is the condition that a record matches the text. The Matches must live as long as the condition.
func textCond(m *text.Matches) cond {
	if list, ok := m.Sparse(); ok {
		return setCond(&set{n: len(list), list: list})
	}
	return setCond(&set{n: m.Count(), bits: m.Set()})
}

// relevant takes the page of r, whose records all match the text, in order of relevance: by rank, in each the lower
// numbers first.
func (r *result) relevant(m *text.Matches, limit, offset int, s *scratch) []uint32 {
	if limit <= 0 || offset >= r.n {
		return nil
	}
	limit = min(limit, r.n-offset)
	s.hits = m.Best(s.hits[:0], text.Relevance, text.Only{Bits: r.bits, List: r.list, N: r.n, Within: true}, offset, limit)
	out := make([]uint32, len(s.hits))
	for i, h := range s.hits {
		out[i] = h.Record
	}
	return out
}
