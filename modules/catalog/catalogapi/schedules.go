package catalogapi

import "context"

// Schedules reads the newest Schedules A and B of Form ADV of managers.
type Schedules interface {
	// Schedules returns the rows in the order of the filing that states them. It fails with NotFound if there is no such manager.
	Schedules(ctx context.Context, crd string) ([]ScheduleRow, ListBasis, error)
}

// ScheduleRow is an owner or an executive officer of a manager, as filed. Name, title, month and number of a person are sold.
type ScheduleRow struct {
	Schedule  string // A or B
	Name      string
	Title     *string
	Acquired  *string // month, or year if no month was filed
	OwnerID   *string
	Ownership Ownership
	Control   *bool
	OwnsRow   *int // number of the row in which the share is held, from 1
	Effective Percents

	Person bool // a natural person, as far as the row shows it
	Named  bool // an entity whose name is free: it can name no person
}

// Ownership is a code of ownership with its percentages.
type Ownership struct {
	Code *string `json:"code" enum:"NA,A,B,C,D,E,F" doc:"Code as filed: NA less than 5 percent, A 5 to 10, B 10 to 25, C 25 to 50, D 50 to 75, E 75 or more, F (Schedule B) general partner, trustee or elected manager. Null: not filed." example:"E"`
	Percents
}

// Percents is a range of percentages.
type Percents struct {
	MinPercent *float64 `json:"min_percent" doc:"Lower end. Null: unknown, or code F." example:"75"`
	MaxPercent *float64 `json:"max_percent" doc:"Upper end; the share is below it, or at most 100. Null: unknown, or code F." example:"100"`
}

// SchemaName is its name in the OpenAPI document.
func (Ownership) SchemaName() string { return "Ownership" }

// SchemaName is its name in the OpenAPI document.
func (Percents) SchemaName() string { return "OwnershipPercents" }

// ListBasis is the filing that a list comes from.
type ListBasis struct {
	Stated          bool    `json:"stated" doc:"True if a loaded filing states the list: without rows there are none. False if none does: the list is then unknown." example:"true"`
	AccessionNumber *string `json:"accession_number" doc:"Newest filing that states the list. Null: none, or each row has its own source." example:"ADV-900001-1912345"`
	FilingType      *string `json:"filing_type" enum:"ADV,ADV/A" doc:"Form of that filing." example:"ADV/A"`
	FilingDate      *string `json:"filing_date" format:"date" doc:"Day of that filing." example:"2026-03-28"`
	Source          *string `json:"source" enum:"adv_archive" doc:"Kind of document that contained it." example:"adv_archive"`
}

// SchemaName is its name in the OpenAPI document.
func (ListBasis) SchemaName() string { return "PanelBasis" }
