package gp_test

import (
	"net/http"
	"testing"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/gp"
	"gpatlas/modules/catalog/internal/history"
	"gpatlas/modules/catalog/internal/testkit/fixture"
	"gpatlas/platform/testkit/httpapitest"
	"gpatlas/platform/testkit/itertest"
)

// A word that is in no vocabulary is refused under its parameter's name, with the word that was probably meant.
func TestUnknownWordsAreRefused(t *testing.T) {
	t.Parallel()
	host, _ := newHost(t)
	for query, contains := range map[string][]string{
		"country=Narnia":                 {`Invalid country: \"Narnia\" is not a country; send its ISO 3166 alpha-2 code`},
		"country=Untied+States":          {"Invalid country", `did you mean \"United States\"?`},
		"country=Ruritania":              {"Invalid country"}, // nobody has filed it
		"jurisdiction=Narnia":            {"Invalid jurisdiction"},
		"jurisdiction=Singapoor":         {"Invalid jurisdiction", `did you mean \"Singapore\"?`},
		"state=Wisconsi":                 {"Invalid state", `did you mean \"Wisconsin\"?`},
		"state_of_incorporation=Narnia":  {"Invalid state_of_incorporation", "send a US state by code or name"},
		"state_of_incorporation=Delawar": {"Invalid state_of_incorporation", `did you mean \"Delaware\"?`},
		"strategy=buyuot":                {"Invalid strategy", "the strategies are", `did you mean \"buyout\"?`},
		"sort=fundcount":                 {"Invalid sort", "must be one of name, aum, fund_count, employees", `did you mean \"fund_count\"?`},
		"order=descending":               {"Invalid order", `did you mean \"desc\"?`},
		"fund_type=3c2":                  {"Invalid fund_type", "must be one of 3c1, 3c7"},
		"exemption_type=506d":            {"Invalid exemption_type", "must be one of 506b, 506c, 3c1, 3c7"},
		"registration_status=registere":  {"Invalid registration_status", `did you mean \"registered\"?`},
		"manager_type=hedge":             {"Invalid manager_type", `did you mean \"hedge_fund\"?`},
		"aum_band=1B-100B":               {"Invalid aum_band", `did you mean \"1B-10B\"?`},
	} {
		host.Do(t, httpapitest.Scenario{Name: query, Path: "/v1/gps?" + query, Status: http.StatusBadRequest, Contains: contains})
	}
	for path, contains := range map[string]string{
		"/v1/gps/900001/funds?fund_type=3c2": "Invalid fund_type", "/v1/gps/900001/funds?status=activ": `did you mean \"active\"?`,
	} {
		host.Do(t, httpapitest.Scenario{Path: path, Status: http.StatusBadRequest, Contains: []string{contains}})
	}
	host.Run(t, []httpapitest.Scenario{
		{Name: "a state that nobody is organized in", Path: "/v1/gps?state_of_incorporation=Alaska", Contains: []string{`"data":[]`}},
		{Name: "a code", Path: "/v1/gps?state_of_incorporation=de", Contains: []string{`"crd":"900001"`}},
	})
}

// Names of places that have no code are taken where they are filed.
func TestFiledPlacesAreKnown(t *testing.T) {
	t.Parallel()
	c := fixture.New(t)
	f := unlisted("900104", func(f *catalogapi.AdviserFiling) {
		f.City, f.State, f.Country, f.OrgState, f.LegalName = new("Strelsau"), nil, new("Ruritania"), new("Hentzau"), "Larkspur LLC"
	})
	c.Add(t, catalogapi.Document{Name: "roster-2026-07.xlsx", Source: catalogapi.SourceRoster, Filings: itertest.Rows(f)})
	host := httpapitest.New(t, gp.Routes(gp.NewService(c.Index, history.NewStore(c.DB), nil, c.Clock))...)
	for _, query := range []string{"country=ruritania", "state_of_incorporation=HENTZAU"} {
		host.Do(t, httpapitest.Scenario{Name: query, Path: "/v1/gps?" + query, Contains: []string{`"crd":"900104"`, `"total":1`}})
	}
	host.Do(t, httpapitest.Scenario{Path: "/v1/gps?jurisdiction=Ruritania", Status: http.StatusBadRequest, Contains: []string{"Invalid jurisdiction"}})
}
