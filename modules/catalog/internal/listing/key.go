package listing

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/apperr"
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

// MomentText is how the descriptions of details explain platform/moment's parameters.
const MomentText = "`as_of` answers with what the filings made up to that day said; `known_at` with what the service could answer at that instant, when it had processed the filings that count. They differ because filings arrive late: a filing of 31 March that was processed on 5 April is in `as_of=2025-04-01`, but not in `known_at=2025-04-01`. A filing that was restated since is read in `known_at` as it stood then. Both together: the filings made up to the day, as they were known at the instant."

// ProvenanceText is how the descriptions of details explain what Include asks for.
const ProvenanceText = "With `include=provenance` the answer names for each field that is not null the filing that its value comes from, with `as_of` and `known_at` too."

// Include asks for parts of a detail that are not always there.
type Include struct {
	Include httpapi.Opt[string] `query:"include" example:"provenance" doc:"What to add, separated by commas. Only: provenance, the filing that each field's value comes from."`
}

// included are the parts that there are.
var included = []string{"provenance"}

// Provenance says whether the filing of each value was asked for. Parts that there are not are refused.
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
				Field: "include", Message: fmt.Sprintf("%q cannot be included; the parts are %s%s", short(part), strings.Join(included, ", "),
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
	day, known := at.Day.Format(time.DateOnly), at.Known.UTC().Format(time.RFC3339)
	switch {
	case at.Known.IsZero():
		return apperr.NotFound("%s is in no filing up to %s", what, day)
	case at.Day.IsZero():
		return apperr.NotFound("%s was in no filing that had been processed by %s", what, known)
	}
	return apperr.NotFound("%s was in no filing up to %s that had been processed by %s", what, day, known)
}
