package listing

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/apperr"
	"gpatlas/platform/httpapi"
)

// FundKey is a fund's address taken apart: either the filed id or the internal one.
type FundKey struct {
	FundID string
	ID     int64
}

// KeyOf takes the address of a fund apart.
func KeyOf(address string) (FundKey, error) {
	if catalogapi.IsFundID(address) {
		return FundKey{FundID: address}, nil
	}
	id, err := strconv.ParseInt(address, 10, 64)
	if err != nil || id <= 0 {
		return FundKey{}, apperr.Invalid(apperr.FieldError{Field: "fund_id", Message: "must be 805- and ten digits, or the internal integer ID"})
	}
	return FundKey{ID: id}, nil
}

// NoFund is the error for an ID that no fund has.
func NoFund(id string) *apperr.Error { return apperr.NotFound("Fund %s not found", id) }

// MomentText is how the descriptions of details explain platform/moment's parameters.
const MomentText = "`as_of` uses the filings made up to that day. `known_at` uses the filings that the service had processed at that time. They differ because filings arrive late: a filing of March 31 that was processed on April 5 is part of `as_of=2025-04-01`, but not of `known_at=2025-04-01`. If a filing was restated later, `as_of` uses its newest version and `known_at` the version of that time. With both, the response uses the filings made up to the day, as known at that time."

// ProvenanceText is how the descriptions of details explain what Include asks for.
const ProvenanceText = "With `include=provenance`, the response names the filing that each value comes from, for each field that is not null. This also works with `as_of` and `known_at`."

// Include asks for parts of a detail that are not always there.
type Include struct {
	Include httpapi.Opt[string] `query:"include" example:"provenance" doc:"Parts to add, separated by commas. The only part is provenance: the filing that each value comes from."`
}

// included are the known parts.
var included = []string{"provenance"}

// Provenance reports whether the filing of each value was asked for. Unknown parts are rejected.
func (in Include) Provenance() (bool, error) {
	list, ok := in.Include.Get()
	if !ok {
		return false, nil
	}
	asked := false
	for part := range strings.SplitSeq(list, ",") {
		part = strings.TrimSpace(part)
		if !slices.Contains(included, part) {
			return false, apperr.Invalid(apperr.FieldError{
				Field: "include", Message: fmt.Sprintf("%q cannot be included; the parts are %s%s", apperr.Short(part), strings.Join(included, ", "),
					httpapi.DidYouMean(part, included)),
			})
		}
		asked = asked || part == "provenance"
	}
	return asked, nil
}

// NotYet says that a thing is known, but to no filing that counts at a moment. It does not say when the first one came:
// that is later than the moment.
func NotYet(what string, at catalogapi.Moment) *apperr.Error {
	day, known := at.Day.Format(time.DateOnly), at.Known.UTC().Format(time.RFC3339Nano)
	switch {
	case at.Known.IsZero():
		return apperr.NotFound("%s is in no filing up to %s", what, day)
	case at.Day.IsZero():
		return apperr.NotFound("%s was in no filing processed by %s", what, known)
	}
	return apperr.NotFound("%s was in no filing up to %s processed by %s", what, day, known)
}
