package team_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/people/internal/testkit/fixture"
	"gpatlas/platform/charge"
	"gpatlas/platform/testkit/httpapitest"
)

// alike are two managers whose previews are the same. Only their people have different functions together, or with another role.
func alike() []fixture.Filing {
	of := func(titles ...string) (list people) {
		for i, name := range []string{"ASHDOWN, LENA", "BIRCH, OLAF", "FERNLEY, IRIS", "LARKSPUR, ADA"} {
			list = append(list, fixture.Person{Name: name, Title: titles[i]})
		}
		return list
	}
	return []fixture.Filing{
		fixture.Filed("900101", "2025-03-01", of("CHIEF EXECUTIVE OFFICER, CHIEF COMPLIANCE OFFICER", "PARTNER, SECRETARY", "MANAGING DIRECTOR", "MEMBER")),
		fixture.Filed("900102", "2025-03-01", of("CHIEF EXECUTIVE OFFICER", "PARTNER", "MANAGING DIRECTOR, CHIEF COMPLIANCE OFFICER", "MEMBER, SECRETARY")),
	}
}

// unpaidAbout are requests about a manager by function, role and tier, none of which this account could pay for.
func unpaidAbout(crd string) (list []httpapitest.Scenario) {
	ask := func(method, path, body string) {
		list = append(list,
			httpapitest.Scenario{Method: method, Path: path + "quote=true", Body: body}, httpapitest.Scenario{Method: method, Path: path + "max_charge=0", Body: body},
			httpapitest.Scenario{Method: method, Path: strings.TrimRight(path, "?&"), Body: body},
		)
		if method == "GET" {
			list = append(list, httpapitest.Scenario{Method: "HEAD", Path: strings.TrimRight(path, "?&")})
		}
	}
	for _, functions := range []string{"ceo", "ceo,cco", "ceo,ceo", "cco,secretary", "ceo,cco,secretary,partner", "secretary"} {
		for _, more := range []string{"", "role=partner&", "role=md&", "role=other&", "limit=1&", "limit=1&offset=1&", "joined_before=2030-01-01&", "joined_after=2030-01-01&role=md&"} {
			ask("GET", "/v1/gps/"+crd+"/team?function="+functions+"&"+more, "")
		}
		with := `,"functions":["` + strings.ReplaceAll(functions, ",", `","`) + `"]}`
		for _, tier := range []string{`"senior"`, `"investment_team"`, `"complete"`, `"custom","count":1`, `"custom","count":2`} {
			ask("POST", "/v1/gps/"+crd+"/team/unlock?", `{"tier":`+tier+with)
		}
		for _, tier := range []string{`"senior"`, `"investment_team"`, `"complete"`, `"complete","max_per_firm":1`, `"senior","max_per_firm":2`} {
			ask("POST", "/v1/people/unlock?", `{"crds":["`+crd+`"],"tier":`+tier+with)
		}
	}
	return list
}

// Guarantee: free answers about a team follow from the counts of its preview. Two teams with the same preview get the same ones, byte by
// byte, to quotes, HEAD and refusals for money: of accounts with max_charge, a spending cap, or no one-click.
func TestFreeAnswersFollowFromThePreview(t *testing.T) {
	t.Parallel()
	for _, owned := range []int{0, 1, 3} {
		t.Run(fmt.Sprint(owned, " owned"), func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			b.Load(t, alike()...)
			for _, crd := range []string{"900101", "900102"} {
				for n := range owned {
					b.own(crd + "/" + b.buyOne(t, fmt.Sprintf("/v1/gps/%s/team?limit=1&sort=name&offset=%d", crd, n)))
				}
			}
			spent := b.meter.Spent(ada.UserID)
			b.meter.SetOneClick(ada.UserID, false, 0)
			b.meter.SetCap(ada.UserID, new(spent))
			b.meter.Advance(charge.MaxStateAge)
			hear := func(ask httpapitest.Scenario) string {
				ask.As = ada
				got := b.host.Ask(t, ask)
				got.Header.Del("X-Request-ID")
				return strings.ReplaceAll(fmt.Sprint(got.Status, got.Body, got.Header), "900102", "900101")
			}
			of := func(crd string) httpapitest.Scenario {
				return httpapitest.Scenario{Path: "/v1/gps/" + crd + "/team/preview"}
			}
			require.Equal(t, hear(of("900101")), hear(of("900102")))
			others := unpaidAbout("900102")
			for i, ask := range unpaidAbout("900101") {
				require.Equal(t, hear(ask), hear(others[i]), "%s %s %s", ask.Method, ask.Path, ask.Body)
			}
			require.Equal(t, spent, b.meter.Spent(ada.UserID))
		})
	}
}

// What a page costs is at most what its quote stated, and it does not count people by role and function.
func TestPagesByRoleAndFunction(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Load(t, alike()...)
	for query, want := range map[string][]string{
		"role=md&function=cco":  {`"total_available":null,"has_more":false,"next_page_cost":"$0.00"`, `"Iris Fernley"`},
		"function=ceo,cco":      {`"total_available":null`, `"Lena Ashdown"`, `"Iris Fernley"`},
		"function=cco":          {`"total_available":1,"has_more":false`, `"Iris Fernley"`},
		"role=md":               {`"total_available":1,"has_more":false`, `"Iris Fernley"`},
		"role=md&function=ceo":  {`"data":[]`, `"total_available":null,"has_more":false,"next_page_cost":"$0.00"`},
		"function=ceo,ceo,cco,": nil,
	} {
		ask := httpapitest.Scenario{Path: "/v1/gps/900102/team?" + query, As: ada, Contains: want}
		if want == nil {
			ask.Status = 400
		}
		b.host.Do(t, ask)
	}
	b.host.Do(t, httpapitest.Scenario{Path: "/v1/gps/900101/team?function=ceo,cco&quote=true", As: ada, Contains: []string{`"quantity":2`}})
	one := b.host.Do(t, httpapitest.Scenario{Path: "/v1/gps/900101/team?function=ceo,cco", As: ada, Contains: []string{`"returned":1`}})
	require.Equal(t, "0.50", one.Header.Get("X-Charge"))
}
