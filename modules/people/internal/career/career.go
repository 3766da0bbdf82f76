// Package career answers people's education and employment over the years.
package career

import (
	"slices"
	"strings"
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/people/internal/enrichment"
	"gpatlas/modules/people/internal/identity"
	"gpatlas/modules/people/internal/person"
	"gpatlas/modules/people/internal/title"
)

// History is a person's education and employment, each in chronological order.
type History struct {
	PersonUID  string          `json:"person_uid" doc:"The person's ID. It is another one than the requested if records of the person have merged." example:"per_k3v7q2mz5xw4n6ta"`
	FullName   string          `json:"full_name" doc:"Name of the person, as filed." example:"Ada Marie Larkspur"`
	Education  []person.School `json:"education" doc:"The earliest first. Filings state none."`
	Employment []Employment    `json:"employment" doc:"The earliest first. A change of title begins a new entry."`
	PaidBefore bool            `json:"paid_before" doc:"Whether the account has bought this history before. It is then free." example:"false"`
}

// SchemaName is its name in the OpenAPI document.
func (History) SchemaName() string { return "PersonHistory" }

// Employment is a period in which a person had one title at one firm.
type Employment struct {
	person.Job
	Role           string `json:"role" enum:"partner,md,vp,associate,other" doc:"Role, from the title." example:"partner"`
	SeniorityLevel string `json:"seniority_level" enum:"senior,mid,junior,staff" doc:"Seniority level, from the role." example:"senior"`
	// Filings prove employment only on their own days.
	FirstFiled  *string `json:"first_filed" nullable:"true" format:"date" doc:"First filing that names the person with this title." example:"2019-03-29"`
	LastFiled   *string `json:"last_filed" nullable:"true" format:"date" doc:"Last filing that does." example:"2024-03-28"`
	EndedBefore *string `json:"ended_before" nullable:"true" format:"date" doc:"First later filing that does not, else the day on which the manager withdrew or the lists dropped it. The title ended between the two." example:"2025-03-31"`
}

// SchemaName is its name in the OpenAPI document.
func (Employment) SchemaName() string { return "PersonEmployment" }

// merge combines what filings and providers state about a person.
func merge(h *person.Head, spells []identity.Spell, p *enrichment.Profile) History {
	history := History{PersonUID: h.PersonUID, FullName: h.FullName, Education: person.Schools(p.Education), Employment: make([]Employment, 0, len(spells))}
	for i := range spells {
		history.Employment = append(history.Employment, filed(&spells[i]))
	}
	for _, post := range p.Experience {
		if post.Source != enrichment.SourceFilings {
			history.Employment = append(history.Employment, employed(person.Job{
				Firm: post.Firm, CRD: catalogapi.Text(post.CRD), Title: catalogapi.Text(post.Title), Dates: person.DatesOf(post.From, post.To),
				Current: post.Current, Origin: person.OriginOf(post.Origin),
			}))
		}
	}
	history.sort()
	return history
}

// sort orders by beginning. An entry without a known beginning is ordered by its end.
func (h *History) sort() {
	slices.SortStableFunc(h.Employment, func(a, b Employment) int { return strings.Compare(a.since(), b.since()) })
}

func (e *Employment) since() string {
	if e.From != nil {
		return *e.From
	}
	if e.To != nil {
		return *e.To
	}
	return "9999"
}

func employed(j person.Job) Employment {
	called := ""
	if j.Title != nil {
		called = *j.Title
	}
	role := title.Read(called)
	return Employment{Job: j, Role: string(role), SeniorityLevel: role.Level()}
}

// filed is an employment as filings state it.
func filed(s *identity.Spell) Employment {
	from := s.FirstFiled.Format(time.DateOnly)
	if s.AcquiredOn != nil {
		from = s.AcquiredOn.Format("2006-01")
		if s.YearOnly {
			from = s.AcquiredOn.Format("2006")
		}
	}
	to := ""
	if !s.Current {
		to = s.LastFiled.Format(time.DateOnly)
	}
	first, last := s.FirstFiled.Format(time.DateOnly), s.LastFiled.Format(time.DateOnly)
	e := employed(person.Job{
		Firm: s.Firm, CRD: catalogapi.Text(s.CRD), Title: catalogapi.Text(s.Title), Dates: person.DatesOf(from, to), Current: s.Current,
		Origin:          person.OriginOf(enrichment.Origin{Source: enrichment.SourceFilings, Confidence: 1, FetchedAt: s.LastFiled}),
		FirmWithdrawnOn: dayOf(s.WithdrawnOn), FirmNotListedSince: dayOf(s.NotListedSince),
	})
	e.FirstFiled, e.LastFiled, e.EndedBefore = &first, &last, dayOf(s.EndedBefore)
	return e
}

func dayOf(t *time.Time) *string {
	if t == nil {
		return nil
	}
	day := t.Format(time.DateOnly)
	return &day
}

// inventedHistory is the career that test keys get for any person. It depends only on the uid.
func inventedHistory(uid string) History {
	h := person.Head{PersonUID: uid}
	h.Invent()
	history := History{PersonUID: uid, FullName: h.FullName, Education: person.InventedSchools(uid), Employment: []Employment{}}
	for _, job := range person.InventedJobs(uid) {
		history.Employment = append(history.Employment, employed(job))
	}
	history.sort()
	return history
}
