package httpapi

import (
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// namer names the schemas of the document after their Go types. Where two packages use one name, the second is
// prefixed with its package, instead of huma's panic.
type namer struct{ taken map[string]reflect.Type }

func newNamer() *namer { return &namer{taken: map[string]reflect.Type{}} }

func (n *namer) name(t reflect.Type, hint string) string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	name := huma.DefaultSchemaNamer(t, hint)
	if t.Kind() != reflect.Struct || t.Name() == "" {
		return name
	}
	if owner, ok := n.taken[name]; ok && owner != t {
		name = qualified(t.PkgPath()+"."+t.Name(), name)
	}
	n.taken[name] = t
	return name
}

// qualified writes a type's full name with the last element of every package path kept:
// gpatlas/platform/httpapi.Data[gpatlas/modules/x/internal/fund.Detail] becomes HttpapiDataFundDetail.
func qualified(full, fallback string) string {
	var b strings.Builder
	for part := range strings.FieldsFuncSeq(full, func(r rune) bool { return strings.ContainsRune("[]*,", r) }) {
		part = part[strings.LastIndexByte(part, '/')+1:]
		for word := range strings.SplitSeq(part, ".") {
			b.WriteString(capital(word))
		}
	}
	if b.Len() == 0 {
		return fallback
	}
	return b.String()
}
