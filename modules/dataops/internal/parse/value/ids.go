package value

import (
	"bytes"
	"errors"
	"strings"

	"gpatlas/modules/catalog/catalogapi"
)

// Limits of the identifiers, in digits.
const (
	crdDigitsMax      = 10
	filingIDDigitsMax = 18 // it is kept in 64 bits
)

var (
	errBlank  = errors.New("is blank")
	errCRD    = errors.New("is not a CRD number (1 to 10 digits)")
	errFiling = errors.New("is not a filing number (1 to 18 digits)")
	errFundID = errors.New("is not a fund identification number (805- and ten digits)")
	errFormD  = errors.New("is not a Form D file number (021- and digits)")
)

// CRD reads an organization's CRD number: digits without leading zeros. Leading zeros (a text column padded to ten)
// and a decimal part of zeros (a spreadsheet's 314119.0) are removed, because they change no number; anything else is rejected.
func CRD(b []byte) (string, error) { return number(b, crdDigitsMax, errCRD) }

// FilingID reads a Form ADV filing number by the rules of CRD.
func FilingID(b []byte) (string, error) { return number(b, filingIDDigitsMax, errFiling) }

func number(b []byte, digitsMax int, refusal error) (string, error) {
	b = trim(b)
	if len(b) == 0 {
		return "", errBlank
	}
	if whole, fraction, ok := bytes.Cut(b, []byte{'.'}); ok && len(fraction) > 0 && len(bytes.TrimLeft(fraction, "0")) == 0 {
		b = whole
	}
	s := string(bytes.TrimLeft(b, "0"))
	if !catalogapi.IsNumber(s, digitsMax) {
		return "", refusal
	}
	return s, nil
}

// FundID reads a private fund identification number: "805-" and ten digits.
func FundID(b []byte) (string, error) {
	b = trim(b)
	if len(b) == 0 {
		return "", errBlank
	}
	s := string(b)
	if !catalogapi.IsFundID(s) {
		return "", errFundID
	}
	return s, nil
}

// FormDNumber reads the SEC file number of a Form D: "021-" and up to ten digits.
func FormDNumber(b []byte) (string, error) {
	b = trim(b)
	if len(b) == 0 {
		return "", errBlank
	}
	s := string(b)
	if rest, ok := strings.CutPrefix(s, "021-"); !ok || !catalogapi.IsNumber(rest, 10) {
		return "", errFormD
	}
	return s, nil
}

// LEI returns the legal entity identifier of item 1.P when the cell has the form of one, else "": filers write "N/A"
// or an SEC number there.
func LEI(b []byte) string { return catalogapi.LEIOf(string(trim(b))) }

// unitedStates is the country as the forms print it.
const unitedStates = "United States"

// Postal returns a postal code as filed, and restores US ones that a spreadsheet changed: it takes "02481" for a number and drops
// the leading zero. Three or four bare digits with the country United States are no other ZIP, so their zeros are restored.
func Postal(code, country string) string {
	if !strings.EqualFold(country, unitedStates) || len(code) < 3 || len(code) > 4 || !digits([]byte(code)) {
		return code
	}
	return strings.Repeat("0", 5-len(code)) + code
}

func digits(b []byte) bool {
	for _, x := range b {
		if x < '0' || x > '9' {
			return false
		}
	}
	return true
}
