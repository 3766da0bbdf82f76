package listing

import (
	"slices"
	"strconv"
	"strings"

	"gpatlas/platform/httpapi"
	"gpatlas/platform/page"
	"gpatlas/platform/wire"
)

// ListMeta is the remarks on a page of a filtered list.
type ListMeta struct {
	page.Meta
	FiltersApplied map[string]any `json:"filters_applied" doc:"The filters as applied, with their JSON types. Aliases are expanded and names are replaced by codes."`
}

// NewMeta is the remarks on a page, for encoding/json.
func NewMeta(m page.Meta, applied *Applied) ListMeta {
	return ListMeta{Meta: m, FiltersApplied: applied.Map()}
}

// SearchMeta is the remarks on a page of a search.
type SearchMeta struct {
	ListMeta
	Remarks
	AsOf    *string `json:"as_of,omitempty" format:"date" doc:"Requested day, if any, unless the data are those of the present." example:"2025-06-30"`
	KnownAt *string `json:"known_at,omitempty" format:"date-time" doc:"Requested time, if any, unless the data are those of the present." example:"2026-07-02T06:00:00.000000Z"`
}

// AppendMeta appends what encoding/json makes of SearchMeta of the present.
func AppendMeta(dst []byte, m page.Meta, applied *Applied, r *Remarks) []byte {
	dst = AppendPage(append(dst, '{'), m)
	dst = applied.AppendJSON(append(dst, `,"filters_applied":`...))
	return append(r.append(dst), '}')
}

// AppendPage appends the members of a page's meta, without braces.
func AppendPage(dst []byte, m page.Meta) []byte {
	dst = strconv.AppendInt(append(dst, `"total":`...), int64(m.Total), 10)
	dst = strconv.AppendInt(append(dst, `,"limit":`...), int64(m.Limit), 10)
	dst = strconv.AppendInt(append(dst, `,"offset":`...), int64(m.Offset), 10)
	dst = strconv.AppendInt(append(dst, `,"page":`...), int64(m.Page), 10)
	return strconv.AppendInt(append(dst, `,"per_page":`...), int64(m.PerPage), 10)
}

// Rows answers with a list whose rows are appended, not encoded: {"data": [rows], "meta": meta}.
func Rows[B any](ids []uint32, row func(dst []byte, id uint32) []byte, meta func(dst []byte) []byte, links *httpapi.Page) *httpapi.Reply[B] {
	reply := wire.Write[B](func(b []byte) []byte {
		b = wire.AppendList(append(b, `{"data":[`...), ids, row)
		b = meta(append(b, `],"meta":`...))
		return append(b, '}')
	})
	reply.Page = links
	return reply
}

// Applied is filters_applied of an answer: the filters after normalization, with their JSON types, by name. Sorting and
// paging are no filters; a filter that says the default (fund_type=all) is not listed.
type Applied struct{ pairs []pair }

// pair is one filter; its value is a string, an int64, a float64 or a bool.
type pair struct {
	name  string
	value any
}

func (a *Applied) add(name string, value any) {
	i, _ := slices.BinarySearchFunc(a.pairs, name, func(p pair, name string) int { return strings.Compare(p.name, name) })
	a.pairs = slices.Insert(a.pairs, i, pair{name, value})
}

// AppendJSON appends the filters as one JSON object, its names in alphabetical order: what encoding/json makes of Map.
func (a *Applied) AppendJSON(dst []byte) []byte {
	dst = append(dst, '{')
	for i, p := range a.pairs {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(wire.AppendString(dst, p.name), ':')
		switch v := p.value.(type) {
		case string:
			dst = wire.AppendString(dst, v)
		case int64:
			dst = strconv.AppendInt(dst, v, 10)
		case float64:
			dst = strconv.AppendFloat(dst, v, 'f', -1, 64)
		case bool:
			dst = strconv.AppendBool(dst, v)
		}
	}
	return append(dst, '}')
}

// Map is the filters for encoding/json.
func (a *Applied) Map() map[string]any {
	m := make(map[string]any, len(a.pairs))
	for _, p := range a.pairs {
		m[p.name] = p.value
	}
	return m
}
