package roster

import (
	"fmt"
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

// edition is the day of a roster: that in one of its names, where it can be right, else that of its newest filing. A roster
// is not published before its newest filing, nor in the future: notAfter is the last day that can be, zero for any. The
// doubt names the day in a name that was not used, and the reason.
func edition(newest, notAfter time.Time, names ...string) (day time.Time, doubt string) {
	for _, name := range names {
		day, ok := dayInName(name)
		var why string
		switch {
		case !ok:
			continue
		case day.Before(newest):
			why = "before its newest filing"
		case !notAfter.IsZero() && day.After(notAfter):
			why = "in the future"
		default:
			return day, ""
		}
		if doubt == "" {
			doubt = fmt.Sprintf("the day %s in the name %s is %s, so the roster counts as the edition of %s, the day of its newest filing",
				day.Format(time.DateOnly), name, why, newest.Format(time.DateOnly))
		}
	}
	return newest, doubt
}
