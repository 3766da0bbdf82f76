package change

import (
	"slices"
	"strings"

	"gpatlas/modules/analytics/internal/ask"
	"gpatlas/modules/catalog/catalogapi"
)

// Record is what one filing changed.
type Record struct {
	FilingDate      string        `json:"filing_date" format:"date" doc:"Day of the filing that made the change." example:"2026-03-28"`
	AccessionNumber string        `json:"accession_number" doc:"Key of the filing that changed the fields, as in the list of filings." example:"ADV-900001-1912345"`
	FilingType      string        `json:"filing_type" enum:"ADV,ADV/A,ADV-W" doc:"Form of the filing. ADV is the first that we hold of the manager, ADV/A a later one, ADV-W a withdrawal." example:"ADV/A"`
	FieldsChanged   []FieldChange `json:"fields_changed" doc:"The changed fields, at least one, in a fixed order."`
}

// SchemaName is its name in the OpenAPI document.
func (Record) SchemaName() string { return "ChangeRecord" }

// FieldChange is one field that a filing changed.
//
// Spec: not shown; the contract shows only numbers for before and after. Text fields (strategy, place, name) have texts
// there, because the contract tracks them too.
type FieldChange struct {
	Field         string   `json:"field" enum:"total_aum,employee_count,fund_count,total_gav,primary_strategy,city,state,country,legal_name" doc:"Field of the fund manager. Amounts are in USD. fund_count and total_gav cover the funds that are not closed." example:"total_aum"`
	Before        any      `json:"before" doc:"An integer or a string. Null if it was unknown." example:"2000000000"`
	After         any      `json:"after" doc:"An integer or a string. Null if it is no longer known; a city, state or country that a filing omits is no change." example:"2500000000"`
	ChangeAmount  *int64   `json:"change_amount" doc:"after minus before. Null for strings, and if either is unknown." example:"500000000"`
	ChangePercent *float64 `json:"change_percent" doc:"change_amount in percent of before, rounded to two decimals. Null for strings, if either is unknown, and if before is zero." example:"25"`
}

// numbers and texts are the fields compared, in the order in which records name them.
var (
	numbers = []struct {
		name string
		of   func(s *catalogapi.AdviserState) **int64
	}{
		{"total_aum", func(s *catalogapi.AdviserState) **int64 { return &s.TotalAUM }},
		{"employee_count", func(s *catalogapi.AdviserState) **int64 { return &s.EmployeeCount }},
		{"fund_count", func(s *catalogapi.AdviserState) **int64 { return &s.FundCount }},
		{"total_gav", func(s *catalogapi.AdviserState) **int64 { return &s.TotalGAV }},
	}
	texts = []struct {
		name  string
		at    func(s *catalogapi.AdviserState) *string
		place bool
	}{
		{name: "primary_strategy", at: func(s *catalogapi.AdviserState) *string { return &s.PrimaryStrategy }},
		{name: "city", at: func(s *catalogapi.AdviserState) *string { return &s.City }, place: true},
		{name: "state", at: func(s *catalogapi.AdviserState) *string { return &s.State }, place: true},
		{name: "country", at: func(s *catalogapi.AdviserState) *string { return &s.Country }, place: true},
		{name: "legal_name", at: func(s *catalogapi.AdviserState) *string { return &s.LegalName }},
	}
)

// Changes compares each state with the one before; both are oldest first. Filings that change nothing have no record.
//
// Spec: not shown; letter case alone is no change, because rosters use capitals. The spelling shown is then that of the filing
// that brought the value. A missing column or an omitted city, state or country is no change either: the next filing that
// states it is compared with the last that did.
func Changes(states []catalogapi.AdviserState) []Record {
	records := []Record{}
	states = catalogapi.Steps(placed(states))
	if len(states) == 0 {
		return records
	}
	before := states[0]
	for _, after := range states[1:] {
		if changed := compare(&before, &after); changed != nil {
			records = append(records, Record{
				FilingDate: ask.Day(after.Filing.FiledOn), AccessionNumber: after.Filing.Accession,
				FilingType: after.Filing.FormType, FieldsChanged: changed,
			})
		}
		before = after
	}
	return records
}

// placed returns states in which omitted places have the last stated values.
func placed(states []catalogapi.AdviserState) []catalogapi.AdviserState {
	states = slices.Clone(states)
	for i := range states[min(1, len(states)):] {
		for _, f := range texts {
			if before, after := f.at(&states[i]), f.at(&states[i+1]); f.place && *after == "" {
				*after = *before
			}
		}
	}
	return states
}

// compare returns the fields that differ. Texts of after that differ from before's in letter case alone get its spelling, and
// numbers that after does not state get its value.
func compare(before, after *catalogapi.AdviserState) (changed []FieldChange) {
	for _, f := range numbers {
		if slices.Contains(after.Unstated, f.name) {
			*f.of(after) = *f.of(before)
			continue
		}
		b, a := *f.of(before), *f.of(after)
		if b == nil && a == nil || b != nil && a != nil && *b == *a {
			continue
		}
		c := FieldChange{Field: f.name, ChangePercent: Percent(b, a)}
		if b != nil {
			c.Before = *b
		}
		if a != nil {
			c.After = *a
		}
		if b != nil && a != nil {
			c.ChangeAmount = new(difference(*b, *a))
		}
		changed = append(changed, c)
	}
	for _, f := range texts {
		b, a := f.at(before), f.at(after)
		if strings.EqualFold(*b, *a) {
			*a = *b
			continue
		}
		changed = append(changed, FieldChange{Field: f.name, Before: known(*b), After: known(*a)})
	}
	return changed
}

// known is a text, or nil for none.
func known(s string) any {
	if s == "" {
		return nil
	}
	return s
}
