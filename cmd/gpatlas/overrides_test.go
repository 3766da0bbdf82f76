package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/accounts"
	"gpatlas/modules/catalog/catalogtest"
	"gpatlas/modules/dataops"
	"gpatlas/modules/people"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/sample"
)

// corrected is a service over the sample whose operator corrects it.
type corrected struct {
	*peopleHouse

	crds, funds, people []string // whom overrides are about, with some others
}

// openCorrected opens one; ada is its administrator.
func openCorrected(t *testing.T) *corrected {
	t.Helper()
	c := &corrected{peopleHouse: openPeople(t)}
	c.enrichAll(t)
	_, err := accounts.Grant(t.Context(), c.db, clock.System{}, c.ada.email)
	require.NoError(t, err)
	return c
}

func (c *corrected) values(t *testing.T, statement string) []string {
	t.Helper()
	list, err := database.Values[string](t.Context(), c.db, "look", statement, nil)
	require.NoError(t, err)
	return list
}

func (c *corrected) value(t *testing.T, statement string) string {
	t.Helper()
	list := c.values(t, statement)
	require.Len(t, list, 1, statement)
	return list[0]
}

// deps are what documents are loaded with, beside the service.
func (c *corrected) deps() dataops.Deps {
	log := slog.New(slog.DiscardHandler)
	return dataops.Deps{
		DB: c.db, Loader: catalogtest.NewLoader(c.db, clock.System{}), People: people.NewResolver(c.db, clock.System{}, log),
		Lists: people.NewLists(c.db, clock.System{}, log), Clock: clock.System{}, Log: log,
	}
}

// again ingests every document of the sample again.
func (c *corrected) again(t *testing.T) {
	t.Helper()
	written, err := sample.Write(t.Context(), sample.Options{Dir: t.TempDir()})
	require.NoError(t, err)
	paths := make([]string, len(written.Archives))
	for i, a := range written.Archives {
		paths[i] = a.Path
	}
	sum, err := dataops.Ingest(t.Context(), c.deps(), paths, dataops.IngestOptions{AnyDate: true, Out: io.Discard})
	require.NoError(t, err)
	require.Positive(t, sum.Read)
}

// refresh is what a worker does every hour.
func (c *corrected) refresh(t *testing.T) {
	t.Helper()
	_, err := c.deps().People.Refresh(t.Context())
	require.NoError(t, err)
}

// saying is an override.
type saying struct{ kind, entity, field, value, from string }

func (c *corrected) override(t *testing.T, s saying) (id int64) {
	t.Helper()
	fields := map[string]any{"override_type": s.kind, "entity_id": s.entity, "value": json.RawMessage(s.value), "reason": "a letter"}
	for name, text := range map[string]string{"field": s.field, "valid_from": s.from} {
		if text != "" {
			fields[name] = text
		}
	}
	body, err := json.Marshal(fields)
	require.NoError(t, err)
	made := c.ada.call("POST", "/v1/admin/dataops/overrides", string(body))
	require.Equal(t, http.StatusCreated, made.status, "%s: %s", body, made.body)
	var got struct{ Data struct{ ID int64 } }
	require.NoError(t, json.Unmarshal([]byte(made.body), &got))
	return got.Data.ID
}

// volatile is what says when an answer was made.
var volatile = regexp.MustCompile(`"(calculated_at|built_at|generated_at|age_seconds|last_checked|cache_status|cache_expires|timestamp)":("[^"]*"|[0-9.]+),?`)

// ask gives an answer without what says when it was made. People alone are asked for with a key, and bought.
func (c *corrected) ask(t *testing.T, path string) string {
	t.Helper()
	who := caller{t: t, base: c.base}
	if strings.Contains(path, "/team") || strings.Contains(path, "/alumni") || strings.Contains(path, "/people/") {
		who = c.next(c.live)
	}
	got := who.call("GET", path, "")
	require.Contains(t, []int{http.StatusOK, http.StatusNotFound}, got.status, "%s: %s", path, got.body)
	return volatile.ReplaceAllString(got.body, "")
}

// dump asks for everything that overrides can change.
func (c *corrected) dump(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	get := func(format string, args ...any) string {
		path := fmt.Sprintf(format, args...)
		out[path] = c.ask(t, path)
		return out[path]
	}
	for _, list := range []string{"/v1/gps?per_page=100", "/v1/gps?former=true&per_page=100", "/v1/funds?per_page=100", "/v1/lps?per_page=100"} {
		for page := 1; ; page++ {
			var rows struct{ Data []json.RawMessage }
			require.NoError(t, json.Unmarshal([]byte(get("%s&page=%d", list, page)), &rows))
			if len(rows.Data) < 100 {
				break
			}
		}
	}
	for _, path := range []string{"/v1/stats", "/v1/strategies", "/v1/locations", "/v1/search?q=larkspur", "/v1/search?q=corrected"} {
		get("%s", path)
	}
	for _, group := range questions["/v1/search/aggregate"] {
		get("/v1/search/aggregate?%s", group)
	}
	for _, crd := range c.crds {
		for _, of := range []string{
			"?include=provenance", "/funds", "/stats", "/filings", "/regulatory", "/amendments", "/changes", "/metrics", "/related", "/team/preview",
			"/team?limit=100", "/alumni?limit=100",
		} {
			get("/v1/gps/%s%s", crd, of)
		}
	}
	for _, fund := range c.funds {
		get("/v1/funds/%s?include=provenance", fund)
		get("/v1/funds/%s/amendments", fund)
	}
	for _, uid := range c.people {
		get("/v1/people/%s", uid)
		get("/v1/people/%s/history", uid)
	}
	for _, id := range c.values(t, "SELECT id::text FROM people.lps ORDER BY id") {
		get("/v1/lps/%s", id)
		get("/v1/lps/%s/investments?per_page=100", id)
	}
	for _, kind := range []string{"gps", "funds"} {
		list := c.ada.call("POST", "/v1/export/csv", `{"type":"`+kind+`"}`)
		require.Equal(t, http.StatusOK, list.status, list.body)
		out["export "+kind] = list.body
	}
	return out
}

// buy buys everybody whom dump asks for, so that the answers do not differ by who was bought already.
func (c *corrected) buy(t *testing.T) {
	t.Helper()
	for _, crd := range c.crds {
		c.ask(t, "/v1/gps/"+crd+"/team?limit=100")
		c.ask(t, "/v1/gps/"+crd+"/alumni?limit=100")
	}
	for _, uid := range c.people {
		c.ask(t, "/v1/people/"+uid)
		c.ask(t, "/v1/people/"+uid+"/history")
	}
}

// indexed waits until searches have what was said last.
func (c *corrected) indexed(t *testing.T) {
	t.Helper()
	want := `"publication":` + c.value(t, "SELECT seq::text FROM catalog.pub_publication") + ","
	require.Eventually(t, func() bool { return strings.Contains(c.ask(t, "/status"), want) }, patience, glance)
}

// differing are the questions that two catalogs answer differently.
func differing(one, two map[string]string) (list []string) {
	for path, body := range one {
		if two[path] != body {
			list = append(list, path)
		}
	}
	slices.Sort(list)
	return list
}

// sayings are overrides of every type and field, on advisers, funds, people and investments of which it can be seen.
func (c *corrected) sayings(t *testing.T) (list []saying) {
	t.Helper()
	managers := c.values(t, `SELECT crd FROM catalog.advisers a WHERE fund_count > 1 AND not_listed_since IS NULL AND canonical_gp_id = crd::bigint
		AND NOT EXISTS (SELECT FROM catalog.advisers o WHERE o.canonical_gp_id = a.canonical_gp_id AND o.crd <> a.crd) ORDER BY total_aum DESC NULLS LAST, crd LIMIT 8`)
	member := c.value(t, `SELECT crd FROM catalog.advisers WHERE canonical_gp_id <> crd::bigint ORDER BY crd LIMIT 1`)
	head := c.value(t, `SELECT canonical_gp_id::text FROM catalog.advisers WHERE crd = '`+member+`'`)
	fund := c.value(t, `SELECT fund_id FROM catalog.funds WHERE adviser_crd = '`+managers[4]+`' AND status = 'active' ORDER BY gross_asset_value DESC NULLS LAST LIMIT 1`)
	matched := c.value(t, `SELECT id::text FROM people.lp_investments WHERE match_confidence IS NOT NULL ORDER BY id LIMIT 1`)
	named := c.value(t, `SELECT match_crd FROM people.lp_investments WHERE match_confidence = 0.95 ORDER BY id DESC LIMIT 1`)
	unknown := c.value(t, `SELECT id::text FROM people.lp_investments WHERE match_method IS NULL ORDER BY id LIMIT 1`)
	persons := c.values(t, `SELECT person_uid FROM people.posts WHERE standing = 'team' AND crd IN (SELECT crd FROM people.posts GROUP BY crd HAVING count(*) > 3)
		GROUP BY 1 HAVING count(*) = 1 ORDER BY 1 LIMIT 4`)
	several := c.value(t, `SELECT person_uid FROM people.posts GROUP BY 1 HAVING count(DISTINCT crd) > 1 ORDER BY 1 LIMIT 1`)
	second := c.value(t, `SELECT max(crd) FROM people.posts WHERE person_uid = '`+several+`'`)
	const long = "2024-06-01"
	list = []saying{
		{"gp_field", managers[0], "legal_name", `"Corrected Harbour LLC"`, long},
		{"gp_field", named, "legal_name", `"Larkspur Hollow LLC"`, ""},
		{"gp_field", managers[1], "website", `"https://corrected.example"`, long},
		{"gp_field", managers[2], "website", `null`, ""},
		{"gp_field", managers[1], "primary_strategy", `"hedge"`, long},
		{"gp_field", managers[3], "primary_strategy", `"venture"`, ""},
		{"gp_field", managers[1], "founded_year", `1987`, long},
		{"fund_status", fund, "", `"closed"`, long},
		{"canonical_group", managers[5], "", `"` + managers[6] + `"`, long},
		{"canonical_group", managers[6], "", `"` + managers[7] + `"`, ""},
		{"canonical_group", member, "", `"alone"`, long},
		{"person_merge", persons[0], "", `"` + persons[1] + `"`, ""},
		{"person_merge", persons[1], "", `"` + persons[2] + `"`, ""},
		{"person_split", several, "", `"` + second + `"`, ""},
		{"person_suppress", persons[3], "", `true`, ""},
		{"lp_match", matched, "", `null`, ""},
		{"lp_match", unknown, "", `"` + managers[0] + `"`, ""},
	}
	c.crds = slices.Concat(managers, []string{member, head, named, shownGP})
	for _, uid := range append(persons, several) {
		c.crds = append(c.crds, c.values(t, `SELECT DISTINCT crd FROM people.posts WHERE person_uid = '`+uid+`' ORDER BY 1`)...)
	}
	slices.Sort(c.crds)
	c.crds = slices.Compact(c.crds)
	c.funds = c.values(t, `SELECT fund_id FROM catalog.funds WHERE adviser_crd IN ('`+managers[4]+`', '`+managers[1]+`') ORDER BY 1`)
	c.people = slices.Concat(persons, []string{several})
	return list
}

// Guarantee: overrides of every type hold after everything was ingested again. Nothing of them is seen on a day before they
// hold, nor at an instant before they were created. Once they are deleted, in whichever order, every answer is that of a
// catalog that never had them.
func TestOverridesLeaveNothingBehind(t *testing.T) {
	t.Parallel()
	c, plain := openCorrected(t), openCorrected(t)
	list := c.sayings(t)
	require.Equal(t, list, plain.sayings(t), "both are of one template")
	c.buy(t)
	plain.buy(t)
	never := plain.dump(t)
	require.Empty(t, differing(never, c.dump(t)))

	before := time.Now().UTC()
	ids := make([]int64, len(list))
	for i, s := range list {
		ids[i] = c.override(t, s)
	}
	c.refresh(t)
	c.indexed(t)
	during := c.dump(t)
	head := func(crd string) string {
		return regexp.MustCompile(`"canonical_gp_id":(\d+)`).FindStringSubmatch(during["/v1/gps/"+crd+"?include=provenance"])[1]
	}
	joined, alone := list[8].entity, list[10].entity
	require.Equal(t, min(joined, list[8].value[1:7], list[9].value[1:7]), head(joined), "the smallest of three")
	require.Equal(t, head(joined), head(list[9].value[1:7]))
	require.Equal(t, alone, head(alone))
	for _, path := range []string{"/v1/stats", "/v1/lps/1/investments?per_page=100", "/v1/people/" + c.people[0], "export gps"} {
		require.Contains(t, differing(never, during), path)
	}
	c.again(t)
	require.Empty(t, differing(during, c.dump(t)), "ingesting again changes nothing")

	for _, moment := range []string{"as_of=2024-05-31", "known_at=" + url.QueryEscape(before.Format(time.RFC3339Nano))} {
		name, _, _ := strings.Cut(moment, "=")
		for path := range momentous(t, name) {
			if path == "/v1/funds" { // its questions name funds of another catalog, and its meta leaves out a moment that equals the present
				continue
			}
			for _, id := range append(slices.Clone(c.crds), c.funds...) {
				if strings.Contains(path, "{crd}") == strings.HasPrefix(id, "805-") {
					continue
				}
				at := strings.NewReplacer("{crd}", id, "{fund_id}", id).Replace(path)
				for _, q := range append([]string{""}, questions[path]...) {
					if !strings.Contains(path, "{") && q == "" {
						continue
					}
					address := at + "?" + strings.Trim(q+"&"+moment, "&")
					require.Equal(t, plain.ask(t, address), c.ask(t, address), address)
				}
				if !strings.Contains(path, "{") {
					break
				}
			}
		}
	}
	since := "/v1/gps/" + list[0].entity + "?as_of=" + list[0].from
	require.Contains(t, c.ask(t, since), "Corrected Harbour LLC")
	instant := time.Now().UTC()

	rand.New(rand.NewPCG(uint64(before.UnixNano()), 1)).Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
	for _, id := range ids {
		require.Equal(t, http.StatusNoContent, c.ada.call("DELETE", fmt.Sprint("/v1/admin/dataops/overrides/", id), "").status, "of %v", ids)
	}
	c.refresh(t)
	c.indexed(t)
	now := c.dump(t)
	for _, path := range differing(never, now) {
		t.Errorf("%s, deleted in the order %v: %s instead of %s", path, ids, now[path], never[path])
	}
	require.Contains(t, c.ask(t, since+"&known_at="+url.QueryEscape(instant.Format(time.RFC3339Nano))), "Corrected Harbour LLC")
	require.Contains(t, c.ask(t, "/v1/gps/"+list[0].entity+"?known_at="+url.QueryEscape(instant.Format(time.RFC3339Nano))), "Corrected Harbour LLC")
}
