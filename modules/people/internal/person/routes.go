package person

import (
	"context"
	"net/http"

	"gpatlas/modules/people/internal/unread"
	"gpatlas/platform/charge"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/module"
)

// Part is what the slice provides.
func (s *Service) Part() module.Part { return module.Part{Routes: Routes(s)} }

// Routes are the operations on single people.
//
// Spec: next to the paths it says "public": without billing, anonymous callers are answered, unless ACCESS_POLICY=keyed.
func Routes(s *Service) []httpapi.Route {
	return httpapi.Group([]httpapi.Route{
		httpapi.Get("/v1/people/search", "search-people", s.handleSearch,
			httpapi.Summary("Search people by name"), httpapi.Describe(searchText), httpapi.Charge(searchPrice, charge.PerRequest),
			httpapi.PrivateQuery(), httpapi.Refuses(unread.ErrSearch)),
		httpapi.Get("/v1/people/{person_uid}", "get-person", s.handleProfile,
			httpapi.Summary("Get the profile of a person"), httpapi.Describe(profileText), httpapi.Charge(profilePrice, charge.PerRequest), httpapi.Sells(Product), httpapi.HidesMissing(),
			httpapi.Errors(http.StatusNotFound), httpapi.Refuses(unread.ErrPerson)),
	}, httpapi.Tag("People"), httpapi.Volatile())
}

const searchText = `Finds people by name, the best match first. A name can have a typo or two, be incomplete, or use a short form or an initial. An initial alone is no match: at least one whole word must be. Only people of managers that were enriched are found (` + "`POST /v1/gps/{crd}/enrich`" + `, whoever asked for it). The results have no contact data: the profile has. A response without people is not charged. With a test key, the search finds invented people by their invented names and managers, without any enrichment, and nothing is charged.`

const profileText = `Shows what filings and providers say of a person: education, experience and contact data, each with its source. Only people of managers that were enriched have a profile, and people that the account has bought with a team or its alumni; all others are 404. An account pays for a profile once: reading it again is free. A former ID leads to the person.

` + "`force_refresh`" + ` asks the providers again, if the profile is older than an hour. If they cannot be reached, the last profile is returned and ` + "`meta.stale`" + ` is true. If there is none, the response is 503 and free. With a test key, every ID has a profile, which is invented, managers and dates included, and nothing is charged. ` + "`per_aaaaaaaaaaaaaaaa`" + ` is 404, to try that.`

// SearchInput asks for people by name.
type SearchInput struct {
	Q       string              `query:"q" required:"true" minLength:"2" maxLength:"100" example:"linara uldrigard" doc:"Name, in any order: at least 2 letters."`
	Company httpapi.Opt[string] `query:"company" minLength:"2" maxLength:"100" example:"aldrinmead" doc:"Only people whom a manager with these words in its name has named, now or before."`
	// Spec: not shown; the maximum is the default, since a search is sold at the price of one person.
	Limit httpapi.Opt[int] `query:"limit" minimum:"1" maximum:"20" example:"20" doc:"People to return, 1 to 20 (default 20)."`
}

// SearchFilters are the filters as they were applied.
type SearchFilters struct {
	Q       string  `json:"q" doc:"The name asked for." example:"linara uldrigard"`
	Company *string `json:"company" nullable:"true" doc:"Words of the name of a manager that has named the person. Null: not sent." example:"aldrinmead"`
	Limit   int     `json:"limit" doc:"Most people that the response may have." example:"20"`
}

// SchemaName is its name in the OpenAPI document.
func (SearchFilters) SchemaName() string { return "PeopleSearchFilters" }

// SearchMeta describes the results.
type SearchMeta struct {
	Returned int           `json:"returned" doc:"People in this response." example:"1"`
	Filters  SearchFilters `json:"filters_applied" doc:"The filters, as they were understood."`
}

// SchemaName is its name in the OpenAPI document.
func (SearchMeta) SchemaName() string { return "PeopleSearchMeta" }

type searchBody = httpapi.DataMeta[[]Found, SearchMeta]

func (s *Service) handleSearch(ctx context.Context, in *SearchInput) (*httpapi.Reply[searchBody], error) {
	filters := SearchFilters{Q: in.Q, Company: in.Company.Ptr(), Limit: in.Limit.Or(20)}
	found, err := s.search(ctx, in.Q, in.Company.Or(""), filters.Limit)
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[searchBody]{
		Body: searchBody{Data: found, Meta: SearchMeta{Returned: len(found), Filters: filters}}, Free: len(found) == 0,
	}, nil
}

// UID is the path of a person.
type UID struct {
	PersonUID string `path:"person_uid" pattern:"^per_[a-z2-7]{16}$" patternDescription:"a person's ID: per_ and 16 letters and digits" example:"per_k3v7q2mz5xw4n6ta" doc:"The person's ID, or a former one."`
}

// ProfileInput asks for a profile.
type ProfileInput struct {
	UID
	ForceRefresh httpapi.Opt[bool] `query:"force_refresh" example:"false" doc:"Ask the providers again (default false). The charge is the same."`
}

// ProfileMeta describes a profile.
type ProfileMeta struct {
	Stale bool `json:"stale" doc:"True if the providers were asked and could not be reached: the profile is what was known before." example:"false"`
}

// SchemaName is its name in the OpenAPI document.
func (ProfileMeta) SchemaName() string { return "PersonProfileMeta" }

type profileBody = httpapi.DataMeta[Profile, ProfileMeta]

func (s *Service) handleProfile(ctx context.Context, in *ProfileInput) (*httpapi.Reply[profileBody], error) {
	p, unit, crd, stale, err := s.profile(ctx, in.PersonUID, in.ForceRefresh.Or(false))
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[profileBody]{Body: profileBody{Data: p, Meta: ProfileMeta{Stale: stale}}, Units: []string{unit}, CRD: crd}, nil
}
