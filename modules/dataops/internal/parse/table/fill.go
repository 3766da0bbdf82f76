package table

import (
	"bytes"

	"gpatlas/modules/dataops/internal/gate"
)

// Fill counts, while rows are read, how many of them have a value in each wanted column.
type Fill struct {
	layout *Layout
	rows   int64
	filled []int64 // by wanted column
}

// CountInto makes the row count its cells in f each time it is set.
func (r *Row) CountInto(f *Fill) {
	if f.filled == nil {
		f.filled = make([]int64, len(r.layout.columns))
	}
	f.layout, r.fill = r.layout, f
}

func (f *Fill) row(cells [][]byte) {
	f.rows++
	for column, i := range f.layout.at {
		if i >= 0 && i < len(cells) && len(bytes.TrimSpace(cells[i])) > 0 {
			f.filled[column]++
		}
	}
}

// AddTo adds what was counted to a table's count. A column that the file lacks is left out.
func (f *Fill) AddTo(g gate.Fill) gate.Fill {
	if f.layout == nil {
		return g
	}
	if g.Columns == nil {
		g.Columns = make(map[string]int64, len(f.filled))
	}
	g.Rows += f.rows
	for column, n := range f.filled {
		if f.layout.Has(column) {
			g.Columns[Fold(f.layout.columns[column].Name)] += n
		}
	}
	return g
}
