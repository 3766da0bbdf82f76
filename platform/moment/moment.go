// Package moment reads the two time parameters of answers about filings: as_of, the day up to which filings were made, and
// known_at, the instant up to which the service had processed them. They differ because filings arrive late: one of 31 March
// that was processed on 5 April is in an answer as of 1 April, but not in what was known on 1 April.
package moment

import (
	"time"

	"gpatlas/platform/apperr"
	"gpatlas/platform/clock"
	"gpatlas/platform/httpapi"
)

// Input is embedded in a handler's input and adds both parameters to it.
type Input struct {
	AsOf    httpapi.Opt[httpapi.Date]    `query:"as_of" example:"2025-06-30" doc:"Return the data as reported in filings up to this day (YYYY-MM-DD, UTC, not in the future). Default: the newest data."`
	KnownAt httpapi.Opt[httpapi.Instant] `query:"known_at" doc:"Use only filings processed by this time: a timestamp (RFC 3339), or a day (YYYY-MM-DD), which means its end in UTC. It differs from as_of because filings arrive late. Not in the future."`
}

// Future is the fault of a field whose day is in the future; nil for other days.
func Future(field string, day, now time.Time) []apperr.FieldError {
	if !day.After(now) {
		return nil
	}
	return []apperr.FieldError{{Field: field, Message: "must not be in the future; today is " + now.UTC().Format(time.DateOnly) + " (UTC)"}}
}

// Resolve returns the requested day and instant; the zero time if there was none. A future day or instant is rejected: the
// error names the field.
func (in Input) Resolve(clk clock.Clock) (day, known time.Time, err error) {
	now := clk.Now().UTC()
	var faults []apperr.FieldError
	if date, ok := in.AsOf.Get(); ok {
		day = date.Time
		faults = Future("as_of", day, now)
	}
	if at, ok := in.KnownAt.Get(); ok {
		known = at.Time
		if at.WholeDay && known.After(now) && !known.AddDate(0, 0, -1).After(now) {
			known = now // today, until now
		}
		if known.After(now) {
			faults = append(faults, apperr.FieldError{
				Field: "known_at", Message: "must not be in the future; now is " + now.Format(time.RFC3339),
			})
		}
	}
	if faults != nil {
		return time.Time{}, time.Time{}, apperr.Invalid(faults...)
	}
	return day, known, nil
}
