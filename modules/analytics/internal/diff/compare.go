package diff

import (
	"math"
	"slices"
	"strings"

	"gpatlas/modules/catalog/catalogapi"
)

// Difference is what changed between two points. Its lists are never nil.
type Difference struct {
	Adviser      []FieldChange `json:"adviser" doc:"Changed fields of the fund manager, in the order of its detail response."`
	FundsAdded   []NamedFund   `json:"funds_added" doc:"Funds that were absent or closed before and are open now, as they are now. Sorted by fund_id."`
	FundsRemoved []RemovedFund `json:"funds_removed" doc:"Funds that were open before and are closed or absent now, as they were. Sorted by fund_id."`
	FundsChanged []FundChange  `json:"funds_changed" doc:"Funds that are open at both points, or closed at both, and changed. Sorted by fund_id."`
}

// FieldChange is one field with another value. Lists are compared as sets and shown sorted.
type FieldChange struct {
	Field  string `json:"field" doc:"Name of the field in the detail response." example:"total_aum"`
	Before any    `json:"before" doc:"Number, string, boolean, list of strings, or null if no filing states it." example:"2300000000"`
	After  any    `json:"after" doc:"Same types as before." example:"2500000000"`
}

// SchemaName is its name in the OpenAPI document.
func (FieldChange) SchemaName() string { return "DiffFieldChange" }

// NamedFund names a fund.
type NamedFund struct {
	FundID          string `json:"fund_id" doc:"Number of the fund (Schedule D, section 7.B.(1), item 1(b))." example:"805-1234567890"`
	Name            string `json:"name" doc:"Name of the fund, as filed (item 1(a))." example:"Harbor Ridge Buyout Fund III, L.P."`
	GrossAssetValue *int64 `json:"gross_asset_value" doc:"USD." example:"850000000"`
}

// RemovedFund is a fund that no longer exists.
type RemovedFund struct {
	NamedFund
	Status *string `json:"status" enum:"closed" doc:"closed if the fund is known to be no longer reported. Null if unknown." example:"closed"`
}

// FundChange is what changed of one fund.
type FundChange struct {
	FundID  string        `json:"fund_id" doc:"Number of the fund (Schedule D, section 7.B.(1), item 1(b))." example:"805-1234567890"`
	Name    string        `json:"name" doc:"Name at the later point." example:"Harbor Ridge Buyout Fund III, L.P."`
	Changes []FieldChange `json:"changes" doc:"Changed fields of the fund, in the order of its detail response."`
}

// Empty says that nothing changed.
func (d *Difference) Empty() bool {
	return len(d.Adviser) == 0 && len(d.FundsAdded) == 0 && len(d.FundsRemoved) == 0 && len(d.FundsChanged) == 0
}

// Compare finds the differences of two records.
//
// Spec: not shown; the operation is beyond the contract. A fund exists while it is not closed: one that closes is removed, one
// that is reported again is added, and neither is listed as changed. One that was created and closed between the two points is
// not listed.
func Compare(from, to catalogapi.Record) Difference {
	d := Difference{
		Adviser: changes(from.Fields, to.Fields), FundsAdded: []NamedFund{}, FundsRemoved: []RemovedFund{}, FundsChanged: []FundChange{},
	}
	before, after := byID(from.Funds), byID(to.Funds)
	for i := range from.Funds {
		old := &from.Funds[i]
		now := after[old.FundID]
		switch {
		case open(old) && !open(now):
			gone := RemovedFund{NamedFund: named(old)}
			if now != nil {
				gone.Status = &now.Status
			}
			d.FundsRemoved = append(d.FundsRemoved, gone)
		case now != nil && open(old) == open(now):
			if list := changes(old.Fields, now.Fields); len(list) > 0 {
				d.FundsChanged = append(d.FundsChanged, FundChange{FundID: now.FundID, Name: now.Name, Changes: list})
			}
		}
	}
	for i := range to.Funds {
		if now := &to.Funds[i]; open(now) && !open(before[now.FundID]) {
			d.FundsAdded = append(d.FundsAdded, named(now))
		}
	}
	return d
}

func byID(funds []catalogapi.FundRecord) map[string]*catalogapi.FundRecord {
	m := make(map[string]*catalogapi.FundRecord, len(funds))
	for i := range funds {
		m[funds[i].FundID] = &funds[i]
	}
	return m
}

// open reports whether a fund exists: known and not closed.
func open(f *catalogapi.FundRecord) bool { return f != nil && f.Status != catalogapi.FundClosed }

func named(f *catalogapi.FundRecord) NamedFund {
	out := NamedFund{FundID: f.FundID, Name: f.Name}
	for _, field := range f.Fields {
		if gav, ok := field.Value.(int64); ok && field.Name == "gross_asset_value" {
			out.GrossAssetValue = &gav
		}
	}
	return out
}

// everNew is the field that differs after each filing: alone it is no change, and meta names the compared filings.
const everNew = "latest_filing_date"

// changes lists the fields whose values differ, in the order of the first list, then those that only the second has. A missing
// field has never been stated. A place that is no longer stated is not listed.
func changes(from, to []catalogapi.Field) []FieldChange {
	list := []FieldChange{}
	for i, f := range from {
		// Both lists mostly have the same fields in the same order.
		at := i
		if at >= len(to) || to[at].Name != f.Name {
			at = find(to, f.Name)
		}
		var after any
		if at >= 0 {
			after = to[at].Value
		}
		if f.Name != everNew && !same(f.Value, after) && !omitted(f.Name, after) {
			list = append(list, FieldChange{Field: f.Name, Before: shown(f.Value), After: shown(after)})
		}
	}
	for _, f := range to {
		if f.Name != everNew && find(from, f.Name) < 0 && !same(nil, f.Value) {
			list = append(list, FieldChange{Field: f.Name, After: shown(f.Value)})
		}
	}
	return list
}

func find(fields []catalogapi.Field, name string) int {
	return slices.IndexFunc(fields, func(f catalogapi.Field) bool { return f.Name == name })
}

// same compares two values: numbers as numbers, lists as sets, texts without regard to letter case, because rosters use capitals. An empty
// list equals null.
func same(a, b any) bool {
	a, b = normal(a), normal(b)
	before, isText := a.(string)
	after, andText := b.(string)
	if isText && andText {
		return strings.EqualFold(before, after)
	}
	x, isList := a.([]string)
	y, both := b.([]string)
	if isList && both {
		return slices.Equal(x, y)
	}
	return !isList && !both && a == b
}

// normal normalizes equivalent values: whole numbers to int64, lists to their sets, empty ones to nil.
func normal(v any) any {
	switch v := v.(type) {
	case int:
		return int64(v)
	case float64:
		if v == math.Trunc(v) && math.Abs(v) < 1<<63 {
			return int64(v)
		}
	case []string:
		if len(v) == 0 {
			return nil
		}
		return set(v)
	}
	return v
}

// shown is a value for the response.
func shown(v any) any {
	if list, ok := v.([]string); ok {
		return set(list)
	}
	return v
}

// set is a list sorted, each element once; never nil.
func set(list []string) []string {
	out := append([]string{}, list...)
	slices.Sort(out)
	return slices.Compact(out)
}
