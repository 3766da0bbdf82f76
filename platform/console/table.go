package console

import "fmt"

// Table is a list of an operation as a panel shows it.
type Table struct {
	Columns []Column
	Rows    [][]Cell
	Empty   string   // what is shown instead of no rows
	Notes   []string // sentences below the rows
}

// Cell is one value of a Table.
type Cell struct {
	Text, Link string
	Number     bool
	Heat       int // shade of a cell of a heat map, 1 to 4; 0 is none
	Buttons    []Button
}

// Shown is a column of a Table, and how its value is read from a row.
type Shown struct {
	Text   string
	Number bool
	Value  func(row map[string]any) Cell

	// Of a List. Name is what the parameter cols calls the column; "" is always shown. More columns are shown only where cols names them.
	Name string
	More bool
	Sort string // see Column
}

// In returns the column under a name of the parameter cols, sorted by a value of the parameter sort; "" if it cannot be.
func (s Shown) In(name, sort string) Shown {
	s.Name, s.Sort = name, sort
	return s
}

// Extra returns the column as one of More.
func (s Shown) Extra(name, sort string) Shown {
	s.More = true
	return s.In(name, sort)
}

// Value shows a member of the row.
func Value(text, member string, write func(v any) string) Shown {
	return Shown{Text: text, Value: func(row map[string]any) Cell { return Cell{Text: write(row[member])} }}
}

// Figure shows a number of the row.
func Figure(text, member string, write func(v any) string) Shown {
	s := Value(text, member, write)
	s.Number = true
	return s
}

// table is the rows alone.
func table(a *Answer, empty string, columns []Shown) *Table {
	t := &Table{Empty: empty}
	for _, c := range columns {
		t.Columns = append(t.Columns, Column{Text: c.Text, Number: c.Number, Sort: c.Sort})
	}
	for _, each := range a.Rows() {
		row, _ := each.(map[string]any)
		cells := make([]Cell, len(columns))
		for i, c := range columns {
			cells[i] = c.Value(row)
			cells[i].Number = c.Number
		}
		t.Rows = append(t.Rows, cells)
	}
	return t
}

// NewTable reads a list from an operation's response. It notes what the operation says about the list: how many rows there are beside
// those shown, how many are withheld, and the filing that the list rests on.
func NewTable(a *Answer, empty string, columns ...Shown) *Table {
	t := table(a, empty, columns)
	if more := Whole(a.Meta["total"]) - int64(len(t.Rows)); more > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("%s more are in the JSON of this list.", Count(more)))
	}
	if n := Whole(a.Meta["withheld"]); n > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("%s not shown, because the name may be that of a person.", Count(n)))
	}
	basis, _ := a.Meta["basis"].(map[string]any)
	if basis["stated"] == false {
		t.Empty = "No filing that was loaded states this."
	}
	if basis["filing_date"] != nil {
		t.Notes = append(t.Notes, fmt.Sprintf("According to the filing of %s (%s).", Day(basis["filing_date"]), Plain(basis["accession_number"])))
	}
	return t
}
