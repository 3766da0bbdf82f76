package listing

import (
	"regexp"
	"strconv"
	"time"

	"gpatlas/platform/apperr"
	"gpatlas/platform/clock"
	"gpatlas/platform/httpapi"
)

// GPPath is the address of an adviser.
type GPPath struct {
	CRD string `path:"crd" pattern:"^[1-9][0-9]{0,9}$" patternDescription:"a CRD number: 1 to 10 digits without leading zeros" example:"900001" doc:"The adviser's CRD number: 1 to 10 digits without leading zeros."`
}

// NoGP says that no adviser has a CRD.
func NoGP(crd string) *apperr.Error { return apperr.NotFound("GP with CRD %s not found", crd) }

// FundPath is the address of a fund.
type FundPath struct {
	FundID string `path:"fund_id" pattern:"^(805-[0-9]{10}|[1-9][0-9]{0,18})$" patternDescription:"805- and ten digits, or the internal integer id" example:"805-1234567890" doc:"The fund's id, 805- and ten digits, or the internal integer id that lists show."`
}

// FundKey is a fund's address taken apart: either the filed id or the internal one.
type FundKey struct {
	FundID string
	ID     int64
}

var fundID = regexp.MustCompile(`^805-[0-9]{10}$`)

// Key takes the address apart.
func (p FundPath) Key() (FundKey, error) {
	if fundID.MatchString(p.FundID) {
		return FundKey{FundID: p.FundID}, nil
	}
	id, err := strconv.ParseInt(p.FundID, 10, 64)
	if err != nil || id <= 0 {
		return FundKey{}, apperr.Invalid(apperr.FieldError{Field: "fund_id", Message: "must be 805- and ten digits, or the internal integer id"})
	}
	return FundKey{ID: id}, nil
}

// NoFund says that no fund has an id.
func NoFund(id string) *apperr.Error { return apperr.NotFound("Fund %s not found", id) }

// AsOf asks for what the filings up to a day said.
type AsOf struct {
	AsOf httpapi.Opt[httpapi.Date] `query:"as_of" example:"2025-06-30" doc:"Answer with what the filings up to this day said (YYYY-MM-DD, not in the future). Without it: the newest."`
}

// Day is the day asked for, or the zero time for the newest state. A day that has not come yet is refused.
func (a AsOf) Day(clk clock.Clock) (time.Time, error) {
	day, ok := a.AsOf.Get()
	if !ok {
		return time.Time{}, nil
	}
	if today := clk.Now().UTC(); day.After(today) {
		return time.Time{}, apperr.Invalid(apperr.FieldError{
			Field: "as_of", Message: "must not be in the future; today is " + today.Format(time.DateOnly) + " (UTC)",
		})
	}
	return day.Time, nil
}

// NotYet says that a thing is known, but to no filing up to that day.
func NotYet(what string, day, first time.Time) *apperr.Error {
	return apperr.NotFound("%s is in no filing up to %s; the first is of %s", what, day.Format(time.DateOnly), first.Format(time.DateOnly))
}
