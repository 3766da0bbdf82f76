package listing

import (
	"slices"
	"strconv"
	"strings"

	"gpatlas/platform/wire"
)

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
