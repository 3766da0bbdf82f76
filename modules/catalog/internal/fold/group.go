package fold

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"gpatlas/modules/catalog/catalogapi"
)

// fieldReader reads fields of several versions, the newest first: the answer as text (empty: none), and whether the version
// states it. A version may state that there is none.
type fieldReader struct {
	versions int
	of       func(version int, field string) (answer string, stated bool)
}

// newest is the newest answer to a field from a version on, and its version; below zero where none states it.
func (s fieldReader) newest(field string, from int) (answer string, version int) {
	for i := from; i < s.versions; i++ {
		if answer, stated := s.of(i, field); stated {
			return answer, i
		}
	}
	return "", -1
}

// holds reports whether a version's answer for a field is still valid: the newest answers for the other fields of its
// group are still those as of that version.
func (s fieldReader) holds(groups []catalogapi.Group, field string, version int) bool {
	for _, g := range groups {
		if !slices.Contains(g.Fields, field) {
			continue
		}
		for _, other := range g.Fields {
			now, at := s.newest(other, 0)
			then, before := s.newest(other, version)
			if other != field && at >= 0 && before >= 0 && !strings.EqualFold(now, then) {
				return false
			}
		}
	}
	return true
}

// asked reports whether the form asks for a field after this answer to the first field of its group. It is true if the field is in
// no such group.
func asked(groups []catalogapi.Group, field string, answer func(field string) string) bool {
	for _, g := range groups {
		if g.Asks != "" && slices.Contains(g.Fields[1:], field) {
			first := answer(g.Fields[0])
			return first == "" || strings.EqualFold(first, g.Asks)
		}
	}
	return true
}

// answerOf is a field of a structure of columns as text; empty where it is nil or no column.
func answerOf(row reflect.Value, field string) string {
	columns := catalogapi.ColumnsOf(row.Type())
	i := slices.IndexFunc(columns, func(c catalogapi.Column) bool { return c.Name == field })
	if i < 0 {
		return ""
	}
	v := row.FieldByIndex(columns[i].Path)
	if v.Kind() == reflect.Pointer && v.IsNil() {
		return ""
	}
	return fmt.Sprint(reflect.Indirect(v).Interface())
}

// together is the base of an adviser's versions without carried-over answers that a later answer of the same group
// contradicts. The versions of the base are the first of all.
func together(base, versions []AdviserVersion) []AdviserVersion {
	all := fieldReader{len(versions), func(i int, field string) (string, bool) {
		v := &versions[i]
		answer := answerOf(reflect.ValueOf(v).Elem(), field)
		// Only a whole form says by a blank that there is none.
		return answer, answer != "" || v.DocSource == catalogapi.SourceADVArchive && !slices.Contains(v.Silent, field)
	}}
	own := false
	for _, g := range catalogapi.AdviserGroups {
		for _, field := range g.Fields {
			silent := find(base, func(v *AdviserVersion) bool { return slices.Contains(v.Silent, field) })
			if silent < 0 {
				continue
			}
			at := find(base, func(v *AdviserVersion) bool { return answerOf(reflect.ValueOf(v).Elem(), field) != "" })
			if at <= silent || all.holds(catalogapi.AdviserGroups, field, at) {
				continue
			}
			if !own {
				base, own = slices.Clone(base), true
			}
			for i := range base {
				clearField(reflect.ValueOf(&base[i]).Elem(), field)
			}
		}
	}
	return base
}

func clearField(row reflect.Value, field string) {
	for _, c := range catalogapi.ColumnsOf(row.Type()) {
		if c.Name == field {
			row.FieldByIndex(c.Path).SetZero()
		}
	}
}
