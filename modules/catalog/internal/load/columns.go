package load

import (
	"bytes"
	"reflect"
	"strconv"
	"strings"
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/scan"
)

// columns writes the fields of documents' rows that are columns. A field's tag valid names the values that are stored: the others are null,
// because they are no reason to lose the row.
type columns[T any] struct {
	*scan.Row[T]

	valid []func(field any) bool // nil: all values are
}

func columnsOf[T any](names ...string) *columns[T] {
	c := &columns[T]{Row: scan.NewRow[T](names...)}
	for _, column := range c.Columns {
		c.valid = append(c.valid, validity(column.Tag.Get("valid")))
	}
	return c
}

// append appends the columns of the value.
func (c *columns[T]) append(r *rowBuffer) {
	for i, field := range c.Fields {
		if valid := c.valid[i]; valid != nil && !valid(field) {
			r.null()
			continue
		}
		r.stated(field)
	}
}

// validity reads a tag valid: a form of a key, or the least and the greatest number or year.
func validity(tag string) func(field any) bool {
	text := func(valid func(s string) bool) func(field any) bool {
		return func(field any) bool { return valid(*field.(*string)) } //nolint:forcetypeassert // tests load each column
	}
	switch tag {
	case "":
		return nil
	case "crd":
		return text(catalogapi.IsCRD)
	case "fund_id":
		return text(catalogapi.IsFundID)
	case "number":
		return text(func(s string) bool { return catalogapi.IsNumber(s, 18) })
	}
	from, to, _ := strings.Cut(tag, "-")
	least, err := strconv.Atoi(from)
	most, failed := strconv.Atoi(to)
	if err != nil || failed != nil {
		panic("no values are valid by the tag " + tag)
	}
	return func(field any) bool {
		n, ok := field.(*int)
		if !ok {
			n = new(field.(*time.Time).Year()) //nolint:forcetypeassert // as above
		}
		return least <= *n && *n <= most
	}
}

// row appends a row of the catalog's own. Its texts may be empty.
func (r *rowBuffer) row(fields []any) {
	r.begin()
	for _, field := range fields {
		switch field := field.(type) {
		case *string:
			r.said(field)
		case **string:
			r.said(*field)
		default:
			r.stated(field)
		}
	}
	r.end()
}

// rowOf appends a row of texts.
func (r *rowBuffer) rowOf(texts ...string) {
	r.begin()
	for i := range texts {
		r.said(&texts[i])
	}
	r.end()
}

// said appends a text that may be null; the empty one is not.
func (r *rowBuffer) said(s *string) {
	if s == nil {
		r.null()
		return
	}
	r.buf = append(appendEscaped(r.buf, clean(*s)), '\t')
}

// stated appends a field of a document's row, and returns whether the row states it. An empty text is null.
func (r *rowBuffer) stated(field any) bool {
	from := len(r.buf)
	switch field := field.(type) {
	case *string:
		r.text(*field)
	case **string:
		r.text(catalogapi.TextOf(*field))
	case *int:
		r.integer(int64(*field))
	case *int64:
		r.integer(*field)
	case **int64:
		r.optInteger(*field)
	case **float64:
		r.optFloat(*field)
	case *bool:
		r.flag(*field)
	case **bool:
		r.optFlag(*field)
	case *time.Time:
		r.date(*field)
	case **time.Time:
		if *field == nil {
			r.null()
		} else {
			r.date(**field)
		}
	case *[]string:
		r.list(*field)
	case *map[string]int64:
		r.counts(*field)
	default:
		panic("no column is made of a " + reflect.TypeOf(field).Elem().String())
	}
	return !bytes.Equal(r.buf[from:len(r.buf)-1], null)
}
