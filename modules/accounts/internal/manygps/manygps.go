// Package manygps is what the operations have in common that put many GPs at once on a list of an account.
package manygps

import (
	"slices"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/apperr"
)

// Max is how many GPs a request names at most.
const Max = 200

// Body names the GPs. A text that is not a CRD number does not stop the others: it is unknown.
type Body struct {
	CRDs []string `json:"crds" minItems:"1" maxItems:"200" doc:"CRD numbers, 1 to 200. One that the catalog does not have, or that is no CRD number, does not stop the others." example:"[\"900001\",\"900002\"]"`
}

// Outcome has each number that was sent in one of three lists, once and in the order of the request.
type Outcome struct {
	Added   []string `json:"added" doc:"Those that were added." example:"[\"900001\"]"`
	Already []string `json:"already" doc:"Those that were there before, and were not changed." example:"[\"900002\"]"`
	Unknown []string `json:"unknown" doc:"Those that the catalog does not have." example:"[]"`
}

// SchemaName is its name in the OpenAPI document.
func (Outcome) SchemaName() string { return "BatchOutcome" }

// Numbers returns the texts that are CRD numbers, each once.
func (b *Body) Numbers() ([]string, error) {
	if slices.Contains(b.CRDs, "") {
		return nil, apperr.Invalid(apperr.FieldError{Field: "crds", Message: "must not have an empty value"})
	}
	numbers := slices.DeleteFunc(slices.Clone(b.CRDs), func(crd string) bool { return !catalogapi.IsCRD(crd) })
	slices.Sort(numbers)
	return slices.Compact(numbers), nil
}

// Sort puts each number that was sent into one of the three lists.
func Sort(sent, known, added []string) *Outcome {
	o := &Outcome{Added: []string{}, Already: []string{}, Unknown: []string{}}
	for i, crd := range sent {
		list := &o.Already
		switch {
		case slices.Contains(sent[:i], crd):
			continue
		case !slices.Contains(known, crd):
			list = &o.Unknown
		case slices.Contains(added, crd):
			list = &o.Added
		}
		*list = append(*list, crd)
	}
	return o
}
