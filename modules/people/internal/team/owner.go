package team

import (
	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/httpapi"
)

// OwnerPerson is a person in the newest Schedules A and B of a manager.
type OwnerPerson struct {
	ID         string    `json:"id" doc:"The person's ID. It stays." example:"per_k3v7q2mz5xw4n6ta"`
	FullName   string    `json:"full_name" doc:"Name of the person, as filed." example:"Ada Marie Larkspur"`
	PaidBefore bool      `json:"paid_before" doc:"Whether the account has bought this person before, here or with a team or its alumni. The person is then free." example:"false"`
	Holdings   []Holding `json:"holdings" nullable:"false" doc:"Rows of the person, and of vehicles that have the person's first and last name. A row that names several people is here if all of them are in the response."`
}

// Holding is a row of the schedules that names a person.
type Holding struct {
	Row       int                  `json:"row" doc:"Number of the row in the list of owners, from 1." example:"2"`
	Schedule  string               `json:"schedule" enum:"A,B" doc:"A: direct owners and executive officers of the manager. B: owners of its owners." example:"A"`
	Through   *string              `json:"through" doc:"Trust, estate, account or other vehicle that holds the share, as filed. Null: the person does." example:"ADA M LARKSPUR REVOCABLE TRUST"`
	Title     *string              `json:"title" doc:"Title or status, as filed. Null: not stated." example:"MANAGING PARTNER"`
	Acquired  *string              `json:"acquired" doc:"Month, or year, in which the title or status was acquired. Null: not filed." example:"2012-03"`
	Ownership catalogapi.Ownership `json:"ownership" doc:"Share in the manager (Schedule A) or in the entity of owns_row (Schedule B)."`
	Control   *bool                `json:"control" doc:"True if the owner controls the manager (control person). Null: not stated." example:"true"`
	OwnsRow   *int                 `json:"owns_row" doc:"For Schedule B, the row in the list of owners in which the share is held. Null: Schedule A, or no row has this name." example:"1"`
	Effective catalogapi.Percents  `json:"effective" doc:"Share in the manager itself. Null: unknown, as in the list of owners."`
}

// OwnersInput asks for the people who own a manager.
type OwnersInput struct {
	catalogapi.GPPath
	Window
	MinPercent httpapi.Opt[float64] `query:"min_percent" minimum:"0" maximum:"100" example:"25" doc:"Only people with at least this share in the manager itself: effective.min_percent of a row. An unknown share matches nothing."`
	Control    httpapi.Opt[bool]    `query:"control" example:"true" doc:"True: only people with a row that controls the manager. False: only those with a row that states that it does not."`
}

func (in *OwnersInput) filtered() bool { return in.MinPercent.Set || in.Control.Set }

// finds reports whether one row has all that is asked for.
func (in *OwnersInput) finds(r *catalogapi.ScheduleRow) bool {
	if in.Control.Set && (r.Control == nil || *r.Control != in.Control.Value) {
		return false
	}
	return !in.MinPercent.Set || r.Effective.MinPercent != nil && *r.Effective.MinPercent >= in.MinPercent.Value
}

// OwnersFilters are the filters as they were applied.
type OwnersFilters struct {
	Limit      int      `json:"limit" doc:"Most people that the response may have." example:"50"`
	MinPercent *float64 `json:"min_percent,omitempty" doc:"The least share in the manager. Absent: not sent." example:"25"`
	Control    *bool    `json:"control,omitempty" doc:"Whether a row controls the manager. Absent: not sent." example:"true"`
}

// OwnersMeta describes the people who own a manager.
type OwnersMeta struct {
	Cost
	Basis          catalogapi.ListBasis `json:"basis" doc:"Filing that the list comes from."`
	FiltersApplied OwnersFilters        `json:"filters_applied" doc:"The filters, as they were understood."`
}

// SchemaName is its name in the OpenAPI document.
func (OwnersMeta) SchemaName() string { return "OwnerPersonsMeta" }

const ownersText = `Lists the people in Schedules A and B of the newest Form ADV that has them, with titles, months and shares: the people whose rows in the list of owners have no name. Each person in the response is charged. People come in the order of their first rows.

A row is left out if the filing does not show whose it is, or if the person has objected to being shown. A vehicle is shown with the person whose first and last name it has.

With ` + "`min_percent` and `control`" + `, unpaid responses follow from the rows without names in the free list, and ` + "`total_available`" + ` is null: the response that is paid shows which rows belong to one person.` + mostText + `

An account pays for each person once: people bought before are free, here and in the operations on teams and alumni. With a test key, everything about a person is invented, the ID too, and nothing is charged.`
