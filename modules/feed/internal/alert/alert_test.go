package alert_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/feed/internal/alert"
	"gpatlas/platform/database"
	"gpatlas/platform/testkit/httpapitest"
	"gpatlas/platform/testkit/jobstest"
)

const all = `{"on":["changed","entered","left"],"mail":"off"}`

// An alert is set, shown, replaced and deleted; another account's search is answered like one that does not exist.
func TestOperations(t *testing.T) {
	t.Parallel()
	b := newBench(t, false)
	id := b.save(t, b.ada, `{"state":"TX"}`)
	path := "/v1/me/searches/" + id
	do := func(method, path, body string, status int, contains ...string) {
		t.Helper()
		b.Do(t, httpapitest.Scenario{Method: method, Path: path, Body: body, As: b.ada, Status: status, Contains: contains})
	}
	do("GET", path+"/alert", "", http.StatusNotFound, "The saved search has no alert")
	do("GET", path+"/news", "", http.StatusNotFound)
	do("PUT", path+"/alert", all, http.StatusOK, `"on":["entered","left","changed"]`, `"fields":[]`, `"state":"active"`, `"why":null`)
	do("PUT", path+"/alert", `{"on":["changed"],"fields":["total_aum","city","city"]}`, http.StatusOK, `"fields":["city","total_aum"]`, `"mail":"weekly"`)
	do("GET", path+"/alert", "", http.StatusOK, `"search_id":"`+id+`"`, `"created_at":"2026-11-20T09:30:00.000000Z"`)
	do("GET", path+"/news", "", http.StatusOK, `"data":[]`, `"has_more":false`)
	for body, says := range map[string]string{
		`{"on":[]}`: "on", `{"on":["entered","gone"]}`: "on", `{}`: "is required", `{"on":["entered"],"mail":"hourly"}`: "mail",
		`{"on":["changed"],"fields":["phone"]}`: "must be fields that alerts compare: city, total_aum", `{"on":["left"],"fields":["city"]}`: "needs changed in on",
		`{"on":["left"],"webhooks":["x"]}`: "must be IDs of your webhook endpoints", `{"on":["left"],"webhooks":["` + id + `"]}`: "must be IDs of your webhook endpoints",
	} {
		do("PUT", path+"/alert", body, http.StatusBadRequest, says)
	}
	for query, says := range map[string]string{"cursor=nws_x": "is not a cursor of news", "cursor=cur_2nYd0b7XQ1mZyX9x3QY6jgAAAAAAABor": "cursor", "what=entered,gone": "must be entered, left or changed"} {
		do("GET", path+"/news?"+query, "", http.StatusBadRequest, says)
	}
	b.total = 5001
	do("PUT", path+"/alert", all, http.StatusConflict, "The search matches 5001 GPs", "search_too_wide")
	b.total = 5000
	do("PUT", path+"/alert", all, http.StatusOK)
	do("PUT", "/v1/me/searches/"+b.save(t, b.ada, `{"auditor_name":"Birch"}`)+"/alert", all, http.StatusConflict, "Invalid auditor_name")
	for _, s := range []httpapitest.Scenario{
		{Path: "/alert"}, {Path: "/news"}, {Method: "DELETE", Path: "/alert"}, {Method: "PUT", Path: "/alert", Body: all},
	} {
		s.As, s.Status = b.bea, http.StatusNotFound
		theirs, none := s, s
		theirs.Path, none.Path = path+s.Path, "/v1/me/searches/"+uuid.NewString()+s.Path
		require.Equal(t, b.Do(t, none).Body, b.Do(t, theirs).Body)
	}
	do("DELETE", path+"/alert", "", http.StatusNoContent)
	do("DELETE", path+"/alert", "", http.StatusNotFound)
	do("GET", path+"/alert", "", http.StatusNotFound)
}

// News are those of later loads, in pages, by kind and by field. Searches with the same filters are compared once.
func TestNews(t *testing.T) {
	t.Parallel()
	b := newBench(t, false)
	id := b.watch(t, b.ada, "TX", all)
	theirs := b.watch(t, b.bea, "TX", `{"on":["entered","changed"],"fields":["city"],"mail":"off"}`)
	b.watch(t, b.bea, "NY", all)
	b.publish(t, "TX", entered(1), left(2), changed(3, "total_aum"), changed(4, "city", "total_aum"))
	require.Equal(t, map[string]int{"TX": 1, "NY": 1}, b.asked)
	list, meta := b.read(t, b.ada, id, "")
	require.Equal(t, []string{"900001 entered", "900002 left", "900003 changed", "900004 changed"}, list)
	require.False(t, meta.HasMore)
	list, _ = b.read(t, b.bea, theirs, "")
	require.Equal(t, []string{"900001 entered", "900004 changed"}, list)
	b.publish(t, "TX", left(1))
	list, next := b.read(t, b.ada, id, "cursor="+meta.NextCursor)
	require.Equal(t, []string{"900001 left"}, list)
	list, again := b.read(t, b.ada, id, "cursor="+next.NextCursor)
	require.Empty(t, list)
	require.Equal(t, next, again)
	list, meta = b.read(t, b.ada, id, "what=left&limit=1")
	require.Equal(t, []string{"900002 left"}, list)
	require.True(t, meta.HasMore)
	late := b.watch(t, b.bea, "TX", all) // knows nothing of before
	list, _ = b.read(t, b.bea, late, "")
	require.Empty(t, list)
	b.set(t, b.ada, id, `{"on":["left"],"mail":"off"}`) // the same filters: the news stay
	list, _ = b.read(t, b.ada, id, "")
	require.Equal(t, []string{"900002 left", "900001 left"}, list)

	b.run(t, `UPDATE accounts.saved_searches SET filters = '{"state":"NY"}' WHERE id = @id`, database.Args{"id": id})
	list, _ = b.read(t, b.ada, id, "")
	require.Empty(t, list, "an edited search begins anew")
	b.publish(t, "NY", left(5))
	list, _ = b.read(t, b.ada, id, "")
	require.Equal(t, []string{"900005 left"}, list)
	b.clock.Move(91 * 24 * time.Hour)
	_, err := b.service.Mail(t.Context(), "2027-02-20")
	require.NoError(t, err)
	require.Equal(t, []string{"0"}, b.values(t, "SELECT count(*)::text FROM feed.matches"))
}

// A load that changes more than 1,000 GPs of a search lists 1,000 and says so.
func TestTruncated(t *testing.T) {
	t.Parallel()
	b := newBench(t, false)
	id := b.watch(t, b.ada, "TX", all)
	var news []catalogapi.GPNews
	for i := range 1500 {
		news = append(news, entered(i))
	}
	b.publish(t, "TX", news...)
	list, meta := b.read(t, b.ada, id, "limit=1000")
	require.Len(t, list, 1000)
	require.True(t, meta.Truncated)
	require.False(t, meta.HasMore)
}

// A look that is stopped after half of the searches stores no news. The next look stores all of them, once.
func TestStopped(t *testing.T) {
	t.Parallel()
	b := newBench(t, false)
	var ids []string
	for i := range 6 {
		ids = append(ids, b.watch(t, b.ada, string(rune('A'+i)), `{"on":["entered"],"mail":"each"}`))
	}
	b.load, b.looked, b.failAt, b.news = 2, false, 4, map[string][]catalogapi.GPNews{}
	for i := range 6 {
		b.news[string(rune('A'+i))] = []catalogapi.GPNews{entered(i)}
	}
	_, err := b.service.Look(t.Context())
	require.ErrorIs(t, err, errStopped)
	require.Empty(t, jobstest.Waiting(t, b.db))
	require.Equal(t, []string{"0"}, b.values(t, "SELECT count(*)::text FROM feed.matches"))
	b.failAt = 0
	b.look(t)
	b.look(t)
	for i, id := range ids {
		list, _ := b.read(t, b.ada, id, "")
		require.Equal(t, []string{fmt.Sprintf("%d entered", 900000+i)}, list)
	}
	require.Len(t, jobstest.Waiting(t, b.db), 1)
}

// An account gets one mail with the news of all its alerts: after each load, in the morning, or on Mondays. No mail repeats news of an earlier one.
func TestMails(t *testing.T) {
	t.Parallel()
	b := newBench(t, false)
	for _, mode := range []string{"each", "each", "daily", "weekly", "off"} {
		b.watch(t, b.ada, "TX", `{"on":["entered"],"mail":"`+mode+`"}`)
	}
	b.watch(t, b.bea, "NY", `{"on":["entered"],"mail":"each"}`)
	count := 0
	mails := func(sections ...int) {
		t.Helper()
		waiting := jobstest.Waiting(t, b.db)
		require.Len(t, waiting, count+len(sections))
		for i, n := range sections {
			text := waiting[count+i].Payload
			require.Contains(t, text, `"search_alert"`)
			require.Equal(t, n, strings.Count(text, `"search_id"`), text)
		}
		count += len(sections)
	}
	day := func(name string) {
		t.Helper()
		for range 2 {
			_, err := b.service.Mail(t.Context(), name)
			require.NoError(t, err)
		}
	}
	b.publish(t, "TX", entered(1))
	mails(2)
	b.publish(t, "TX", left(1)) // no alert is about it
	mails()
	day("2026-11-21")
	mails(1)
	b.publish(t, "TX", entered(2))
	mails(2)
	day("2026-11-23") // a Monday: daily and weekly in one
	mails(2)
	require.Contains(t, jobstest.Waiting(t, b.db)[count-1].Payload, `"total": 2`, "the weekly one has both")
	day("2026-11-24")
	mails()
	b.run(t, "UPDATE accounts.users SET deleted_at = now() WHERE id = @id", database.Args{"id": b.ada.UserID})
	b.publish(t, "TX", entered(3))
	mails()
}

// A message goes to each endpoint of the alert, with the first 20 news and the path of all. It is sent once.
func TestWebhooks(t *testing.T) {
	t.Parallel()
	b := newBench(t, false)
	endpoint := func(user int64, state string) string {
		id := uuid.NewString()
		b.run(t, `INSERT INTO feed.endpoints (id, user_id, url, kinds, scope, crds, mode, header_names, state, position, created_at, updated_at)
			VALUES (@id, @user, 'https://hooks.example.com', '{aum_change}', 'all', '{}', 'each', '{}', @state, 0, now(), now())`, database.Args{"id": id, "user": user, "state": state})
		return id
	}
	one, off, theirs := endpoint(b.ada.UserID, "active"), endpoint(b.ada.UserID, "disabled"), endpoint(b.bea.UserID, "active")
	id := b.watch(t, b.ada, "TX", fmt.Sprintf(`{"on":["entered"],"mail":"off","webhooks":[%q,%q]}`, one, off))
	b.Do(t, httpapitest.Scenario{
		Method: "PUT", Path: "/v1/me/searches/" + id + "/alert", Body: fmt.Sprintf(`{"on":["entered"],"webhooks":[%q]}`, theirs), As: b.ada,
		Status: http.StatusBadRequest, Contains: []string{"must be IDs of your webhook endpoints"},
	})
	b.publish(t, "TX", left(1))
	require.Empty(t, b.values(t, "SELECT id FROM feed.messages"))
	var news []catalogapi.GPNews
	for i := range 25 {
		news = append(news, entered(i))
	}
	b.publish(t, "TX", news...)
	b.look(t)
	require.Equal(t, []string{one + " search_match 25"}, b.values(t, "SELECT endpoint_id || ' ' || kind || ' ' || events FROM feed.messages"))
	body := b.values(t, "SELECT body FROM feed.messages")[0]
	require.Equal(t, 20, strings.Count(body, `"crd"`))
	require.Contains(t, body, `"type":"search_match"`)
	_, query, _ := strings.Cut(body, "/news?")
	query, _, _ = strings.Cut(query, `"`)
	list, _ := b.read(t, b.ada, id, query)
	require.Len(t, list, 25)
}

// A lower plan pauses the newest alerts; the oldest stay. A purged account has none.
func TestPlans(t *testing.T) {
	t.Parallel()
	b := newBench(t, true)
	var ids []string
	plan := func(name string) {
		b.run(t, "UPDATE accounts.users SET subscription_plan = @plan", database.Args{"plan": name})
	}
	for range alert.AlertsMost["free"] {
		ids = append(ids, b.watch(t, b.ada, "TX", all))
	}
	other := b.save(t, b.ada, `{"state":"NY"}`)
	path := "/v1/me/searches/" + other + "/alert"
	b.Do(t, httpapitest.Scenario{Method: "PUT", Path: path, Body: all, As: b.ada, Status: http.StatusConflict, Contains: []string{"plan free can have at most 3 active alerts"}})
	b.set(t, b.ada, ids[0], all) // it replaces its own
	plan("starter")
	b.set(t, b.ada, other, all)
	plan("free")
	b.look(t)
	b.Do(t, httpapitest.Scenario{Path: path, As: b.ada, Contains: []string{`"state":"paused"`, `"why":"plan"`}})
	b.Do(t, httpapitest.Scenario{Path: "/v1/me/searches/" + other + "/news", As: b.ada, Status: http.StatusConflict, Contains: []string{"alert_paused"}})
	b.publish(t, "TX", entered(1))
	require.NotContains(t, b.asked, "NY")
	list, _ := b.read(t, b.ada, ids[2], "")
	require.Equal(t, []string{"900001 entered"}, list)
	exported, err := b.service.ExportFor(t.Context(), b.ada.UserID)
	require.NoError(t, err)
	require.Len(t, exported, 4)
	require.NoError(t, b.service.AccountPurged(t.Context(), b.ada.UserID))
	require.Empty(t, b.values(t, "SELECT search_id::text FROM feed.alerts"))
}

// Filters that are no longer valid pause the alert, with the reason and one mail; others go on.
func TestInvalid(t *testing.T) {
	t.Parallel()
	b := newBench(t, false)
	id := b.watch(t, b.ada, "TX", all)
	ny := b.watch(t, b.ada, "NY", all)
	b.fault = "TX"
	b.publish(t, "NY", entered(1))
	b.publish(t, "NY", entered(2))
	b.Do(t, httpapitest.Scenario{Path: "/v1/me/searches/" + id + "/alert", As: b.ada, Contains: []string{`"why":"filters"`, `"fault":"Invalid state: is no state any more"`}})
	waiting := jobstest.Waiting(t, b.db)
	require.Len(t, waiting, 1)
	require.Contains(t, waiting[0].Payload, "is no state any more")
	list, _ := b.read(t, b.ada, ny, "")
	require.Equal(t, []string{"900001 entered", "900002 entered"}, list)
	b.fault = ""
	b.set(t, b.ada, id, all)
	b.publish(t, "TX", entered(3))
	list, _ = b.read(t, b.ada, id, "")
	require.Equal(t, []string{"900003 entered"}, list)
	b.run(t, "DELETE FROM accounts.saved_searches WHERE id = @id", database.Args{"id": id})
	_, err := b.service.Mail(t.Context(), "2026-11-24")
	require.NoError(t, err)
	require.Equal(t, []string{ny}, b.values(t, "SELECT search_id::text FROM feed.alerts"))
}
