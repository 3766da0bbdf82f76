// Package changefeed answers what has changed: GET /v1/changes reads the log of changes from a cursor on, and can wait for what comes.
package changefeed

import (
	"encoding/json"
	"fmt"
	"time"

	"gpatlas/platform/changes"
)

// Event is a change.
type Event struct {
	ID              string     `json:"id" doc:"ID of the event. No two events have the same, and later events have greater IDs." example:"chg_0000000000001a2b"`
	Kind            string     `json:"kind" doc:"What has happened: see GET /v1/changes/kinds." example:"aum_change"`
	At              time.Time  `json:"at" doc:"When the event was written to the log (UTC)." example:"2026-11-14T06:00:14.250000Z"`
	KnownAt         time.Time  `json:"known_at" doc:"The first time at which GP Atlas shows the change (UTC). Send it as known_at to get the state after the event." example:"2026-11-14T06:00:14.300000Z"`
	CRD             *string    `json:"crd" doc:"CRD number of the GP. Null: the event is about the whole catalog." example:"900001"`
	GPName          *string    `json:"gp_name" doc:"Legal name of the GP after the event." example:"Harbor Ridge Capital Partners LLC"`
	FundID          *string    `json:"fund_id" doc:"Fund that the event is about." example:"805-0000000012"`
	FundName        *string    `json:"fund_name" doc:"Name of the fund after the event." example:"Harbor Ridge Growth Fund III, L.P."`
	AccessionNumber *string    `json:"accession_number" doc:"Filing that brought the change. Null: none, or it is not known which." example:"ADV-900001-2001"`
	FilingDate      *string    `json:"filing_date" format:"date" doc:"Date of that filing. Of a correction: the day from which on it holds." example:"2026-11-12"`
	FormType        *string    `json:"form_type" enum:"ADV,ADV/A,D,D/A" doc:"Form type of a new or restated filing." example:"ADV/A"`
	Reason          string     `json:"reason" enum:"filing,list,calendar,correction" doc:"filing: a filing was loaded. list: a list of advisers names the GP no longer, or an LP's list has changed. calendar: the value depends on the day. correction: an operator has corrected a value." example:"filing"`
	Changed         []Change   `json:"changed" doc:"Fields that have changed. Empty for new_filing, filing_restated, lp_commitment, and removed events of a person."`
	Links           EventLinks `json:"links" doc:"Where to read more."`
}

// SchemaName is its name in the OpenAPI document.
func (Event) SchemaName() string { return "ChangeEvent" }

// Change is a field that has changed.
type Change struct {
	Field  string `json:"field" doc:"Field of GET /v1/gps/{crd} or GET /v1/funds/{fund_id}; of personnel_change: current, role or seniority_level." example:"total_aum"`
	Before any    `json:"before" doc:"Value before: number, string, boolean, list of strings or null." example:"2300000000"`
	After  any    `json:"after" doc:"Value after, of the same types." example:"2500000000"`
}

// SchemaName is its name in the OpenAPI document.
func (Change) SchemaName() string { return "ChangedField" }

// EventLinks are paths of this API.
type EventLinks struct {
	GP   *string `json:"gp" doc:"The GP." example:"/v1/gps/900001"`
	Fund *string `json:"fund" doc:"The fund." example:"/v1/funds/805-0000000012"`
}

// SchemaName is its name in the OpenAPI document.
func (EventLinks) SchemaName() string { return "ChangeLinks" }

// event makes an event of an entry of the log.
func event(e *changes.Event, known time.Time) (Event, error) {
	var said struct {
		GPName   *string  `json:"gp_name"`
		FundName *string  `json:"fund_name"`
		FormType *string  `json:"form_type"`
		Reason   string   `json:"reason"`
		Changed  []Change `json:"changed"`
	}
	if err := json.Unmarshal(e.Said, &said); err != nil {
		return Event{}, fmt.Errorf("read change %d: %w", e.Seq, err)
	}
	out := Event{
		ID: fmt.Sprintf("chg_%016x", e.Seq), Kind: e.Kind, At: e.At, KnownAt: known, CRD: stated(e.CRD), GPName: said.GPName, FundName: said.FundName,
		AccessionNumber: stated(e.Accession), FormType: said.FormType, Reason: said.Reason, Changed: said.Changed,
	}
	if out.Changed == nil {
		out.Changed = []Change{}
	}
	if e.Kind == kindPersonnel {
		out.Reason = "filing" // also where changes.Forget has removed what the event said
	}
	if e.Day != nil {
		out.FilingDate = new(e.Day.Format(time.DateOnly))
	}
	if e.CRD != "" {
		out.Links.GP = new("/v1/gps/" + e.CRD)
	}
	if said.FundName != nil {
		out.FundID, out.Links.Fund = stated(e.Subject), new("/v1/funds/"+e.Subject)
	}
	if e.Kind == kindRetracted {
		out.Links.Fund = nil
	}
	return out, nil
}

func stated(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
