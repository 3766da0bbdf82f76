package person

import "time"

// Dates are when something began and ended. A date known only to the month or year is its first day, and the precision states
// that.
type Dates struct {
	From          *string `json:"from" nullable:"true" format:"date" doc:"When it began. Of filings: the month in which the title was acquired, else the date of the first filing. If only the month or the year is known, its first day: see from_precision." example:"2011-03-01"`
	FromPrecision *string `json:"from_precision" nullable:"true" enum:"day,month,year" doc:"What is known of from: the day, the month or the year. Null if from is." example:"month"`
	To            *string `json:"to" nullable:"true" format:"date" doc:"When it ended. Of filings: the date of the last one that names the person. Null if it lasts or the end is not known. If only the month or the year is known, its first day: see to_precision." example:"2024-03-28"`
	ToPrecision   *string `json:"to_precision" nullable:"true" enum:"day,month,year" doc:"What is known of to: the day, the month or the year. Null if to is." example:"day"`
}

// SchemaName is its name in the OpenAPI document.
func (Dates) SchemaName() string { return "PersonDates" }

// DatesOf makes Dates of a beginning and an end, which are years, months, days or empty.
func DatesOf(from, to string) (d Dates) {
	d.From, d.FromPrecision = date(from)
	d.To, d.ToPrecision = date(to)
	return d
}

var precisions = [...]struct{ layout, name string }{{time.DateOnly, "day"}, {"2006-01", "month"}, {"2006", "year"}}

// date is the first day of a stated period, and its precision. A text that is no date counts as unknown.
func date(known string) (on, precision *string) {
	for _, p := range precisions {
		if at, err := time.Parse(p.layout, known); err == nil {
			return new(at.Format(time.DateOnly)), new(p.name)
		}
	}
	return nil, nil
}
