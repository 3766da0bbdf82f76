// Package person finds people by name and shows what is known about one. Only people of enriched advisers are found: people
// that no account has requested are not searched.
package person

import (
	"sync"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/people/internal/enrichment"
	"gpatlas/modules/people/internal/invented"
	"gpatlas/modules/people/internal/name"
	"gpatlas/modules/people/internal/title"
	"gpatlas/platform/httpapi"
)

// Found is a person in a list of results.
type Found struct {
	PersonUID string `json:"person_uid" doc:"The person's ID. It stays." example:"per_k3v7q2mz5xw4n6ta"`
	Position
}

// SchemaName is its name in the OpenAPI document.
func (Found) SchemaName() string { return "FoundPerson" }

// Position is a person's present post.
type Position struct {
	FullName       string  `json:"full_name" doc:"Name of the person, as filed." example:"Ada Marie Larkspur"`
	CurrentTitle   *string `json:"current_title" nullable:"true" doc:"Title in the newest filing. Null if no manager names the person any more, former managers left out." example:"MANAGING PARTNER"`
	CurrentFirm    *string `json:"current_firm" nullable:"true" doc:"Manager that names the person. Null if none does any more. A manager that has withdrawn, or that no current list names, does not count." example:"Mossgate Advisers LLC"`
	CurrentCRD     *string `json:"current_crd" nullable:"true" doc:"The manager's CRD number." example:"900001"`
	Role           *string `json:"role" nullable:"true" enum:"partner,md,vp,associate,other" doc:"Role, from the title." example:"partner"`
	SeniorityLevel *string `json:"seniority_level" nullable:"true" enum:"senior,mid,junior,staff" doc:"Seniority level, from the role." example:"senior"`
}

// Origin is where a value comes from.
type Origin struct {
	Source     string  `json:"source" doc:"filings, or the name of a provider. invented: the value is made up, for a test key or for the sample." example:"filings"`
	Confidence float64 `json:"confidence" minimum:"0" maximum:"1" doc:"How sure the source is, 0 to 1. 1 for filings." example:"1"`
	FetchedAt  string  `json:"fetched_at" format:"date-time" doc:"When the source was asked. For filings: date of the last one that says so." example:"2026-03-30T00:00:00.000000Z"`
}

// Value is a text about a person.
type Value struct {
	Value string `json:"value" doc:"The value itself." example:"Boston, MA"`
	Origin
}

// SchemaName is its name in the OpenAPI document.
func (Value) SchemaName() string { return "PersonValue" }

// Contact is how to reach a person. Filings do not contain it.
type Contact struct {
	Email *Value `json:"email,omitempty" doc:"Email address at work. Absent if not known."`
	Phone *Value `json:"phone,omitempty" doc:"Phone number at work. Absent if not known."`
}

// SchemaName is its name in the OpenAPI document.
func (Contact) SchemaName() string { return "PersonContact" }

// School is a school of a person.
type School struct {
	School string  `json:"school" doc:"Name of the school." example:"Larkspur College"`
	Degree *string `json:"degree" nullable:"true" doc:"Degree, as the source has it. Null: not stated." example:"BA"`
	Field  *string `json:"field" nullable:"true" doc:"Field of study. Null: not stated." example:"Economics"`
	Dates
	Origin
}

// SchemaName is its name in the OpenAPI document.
func (School) SchemaName() string { return "PersonSchool" }

// Job is a post of a person.
type Job struct {
	Firm    string  `json:"firm" doc:"Name of the firm." example:"Mossgate Advisers LLC"`
	CRD     *string `json:"crd" nullable:"true" doc:"CRD number of the manager, for posts that filings name." example:"900001"`
	Title   *string `json:"title" nullable:"true" doc:"Title, as the source has it. Null: not stated." example:"MANAGING PARTNER"`
	Current bool    `json:"current" doc:"True if the person still holds the position, as far as the source knows. False at a former manager: one that has withdrawn, or that no current list names." example:"true"`
	// Spec: not shown; filings do not end a post at a manager that files no more.
	FirmWithdrawnOn    *string `json:"firm_withdrawn_on" format:"date" nullable:"true" doc:"Day on which the manager withdrew (Form ADV-W). Null: it has not, or filings do not name the post." example:"2024-08-30"`
	FirmNotListedSince *string `json:"firm_not_listed_since" format:"date" nullable:"true" doc:"Day of the first roster or feed without the manager, if no list names it any more. Null: it is listed, or filings do not name the post." example:"2026-07-01"`
	Dates
	Origin
}

// SchemaName is its name in the OpenAPI document.
func (Job) SchemaName() string { return "PersonJob" }

// Profile is what is known about a person.
type Profile struct {
	PersonUID string `json:"person_uid" doc:"The person's ID. It is another one than the requested if records of the person have merged." example:"per_k3v7q2mz5xw4n6ta"`
	Position
	Location   *Value   `json:"location,omitempty" doc:"Where the person lives or works. Absent if not known."`
	NetworkURL *Value   `json:"professional_network_url,omitempty" doc:"Profile in a professional network. Absent if not known."`
	Contact    Contact  `json:"contact" doc:"How to reach the person at work."`
	Education  []School `json:"education" doc:"The earliest first."`
	Experience []Job    `json:"experience" doc:"The latest first."`
	UpdatedAt  *string  `json:"updated_at" nullable:"true" format:"date-time" doc:"When providers were last asked about the person. Null if never: then filings alone say what is known." example:"2026-11-21T18:41:09.000000Z"`
}

// SchemaName is its name in the OpenAPI document.
func (Profile) SchemaName() string { return "PersonProfile" }

// position returns a person's present post.
func position(h *Head) Position {
	p := Position{FullName: h.FullName}
	if h.Current {
		role := title.Read(h.Title)
		level := role.Level()
		p.CurrentTitle, p.CurrentFirm, p.CurrentCRD, p.Role, p.SeniorityLevel = catalogapi.Text(h.Title), &h.Firm, &h.CRD, (*string)(&role), &level
	}
	return p
}

// Invent replaces the person's position by an invented one: name, title and manager are invented, and so is whether there is
// one.
func (h *Head) Invent() {
	first, last := invented.Name(h.PersonUID)
	h.FullName, h.Title, h.Current = first+" "+last, invented.Title(invented.Role(h.PersonUID)), true
	h.CRD, h.Firm = invented.CRD(h.PersonUID), invented.Employer(h.PersonUID)
}

// OriginOf converts an origin for responses.
func OriginOf(o enrichment.Origin) Origin {
	return Origin{Source: o.Source, Confidence: o.Confidence, FetchedAt: httpapi.FormatInstant(o.FetchedAt)}
}

func value(t *enrichment.Text) *Value {
	if t == nil {
		return nil
	}
	return &Value{Value: t.Value, Origin: OriginOf(t.Origin)}
}

// Schools converts schools for responses.
func Schools(list []enrichment.School) []School {
	shown := make([]School, len(list))
	for i, e := range list {
		shown[i] = School{
			School: e.School, Degree: catalogapi.Text(e.Degree), Field: catalogapi.Text(e.Field), Dates: DatesOf(e.From, e.To), Origin: OriginOf(e.Origin),
		}
	}
	return shown
}

func jobs(list []enrichment.Post) []Job {
	shown := make([]Job, len(list))
	for i, p := range list {
		shown[i] = Job{
			Firm: p.Firm, CRD: catalogapi.Text(p.CRD), Title: catalogapi.Text(p.Title), Dates: DatesOf(p.From, p.To), Current: p.Current, Origin: OriginOf(p.Origin),
			FirmWithdrawnOn: catalogapi.Text(p.FirmWithdrawnOn), FirmNotListedSince: catalogapi.Text(p.FirmNotListedSince),
		}
	}
	return shown
}

// profile converts a profile for responses.
func profile(h *Head, p *enrichment.Profile) Profile {
	shown := Profile{
		PersonUID: h.PersonUID, Position: position(h), Location: value(p.Location), NetworkURL: value(p.NetworkURL),
		Contact: Contact{Email: value(p.Email), Phone: value(p.Phone)}, Education: Schools(p.Education), Experience: jobs(p.Experience),
	}
	if p.UpdatedAt != nil {
		at := httpapi.FormatInstant(*p.UpdatedAt)
		shown.UpdatedAt = &at
	}
	return shown
}

// InventedSchools is the education that test keys get for any person.
func InventedSchools(uid string) []School {
	return []School{{School: invented.School(uid), Degree: catalogapi.Text("BA (invented)"), Dates: DatesOf("1998", "2002"), Origin: inventedOrigin()}}
}

// InventedJobs is the employment that test keys get for any person, the latest first.
func InventedJobs(uid string) []Job {
	return []Job{
		{
			Firm: invented.Employer(uid), CRD: catalogapi.Text(invented.CRD(uid)), Title: catalogapi.Text(invented.Title(invented.Role(uid))),
			Dates: DatesOf(invented.Since(uid).Format("2006-01"), ""), Current: true, Origin: inventedOrigin(),
		},
		{Firm: invented.Firm(uid), Title: catalogapi.Text(invented.Title(title.Associate)), Dates: DatesOf("2002", "2006"), Origin: inventedOrigin()},
	}
}

const inventedAt = "2026-01-01T00:00:00.000000Z"

func inventedOrigin() Origin {
	return Origin{Source: invented.Source, Confidence: 1, FetchedAt: inventedAt}
}

// stock is the people that searches with a test key find, one for each invented name. They are on no manager's list.
var stock = sync.OnceValue(func() *index {
	x, named := newIndex(), map[string]bool{}
	for n := 0; len(named) < invented.Names(); n++ {
		uid := invented.UID("", "search", n)
		first, last := invented.Name(uid)
		if full := first + " " + last; !named[full] {
			named[full] = true
			x.add(uid, []string{full}, []string{invented.Employer(uid)})
		}
	}
	return x
})

func findInvented(query, company string, limit int) []Found {
	found := []Found{}
	for _, hit := range stock().find(name.Fold(query), name.Fold(company), limit) {
		h := Head{PersonUID: hit.uid}
		h.Invent()
		found = append(found, Found{PersonUID: hit.uid, Position: position(&h)})
	}
	return found
}

// inventedProfile is the profile that test keys get for any person. It depends only on the uid.
func inventedProfile(uid string) Profile {
	value := func(text string) *Value { return &Value{Value: text, Origin: inventedOrigin()} }
	h := Head{PersonUID: uid}
	h.Invent()
	return Profile{
		PersonUID: uid, Position: position(&h), Location: value(invented.Location), NetworkURL: value(invented.NetworkURL(uid)),
		Contact:   Contact{Email: value(invented.Email(uid)), Phone: value(invented.Phone(uid))},
		Education: InventedSchools(uid), Experience: InventedJobs(uid), UpdatedAt: catalogapi.Text(inventedAt),
	}
}
