package preference_test

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/accounts/accountsapi"
	"gpatlas/modules/notifications/internal/kind"
	"gpatlas/modules/notifications/internal/preference"
	"gpatlas/modules/notifications/internal/testkit/deliverytest"
	"gpatlas/platform/auth"
	"gpatlas/platform/database"
	"gpatlas/platform/testkit/clocktest"
	"gpatlas/platform/testkit/dbtest"
	"gpatlas/platform/testkit/httpapitest"
)

const (
	path     = "/v1/me/notifications/preferences"
	standard = `{"data":{"account":true,"billing":true,"activity_digest":true,"market_intel":true,"product":true}}`
)

func setup(t *testing.T) (*preference.Service, *httpapitest.Host) {
	t.Helper()
	accounts := deliverytest.NewDirectory()
	accounts.Put(accountsapi.Account{ID: 90, EmailVerified: true})
	s := preference.NewService(dbtest.New(t), clocktest.At("2026-11-22T12:00:00Z"), accounts)
	return s, httpapitest.New(t, preference.Routes(s)...)
}

func as(userID int64) *auth.Principal { return &auth.Principal{Kind: auth.Session, UserID: userID} }

// Each field changes alone; what is not sent stays, and so do the preferences of others.
func TestPreferences(t *testing.T) {
	t.Parallel()
	s, host := setup(t)
	get := func(userID int64, want string) {
		t.Helper()
		host.Do(t, httpapitest.Scenario{Path: path, As: as(userID), WantJSON: want})
	}
	get(1, standard)
	for _, step := range []struct{ body, want string }{
		{`{}`, standard},
		{`{"activity_digest":false}`, `{"data":{"account":true,"billing":true,"activity_digest":false,"market_intel":true,"product":true}}`},
		{`{"billing":false,"product":false}`, `{"data":{"account":true,"billing":false,"activity_digest":false,"market_intel":true,"product":false}}`},
		{`{"market_intel":false,"activity_digest":true}`, `{"data":{"account":true,"billing":false,"activity_digest":true,"market_intel":false,"product":false}}`},
		{`{"billing":true,"market_intel":true,"product":true}`, standard},
	} {
		for range 2 {
			host.Do(t, httpapitest.Scenario{Method: "PUT", Path: path, As: as(1), Body: step.body, WantJSON: step.want})
		}
		get(1, step.want)
	}
	get(2, standard)
	require.NoError(t, s.Refuse(t.Context(), 2, preference.All))
	for _, category := range kind.Categories() {
		wants, err := s.Wants(t.Context(), 2, category)
		require.NoError(t, err)
		require.Equal(t, category == kind.Account, wants, category)
	}
	require.Equal(t, []string{"billing", "activity_digest", "market_intel", "product", "all"}, preference.Refusable())
	document, err := s.Part().Exporters[0].For(t.Context(), 2)
	require.NoError(t, err)
	require.Equal(t, preference.Preferences{Account: true}, document)
}

// Accounts without consent at registration get no news until they turn it on themselves.
func TestConsent(t *testing.T) {
	t.Parallel()
	s, host := setup(t)
	const without = `{"data":{"account":true,"billing":true,"activity_digest":true,"market_intel":true,"product":false}}`
	host.Do(t, httpapitest.Scenario{Path: path, As: as(90), WantJSON: without})
	wants, err := s.Wants(t.Context(), 90, kind.Product)
	require.NoError(t, err)
	require.False(t, wants)
	host.Do(t, httpapitest.Scenario{Method: "PUT", Path: path, As: as(90), Body: `{"billing":true}`, WantJSON: without})
	host.Do(t, httpapitest.Scenario{Method: "PUT", Path: path, As: as(90), Body: `{"product":true}`, WantJSON: standard})
	host.Do(t, httpapitest.Scenario{Path: path, As: as(90), WantJSON: standard})
}

// What is refused names its field and changes nothing, not even a field beside it that is good.
func TestRefused(t *testing.T) {
	t.Parallel()
	_, host := setup(t)
	for body, field := range map[string]string{
		`{"account":false}`: "account", `{"account":true,"product":false}`: "account", `{"product":null}`: "product", `{"billing":null,"product":false}`: "billing",
		`{"product":"false"}`: "product", `{"product":0}`: "product", `{"news":true,"product":false}`: "news", `[]`: "body", `{"activity_digest":null}`: "activity_digest",
	} {
		got := host.Do(t, httpapitest.Scenario{Name: body, Method: "PUT", Path: path, As: as(1), Body: body, Status: 400})
		require.Contains(t, got.Body, `"field":"`+field+`"`, body)
	}
	host.Do(t, httpapitest.Scenario{Path: path, As: as(1), WantJSON: standard})
	for _, method := range []string{"GET", "PUT"} {
		body := map[string]string{"PUT": `{"product":false}`}[method]
		host.Do(t, httpapitest.Scenario{Method: method, Path: path, Body: body, Status: 401})
		host.Do(t, httpapitest.Scenario{Method: method, Path: path, Body: body, As: &auth.Principal{Kind: auth.Key, UserID: 1}, Status: 403})
	}
}

// Changes of different fields at the same time are all kept.
func TestAtTheSameTime(t *testing.T) {
	t.Parallel()
	_, host := setup(t)
	var wg sync.WaitGroup
	for _, body := range []string{`{"billing":false}`, `{"activity_digest":false}`, `{"market_intel":false}`, `{"product":false}`} {
		wg.Go(func() { host.Do(t, httpapitest.Scenario{Method: "PUT", Path: path, Body: body, As: as(1)}) })
	}
	wg.Wait()
	host.Do(t, httpapitest.Scenario{Path: path, As: as(1), WantJSON: `{"data":{"account":true,"billing":false,"activity_digest":false,"market_intel":false,"product":false}}`})
}

// The statements that choose who gets a mail ask what the delivery asks before it sends one.
func TestWantsInSQL(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	s := preference.NewService(db, clocktest.At("2026-11-22T12:00:00Z"), deliverytest.NewDirectory())
	change := func(userID int64, categories ...string) {
		for _, category := range categories {
			require.NoError(t, s.Refuse(t.Context(), userID, category))
		}
	}
	change(2, kind.ActivityDigest)
	change(3, kind.MarketIntel)
	change(4, kind.ActivityDigest, kind.MarketIntel)
	change(5, kind.Billing)
	for _, category := range []string{kind.ActivityDigest, kind.MarketIntel} {
		for userID := int64(1); userID <= 5; userID++ {
			wants, err := s.Wants(t.Context(), userID, category)
			require.NoError(t, err)
			for _, verified := range []bool{false, true} {
				got, err := database.Values[bool](t.Context(), db, "ask", "SELECT "+preference.WantsSQL(category)+
					" FROM (SELECT @id::bigint AS id, @verified::boolean AS email_verified) a LEFT JOIN notifications.preferences p ON p.user_id = a.id",
					database.Args{"id": userID, "verified": verified})
				require.NoError(t, err)
				require.Equal(t, []bool{verified && wants}, got, "%s of %d", category, userID)
			}
		}
	}
}
