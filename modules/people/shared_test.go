package people_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogtest"
	"gpatlas/modules/people/internal/career"
	"gpatlas/modules/people/internal/enrichment"
	"gpatlas/modules/people/internal/enrichment/provider"
	"gpatlas/modules/people/internal/person"
	"gpatlas/modules/people/internal/team"
	"gpatlas/modules/people/internal/testkit/fixture"
	"gpatlas/platform/auth"
	"gpatlas/platform/charge"
	"gpatlas/platform/jobs"
	"gpatlas/platform/testkit/chargetest"
	"gpatlas/platform/testkit/clocktest"
	"gpatlas/platform/testkit/httpapitest"
	"gpatlas/platform/testkit/jobstest"
)

// sold is what the meter has sold; it replaces module billing.
type sold struct{ *chargetest.Meter }

func (s sold) Owned(_ context.Context, userID int64, product string, units []string) (map[string]bool, error) {
	return among(units, s.Meter.Owned(userID, product)), nil
}

func (s sold) Placed(_ context.Context, _ int64, product string, places []string) (map[string]bool, error) {
	var all []string
	for _, item := range s.Charged() {
		if item.Product == product {
			all = append(all, item.Places...)
		}
	}
	return among(places, all), nil
}

func among(asked, all []string) map[string]bool {
	found := map[string]bool{}
	for _, one := range asked {
		if slices.Contains(all, one) {
			found[one] = true
		}
	}
	return found
}

// knowing is a provider that knows everybody, takes a second for each query, and may fail.
type knowing struct {
	clock *clocktest.Clock
	fails func(q provider.Query) bool
}

func (knowing) Name() string    { return "knowing" }
func (knowing) Gives() []string { return []string{provider.Email} }
func (k knowing) Enrich(_ context.Context, q provider.Query) (provider.Result, error) {
	k.clock.Move(time.Second)
	if k.fails(q) {
		return provider.Result{}, &provider.Error{Kind: provider.OutOfCredit}
	}
	return provider.Result{First: q.First, Last: q.Last, Confidence: 1, Email: "a@b.example"}, nil
}

// never is for a provider without failures.
func never(provider.Query) bool { return false }

var caller = &auth.Principal{Kind: auth.Session, UserID: 7}

// twoManagers serves two managers of three people each, and alumni of the first. If they share people, one is on both teams, and the one
// who left the first is on the team of the second. Otherwise these are two people each, with the same names. fails are the queries that
// the provider of personal data does not answer.
func twoManagers(t *testing.T, share bool, fails func(provider.Query) bool) (*fixture.World, *httpapitest.Host, *chargetest.Meter) {
	t.Helper()
	w, meter := fixture.New(t, catalogtest.NewLoader), &chargetest.Meter{CallersOnly: true}
	other := map[bool]string{true: "1000", false: "2000"}[share]
	named := func(name, title, number string) fixture.Person {
		return fixture.Person{Name: name, Title: title, Since: "2015-01", Number: number, Code: "C", Control: new(title == "PARTNER")}
	}
	ada, theo, quill := named("LARKSPUR, ADA", "MANAGING PARTNER", "1000001"), named("MOSSGATE, THEO", "MANAGING DIRECTOR", "1000002"), named("QUILL, BRAM", "PARTNER", "1000003")
	w.Load(t,
		fixture.Filed("900101", "2020-03-01", []fixture.Person{ada, theo, quill}),
		fixture.Filed("900101", "2025-03-01", []fixture.Person{ada, theo, named("FERNLEY, IRIS", "CHIEF FINANCIAL OFFICER", "1000004")}),
		fixture.Filed("900102", "2025-03-01", []fixture.Person{
			named("LARKSPUR, ADA", "CHIEF FINANCIAL OFFICER", other+"001"), named("QUILL, BRAM", "PARTNER", other+"003"), named("BIRCH, OLAF", "MEMBER", "1000005"),
		}),
	)
	log := slog.New(slog.DiscardHandler)
	var profiles *enrichment.Service
	profiles = enrichment.NewService(w.DB, jobs.NewEnqueuer(w.DB), enrichment.Settings{
		Providers: []provider.Provider{knowing{w.Clock, fails}}, PeopleMax: 100, AskAgain: 720 * time.Hour, Wait: time.Minute,
		Sleep: func(context.Context, time.Duration) error {
			jobstest.Deliver(t, w.DB, enrichment.Handlers(profiles)...)
			return nil
		},
	}, w.Clock, log)
	teams := team.NewService(team.NewStore(w.DB), sold{meter}, w.Clock)
	routes := append(team.Routes(teams), team.OwnersRoutes(team.NewOwners(teams, catalogtest.NewSchedules(w.DB), w.People))...)
	routes = append(routes, career.Routes(career.NewService(career.NewStore(w.DB), person.NewStore(w.DB), w.People, profiles, sold{meter}))...)
	routes = append(routes, person.Routes(person.NewService(person.NewStore(w.DB), profiles, sold{meter}, w.Clock))...)
	return w, httpapitest.NewMetered(t, meter, append(routes, enrichment.Routes(profiles)...)...), meter
}

// freely are all requests about two managers that cost nothing, by what is asked.
func freely() (list []httpapitest.Scenario) {
	ask := func(method, path, body string) {
		list = append(list, httpapitest.Scenario{Method: method, Path: path, Body: body})
	}
	priced := func(method, path, body string) {
		join := "?"
		if strings.Contains(path, "?") {
			join = "&"
		}
		ask(method, path+join+"quote=true", body)
		ask(method, path+join+"max_charge=0", body)
		ask(method, path+join+"max_charge=0.4", body)
		if method == "GET" {
			ask("HEAD", path, "")
		}
	}
	for _, crd := range []string{"900101", "900102"} {
		at := "/v1/gps/" + crd
		ask("GET", at+"/team/preview", "")
		for _, list := range []string{"/team", "/team?limit=1", "/team?role=partner", "/team?function=cfo", "/team?limit=2&offset=1&sort=name", "/alumni", "/alumni?current_role=partner", "/owners/persons", "/owners/persons?limit=1&control=true"} {
			priced("GET", at+list, "")
		}
		for _, tier := range []string{`"complete"`, `"senior"`, `"complete","functions":["cfo"]`, `"custom","count":1`} {
			priced("POST", at+"/team/unlock", `{"tier":`+tier+`}`)
		}
		priced("POST", at+"/alumni/unlock", `{}`)
		priced("POST", at+"/careers/unlock-all", `{}`)
	}
	for _, tier := range []string{`"complete"`, `"senior"`, `"complete","functions":["cfo"]`, `"complete","max_per_firm":1`} {
		priced("POST", "/v1/people/unlock", `{"crds":["900101","900102"],"tier":`+tier+`}`)
	}
	ask("GET", "/v1/people/search?q=larkspur&quote=true", "")
	for _, crd := range []string{"900101", "900102"} { // what is known of the people of one manager is not of the other
		ask("POST", "/v1/gps/"+crd+"/enrich", `{}`)
		ask("GET", "/v1/gps/900101/enrichment-info", "")
		ask("GET", "/v1/gps/900102/enrichment-info", "")
	}
	return list
}

// Guarantee: free answers about two managers are the same, byte by byte, whether they share people or not, also for an account that has
// bought people of one of them, or of both.
func TestFreeAnswersDoNotShowSharedPeople(t *testing.T) {
	t.Parallel()
	post := func(path, body string) httpapitest.Scenario {
		return httpapitest.Scenario{Method: "POST", Path: path, Body: body}
	}
	one := post("/v1/gps/900101/team/unlock", `{"tier":"complete","confirm":true}`)
	careers := post("/v1/gps/900101/careers/unlock-all", `{"confirm":true}`)
	two := post("/v1/gps/900102/team/unlock", `{"tier":"complete","confirm":true}`)
	for name, purchases := range map[string][]httpapitest.Scenario{
		"nothing": nil, "a person": {{Path: "/v1/gps/900101/team?limit=1"}}, "an owner": {{Path: "/v1/gps/900101/owners/persons?limit=1"}}, "a team": {one}, "a team and its careers": {one, careers}, "both teams": {one, two},
		"an alumnus": {post("/v1/gps/900101/alumni/unlock", `{}`)}, "both at once": {post("/v1/people/unlock", `{"crds":["900101","900102"],"tier":"complete","confirm":true}`)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			apart, shared := said(t, false, purchases), said(t, true, purchases)
			require.Len(t, shared, len(apart))
			for asked, answer := range apart {
				require.Equal(t, answer, shared[asked], asked)
			}
		})
	}
}

var jobID = regexp.MustCompile(`"job_id":"[^"]+"`)

// said is what is answered to all free requests after some purchases, and with an account at its cap and one that confirms each purchase.
func said(t *testing.T, share bool, purchases []httpapitest.Scenario) map[string]string {
	t.Helper()
	_, host, meter := twoManagers(t, share, never)
	for _, p := range purchases {
		p.As = caller
		host.Do(t, p)
	}
	answers := map[string]string{}
	hear := func(state string, n int, ask httpapitest.Scenario) {
		ask.As = caller
		got := host.Ask(t, ask)
		got.Header.Del("X-Request-ID")
		if len(got.Header.Get("X-Charge")) > 0 && got.Status == http.StatusOK && !strings.Contains(ask.Path, "quote=true") && ask.Method != http.MethodHead {
			got.Body, got.Header = "delivered", nil // all of it was bought
		}
		answers[fmt.Sprint(state, n, ask.Method, ask.Path, ask.Body)] = fmt.Sprint(got.Status, jobID.ReplaceAllString(got.Body, ""), got.Header)
	}
	for n, ask := range freely() {
		hear("", n, ask)
	}
	meter.SetOneClick(caller.UserID, false, 0)
	for n, ask := range freely() {
		path, free := strings.CutSuffix(ask.Path, "?quote=true")
		if ask.Method == http.MethodPost && free {
			ask.Path = path
			hear("one-click ", n, ask)
		}
	}
	meter.SetOneClick(caller.UserID, true, 0)
	meter.SetCap(caller.UserID, new(int64))
	meter.Advance(charge.MaxStateAge)
	for n, ask := range freely() {
		if path, free := strings.CutSuffix(ask.Path, "quote=true"); free {
			ask.Path = strings.TrimRight(path, "?&")
			hear("cap ", n, ask)
		}
	}
	return answers
}

// Guarantee: what enrichments answer for free does not show whether two managers share people: not if the provider fails for one of them,
// or stops in between, nor by the time that they take, nor by what is known later.
func TestEnrichmentsDoNotShowSharedPeople(t *testing.T) {
	t.Parallel()
	for name, of := range map[string]func() func(provider.Query) bool{
		"no failure":         func() func(provider.Query) bool { return never },
		"fails for one":      func() func(provider.Query) bool { return func(q provider.Query) bool { return q.CRD == "900102" } },
		"fails for a person": func() func(provider.Query) bool { return func(q provider.Query) bool { return q.Last == "Birch" } },
		"has credit for six": func() func(provider.Query) bool {
			var asked atomic.Int32
			return func(provider.Query) bool { n := asked.Add(1); return n > 6 && n < 10 }
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			apart, shared := enriched(t, false, of()), enriched(t, true, of())
			require.Equal(t, apart, shared)
			require.Contains(t, apart[0], `"found":4`)
		})
	}
}

// enriched are the answers to enrichments of two managers, one after the other, until their results have become old.
func enriched(t *testing.T, share bool, fails func(provider.Query) bool) (answers []string) {
	t.Helper()
	w, host, _ := twoManagers(t, share, fails)
	for _, later := range []time.Duration{0, 15 * time.Minute, 24 * time.Hour, 29 * 24 * time.Hour, 340 * 24 * time.Hour} {
		w.Clock.Move(later)
		for _, crd := range []string{"900101", "900102"} {
			for _, ask := range []httpapitest.Scenario{
				{Method: "POST", Path: "/v1/gps/" + crd + "/enrich", Body: `{}`, As: caller}, {Path: "/v1/gps/900101/enrichment-info"}, {Path: "/v1/gps/900102/enrichment-info"},
			} {
				answers = append(answers, jobID.ReplaceAllString(host.Do(t, ask).Body, ""))
			}
		}
	}
	return answers
}
