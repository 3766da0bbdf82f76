package value

import (
	"bytes"
	"unicode/utf8"
)

// The readers of this file are for optional columns: unreadable cells count as absent, because one odd cell must not make a row
// with other good cells unusable.

// Loose is what a reader returned, or nothing if it failed: Loose(Flag(cell)).
func Loose[T any](v T, err error) T {
	if err != nil {
		var none T
		return none
	}
	return v
}

// Dollars reads an amount in US dollars and drops the cents; nil for what is no amount.
func Dollars(b []byte) *int64 {
	b = bytes.TrimLeft(bytes.TrimPrefix(trim(b), []byte{'$'}), " ")
	if len(b) == 0 {
		return nil
	}
	whole, _, err := decimal(b, errMoney)
	if err != nil {
		return nil
	}
	return &whole
}

// The digits of an owner's number that can be trusted.
const (
	ownerDigitsMin = 6
	ownerDigitsMax = 7
)

// OwnerID returns the number of an owner or officer (Schedules A and B) when it has six or seven digits, as CRD and IAPD
// numbers have. Old files have tax numbers and junk there ("00-0000000", "FOREIGN", "1"); for these it returns "".
func OwnerID(b []byte) string {
	id, err := number(b, ownerDigitsMax, errCRD)
	if err != nil || len(id) < ownerDigitsMin {
		return ""
	}
	return id
}

// monthNames are the first three letters of the months, in lower case.
var monthNames = [...]string{"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"}

// centuryPivot parts the years of two digits. Spec: not shown; spreadsheets take 00 to 29 for this century, and so do we.
const centuryPivot = 30

// MonthYear reads the month in which a title or status was acquired: "09/2001", the "May-12" that spreadsheets make of
// such a cell, "2001-09", or a whole date, whose day is dropped. A bare year has no month. For any other text it returns 0, 0.
func MonthYear(b []byte) (year, month int) {
	b = trim(b)
	if t, err := Date(b); err == nil && !t.IsZero() {
		return t.Year(), int(t.Month())
	}
	head, tail, cut := cutMonth(b)
	switch {
	case !cut && len(b) == 4:
		return yearOf(b), 0
	case len(head) == 4 && digits(head): // 2001-09
		year, month = yearOf(head), smallNumber(tail)
	case len(head) > 2 && !digits(head):
		year, month = yearOf(tail), monthOf(head)
	default:
		year = yearOf(tail)
		if month = smallNumber(head); len(tail) != 4 {
			year = 0
		}
	}
	if year == 0 || month < 1 || month > 12 {
		return 0, 0
	}
	return year, month
}

// cutMonth parts a cell at its only separator.
func cutMonth(b []byte) (head, tail []byte, ok bool) {
	i := bytes.IndexAny(b, "/- ")
	if i < 0 {
		return nil, nil, false
	}
	return b[:i], trim(b[i+1:]), true
}

func monthOf(name []byte) int {
	for i, short := range monthNames {
		if len(name) >= 3 && len(name) <= len("september") && bytes.EqualFold(name[:3], []byte(short)) {
			return i + 1
		}
	}
	return 0
}

func yearOf(b []byte) int {
	n := smallNumber(b)
	switch {
	case len(b) == 2 && n >= 0 && n < centuryPivot:
		return 2000 + n
	case len(b) == 2 && n >= centuryPivot:
		return 1900 + n
	case len(b) == 4 && n >= yearMin && n <= yearMax:
		return n
	}
	return 0
}

// smallNumber reads up to four digits; -1 for anything else.
func smallNumber(b []byte) int {
	if len(b) == 0 || len(b) > 4 || !digits(b) {
		return -1
	}
	n := 0
	for _, x := range b {
		n = n*10 + int(x-'0')
	}
	return n
}

// CharsetOf returns the charset of a single text: UTF-8 if every byte of it is, else Windows-1252.
func CharsetOf(b []byte) Charset {
	if utf8.Valid(b) {
		return UTF8
	}
	return Windows1252
}
