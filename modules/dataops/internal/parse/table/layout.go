package table

import (
	"fmt"
	"slices"
	"strings"
)

// Column is one column that a parser wants. Headers are compared without regard to case and blanks ("FilingID",
// "Filing ID", "Organization CRD #"): they drifted over the years.
type Column struct {
	Name     string   // the present header, as messages show it
	Aliases  []string // former headers
	Required bool     // a table without it is not the one expected
	Field    string   // what the catalog calls it, where a table may be silent about it (see Layout.Silent)
}

// Layout has the positions of the wanted columns in a file's rows.
type Layout struct {
	header  []string
	columns []Column
	at      []int // index of each column in the row, or -1
}

// Bind finds the columns in a header. Unknown columns are ignored; a required one that is missing, or a wanted one that
// occurs twice, is an error that names it.
func Bind(header []string, columns []Column) (*Layout, error) {
	places := make(map[string]int, len(header))
	twice := make(map[string]bool)
	for i, name := range header {
		key := Fold(name)
		if _, ok := places[key]; ok {
			twice[key] = true
			continue
		}
		places[key] = i
	}
	l := &Layout{header: header, columns: columns, at: make([]int, len(columns))}
	var missing []string
	for c, column := range columns {
		l.at[c] = -1
		for _, name := range append([]string{column.Name}, column.Aliases...) {
			key := Fold(name)
			i, ok := places[key]
			if !ok {
				continue
			}
			if twice[key] {
				return nil, fmt.Errorf("column %q is in the header twice", name)
			}
			l.at[c] = i
			break
		}
		if l.at[c] < 0 && column.Required {
			missing = append(missing, fmt.Sprintf("%q", column.Name))
		}
	}
	switch len(missing) {
	case 0:
		return l, nil
	case 1:
		return nil, fmt.Errorf("column %s is missing from the header", missing[0])
	default:
		return nil, fmt.Errorf("columns %s are missing from the header", strings.Join(missing, ", "))
	}
}

// Has reports whether the file has the column with this number in the list given to Bind.
func (l *Layout) Has(column int) bool { return l.at[column] >= 0 }

// Silent returns the Fields of the columns that the file lacks.
func (l *Layout) Silent() []string {
	var fields []string
	for i, c := range l.columns {
		if l.at[i] < 0 && c.Field != "" && !slices.Contains(fields, c.Field) {
			fields = append(fields, c.Field)
		}
	}
	return fields
}

// Known maps a folded header to the folded present name of its column, and to nothing if
// no column has it.
func Known(columns []Column) func(header string) string {
	names := make(map[string]string, len(columns))
	for _, c := range columns {
		for _, name := range append([]string{c.Name}, c.Aliases...) {
			names[Fold(name)] = Fold(c.Name)
		}
	}
	return func(header string) string { return names[header] }
}

// Fold makes headers comparable: lower case, without blanks, quotes and a byte order mark.
func Fold(name string) string {
	return strings.ToLower(strings.Join(strings.FieldsFunc(name, func(r rune) bool {
		return r == ' ' || r == '\t' || r == '\r' || r == '\n' || r == '\u00a0' || r == '\ufeff' || r == '"'
	}), ""))
}
