package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/stretchr/testify/require"

	"gpatlas/modules/accounts"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/testkit/dbtest"
	"gpatlas/web"
	"gpatlas/web/webtest"
)

//go:generate go test -count=1 -run ^TestExamples$ . -update
//go:generate go test -count=1 -run ^TestContract$/^golden$ . -update

// tried is the call of one operation that shows it: an adviser and a fund of the sample about which there is something
// to say in every list.
type tried struct {
	parameters string // a query; the values that the first try in the documentation needs are those of its example
	more       string // further parameters, which keep the example short
	body       string
	as         string // "" = anonymous, "session", "key", "admin", "fresh" = the session of another account, verified after resend-verification
	also       string // a second body, whose good answer has another status
	conflict   string // a second body, or "again" for the same, that is refused with 409
	crd        string // of another adviser, where there is nothing to say of the usual one
	fund       string // the same for a fund
	again      bool   // sent a second time it is answered with 200
	after      string // the call without which others find nothing
}

// shownMessage has the form of a message's ID. No message has it.
const shownMessage = "msg_mfrggzdfmztwq2lknnwg23tpob"

const shownGP, shownFund, shownPerson = "998243", "805-5347329526", "per_i7h2e4utcexl6eqt"

// hiringGP has a job board, and listedFund is in lists of LPs.
const hiringGP, listedFund = "986928", "805-1024562623"

// familyGP has affiliates, and shares funds with them.
const familyGP = "724069"

// alumniGP has a former partner who is a partner elsewhere.
const alumniGP = "734110"

// enrichedFirst is the call that lets shownPerson be found.
const enrichedFirst = "POST /v1/gps/" + shownGP + "/enrich"

// journey is the order in which the operations are called: what an operation needs, an earlier one has made. An operation that
// reads, with parameters that others know or whose examples are good, need not be here.
var journey = []struct {
	id string
	tried
}{
	{"search-gps", tried{more: "state=CO&limit=2"}},
	{"get-gp-batch", tried{body: `{"crds":["` + shownGP + `","` + hiringGP + `","4"],"fields":["crd","legal_name","total_aum"]}`}},
	{"list-gp-funds", tried{more: "limit=2"}},
	{"list-gp-filings", tried{more: "limit=2"}},
	{"get-gp-series", tried{more: "by=year&from=2024-01-01"}},
	{"get-fund-series", tried{more: "by=year&from=2024-01-01"}},
	{"list-filings", tried{more: "state=CO&limit=2"}},
	{"list-gp-offerings", tried{more: "limit=2"}},
	{"list-fund-offerings", tried{more: "limit=2"}},
	{"list-offerings", tried{more: "state=CO&limit=2"}},
	{"list-gp-providers", tried{more: "limit=2"}},
	{"list-fund-providers", tried{more: "limit=2"}},
	{"suggest-providers", tried{parameters: "q=fund", more: "limit=2"}},
	{"list-providers", tried{parameters: "role=administrator", more: "limit=2"}},
	{"list-provider-changes", tried{parameters: "from=2026-01-01", more: "limit=2"}},
	{"list-gp-affiliates", tried{crd: familyGP, more: "limit=2"}},
	{"list-gp-offices", tried{more: "limit=2"}},
	{"list-gp-owners", tried{more: "limit=2"}},
	{"list-gp-sub-advised-funds", tried{crd: familyGP, more: "limit=2"}},
	{"list-gp-websites", tried{more: "limit=2"}},
	{"search-funds", tried{more: "strategy=infrastructure&limit=2"}},
	{"search", tried{parameters: "q=rowan", more: "limit=2"}},
	{"autocomplete", tried{parameters: "q=aldr", more: "limit=3"}},
	{"suggest", tried{parameters: "q=aldr", more: "limit=3"}},
	{"list-gp-amendments", tried{more: "limit=2"}},
	{"list-fund-amendments", tried{more: "limit=2"}},
	{"list-gp-changes", tried{more: "limit=2"}},
	{"get-gp-diff", tried{parameters: "from=2024-06-30", more: "to=2026-06-30"}},
	{"get-gp-related", tried{more: "limit=2"}},
	{"search-growth", tried{more: "min_aum_before=100000000&limit=2"}},
	{"list-disclosures", tried{more: "state=CO&limit=2"}},
	{"search-aggregate", tried{parameters: "group_by=strategy"}},
	{"list-commitments", tried{more: "strategy=infrastructure&limit=1"}},
	{"list-fund-lps", tried{fund: listedFund, more: "limit=1"}},
	{"list-gp-lps", tried{more: "limit=1"}},
	{"verify-student", tried{body: `{"email":"ada@mba2027.bschool.edu"}`}},
	{"register", tried{body: `{"email":"ada@larkspur.example","password":"three herons cross the pond","full_name":"Ada Larkspur","company":"Larkspur Partners","job_title":"Analyst","use_case":"Screening of managers"}`, conflict: "again"}},
	{"resend-verification", tried{as: "fresh"}},
	{"verify-email", tried{body: `{"token":"{mailed}"}`}},
	{"login", tried{body: `{"username":"ada@larkspur.example","password":"three herons cross the pond"}`}},
	{"refresh-session", tried{body: `{"refresh_token":"{refresh}"}`}},
	{"get-me", tried{as: "session"}},
	{"update-onboarding", tried{as: "session", body: `{"step":2,"completed":false}`}},
	{"list-sessions", tried{as: "session"}},
	{"create-api-key", tried{as: "session", body: `{"name":"Nightly import","tier":"starter","mode":"live"}`}},
	{"list-api-keys", tried{as: "session"}},
	{"get-api-key", tried{as: "session"}},
	{"rename-api-key", tried{as: "session", body: `{"name":"Weekly import"}`}},
	{"get-free-tier-status", tried{as: "key"}},
	{"get-usage", tried{as: "key"}},
	{"get-daily-usage", tried{as: "key", more: "days=1"}},
	{"get-endpoint-usage", tried{as: "key", more: "days=1"}},
	{"add-watchlist-item", tried{as: "session", body: `{"adviser_crd":"` + shownGP + `","alert_enabled":true}`, conflict: "again"}},
	{"list-watchlist", tried{as: "session"}},
	{"list-activity", tried{as: "session", more: "since=2026-01-01T00:00:00Z&limit=2"}},
	{"add-watchlist-items", tried{as: "session", body: `{"crds":["` + hiringGP + `","` + shownGP + `","4"]}`}},
	{"create-collection", tried{as: "session", body: `{"name":"Infrastructure","description":"Managers to meet in spring"}`, conflict: "again"}},
	{"list-collections", tried{as: "session"}},
	{"add-collection-item", tried{as: "session", body: `{"crd":"` + shownGP + `"}`, conflict: "again"}},
	{"add-collection-items", tried{as: "session", body: `{"crds":["` + hiringGP + `","` + shownGP + `","4"]}`}},
	{"get-collection", tried{as: "session"}},
	{"update-collection", tried{as: "session", body: `{"name":"Infrastructure in Colorado"}`}},
	{"create-saved-search", tried{as: "session", body: `{"name":"Managers in Colorado","filters":{"state":"CO","min_aum":100000000}}`}},
	{"list-saved-searches", tried{as: "session"}},
	{"get-saved-search", tried{as: "session"}},
	{"list-changes", tried{parameters: "from=oldest&kind=loaded"}},
	{"replace-saved-search", tried{as: "session", body: `{"name":"Large managers in Colorado","filters":{"state":"CO","min_aum":500000000}}`}},
	{"run-saved-search", tried{as: "session", more: "limit=2"}},
	{"set-search-alert", tried{as: "session", body: `{"on":["entered","changed"],"fields":["total_aum"],"mail":"weekly"}`}},
	{"get-search-alert", tried{as: "session"}},
	{"list-search-news", tried{as: "session"}},
	{"create-webhook", tried{as: "session", body: `{"url":"https://hooks.example.com/gpatlas","kinds":["aum_change","new_fund"],"scope":{"all":true},"headers":{"X-Key":"of-the-receiver"}}`}},
	{"list-webhooks", tried{as: "session"}},
	{"get-webhook", tried{as: "session"}},
	{"update-webhook", tried{as: "session", body: `{"kinds":["aum_change"],"scope":{"crds":["` + shownGP + `"]},"state":"paused"}`}},
	{"roll-webhook-secret", tried{as: "session", body: `{"expires_in":3600}`}},
	{"recover-webhook", tried{as: "session", body: `{"since":"2026-01-01T00:00:00.000000Z"}`}},
	{"get-gp-metrics", tried{as: "session"}},
	{"preview-gp-team", tried{as: "fresh"}},
	{"list-gp-team", tried{as: "fresh", more: "limit=2"}},
	{"unlock-gp-team", tried{as: "fresh", body: `{"tier":"custom","count":2,"confirm":true}`}},
	{"list-gp-owner-persons", tried{as: "fresh", more: "limit=2"}},
	{"list-gp-alumni", tried{as: "fresh", crd: alumniGP, more: "limit=2"}},
	{"unlock-gp-alumni", tried{as: "fresh", body: `{"confirm":true}`}},
	{"enrich-gp", tried{as: "fresh", body: `{"async_mode":false}`, also: `{"async_mode":true}`}},
	{"get-enrichment", tried{as: "fresh"}},
	{"unlock-people", tried{as: "fresh", body: `{"crds":["` + shownGP + `"],"tier":"complete","functions":["cfo","ceo"],"max_per_firm":1,"confirm":true}`}},
	{"unlock-gp-careers", tried{as: "fresh", body: `{"person_ids":["` + shownPerson + `"],"confirm":true}`}},
	{"search-people", tried{parameters: "q=linara+uldrigard", after: enrichedFirst}},
	{"get-person", tried{after: enrichedFirst}},
	{"get-person-history", tried{after: enrichedFirst}},
	{"list-purchases", tried{as: "session"}},
	{"list-gp-purchases", tried{as: "session"}},
	{"list-gp-hiring", tried{as: "session", crd: hiringGP, more: "limit=2"}},
	{"update-preferences", tried{as: "session", body: `{"one_click_threshold":40,"weekly_digest":true}`}},
	{"update-notification-preferences", tried{as: "session", body: `{"market_intel":false}`}},
	{"set-spending-cap", tried{as: "session", body: `{"cap":100}`}},
	{"set-spending-alerts", tried{as: "session", body: `{"thresholds":[50,80,100]}`}},
	{"list-extractions", tried{as: "admin"}},
	{"get-extraction", tried{as: "admin"}},
	{"list-data-sources", tried{as: "admin"}},
	{"get-freshness", tried{as: "admin"}},
	{"list-stale-managers", tried{as: "admin", more: "limit=2"}},
	{"queue-freshness-entity", tried{as: "admin", body: `{"entity_type":"gp","entity_id":"` + shownGP + `","reason":"A customer reports an old team"}`, again: true}},
	{"list-freshness-queue", tried{as: "admin"}},
	{"get-quality", tried{as: "admin"}},
	{"get-quality-trends", tried{as: "admin", more: "days=90"}},
	{"list-data-alerts", tried{as: "admin"}},
	{"acknowledge-data-alert", tried{as: "admin"}},
	{"create-notification", tried{as: "admin", body: `{"id":"maintenance_notice","name":"Maintenance notice","description":"Sent before planned maintenance.","category":"product","subject":"Maintenance on Sunday","text":"The service is unavailable on Sunday from 6:00 to 7:00 UTC."}`}},
	{"list-notifications", tried{as: "admin"}},
	{"get-notification", tried{as: "admin"}},
	{"update-notification", tried{as: "admin", body: `{"max_per_day":2}`}},
	{"disable-notification", tried{as: "admin"}},
	{"enable-notification", tried{as: "admin"}},
	{"test-notification", tried{as: "admin", body: `{"notification_id":"maintenance_notice"}`}},
	{"export-notifications", tried{as: "admin"}},
	{"import-notifications", tried{as: "admin", parameters: "merge=true", body: `{"version":1,"notifications":[{"id":"activity_digest","name":"Activity digest","category":"activity_digest","enabled":true,"max_per_day":1}]}`}},
	{"list-notification-stats", tried{as: "admin"}},
	{"get-notification-summary", tried{as: "admin"}},
	{"get-notification-stats", tried{as: "admin", more: "days=1"}},
	{"get-notification-overview", tried{as: "admin", more: "days=1"}},
	{"delete-notification", tried{as: "admin"}},
	{"create-override", tried{as: "admin", body: `{"override_type":"gp_field","entity_id":"` + shownGP + `","field":"website","value":"https://www.aldergate.example","reason":"The firm moved to another domain","valid_from":"2026-10-01"}`, conflict: "again"}},
	{"list-overrides", tried{as: "admin"}},
	{"delete-override", tried{as: "admin"}},
	{"resolve-data-alert", tried{as: "admin", body: `{"reason":"The regulator confirmed the list."}`}},
	{"export-account", tried{as: "session"}},
	{"forgot-password", tried{body: `{"email":"ada@larkspur.example"}`}},
	{"remove-collection-item", tried{as: "session"}},
	{"delete-collection", tried{as: "session"}},
	{"delete-search-alert", tried{as: "session"}},
	{"delete-saved-search", tried{as: "session"}},
	{"delete-webhook", tried{as: "session"}},
	{"remove-watchlist-item", tried{as: "session"}},
	{"revoke-api-key", tried{as: "session"}},
	{"end-other-sessions", tried{as: "session"}},
}

// absent are the operations whose good answer is not gathered: they end what the others need, or need a mail that the
// journey does not read, or they depend on what jobs do meanwhile. Their schemas' examples stand in for it. The terms and exports are not JSON.
var absent = []string{"test-webhook", "list-webhook-messages", "get-webhook-message", "resend-webhook-message", "list-schedules", "trigger-extraction", "process-freshness-queue", "get-data-dashboard", "get-data-health", "answer-survey", "export-csv", "run-trial-check", "run-payment-check", "run-daily-digest", "run-market-intel", "run-process-queue", "send-test-notification", "unsubscribe", "unsubscribe-by-link", "show-unsubscribe-page", "receive-billing-event", "reset-password", "end-session", "logout", "delete-account", "recover-account", "get-terms", "create-checkout-session", "create-portal-session", "track-open", "track-click", "get-notification-table"}

// traveller calls the operations of a service with the sample and remembers what they made.
type traveller struct {
	t        *testing.T
	house    *house
	db       *database.DB
	routes   map[string]httpapi.Route
	known    map[string]string // parameters of paths, and {mailed}, {refresh}
	callers  map[string]caller
	schemas  huma.Registry
	document *webtest.Document

	components map[string]*huma.Response // that operations share
}

func sampleHouse(t *testing.T) *traveller {
	t.Helper()
	db := sampleDB.New(t)
	tr := travel(t, startHouse(t, dbtest.URL(t, db), dbtest.RedisURL(t), "ANONYMOUS_LIMITS=off", "DATAOPS_SOURCES_BASE_URL="+emptyMirror(t)))
	tr.db = db
	for _, statement := range operated {
		require.NoError(t, db.From(t.Context()).Exec(statement).Error)
	}
	chief := tr.house.signUp(t, "chief@larkspur.example")
	_, err := accounts.Grant(t.Context(), db, clock.System{}, chief.email)
	require.NoError(t, err)
	tr.callers["admin"] = chief.caller
	return tr
}

// emptyMirror is a mirror of the sources that has no file: extractions end soon.
func emptyMirror(t *testing.T) string {
	t.Helper()
	server := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(server.Close)
	return server.URL
}

// operated is what operators look at: an extraction whose document was stopped, and the figures of a day.
var operated = []string{
	`INSERT INTO dataops.extractions (source_name, trigger, state, created_at, started_at, finished_at, listed, known, error) VALUES ('rosters', 'schedule',
		'failed', '2026-11-17T08:15:00Z', '2026-11-17T08:15:00Z', '2026-11-17T08:15:20Z', 6, 5, 'ia110226.zip: stopped by the quality gate')`,
	`INSERT INTO dataops.ingestion_runs (source, document, location, state, started_at, finished_at, rows_read, error, series, source_name, extraction_id)
		VALUES ('roster', 'ia110226.zip', 'https://reports.example/ia110226.zip', 'failed', '2026-11-17T08:15:02Z', '2026-11-17T08:15:20Z', 9104,
		'stopped by the quality gate', 'roster/registered', 'rosters', 1)`,
	`INSERT INTO dataops.alerts (source_name, kind, subject, reason, created_at, raised_at) VALUES ('rosters', 'universe_shrunk', 'roster/registered',
		'ia110226.zip: it lists 9104 advisers, but ia100126.zip (run 7) listed 16475: fewer than nine tenths', '2026-11-17T08:15:20Z', '2026-11-17T08:15:20Z')`,
	`INSERT INTO dataops.quality_metrics (day, metric, dimension, affected, total, value, sample, computed_at) VALUES
		((now() AT TIME ZONE 'UTC')::date - 1, 'aum_jumps', '', 0, 120, 0, '[]', '2026-11-17T04:50:02Z'),
		((now() AT TIME ZONE 'UTC')::date, 'aum_jumps', '', 1, 120, 0.0083, '[{"dimension":"","crd":"` + shownGP + `","detail":"AUM 1200000000 became 120000000 on 2026-11-03"}]', '2026-11-18T04:50:02Z')`,
	`UPDATE catalog.advisers SET newest_filed_on = '2025-03-28' WHERE crd = '` + shownGP + `'`,
}

func travel(t *testing.T, h *house) *traveller {
	t.Helper()
	app, err := describe()
	require.NoError(t, err)
	tr := &traveller{
		t: t, house: h, routes: map[string]httpapi.Route{}, callers: map[string]caller{"": {t: t, base: h.base}},
		known: map[string]string{"crd": shownGP, "fund_id": shownFund, "person_uid": shownPerson, "school": "bschool", "run_id": "1", "alert_id": "1", "override_id": "1", "lp_id": "1", "id": "sess_4k2m7qz5x3n6v8b2c4l7w3t5ya", "notification_id": "maintenance_notice", "message_id": shownMessage},
	}
	text, err := app.API.JSON()
	require.NoError(t, err)
	tr.schemas, tr.document = app.API.OpenAPI().Components.Schemas, webtest.NewDocument(t, text)
	tr.components = app.API.OpenAPI().Components.Responses
	for _, r := range app.API.Routes() {
		tr.routes[r.Operation.OperationID] = r
	}
	return tr
}

// TestExamples holds the examples of the OpenAPI document against a service with the sample catalog: what it answers, with what
// differs from run to run (ids, tokens, times) replaced. `make generate` writes them again.
func TestExamples(t *testing.T) {
	t.Parallel()
	tr := sampleHouse(t)
	examples := map[string]web.Example{}
	spare := tr.house.signUp(t, "spare@mossgate.example") // the journey needs most of what its own may call in 5 seconds
	tr.house.verify(t, spare)
	tr.callers["spare"] = spare.caller
	for _, stop := range journey {
		examples[stop.id] = tr.visit(stop.id, stop.tried)
	}
	for id, r := range tr.routes {
		if _, known := examples[id]; known {
			continue
		}
		if r.Operation.Method == http.MethodGet && !slices.Contains(absent, id) {
			examples[id] = tr.visit(id, plain(r))
			continue
		}
		require.Contains(t, absent, id, "say in journey how to call it")
		examples[id] = web.Example{Parameters: tr.inPath(r), Answers: tr.refusals(r, tried{as: "spare"}), Request: tr.request(r)}
	}
	tr.refuse(examples)
	require.NoError(t, tr.db.From(t.Context()).Exec("UPDATE dataops.overrides SET removed_by = removed_by + 1").Error) // by another administrator
	late := tr.callers["admin"].call(http.MethodDelete, strings.Replace(tr.routes["delete-override"].Operation.Path, "{override_id}", "1", 1), "")
	require.Equal(t, http.StatusConflict, late.status, late.body)
	examples["delete-override"].Answers["409"] = exampleBody(t, late.body)
	for id, e := range examples {
		r := tr.routes[id]
		status := strconv.Itoa(r.Operation.DefaultStatus)
		if media := r.Operation.Responses[status].Content["application/json"]; media != nil && (e.Answers[status] == nil || r.Operation.Tags[0] == "Usage") {
			e.Answers[status] = encoded(t, tr.synthesise(media.Schema))
		}
	}
	text, err := json.MarshalIndent(examples, "", "\t")
	require.NoError(t, err)
	webtest.Golden(t, filepath.Join("..", "..", "web", "examples.json"), text)
}

// plain is the call of an operation that only reads.
func plain(r httpapi.Route) tried {
	as := map[httpapi.Access]string{httpapi.Key: "key", httpapi.Login: "session", httpapi.Admin: "admin"}
	return tried{parameters: required(r).Encode(), as: as[r.Access]}
}

// required are the parameters without which an operation cannot be called, as their examples are.
func required(r httpapi.Route) url.Values {
	query := url.Values{}
	for _, p := range r.Operation.Parameters {
		if p.In == "query" && p.Required {
			value := p.Example
			if value == nil && len(p.Schema.Enum) > 0 {
				value = p.Schema.Enum[0]
			}
			query.Set(p.Name, fmt.Sprint(value))
		}
	}
	return query
}

// inPath are the values of an operation's path parameters that others can try: those of the sample.
func (tr *traveller) inPath(r httpapi.Route) map[string]string {
	values := map[string]string{}
	for _, p := range r.Operation.Parameters {
		if p.In == "path" {
			values[p.Name] = stable(tr.known[p.Name])
			if values[p.Name] == "" {
				values[p.Name] = noUUID
			}
		}
	}
	return values
}

func (tr *traveller) fill(text string) string {
	for name, value := range tr.known {
		text = strings.ReplaceAll(text, "{"+name+"}", value)
	}
	return text
}

func (tr *traveller) visit(id string, c tried) web.Example {
	t := tr.t
	t.Helper()
	r, ok := tr.routes[id]
	require.True(t, ok, "no operation %s", id)
	gp, fund := tr.known["crd"], tr.known["fund_id"]
	defer func() { tr.known["crd"], tr.known["fund_id"] = gp, fund }()
	tr.known["crd"], tr.known["fund_id"] = cmp.Or(c.crd, gp), cmp.Or(c.fund, fund)
	op := r.Operation
	example := web.Example{Parameters: tr.inPath(r), After: c.after, Answers: tr.refusals(r, c)}
	query, err := url.ParseQuery(c.parameters)
	require.NoError(t, err)
	for name := range query {
		example.Parameters[name] = query.Get(name)
	}
	path := tr.fill(op.Path)
	if q := strings.Trim(c.parameters+"&"+c.more, "&"); q != "" {
		path += "?" + q
	}
	body := tr.fill(c.body)
	var got answer
	require.Eventually(t, func() bool { // a fast machine reaches the limit of 5 seconds
		got = tr.callers[c.as].call(op.Method, path, body)
		return got.status != http.StatusTooManyRequests
	}, patience, 10*glance)
	require.Equal(t, op.DefaultStatus, got.status, "%s %s: %s", op.Method, path, got.body)
	if got.body != "" {
		example.Answers[strconv.Itoa(got.status)] = exampleBody(t, got.body)
	}
	if c.body != "" {
		example.Request = exampleBody(t, body)
	}
	if c.also != "" {
		other := tr.callers[c.as].call(op.Method, path, c.also)
		require.Less(t, other.status, http.StatusMultipleChoices, other.body)
		example.Answers[strconv.Itoa(other.status)] = exampleBody(t, other.body)
	}
	if c.conflict != "" {
		refused := tr.callers[c.as].call(op.Method, path, body)
		require.Equal(t, http.StatusConflict, refused.status, "%s: %s", id, refused.body)
		example.Answers["409"] = exampleBody(t, refused.body)
	}
	if c.again {
		repeated := tr.callers[c.as].call(op.Method, path, body)
		require.Equal(t, http.StatusOK, repeated.status, "%s: %s", id, repeated.body)
		example.Answers["200"] = exampleBody(t, repeated.body)
	}
	tr.learn(id, got.body)
	return example
}

// refusals are the faults of an operation's own: what is unknown, missing or not there.
func (tr *traveller) refusals(r httpapi.Route, c tried) map[string]json.RawMessage {
	answers := map[string]json.RawMessage{}
	op, path := r.Operation, tr.fill(r.Operation.Path)
	body := ""
	if op.RequestBody != nil && op.RequestBody.Content["application/json"] != nil {
		body = `{"full name":"x"}`
	} else {
		name := "verbose"
		for _, p := range op.Parameters {
			if p.In == "query" {
				name = p.Name + "s"
				break
			}
		}
		path += "?" + name + "=5"
	}
	if r.Access == httpapi.Signature {
		return answers // the journey has nothing that signs
	}
	if r.Access == httpapi.Admin {
		c.as = "admin"
	}
	as := c.as
	if as == "session" {
		as = "spare"
	}
	got := tr.callers[as].call(op.Method, path, body)
	require.Equal(tr.t, http.StatusBadRequest, got.status, "%s %s: %s", op.Method, path, got.body)
	answers["400"] = exampleBody(tr.t, got.body)
	if op.Responses["404"] == nil || !strings.Contains(op.Path, "{") {
		return answers
	}
	other := orNone(map[string]string{"crd": "999999999", "fund_id": "805-9999999999", "person_uid": "per_aaaaaaaaaaaaaaaa", "school": "nowhere", "lp_id": "999999999", "run_id": "999999999", "alert_id": "999999999", "override_id": "999999999", "notification_id": "unknown_notice", "message_id": shownMessage, "id": "sess_aaaaaaaaaaaaaaaaaaaaaaaaaa"})
	path = pathParameter.ReplaceAllStringFunc(op.Path, func(p string) string { return other(strings.Trim(p, "{}")) })
	if c.parameters != "" {
		path += "?" + c.parameters
	}
	body = tr.fill(c.body)
	if body == "" && op.RequestBody != nil {
		body = string(tr.request(r))
	}
	if got = tr.callers[c.as].call(op.Method, path, body); got.status == http.StatusNotFound && op.Responses["404"].Content["application/json"] != nil {
		answers["404"] = exampleBody(tr.t, got.body)
	}
	return answers
}

var pathParameter = regexp.MustCompile(`\{([a-z_]+)\}`)

func orNone(known map[string]string) func(string) string {
	return func(name string) string {
		if v, ok := known[name]; ok {
			return v
		}
		return noUUID
	}
}

// learn remembers what later operations ask for.
func (tr *traveller) learn(id, body string) {
	t := tr.t
	var got struct {
		ID, Key      string
		AccessToken  string `json:"access_token"`
		RefreshToken string `json:"refresh_token"`
		Data         struct {
			ID    string
			JobID string `json:"job_id"`
		}
	}
	_ = json.Unmarshal([]byte(body), &got) // lists have no id
	switch id {
	case "resend-verification": // afterwards it may buy
		require.NoError(t, tr.db.From(t.Context()).Exec("UPDATE accounts.users SET email_verified_at = now() WHERE email = 'ben@mossgate.example'").Error)
	case "register":
		tr.known["mailed"] = tr.house.mailed(t, "ada@larkspur.example", "verify-email")
		tr.callers["fresh"] = tr.house.signUp(t, "ben@mossgate.example").caller
	case "login", "refresh-session":
		tr.callers["session"] = caller{t, tr.house.base, got.AccessToken}
		tr.known["refresh"] = got.RefreshToken
	case "create-api-key":
		tr.known["key_id"] = got.ID + got.Data.ID
		tr.callers["key"] = caller{t, tr.house.base, got.Key}
	case "add-watchlist-item":
		tr.known["item_id"] = got.Data.ID
	case "create-collection":
		tr.known["collection_id"] = got.Data.ID
	case "enrich-gp":
		tr.known["job_id"] = got.Data.JobID
	case "create-saved-search":
		tr.known["search_id"] = got.Data.ID
	case "create-webhook":
		tr.known["endpoint_id"] = got.Data.ID
	}
}

// request is one made of the examples in the schema of an operation's body; nil if it has none.
func (tr *traveller) request(r httpapi.Route) json.RawMessage {
	if r.Operation.RequestBody == nil {
		return nil
	}
	media := r.Operation.RequestBody.Content["application/json"]
	if media == nil || media.Schema == nil { // raw bytes
		return nil
	}
	return encoded(tr.t, tr.synthesise(media.Schema))
}

func encoded(t *testing.T, v any) json.RawMessage {
	t.Helper()
	text, err := json.Marshal(v)
	require.NoError(t, err)
	return text
}

// synthesise makes a value of the examples in a schema: for counts that depend on when they are asked for, and for what
// the journey does not call.
func (tr *traveller) synthesise(s *huma.Schema) any {
	if s.Ref != "" {
		s = tr.schemas.SchemaFromRef(s.Ref)
	}
	switch {
	case len(s.Examples) > 0:
		return s.Examples[0]
	case len(s.Enum) > 0:
		return s.Enum[0]
	case s.Nullable:
		return nil
	case s.Type == huma.TypeArray:
		return []any{tr.synthesise(s.Items)}
	case s.Type == huma.TypeObject:
		fields := map[string]any{}
		for name, p := range s.Properties {
			if slices.Contains(s.Required, name) || p.Ref != "" || len(p.Examples) > 0 {
				fields[name] = tr.synthesise(p)
			}
		}
		if s.Properties == nil {
			fields["goal"] = "Screening of managers"
		}
		return fields
	case s.Type == huma.TypeBoolean:
		return false
	case s.Type == huma.TypeString && s.Format == "date-time":
		return "2026-11-20T09:30:00.000000Z"
	case s.Type == huma.TypeString:
		return ""
	default:
		return 0
	}
}

// What differs from run to run, and what stands for it.
var unsettled = []struct {
	pattern *regexp.Regexp
	with    string
}{
	{regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`), noUUID},
	{regexp.MustCompile(`eyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+`), "eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiIuLi4ifQ.c2lnbmF0dXJl"},
	{regexp.MustCompile(`sess_[a-z0-9]{26}`), "sess_4k2m7qz5x3n6v8b2c4l7w3t5ya"},
	{regexp.MustCompile(`cur_[A-Za-z0-9_-]{32}`), "cur_2nYd0b7XQ1mZyX9x3QY6jgAAAAAAABor"},
	{regexp.MustCompile(`whsec_[A-Za-z0-9+/]{43}=`), "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="},
	{regexp.MustCompile(`gpar_[A-Za-z0-9_-]+`), "gpar_3q2-7wK0aZxV5rT9cYbN1mQeUjHs4dLfPgOiXy8uEwA"},
	{regexp.MustCompile(`gpa_live_[A-Za-z0-9_-]+`), "gpa_live_4k2m7qz5x3n6v8b2"},
	{regexp.MustCompile(`gpa_live_…[A-Za-z0-9_-]+`), "gpa_live_…v8b2"},
	{regexp.MustCompile(`"token": ?"[^"]+"`), `"token":"3q2-7wK0aZxV5rT9cYbN1mQeUjHs4dLfPgOiXy8uEwA"`},
	{regexp.MustCompile(`ben@mossgate\.example`), "ada@larkspur.example"},
	{regexp.MustCompile(`"request_id":"[0-9a-f]{32}"`), `"request_id":"3f0c1d2e4b5a69788796a5b4c3d2e1f0"`},
	{regexp.MustCompile(`"age_seconds":\d+`), `"age_seconds":3600`},
	{regexp.MustCompile(`"api_usage":\[[^\]]*\]`), `"api_usage":[]`}, // usage is written from time to time
	{regexp.MustCompile(`"last_used_at":"[^"]*"`), `"last_used_at":null`},
	{regexp.MustCompile(`"build":"[^"]*"`), `"build":"1.1.0"`},
	{regexp.MustCompile(`"publication":\d+`), `"publication":13`}, // an override makes another, which is served a moment later
	{regexp.MustCompile(` at 20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ`), " at 2026-11-21T00:00:00Z"},
	{regexp.MustCompile(`"days":\d{3}\b`), `"days":604`},                    // since the newest filing of a stale GP
	{regexp.MustCompile(`"stage":"(lapsed|raising)"`), `"stage":"raising"`}, // of the day
	{regexp.MustCompile(`"filed_before":"[^"]+"`), `"filed_before":"2025-08-22"`},
	{regexp.MustCompile(`("days":90,"from":)"[^"]+"`), `${1}"2026-08-23"`},
	{regexp.MustCompile(` in \d+ (second|minute|hour)s?\b`), " in 15 ${1}s"},
}

// stable is a text without what differs from run to run.
func stable(text string) string {
	for _, u := range unsettled {
		text = u.pattern.ReplaceAllString(text, u.with)
	}
	return quotedDate.ReplaceAllStringFunc(text, func(quoted string) string {
		day, _, instant := strings.Cut(strings.Trim(quoted, `"`), "T")
		switch {
		case day < time.Now().UTC().AddDate(0, 0, -1).Format(time.DateOnly):
			return quoted // the sample's
		case instant:
			return `"2026-11-20T09:30:00.000000Z"`
		default:
			return `"2026-11-20"`
		}
	})
}

var quotedDate = regexp.MustCompile(`"20\d\d-\d\d-\d\d(T\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00))?"`)

// mostItems is how many items of a list an example shows.
const mostItems = 3

// exampleBody makes an example of a response body: its lists shortened, its fields in their order.
func exampleBody(t *testing.T, body string) json.RawMessage {
	t.Helper()
	var out bytes.Buffer
	d := json.NewDecoder(strings.NewReader(stable(body)))
	d.UseNumber()
	require.NoError(t, shorten(d, &out, true))
	return out.Bytes()
}

// shorten copies one value, without what follows the first items of a list. keep = false reads past it.
func shorten(d *json.Decoder, out *bytes.Buffer, keep bool) error {
	token, err := d.Token()
	if err != nil {
		return err
	}
	write := func(text string) {
		if keep {
			out.WriteString(text)
		}
	}
	delim, nested := token.(json.Delim)
	if !nested {
		text, err := encode(token)
		write(text)
		return err
	}
	write(delim.String())
	for i := 0; d.More(); i++ {
		shown := keep && (delim == '{' || i < mostItems)
		if i > 0 && shown {
			write(",")
		}
		if delim == '{' {
			name, err := d.Token()
			if err != nil {
				return err
			}
			text, err := encode(name)
			if err != nil {
				return err
			}
			write(text + ":")
		}
		if err := shorten(d, out, shown); err != nil {
			return err
		}
	}
	end, err := d.Token()
	write(fmt.Sprint(end))
	return err
}

func encode(v any) (string, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return strings.TrimSpace(b.String()), err
}
