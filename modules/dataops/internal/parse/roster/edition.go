package roster

import (
	"regexp"
	"time"

	"gpatlas/modules/dataops/internal/parse/value"
)

// The days in the names of rosters: ia070124-exempt.xlsx (month, day, year), roster-2026-01-05.csv, roster_20260105.csv.
var (
	shortDay = regexp.MustCompile(`(?i)^ia(\d{6})(?:\D|$)`)
	longDay  = regexp.MustCompile(`(?:^|\D)(\d{8})(?:\D|$)`)
)

// dayInName finds the day in a roster's name.
func dayInName(name string) (time.Time, bool) {
	if found := shortDay.FindStringSubmatch(name); found != nil {
		if day, err := time.Parse("010206", found[1]); err == nil {
			return day, true
		}
	}
	if found := longDay.FindStringSubmatch(name); found != nil {
		if day, err := value.Day(found[1]); err == nil {
			return day, true
		}
	}
	return value.DateInName(name)
}

// lagMax is how long after its newest filing a roster is published, at most. A name with a later day tells when the file
// was saved.
const lagMax = 45 * 24 * time.Hour

// edition is the day of a roster: that in one of its names, where it can be right, else that of its newest filing.
func edition(newest time.Time, names ...string) time.Time {
	for _, name := range names {
		if day, ok := dayInName(name); ok && !day.Before(newest) && day.Sub(newest) <= lagMax {
			return day
		}
	}
	return newest
}
