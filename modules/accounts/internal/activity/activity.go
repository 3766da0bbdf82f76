// Package activity answers what has happened to the GPs on a person's watchlist. Nothing is stored for it: the feed is read
// from the catalog and the log of changes each time, so a GP's past is there as soon as it is watched. Events are in the order in which they became
// known, which is the commit order of the catalog's loads: a caller who follows the cursor neither misses an event nor gets one
// twice.
package activity

import (
	"slices"
	"strings"
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/apperr"
	"gpatlas/platform/httpapi"
)

// Type is what has happened.
type Type string

// The types of events.
const (
	NewFiling Type = "new_filing"
	NewFund   Type = "new_fund"

	AUMChange       = Type(catalogapi.ChangeAUM)
	FundClose       = Type(catalogapi.ChangeFundClose)
	PersonnelChange = Type(catalogapi.ChangePersonnel)
)

var (
	// defaultTypes are those that the contract has.
	//
	// Spec: not shown; all types are the default there, and three more are planned. The default stays, so that no caller gets events of an unknown type.
	defaultTypes = []Type{NewFiling, NewFund}
	// loggedTypes are read from the log of changes, which does not have what happened before it began. The others are read from the catalog.
	loggedTypes = []Type{AUMChange, FundClose, PersonnelChange}
	// allTypes in the order of the contract, which types_included keeps.
	allTypes = slices.Concat(defaultTypes, loggedTypes)
)

// Event is one thing that has happened to a watched GP.
//
// Spec: which day an event has is not shown; event_date is that of the filing, known_at is when it could first be seen here.
// since and its 30 days mean event_date. Order and cursors use known_at, because filings are loaded later, and not in the order
// of their days.
type Event struct {
	Type      Type      `json:"type" enum:"new_filing,new_fund,aum_change,fund_close,personnel_change" doc:"Type of the event." example:"new_filing"`
	CRD       string    `json:"crd" doc:"CRD number of the GP." example:"900001"`
	GPName    string    `json:"gp_name" doc:"Legal name of the GP (Form ADV item 1.A)." example:"Harbor Ridge Capital Partners LLC"`
	EventDate time.Time `json:"event_date" doc:"Filing time (UTC). Form ADV: time of submission. Form D: its day. Fund: day of the first filing that reports it. Others: day of the filing that brought the change, or the time of the change. Days are at midnight." example:"2026-11-12T15:04:00.000000Z"`
	KnownAt   time.Time `json:"known_at" doc:"When GP Atlas could first show the event (UTC). Events are sorted by this time." example:"2026-11-14T06:00:14.250000Z"`
	Details   Details   `json:"details" doc:"Details. new_filing: form_type, accession_number, filing_date and processed_at. new_fund and fund_close: fund_name and fund_id. aum_change: changed. personnel_change: changed; it does not say who it is."`
}

// SchemaName is its name in the OpenAPI document.
func (Event) SchemaName() string { return "ActivityEvent" }

// Details belong to the event's type; all others are absent.
type Details struct {
	// Spec: it names ADV, ADV/A and D. An amendment of a Form D is D/A, as in the filings of a manager: D would hide that it is one.
	FormType        string     `json:"form_type,omitempty" enum:"ADV,ADV/A,D,D/A" doc:"Form type. D/A is an amendment of a Form D." example:"ADV/A"`
	AccessionNumber string     `json:"accession_number,omitempty" doc:"Key of the filing." example:"ADV-900001-2001"`
	FilingDate      string     `json:"filing_date,omitempty" format:"date" doc:"Date of the filing." example:"2026-11-12"`
	ProcessedAt     *time.Time `json:"processed_at,omitempty" doc:"When the filing was loaded into the catalog (UTC)." example:"2026-11-14T06:00:12.000000Z"`
	FundName        string     `json:"fund_name,omitempty" doc:"Name of the fund (Form ADV Schedule D, section 7.B.(1), item A.1(a))." example:"Harbor Ridge Growth Fund III, L.P."`
	FundID          string     `json:"fund_id,omitempty" doc:"Identification number of the fund (item A.1(b))." example:"805-0000000012"`
	Changed         []Change   `json:"changed,omitempty" doc:"Fields that have changed, with their values. A person whose current was false has come, one whose current is false now has left."`
}

// Change is a field that has changed.
type Change struct {
	Field  string `json:"field" doc:"total_aum, raum_discretionary or raum_non_discretionary of the GP. Of a person: current, role or seniority_level." example:"total_aum"`
	Before any    `json:"before" doc:"Value before: number, boolean, string or null." example:"2300000000"`
	After  any    `json:"after" doc:"Value after, of the same types." example:"2500000000"`
}

// SchemaName is its name in the OpenAPI document.
func (Change) SchemaName() string { return "ActivityChange" }

// SchemaName is its name in the OpenAPI document.
func (Details) SchemaName() string { return "ActivityDetails" }

const typesMessage = "must be new_filing, new_fund, aum_change, fund_close, personnel_change, or several of them separated by commas"

func texts(types []Type) (list []string) {
	for _, t := range types {
		list = append(list, string(t))
	}
	return list
}

// parseTypes reads types separated by commas; without any they are the default ones.
func parseTypes(text string, sent bool) ([]Type, *apperr.FieldError) {
	if !sent {
		return slices.Clone(defaultTypes), nil
	}
	asked := map[Type]bool{}
	for part := range strings.SplitSeq(text, ",") {
		t := Type(strings.TrimSpace(part))
		if !slices.Contains(allTypes, t) {
			return nil, &apperr.FieldError{Field: "types", Message: typesMessage + httpapi.DidYouMean(part, texts(allTypes))}
		}
		asked[t] = true
	}
	included := make([]Type, 0, len(asked))
	for _, t := range allTypes {
		if asked[t] {
			included = append(included, t)
		}
	}
	return included, nil
}

// window is how far back the feed goes by default.
const window = 30 * 24 * time.Hour

// parseInstant reads an ISO 8601 datetime.
//
// Spec: an ISO 8601 datetime; one without an offset is taken as UTC, and a day as its beginning.
func parseInstant(field, text string) (time.Time, *apperr.FieldError) {
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04", time.DateOnly} {
		if at, err := time.Parse(layout, text); err == nil {
			return at.UTC(), nil
		}
	}
	return time.Time{}, &apperr.FieldError{
		Field: field, Message: "must be an ISO 8601 date and time such as 2026-11-01T00:00:00Z; write the + of an offset as %2B",
	}
}
