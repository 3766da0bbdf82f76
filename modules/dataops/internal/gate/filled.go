package gate

import (
	"fmt"
	"maps"
	"slices"
)

// Fill is how many rows of a table have a value in each column, by the column's folded name.
type Fill struct {
	Rows    int64
	Columns map[string]int64
}

// The limits of emptied columns. Values of one filing come together, so a column that few rows fill proves little.
const (
	filledShare = 0.3 // of the rows of earlier documents must have a value,
	filledMin   = 20  // so that as many rows of this one should have one,
	filledOneIn = 4   // and fewer than one in so many of these do
)

// Emptied looks for columns that are there but have hardly any values, although earlier documents of the series have them. They are
// as good as lost.
func Emptied(now map[string]Fill, series []Counted) []Finding {
	var emptied []string
	for _, table := range slices.Sorted(maps.Keys(now)) {
		rows, filled := int64(0), make(map[string]int64)
		for _, d := range series {
			rows += d.Filled[table].Rows
			for name, n := range d.Filled[table].Columns {
				filled[name] += n
			}
		}
		if rows == 0 {
			continue
		}
		f := now[table]
		for _, name := range slices.Sorted(maps.Keys(f.Columns)) {
			share := float64(filled[name]) / float64(rows)
			usual := share * float64(f.Rows)
			if share >= filledShare && usual >= filledMin && filledOneIn*float64(f.Columns[name]) < usual {
				emptied = append(emptied, fmt.Sprintf("%s (%d of %d rows; usually %.0f %%)", column(table, name), f.Columns[name], f.Rows, 100*share))
			}
		}
	}
	if len(emptied) == 0 {
		return nil
	}
	return []Finding{{Check: ColumnLost, Reason: "columns that earlier documents fill have no values: " + list(emptied)}}
}
