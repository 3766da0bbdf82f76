package correction

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/derive"
	"gpatlas/modules/catalog/internal/fold"
	"gpatlas/modules/catalog/internal/vocab"
	"gpatlas/platform/clock"
	"gpatlas/platform/overrides"
	"gpatlas/platform/plaintext"
)

const crdText = "must be a CRD number: 1 to 10 digits without leading zeros"

// gpFields are the fields of a GP that can be corrected, with what reads their values.
var gpFields = map[string]func(c *Corrector, value json.RawMessage) (*string, error){
	fold.OverrideLegalName: (*Corrector).legalName,
	fold.OverrideWebsite:   (*Corrector).website,
	fold.OverrideStrategy:  (*Corrector).strategy,
	fold.OverrideFounded:   (*Corrector).founded,
}

// Fields returns the fields of a GP that can be corrected, in order.
func Fields() []string { return slices.Sorted(maps.Keys(gpFields)) }

// read checks what can be checked without the catalog.
func (c *Corrector) read(o *overrides.Override) (r *fold.Override, err error) {
	r = &fold.Override{ID: o.ID, CRD: o.EntityID, Field: o.Field, ValidFrom: o.ValidFrom}
	switch o.Type {
	case gpField:
		read := gpFields[o.Field]
		if read == nil {
			return nil, fault("field", "must be one of "+strings.Join(Fields(), ", "))
		}
		r.Value, err = read(c, o.Value)
	case canonicalGroup:
		if r.Field, err = theOne(o.Field, fold.OverrideOrganization); err == nil {
			r.Value, err = c.organization(o.Value)
		}
	case fundStatus:
		if !catalogapi.IsFundID(o.EntityID) {
			return nil, fault("entity_id", "must be a fund ID: 805- and 10 digits")
		}
		r.CRD, r.FundID = "", o.EntityID
		if r.Field, err = theOne(o.Field, fold.OverrideFundStatus); err == nil {
			r.Value, err = oneOf(o.Value, catalogapi.FundStatuses)
		}
		return r, err
	default:
		return nil, fmt.Errorf("the catalog does not apply overrides of type %s", o.Type)
	}
	if err == nil && !catalogapi.IsCRD(r.CRD) {
		err = fault("entity_id", crdText)
	}
	return r, err
}

// theOne is the name of the only field that a type has; it may be left out.
func theOne(given, name string) (string, error) {
	if given != "" && given != name {
		return "", fault("field", "must be "+name+" or left out")
	}
	return name, nil
}

// canonical is the value that is in force, as the register shows it.
func canonical(r *fold.Override) json.RawMessage {
	switch {
	case r.Value == nil && r.Field == fold.OverrideOrganization:
		return json.RawMessage(`"` + alone + `"`)
	case r.Value == nil:
		return json.RawMessage("null")
	case r.Field == fold.OverrideFounded:
		return json.RawMessage(*r.Value)
	}
	text, _ := json.Marshal(*r.Value) // a text always can
	return text
}

// text reads a value that is a text, without the spaces around it.
func text(value json.RawMessage, form string) (string, error) {
	var s *string
	if err := json.Unmarshal(value, &s); err != nil || s == nil || *s == "" {
		return "", fault("value", form)
	}
	if message := plaintext.LineFault(*s); message != "" {
		return "", fault("value", message)
	}
	return strings.TrimSpace(*s), nil
}

func oneOf(value json.RawMessage, words []string) (*string, error) {
	form := "must be one of " + strings.Join(words, ", ")
	s, err := text(value, form)
	if err == nil && !slices.Contains(words, s) {
		err = fault("value", form)
	}
	return &s, err
}

// nameMax is how many characters a name may have.
const nameMax = 200

func (*Corrector) legalName(value json.RawMessage) (*string, error) {
	const form = "must be a name of 1 to 200 characters"
	s, err := text(value, form)
	if err == nil && utf8.RuneCountInString(s) > nameMax {
		err = fault("value", form)
	}
	return &s, err
}

// website reads an address as ingestion does; null means that the firm has none.
func (*Corrector) website(value json.RawMessage) (*string, error) {
	if string(value) == "null" {
		return nil, nil //nolint:nilnil // no website
	}
	const form = "must be the address of the firm's own site, or null"
	s, err := text(value, form)
	if err != nil {
		return nil, err
	}
	site, own := derive.Website(s)
	if !own || strings.ContainsFunc(s, unicode.IsSpace) { // a filing may have words beside the address: an operator leaves them out
		return nil, fault("value", form)
	}
	return &site, nil
}

func (*Corrector) strategy(value json.RawMessage) (*string, error) {
	return oneOf(value, vocab.Strategies())
}

// firstYear is the first year in which a firm can have been founded.
const firstYear = 1600

func (c *Corrector) founded(value json.RawMessage) (*string, error) {
	var year *int
	last := clock.Today(c.clock).Year()
	if err := json.Unmarshal(value, &year); err != nil || year == nil || *year < firstYear || *year > last {
		return nil, fault("value", fmt.Sprintf("must be a year from %d to %d", firstYear, last))
	}
	return new(strconv.Itoa(*year)), nil
}

// alone is the value that takes a GP out of its organization; null does, too.
const alone = "alone"

// organization reads the CRD of the GP that one is grouped with; nil is alone.
func (*Corrector) organization(value json.RawMessage) (*string, error) {
	if string(value) == "null" {
		return nil, nil //nolint:nilnil // alone
	}
	const form = "must be the CRD number (a text) of the GP of the same organization, or alone"
	s, err := text(value, form)
	switch {
	case err != nil:
		return nil, err
	case s == alone:
		return nil, nil //nolint:nilnil // alone
	case !catalogapi.IsCRD(s):
		return nil, fault("value", form)
	}
	return &s, nil
}
