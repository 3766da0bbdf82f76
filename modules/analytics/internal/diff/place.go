package diff

import (
	"context"
	"slices"

	"gpatlas/modules/catalog/catalogapi"
)

// Names of fields in detail responses.
const (
	city        = "city"
	state       = "state"
	country     = "country"
	countryCode = "country_code"
)

// places are the fields for which null is no change: a filing may omit them.
var places = []string{city, state, "postal_code", country, countryCode, "org_state", "org_country", "jurisdiction"}

// omitted reports that a place is no longer stated, which is no change.
func omitted(field string, after any) bool {
	return normal(after) == nil && slices.Contains(places, field)
}

// recall adds the last stated city, state and country to the earlier record if it lacks them, so that later values are compared
// with them. The timeline is read only if there is something to compare.
//
// Spec: not shown; only for the main office. The other places are compared as they are.
func (s *Service) recall(ctx context.Context, crd string, from catalogapi.Point, before, after *catalogapi.Record) error {
	lacks := func(field string) bool { return text(before.Fields, field) == "" && text(after.Fields, field) != "" }
	if !slices.ContainsFunc([]string{city, state, country}, lacks) {
		return nil
	}
	states, err := s.history.Timeline(ctx, crd, from.Moment)
	if err != nil {
		return err
	}
	if at := slices.IndexFunc(states, func(s catalogapi.AdviserState) bool { return s.Filing.Accession == from.Accession }); at >= 0 {
		states = states[:at+1]
	}
	before.Fields = slices.Clone(before.Fields)
	for _, p := range []struct {
		field string
		of    func(s *catalogapi.AdviserState) string
	}{
		{city, func(s *catalogapi.AdviserState) string { return s.City }},
		{state, func(s *catalogapi.AdviserState) string { return s.State }},
		{country, func(s *catalogapi.AdviserState) string { return s.Country }},
	} {
		if !lacks(p.field) {
			continue
		}
		for i := range slices.Backward(states) {
			if v := p.of(&states[i]); v != "" && !states[i].Filing.FiledOn.After(before.Filing.FiledOn) {
				put(before, p.field, v)
				break
			}
		}
	}
	if c := text(before.Fields, country); c != "" && c == text(after.Fields, country) && lacks(countryCode) {
		put(before, countryCode, text(after.Fields, countryCode))
	}
	return nil
}

func text(fields []catalogapi.Field, name string) string {
	if i := find(fields, name); i >= 0 {
		v, _ := fields[i].Value.(string)
		return v
	}
	return ""
}

func put(r *catalogapi.Record, name, value string) {
	if i := find(r.Fields, name); i >= 0 {
		r.Fields[i].Value = value
		return
	}
	r.Fields = append(r.Fields, catalogapi.Field{Name: name, Value: value})
}
