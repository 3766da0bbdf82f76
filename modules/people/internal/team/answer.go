package team

import (
	"strings"
	"time"

	"gpatlas/modules/people/internal/title"
)

// toMember converts a person for responses.
func (s *Service) toMember(p *candidate, firm *gp, until time.Time) Member {
	m := Member{
		ID: p.PersonUID, FullName: p.FullName, Title: p.Title, Role: string(p.role), SeniorityLevel: p.role.Level(),
		Functions: p.functions, TitleSince: p.titleSince(), JoinedBetween: p.joining(),
		TenureYears: tenure(p.AcquiredOn, until), Source: p.Source, LastNamed: day(p.NamedUntil), PaidBefore: p.owned != "",
	}
	if m.Functions == nil {
		m.Functions = []string{}
	}
	m.Location, m.LocationSource = location(p.City, p.State, "filing")
	if m.Location == nil {
		m.Location, m.LocationSource = location(firm.City, firm.region(), "firm")
	}
	return m
}

// region is the state, else the country.
func (g *gp) region() string {
	if g.State != "" {
		return g.State
	}
	return g.Country
}

func location(city, region, source string) (where, from *string) {
	parts := make([]string, 0, 2)
	for _, part := range []string{city, region} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	if len(parts) == 0 {
		return nil, nil
	}
	joined := strings.Join(parts, ", ")
	return &joined, &source
}

func day(t time.Time) string { return t.Format(time.DateOnly) }

func dayOf(t *time.Time) *string {
	if t == nil {
		return nil
	}
	text := day(*t)
	return &text
}

func (s *Service) toMembers(people []candidate, firm *gp) []Member {
	list := make([]Member, len(people))
	for i := range people {
		list[i] = s.toMember(&people[i], firm, s.clock.Now().UTC())
	}
	return list
}

// toAlumni converts people who have left for responses.
func (s *Service) toAlumni(people []candidate, firm *gp, now map[string]Position) []Alumnus {
	list := make([]Alumnus, len(people))
	for i := range people {
		p := &people[i]
		list[i] = Alumnus{Member: s.toMember(p, firm, p.NamedUntil), DepartedBetween: Departure{After: day(p.NamedUntil), Before: day(*p.LeftBefore)}}
		if at, ok := now[p.PersonUID]; ok {
			list[i].CurrentRole = &at
		}
	}
	return list
}

// Preview is what is known about a team, without names.
type Preview struct {
	CRD        string         `json:"crd" doc:"CRD number of the manager." example:"900001"`
	TotalCount *int           `json:"total_count" nullable:"true" doc:"People on the team. Null if unknown: see reason." example:"9"`
	Reason     *string        `json:"reason" nullable:"true" doc:"Why the counts and costs are null: filings of the manager were loaded a short time ago and their people are not read yet, or no filing that could name people was loaded. Null if there are counts."`
	Seniority  BySeniority    `json:"by_seniority" doc:"Number of people by seniority level."`
	Roles      ByRole         `json:"by_role" doc:"Number of people by role."`
	Functions  map[string]int `json:"by_function" nullable:"true" doc:"Number of people by function; a person can have several. Null while they are not read." example:"{\"ceo\":1,\"cfo\":1,\"partner\":3}"`
	Joined     *int           `json:"joined_last_12_months" nullable:"true" doc:"People who may have joined in the last 12 months: joined_between.before is within them, and a filing without the person or a month of a title is known. Null while people are not read." example:"1"`
	Tenure     TenureRange    `json:"tenure_range" doc:"Shortest and longest time in a position on the team."`
	Alumni     AlumniCount    `json:"alumni" doc:"Former members of the team."`
	Career     Availability   `json:"career_data" doc:"Whether there are careers, and what they contain."`
	Cost       *string        `json:"cost" nullable:"true" doc:"The most that the whole team costs this account: people it has bought here are free. People it has bought at another manager are free, too, but not left out here." example:"$4.50"`
	Coverage   Coverage       `json:"coverage" doc:"What filings show of a team, and what they do not."`
}

// SchemaName is its name in the OpenAPI document.
func (Preview) SchemaName() string { return "TeamPreview" }

// BySeniority counts people by seniority level.
type BySeniority struct {
	Senior *int `json:"senior" nullable:"true" doc:"People with the role partner or md." example:"6"`
	Mid    *int `json:"mid" nullable:"true" doc:"People with the role vp." example:"2"`
	Junior *int `json:"junior" nullable:"true" doc:"People with the role associate." example:"0"`
	Staff  *int `json:"staff" nullable:"true" doc:"People with the role other." example:"1"`
}

// ByRole counts people by role.
type ByRole struct {
	Partner   *int `json:"partner" nullable:"true" doc:"Founders, partners, managing members, chief executives and presidents." example:"3"`
	MD        *int `json:"md" nullable:"true" doc:"Managing and executive directors, other chiefs, general counsels and heads of departments." example:"3"`
	VP        *int `json:"vp" nullable:"true" doc:"Principals, vice presidents and directors." example:"2"`
	Associate *int `json:"associate" nullable:"true" doc:"Associates and analysts." example:"0"`
	Other     *int `json:"other" nullable:"true" doc:"All others: members, shareholders, limited partners." example:"1"`
}

// TenureRange is the shortest and the longest tenure.
type TenureRange struct {
	MinYears *int `json:"min_years" nullable:"true" doc:"Whole years. Null: no beginning is known." example:"1"`
	MaxYears *int `json:"max_years" nullable:"true" doc:"Whole years. Null: no beginning is known." example:"22"`
	Known    *int `json:"known" nullable:"true" doc:"People whose tenure is known." example:"8"`
}

// AlumniCount is how many alumni are known.
type AlumniCount struct {
	Available *bool   `json:"available" nullable:"true" doc:"True if a former member is known." example:"true"`
	Count     *int    `json:"count" nullable:"true" doc:"Former members that are known." example:"4"`
	Cost      *string `json:"cost" nullable:"true" doc:"The most that all of them cost this account." example:"$2.00"`
}

// Availability reports whether a value is available, and why not.
type Availability struct {
	Available *bool  `json:"available" nullable:"true" doc:"True if a member or a former member is known." example:"true"`
	Reason    string `json:"reason" doc:"What careers contain." example:"Filings tell titles over the years. Education and employment elsewhere are known only as far as providers know them."`
}

// SchemaName is its name in the OpenAPI document.
func (Availability) SchemaName() string { return "CareerAvailability" }

// Coverage is the data that the figures are based on.
type Coverage struct {
	ScheduleFilings *int    `json:"schedule_filings" nullable:"true" doc:"Filings of Form ADV with a Schedule A." example:"7"`
	From            *string `json:"from" format:"date" nullable:"true" doc:"Date of the first of them." example:"2019-03-29"`
	Until           *string `json:"until" format:"date" nullable:"true" doc:"Date of the newest, which names the team." example:"2026-03-30"`
	Notices         *int    `json:"form_d_notices" nullable:"true" doc:"Form D notices of the manager's funds that name people." example:"3"`
	NoticesUntil    *string `json:"form_d_until" format:"date" nullable:"true" doc:"Date of the newest of them." example:"2026-06-12"`
	Lapsed          *int    `json:"lapsed" nullable:"true" doc:"People whom only Form D notices name, none of the last two years. They count neither as team nor as alumni." example:"1"`
	Note            string  `json:"note" doc:"What the figures cover, in words."`
}

// SchemaName is its name in the OpenAPI document.
func (Coverage) SchemaName() string { return "TeamCoverage" }

const coverageNote = "Schedules A and B name executive officers, directors, general partners, and owners of 5 percent or more. Vice presidents, associates and analysts are almost never in them, so the team here is its senior part."

const careerReason = "Filings tell titles over the years. Education and employment elsewhere are known only as far as providers know them."

func (s *Service) summary(crd string, firm *gp, on, gone []candidate) Preview {
	p := Preview{
		CRD: crd, TotalCount: new(len(on)),
		Alumni:   AlumniCount{Available: new(len(gone) > 0), Count: new(len(gone))},
		Career:   Availability{Available: new(len(on)+len(gone) > 0), Reason: careerReason},
		Coverage: coverage(firm),
	}
	count, known, joined, yearAgo := map[title.Role]int{}, 0, 0, s.clock.Now().UTC().AddDate(-1, 0, 0)
	for i := range on {
		count[on[i].role]++
		if on[i].joinedAfter(yearAgo) {
			joined++
		}
		years := tenure(on[i].AcquiredOn, s.clock.Now().UTC())
		if years == nil {
			continue
		}
		known++
		if p.Tenure.MinYears == nil || *years < *p.Tenure.MinYears {
			p.Tenure.MinYears = years
		}
		if p.Tenure.MaxYears == nil || *years > *p.Tenure.MaxYears {
			p.Tenure.MaxYears = years
		}
	}
	p.Tenure.Known, p.Functions, p.Joined = &known, byFunction(on), &joined
	of := func(roles ...title.Role) *int {
		sum := 0
		for _, r := range roles {
			sum += count[r]
		}
		return &sum
	}
	p.Roles = ByRole{of(title.Partner), of(title.MD), of(title.VP), of(title.Associate), of(title.Other)}
	p.Seniority = BySeniority{of(title.Partner, title.MD), of(title.VP), of(title.Associate), of(title.Other)}
	return p
}

func coverage(firm *gp) Coverage {
	return Coverage{
		ScheduleFilings: new(int(firm.Schedules)), From: dayOf(firm.SchedulesFrom), Until: dayOf(firm.SchedulesUntil),
		Notices: new(int(firm.Notices)), NoticesUntil: dayOf(firm.NoticesUntil), Lapsed: new(int(firm.Lapsed)), Note: coverageNote,
	}
}

// unknown is the preview of a team that is not read yet, or was not filed: counts are unknown rather than zero.
func unknown(crd, why string, known Coverage) Preview {
	return Preview{CRD: crd, Reason: &why, Career: Availability{Reason: why}, Coverage: known}
}
