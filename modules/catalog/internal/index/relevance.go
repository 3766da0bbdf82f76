package index

import (
	"gpatlas/modules/catalog/internal/index/column"
	"gpatlas/modules/catalog/internal/text"
)

// textCond is the condition that a record matches the text. The Matches must live as long as the condition.
func textCond(m *text.Matches) column.Cond {
	return column.InSet(column.BitsSet(m.Set(), m.Count()))
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
