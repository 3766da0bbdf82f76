package diff

import (
	"errors"
	"fmt"
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/apperr"
	"gpatlas/platform/httpapi"
)

// Input asks what changed between two points.
type Input struct {
	catalogapi.GPPath
	From httpapi.Opt[string] `query:"from" required:"true" pattern:"^([0-9]{4}-[0-9]{2}-[0-9]{2}|[A-Z]{3,6}-[1-9][0-9]{0,9}-[0-9]{1,18}|[0-9]{10}-[0-9]{2}-[0-9]{6})$" patternDescription:"a date such as 2025-06-30, or an accession number such as ADV-900001-2001" example:"2024-06-30" doc:"Earlier point: a day (YYYY-MM-DD), which uses the filings up to it, or the accession number of a filing, which uses the filings up to and including that one."`
	To   httpapi.Opt[string] `query:"to" pattern:"^([0-9]{4}-[0-9]{2}-[0-9]{2}|[A-Z]{3,6}-[1-9][0-9]{0,9}-[0-9]{1,18}|[0-9]{10}-[0-9]{2}-[0-9]{6})$" patternDescription:"a date such as 2025-06-30, or an accession number such as ADV-900001-2001" example:"2026-06-30" doc:"Later point, in the same forms (default: now)."`
}

// dateLength and a leading digit distinguish a date from an accession number: those of EDGAR are longer, all others begin with
// letters.
const dateLength = len(time.DateOnly)

// parsePoint parses a point. The schema has checked its format; invalid calendar days are rejected here.
func parsePoint(text string) (p catalogapi.Point, isDay bool, fault string) {
	if len(text) != dateLength || text[0] < '0' || text[0] > '9' {
		return catalogapi.Point{Accession: text}, false, ""
	}
	var day httpapi.Date
	switch err := day.UnmarshalText([]byte(text)); {
	case errors.Is(err, httpapi.ErrNoDay):
		return p, true, err.Error()
	case err != nil:
		return p, true, "must be a date such as 2025-06-30, or an accession number such as ADV-900001-2001"
	}
	p.Day = day.Time
	return p, true, ""
}

// Faults are the faults that the parameters' schemas cannot express.
func (in *Input) Faults() []apperr.FieldError {
	_, _, faults := in.points()
	return faults
}

// points are the two points; now is the zero point.
func (in *Input) points() (from, to catalogapi.Point, faults []apperr.FieldError) {
	from, fromDay, fault := parsePoint(in.From.Value)
	if fault != "" {
		faults = append(faults, apperr.FieldError{Field: "from", Message: fault})
	}
	var toDay bool
	if text, ok := in.To.Get(); ok {
		if to, toDay, fault = parsePoint(text); fault != "" {
			faults = append(faults, apperr.FieldError{Field: "to", Message: fault})
		}
	}
	if faults == nil && fromDay && toDay && from.Day.After(to.Day) {
		faults = append(faults, apperr.FieldError{
			Field: "from", Message: fmt.Sprintf("must not be later than to (%s > %s)", in.From.Value, in.To.Value),
		})
	}
	return from, to, faults
}
