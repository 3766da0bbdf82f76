package export

import (
	"encoding/json"
	"reflect"
	"strconv"
	"strings"

	"gpatlas/modules/catalog/internal/fund"
	"gpatlas/modules/catalog/internal/gp"
	"gpatlas/modules/catalog/internal/index"
	"gpatlas/platform/plaintext"
)

// Field is a column that can be exported.
type Field struct {
	Name        string `json:"name" doc:"Name of the column." example:"total_aum"`
	Type        string `json:"type" enum:"text,integer,boolean,date" doc:"What a value is. Empty cells (null in ndjson) are unknown." example:"integer"`
	Default     bool   `json:"default" doc:"Whether a file has the column if no fields are sent." example:"true"`
	Description string `json:"description" doc:"What the column means." example:"USD. Regulatory assets under management"`
}

// SchemaName is its name in the OpenAPI document.
func (Field) SchemaName() string { return "ExportField" }

// The types of values that are written in a way of their own.
const (
	typeText    = "text"
	typeInteger = "integer"
)

// column reads one value of a record.
type column struct {
	Field
	at int // index of the struct's field; of a column that is read: of its value
}

// The columns are the fields of the lists' items, in their order.
var columnsOf = map[string][]column{
	gps:   append(columns(reflect.TypeFor[index.GPItem]()), read(reflect.TypeFor[gp.GPDetail](), gpMore)...),
	funds: append(columns(reflect.TypeFor[index.FundItem]()), read(reflect.TypeFor[fund.FundDetail](), fundMore)...),
}

// described are the meanings of fields whose name is enough in a list.
var described = map[string]string{
	"legal_name": "Legal name of the adviser", "city": "City of the main office", "country": "Country of the main office",
	"primary_strategy": "Strategy with the most assets", "manager_type": "Group that the primary strategy belongs to",
	"employee_count": "Number of employees", "registration_status": "Whether the adviser is registered or exempt", "website": "Website",
	"name": "Name of the fund", "adviser_crd": "CRD number of the fund's adviser", "vintage_year": "Vintage year", "strategy": "Strategy of the fund",
	"is_3c1": "Whether the fund relies on section 3(c)(1)", "is_3c7": "Whether the fund relies on section 3(c)(7)",
	"is_master": "Whether it is a master fund", "is_feeder": "Whether it is a feeder fund", "status": "Status of the fund",
}

func columns(of reflect.Type) []column {
	var list []column
	for i := range of.NumField() {
		f := of.Field(i)
		if f.Anonymous { // what rows have only where it is asked for
			continue
		}
		if t := f.Type; t.Kind() == reflect.Pointer && t.Elem().Kind() == reflect.Struct { // no single value
			continue
		}
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		c := column{Field{Name: name, Type: kind(f), Default: true, Description: f.Tag.Get("doc")}, i}
		if c.Description == "" {
			c.Description = described[name]
		}
		list = append(list, c)
	}
	return list
}

func kind(f reflect.StructField) string {
	t := f.Type
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case f.Tag.Get("format") == "date":
		return "date"
	case t.Kind() == reflect.Int64:
		return typeInteger
	case t.Kind() == reflect.Bool:
		return "boolean"
	}
	return typeText
}

// record is what the cells of a row are made of: the item of a list and, if columns are read, their values.
type record struct {
	item reflect.Value
	more []*string
}

// known returns the column's value of an item, and false if it is null.
func (c *column) known(item reflect.Value) (reflect.Value, bool) {
	v := item.Field(c.at)
	if v.Kind() != reflect.Pointer {
		return v, true
	}
	return v.Elem(), !v.IsNil()
}

// cell returns the value as it is written in CSV.
func (c *column) cell(r *record) string {
	if !c.Default {
		switch v := r.more[c.at]; {
		case v == nil:
			return ""
		case c.Type == typeText:
			return plaintext.Cell(*v)
		default:
			return *v
		}
	}
	v, ok := c.known(r.item)
	switch {
	case !ok:
		return ""
	case v.Kind() == reflect.Int64:
		return strconv.FormatInt(v.Int(), 10)
	case v.Kind() == reflect.Bool:
		return strconv.FormatBool(v.Bool())
	}
	return plaintext.Cell(v.String())
}

// append writes the value as a member of a JSON object.
func (c *column) append(dst []byte, r *record) ([]byte, error) {
	dst = append(strconv.AppendQuote(dst, c.Name), ':')
	if !c.Default {
		v := r.more[c.at]
		if v != nil && c.Type == typeInteger {
			return append(dst, *v...), nil
		}
		value, err := json.Marshal(v)
		return append(dst, value...), err
	}
	v, ok := c.known(r.item)
	if !ok {
		return append(dst, "null"...), nil
	}
	value, err := json.Marshal(v.Interface())
	return append(dst, value...), err
}
