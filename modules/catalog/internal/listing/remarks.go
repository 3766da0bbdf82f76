package listing

import (
	"reflect"
	"strconv"

	"gpatlas/modules/catalog/internal/index"
	"gpatlas/platform/wire"
)

// Remarks are what a search says beside its rows, where that is asked for or something is amiss.
type Remarks struct {
	Identifier *index.Identified `json:"identifier,omitempty" doc:"Only if the whole q is an identifier that the catalog has: the records that have it come first, then those that match as text."`
	Unknown    []string          `json:"unknown,omitzero" doc:"Only with a list of keys (crd, fund_id): those that the catalog does not have." example:"[\"4\"]"`
	Former     []string          `json:"former,omitzero" doc:"Only with a list of keys (crd, fund_id), and without former=true: those of former managers, and of their funds, which this search leaves out." example:"[\"900009\"]"`
	Current    []string          `json:"current,omitzero" doc:"Only with a list of keys (crd, fund_id), and with former=true: those of current managers, and of their funds, which this search leaves out." example:"[\"900001\"]"`
	Closed     []string          `json:"closed,omitzero" doc:"Only with fund_id, and without status: those of closed funds, which this search leaves out." example:"[\"805-1234567890\"]"`
	Nothing    []Without         `json:"nothing,omitzero" doc:"Only if several filters together find nothing: how much is found without one of them, for the first eight filters by name."`
	// The member is written from found.
	Facets map[string]Facet `json:"facets,omitzero" doc:"Only with facets: by filter, how many rows have each of its values. The filter itself is left out of the search; all others hold."`

	found []index.Facet
}

// SetFacets notes the facets of a search.
func (r *Remarks) SetFacets(found []index.Facet) { r.found = found }

// Where is what the catalog knows of a key.
type Where int

// The places of a key.
const (
	Absent Where = iota
	Current
	Former
)

// WhereIs is the place of a key that the catalog has or has not.
func WhereIs(known, former bool) Where {
	switch {
	case !known:
		return Absent
	case former:
		return Former
	}
	return Current
}

// Missing notes which of the sent keys the search cannot find with any filters.
func (r *Remarks) Missing(sent []string, former bool, where func(key string) Where) {
	if len(sent) == 0 {
		return
	}
	r.Unknown = []string{}
	other, place := &r.Former, Former
	if former {
		other, place = &r.Current, Current
	}
	*other = []string{}
	for _, key := range sent {
		if found := where(key); found == Absent {
			r.Unknown = append(r.Unknown, key)
		} else if found == place {
			*other = append(*other, key)
		}
	}
}

// Without is how much is found without one filter.
type Without struct {
	Without string `json:"without" doc:"The filter that is left out." example:"country"`
	Total   int    `json:"total" doc:"Rows in the list without that filter." example:"97"`
}

// append appends what encoding/json makes of the members, each with a comma before it.
func (r *Remarks) append(dst []byte) []byte {
	if id := r.Identifier; id != nil {
		dst = wire.AppendString(append(dst, `,"identifier":{"scheme":`...), id.Scheme)
		dst = wire.AppendString(append(dst, `,"value":`...), id.Value)
		dst = strconv.AppendInt(append(dst, `,"matches":`...), int64(id.Matches), 10)
		dst = append(strconv.AppendInt(append(dst, `,"former":`...), int64(id.Former), 10), '}')
	}
	for _, list := range []struct {
		name string
		keys []string
	}{{"unknown", r.Unknown}, {"former", r.Former}, {"current", r.Current}, {"closed", r.Closed}} {
		if list.keys != nil {
			dst = append(append(append(dst, `,"`...), list.name...), `":[`...)
			dst = append(wire.AppendList(dst, list.keys, wire.AppendString), ']')
		}
	}
	if r.Nothing != nil {
		dst = wire.AppendList(append(dst, `,"nothing":[`...), r.Nothing, func(dst []byte, w Without) []byte {
			dst = wire.AppendString(append(dst, `{"without":`...), w.Without)
			return append(strconv.AppendInt(append(dst, `,"total":`...), int64(w.Total), 10), '}')
		})
		dst = append(dst, ']')
	}
	if len(r.found) > 0 {
		dst = appendFacets(dst, r.found)
	}
	return dst
}

// mostWithout is for how many filters a search that finds nothing is counted without one.
const mostWithout = 8

// Nothing counts what is found without each of the filters that were applied, for a search by in that finds nothing. count
// is the search; it reports false where the rest cannot be asked by itself.
func Nothing[I any](in *I, applied *Applied, count func(in *I) (total int, ok bool)) (all []Without) {
	if len(applied.pairs) < 2 {
		return nil
	}
	for _, p := range applied.pairs[:min(len(applied.pairs), mostWithout)] {
		rest := *in
		forget(reflect.ValueOf(&rest).Elem(), p.name)
		if total, ok := count(&rest); ok {
			all = append(all, Without{p.name, total})
		}
	}
	return all
}

// forget takes a parameter out of an input.
func forget(in reflect.Value, name string) {
	for i := range in.NumField() {
		switch f := in.Type().Field(i); {
		case f.Tag.Get("query") == name:
			in.Field(i).SetZero()
		case f.Anonymous:
			forget(in.Field(i), name)
		}
	}
}
