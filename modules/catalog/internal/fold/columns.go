package fold

import (
	"reflect"
	"strings"
	"sync"
)

// Column is a column of a table with the way to the field that holds it.
type Column struct {
	Name string
	Path []int
}

var columnsByType sync.Map // reflect.Type → []Column

// ColumnsOf are the columns that a structure's tags name.
func ColumnsOf(t reflect.Type) []Column {
	if known, ok := columnsByType.Load(t); ok {
		return known.([]Column) //nolint:forcetypeassert // nothing else is stored
	}
	var out []Column
	for _, f := range reflect.VisibleFields(t) {
		if name, ok := strings.CutPrefix(f.Tag.Get("gorm"), "column:"); ok {
			name, _, _ = strings.Cut(name, ";")
			out = append(out, Column{name, f.Index})
		}
	}
	columnsByType.Store(t, out)
	return out
}
