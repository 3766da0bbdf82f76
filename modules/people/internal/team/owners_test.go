package team_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/catalogtest"
	"gpatlas/modules/people/internal/team"
	"gpatlas/modules/people/internal/testkit/fixture"
	"gpatlas/platform/auth"
	"gpatlas/platform/charge"
	"gpatlas/platform/database"
	"gpatlas/platform/testkit/httpapitest"
)

// held is the schedules of a manager: people of its team, vehicles of them and of others, and people filed as firms.
func held() []fixture.Filing {
	yes, no := new(true), new(false)
	return []fixture.Filing{
		fixture.Filed("900101", "2020-03-01", people{
			{Name: "ASHDOWN, LENA", Title: "PARTNER"}, {Name: "THORNE, OLA, MARSH", Title: "MEMBER", Number: "1000020"}, {Name: "QUILL, BRAM", Title: "MEMBER"},
		}),
		fixture.Filed("900101", "2026-03-01", people{
			{Name: "HARBOR RIDGE HOLDINGS, L.P.", Entity: true, Code: "E", Control: yes},                                                     // 1
			{Name: "LARKSPUR, ADA, M", Title: "MANAGING MEMBER", Since: "2011-03", Number: "1000018", Code: "NA", Control: yes},              // 2
			{Name: "MOSSGATE, THEO", Title: "DIRECTOR", Since: "2015", Code: "NA", Control: no},                                              // 3
			{Name: "THE ADA LARKSPUR REVOCABLE TRUST", Entity: true, Title: "MEMBER", Since: "2012-05", Code: "C", Control: no},              // 4
			{Name: "THORNE, OLA, MARSH", Entity: true, Title: "MEMBER", Code: "A", Control: no},                                              // 5: mistyped
			{Name: "ESTATE OF LENA ASHDOWN", Entity: true, Code: "A"},                                                                        // 6: of a former member
			{Name: "LARKSPUR FAMILY TRUST", Entity: true, Code: "B", Control: yes},                                                           // 7: not sold
			{Name: "BRAM QUILL IRA", Entity: true, Code: "B", Control: no},                                                                   // 8
			{Name: "UNMARKED OWNER LLC", Code: "D", Control: yes},                                                                            // 9: marked as an individual
			{Name: "THORNE, OLA, MARSH", Title: "DIRECTOR", Number: "1000020", Code: "NA", Control: no},                                      // 10
			{Name: "LARKSPUR, ADA, M", B: true, Code: "D", Owned: "HARBOR RIDGE HOLDINGS, L.P.", Number: "1000018", Control: no},             // 11
			{Name: "ADA LARKSPUR AND THEO MOSSGATE TRUST", Entity: true, B: true, Code: "F", Owned: "HARBOR RIDGE HOLDINGS, L.P."},           // 12
			{Name: "QUILL, BRAM", Title: "LIMITED PARTNER", B: true, Code: "C", Owned: "HARBOR RIDGE HOLDINGS, L.P.", Control: no},           // 13
			{Name: "UNKNOWN PERSON TRUST", Entity: true, B: true, Code: "E", Owned: "HARBOR RIDGE HOLDINGS, L.P.", Control: yes},             // 14
			{Name: "THEO MOSSGATE AND BRAM QUILL TRUST", Entity: true, B: true, Code: "C", Owned: "HARBOR RIDGE HOLDINGS, L.P.", Title: "X"}, // 15
			{Name: "DEE LARKSPUR AND THEO MOSSGATE TRUST", Entity: true},                                                                     // 16
		}),
	}
}

// heldBy are the words that only those who paid may see.
var heldBy = []string{"LARKSPUR", "MOSSGATE", "THORNE", "ASHDOWN", "QUILL", "UNMARKED", "UNKNOWN PERSON", "MANAGING MEMBER", "LIMITED PARTNER", "2011-03"}

const ownersPath = "/v1/gps/900101/owners/persons"

// owners returns the rows of each person, by name.
func (b *bench) owners(t *testing.T, query string) (names []string, rows map[string][]int, meta team.OwnersMeta) {
	t.Helper()
	var answer struct {
		Data []team.OwnerPerson
		Meta team.OwnersMeta
	}
	got := b.host.Do(t, httpapitest.Scenario{Path: ownersPath + query, As: ada})
	require.NoError(t, json.Unmarshal([]byte(got.Body), &answer))
	rows = map[string][]int{}
	for _, p := range answer.Data {
		names = append(names, p.FullName)
		for _, h := range p.Holdings {
			rows[p.FullName] = append(rows[p.FullName], h.Row)
		}
	}
	return names, rows, answer.Meta
}

// V28: a person is sold with all rows of the person, with mistyped ones, and with vehicles that have the person's name.
func TestOwners(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Load(t, held()...)
	names, rows, meta := b.owners(t, "")
	require.Equal(t, []string{"Ada M Larkspur", "Theo Mossgate", "Ola Marsh Thorne", "Lena Ashdown", "Bram Quill"}, names)
	require.Equal(t, map[string][]int{
		"Ada M Larkspur": {2, 4, 11, 12}, "Theo Mossgate": {3, 12, 15, 16}, "Ola Marsh Thorne": {5, 10}, "Lena Ashdown": {6}, "Bram Quill": {8, 13, 15},
	}, rows)
	require.Equal(t, []any{5, 5, false, "$0.00"}, []any{meta.Returned, *meta.TotalAvailable, meta.HasMore, *meta.NextPageCost})
	require.Equal(t, "2026-03-01", *meta.Basis.FilingDate)
	require.EqualValues(t, 2_500_000, b.meter.Spent(ada.UserID))
	for query, want := range map[string][]string{
		"?limit=2&offset=3":              {"Lena Ashdown", "Bram Quill"},
		"?min_percent=25":                {"Ada M Larkspur"},
		"?min_percent=18.75":             {"Ada M Larkspur", "Bram Quill"},
		"?min_percent=0&control=true":    {"Ada M Larkspur"},
		"?control=true&min_percent=1":    nil, // both of one row
		"?control=false&limit=1":         {"Ada M Larkspur"},
		"?min_percent=5&control=false":   {"Ada M Larkspur", "Ola Marsh Thorne", "Bram Quill"},
		"?min_percent=5&limit=1":         {"Ada M Larkspur"},
		"?min_percent=100&control=false": nil,
	} {
		found, _, _ := b.owners(t, query)
		require.Equal(t, want, found, query)
	}
	_, rows, _ = b.owners(t, "?limit=1")
	require.Equal(t, map[string][]int{"Ada M Larkspur": {2, 4, 11}}, rows, "a vehicle of two people is shown with both")
	one := b.host.Do(t, httpapitest.Scenario{Path: ownersPath + "?limit=1&control=true", As: ada})
	uid, _ := ids(t, one.Body)
	require.JSONEq(t, `{"data":[{"id":"`+uid[0]+`","full_name":"Ada M Larkspur","paid_before":false,"holdings":[
		{"row":2,"schedule":"A","through":null,"title":"MANAGING MEMBER","acquired":"2011-03","ownership":{"code":"NA","min_percent":0,"max_percent":5},
			"control":true,"owns_row":null,"effective":{"min_percent":0,"max_percent":5}},
		{"row":4,"schedule":"A","through":"THE ADA LARKSPUR REVOCABLE TRUST","title":"MEMBER","acquired":"2012-05","ownership":{"code":"C","min_percent":25,"max_percent":50},
			"control":false,"owns_row":null,"effective":{"min_percent":25,"max_percent":50}},
		{"row":11,"schedule":"B","through":null,"title":null,"acquired":null,"ownership":{"code":"D","min_percent":50,"max_percent":75},
			"control":false,"owns_row":1,"effective":{"min_percent":37.5,"max_percent":75}}]}],
		"meta":{"returned":1,"total_available":null,"has_more":true,"next_page_cost":"$0.50","reason":null,
			"basis":{"stated":true,"accession_number":"`+*meta.Basis.AccessionNumber+`","filing_type":"ADV/A","filing_date":"2026-03-01","source":"adv_archive"},
			"filters_applied":{"limit":1,"control":true}}}`, one.Body)
	for path, status := range map[string]int{
		"/v1/gps/999999/owners/persons": 404, "/v1/gps/0/owners/persons": 400, ownersPath + "?limit=101": 400, ownersPath + "?min_percent=101": 400, ownersPath + "?min_percent=-1": 400,
		ownersPath + "?min_percent=a": 400, ownersPath + "?control=yes": 400, ownersPath + "?role=md": 400,
	} {
		b.host.Do(t, httpapitest.Scenario{Name: path, Path: path, As: ada, Status: status, WantHeader: map[string]string{"X-Charge": "0.00"}})
	}
	b.host.Do(t, httpapitest.Scenario{Path: ownersPath, Status: 401})
}

// suppress hides all people with a last name.
func (b *bench) suppress(t *testing.T, last string) {
	t.Helper()
	const statement = "SELECT DISTINCT person_uid FROM people.posts WHERE last_key = @last"
	list, err := database.Values[string](t.Context(), b.DB, "read uids", statement, database.Args{"last": last})
	require.NoError(t, err)
	require.NotEmpty(t, list)
	for _, uid := range list {
		b.Suppress(t, uid)
	}
}

// V28: a suppressed person is never sold, in no row and no vehicle; neither is a vehicle that may name the person.
func TestSuppressedOwnersAreNotSold(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Load(t, held()...)
	all, _, _ := b.owners(t, "?limit=1")
	require.Equal(t, []string{"Ada M Larkspur"}, all)
	uid, _ := ids(t, b.host.Do(t, httpapitest.Scenario{Path: ownersPath + "?limit=1", As: ada}).Body)
	b.Suppress(t, uid[0])
	names, rows, _ := b.owners(t, "")
	require.Equal(t, []string{"Theo Mossgate", "Ola Marsh Thorne", "Lena Ashdown", "Bram Quill"}, names)
	require.Equal(t, map[string][]int{"Theo Mossgate": {3, 15}, "Ola Marsh Thorne": {5, 10}, "Lena Ashdown": {6}, "Bram Quill": {8, 13, 15}}, rows)
	free, _, err := catalogtest.NewSchedules(b.DB).Schedules(t.Context(), "900101")
	require.NoError(t, err)
	require.Len(t, free, 16, "the rows stay")
	b.suppress(t, "ASHDOWN")
	b.suppress(t, "QUILL")
	_, rows, _ = b.owners(t, "")
	require.Equal(t, map[string][]int{"Theo Mossgate": {3}, "Ola Marsh Thorne": {5, 10}}, rows)
}

// likes are two managers whose free lists of owners and previews are the same. What differs is which rows are of one person, and whose.
func likes() []fixture.Filing {
	of := func(crd string, owner, officer, upper string) fixture.Filing {
		return fixture.Filed(crd, "2026-03-01", people{
			{Name: "HARBOR RIDGE HOLDINGS, L.P.", Entity: true, Code: "E", Control: new(true)},
			{Name: owner, Title: "DIRECTOR", Code: "NA", Control: new(true)},
			{Name: officer, Title: "DIRECTOR", Code: "NA", Control: new(false)},
			{Name: "FERNLEY, IRIS", Title: "DIRECTOR", Code: "A"},
			{Name: upper, B: true, Code: "C", Owned: "HARBOR RIDGE HOLDINGS, L.P.", Control: new(true)},
		})
	}
	return []fixture.Filing{
		of("900101", "LARKSPUR, ADA", "BIRCH, OLAF", "LARKSPUR, ADA"), of("900102", "BIRCH, OLAF", "LARKSPUR, ADA", "LARKSPUR, ADA"),
	}
}

// V25: free answers about owners do not show which rows are of one person, nor whether the person of a row has objected: two managers with
// the same free list and as many people get the same ones, byte by byte.
func TestFreeAnswersOfOwnersFollowFromTheList(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(t *testing.T, b *bench){
		"nothing bought": func(*testing.T, *bench) {},
		"one of each": func(t *testing.T, b *bench) {
			t.Helper()
			for _, crd := range []string{"900101", "900102"} {
				b.own(crd + "/" + b.buyOne(t, "/v1/gps/"+crd+"/owners/persons?limit=1"))
			}
		},
		"one bought in the team": func(t *testing.T, b *bench) {
			t.Helper()
			for _, crd := range []string{"900101", "900102"} {
				b.own(crd + "/" + b.buyOne(t, "/v1/gps/"+crd+"/team?limit=1&sort=name"))
			}
		},
		"one suppressed": func(t *testing.T, b *bench) { // the first has two rows, the second one
			t.Helper()
			b.suppress(t, "BIRCH")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			b.Load(t, likes()...)
			change(t, b)
			spent := b.meter.Spent(ada.UserID)
			b.meter.SetCap(ada.UserID, new(spent))
			b.meter.Advance(charge.MaxStateAge)
			hear := func(crd, query, terms, method string) string {
				path := "/v1/gps/" + crd + "/owners/persons?" + query + terms
				got := b.host.Ask(t, httpapitest.Scenario{Method: method, Path: strings.TrimRight(path, "?&"), As: ada})
				got.Header.Del("X-Request-ID")
				return strings.NewReplacer("900102", "900101", "-00102", "-00101").Replace(fmt.Sprint(got.Status, got.Body, got.Header)) // of the filing
			}
			for _, query := range []string{
				"", "control=true&", "control=false&", "min_percent=0&", "min_percent=5&", "min_percent=18.75&", "min_percent=19&", "control=true&min_percent=1&",
				"limit=1&", "limit=1&offset=1&control=true&", "limit=2&min_percent=0&", "control=true&offset=2&", "limit=1&offset=1&",
			} {
				for _, terms := range [][2]string{{"quote=true", "GET"}, {"max_charge=0", "GET"}, {"max_charge=0.4", "GET"}, {"", "HEAD"}, {"", "GET"}} {
					require.Equal(t, hear("900101", query, terms[0], terms[1]), hear("900102", query, terms[0], terms[1]), "%s%s %s", query, terms[0], terms[1])
				}
			}
			require.Equal(t, spent, b.meter.Spent(ada.UserID))
		})
	}
}

// V25: no name, title or month is in an answer to those who have not paid.
func TestNoOwnerWithoutPay(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Load(t, held()...)
	for _, query := range []string{"", "?control=true", "?min_percent=1"} {
		for _, ask := range []httpapitest.Scenario{
			{Status: 401},
			{As: test},
			{As: ada, Path: "quote=true"},
			{As: test, Path: "quote=true"},
			{As: ada, Path: "max_charge=0.10", Status: 402},
			{As: ada, Method: "HEAD"},
			{As: test, Method: "HEAD"},
		} {
			join := "?"
			if query != "" {
				join = "&"
			}
			if ask.Path != "" {
				ask.Path = join + ask.Path
			}
			ask.Path = ownersPath + query + ask.Path
			got := b.host.Do(t, ask)
			said := strings.ToUpper(got.Body + fmt.Sprint(got.Header))
			for _, word := range heldBy {
				require.NotContains(t, said, word, "%s %s", ask.Method, ask.Path)
			}
		}
	}
	require.Zero(t, b.meter.Spent(ada.UserID))
	var invented, teamOf struct{ Data []team.OwnerPerson }
	got := b.host.Do(t, httpapitest.Scenario{Path: ownersPath, As: test})
	require.NoError(t, json.Unmarshal([]byte(got.Body), &invented))
	require.NoError(t, json.Unmarshal([]byte(b.host.Do(t, httpapitest.Scenario{Path: "/v1/gps/900101/team", As: test}).Body), &teamOf))
	require.Len(t, invented.Data, 5, "how many there are is free")
	for _, p := range invented.Data {
		require.Len(t, p.Holdings, 1, "which rows are of one person is not")
	}
	known := map[string]bool{}
	for _, p := range teamOf.Data {
		known[p.ID] = true
	}
	require.True(t, known[invented.Data[0].ID], "the invented people are those of the invented team")
}

// V29: what no filing states is unknown; schedules without rows have no people; people who are not read yet are not sold.
func TestOwnersWithoutSchedules(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Load(t, fixture.Filing{CRD: "900102", On: "2026-03-01", Silent: []string{catalogapi.TableOwners}})
	b.Load(t, fixture.Filed("900101", "2025-03-01", people{{Name: "LARKSPUR, ADA"}}), fixture.Filed("900101", "2026-03-01", nil))
	for _, as := range []*auth.Principal{ada, test} {
		b.host.Do(t, httpapitest.Scenario{Path: "/v1/gps/900102/owners/persons", As: as, WantHeader: map[string]string{"X-Charge": "0.00"}, Contains: []string{
			`"data":[]`, `"total_available":null,"has_more":false,"next_page_cost":null,"reason":"No filing of this manager with a Schedule A or B was loaded"`, `"stated":false`,
		}})
		b.host.Do(t, httpapitest.Scenario{Path: ownersPath, As: as, Contains: []string{`"data":[]`, `"total_available":0`, `"reason":null`, `"stated":true`}})
	}
	b.LoadOnly(t, held()...)
	for _, query := range []string{"", "?quote=true", "?control=true"} {
		b.host.Do(t, httpapitest.Scenario{Path: ownersPath + query, As: ada, Status: 503, Contains: []string{`"code":"people_not_read"`}})
	}
	require.Zero(t, b.meter.Spent(ada.UserID))
}
