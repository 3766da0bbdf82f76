// Package team answers who works or worked at an adviser, as filings name them.
package team

import (
	"time"

	"gpatlas/modules/people/internal/title"
)

// Member is a person of a team.
type Member struct {
	ID             string   `json:"id" doc:"The person's ID. It stays." example:"per_k3v7q2mz5xw4n6ta"`
	FullName       string   `json:"full_name" doc:"Name of the person, as filed." example:"Ada Marie Larkspur"`
	Title          *string  `json:"title" nullable:"true" doc:"Title or status as filed. Several are joined by \"; \"." example:"MANAGING PARTNER"`
	Role           string   `json:"role" enum:"partner,md,vp,associate,other" doc:"Role, from the title." example:"partner"`
	SeniorityLevel string   `json:"seniority_level" enum:"senior,mid,junior,staff" doc:"senior: partner, md. mid: vp. junior: associate. staff: other." example:"senior"`
	Functions      []string `json:"functions" nullable:"false" doc:"Functions that the title states at the manager itself, several a person: founder, chair, ceo, president, cio, cfo, coo, cco, cro, cto, gc, ir, managing_partner, partner, managing_member, portfolio_manager, head, secretary, treasurer, director (of the board), limited_partner. Deputies, former holders and officers of another entity have none." example:"[\"managing_partner\",\"partner\"]"`
	TitleSince     *string  `json:"title_since" nullable:"true" doc:"Month in which a title was acquired (YYYY-MM), the earliest of several; the year alone if the filing states no month. Null if it states none." example:"2014-03"`
	JoinedBetween  Joining  `json:"joined_between" doc:"Filings do not state when somebody joined: it was between two filings."`
	// Spec: the real identifier carries the network's name. Filings state none.
	NetworkURL     *string `json:"professional_network_url" nullable:"true" doc:"Profile in a professional network. Filings do not state one."`
	Location       *string `json:"location" nullable:"true" doc:"City and state, or city and country. location_source shows of what. Null: unknown." example:"Boston, MA"`
	LocationSource *string `json:"location_source" nullable:"true" enum:"firm,filing" doc:"firm: the manager's main office. filing: the Form D notice." example:"firm"`
	TenureYears    *int    `json:"tenure_years" nullable:"true" doc:"Whole years since the title was acquired (alumni: until the last filing that names the person). Null if the filing does not say." example:"12"`
	Source         string  `json:"source" enum:"schedules,form_d" doc:"schedules: Schedule A or B of Form ADV. form_d: a Form D notice of one of the manager's funds." example:"schedules"`
	LastNamed      string  `json:"last_named" format:"date" doc:"Date of the last filing that names the person." example:"2026-03-30"`
	PaidBefore     bool    `json:"paid_before" doc:"Whether the account has bought this person before. The person is then free." example:"false"`
}

// SchemaName is its name in the OpenAPI document.
func (Member) SchemaName() string { return "TeamMember" }

// Alumnus is a person whom earlier filings name and the latest does not.
type Alumnus struct {
	Member
	DepartedBetween Departure `json:"departed_between" doc:"Filings do not state when somebody left."`
	CurrentRole     *Position `json:"current_role,omitempty" doc:"Where the latest filing of another manager names the person, former managers left out. Absent if none does."`
}

// SchemaName is its name in the OpenAPI document.
func (Alumnus) SchemaName() string { return "Alumnus" }

// Departure is when a person left.
type Departure struct {
	After  string `json:"after" format:"date" doc:"Date of the last filing that names the person." example:"2024-03-28"`
	Before string `json:"before" format:"date" doc:"Date of the first later filing with a Schedule A, which does not." example:"2025-03-31"`
}

// Position is a person's post elsewhere.
type Position struct {
	CRD   string  `json:"crd" doc:"CRD number of the firm." example:"900002"`
	Firm  string  `json:"firm" doc:"Legal name of the firm." example:"Mossgate Advisers LLC"`
	Title *string `json:"title" nullable:"true" doc:"Title, as filed. Null: not stated." example:"PARTNER"`
	Role  string  `json:"role" enum:"partner,md,vp,associate,other" doc:"Role by the words of the title. other: the title names none of them." example:"partner"`
}

// SchemaName is its name in the OpenAPI document.
func (Position) SchemaName() string { return "CurrentRole" }

// candidate is a person as read, before it is decided what the caller sees.
type candidate struct {
	row
	role      title.Role
	functions []string
	owned     string // the unit under which the account owns the person; empty: it does not
	placed    bool   // the account was given the person at this adviser; then it owns the person
	last      string // for the order of names
	first     string
}

// unit is what the account is charged for: the uid under which it has bought the person, else the person's own.
func (p *candidate) unit() string {
	if p.owned != "" {
		return p.owned
	}
	return p.SoldAs
}

// uids are all under which the account may have bought the person.
func (p *candidate) uids() []string { return append([]string{p.PersonUID}, p.Bought...) }

// Place is where a person is sold: at an adviser (charge.Item).
func Place(crd, unit string) string { return crd + "/" + unit }

// tenure is whole years from one day to another; nil if the first is not known.
func tenure(since *time.Time, until time.Time) *int {
	if since == nil || until.Before(*since) {
		return nil
	}
	years := until.Year() - since.Year()
	if until.YearDay() < time.Date(until.Year(), since.Month(), since.Day(), 0, 0, 0, 0, time.UTC).YearDay() {
		years--
	}
	return &years
}
