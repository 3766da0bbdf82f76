package fold

import (
	"slices"
	"strings"
	"time"

	"gpatlas/modules/catalog/catalogapi"
)

// Placing is a filing with what decides its place among the adviser's.
type Placing struct {
	Filing
	Types   []string `gorm:"column:filing_types;serializer:json"` // nil: the document does not say
	YearEnd *string  `gorm:"column:fiscal_year_end"`              // a month
}

// firsts returns what reports of an adviser's filings, the oldest first, which are its first: the first archive filing of the first day, and
// what else is of that day. A roster row or a fund list is evidence of a filing of its day, so it shares the place of that day.
//
// Spec: not shown; the first filing that we know counts as the adviser's first, also when it began before our data. A roster states neither
// form nor kind, and the contract has no null for them: its row has those of its place.
func firsts() func(f *Filing) bool {
	var began *time.Time
	archived := false
	return func(f *Filing) bool {
		if began == nil {
			began = &f.FilingDate
		}
		archive := f.DocSource == catalogapi.SourceADVArchive
		first := f.FilingDate.Equal(*began) && (!archive || !archived)
		archived = archived || archive
		return first
	}
}

// Place fills the form and the kind of amendment of one adviser's forms: the first are ADV and initial.
//
// Spec: not shown; where the filing does not say when the fiscal year ends, the adviser's newest filing that does is believed; where none
// does, an amendment counts as material.
func Place(forms []Placing) {
	slices.SortFunc(forms, func(a, b Placing) int { return Order(&a.Filing, &b.Filing) })
	var usual *string
	for i := range forms {
		usual = or(forms[i].YearEnd, usual)
	}
	first := firsts()
	for i := range forms {
		f := &forms[i]
		switch {
		case first(&f.Filing):
			f.FormType, f.Amendment = "ADV", "initial"
			continue
		case f.Types != nil && slices.Contains(f.Types, "annual updating amendment"), f.Types == nil && followsYearEnd(f.FilingDate, or(f.YearEnd, usual)):
			f.Amendment = "annual"
		default:
			f.Amendment = "material"
		}
		f.FormType = "ADV/A"
	}
}

// annualDays is within how many days of the end of its fiscal year an adviser files its annual amendment.
const annualDays = 90

// followsYearEnd reports whether a day is so soon after the end of a fiscal year, which is that of the month.
func followsYearEnd(day time.Time, ends *string) bool {
	month := monthOf(value(ends))
	if ends == nil || month == 0 {
		return false
	}
	last := func(year int) time.Time { return time.Date(year, month+1, 0, 0, 0, 0, 0, time.UTC) }
	end := last(day.Year())
	if !end.Before(day) {
		end = last(day.Year() - 1)
	}
	return !day.After(end.AddDate(0, 0, annualDays))
}

// monthOf reads a month by its first three letters; 0 where it is none.
func monthOf(name string) time.Month {
	letters := []rune(strings.ToUpper(strings.Trim(name, " ")))
	letters = letters[:min(len(letters), 3)]
	return time.Month((strings.Index("JANFEBMARAPRMAYJUNJULAUGSEPOCTNOVDEC", string(letters)) + 3) / 3)
}
