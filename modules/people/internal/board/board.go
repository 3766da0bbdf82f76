// Package board reads the public job boards of three vendors: Greenhouse, Lever and Ashby. Each of them lists all open
// postings of a customer as JSON, without a key.
package board

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/apperr"
)

// Vendor is a company that runs boards.
type Vendor string

// The vendors. Lever has two separate installations.
const (
	Greenhouse Vendor = "greenhouse"
	Lever      Vendor = "lever"
	LeverEU    Vendor = "lever-eu"
	Ashby      Vendor = "ashby"
)

// Board is one adviser's board. Token is the board's name at the vendor.
type Board struct {
	CRD    string
	Vendor Vendor
	Token  string
}

// Posting is an open position. Fields that the board does not state are empty.
type Posting struct {
	ID             string // the vendor's
	Title          string
	Department     string // several are joined by "; "
	Location       string
	EmploymentType string
	URL            string
	PostedAt       *time.Time // UTC
}

// A token becomes a segment of a path, so it must not begin with a dot, nor contain a slash, a question mark or a percent sign.
var tokenPattern = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$`)

var wrongCRD = apperr.FieldError{Field: "crd", Message: "must be a CRD number: 1 to 10 digits without leading zeros"}

// CheckCRD rejects values that cannot be a CRD number.
func CheckCRD(crd string) error {
	if !catalogapi.IsCRD(crd) {
		return apperr.Invalid(wrongCRD)
	}
	return nil
}

// New checks the parts of a board's name.
func New(crd, vendor, token string) (Board, error) {
	var faults []apperr.FieldError
	if !catalogapi.IsCRD(crd) {
		faults = append(faults, wrongCRD)
	}
	if hosts[Vendor(vendor)] == "" {
		faults = append(faults, apperr.FieldError{Field: "vendor", Message: "must be one of greenhouse, lever, lever-eu, ashby"})
	}
	if !tokenPattern.MatchString(token) {
		faults = append(faults, apperr.FieldError{
			Field: "token", Message: "must be the board's name as in the URL of the board: 1 to 100 letters, digits, dots, hyphens and underscores",
		})
	}
	if len(faults) > 0 {
		return Board{}, apperr.Invalid(faults...)
	}
	return Board{crd, Vendor(vendor), token}, nil
}

var fileDay = regexp.MustCompile(`\.([0-9]{4}-[0-9]{2}-[0-9]{2})$`)

var errFileName = errors.New("not named CRD.VENDOR.TOKEN.json or CRD.VENDOR.TOKEN.YYYY-MM-DD.json")

// OfFile reads the board from the name of a recorded listing, and the day of the listing if the name has one.
func OfFile(path string) (b Board, day time.Time, err error) {
	name := filepath.Base(path)
	fault := func(err error) (Board, time.Time, error) {
		return Board{}, time.Time{}, fmt.Errorf("%s: %w", name, err)
	}
	stem, ok := strings.CutSuffix(name, ".json")
	if !ok {
		return fault(errFileName)
	}
	if found := fileDay.FindStringSubmatch(stem); found != nil {
		if day, err = time.Parse(time.DateOnly, found[1]); err != nil {
			return fault(err)
		}
		stem = strings.TrimSuffix(stem, found[0])
	}
	parts := strings.SplitN(stem, ".", 3)
	if len(parts) != 3 {
		return fault(errFileName)
	}
	if b, err = New(parts[0], parts[1], parts[2]); err != nil {
		return fault(err)
	}
	return b, day, nil
}

// Name is the board's name in commands.
func (b Board) Name() string { return b.CRD + " " + string(b.Vendor) + " " + b.Token }

// Page is the board's public page.
func (b Board) Page() string { return pages[b.Vendor] + b.Token }

// hosts are fixed, so that no setting or token can send requests elsewhere.
var hosts = map[Vendor]string{
	Greenhouse: "boards-api.greenhouse.io",
	Lever:      "api.lever.co",
	LeverEU:    "api.eu.lever.co",
	Ashby:      "api.ashbyhq.com",
}

var pages = map[Vendor]string{
	Greenhouse: "https://boards.greenhouse.io/",
	Lever:      "https://jobs.lever.co/",
	LeverEU:    "https://jobs.eu.lever.co/",
	Ashby:      "https://jobs.ashbyhq.com/",
}
