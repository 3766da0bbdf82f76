package dataops_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/dataops"
	"gpatlas/modules/people/peopleapi"
	"gpatlas/platform/audit"
	"gpatlas/platform/auth"
	"gpatlas/platform/clock"
	"gpatlas/platform/jobs"
	"gpatlas/platform/module"
	"gpatlas/platform/overrides"
	"gpatlas/platform/testkit/httpapitest"
	"gpatlas/sample"
)

const below = "/v1/admin/dataops/"

// ops is what operators have in hand: the module's operations and jobs.
type ops struct {
	deps     dataops.Deps
	manifest module.Manifest
	host     *httpapitest.Host
}

func newOps(t *testing.T, deps dataops.Deps, appliers ...overrides.Overrider) *ops {
	t.Helper()
	m, err := dataops.Build(deps, appliers...)
	require.NoError(t, err)
	return &ops{deps, m, httpapitest.New(t, m.Routes...)}
}

func admin(id int64) *auth.Principal {
	return &auth.Principal{Kind: auth.Session, UserID: id, Admin: true}
}

// do calls an operation as an administrator, and gives the answer's data.
func (o *ops) do(t *testing.T, as int64, method, path, body string, status int) map[string]any {
	t.Helper()
	got := o.host.Do(t, httpapitest.Scenario{Method: method, Path: below + path, Body: body, As: admin(as), Status: status})
	var answer map[string]any
	require.NoError(t, json.Unmarshal([]byte(got.Body), &answer), got.Body)
	return answer
}

func (o *ops) data(t *testing.T, method, path, body string, status int) map[string]any {
	t.Helper()
	data, ok := o.do(t, 1, method, path, body, status)["data"].(map[string]any)
	require.True(t, ok)
	return data
}

func (o *ops) job(t *testing.T, name string) jobs.Handler {
	t.Helper()
	for _, h := range o.manifest.Jobs {
		if h.Type == name {
			return h
		}
	}
	require.FailNow(t, "no job "+name)
	return jobs.Handler{}
}

// work runs the jobs of a type that the outbox holds, as a worker does.
func (o *ops) work(t *testing.T, name string) {
	t.Helper()
	var payloads []string
	require.NoError(t, o.deps.DB.From(t.Context()).Raw("DELETE FROM platform.outbox WHERE type = ? RETURNING payload::text", name).Scan(&payloads).Error)
	for _, p := range payloads {
		require.NoError(t, o.job(t, name).Run(t.Context(), []byte(p)))
	}
}

func (o *ops) exec(t *testing.T, statement string, args ...any) {
	t.Helper()
	require.NoError(t, o.deps.DB.From(t.Context()).Exec(statement, args...).Error)
}

func (o *ops) audited(t *testing.T) (out []string) {
	t.Helper()
	list, err := audit.New(o.deps.DB, o.deps.Clock).List(t.Context(), 100)
	require.NoError(t, err)
	for _, e := range list {
		out = append(out, fmt.Sprintf("%d %s", *e.ActorID, e.Action))
	}
	return out
}

// A source is triggered at once by many: one extraction is made, the others learn its number. A worker carries it out once, and it
// gathers its documents. The schedule and the command write the same rows.
func TestTriggerTwice(t *testing.T) {
	t.Parallel()
	m := newMirror(t)
	deps := m.use(t, "")
	rosterSource(t, &deps)
	m.serve("/lists/ia110126.csv", roster(5))
	o := newOps(t, deps)
	var wg sync.WaitGroup
	answers := make([]httpapitest.Response, 12)
	for i := range answers {
		wg.Go(func() {
			answers[i] = o.host.Ask(t, httpapitest.Scenario{Method: "POST", Path: below + "extractions", Body: `{"source":"lists"}`, As: admin(int64(i + 1))})
		})
	}
	wg.Wait()
	// The made one need not have number 1: an insert that found one there has used up a number.
	made := ints(t, deps.DB, `SELECT id FROM dataops.extractions`)
	require.Len(t, made, 1)
	path := fmt.Sprintf("extractions/%d", made[0])
	by := map[int]int{}
	for _, a := range answers {
		by[a.Status]++
		if a.Status == http.StatusConflict {
			require.Contains(t, a.Body, fmt.Sprintf("Extraction %d of source lists is queued or running", made[0]))
		}
	}
	require.Equal(t, map[int]int{http.StatusAccepted: 1, http.StatusConflict: 11}, by)
	require.Len(t, o.audited(t), 1)
	require.Equal(t, "queued", o.data(t, "GET", path, "", 200)["state"])
	payload := fmt.Appendf(nil, `{"run_id":%d}`, made[0])
	o.work(t, "dataops.run_extraction")
	require.NoError(t, o.job(t, "dataops.run_extraction").Run(t.Context(), payload), "twice")
	got := o.data(t, "GET", path, "", 200)
	require.Equal(t, "completed", got["state"])
	require.Len(t, got["runs"], 1)
	require.InDelta(t, 5, got["rows_read"], 0)
	require.InDelta(t, 1, got["files"].(map[string]any)["loaded"], 0) //nolint:forcetypeassert // an object
	require.Equal(t, []int64{1}, ints(t, deps.DB, `SELECT count(*) FROM dataops.ingestion_runs`))

	require.NoError(t, o.job(t, "dataops.ingest_lists").Run(t.Context(), nil))
	_, err := dataops.IngestSources(t.Context(), deps, []string{"lists"}, dataops.IngestOptions{})
	require.NoError(t, err)
	list, ok := o.do(t, 1, "GET", "extractions?source=lists", "", 200)["data"].([]any)
	require.True(t, ok)
	var triggers []string
	for _, e := range list {
		triggers = append(triggers, e.(map[string]any)["trigger"].(string)) //nolint:forcetypeassert // as above
	}
	require.Equal(t, []string{"command", "schedule", "operator"}, triggers)

	o.do(t, 1, "POST", "extractions", `{"source":"list"}`, 400)
	o.do(t, 1, "POST", "extractions", `{"source":"lists","accept":["everything"]}`, 400)
	o.do(t, 1, "GET", "extractions?source=list", "", 400)
	o.do(t, 1, "GET", "extractions/77", "", 404)
}

// An extraction that is stopped at any moment is carried out when its job runs again; one whose process is killed ends failed, or
// completed if it was quicker. Then another one can be triggered.
func TestKilledExtractions(t *testing.T) {
	t.Parallel()
	m := newMirror(t)
	deps := m.use(t, "")
	rosterSource(t, &deps)
	o := newOps(t, deps)
	random := rand.New(rand.NewPCG(7, 16))
	const rounds = 6
	for i := range rounds {
		// A worker of its own: the clock stands still, so that the rate of requests is soon used up.
		run := newOps(t, deps).job(t, "dataops.run_extraction").Run
		m.serve("/lists/ia110126.csv", roster(20+i))
		id := o.data(t, "POST", "extractions", `{"source":"lists"}`, 202)["run_id"]
		payload := fmt.Appendf(nil, `{"run_id":%v}`, id)
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() {
			defer close(done)
			_ = run(ctx, payload)
		}()
		ended, killed, want := 0, i == rounds-1, []any{"completed"}
		for after := random.IntN(40); after >= 0 && ended == 0; after-- {
			if killed { // the server ends the connection that holds the source's lock, as when a process is killed
				require.NoError(t, deps.DB.From(t.Context()).Raw(`SELECT count(pg_terminate_backend(pid)) FROM pg_locks
					WHERE locktype = 'advisory' AND classid = ? AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`, 0x6770_6173).Scan(&ended).Error)
				want = []any{"completed", "failed"}
			}
			_ = clock.Sleep(t.Context(), time.Millisecond)
		}
		if !killed {
			stop()
		}
		<-done
		stop()
		require.NoError(t, o.job(t, "dataops.sweep_extractions").Run(t.Context(), nil))
		if !killed {
			require.Contains(t, []any{"queued", "completed"}, o.data(t, "GET", fmt.Sprintf("extractions/%v", id), "", 200)["state"])
			require.NoError(t, run(t.Context(), payload))
		}
		require.Contains(t, want, o.data(t, "GET", fmt.Sprintf("extractions/%v", id), "", 200)["state"])
	}
	// One whose process is gone without a word, and one that no worker ever began.
	o.exec(t, `INSERT INTO dataops.extractions (source_name, trigger, state, created_at, started_at) VALUES ('lists', 'command', 'running', '2026-11-20', '2026-11-20')`)
	o.exec(t, `INSERT INTO dataops.extractions (source_name, trigger, state, created_at) VALUES ('advw', 'operator', 'queued', '2026-11-19')`)
	o.data(t, "POST", "extractions", `{"source":"lists"}`, 202)
	require.Equal(t, []int64{0}, ints(t, deps.DB, `SELECT count(*) FROM dataops.extractions WHERE state = 'running' OR source_name = 'advw' AND state <> 'failed'`))
}

// The states of an alert, and what each step answers: by the same person, by another, and when it closed by itself.
func TestAlertStates(t *testing.T) {
	t.Parallel()
	o := newOps(t, setup(t))
	const (
		ack   = "acknowledge"
		solve = "resolve"
	)
	for n, c := range []struct {
		before []string // steps that are taken, "1 resolve" by account 1; "closed" by itself
		by     int64
		step   string
		status int
		state  string
	}{
		{nil, 1, ack, 200, "acknowledged"},
		{nil, 1, solve, 200, "resolved"},
		{[]string{"1 acknowledge"}, 1, ack, 200, "acknowledged"},
		{[]string{"1 acknowledge"}, 2, ack, 409, "acknowledged"},
		{[]string{"1 acknowledge"}, 1, solve, 200, "resolved"},
		{[]string{"1 acknowledge"}, 2, solve, 200, "resolved"},
		{[]string{"1 resolve"}, 1, ack, 409, "resolved"},
		{[]string{"1 resolve"}, 1, solve, 200, "resolved"},
		{[]string{"1 resolve"}, 2, solve, 409, "resolved"},
		{[]string{"closed"}, 1, ack, 409, "resolved"},
		{[]string{"closed"}, 1, solve, 409, "resolved"},
	} {
		id := n + 1
		o.exec(t, `INSERT INTO dataops.alerts (kind, subject, reason, raised_at) VALUES ('fund_sums', ?, 'x', now())`, strconv.Itoa(id))
		path := fmt.Sprintf("quality/alerts/%d/", id)
		body := map[string]string{ack: "", solve: `{"reason":"It is right."}`}
		for _, step := range c.before {
			if step == "closed" {
				o.exec(t, `UPDATE dataops.alerts SET resolved_at = now() WHERE id = ?`, id)
				continue
			}
			o.do(t, 1, "POST", path+step[2:], body[step[2:]], 200)
		}
		written := len(o.audited(t))
		o.do(t, c.by, "POST", path+c.step, body[c.step], c.status)
		all := o.do(t, 1, "GET", "quality/alerts?unresolved_only=false", "", 200)["data"].([]any) //nolint:forcetypeassert // a list
		require.Equal(t, c.state, all[0].(map[string]any)["state"], "%+v", c)                     //nolint:forcetypeassert // an object
		changed := 0
		if c.status == 200 && (len(c.before) == 0 || !strings.HasSuffix(c.before[0], c.step)) {
			changed = 1
		}
		require.Len(t, o.audited(t), written+changed, "%+v", c)
	}
	o.do(t, 1, "POST", "quality/alerts/1/resolve", `{"reason":"  "}`, 400)
	require.Contains(t, o.do(t, 1, "POST", "quality/alerts/1/resolve", `{"reason":"It is \u202eright."}`, 400)["detail"], "Invalid reason")
	o.do(t, 1, "POST", "quality/alerts/1/resolve", `{}`, 400)
	o.do(t, 1, "POST", "quality/alerts/99/acknowledge", "", 404)
	open := o.do(t, 1, "GET", "quality/alerts", "", 200)
	require.Len(t, open["data"], 3)
}

// A check that stops a document twice in a row has one alert, which the next good document closes.
func TestOneAlertOfAKind(t *testing.T) {
	t.Parallel()
	m := newMirror(t)
	deps := m.use(t, "")
	rosterSource(t, &deps)
	use := func() {
		_, _ = dataops.IngestSources(t.Context(), deps, []string{"lists"}, dataops.IngestOptions{})
	}
	m.serve("/lists/ia090126.csv", roster(40))
	use()
	for n := range 2 {
		m.serve("/lists/ia100126.csv", roster(10+n))
		use()
	}
	require.Equal(t, []int64{2}, ints(t, deps.DB, `SELECT times FROM dataops.alerts WHERE kind = 'universe_shrunk'`))
	m.serve("/lists/ia110126.csv", roster(41))
	use()
	require.Equal(t, []int64{1}, ints(t, deps.DB, `SELECT count(*) FROM dataops.alerts WHERE kind = 'universe_shrunk' AND resolved_at IS NOT NULL AND resolution LIKE 'run % loaded%'`))
}

// refresher counts how often people were read anew.
type refresher struct {
	calls int
	until time.Time // what was asked for last
	limit int
}

func (r *refresher) Refresh(context.Context) (int, error) { r.calls++; return 3, nil }

func (r *refresher) KnowsPerson(_ context.Context, uid string) (bool, error) {
	return uid == "per_abcdefghijklmnop", nil
}

func (r *refresher) KnowsLP(_ context.Context, id int64) (bool, error) { return id == 4, nil }

func (r *refresher) StalePersons(_ context.Context, until time.Time, limit int) ([]peopleapi.StalePerson, int64, error) {
	r.until, r.limit = until, limit
	return []peopleapi.StalePerson{{PersonUID: "per_abcdefghijklmnop", FullName: "Ada Larkspur", CRD: "700", EnrichedAt: until}}, 9, nil
}

func (r *refresher) StaleBoards(_ context.Context, until time.Time, limit int) ([]peopleapi.StaleBoard, int64, error) {
	r.until, r.limit = until, limit
	return []peopleapi.StaleBoard{{CRD: "700", Firm: "Harbor Ridge LLC", Vendor: "ashby", Token: "harbor", AddedAt: until.Add(-36 * time.Hour), Failure: new("404")}}, 1, nil
}

// An entity that waits already keeps its entry. Processing takes those of the highest priority first, reads people once for all, and
// has sources extracted.
func TestFreshnessQueue(t *testing.T) {
	t.Parallel()
	m := newMirror(t)
	deps := m.use(t, "")
	rosterSource(t, &deps)
	people := &refresher{}
	deps.People = people
	o := newOps(t, deps)
	o.do(t, 1, "POST", "freshness/queue", `{"entity_type":"gp","entity_id":"700","reason":"x"}`, 404)
	require.Equal(t, "Person per_abcdefghijklmnoq not found", o.do(t, 1, "POST", "freshness/queue", `{"entity_type":"person","entity_id":"per_abcdefghijklmnoq","reason":"x"}`, 404)["detail"])
	require.Equal(t, "LP 5 not found", o.do(t, 1, "POST", "freshness/queue", `{"entity_type":"lp","entity_id":"5","reason":"x"}`, 404)["detail"])
	m.serve("/lists/ia110126.csv", roster(5))
	_, err := dataops.IngestSources(t.Context(), deps, []string{"lists"}, dataops.IngestOptions{})
	require.NoError(t, err)
	people.calls = 0
	first := o.data(t, "POST", "freshness/queue", `{"entity_type":"gp","entity_id":"700","reason":"old team","priority":10}`, 201)
	again := o.do(t, 2, "POST", "freshness/queue", `{"entity_type":"gp","entity_id":"700","reason":"mine","priority":5}`, 200)["data"]
	require.Equal(t, first, again)
	for _, body := range []string{
		`{"entity_type":"gp","entity_id":"0700","reason":"x"}`, `{"entity_type":"person","entity_id":"per_1","reason":"x"}`,
		`{"entity_type":"source","entity_id":"list","reason":"x"}`, `{"entity_type":"fund","entity_id":"1","reason":"x"}`,
		`{"entity_type":"gp","entity_id":"700","reason":" "}`, `{"entity_type":"gp","entity_id":"700","reason":"old\u200b team"}`, `{"entity_type":"gp","entity_id":"700","reason":"x","priority":101}`,
	} {
		o.do(t, 1, "POST", "freshness/queue", body, 400)
	}
	refused := o.do(t, 1, "POST", "freshness/queue", `{"entity_type":"board","entity_id":"harbor","reason":"x"}`, 400)
	require.Contains(t, fmt.Sprint(refused["errors"]), "board cannot be queued: a worker reads each job board once a day")
	o.data(t, "POST", "freshness/queue", `{"entity_type":"person","entity_id":"per_abcdefghijklmnop","reason":"x"}`, 201)
	o.data(t, "POST", "freshness/queue", `{"entity_type":"lp","entity_id":"4","reason":"x"}`, 201)
	o.data(t, "POST", "freshness/queue", `{"entity_type":"source","entity_id":"lists","reason":"x","priority":100}`, 201)
	require.InDelta(t, 4, o.data(t, "POST", "freshness/queue/process?limit=1", "", 202)["queued"], 0)
	o.work(t, "dataops.process_queue")
	status := func(status string) (out []string) {
		list := o.do(t, 1, "GET", "freshness/queue?status="+status, "", 200)["data"].([]any) //nolint:forcetypeassert // a list
		for _, e := range list {
			entry := e.(map[string]any) //nolint:forcetypeassert // an object
			out = append(out, fmt.Sprint(entry["entity_id"], ": ", entry["result"]))
		}
		return out
	}
	require.Equal(t, []string{"lists: an extraction was triggered"}, status("done"))
	require.Equal(t, []int64{2}, ints(t, deps.DB, `SELECT extraction_id FROM dataops.refresh_queue WHERE entity_type = 'source'`))
	require.NoError(t, o.job(t, "dataops.watch_freshness").Run(t.Context(), nil))
	require.Equal(t, []string{
		"lists: an extraction was triggered", "4: its investments were matched to managers again", "per_abcdefghijklmnop: the people of 3 advisers were read anew",
		"700: the people of 3 advisers were read anew",
	}, status("done"))
	require.Equal(t, 1, people.calls)
	require.Empty(t, status("queued"))
	// An entry whose process ended is taken again, and given up after some times.
	o.exec(t, `INSERT INTO dataops.refresh_queue (entity_type, entity_id, reason, priority, state, requested_by, created_at, lease_until, attempts)
		VALUES ('lp', '5', 'x', 1, 'running', 1, '2026-11-20', '2026-11-20', 1), ('lp', '6', 'x', 1, 'running', 1, '2026-11-20', '2026-11-20', 3)`)
	require.NoError(t, o.job(t, "dataops.watch_freshness").Run(t.Context(), nil))
	require.Equal(t, []string{"6: its process ended 3 times"}, status("failed"))
}

// Sources are fresh, warn or stale by their ages; a stale one has an alert until it is used.
func TestSourcesByAge(t *testing.T) {
	t.Parallel()
	deps := setup(t)
	deps.Config.Schedule, deps.Config.Contact = "on", "ops@larkspur.example"
	now := today.Now()
	for _, c := range []struct{ source, age, want string }{
		{"advw", "35h", "fresh"},
		{"advw", "36h", "warn"},
		{"advw", "95h", "warn"},
		{"advw", "96h", "stale"},
		{"rosters", "215h", "fresh"},
		{"rosters", "216h", "warn"},
		{"form-d", "384h", "stale"},
		{"adv-history", "10000h", ""},
		{"iapd-firm-feed", "", "stale"},
	} {
		o := newOps(t, deps)
		o.exec(t, `DELETE FROM dataops.sources`)
		if c.age != "" {
			age, err := time.ParseDuration(c.age)
			require.NoError(t, err)
			o.exec(t, `INSERT INTO dataops.sources (name, last_checked, last_success) VALUES (?, ?, ?)`, c.source, now.Add(-age), now.Add(-age))
		}
		require.NoError(t, o.job(t, "dataops.watch_freshness").Run(t.Context(), nil))
		for _, s := range o.data(t, "GET", "freshness", "", 200)["sources"].([]any) { //nolint:forcetypeassert // a list
			if src := s.(map[string]any); src["source"] == c.source { //nolint:forcetypeassert // an object
				got, _ := src["state"].(string)
				require.Equal(t, c.want, got, "%+v", c)
			}
		}
		open := ints(t, deps.DB, `SELECT count(*) FROM dataops.alerts WHERE kind = 'source_late' AND resolved_at IS NULL AND source_name = '`+c.source+`'`)[0]
		require.Equal(t, c.want == "stale", open == 1, "%+v", c)
	}
}

// The stale managers are those that a plain look at all filings finds.
func TestStaleManagers(t *testing.T) {
	t.Parallel()
	deps := sampled(t)
	o := newOps(t, deps)
	o.exec(t, `UPDATE catalog.advisers SET newest_filed_on = '2025-08-20' WHERE crd IN (SELECT crd FROM catalog.advisers ORDER BY crd LIMIT 5)`)
	o.exec(t, `UPDATE catalog.filings f SET filing_date = least(filing_date, '2025-08-20') FROM catalog.advisers a WHERE a.crd = f.crd AND a.newest_filed_on = '2025-08-20'`)
	o.exec(t, `DELETE FROM catalog.offering_funds l USING catalog.funds f, catalog.advisers a WHERE f.fund_id = l.fund_id AND f.adviser_crd = a.crd AND a.newest_filed_on = '2025-08-20'`)
	want := ints(t, deps.DB, `SELECT a.crd::bigint FROM catalog.advisers a
		WHERE a.withdrawn_on IS NULL AND a.not_listed_since IS NULL
		AND NOT EXISTS (SELECT 1 FROM catalog.filings f WHERE f.crd = a.crd AND f.filing_date >= DATE '2026-11-21' - INTERVAL '15 months')
		AND NOT EXISTS (SELECT 1 FROM catalog.offering_funds l JOIN catalog.offerings o USING (accession) JOIN catalog.funds d USING (fund_id)
			WHERE d.adviser_crd = a.crd AND o.filing_date >= DATE '2026-11-21' - INTERVAL '15 months') ORDER BY a.newest_filed_on, a.crd COLLATE "C"`)
	require.GreaterOrEqual(t, len(want), 4)
	answer := o.do(t, 1, "GET", "freshness/stale?limit=1000", "", 200)
	var got []int64
	for _, m := range answer["data"].([]any) { //nolint:forcetypeassert // a list
		var crd int64
		_, err := fmt.Sscan(m.(map[string]any)["crd"].(string), &crd) //nolint:forcetypeassert // as above
		require.NoError(t, err)
		got = append(got, crd)
	}
	require.Equal(t, want, got)
	require.InDelta(t, len(want), answer["meta"].(map[string]any)["total"], 0) //nolint:forcetypeassert // as above
}

// People and boards are stale by ages of their own, which the settings give.
func TestStalePeopleAndBoards(t *testing.T) {
	t.Parallel()
	deps, people := setup(t), &refresher{}
	deps.Config.PersonStaleAfter, deps.Config.BoardStaleAfter = 180*24*time.Hour, 7*24*time.Hour
	for _, query := range []string{"person", "board"} {
		answer := newOps(t, deps).do(t, 1, "GET", "freshness/stale?entity_type="+query, "", 200)
		require.Equal(t, []any{}, answer["data"], "without the module of people there are none")
	}
	summary := newOps(t, deps).data(t, "GET", "freshness", "", 200)
	require.Equal(t, []any{map[string]any{"stale": 0.0}, map[string]any{"stale": 0.0}}, []any{summary["people"], summary["job_boards"]})
	deps.People = people
	o := newOps(t, deps)
	answer := o.do(t, 1, "GET", "freshness/stale?entity_type=person", "", 200)
	empty := map[string]any{
		"legal_name": nil, "registration_status": nil, "total_aum": nil, "newest_filing_date": nil, "person_uid": nil, "full_name": nil, "vendor": nil, "token": nil,
		"last_success": nil, "last_error": nil, "crd": "700",
	}
	with := func(fields map[string]any) []any {
		all := maps.Clone(empty)
		maps.Copy(all, fields)
		return []any{all}
	}
	require.Equal(t, with(map[string]any{
		"entity_type": "person", "person_uid": "per_abcdefghijklmnop", "full_name": "Ada Larkspur", "last_success": "2026-05-25T09:00:00.000000Z", "days": 180.0,
	}), answer["data"])
	require.Equal(t, map[string]any{"entity_type": "person", "total": 9.0, "limit": 100.0, "filed_before": nil, "success_until": "2026-05-25T09:00:00.000000Z"}, answer["meta"])
	require.Equal(t, 100, people.limit)
	answer = o.do(t, 1, "GET", "freshness/stale?entity_type=board&limit=3", "", 200)
	require.Equal(t, with(map[string]any{
		"entity_type": "board", "legal_name": "Harbor Ridge LLC", "vendor": "ashby", "token": "harbor", "last_error": "404", "days": 8.0,
	}), answer["data"])
	require.Equal(t, map[string]any{"entity_type": "board", "total": 1.0, "limit": 3.0, "filed_before": nil, "success_until": "2026-11-14T09:00:00.000000Z"}, answer["meta"])
	require.Equal(t, today.Now().AddDate(0, 0, -7), people.until)
	require.Equal(t, 3, people.limit)
	answer = o.do(t, 1, "GET", "freshness/stale", "", 200)
	require.Equal(t, map[string]any{"entity_type": "gp", "total": 0.0, "limit": 100.0, "filed_before": "2025-08-21", "success_until": nil}, answer["meta"])
	o.do(t, 1, "GET", "freshness/stale?entity_type=lp", "", 400)
	summary = o.data(t, "GET", "freshness", "", 200)
	require.Equal(t, []any{map[string]any{"stale": 9.0}, map[string]any{"stale": 1.0}}, []any{summary["people"], summary["job_boards"]})
}

// Health is answered with 200 also when the database is away.
func TestHealthOfTheData(t *testing.T) {
	t.Parallel()
	o := newOps(t, setup(t))
	require.Equal(t, "down", o.data(t, "GET", "health", "", 200)["status"], "no index is loaded here")
	o.do(t, 1, "GET", "dashboard", "", 200)
	o.do(t, 1, "GET", "sources", "", 200)
	o.deps.DB.Close()
	got := o.data(t, "GET", "health", "", 200)
	require.Equal(t, "unreachable", got["database"])
	require.Equal(t, "down", got["status"])
}

// sampled is a copy of the database with the sample.
func sampled(t *testing.T) dataops.Deps {
	t.Helper()
	deps := setup(t)
	require.NoError(t, sample.Load(t.Context(), t.TempDir(), func(ctx context.Context, paths []string) error {
		_, err := dataops.Ingest(ctx, deps, paths, dataops.IngestOptions{AnyDate: true})
		return err
	}))
	return deps
}
