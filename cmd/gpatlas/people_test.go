package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"gpatlas/platform/database"
	"gpatlas/platform/testkit/dbtest"
)

// filedPerson is a raw row of the catalog that names a person.
type filedPerson struct {
	crd, filing, schedule, number, last, first string
	on                                         time.Time
	individual, notice                         bool
}

// readFiled reads Schedules A and B and the related persons of Form D, in the order of filings. It shares no code with the
// module that makes people of them.
func readFiled(t *testing.T, db *database.DB) map[string][]filedPerson {
	t.Helper()
	rows, err := db.Pool().Query(t.Context(), `
		SELECT f.crd, f.accession, o.schedule, coalesce(o.owner_id, ''), upper(split_part(o.name, ',', 1)), upper(trim(split_part(o.name, ',', 2))),
			f.filing_date, f.submitted_at, coalesce(o.entity_type, 'I') = 'I', false AS notice
		FROM catalog.pub_filing f JOIN catalog.pub_owner o USING (accession)
		UNION ALL
		SELECT DISTINCT d.adviser_crd, p.accession, '', '', upper(p.last_name), upper(coalesce(p.first_name, '')), p.filing_date, NULL::timestamptz,
			NOT p.entity AND p.relationships IS DISTINCT FROM '{Promoter}', true
		FROM catalog.pub_offering d JOIN catalog.pub_offering_person p USING (accession) WHERE d.adviser_crd IS NOT NULL
		ORDER BY 7, 10, 8, 2`)
	require.NoError(t, err)
	defer rows.Close()
	filed := map[string][]filedPerson{}
	for rows.Next() {
		var p filedPerson
		var submitted *time.Time
		require.NoError(t, rows.Scan(&p.crd, &p.filing, &p.schedule, &p.number, &p.last, &p.first, &p.on, &submitted, &p.individual, &p.notice))
		filed[p.crd] = append(filed[p.crd], p)
	}
	require.NoError(t, rows.Err())
	return filed
}

// whoIsThere counts by the plain rules: the team is whoever the newest filing with a Schedule A names, and whom only notices of
// the last two years name; alumni are those of earlier filings who are not on it. One name is one person, and one number is.
func whoIsThere(filed []filedPerson) (team, alumni map[string]bool) {
	withA, newest, until := map[string]bool{}, "", time.Time{}
	for _, p := range filed {
		if p.schedule == "A" {
			withA[p.filing], newest = true, p.filing
		}
		if (p.notice && p.individual || p.schedule == "A") && p.on.After(until) {
			until = p.on
		}
	}
	byNumber, byName := map[string]string{}, map[string]string{}
	person := func(p filedPerson) string {
		called := p.last + ", " + p.first
		id, ok := byNumber[p.number]
		if !ok || p.number == "" {
			if id, ok = byName[called]; !ok {
				id = called
			}
		}
		byName[called] = id
		if p.number != "" {
			byNumber[p.number] = id
		}
		return id
	}
	team, alumni = map[string]bool{}, map[string]bool{}
	scheduled, noticed := map[string]bool{}, map[string]time.Time{}
	for _, p := range filed {
		switch {
		case !p.individual || !p.notice && !withA[p.filing]:
		case p.notice:
			noticed[person(p)] = p.on
		default:
			scheduled[person(p)] = true
			if p.filing == newest {
				team[person(p)] = true
			}
		}
	}
	for id := range scheduled {
		if !team[id] {
			alumni[id] = true
		}
	}
	for id, on := range noticed {
		if !scheduled[id] && until.Sub(on) <= 2*366*24*time.Hour {
			team[id] = true
		}
	}
	return team, alumni
}

// peopleHouse is a service over the sample, and who calls it: a session, a live key and a test key of one account that may buy
// without end.
type peopleHouse struct {
	*house

	db         *database.DB
	ada        *account
	live, test []caller // several keys each, in turn: each is limited by itself
	turn       int
	internal   string
}

func openPeople(t *testing.T) *peopleHouse {
	t.Helper()
	p := &peopleHouse{db: sampleDB.New(t), internal: freePort(t)}
	p.house = startHouse(t, dbtest.URL(t, p.db), dbtest.RedisURL(t), "LOG_LEVEL=debug", "WEB_ACCESS_LOG=all", "ANONYMOUS_LIMITS=off", "WEB_INTERNAL_ADDR="+p.internal)
	p.ada = p.signUp(t, "ada@larkspur.example")
	p.verify(t, p.ada)
	owners := []*account{p.ada, p.signUp(t, "bram@larkspur.example"), p.signUp(t, "cleo@larkspur.example")}
	_, err := p.db.Pool().Exec(t.Context(), "UPDATE accounts.users SET api_tier = 'scale', subscription_plan = 'enterprise', trial_ends_at = NULL, email_verified_at = now()")
	require.NoError(t, err)
	key := func(owner *account, name, mode string) caller {
		made := owner.call("POST", "/v1/api-keys", `{"name":"`+name+`","tier":"scale","mode":"`+mode+`"}`)
		require.Equal(t, http.StatusCreated, made.status, made.body)
		return caller{t, p.base, text(t, made.body, "key")}
	}
	for i, name := range []string{"first", "second", "third"} { // test keys of one account share a limit
		p.live, p.test = append(p.live, key(p.ada, name, "live")), append(p.test, key(owners[i], name+" test", "test"))
	}
	return p
}

func (p *peopleHouse) next(keys []caller) caller {
	p.turn++
	return keys[p.turn%len(keys)]
}

// Guarantee: the team and the alumni of every manager of the sample are those whom plain rules over the raw rows give, by number
// and by name, and the preview's sums by role and by seniority are those of the people that are then sold. No current post that is
// sold is at a manager that has withdrawn or that no list names.
func TestPeopleAreThoseOfTheFilings(t *testing.T) {
	t.Parallel()
	p := openPeople(t)
	filed := readFiled(t, p.db)
	require.Greater(t, len(filed), 250)
	gone, err := database.Values[string](t.Context(), p.db, "find former managers",
		"SELECT crd FROM catalog.advisers WHERE withdrawn_on IS NOT NULL OR not_listed_since IS NOT NULL", database.Args{})
	require.NoError(t, err)
	people, roles, careers := 0, 0, 0
	for _, crd := range slices.Sorted(maps.Keys(filed)) {
		team, alumni := whoIsThere(filed[crd])
		var preview struct {
			Data struct {
				TotalCount  int            `json:"total_count"`
				BySeniority map[string]int `json:"by_seniority"`
				ByRole      map[string]int `json:"by_role"`
				Alumni      struct{ Count int }
			}
		}
		p.read(t, crd+"/team/preview", &preview)
		require.Len(t, team, preview.Data.TotalCount, crd)
		require.Len(t, alumni, preview.Data.Alumni.Count, crd)
		for path, want := range map[string]map[string]bool{"/team": team, "/alumni": alumni} {
			var sold struct {
				Data []struct {
					FullName       string `json:"full_name"`
					Role           string
					SeniorityLevel string                `json:"seniority_level"`
					CurrentRole    *struct{ CRD string } `json:"current_role"`
				}
			}
			p.read(t, crd+path+"?limit=100", &sold)
			require.Len(t, sold.Data, len(want), crd+path)
			people += len(want)
			byRole, levels := map[string]int{"partner": 0, "md": 0, "vp": 0, "associate": 0, "other": 0}, map[string]int{"senior": 0, "mid": 0, "junior": 0, "staff": 0}
			for _, m := range sold.Data {
				byRole[m.Role]++
				levels[m.SeniorityLevel]++
				if m.CurrentRole != nil {
					require.NotContains(t, gone, m.CurrentRole.CRD, "an alumnus of %s", crd)
					roles++
				}
			}
			if path == "/team" {
				require.Equal(t, byRole, preview.Data.ByRole, crd)
				require.Equal(t, levels, preview.Data.BySeniority, crd)
			}
		}
	}
	for _, crd := range gone {
		if len(filed[crd]) == 0 {
			continue
		}
		var sold struct {
			Data []struct {
				Employment []struct {
					CRD     *string
					Current bool
				}
			}
		}
		got := p.next(p.live).call("POST", "/v1/gps/"+crd+"/careers/unlock-all", "{}")
		require.Equal(t, http.StatusOK, got.status, got.body)
		require.NoError(t, json.Unmarshal([]byte(got.body), &sold))
		for _, career := range sold.Data {
			for _, post := range career.Employment {
				require.False(t, post.Current && post.CRD != nil && slices.Contains(gone, *post.CRD), crd)
				careers++
			}
		}
	}
	t.Log(people, "people,", roles, "current roles,", careers, "posts of careers")
	require.Greater(t, people, 1_000)
	require.Positive(t, roles)
	require.Positive(t, careers)
}

// read reads an answer about a manager with the live key.
func (p *peopleHouse) read(t *testing.T, path string, into any) {
	t.Helper()
	got := p.next(p.live).call("GET", "/v1/gps/"+path, "")
	require.Equal(t, http.StatusOK, got.status, got.body)
	require.NoError(t, json.Unmarshal([]byte(got.body), into))
}

// Guarantee: nobody's name leaves the service before it is paid for: not in an answer of any kind to anybody, not to a test key
// that "buys" everything, not in the catalog, the log, the metrics or a mail. The OpenAPI document does not depend on the data.
func TestNoNameLeavesUnpaid(t *testing.T) {
	t.Parallel()
	p := openPeople(t)
	crds := slices.Sorted(maps.Keys(readFiled(t, p.db)))
	nobody := caller{t: t, base: p.base}
	said := map[string]*strings.Builder{}
	hear := func(where, text string) {
		if said[where] == nil {
			said[where] = &strings.Builder{}
		}
		said[where].WriteString(text + "\n")
	}
	ask := func(c caller, want int, method, path, body string) {
		t.Helper()
		got := c.call(method, path, body)
		require.Equal(t, want, got.status, "%s %s: %s", method, path, got.body)
		hear(regexp.MustCompile(`\d{4,}`).ReplaceAllString(method+" "+path, "N"), got.body+fmt.Sprint(got.header))
	}
	for i, crd := range crds {
		at := "/v1/gps/" + crd
		ask(p.next(p.live), http.StatusOK, "GET", at+"/team/preview", "")
		ask(p.next(p.test), http.StatusOK, "GET", at+"/team?limit=100", "")
		ask(p.next(p.test), http.StatusOK, "GET", at+"/alumni?limit=100", "")
		if i%10 > 0 {
			continue
		}
		for _, path := range []string{"/team", "/alumni", "/team?sort=name&limit=100"} {
			join := "?"
			if strings.Contains(path, "?") {
				join = "&"
			}
			ask(nobody, http.StatusUnauthorized, "GET", at+path, "")
			ask(p.next(p.live), http.StatusOK, "GET", at+path+join+"quote=true", "")
			ask(p.next(p.live), http.StatusOK, "HEAD", at+path, "")
			ask(p.next(p.live), http.StatusBadRequest, "GET", at+path+join+"offset=-1", "")
		}
		ask(p.next(p.live), http.StatusBadRequest, "POST", at+"/team/unlock", `{"tier":"nobody"}`)
		ask(p.next(p.live), http.StatusOK, "POST", at+"/team/unlock?quote=true", `{"tier":"complete"}`)
		ask(p.next(p.live), http.StatusOK, "POST", at+"/alumni/unlock?quote=true", `{}`)
		ask(p.next(p.test), http.StatusOK, "POST", at+"/team/unlock", `{"tier":"complete","confirm":true}`)
		ask(p.next(p.test), http.StatusOK, "POST", at+"/alumni/unlock", `{"confirm":true}`)
		ask(nobody, http.StatusOK, "GET", at, "")
	}
	// This copy has no Stripe key, so it answers anybody about enriched people. Who is anonymous where charges are collected, see
	// the tests of the slices.
	p.enrichAll(t)
	for i, uid := range p.uids(t) {
		if i%4 > 0 {
			continue // keys are limited
		}
		at := "/v1/people/" + uid
		ask(p.next(p.test), http.StatusOK, "GET", at, "")
		ask(p.next(p.test), http.StatusOK, "GET", at+"/history", "")
		if i%20 > 0 {
			continue
		}
		for _, path := range []string{at, at + "/history"} {
			ask(p.next(p.live), http.StatusOK, "GET", path+"?quote=true", "")
			ask(p.next(p.live), http.StatusOK, "HEAD", path, "")
			ask(p.next(p.live), http.StatusPaymentRequired, "GET", path+"?max_charge=0.10", "")
			ask(p.next(p.live), http.StatusBadRequest, "GET", path+"?max_charge=x", "")
		}
	}
	for i, crd := range crds {
		if i%10 == 0 {
			at := "/v1/gps/" + crd + "/careers/unlock-all"
			ask(p.next(p.test), http.StatusOK, "POST", at, `{"confirm":true}`)
			ask(p.next(p.live), http.StatusOK, "POST", at, `{}`) // nobody's name is bought
			ask(p.next(p.live), http.StatusOK, "POST", at+"?quote=true", `{}`)
			ask(p.next(p.live), http.StatusBadRequest, "POST", at, `{"person_ids":["`+p.someone(t, crd)+`"]}`)
			ask(nobody, http.StatusUnauthorized, "POST", at, `{}`)
		}
	}
	for _, q := range []string{"an", "el", "ada", "abren", "ki"} { // pieces of which the invented names are made
		at := "/v1/people/search?q=" + q
		ask(p.next(p.test), http.StatusOK, "GET", at, "")
		ask(p.next(p.live), http.StatusOK, "GET", at+"&quote=true", "")
		ask(p.next(p.live), http.StatusOK, "HEAD", at, "")
	}
	ask(nobody, http.StatusOK, "GET", "/v1/gps?per_page=100", "")
	for _, sort := range []string{"disclosed", "event", "amount"} {
		at := "/v1/disclosures?include_past=true&limit=100&sort=" + sort
		ask(p.next(p.test), http.StatusOK, "GET", at, "")
		ask(p.next(p.live), http.StatusOK, "GET", at+"&quote=true", "")
		ask(p.next(p.live), http.StatusOK, "HEAD", at, "")
	}
	ask(p.ada.caller, http.StatusOK, "GET", "/v1/me/account/export", "")
	ask(caller{t: t, base: "http://" + p.internal}, http.StatusOK, "GET", "/_internal/metrics", "")
	for _, name := range letters(p.mails) {
		b, err := os.ReadFile(name)
		require.NoError(t, err)
		hear("a mail", string(b))
	}
	require.Contains(t, p.out.String(), "/team/unlock", "requests are logged")
	hear("the log", p.out.String())
	// The document is part of the program: its examples, of the invented sample, are the same whatever a service has loaded.
	app, err := describe()
	require.NoError(t, err)
	document, err := app.API.JSON()
	require.NoError(t, err)
	served := nobody.call("GET", "/openapi.json", "").body // its first request is to the service itself
	require.JSONEq(t, string(document), strings.ReplaceAll(served, p.base, "http://127.0.0.1:8080"))
	var spent int
	require.NoError(t, p.db.Pool().QueryRow(t.Context(), "SELECT count(*) FROM billing.charges WHERE mode = 'live'").Scan(&spent))
	require.Zero(t, spent, "nothing was paid")

	names := p.names(t)
	require.Greater(t, len(names), 2_000)
	for where, text := range said {
		words := spelled(text.String())
		for i, name := range names {
			if strings.Contains(words, name) {
				t.Errorf("name %d in %s", i, where) // the name itself stays out of messages
			}
		}
	}
	// The search finds what there is to be found.
	sold := p.next(p.live).call("GET", "/v1/gps/"+p.busiest(t)+"/team", "")
	require.True(t, slices.ContainsFunc(names, func(name string) bool { return strings.Contains(spelled(sold.body), name) }))
}

// enrichAll notes every manager as enriched, so that all people are found.
func (p *peopleHouse) enrichAll(t *testing.T) {
	t.Helper()
	_, err := p.db.Pool().Exec(t.Context(), "INSERT INTO people.enriched_firms (crd, first_at, last_at) SELECT DISTINCT crd, now(), now() FROM people.posts ON CONFLICT DO NOTHING")
	require.NoError(t, err)
}

// uids are those of everybody.
func (p *peopleHouse) uids(t *testing.T) []string {
	t.Helper()
	rows, err := p.db.Pool().Query(t.Context(), "SELECT DISTINCT person_uid FROM people.posts ORDER BY 1")
	require.NoError(t, err)
	list, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	return list
}

// someone is on the roster of a manager.
func (p *peopleHouse) someone(t *testing.T, crd string) (uid string) {
	t.Helper()
	require.NoError(t, p.db.Pool().QueryRow(t.Context(), "SELECT person_uid FROM people.posts WHERE crd = $1 AND standing <> 'lapsed' LIMIT 1", crd).Scan(&uid))
	return uid
}

// filedTitles cuts the schedules into islands: filings of one manager, one after the other, that name somebody with the same titles.
const filedTitles = `WITH filing AS (
	SELECT f.crd, f.accession, f.filing_date, row_number() OVER (PARTITION BY f.crd ORDER BY f.filing_date, f.submitted_at, length(f.accession), f.accession) AS n
	FROM catalog.pub_filing f WHERE EXISTS (SELECT FROM catalog.pub_owner a WHERE a.accession = f.accession AND a.schedule = 'A')
), named AS (
	SELECT x.crd, x.n, x.filing_date, o.name, o.title, min(o.schedule || lpad(o.seq::text, 9, '0')) AS place
	FROM filing x JOIN catalog.pub_owner o USING (accession) WHERE coalesce(o.entity_type, 'I') = 'I' GROUP BY 1, 2, 3, 4, 5
), said AS (
	SELECT crd, n, filing_date, name, string_agg(title, '; ' ORDER BY place) AS title FROM named GROUP BY 1, 2, 3, 4
), island AS (
	SELECT *, n - row_number() OVER (PARTITION BY crd, name, title ORDER BY n) AS island FROM said
)
SELECT i.crd, regexp_replace(upper(i.name), '^([^,]+), ([^,]+)(, (.*))?$', '\2 \4 \1'), i.title, min(i.filing_date)::text, max(i.filing_date)::text,
	coalesce((SELECT y.filing_date::text FROM filing y WHERE y.crd = i.crd AND y.n = max(i.n) + 1), (SELECT gone::text
		FROM (SELECT coalesce(g.withdrawn_on, g.not_listed_since) AS gone FROM catalog.pub_gp g WHERE g.crd = i.crd) g WHERE gone > max(i.filing_date)), '')
FROM island i GROUP BY i.crd, i.name, i.title, i.island`

// Guarantee: the career of each person in the sample has the titles that plain SQL over the raw rows gives, each with its first and
// its last filing. A title ended before the first later filing without it; if there is none, before the day on which the manager
// withdrew or the lists dropped it. Only people that no schedule of the manager names have other titles.
func TestCareersAreThoseOfTheFilings(t *testing.T) {
	t.Parallel()
	p := openPeople(t)
	p.enrichAll(t)
	want, scheduled := map[string]int{}, map[string]bool{}
	rows, err := p.db.Pool().Query(t.Context(), filedTitles)
	require.NoError(t, err)
	defer rows.Close()
	for rows.Next() {
		var crd, name, title, first, last, before string
		require.NoError(t, rows.Scan(&crd, &name, &title, &first, &last, &before))
		name = strings.Join(strings.Fields(name), " ")
		want[strings.Join([]string{crd, name, title, first, last, before}, "|")]++
		scheduled[crd+"|"+name] = true
	}
	require.NoError(t, rows.Err())
	got, others, changes := map[string]int{}, 0, 0
	or := func(s *string) string {
		if s == nil {
			return ""
		}
		return *s
	}
	uids := p.uids(t)
	for _, uid := range uids {
		answer := p.next(p.live).call("GET", "/v1/people/"+uid+"/history", "")
		require.Equal(t, http.StatusOK, answer.status, answer.body)
		require.Equal(t, "0.75", answer.header.Get("X-Charge"))
		var body struct {
			Data struct {
				FullName   string `json:"full_name"`
				Employment []struct {
					CRD, Title  *string
					From        string
					FirstFiled  *string `json:"first_filed"`
					LastFiled   *string `json:"last_filed"`
					EndedBefore *string `json:"ended_before"`
				}
			}
		}
		require.NoError(t, json.Unmarshal([]byte(answer.body), &body))
		name, before := strings.ToUpper(body.Data.FullName), ""
		require.NotEmpty(t, body.Data.Employment)
		for _, e := range body.Data.Employment {
			require.GreaterOrEqual(t, e.From, before, "the earliest first")
			before = e.From
			if !scheduled[or(e.CRD)+"|"+name] {
				others++
				continue
			}
			got[strings.Join([]string{or(e.CRD), name, or(e.Title), or(e.FirstFiled), or(e.LastFiled), or(e.EndedBefore)}, "|")]++
		}
		changes += len(body.Data.Employment) - 1
	}
	require.Equal(t, want, got)
	require.Greater(t, len(uids), 1_000)
	require.Greater(t, changes, 200, "careers have more than one title")
	t.Logf("%d people, %d entries, %d of Form D alone", len(uids), len(got), others)
}

// spelled is a text in capitals, with one space for whatever is between its words.
func spelled(text string) string {
	return " " + strings.Join(regexp.MustCompile(`[^\pL]+`).Split(strings.ToUpper(text), -1), " ") + " "
}

// names are those of everybody in the sample, in both orders, with and without a middle name.
func (p *peopleHouse) names(t *testing.T) (list []string) {
	t.Helper()
	rows, err := p.db.Pool().Query(t.Context(), `SELECT full_name FROM people.posts
		UNION SELECT o.name FROM catalog.pub_owner o WHERE coalesce(o.entity_type, 'I') = 'I'
		UNION SELECT concat_ws(', ', last_name, first_name) FROM catalog.pub_offering_person WHERE NOT entity
		UNION SELECT split_part(name, ',', 2) || ' ' || split_part(name, ',', 1) FROM catalog.pub_owner WHERE entity_type = 'I' AND name LIKE '%,%'`)
	require.NoError(t, err)
	defer rows.Close()
	for rows.Next() {
		var name string
		require.NoError(t, rows.Scan(&name))
		if s := spelled(name); strings.Count(strings.TrimSpace(s), " ") > 0 {
			list = append(list, s)
		}
	}
	require.NoError(t, rows.Err())
	return list
}

// busiest is the manager with the largest team.
func (p *peopleHouse) busiest(t *testing.T) (crd string) {
	t.Helper()
	require.NoError(t, p.db.Pool().QueryRow(t.Context(), "SELECT crd FROM people.posts WHERE standing = 'team' GROUP BY crd ORDER BY count(*) DESC, crd LIMIT 1").Scan(&crd))
	return crd
}
