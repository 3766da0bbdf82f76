package team_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/catalogtest"
	"gpatlas/modules/people/internal/identity"
	"gpatlas/modules/people/internal/team"
	"gpatlas/modules/people/internal/testkit/fixture"
	"gpatlas/platform/auth"
	"gpatlas/platform/charge"
	"gpatlas/platform/database"
	"gpatlas/platform/testkit/chargetest"
	"gpatlas/platform/testkit/httpapitest"
)

// bought is what accounts own; it replaces module billing.
type bought map[string]bool

func (b bought) Owned(_ context.Context, _ int64, product string, units []string) (map[string]bool, error) {
	owned := map[string]bool{}
	for _, u := range units {
		if b[product+" "+u] {
			owned[u] = true
		}
	}
	return owned, nil
}

// Placed replaces module billing.
func (b bought) Placed(ctx context.Context, _ int64, product string, places []string) (map[string]bool, error) {
	return b.Owned(ctx, 0, product, places)
}

type bench struct {
	*fixture.World
	host  *httpapitest.Host
	meter *chargetest.Meter
	owned bought
}

var (
	ada  = &auth.Principal{Kind: auth.Session, UserID: 7}
	test = &auth.Principal{Kind: auth.Key, UserID: 7, KeyID: "k", Mode: auth.ModeTest}
)

func setup(t *testing.T) *bench {
	t.Helper()
	b := &bench{World: fixture.New(t, catalogtest.NewLoader), meter: &chargetest.Meter{CallersOnly: true}, owned: bought{}}
	teams := team.NewService(team.NewStore(b.DB), b.owned, b.Clock)
	owners := team.OwnersRoutes(team.NewOwners(teams, catalogtest.NewSchedules(b.DB), b.People))
	b.host = httpapitest.NewMetered(t, b.meter, append(team.Routes(teams), owners...)...)
	return b
}

type people = []fixture.Person

// harbor is a firm with a team of five and two alumni. One of the alumni is elsewhere now.
func harbor() []fixture.Filing {
	first := people{
		{Name: "LARKSPUR, ADA, M", Title: "MANAGING MEMBER", Since: "2011-03", Number: "1000018"},
		{Name: "MOSSGATE, THEO", Title: "MANAGING DIRECTOR", Since: "2015-12"},
		{Name: "QUILL, BRAM", Title: "VICE PRESIDENT", Since: "2018-01", Number: "1000019"},
		{Name: "ASHDOWN, LENA", Title: "PARTNER"},
	}
	later := people{
		first[0], first[1],
		{Name: "FERNLEY, IRIS", Title: "CHIEF COMPLIANCE OFFICER (IA ONLY )", Since: "2020-05"},
		{Name: "BIRCH, OLAF", Title: "MEMBER"},
		{Name: "SLOANE, UNA", Title: "ASSOCIATE", Since: "2024-11"},
	}
	return []fixture.Filing{
		fixture.Filed("900101", "2020-03-01", first), fixture.Filed("900101", "2025-03-01", later), fixture.Filed("900101", "2025-09-01", nil),
		fixture.Filed("900102", "2025-04-01", people{{Name: "QUILL, BRAM", Title: "PARTNER", Number: "1000019", Since: "2024-01"}}),
	}
}

var names = []string{"LARKSPUR", "MOSSGATE", "QUILL", "ASHDOWN", "FERNLEY", "BIRCH", "SLOANE"}

func ids(t *testing.T, body string) (list, full []string) {
	t.Helper()
	var answer struct {
		Data []struct {
			ID       string
			FullName string `json:"full_name"`
		}
	}
	require.NoError(t, json.Unmarshal([]byte(body), &answer))
	for _, p := range answer.Data {
		list, full = append(list, p.ID), append(full, p.FullName)
	}
	return list, full
}

func (b *bench) get(t *testing.T, as *auth.Principal, path string) (names []string, got httpapitest.Response) {
	t.Helper()
	got = b.host.Do(t, httpapitest.Scenario{Path: path, As: as})
	_, names = ids(t, got.Body)
	return names, got
}

func TestTeam(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Load(t, harbor()...)
	for query, want := range map[string][]string{
		"":                            {"Ada M Larkspur", "Theo Mossgate", "Iris Fernley", "Una Sloane", "Olaf Birch"},
		"?sort=tenure":                {"Ada M Larkspur", "Theo Mossgate", "Iris Fernley", "Una Sloane", "Olaf Birch"},
		"?sort=name":                  {"Olaf Birch", "Iris Fernley", "Ada M Larkspur", "Theo Mossgate", "Una Sloane"},
		"?role=md":                    {"Theo Mossgate", "Iris Fernley"},
		"?role=vp":                    nil,
		"?limit=2&offset=3":           {"Una Sloane", "Olaf Birch"},
		"?limit=2&offset=9":           nil,
		"?role=all&sort=name&limit=1": {"Olaf Birch"},
	} {
		got, _ := b.get(t, ada, "/v1/gps/900101/team"+query)
		require.Equal(t, want, got, query)
	}
	_, got := b.get(t, ada, "/v1/gps/900101/team?limit=1")
	uid, _ := ids(t, got.Body)
	require.JSONEq(t, `{"data":[{"id":"`+uid[0]+`","full_name":"Ada M Larkspur","title":"MANAGING MEMBER","role":"partner","seniority_level":"senior",
		"functions":["managing_member"],"title_since":"2011-03","joined_between":{"after":null,"before":"2011-03-31"},
		"professional_network_url":null,"location":"Boston, MA","location_source":"firm","tenure_years":15,"source":"schedules","last_named":"2025-03-01","paid_before":false}],
		"meta":{"returned":1,"total_available":5,"has_more":true,"next_page_cost":"$0.50","reason":null,"filters_applied":{"limit":1,"role":"all","sort":"seniority"}}}`, got.Body)
	for path, status := range map[string]int{
		"/v1/gps/999999/team": 404, "/v1/gps/0/team": 400, "/v1/gps/900101/team?role=analyst": 400, "/v1/gps/900101/team?sort=age": 400, "/v1/gps/900101/team?limit=101": 400,
	} {
		b.host.Do(t, httpapitest.Scenario{Path: path, As: ada, Status: status})
	}
	b.host.Do(t, httpapitest.Scenario{Path: "/v1/gps/900101/team", Status: 401})
}

// TestNextPageCost walks the pages: each costs what the previous one stated, and owned people are free.
func TestNextPageCost(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Load(t, harbor()...)
	b.buy(t, "SLOANE")
	_, first := b.get(t, ada, "/v1/gps/900101/team?limit=3")
	require.Contains(t, first.Body, `"next_page_cost":"$0.50"`, "one of five is owned, and three are on this page")
	charged := b.meter.Charged()
	require.Len(t, charged[0].Units, 3)
	require.Equal(t, "1.50", first.Header.Get("X-Charge"))
	_, second := b.get(t, ada, "/v1/gps/900101/team?limit=3&offset=3")
	require.Contains(t, second.Body, `"next_page_cost":"$0.00"`)
	require.Contains(t, second.Body, `"paid_before":true`)
	_, page := b.get(t, ada, "/v1/gps/900101/team?limit=1&offset=2")
	require.Contains(t, page.Body, `"next_page_cost":"$0.50"`, "it does not show that the next one is the owned one")
}

// buy lets the account own a person.
func (b *bench) buy(t *testing.T, last string) {
	t.Helper()
	const statement = "SELECT crd || '/' || person_uid FROM people.posts WHERE last_key = @last"
	list, err := database.Values[string](t.Context(), b.DB, "read a uid", statement, database.Args{"last": last})
	require.NoError(t, err)
	for _, place := range list {
		b.own(place)
	}
}

// own lets the account own a person at a manager.
func (b *bench) own(place string) {
	_, uid, _ := strings.Cut(place, "/")
	b.owned["roster "+uid], b.owned["roster "+place] = true, true
}

// TestAFormerUIDIsPaid does not charge again for people whose records have merged: the unit is what the account has bought.
func TestAFormerUIDIsPaid(t *testing.T) {
	t.Parallel()
	b := setup(t)
	number := fixture.Person{Name: "LARKSPUR, ADA", Title: "PARTNER", Number: "1000018"}
	b.Load(t, fixture.Filed("900102", "2021-03-01", people{number}))
	b.buy(t, "LARKSPUR")
	var old string
	for key := range b.owned {
		if !strings.Contains(key, "/") {
			old = strings.TrimPrefix(key, "roster ")
		}
	}
	b.Load(t, fixture.Filed("900101", "2020-03-01", people{{Name: "LARKSPUR, ADA"}}), fixture.Filed("900101", "2022-03-01", people{number}))
	_, got := b.get(t, ada, "/v1/gps/900101/team")
	uid, _ := ids(t, got.Body)
	require.NotEqual(t, old, uid[0])
	require.Contains(t, got.Body, `"paid_before":true`)
	require.Equal(t, []string{old}, b.meter.Charged()[0].Units)
}

// TestAMergeTakenBackIsPaid does not charge again for people who were merged for a time; later purchases count for one of the
// two alone. A split that is undone joins the purchases of the two.
func TestAMergeTakenBackIsPaid(t *testing.T) {
	t.Parallel()
	b := setup(t)
	person := fixture.Person{Name: "LARKSPUR, ADA", Title: "PARTNER"}
	b.Load(t, fixture.Filed("900101", "2020-03-01", people{person}), fixture.Filed("900102", "2021-03-01", people{person}))
	units := func(crd string) []string {
		t.Helper()
		before := len(b.meter.Charged())
		b.get(t, ada, "/v1/gps/"+crd+"/team")
		return b.meter.Charged()[before].Units
	}
	one, two := units("900101")[0], units("900102")[0]
	merged := b.Merge(t, two, one)
	require.Equal(t, units("900101"), units("900102"))
	b.Undo(t, merged)
	here, there := units("900101"), units("900102")
	require.NotEqual(t, here, there, "a stranger pays for each")
	for _, bought := range []string{one, two} { // before the merge, or during it
		b.owned["roster "+bought] = true
		require.Equal(t, []string{bought}, units("900101"))
		require.Equal(t, []string{bought}, units("900102"))
		clear(b.owned)
	}
	for _, bought := range []string{here[0], there[0]} { // afterward
		b.owned["roster "+bought] = true
		require.Equal(t, here, units("900101"))
		require.Equal(t, there, units("900102"))
		clear(b.owned)
	}

	b.Merge(t, two, one)
	divided, _ := b.Split(t, one, "900102")
	bought := units("900102")[0]
	require.NotEqual(t, []string{bought}, units("900101"))
	b.Undo(t, divided)
	b.owned["roster "+bought] = true
	require.Equal(t, []string{bought}, units("900101"), "bought of the one that the split made")
	require.Equal(t, []string{bought}, units("900102"))
}

// TestASplitPersonIsPaid does not charge again for people whom the operator has split, also after a merge; later purchases
// count for one of the two alone.
func TestASplitPersonIsPaid(t *testing.T) {
	t.Parallel()
	b := setup(t)
	person := fixture.Person{Name: "LARKSPUR, ADA", Title: "PARTNER"}
	b.Load(t, fixture.Filed("900101", "2020-03-01", people{person}), fixture.Filed("900102", "2021-03-01", people{person}))
	uidAt := func(crd string) string {
		t.Helper()
		_, got := b.get(t, ada, "/v1/gps/"+crd+"/team")
		list, _ := ids(t, got.Body)
		return list[0]
	}
	one, two := uidAt("900101"), uidAt("900102")
	b.Merge(t, two, one)
	_, apart := b.Split(t, one, "900102")
	units := func(crd string) []string {
		t.Helper()
		before := len(b.meter.Charged())
		b.get(t, ada, "/v1/gps/"+crd+"/team")
		return b.meter.Charged()[before].Units
	}
	rest := units("900101")
	require.NotEqual(t, rest, units("900102"), "a stranger pays for each")
	require.Equal(t, []string{apart}, units("900102"))
	b.owned["roster "+rest[0]] = true
	require.Equal(t, []string{apart}, units("900102"), "bought after the split: one alone")
	clear(b.owned)
	for _, bought := range []string{one, two} {
		b.owned["roster "+bought] = true
		require.Equal(t, []string{bought}, units("900101"), "bought before the split: both")
		require.Equal(t, []string{bought}, units("900102"), "bought before the split: both")
		clear(b.owned)
	}
}

// TestTestKeysSeeNothingOfAnybody compares what a test key sees of people with the real answer, field by field.
func TestTestKeysSeeNothingOfAnybody(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Load(t, harbor()...)
	for _, path := range []string{"/v1/gps/900101/team", "/v1/gps/900101/alumni"} {
		_, seen := b.get(t, test, path)
		for _, secret := range []string{"900102", "Harbor Ridge", "2020-03-01", "2025-03-01", "MANAGING MEMBER"} {
			require.NotContains(t, seen.Body, secret, path)
		}
		_, again := b.get(t, test, path)
		require.Equal(t, seen.Body, again.Body)
		var before, after struct{ Data []map[string]any }
		require.NoError(t, json.Unmarshal([]byte(seen.Body), &before))
		changed := harbor()
		for i := range changed[1].Schedule {
			changed[1].Schedule[i].Title, changed[1].Schedule[i].Since = "ANALYST", "2001-01"
		}
		b.Load(t, changed...)
		_, other := b.get(t, test, path)
		require.NoError(t, json.Unmarshal([]byte(other.Body), &after))
		require.Equal(t, before.Data, after.Data, "other titles and days are answered alike")
	}
}

func TestUnlock(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Load(t, harbor()...)
	b.buy(t, "MOSSGATE")
	const path = "/v1/gps/900101/team/unlock"
	for body, want := range map[string][]string{
		`{"tier":"senior"}`:                  {"Ada M Larkspur", "Theo Mossgate", "Iris Fernley"},
		`{"tier":"investment_team"}`:         {"Ada M Larkspur", "Theo Mossgate", "Iris Fernley", "Una Sloane"},
		`{"tier":"complete","confirm":true}`: {"Ada M Larkspur", "Theo Mossgate", "Iris Fernley", "Una Sloane", "Olaf Birch"},
		`{"tier":"custom","count":2}`:        {"Ada M Larkspur", "Theo Mossgate"},
		`{"tier":"custom","count":9}`:        {"Ada M Larkspur", "Theo Mossgate", "Iris Fernley", "Una Sloane", "Olaf Birch"},
	} {
		got := b.host.Do(t, httpapitest.Scenario{Method: "POST", Path: path, Body: body, As: ada})
		_, full := ids(t, got.Body)
		require.Equal(t, want, full, body)
		require.Contains(t, got.Body, `"already_owned":1`)
	}
	confirmed := 0
	for _, item := range b.meter.Charged() {
		require.True(t, item.Unlock)
		if item.Confirmed {
			confirmed++
		}
	}
	require.Equal(t, 1, confirmed)
	for _, body := range []string{`{}`, `{"tier":"all"}`, `{"tier":"custom"}`, `{"tier":"custom","count":0}`, `{"tier":"senior","count":3}`, `{"tier":"custom","count":1.5}`, `{"tier":"senior","confirm":"yes"}`, `[]`} {
		b.host.Do(t, httpapitest.Scenario{Method: "POST", Path: path, Body: body, As: ada, Status: 400})
	}
	b.host.Do(t, httpapitest.Scenario{Method: "POST", Path: "/v1/gps/999999/team/unlock", Body: `{"tier":"senior"}`, As: ada, Status: 404})
}

func TestAlumni(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Load(t, harbor()...)
	_, got := b.get(t, ada, "/v1/gps/900101/alumni?current_role=partner")
	uid, _ := ids(t, got.Body)
	require.Len(t, uid, 1)
	require.JSONEq(t, `{"data":[{"id":"`+uid[0]+`","full_name":"Bram Quill","title":"VICE PRESIDENT","role":"vp","seniority_level":"mid",
		"functions":[],"title_since":"2018-01","joined_between":{"after":null,"before":"2018-01-31"},
		"professional_network_url":null,"location":"Boston, MA","location_source":"firm","tenure_years":2,"source":"schedules","last_named":"2020-03-01","paid_before":false,
		"departed_between":{"after":"2020-03-01","before":"2025-03-01"},
		"current_role":{"crd":"900102","firm":"Harbor Ridge 900102 LLC","title":"PARTNER","role":"partner"}}],
		"meta":{"returned":1,"total_available":null,"has_more":false,"next_page_cost":"$0.00","reason":null,"filters_applied":{"limit":50,"departed_after":null,"current_role":"partner"}}}`, got.Body)
	for query, want := range map[string][]string{
		"": {"Lena Ashdown", "Bram Quill"}, "?departed_after=2025-02-28": {"Lena Ashdown", "Bram Quill"}, "?departed_after=2025-03-01": nil, "?current_role=md": nil,
		"?limit=1&offset=1": {"Bram Quill"},
	} {
		full, _ := b.get(t, ada, "/v1/gps/900101/alumni"+query)
		require.Equal(t, want, full, query)
	}
	unlocked := b.host.Do(t, httpapitest.Scenario{Method: "POST", Path: "/v1/gps/900101/alumni/unlock", Body: `{}`, As: &auth.Principal{Kind: auth.Session, UserID: 8}, Contains: []string{`"unlocked":2`}})
	require.Equal(t, "1.00", unlocked.Header.Get("X-Charge"))
	b.host.Do(t, httpapitest.Scenario{Path: "/v1/gps/900101/alumni?departed_after=2025-02-30", As: ada, Status: 400})
}

// TestCurrentRoleIsAtACurrentManager leaves out managers that have withdrawn; their own team stays as last filed.
func TestCurrentRoleIsAtACurrentManager(t *testing.T) {
	t.Parallel()
	b := setup(t)
	quill := people{{Name: "QUILL, BRAM", Title: "PARTNER", Number: "1000019", Since: "2024-01"}}
	b.Load(t, append(harbor(), fixture.Filed("900103", "2024-04-01", quill))...)
	role := func() string {
		t.Helper()
		full, got := b.get(t, ada, "/v1/gps/900101/alumni")
		require.Equal(t, []string{"Lena Ashdown", "Bram Quill"}, full)
		var answer struct {
			Data []struct {
				CurrentRole team.Position `json:"current_role"`
			}
		}
		require.NoError(t, json.Unmarshal([]byte(got.Body), &answer))
		return answer.Data[1].CurrentRole.CRD
	}
	require.Equal(t, "900102", role())
	b.Withdraw(t, "900102", "2025-08-30")
	require.Equal(t, "900103", role(), "the other manager that names the person")
	b.Withdraw(t, "900103", "2025-08-30")
	require.Empty(t, role())
	full, _ := b.get(t, ada, "/v1/gps/900101/alumni?current_role=partner")
	require.Empty(t, full)
	full, _ = b.get(t, ada, "/v1/gps/900102/team")
	require.Equal(t, []string{"Bram Quill"}, full)
	b.Load(t, fixture.Filed("900102", "2026-03-01", quill))
	require.Equal(t, "900102", role(), "it has come back")
}

// TestFiltersOfAlumniRevealNothing bisects departures and roles with every request that costs nothing, also after the first person was
// bought: who that is is free from then on.
func TestFiltersOfAlumniRevealNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Load(t, harbor()...)
	path := "/v1/gps/900101/alumni?limit=1&"
	filters := []string{"departed_after=2019-01-01", "departed_after=2025-02-28", "departed_after=2025-03-01", "current_role=partner", "current_role=md"}
	same := func(ask httpapitest.Scenario, filters []string, contains string) {
		t.Helper()
		var first *httpapitest.Response
		terms := ask.Path
		for _, filter := range filters {
			ask.Path, ask.As = path+filter+terms, ada
			got := b.host.Do(t, ask)
			got.Header.Del("X-Request-ID")
			if first == nil {
				first = &got
			}
			require.Equal(t, *first, got, "%s %s", ask.Method, ask.Path)
		}
		require.Contains(t, first.Body+fmt.Sprint(first.Header), contains)
	}
	free := func(most string) {
		t.Helper()
		same(httpapitest.Scenario{Path: "&quote=true"}, filters, `"amount":`+most)
		same(httpapitest.Scenario{Method: "HEAD"}, filters, "X-Charge-Estimate:[0"+strings.TrimPrefix(most, "0"))
	}
	free("0.5")
	same(httpapitest.Scenario{Path: "&max_charge=0.49", Status: 402}, filters, `"amount":0.5`)
	none := int64(0)
	b.meter.SetCap(7, &none)
	same(httpapitest.Scenario{Status: 402}, filters, "cap")
	b.meter.SetCap(7, nil)
	b.meter.Advance(charge.MaxStateAge)
	require.Zero(t, b.meter.Spent(7))

	b.own("900101/" + b.buyOne(t, path))
	free("0.5")
	got := b.host.Do(t, httpapitest.Scenario{Path: path + filters[0], As: ada})
	require.Equal(t, "0.00", got.Header.Get("X-Charge"))
	require.Contains(t, got.Body, `"total_available":null,"has_more":true,"next_page_cost":"$0.50"`)
	require.Contains(t, got.Header.Get("Link"), `offset=1>; rel="next"`)
	role := b.host.Do(t, httpapitest.Scenario{Path: "/v1/gps/900101/alumni?limit=2&current_role=partner&quote=true", As: ada, Contains: []string{`"quantity":2,"owned":1,"amount":0.5,"at_most":true`}})
	require.NotContains(t, role.Body, "Quill")
}

// TestQuotesOfPagesRevealNoRank asks for the price of every page of one person, in every order, when one of them was bought: none shows
// where that one stands among the others.
func TestQuotesOfPagesRevealNoRank(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Load(t, harbor()...)
	for list, orders := range map[string][]string{"team": {"", "&sort=name", "&sort=tenure"}, "alumni": {""}} {
		path := "/v1/gps/900101/" + list + "?limit=1"
		b.own("900101/" + b.buyOne(t, path))
		var first string
		for _, order := range orders {
			for offset := range 2 {
				ask := httpapitest.Scenario{Path: fmt.Sprintf("%s%s&offset=%d&quote=true", path, order, offset), As: ada}
				quote := b.host.Do(t, ask).Body
				if first == "" {
					first = quote
				}
				require.JSONEq(t, first, quote, ask.Path)
				ask.Method, ask.Path = "HEAD", strings.TrimSuffix(ask.Path, "&quote=true")
				require.Equal(t, "0.50", b.host.Do(t, ask).Header.Get("X-Charge-Estimate"), ask.Path)
			}
		}
		require.Contains(t, first, `"quantity":1,"owned":0,"amount":0.5,"at_most":true`, list)
	}
}

// buyOne buys the first person of a list and gives the ID.
func (b *bench) buyOne(t *testing.T, path string) string {
	t.Helper()
	got := b.host.Do(t, httpapitest.Scenario{Path: strings.TrimRight(path, "&"), As: ada})
	require.Equal(t, "0.50", got.Header.Get("X-Charge"))
	list, _ := ids(t, got.Body)
	return list[0]
}

// TestTestKeysSeeInventedIDs compares the IDs that test keys see with the real ones, and those of two managers with each other.
func TestTestKeysSeeInventedIDs(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Load(t, harbor()...)
	seen := map[string]bool{}
	for _, as := range []*auth.Principal{ada, test} {
		n := 0
		for _, path := range []string{"/v1/gps/900101/team", "/v1/gps/900101/alumni", "/v1/gps/900102/team"} {
			_, got := b.get(t, as, path)
			list, _ := ids(t, got.Body)
			for _, id := range list {
				require.True(t, identity.IsUID(id), id)
				require.False(t, as == test && seen[id], "%s of %s is real, or on two lists", id, path)
				seen[id] = true
				n++
			}
		}
		require.Equal(t, 8, n, "how many there are is free")
	}
}

func TestPreview(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Load(t, harbor()...)
	b.buy(t, "MOSSGATE")
	got := b.host.Do(t, httpapitest.Scenario{Path: "/v1/gps/900101/team/preview", As: ada})
	var answer struct{ Data team.Preview }
	require.NoError(t, json.Unmarshal([]byte(got.Body), &answer))
	p := answer.Data
	require.Equal(t, 5, *p.TotalCount)
	require.Nil(t, p.Reason)
	require.Equal(t, team.BySeniority{Senior: new(3), Mid: new(0), Junior: new(1), Staff: new(1)}, p.Seniority)
	require.Equal(t, team.ByRole{Partner: new(1), MD: new(2), VP: new(0), Associate: new(1), Other: new(1)}, p.Roles)
	require.Equal(t, []int{2, 15, 4}, []int{*p.Tenure.MinYears, *p.Tenure.MaxYears, *p.Tenure.Known})
	require.Equal(t, team.AlumniCount{Available: new(true), Count: new(2), Cost: new("$1.00")}, p.Alumni)
	require.Equal(t, "$2.00", *p.Cost)
	require.Equal(t, 2, *p.Coverage.ScheduleFilings)
	require.Equal(t, "2025-03-01", *p.Coverage.Until)
	require.Empty(t, b.meter.Charged())
	empty := b.host.Do(t, httpapitest.Scenario{Path: "/v1/gps/900102/team/preview", As: ada})
	require.Contains(t, empty.Body, `"total_count":1`)
}

// TestNotReadYet stops between the load and the resolution: nothing is counted as none, and nothing is sold.
func TestNotReadYet(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, load := range [][]fixture.Filing{harbor(), {fixture.Filed("900101", "2026-03-01", people{{Name: "HOLM, OLE", Title: "PARTNER"}})}} {
		b.LoadOnly(t, load...)
		for _, as := range []*auth.Principal{ada, test} {
			preview := b.host.Do(t, httpapitest.Scenario{Path: "/v1/gps/900101/team/preview", As: as, Contains: []string{
				`"total_count":null`, `"cost":null`, `"senior":null`, `"partner":null`, `"known":null`, `"count":null`, `"available":null`, `"schedule_filings":null`, `"lapsed":null`,
				`"reason":"Filings of the manager were loaded, but their people are not read yet"`,
			}})
			require.NotRegexp(t, `:(0|false|"\$0.00")[,}]`, preview.Body)
			for path, body := range map[string]string{
				"team": "", "team?quote=true": "", "alumni": "", "team/unlock": `{"tier":"complete"}`, "team/unlock?quote=true": `{"tier":"complete"}`, "alumni/unlock": `{}`,
			} {
				method := "GET"
				if body != "" {
					method = "POST"
				}
				refused := b.host.Do(t, httpapitest.Scenario{Method: method, Path: "/v1/gps/900101/" + path, Body: body, As: as, Status: 503, Contains: []string{
					`"code":"people_not_read"`, "their people are not read yet. Nothing was charged; try again in a minute",
				}})
				require.Equal(t, "30", refused.Header.Get("Retry-After"), path)
			}
		}
		require.Zero(t, b.meter.Spent(7))
		b.host.Do(t, httpapitest.Scenario{Path: "/v1/gps/999999/team", As: ada, Status: 404})
		_, err := b.People.Resolve(t.Context())
		require.NoError(t, err)
		b.host.Do(t, httpapitest.Scenario{Path: "/v1/gps/900101/team/preview", As: ada, Contains: []string{`"reason":null`}})
		b.get(t, test, "/v1/gps/900101/team")
	}
	full, _ := b.get(t, ada, "/v1/gps/900101/team")
	require.Equal(t, []string{"Ole Holm"}, full)
}

// The people of a manager are unknown if no document that was loaded could have named them. A filing whose schedules list no one names none.
func TestNeverFiled(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Load(t, fixture.Filing{CRD: "900101", On: "2026-03-01", Source: catalogapi.SourceRoster})
	b.Load(t, fixture.Filing{CRD: "900102", On: "2026-03-01", Silent: []string{catalogapi.TableOwners}}, fixture.Filed("900103", "2026-03-01", nil))
	for _, crd := range []string{"900101", "900102"} {
		for _, as := range []*auth.Principal{ada, test} {
			b.host.Do(t, httpapitest.Scenario{Path: "/v1/gps/" + crd + "/team/preview", As: as, Contains: []string{
				`"total_count":null`, `"cost":null`, `"senior":null`, `"count":null`, `"available":null`, `"schedule_filings":0`,
				`"reason":"No filing of this manager with a Schedule A or B was loaded, and no Form D notice names its people"`,
			}})
			for _, list := range []string{"/team", "/alumni", "/alumni?current_role=md"} {
				got := b.host.Do(t, httpapitest.Scenario{Path: "/v1/gps/" + crd + list, As: as, Contains: []string{
					`"data":[]`, `"total_available":null,"has_more":false,"next_page_cost":null,"reason":"No filing of this manager`,
				}})
				require.Equal(t, "0.00", got.Header.Get("X-Charge"))
			}
		}
	}
	for path, ask := range map[string]struct{ body, says string }{
		"/v1/gps/900101/team/unlock":   {`{"tier":"complete"}`, `"reason":"No filing of this manager with a Schedule A or B was loaded`},
		"/v1/gps/900101/alumni/unlock": {`{}`, `"reason":"No filing of this manager with a Schedule A or B was loaded`},
		"/v1/people/unlock": {
			`{"crds":["900102","900103","900101"],"tier":"complete"}`,
			`"reason":"No filing with a Schedule A or B of the managers in unknown_crds was loaded, and no Form D notice names their people","unknown_crds":["900102","900101"]`,
		},
	} {
		got := b.host.Do(t, httpapitest.Scenario{Method: "POST", Path: path, Body: ask.body, As: ada, Contains: []string{`"returned":0`, ask.says}})
		require.Equal(t, "0.00", got.Header.Get("X-Charge"))
	}
	b.host.Do(t, httpapitest.Scenario{Method: "POST", Path: "/v1/people/unlock", Body: `{"crds":["900103"],"tier":"complete"}`, As: ada, Contains: []string{`"reason":null,"unknown_crds":[]`}})
	b.host.Do(t, httpapitest.Scenario{Method: "POST", Path: "/v1/gps/900103/team/unlock", Body: `{"tier":"complete"}`, As: ada, Contains: []string{`"returned":0`, `"reason":null`}})
	b.host.Do(t, httpapitest.Scenario{Path: "/v1/gps/900103/team/preview", As: ada, Contains: []string{`"total_count":0`, `"reason":null`}})
	b.host.Do(t, httpapitest.Scenario{Path: "/v1/gps/900103/team", As: ada, Contains: []string{`"total_available":0`, `"reason":null`}})
}

// TestNoNameWithoutPay looks for the names of the firm in everything that is answered to those who have not paid: strangers,
// test keys, refused charges, quotes, HEAD, the preview.
func TestNoNameWithoutPay(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Load(t, harbor()...)
	requests := []httpapitest.Scenario{
		{Path: "/v1/gps/900101/team"},
		{Path: "/v1/gps/900101/team?sort=name"},
		{Path: "/v1/gps/900101/alumni"},
		{Path: "/v1/gps/900101/team/preview"},
		{Method: "POST", Path: "/v1/gps/900101/team/unlock", Body: `{"tier":"complete"}`},
		{Method: "POST", Path: "/v1/gps/900101/alumni/unlock", Body: `{}`},
	}
	clean := func(got httpapitest.Response) {
		t.Helper()
		said := strings.ToUpper(got.Body + fmt.Sprint(got.Header))
		for _, name := range names {
			require.NotContains(t, said, name)
		}
	}
	for _, r := range requests {
		r.As, r.Status = nil, 401
		clean(b.host.Do(t, r))
		r.As, r.Status = test, 200
		clean(b.host.Do(t, r))
		r.As = ada
		priced := !strings.HasSuffix(r.Path, "/preview")
		if priced {
			quote, bound := r, r
			separator := "?"
			if strings.Contains(r.Path, "?") {
				separator = "&"
			}
			quote.Path += separator + "quote=true"
			clean(b.host.Do(t, quote))
			bound.Path, bound.Status = bound.Path+separator+"max_charge=0.10", 402
			clean(b.host.Do(t, bound))
		} else {
			clean(b.host.Do(t, r))
		}
		if r.Method == "" {
			head := r
			head.Method = "HEAD"
			clean(b.host.Do(t, head))
		}
	}
	require.Zero(t, b.meter.Spent(ada.UserID))
	one, _ := b.get(t, test, "/v1/gps/900101/team")
	two, _ := b.get(t, test, "/v1/gps/900101/team?sort=tenure")
	require.ElementsMatch(t, one, two, "somebody is always the same invented person")
	document, err := b.host.API.JSON()
	require.NoError(t, err)
	require.NotContains(t, string(document), "Theo Mossgate")
}

// TestUnpaidUnlocksRevealNoRank asks for the price of parts of a team when one person was bought. The answers for each size are the
// same, whoever that person is.
func TestUnpaidUnlocksRevealNoRank(t *testing.T) {
	t.Parallel()
	path := "/v1/gps/900101/team/unlock"
	asks := map[string]httpapitest.Scenario{}
	for body, size := range map[string]int{
		`{"tier":"senior"}`: 3, `{"tier":"investment_team"}`: 4, `{"tier":"custom","count":1}`: 1, `{"tier":"custom","count":2}`: 2,
		`{"tier":"custom","count":3}`: 3, `{"tier":"custom","count":4}`: 4,
	} {
		amount := charge.Dollars(int64(size) * 500_000)
		number := strings.TrimSuffix(strings.TrimSuffix(amount, "0"), ".0")
		ask := httpapitest.Scenario{Method: "POST", Body: body, As: ada}
		ask.Path, ask.Contains = path+"?quote=true", []string{fmt.Sprintf(`"quantity":%d,"owned":0,"amount":%s,"at_most":true`, size, number)}
		asks["quote "+body] = ask
		ask.Path, ask.Status, ask.Contains = path+"?max_charge=0", 402, []string{`"amount":` + number, `"code":"max_charge"`}
		asks["max_charge "+body] = ask
		ask.Path, ask.Contains = path, []string{`"amount":` + number, `"code":"confirmation_required"`}
		asks["one-click "+body] = ask
	}
	asks["role"] = httpapitest.Scenario{Path: "/v1/gps/900101/team?role=md&quote=true", As: ada, Contains: []string{`"quantity":2,"owned":0,"amount":1`}}
	asks["complete"] = httpapitest.Scenario{
		Method: "POST", Path: path + "?quote=true", Body: `{"tier":"complete"}`, As: ada, Contains: []string{`"quantity":5,"owned":1,"amount":2,"at_most":true`},
	}
	for _, offset := range []int{0, 1, 4} { // a partner, a managing director, and the last of all
		b := setup(t)
		b.Load(t, harbor()...)
		b.own("900101/" + b.buyOne(t, fmt.Sprintf("/v1/gps/900101/team?limit=1&offset=%d", offset)))
		b.meter.SetOneClick(7, false, 0)
		for name, ask := range asks {
			t.Run(fmt.Sprint(offset, " ", name), func(t *testing.T) {
				t.Parallel()
				b.host.Do(t, ask)
			})
		}
		require.EqualValues(t, 500_000, b.meter.Spent(7))
	}
}
