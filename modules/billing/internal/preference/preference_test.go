package preference_test

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/billing/internal/preference"
	"gpatlas/platform/auth"
	"gpatlas/platform/database"
	"gpatlas/platform/testkit/clocktest"
	"gpatlas/platform/testkit/dbtest"
	"gpatlas/platform/testkit/httpapitest"
)

const (
	path     = "/v1/me/preferences"
	standard = `{"data":{"one_click_enabled":true,"one_click_threshold":25,"email_receipts":true,"weekly_digest":false}}`
)

func setup(t *testing.T) (*database.DB, *httpapitest.Host) {
	t.Helper()
	db := dbtest.New(t)
	return db, httpapitest.New(t, preference.Routes(preference.NewService(db, clocktest.New(clocktest.Instant("2026-11-22T12:00:00Z"))))...)
}

func as(userID int64) *auth.Principal { return &auth.Principal{Kind: auth.Session, UserID: userID} }

func accounts(t *testing.T, db *database.DB) int {
	t.Helper()
	rows, err := database.Values[int](t.Context(), db, "", "SELECT count(*) FROM billing.accounts", nil)
	require.NoError(t, err)
	return rows[0]
}

// Each field changes alone; what is not sent stays, and so do the preferences of others.
func TestPreferences(t *testing.T) {
	t.Parallel()
	db, host := setup(t)
	get := func(userID int64, want string) {
		t.Helper()
		host.Do(t, httpapitest.Scenario{Path: path, As: as(userID), WantJSON: want})
	}
	get(1, standard)
	host.Do(t, httpapitest.Scenario{Method: "PATCH", Path: path, As: as(1), Body: `{}`, WantJSON: standard})
	require.Zero(t, accounts(t, db), "reading and changing nothing write nothing")
	for _, step := range []struct{ body, want string }{
		{`{"one_click_enabled":false}`, `{"data":{"one_click_enabled":false,"one_click_threshold":25,"email_receipts":true,"weekly_digest":false}}`},
		{`{"one_click_threshold":5}`, `{"data":{"one_click_enabled":false,"one_click_threshold":5,"email_receipts":true,"weekly_digest":false}}`},
		{`{"one_click_threshold":500.00,"email_receipts":false}`, `{"data":{"one_click_enabled":false,"one_click_threshold":500,"email_receipts":false,"weekly_digest":false}}`},
		{`{"one_click_threshold":30.3,"weekly_digest":true}`, `{"data":{"one_click_enabled":false,"one_click_threshold":30.3,"email_receipts":false,"weekly_digest":true}}`},
		{`{"one_click_enabled":true,"email_receipts":true}`, `{"data":{"one_click_enabled":true,"one_click_threshold":30.3,"email_receipts":true,"weekly_digest":true}}`},
	} {
		host.Do(t, httpapitest.Scenario{Method: "PATCH", Path: path, As: as(1), Body: step.body, WantJSON: step.want})
		get(1, step.want)
	}
	get(2, standard)
}

// What is refused names its field and changes nothing, not even a field beside it that is good.
func TestRefused(t *testing.T) {
	t.Parallel()
	db, host := setup(t)
	for body, field := range map[string]string{
		`{"one_click_threshold":4.99}`: "one_click_threshold", `{"one_click_threshold":500.01}`: "one_click_threshold",
		`{"one_click_threshold":10.005}`: "one_click_threshold", `{"one_click_threshold":500.0000000000000001}`: "one_click_threshold",
		`{"one_click_threshold":"25"}`: "one_click_threshold", `{"one_click_threshold":null}`: "one_click_threshold",
		`{"one_click_threshold":1e300}`: "one_click_threshold", `{"one_click_threshold":-5}`: "one_click_threshold",
		`{"one_click_threshold":NaN}`: "body", `[]`: "body",
		`{"one_click_enabled":null}`: "one_click_enabled", `{"one_click_enabled":1}`: "one_click_enabled", `{"email_receipts":"true"}`: "email_receipts",
		`{"weekly_digest":null,"email_receipts":false}`: "weekly_digest", `{"weekly_digests":true,"email_receipts":false}`: "weekly_digests",
	} {
		got := host.Do(t, httpapitest.Scenario{Name: body, Method: "PATCH", Path: path, As: as(1), Body: body, Status: 400})
		require.Contains(t, got.Body, `"field":"`+field+`"`, body)
	}
	require.Zero(t, accounts(t, db))
	for _, method := range []string{"GET", "PATCH"} {
		body := map[string]string{"PATCH": `{"email_receipts":false}`}[method]
		host.Do(t, httpapitest.Scenario{Method: method, Path: path, Body: body, Status: 401})
		host.Do(t, httpapitest.Scenario{Method: method, Path: path, Body: body, As: &auth.Principal{Kind: auth.Key, UserID: 1}, Status: 403})
	}
	require.Zero(t, accounts(t, db))
	db.Close()
	for _, method := range []string{"GET", "PATCH"} {
		host.Do(t, httpapitest.Scenario{Method: method, Path: path, Body: map[string]string{"PATCH": `{"email_receipts":false}`}[method], As: as(1), Status: 503})
	}
}

// Changes of different fields at the same time are all kept.
func TestAtTheSameTime(t *testing.T) {
	t.Parallel()
	_, host := setup(t)
	var wg sync.WaitGroup
	for _, body := range []string{`{"one_click_enabled":false}`, `{"one_click_threshold":7.5}`, `{"email_receipts":false}`, `{"weekly_digest":true}`} {
		wg.Go(func() { host.Do(t, httpapitest.Scenario{Method: "PATCH", Path: path, Body: body, As: as(1)}) })
	}
	wg.Wait()
	host.Do(t, httpapitest.Scenario{Path: path, As: as(1), WantJSON: `{"data":{"one_click_enabled":false,"one_click_threshold":7.5,"email_receipts":false,"weekly_digest":true}}`})
}
