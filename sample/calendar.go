package sample

import "time"

// day counts days since 1970-01-01.
type day int

const never day = 1 << 30

func dayOf(year int, month time.Month, d int) day {
	return day(time.Date(year, month, d, 0, 0, 0, 0, time.UTC).Unix() / 86400)
}

func (d day) time() time.Time { return time.Unix(int64(d)*86400, 0).UTC() }

func (d day) year() int { return d.time().Year() }

// workday is the day itself, or the Friday before a weekend.
func (d day) workday() day {
	switch d.time().Weekday() {
	case time.Saturday:
		return d - 1
	case time.Sunday:
		return d - 2
	default:
		return d
	}
}

// nextWorkday is the day itself, or the Monday after a weekend.
func (d day) nextWorkday() day {
	switch d.time().Weekday() {
	case time.Saturday:
		return d + 2
	case time.Sunday:
		return d + 1
	default:
		return d
	}
}

// compact is the form of dates in file names.
func (d day) compact() string { return d.time().Format("20060102") }

// period is one archive's span of days, both ends included.
type period struct{ from, to day }

// published is when the regulator puts the period's archive on its site.
func (p period) published() time.Time { return (p.to + 1).time().Add(21 * time.Hour) }

// The days between which all filings lie.
var (
	firstDay = dayOf(2012, time.January, 2)
	lastDay  = dayOf(2026, time.October, 31)
)

// periods lists the archives in order: the years before, then month by month.
func periods(firstMonthly day) []period {
	list := []period{{dayOf(2012, time.January, 1), firstMonthly - 1}}
	for from := firstMonthly; from <= lastDay; {
		t := from.time()
		next := dayOf(t.Year(), t.Month()+1, 1)
		list = append(list, period{from, next - 1})
		from = next
	}
	return list
}

// quarters lists the calendar's quarters from the one that begins on a day to the last.
func quarters(from day) []period {
	var list []period
	for from <= lastDay {
		t := from.time()
		next := dayOf(t.Year(), t.Month()+3, 1)
		list = append(list, period{from, min(next-1, lastDay)})
		from = next
	}
	return list
}

// years lists the calendar's years from the one of a day to the last.
func years(from day) []period {
	var list []period
	for year := from.year(); year <= lastDay.year(); year++ {
		list = append(list, period{dayOf(year, time.January, 1), min(dayOf(year+1, time.January, 1)-1, lastDay)})
	}
	return list
}

// fiscalEnd is the last day of the fiscal year that ends in a month of a year.
func fiscalEnd(year int, month time.Month) day { return dayOf(year, month+1, 1) - 1 }

// lastFiscalEnd is the newest end of a fiscal year that is no later than d.
func lastFiscalEnd(d day, month time.Month) day {
	if end := fiscalEnd(d.year(), month); end <= d {
		return end
	}
	return fiscalEnd(d.year()-1, month)
}
