package value

import (
	"bytes"
	"errors"
	"strconv"
	"time"
)

var errDate = errors.New("is not a date")

// The years in which a filing or a status can lie: the Advisers Act is of 1940.
const (
	yearMin = 1900
	yearMax = 2100
)

// Date reads a day or a moment: "06/24/2026 10:37:17 AM", "6/24/2025", "6/24/2025 7:44", "2024-07-10",
// "2024-07-10 07:44:00". Months stand first, as in the US. No zone is filed, so UTC by convention. Empty is the zero time.
func Date(b []byte) (time.Time, error) {
	b = trim(b)
	if len(b) == 0 {
		return time.Time{}, nil
	}
	p := scanner{rest: b}
	var y, m, d int
	if len(b) > 4 && b[4] == '-' {
		y, m, d = p.number(4, '-'), p.number(2, '-'), p.number(2, 0)
	} else {
		m, d, y = p.number(2, '/'), p.number(2, '/'), p.number(4, 0)
	}
	h, n, s := p.clock()
	t := time.Date(y, time.Month(m), d, h, n, s, 0, time.UTC)
	if p.failed || len(p.rest) > 0 || y < yearMin || y > yearMax || t.Day() != d || int(t.Month()) != m || d == 0 {
		return time.Time{}, errDate
	}
	return t, nil
}

// scanner walks over the parts of a date; after the first part that is missing all give 0.
type scanner struct {
	rest   []byte
	failed bool
}

// number takes up to width digits and, unless it is 0, the separator after them.
func (p *scanner) number(width int, separator byte) int {
	n, i := 0, 0
	for i < len(p.rest) && i < width && p.rest[i] >= '0' && p.rest[i] <= '9' {
		n = n*10 + int(p.rest[i]-'0')
		i++
	}
	if i == 0 || width == 4 && i != 4 {
		p.failed = true
		return 0
	}
	p.rest = p.rest[i:]
	if separator == 0 {
		return n
	}
	if len(p.rest) == 0 || p.rest[0] != separator {
		p.failed = true
		return 0
	}
	p.rest = p.rest[1:]
	return n
}

// clock takes the time of day, if one follows: 7:44, 07:44:00, 10:37:17 AM, T07:44:00.
func (p *scanner) clock() (h, m, s int) {
	if p.failed || len(p.rest) == 0 {
		return 0, 0, 0
	}
	if p.rest[0] != ' ' && p.rest[0] != 'T' {
		p.failed = true
		return 0, 0, 0
	}
	p.rest = bytes.TrimLeft(p.rest[1:], " ")
	h, m = p.number(2, ':'), p.number(2, 0)
	if len(p.rest) > 0 && p.rest[0] == ':' {
		p.rest = p.rest[1:]
		s = p.number(2, 0)
	}
	if half := bytes.ToUpper(trim(p.rest)); len(half) > 0 {
		if h < 1 || h > 12 {
			p.failed = true
		}
		switch string(half) {
		case "AM":
			h %= 12
		case "PM":
			h = h%12 + 12
		default:
			p.failed = true
		}
		p.rest = nil
	}
	p.failed = p.failed || h > 23 || m > 59 || s > 59
	return h, m, s
}

// excelEpoch is day 0 of a spreadsheet's calendar, as it stands for every day after February 1900.
var excelEpoch = time.Date(1899, time.December, 30, 0, 0, 0, 0, time.UTC)

// serialMin and serialMax bound the serials: 1 March 1900 (before it the spreadsheet's calendar is wrong) and the year 2100.
const (
	serialMin = 61
	serialMax = 73415
)

// Serial reads a date cell of a workbook: days since 30 December 1899 with the time of day as a fraction (45376 is
// 2024-03-25). A cell that holds a date as text is read by Date.
func Serial(b []byte) (time.Time, error) {
	b = trim(b)
	if bytes.ContainsAny(b, "/-: ") || len(b) == 0 {
		return Date(b)
	}
	days, part, err := decimal(b, errDate)
	if err != nil || days < serialMin || days > serialMax {
		return time.Time{}, errDate
	}
	seconds := time.Duration(part*86400+0.5) * time.Second
	return excelEpoch.AddDate(0, 0, int(days)).Add(seconds), nil
}

// FormVersion returns the form's edition as month and year ("10/2021"). Workbooks hold it as the serial of the month's
// first day (44470); everything else stays as filed.
func FormVersion(s string) string {
	if len(s) == 5 && digits([]byte(s)) {
		if t, err := Serial([]byte(s)); err == nil {
			return t.Format("01/2006")
		}
	}
	return s
}

// DateInName finds the first yyyy-mm-dd in a file's name.
func DateInName(name string) (time.Time, bool) {
	const shape = "2006-01-02"
	for i := 0; i+len(shape) <= len(name); i++ {
		if t, err := time.Parse(shape, name[i:i+len(shape)]); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

// Day reads the yyyymmdd of a member's name.
func Day(s string) (time.Time, error) {
	if _, err := strconv.Atoi(s); err != nil {
		return time.Time{}, errDate
	}
	t, err := time.Parse("20060102", s)
	if err != nil {
		return time.Time{}, errDate
	}
	return t, nil
}
