package registry_test

import (
	"encoding/json"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/notifications/internal/kind"
	"gpatlas/modules/notifications/internal/registry"
	"gpatlas/platform/apperr"
	"gpatlas/platform/auth"
	"gpatlas/platform/testkit/httpapitest"
)

// Only administrators' sessions call the registry. Whatever they may not do leaves it as it is.
func TestAccess(t *testing.T) {
	t.Parallel()
	b := setup(t)
	before := b.export(t)
	operations := []struct{ method, path, body string }{
		{"GET", "", ""},
		{"POST", "", entry("maintenance_notice", "")},
		{"GET", "stats", ""},
		{"GET", "summary", ""},
		{"GET", "table", ""},
		{"GET", "analytics/overview", ""},
		{"GET", "export", ""},
		{"POST", "import", document()},
		{"POST", "test", `{"notification_id":"activity_digest"}`},
		{"GET", "activity_digest", ""},
		{"PUT", "activity_digest", `{"enabled":false}`},
		{"DELETE", "activity_digest", ""},
		{"POST", "activity_digest/enable", ""},
		{"POST", "activity_digest/disable", ""},
		{"GET", "activity_digest/stats", ""},
	}
	require.Len(t, b.host.API.Routes(), len(operations))
	for _, o := range operations {
		for name, c := range map[string]struct {
			as     *auth.Principal
			status int
		}{
			"no token, or one that has expired": {nil, 401},
			"a user's token":                    {&auth.Principal{Kind: auth.Session, UserID: 8}, 403},
			"a user's key":                      {&auth.Principal{Kind: auth.Key, UserID: 8}, 403},
			"an administrator's key":            {&auth.Principal{Kind: auth.Key, UserID: 7, Admin: true}, 403},
		} {
			t.Log(o.method, o.path, name)
			b.host.Do(t, httpapitest.Scenario{Method: o.method, Path: path + o.path, Body: o.body, As: c.as, Status: c.status})
		}
	}
	require.Equal(t, before, b.export(t))
	require.Empty(t, b.mails.Messages())
}

// Every kind that the program sends has a name, an example for tests, and an ID that can be read and imported.
func TestBuiltIns(t *testing.T) {
	t.Parallel()
	b := setup(t)
	list, err := b.service.List(t.Context())
	require.NoError(t, err)
	require.Len(t, list, len(kind.BuiltIn()))
	for _, n := range list {
		require.NotEmpty(t, n.Name, n.ID)
		require.NotEmpty(t, n.Description, n.ID)
		require.True(t, n.BuiltIn)
		require.Nil(t, n.UpdatedBy)
		b.do(t, "GET", n.ID, "", 200)
		b.do(t, "POST", "test", `{"notification_id":"`+n.ID+`"}`, 200)
	}
	b.do(t, "POST", "import", b.export(t), 200)
	require.Len(t, b.mails.To("ada@larkspur.example"), len(list))
	for _, m := range b.mails.Messages() {
		require.True(t, strings.HasPrefix(m.Subject, "[Test] "))
		require.Contains(t, m.Text, "Hello Ada Larkspur,")
		if m.Category == kind.Account {
			require.Empty(t, m.UnsubscribeURL)
			require.Contains(t, m.Text, "You cannot")
			continue
		}
		require.Equal(t, "https://atlas.example/v1/unsubscribe/"+m.Category, m.UnsubscribeURL)
		require.Contains(t, m.Text, m.UnsubscribeURL)
		require.NotContains(t, m.HTML, "<img")
	}
}

func TestCreate(t *testing.T) {
	t.Parallel()
	b := setup(t)
	const notice = `{"data":{"id":"maintenance_notice","name":"Notice","description":"","category":"product","enabled":true,"max_per_day":5,"built_in":false,
		"subject":"Maintenance","text":"On Sunday.","created_at":"2026-11-20T09:30:00.000000Z","updated_at":"2026-11-20T09:30:00.000000Z","updated_by":7}}`
	require.JSONEq(t, notice, b.do(t, "POST", "", entry("maintenance_notice", ""), 201))
	require.JSONEq(t, notice, b.do(t, "GET", "maintenance_notice", "", 200))
	require.JSONEq(t, `{"detail":"A notification with the ID maintenance_notice already exists"}`, b.do(t, "POST", "", entry("maintenance_notice", ""), 409))
	b.do(t, "POST", "", entry("activity_digest", ""), 409)
	b.do(t, "POST", "", `{"id":"weekly","name":"W","category":"market_intel","subject":"S","text":"T"}`, 201)
	require.Contains(t, b.do(t, "GET", "weekly", "", 200), `"max_per_day":1,`, "of digests")
	require.Contains(t, b.do(t, "POST", "", strings.Replace(entry("breach_notice", ""), "product", "account", 1), 400), "must not be account")
	for name, c := range map[string]struct{ body, want string }{
		"no id":            {`{"name":"N","category":"product","subject":"S","text":"T"}`, `"field":"id"`},
		"capital":          {entry("Notice", ""), "snake_case"},
		"double score":     {entry("a__b", ""), "snake_case"},
		"digit first":      {entry("1a", ""), "snake_case"},
		"long":             {entry(strings.Repeat("a", 51), ""), `"field":"id"`},
		"no name":          {`{"id":"a","category":"product","subject":"S","text":"T"}`, `"field":"name"`},
		"blank name":       {`{"id":"a","name":"  ","category":"product","subject":"S","text":"T"}`, `"field":"name"`},
		"no category":      {`{"id":"a","name":"N","subject":"S","text":"T"}`, `"field":"category"`},
		"other category":   {`{"id":"a","name":"N","category":"news","subject":"S","text":"T"}`, "market_intel"},
		"no subject":       {`{"id":"a","name":"N","category":"product","text":"T"}`, `"field":"subject"`},
		"no text":          {`{"id":"a","name":"N","category":"product","subject":"S"}`, `"field":"text"`},
		"subject of lines": {`{"id":"a","name":"N","category":"product","subject":"S\r\nBcc: x@evil.example","text":"T"}`, `"field":"subject"`},
		"control in text":  {`{"id":"a","name":"N","category":"product","subject":"S","text":"T\u0007"}`, `"field":"text"`},
		"unseen in name":   {`{"id":"a","name":"N\u200b","category":"product","subject":"S","text":"T"}`, `"field":"name"`},
		"unseen subject":   {`{"id":"a","name":"N","category":"product","subject":"\u2800","text":"T"}`, `"field":"subject"`},
		"unseen in text":   {`{"id":"a","name":"N","category":"product","subject":"S","text":"T\u00ad"}`, `"field":"text"`},
		"tab in text":      {`{"id":"a","name":"N","category":"product","subject":"S","text":"T\tU"}`, `"field":"text"`},
		"too many a day":   {entry("a", `,"max_per_day":101`), `"field":"max_per_day"`},
		"none a day":       {entry("a", `,"max_per_day":0`), `"field":"max_per_day"`},
		"unknown field":    {entry("a", `,"built_in":true`), "built_in"},
	} {
		t.Log(name)
		require.Contains(t, b.do(t, "POST", "", c.body, 400), c.want)
	}
	for _, id := range []string{"stats", "summary", "table", "test", "export", "import", "analytics"} {
		require.Contains(t, b.do(t, "POST", "", entry(id, ""), 400), "is reserved")
	}
	require.Contains(t, b.do(t, "GET", "", "", 200), `"total":10`)
}

func TestUpdate(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.do(t, "POST", "", entry("notice", ""), 201)
	b.clock.Move(time.Minute)
	other := &auth.Principal{Kind: auth.Session, UserID: 9, Admin: true}
	b.host.Do(t, httpapitest.Scenario{
		Method: "PUT", Path: path + "notice", Body: `{"text":"On Monday.","max_per_day":2}`, As: other,
		WantJSON: `{"data":{"id":"notice","name":"Notice","description":"","category":"product","enabled":true,"max_per_day":2,"built_in":false,
			"subject":"Maintenance","text":"On Monday.","created_at":"2026-11-20T09:30:00.000000Z","updated_at":"2026-11-20T09:31:00.000000Z","updated_by":9}}`,
	})
	require.Contains(t, b.do(t, "PUT", "activity_digest", `{"max_per_day":3,"name":"Digest"}`, 200), `"updated_by":7`)
	for name, c := range map[string]struct {
		id, body string
		status   int
		want     string
	}{
		"nothing":           {"notice", `{}`, 400, "at least one field"},
		"unknown":           {"nothing_such", `{"name":"N"}`, 404, "nothing_such"},
		"malformed id":      {"No", `{"name":"N"}`, 400, "notification_id"},
		"null":              {"notice", `{"text":null}`, 400, "text"},
		"id":                {"notice", `{"id":"other"}`, 400, "id"},
		"built-in category": {"activity_digest", `{"category":"product"}`, 400, "its category is activity_digest"},
		"built-in text":     {"activity_digest", `{"text":"T"}`, 400, "part of the service"},
		"to account":        {"notice", `{"category":"account"}`, 400, "must not be account"},
		"a trial, disabled": {"trial_ending", `{"enabled":false}`, 409, "cannot be disabled"},
		"blank":             {"notice", `{"name":" "}`, 400, "name"},
	} {
		t.Log(name)
		require.Contains(t, b.do(t, "PUT", c.id, c.body, c.status), c.want)
	}
	require.Contains(t, b.do(t, "GET", "notice", "", 200), `"text":"On Monday."`)
}

// The delivery sees a change at once.
func TestEnableAndDisable(t *testing.T) {
	t.Parallel()
	b := setup(t)
	enabled := func(id string) bool {
		var kinds kind.Kinds = b.service
		k, found, err := kinds.Find(t.Context(), id)
		require.NoError(t, err)
		require.True(t, found)
		return k.Enabled
	}
	require.True(t, enabled("market_intel"))
	for range 2 {
		require.Contains(t, b.do(t, "POST", "market_intel/disable", "", 200), `"enabled":false`)
		require.False(t, enabled("market_intel"))
	}
	for range 2 {
		require.Contains(t, b.do(t, "POST", "market_intel/enable", "", 200), `"enabled":true`)
		require.True(t, enabled("market_intel"))
	}
	b.do(t, "POST", "nothing_such/enable", "", 404)
	b.do(t, "POST", "nothing_such/disable", "", 404)
	require.Contains(t, b.do(t, "POST", "trial_ended/disable", "", 409), "of category account and cannot be disabled")
	b.do(t, "POST", "trial_ended/enable", "", 200)
	require.True(t, enabled("trial_ended"))
	_, found, err := b.service.Find(t.Context(), "nothing_such")
	require.NoError(t, err)
	require.False(t, found)
}

func TestDelete(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.do(t, "POST", "", entry("notice", ""), 201)
	require.Contains(t, b.do(t, "DELETE", "activity_digest", "", 409), "built in")
	require.Empty(t, b.do(t, "DELETE", "notice", "", 204))
	b.do(t, "DELETE", "notice", "", 404)
	b.do(t, "GET", "notice", "", 404)
	b.do(t, "DELETE", "nothing_such", "", 404)
}

// A test is sent regardless of the registry and the preferences, only to the administrator.
func TestTest(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.do(t, "POST", "", `{"id":"notice","name":"N","category":"product","enabled":false,"max_per_day":1,"subject":"Maintenance <b>","text":"One\r\nline.\r\n\r\n{{.FullName}} <script>\n\nhttps://atlas.example/status?a=1&b=2"}`, 201)
	for range 3 {
		require.JSONEq(t, `{"data":{"id":"notice","recipient":"ada@larkspur.example","subject":"[Test] Maintenance <b>","sent_at":"2026-11-20T09:30:00.000000Z"}}`,
			b.do(t, "POST", "test", `{"notification_id":"notice"}`, 200))
	}
	require.Len(t, b.mails.Messages(), 3)
	m := b.mails.To("ada@larkspur.example")[0]
	require.True(t, strings.HasPrefix(m.Text, "Hello Ada Larkspur,\n\nOne line.\n\n{{.FullName}} <script>\n\nhttps://atlas.example/status?a=1&b=2\n\n--\n"), m.Text)
	require.Contains(t, m.HTML, "{{.FullName}} &lt;script&gt;")
	require.Contains(t, m.HTML, `href="https://atlas.example/status?a=1&amp;b=2"`)
	require.Equal(t, "product", m.Category)

	b.do(t, "POST", "test", `{"notification_id":"nothing_such"}`, 404)
	b.do(t, "POST", "test", `{}`, 400)
	b.do(t, "POST", "test", `{"notification_id":"notice","email":"x@evil.example"}`, 400)
	b.host.Do(t, httpapitest.Scenario{
		Method: "POST", Path: path + "test", Body: `{"notification_id":"notice"}`, As: &auth.Principal{Kind: auth.Session, UserID: 9, Admin: true}, Status: 401,
	})
	b.do(t, "POST", "test", `{"notification_id":"trial_ending"}`, 200)
	require.Empty(t, b.mails.Messages()[3].UnsubscribeURL)
	require.Contains(t, b.mails.Messages()[3].Text, "You cannot")
}

// A test of a built-in kind shows the texts of the real email.
func TestTestIsTheRealMail(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for id, want := range map[string][]string{
		"market_intel": {
			"from 9 November 2026 to 15 November 2026: 2 new advisers, 1 change of assets, 14 new funds and no closings.",
			"Regulatory assets under management, compared with the filing before.", "https://atlas.example/funds/805-9000000013", "Form ADV, Form ADV-W and lists",
		},
		"activity_digest":   {"9 new filings and 1 new fund of GPs", "- Form ADV amendment, filed 19 November 2026", "- 5 more", "1 more GP with news."},
		"trial_ending":      {"ends on 23 November 2026 at 09:30 UTC"},
		"trial_ended":       {"ended on 20 November 2026 at 09:30 UTC"},
		"unknown_price":     {"The subscription sub_1Example has the price price_1Example, which the setting BILLING_PRICES does not name."},
		"webhook_disabled":  {"GP Atlas no longer calls the webhook endpoint https://hooks.example.com/gpatlas: every request has failed since 15 November 2026 at 09:30 UTC."},
		"search_alert":      {"“Large buyout firms in Boston”: Harbor Ridge Capital Partners LLC (CRD 900001) is found now. Thistle & Thorn Credit Advisors Ltd (CRD 900003) changed: total_aum, employee_count. And 10 more."},
		"notification_test": {`You asked for this test on 20 November 2026 at 09:30 UTC. Emails of the category "product"`},
	} {
		b.mails.Reset()
		b.do(t, "POST", "test", `{"notification_id":"`+id+`"}`, 200)
		for _, text := range want {
			require.Contains(t, strings.Join(strings.Fields(b.mails.Messages()[0].Text), " "), text)
		}
	}
}

// A refusal by the mail server is no fault of the caller's, and the response reveals nothing about the server.
func TestTestWithoutServer(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.mails.Fail(apperr.New(apperr.KindInternal, "secret of the server"))
	got := b.do(t, "POST", "test", `{"notification_id":"market_intel"}`, 503)
	require.Contains(t, got, "the mail server did not accept it")
	require.NotContains(t, got, "secret")
}

// Of administrators who create the same at once one does.
func TestInParallel(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var mu sync.Mutex
	var wg sync.WaitGroup
	kinds := map[apperr.Kind]int{}
	for range 12 {
		wg.Go(func() {
			_, err := b.service.Create(t.Context(), 7, registry.Entry{ID: "notice", Name: "N", Category: "product", Subject: new("S"), Text: new("T")})
			k := apperr.Kind(-1)
			if err != nil {
				k = apperr.From(err).Kind
			}
			mu.Lock()
			defer mu.Unlock()
			kinds[k]++
		})
	}
	wg.Wait()
	require.Equal(t, map[apperr.Kind]int{-1: 1, apperr.KindConflict: 11}, kinds)
}

// A purged administrator is not named any more.
func TestPersonal(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.do(t, "PUT", "activity_digest", `{"max_per_day":3}`, 200)
	part := b.service.Part().Exporters[0]
	require.Equal(t, "notification_registry", part.Name)
	export := func(id int64) string {
		got, err := part.For(t.Context(), id)
		require.NoError(t, err)
		text, err := json.Marshal(got)
		require.NoError(t, err)
		return string(text)
	}
	require.JSONEq(t, `[{"id":"activity_digest","updated_at":"2026-11-20T09:30:00Z"}]`, export(7))
	require.Equal(t, `[]`, export(8))
	require.NotEqual(t, `[]`, export(7))
	require.NoError(t, b.service.Part().Purged[0](t.Context(), 7))
	require.Equal(t, `[]`, export(7))
	require.Contains(t, b.do(t, "GET", "activity_digest", "", 200), `"max_per_day":3`)
}

// An unavailable database is 503 everywhere.
func TestUnavailable(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.db.Close()
	for _, s := range []httpapitest.Scenario{
		{Path: path},
		{Path: path + "stats"},
		{Path: path + "summary"},
		{Path: path + "table"},
		{Path: path + "export"},
		{Path: path + "analytics/overview"},
		{Path: path + "activity_digest"},
		{Path: path + "activity_digest/stats"},
		{Method: "POST", Path: path, Body: entry("notice", "")},
		{Method: "POST", Path: path + "import", Body: document()},
		{Method: "POST", Path: path + "test", Body: `{"notification_id":"activity_digest"}`},
		{Method: "POST", Path: path + "activity_digest/enable"},
		{Method: "PUT", Path: path + "activity_digest", Body: `{"enabled":false}`},
		{Method: "DELETE", Path: path + "activity_digest"},
	} {
		s.As, s.Status = admin, 503
		b.host.Do(t, s)
	}
}
