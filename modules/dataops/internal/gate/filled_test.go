package gate_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/dataops/internal/gate"
)

// A column that earlier documents of the series fill and this one does not is as good as lost.
func TestEmptied(t *testing.T) {
	t.Parallel()
	fill := func(rows, filled int64) map[string]gate.Fill {
		return map[string]gate.Fill{"funds": {Rows: rows, Columns: map[string]int64{"gav": filled}}}
	}
	of := func(rows, filled int64) []gate.Counted { return []gate.Counted{{Filled: fill(rows, filled)}} }
	for name, c := range map[string]struct {
		now    map[string]gate.Fill
		before []gate.Counted
		stops  bool
	}{
		"empty":                      {fill(100, 0), of(100, 90), true},
		"as before":                  {fill(100, 88), of(100, 90), false},
		"a quarter":                  {fill(100, 23), of(100, 90), false},
		"less than a quarter":        {fill(100, 22), of(100, 90), true},
		"few rows":                   {fill(21, 0), of(100, 90), false},
		"few rows had a value":       {fill(1000, 0), of(100, 29), false},
		"several documents before":   {fill(100, 0), append(of(100, 90), of(10, 0)...), true},
		"never filled":               {fill(100, 0), of(100, 0), false},
		"the first":                  {fill(100, 0), nil, false},
		"the column is not there":    {map[string]gate.Fill{"funds": {Rows: 100}}, of(100, 90), false}, // Columns finds that
		"the table has no rows":      {fill(0, 0), of(100, 90), false},
		"another table had a column": {map[string]gate.Fill{"owners": {Rows: 100, Columns: map[string]int64{"gav": 0}}}, of(100, 90), false},
	} {
		require.Equal(t, c.stops, len(gate.Emptied(c.now, c.before)) > 0, name)
	}
	require.Equal(t, []gate.Finding{{Check: gate.ColumnLost, Reason: "columns that earlier documents fill have no values: funds.gav (0 of 100 rows; usually 90 %)"}},
		gate.Emptied(fill(100, 0), of(100, 90)))
}
