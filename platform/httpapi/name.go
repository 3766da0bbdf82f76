package httpapi

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// SchemaNamer is a type that has another name in the document than in Go. Clients are generated from the document, so a name
// must be clear without its package: watchlist.Item is WatchlistItem.
type SchemaNamer interface{ SchemaName() string }

// namer names the schemas of the document. The body of an operation's request is named after the operation
// (CreateAPIKeyRequest), and so is its response body if it is an envelope or has no name of its own (SearchGPsResult). All
// other types have the name of SchemaNamer, or that of the Go type. No two types may share a name: a name would then depend on
// the order of registration.
type namer struct {
	taken           map[string]reflect.Type
	request, answer string // huma's hints for the two bodies of the operation
	operation       string
	faults          []error
}

func newNamer() *namer { return &namer{taken: map[string]reflect.Type{}} }

// enter sets the operation that the next types belong to.
func (n *namer) enter(id string, input reflect.Type) {
	n.operation, n.request, n.answer = exported(id), id+"Request", answerHint(id)
	if input.Name() != "" {
		n.request = input.Name() + "Body"
	}
}

func answerHint(id string) string { return id + "Response" }

func (n *namer) name(t reflect.Type, hint string) string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || scalar(t) {
		return huma.DefaultSchemaNamer(t, hint)
	}
	name := n.choose(t, hint)
	if owner, taken := n.taken[name]; taken && owner != t {
		n.faults = append(n.faults, fmt.Errorf("httpapi: %v and %v are both named %s in the document: give one a SchemaName", owner, t, name))
		name = fmt.Sprint(name, len(n.faults))
	}
	n.taken[name] = t
	return name
}

func (n *namer) choose(t reflect.Type, hint string) string {
	if name := ownName(t); name != "" {
		return name
	}
	generic := strings.Contains(t.Name(), "[")
	switch {
	case hint == n.answer && (generic || t.Name() == "" || strings.HasSuffix(t.Name(), "Answer")):
		return n.operation + "Result"
	case hint == n.request && t.Name() == "":
		return n.operation + "Request"
	case t.Name() == "" || generic:
		n.faults = append(n.faults, fmt.Errorf("httpapi: %v (%s) has no name for the document: give it a type of its own", t, hint))
		return exported(hint)
	default:
		return huma.DefaultSchemaNamer(t, hint)
	}
}

var namerType = reflect.TypeFor[SchemaNamer]()

// scalar reports whether a struct is documented inline, without a name: a time, an Opt, a Date.
func scalar(t reflect.Type) bool {
	p := reflect.PointerTo(t)
	return p.Implements(reflect.TypeFor[huma.SchemaProvider]()) || p.Implements(unmarshalerType)
}

// ownName is the name that a type states for itself; "" if it states none, or an embedded type does.
func ownName(t reflect.Type) string {
	named, ok := reflect.TypeAssert[SchemaNamer](reflect.Zero(t))
	if !ok {
		return ""
	}
	for f := range t.Fields() {
		if f.Anonymous && f.Type.Implements(namerType) {
			if inner, _ := reflect.TypeAssert[SchemaNamer](reflect.Zero(f.Type)); inner.SchemaName() == named.SchemaName() {
				return ""
			}
		}
	}
	return named.SchemaName()
}

// fault reports which names of the document are unclear; nil = none.
func (n *namer) fault() error { return errors.Join(n.faults...) }

// initialisms are the words of operation IDs that are written in capitals.
var initialisms = map[string]string{"gp": "GP", "gps": "GPs", "api": "API"}

// exported writes an operation's ID as the name of a type: search-gps is SearchGPs.
func exported(id string) string {
	var b strings.Builder
	for word := range strings.SplitSeq(id, "-") {
		if written, ok := initialisms[word]; ok {
			word = written
		}
		b.WriteString(capital(word))
	}
	return b.String()
}
