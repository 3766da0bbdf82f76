package value

import (
	"bytes"
	"errors"
	"slices"
	"time"
)

var (
	errTruth     = errors.New("is neither true nor false")
	errCIK       = errors.New("is not a CIK (1 to 10 digits)")
	errAccession = errors.New("is not an accession number (0000000000-00-000000)")
	errOffered   = errors.New(`is neither an amount in dollars nor "Indefinite"`)
)

// None reports whether a cell is empty or means "nothing": blank, "None", "N/A", a dash, a dot, zeros. Form D's filers must put
// something into required fields.
func None(b []byte) bool {
	b = trim(b)
	switch {
	case len(bytes.Trim(b, "-–—.0")) == 0:
		return true
	case bytes.EqualFold(b, []byte("None")), bytes.EqualFold(b, []byte("N/A")), bytes.EqualFold(b, []byte("N.A.")),
		string(b) == "NA", string(b) == "na", // "Na" is a name
		bytes.EqualFold(b, []byte("Not Applicable")):
		return true
	}
	return false
}

// Truth reads an answer as the Form D sets and notices give it: true or false, YES or NO, 1 or 0; empty is not answered.
// What it points to is shared: do not write to it.
func Truth(b []byte) (*bool, error) {
	switch b = trim(b); {
	case bytes.EqualFold(b, []byte("true")), len(b) == 1 && b[0] == '1':
		return &yes, nil
	case bytes.EqualFold(b, []byte("false")), len(b) == 1 && b[0] == '0':
		return &no, nil
	}
	answer, err := Flag(b)
	if err != nil {
		return nil, errTruth
	}
	return answer, nil
}

// Offered reads an amount offered: US dollars, or the word Indefinite, for which there is no amount. Empty is neither.
func Offered(b []byte) (amount *int64, indefinite bool, err error) {
	if bytes.EqualFold(trim(b), []byte("Indefinite")) {
		return nil, true, nil
	}
	amount, err = Money(b)
	if errors.Is(err, errMoney) {
		err = errOffered
	}
	return amount, false, err
}

// CIK reads EDGAR's key of a filer without its leading zeros; empty or all zeros is none.
func CIK(b []byte) (string, error) {
	b = bytes.TrimLeft(trim(b), "0")
	if len(b) > 10 || !digits(b) {
		return "", errCIK
	}
	return string(b), nil
}

// accessionDigits are the digits of an accession number: 10 of the filer's, 2 of the year, 6 of the sequence.
const accessionDigits = 18

// Accession reads EDGAR's accession number, with or without dashes, and returns it with them.
func Accession(b []byte) (string, error) {
	b = trim(b)
	if len(b) == 0 {
		return "", errBlank
	}
	if len(b) == accessionDigits+2 && b[10] == '-' && b[13] == '-' {
		b = slices.Concat(b[:10], b[11:13], b[14:])
	}
	if len(b) != accessionDigits || !digits(b) {
		return "", errAccession
	}
	return string(b[:10]) + "-" + string(b[10:12]) + "-" + string(b[12:]), nil
}

// edgarPivot parts the years of two digits: EDGAR's filings begin in 1993, first sales may lie some years before.
const edgarPivot = 80

// EDGARDate is Date that knows how EDGAR's data sets write one too: "29-MAR-2022", "29-MAR-22".
func EDGARDate(b []byte) (time.Time, error) {
	b = trim(b)
	parts := bytes.Split(b, []byte{'-'})
	if len(parts) != 3 || len(parts[1]) != 3 || digits(parts[1]) {
		return Date(b)
	}
	d, m, y := smallNumber(parts[0]), monthOf(parts[1]), smallNumber(parts[2])
	switch {
	case y < 0:
		return time.Time{}, errDate
	case len(parts[2]) == 2 && y >= edgarPivot:
		y += 1900
	case len(parts[2]) == 2:
		y += 2000
	}
	t := time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC)
	if m == 0 || y < yearMin || y > yearMax || t.Day() != d || d < 1 {
		return time.Time{}, errDate
	}
	return t, nil
}

// Year reads a year of four digits that a firm can have been formed in; 0 when the cell has none.
func Year(b []byte) int {
	if b = trim(b); len(b) != 4 {
		return 0
	}
	if y := smallNumber(b); y >= yearFormedMin && y <= yearMax {
		return y
	}
	return 0
}

// yearFormedMin is before the oldest firm that could offer securities today.
const yearFormedMin = 1600
