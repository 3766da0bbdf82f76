package main

import (
	"html"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/accounts"
	"gpatlas/platform/clock"
	"gpatlas/platform/console"
	"gpatlas/platform/testkit/dbtest"
	"gpatlas/web"
)

// TestOperatorPages is the day of an operator with a browser: a morning with one failed file, every form, every page, and who must not
// see any of it.
func TestOperatorPages(t *testing.T) {
	t.Parallel()
	var broken atomic.Bool
	broken.Store(true)
	file := listSource(t, func(row func(crd string)) {
		for i := range 40 {
			crd := strconv.Itoa(700 + i)
			if broken.Load() && i%10 == 0 {
				crd = "torn" + crd
			}
			row(crd)
		}
	})
	db := sampleDB.New(t)
	h := startHouse(t, dbtest.URL(t, db), dbtest.RedisURL(t), "ANONYMOUS_LIMITS=off", "DATAOPS_SOURCES_FILE="+file)
	const email = "chief@larkspur.example"
	chief := newVisitor(t, h)
	chief.register(h, email)
	leads(t, chief.send("/verify-email", "token", h.mailed(t, email, "verify-email")), "/account/keys/new?notice=verified")
	grant := func(grant bool) {
		change := accounts.Revoke
		if grant {
			change = accounts.Grant
		}
		_, err := change(t.Context(), db, clock.System{}, email)
		require.NoError(t, err)
	}
	closedToStrangers(t, h, chief)
	grant(true)
	failed := morning(t, chief, &broken)
	operatorForms(t, chief)
	walkPages(t, h, chief, email, "/admin", console.Admin, failed)
	grant(false)
	closedToStrangers(t, h, chief)
}

// read is a page as it is read.
func read(v *visitor, path string) string {
	v.t.Helper()
	return strings.ReplaceAll(html.UnescapeString(v.open(path).body), "\u00a0", " ")
}

// morning: a file is stopped. The operator sees it, opens its run, reads which row is wrong and why, loads the mended file, and sees that
// all is well.
func morning(t *testing.T, chief *visitor, broken *atomic.Bool) (failed string) {
	t.Helper()
	begin := func(path string, fields ...string) (run string) {
		a := chief.send(path, fields...)
		run, ok := strings.CutSuffix(a.header.Get("Location"), "?notice=started")
		require.True(t, ok, a.body)
		require.Eventually(t, func() bool {
			return regexp.MustCompile("<dd>[✓✗] (completed|failed)</dd>").MatchString(read(chief, run))
		}, patience, 100*time.Millisecond)
		return run
	}
	run := begin("/admin/ingestions", "source", "lists", "accept", "")
	page := read(chief, "/admin")
	require.Contains(t, page, "<dt>Is it up?</dt><dd>✓ Yes</dd>")
	require.Contains(t, page, "<dt>Is it right?</dt><dd>▲ 1 alert</dd>")
	require.Contains(t, page, " 1 failed</a>")
	require.Contains(t, page, "<dt>Is it paid?</dt><dd>? not known</dd>")
	require.Contains(t, page, "<dt>Is it stuck?</dt><dd>✓ No</dd>")
	require.Contains(t, page, `<a href="`+run+`">`)
	require.Contains(t, page, "<td>✗ failed</td>")
	require.Contains(t, page, "1 alert is not resolved.")

	page = read(chief, run)
	require.Contains(t, page, "<td>✗ failed</td>")
	require.Contains(t, page, "rows_unusable")
	require.Contains(t, page, "torn700,FIRM 700 LLC,10/02/2026,Approved,Y")
	require.Contains(t, page, `>2</td>`, "the line")
	reason := regexp.MustCompile(`<td[^>]*>([^<]*torn700[^<]*)</td><td[^>]*>torn700,`).FindStringSubmatch(page)
	require.NotNil(t, reason, page)
	by := read(chief, "/admin/quarantine")
	require.Regexp(t, `<a href="/admin/quarantine\?reason=[^"]+">[^<]*</a></td><td class="number">4</td><td class="number">1</td>`, by)
	link := regexp.MustCompile(`/admin/quarantine\?reason=[^"]+`).FindString(by)
	require.Equal(t, 4, strings.Count(read(chief, link), ">ia100226.csv</td><td>"))
	require.Contains(t, read(chief, "/admin/quarantine?reason=another"), "Every row could be used.")

	alert := regexp.MustCompile(`/admin/quality/alerts/(\d+)/acknowledge`).FindStringSubmatch(read(chief, "/admin/quality"))
	require.NotNil(t, alert)
	leads(t, chief.send(alert[0]), "/admin/quality?notice=noted")
	require.Contains(t, read(chief, "/admin/quality"), "<td>acknowledged</td>")
	broken.Store(false)
	again := begin("/admin/ingestions/again/lists")
	require.NotEqual(t, run, again)
	require.Contains(t, read(chief, again), "<dd>✓ completed</dd>")
	require.Contains(t, read(chief, again), "Every row could be used.")
	if strings.Contains(read(chief, "/admin/quality"), `value="`+alert[1]+`"`) {
		refused := chief.send("/admin/quality", "alert_id", alert[1], "reason", "")
		require.Equal(t, http.StatusBadRequest, refused.status)
		require.Contains(t, refused.body, `id="reason-error"`)
		leads(t, chief.send("/admin/quality", "alert_id", alert[1], "reason", "The file was mended"), "/admin/quality?notice=resolved")
	}
	page = read(chief, "/admin")
	require.Contains(t, page, "Nothing is wrong.")
	require.Contains(t, page, "<dt>Is it fresh?</dt><dd>✓ Yes</dd>")
	require.Contains(t, page, "<dt>Is it right?</dt><dd>✓ Yes</dd>")
	require.Contains(t, page, "<td>✓ completed</td>")
	return run
}

// operatorForms tries the forms that the morning did not need.
func operatorForms(t *testing.T, chief *visitor) {
	t.Helper()
	refused := chief.send("/admin/ingestions", "source", "lists", "accept", "everything")
	require.Equal(t, http.StatusBadRequest, refused.status)
	require.Contains(t, refused.body, `id="accept-error"`)
	refused = chief.send("/admin/freshness", "entity_type", "gp", "entity_id", shownGP, "reason", "", "priority", "")
	require.Equal(t, http.StatusBadRequest, refused.status)
	require.Contains(t, refused.body, `id="reason-error"`)
	leads(t, chief.send("/admin/freshness", "entity_type", "gp", "entity_id", shownGP, "reason", "An old team", "priority", "70"), "/admin/freshness?notice=queued")
	require.Contains(t, read(chief, "/admin/freshness"), "<td>An old team</td>")
	leads(t, chief.send("/admin/freshness/process"), "/admin/freshness?notice=started")

	typed := []string{"override_type", "gp_field", "entity_id", shownGP, "field", "website", "value", "https://www.mended.example", "reason", "It moved", "valid_from", ""}
	refused = chief.send("/admin/overrides/preview", append(typed[:8:8], "reason", "", "preview", "true")...)
	require.Equal(t, http.StatusBadRequest, refused.status)
	require.Contains(t, refused.body, `id="reason-error"`)
	before := chief.send("/admin/overrides/preview", append(typed, "preview", "true")...)
	require.Equal(t, http.StatusOK, before.status, before.body)
	require.Regexp(t, `<dt>Before</dt><dd>[^<]+</dd><dt>After</dt><dd>https://www.mended.example</dd>`, before.body)
	require.Contains(t, before.body, `<input type="hidden" name="value" value="https://www.mended.example">`)
	require.Contains(t, read(chief, "/admin/overrides"), "No override is in force.")
	require.NotContains(t, read(chief, "/gps/"+shownGP), "mended.example")
	require.NotContains(t, read(chief, "/admin/audit"), "override.create")
	confirmed := slices.Concat(typed, []string{"confirmed", "yes"})
	leads(t, chief.send("/admin/overrides", confirmed...), "/admin/overrides?notice=saved")
	page := read(chief, "/admin/overrides")
	require.Contains(t, page, "<td>https://www.mended.example</td>")
	require.Contains(t, page, "<td>It moved</td>")
	twice := chief.send("/admin/overrides", confirmed...)
	require.Equal(t, http.StatusConflict, twice.status)
	require.Contains(t, twice.body, "corrects the same field")
	remove := regexp.MustCompile(`/admin/overrides/\d+/remove`).FindString(page)
	leads(t, chief.send(remove), "/admin/overrides?notice=removed")
	require.Contains(t, read(chief, "/admin/overrides?removed=true"), "<td>It moved</td>")
	require.Contains(t, read(chief, "/admin/audit"), "override.delete")
	leads(t, chief.send("/admin/overrides", "override_type", "gp_field", "entity_id", shownGP, "field", "founded_year", "value", "2001", "reason", "Stated on its website",
		"valid_from", "2026-11-01", "confirmed", "yes"), "/admin/overrides?notice=saved")

	leads(t, chief.send("/admin/mails/market_intel/disable"), "/admin/mails?notice=saved")
	require.Contains(t, read(chief, "/admin/mails"), "<td>✗ off</td>")
	leads(t, chief.send("/admin/mails/market_intel/enable"), "/admin/mails?notice=saved")
	require.NotContains(t, read(chief, "/admin/mails"), "<td>✗ off</td>")
	leads(t, chief.send("/admin/mails/activity_digest/test"), "/admin/mails?notice=sent")
	require.Equal(t, http.StatusNotFound, chief.open("/admin/mails/nothing").status)
	require.Equal(t, http.StatusConflict, chief.send("/admin/mails/trial_ending/disable").status)

	require.Eventually(t, func() bool { // a worker writes its schedules into Redis every few seconds
		return strings.Contains(read(chief, "/admin/jobs"), "<td>dataops.sweep_extractions</td>")
	}, patience, time.Second)
	require.Contains(t, chief.open(web.QueuesPath).body, "Asynq - Monitoring")
	chief.site = "cross-site"
	require.Equal(t, http.StatusForbidden, chief.send("/admin/freshness/process").status)
	chief.site = "same-origin"
}

// closedToStrangers wants every operator's page to look like an unknown path, for a person who is not signed in and for one who is not an administrator.
func closedToStrangers(t *testing.T, h *house, signedIn *visitor) {
	t.Helper()
	ask := func(v *visitor, method, path, accept string) answer {
		req, err := http.NewRequestWithContext(t.Context(), method, h.base+path, strings.NewReader("reason=x"))
		require.NoError(t, err)
		for name, value := range map[string]string{"Accept": accept, "X-Request-ID": "same", "Sec-Fetch-Site": "same-origin", "Content-Type": "application/x-www-form-urlencoded"} {
			req.Header.Set(name, value)
		}
		a := v.do(req)
		a.body = strings.ReplaceAll(a.body, path, "PATH")
		for _, name := range []string{"Date", "Content-Length", "X-Ratelimit-Remaining", "X-Ratelimit-Reset", "Ratelimit"} {
			a.header.Del(name)
		}
		return a
	}
	paths := []string{"/admin/", web.QueuesPath, web.QueuesPath + "/api/queues", "/admin/nothing"}
	for _, m := range manifests(t) {
		for _, p := range m.Pages {
			if p.Access == console.Admin {
				paths = append(paths, parameter.ReplaceAllString(p.Path, "1"))
			}
		}
	}
	require.Greater(t, len(paths), 20)
	for _, v := range []*visitor{newVisitor(t, h), signedIn} {
		for _, accept := range []string{"text/html", "*/*"} {
			for _, method := range []string{http.MethodGet, http.MethodPost} {
				unknown := ask(v, method, "/unknown", accept)
				require.Equal(t, http.StatusNotFound, unknown.status)
				for _, path := range paths {
					require.Equal(t, unknown, ask(v, method, path, accept), "%s %s", method, path)
				}
			}
		}
	}
	require.NotContains(t, signedIn.open("/account").body, "Operator")
}
