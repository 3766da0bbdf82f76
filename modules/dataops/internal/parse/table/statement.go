package table

import (
	"reflect"
	"slices"
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/parse/value"
)

// Fields are the columns of a table that state a field of a filing.
type Fields []stated

type stated struct {
	column int
	path   []int
	read   string // the tag of catalogapi.Statement
}

// FieldsOf finds the fields of T that columns name. Fields that are maps are for the parser to fill.
func FieldsOf[T any](columns []Column) (fields Fields) {
	t := reflect.TypeFor[T]()
	known := catalogapi.ColumnsOf(t)
	for i, column := range columns {
		if column.Field == "" {
			continue
		}
		at := slices.IndexFunc(known, func(c catalogapi.Column) bool { return c.Name == column.Field })
		if at < 0 {
			panic(column.Name + ": " + t.String() + " has no field " + column.Field)
		}
		if c := known[at]; t.FieldByIndex(c.Path).Type.Kind() != reflect.Map {
			fields = append(fields, stated{i, c.Path, c.Tag.Get("read")})
		}
	}
	slices.SortFunc(fields, func(a, b stated) int { return slices.Compare(a.path, b.path) }) // the first fault is shown
	return fields
}

// Fill sets the fields of the filing that to points to from a row.
func (fields Fields) Fill(to any, row *Row) {
	v := reflect.ValueOf(to).Elem()
	for _, f := range fields {
		switch field := v.FieldByIndex(f.path).Addr().Interface().(type) {
		case *string:
			*field = row.Required(f.column)
		case **string:
			*field = row.stated(f.column, f.read)
		case **bool:
			*field = row.Flag(f.column)
		case **int64:
			if f.read == "money" {
				*field = row.Money(f.column)
			} else {
				*field = row.Count(f.column)
			}
		case **time.Time:
			if t := row.Date(f.column); !t.IsZero() {
				*field = &t
			}
		default:
			panic("no cell is a " + reflect.TypeOf(field).Elem().String())
		}
	}
}

func (r *Row) stated(column int, read string) *string {
	switch read {
	case "word":
		return r.intern.Shared(r.Cell(column), r.Charset)
	case "version":
		return catalogapi.Text(value.FormVersion(r.Word(column)))
	case "lei":
		return catalogapi.Text(value.LEI(r.Cell(column)))
	}
	return catalogapi.Text(r.Text(column))
}

// RepairPostal restores the leading zeros that spreadsheets drop from a postal code.
func RepairPostal(s *catalogapi.Statement) {
	if s.PostalCode != nil && s.Country != nil {
		if code := value.Postal(*s.PostalCode, *s.Country); code != *s.PostalCode {
			s.PostalCode = &code
		}
	}
}

// Place is the number of the column of that name.
func Place(columns []Column, name string) int {
	at := slices.IndexFunc(columns, func(c Column) bool { return c.Name == name })
	if at < 0 {
		panic("no column " + name)
	}
	return at
}
