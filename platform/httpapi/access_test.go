package httpapi_test

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/stretchr/testify/require"

	"gpatlas/platform/apperr"
	"gpatlas/platform/auth"
	"gpatlas/platform/charge"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/testkit/chargetest"
	"gpatlas/platform/testkit/httpapitest"
)

func userID(ctx context.Context, _ *struct{}) (*httpapi.Reply[map[string]int64], error) {
	return &httpapi.Reply[map[string]int64]{Body: map[string]int64{"user_id": auth.From(ctx).UserID}}, nil
}

// The operations of a slice are tested as the callers that the web process would let through, and as no others.
func TestScenariosAsACaller(t *testing.T) {
	t.Parallel()
	h := httpapitest.New(t,
		httpapi.Get("/public", "public", userID), httpapi.Get("/login", "login", userID, httpapi.Grant(httpapi.Login)),
		httpapi.Get("/team", "team", userID, httpapi.Grant(httpapi.Login), httpapi.KeyToo()),
		httpapi.Get("/admin", "admin", userID, httpapi.Grant(httpapi.Admin)),
	)
	key, session, admin := &auth.Principal{Kind: auth.Key, UserID: 5}, &auth.Principal{Kind: auth.Session, UserID: 6}, &auth.Principal{Kind: auth.Session, UserID: 7, Admin: true}
	h.Run(t, []httpapitest.Scenario{
		{Name: "nobody", Path: "/public", WantJSON: `{"user_id":0}`},
		{Name: "key", Path: "/public", As: key, WantJSON: `{"user_id":5}`},
		{Name: "nobody, login", Path: "/login", Status: 401, WantHeader: map[string]string{"WWW-Authenticate": "Bearer"}},
		{Name: "key, login", Path: "/login", As: key, Status: 403},
		{Name: "session, login", Path: "/login", As: session, WantJSON: `{"user_id":6}`},
		{Name: "key, login with keys", Path: "/team", As: key, WantJSON: `{"user_id":5}`},
		{Name: "nobody, login with keys", Path: "/team", Status: 401},
		{Name: "session, admin", Path: "/admin", As: session, Status: 403},
		{Name: "admin", Path: "/admin", As: admin, WantJSON: `{"user_id":7}`},
		{Name: "a header alone is nobody", Path: "/login", Header: map[string]string{"X-Httpapitest-Caller": "x"}, Status: 401},
	})
}

func TestAccessMustMakeSense(t *testing.T) {
	t.Parallel()
	for want, options := range map[string][]httpapi.Option{
		`of access class "everyone", which does not exist`:              {httpapi.Grant("everyone")},
		`of access class "", which does not exist`:                      {httpapi.Grant("")},
		"declared AlwaysOpen, which is for class public, not login":     {httpapi.Grant(httpapi.Login), httpapi.AlwaysOpen()},
		"declared AlwaysOpen, which is for class public, not signature": {httpapi.Grant(httpapi.Signature), httpapi.Unguarded()},
		"declared KeyToo, which is for class login, not admin":          {httpapi.Grant(httpapi.Admin), httpapi.KeyToo()},
		"declared KeyToo, which is for class login, not public":         {httpapi.KeyToo()},
		"declared AdminKeyToo, which is for class admin, not login":     {httpapi.Grant(httpapi.Login), httpapi.AdminKeyToo()},
	} {
		err := httpapi.New(fiber.New(), httpapi.Config{}).Register([]httpapi.Route{httpapi.Get("/a", "a", userID, options...)})
		require.ErrorContains(t, err, "GET /a is "+want)
	}
}

// The document says which credentials let a caller through and with what an operation may refuse him.
func TestAccessIsDocumented(t *testing.T) {
	t.Parallel()
	none, key, session, signature := "", "apiKeyToken", "sessionToken", "stripeSignature"
	for name, test := range map[string]struct {
		options      []httpapi.Option
		open, keyed  []string // alternatives, by policy
		refusals     string   // documented statuses
		unauthorised string   // the shared response of 401 where the policy is open
	}{
		"public":            {nil, []string{none, key, session}, []string{key, session}, "401 429", "WrongCredential"},
		"public, wrong":     {[]httpapi.Option{httpapi.Errors(401, 429)}, []string{none, key, session}, []string{key, session}, "401 429", "NotAuthenticated"},
		"always open":       {[]httpapi.Option{httpapi.AlwaysOpen()}, nil, nil, "401 429", "WrongCredential"},
		"unguarded":         {[]httpapi.Option{httpapi.Unguarded()}, nil, nil, "", ""},
		"key":               {[]httpapi.Option{httpapi.Grant(httpapi.Key)}, []string{key, session}, []string{key, session}, "401 429", "NotAuthenticated"},
		"login":             {[]httpapi.Option{httpapi.Grant(httpapi.Login)}, []string{session}, []string{session}, "401 403 429", "NotAuthenticated"},
		"login with keys":   {[]httpapi.Option{httpapi.Grant(httpapi.Login), httpapi.KeyToo()}, []string{key, session}, []string{key, session}, "401 429", "NotAuthenticated"},
		"admin":             {[]httpapi.Option{httpapi.Grant(httpapi.Admin)}, []string{session}, []string{session}, "401 403 429", "NotAuthenticated"},
		"admin with keys":   {[]httpapi.Option{httpapi.Grant(httpapi.Admin), httpapi.AdminKeyToo()}, []string{key, session}, []string{key, session}, "401 403 429", "NotAuthenticated"},
		"signature of body": {[]httpapi.Option{httpapi.Grant(httpapi.Signature)}, []string{signature}, []string{signature}, "", ""},
	} {
		for keyed, want := range map[bool][]string{false: test.open, true: test.keyed} {
			api := httpapi.New(fiber.New(), httpapi.Config{Keyed: keyed})
			require.NoError(t, api.Register([]httpapi.Route{httpapi.Get("/a", "a", userID, test.options...)}))
			op := api.Routes()[0].Operation
			require.NotNil(t, op.Security, "%s: an empty list is written; nothing at all is what a reader must guess about", name)
			var alternatives []string
			for _, alternative := range op.Security {
				alternatives = append(alternatives, strings.Join(slices.Collect(maps.Keys(alternative)), " "))
			}
			require.Equal(t, want, alternatives, name)
			var refusals []string
			for _, status := range []string{"401", "403", "429"} {
				if r := op.Responses[status]; r != nil {
					refusals = append(refusals, status)
					require.NotNil(t, api.OpenAPI().Components.Responses[strings.TrimPrefix(r.Ref, "#/components/responses/")], "%s %s", name, status)
				}
			}
			require.Equal(t, test.refusals, strings.Join(refusals, " "), name)
			if test.unauthorised != "" && !keyed {
				require.Equal(t, "#/components/responses/"+test.unauthorised, op.Responses["401"].Ref, name)
			}
		}
	}
}

// wait is the cause of a refusal that knows how long it holds.
type wait time.Duration

func (w wait) Error() string             { return "wait" }
func (w wait) RetryAfter() time.Duration { return time.Duration(w) }

// An operation's own 429 says when to come again, rounded up, in the usual shape of failures.
func TestOwnLimitsOfOperations(t *testing.T) {
	t.Parallel()
	for after, cause := range map[string]error{"90": wait(90 * time.Second), "2": wait(1001 * time.Millisecond), "1": wait(1), "": wait(0)} {
		h := httpapitest.New(t, httpapi.Get("/a", "a", func(context.Context, *struct{}) (*httpapi.Reply[word], error) {
			return nil, apperr.New(apperr.KindRateLimited, "Asked too often").Wrap(cause)
		}))
		h.Do(t, httpapitest.Scenario{Path: "/a", Status: 429, WantJSON: `{"detail":"Asked too often"}`, WantHeader: map[string]string{"Retry-After": after}})
	}
}

// The body of a refusal by the limits: both shapes at once.
func TestRateLimitedBody(t *testing.T) {
	t.Parallel()
	app := fiber.New()
	app.Get("/", func(c *fiber.Ctx) error {
		httpapi.WriteRateLimited(c, "Too many", "req-1", "/docs")
		return nil
	})
	(&httpapitest.Host{App: app, API: httpapi.New(app, httpapi.Config{})}).Do(t, httpapitest.Scenario{
		Path: "/", Status: 429, WantHeader: map[string]string{"Cache-Control": "no-store"},
		WantJSON: `{"detail":"Too many","error":{"type":"rate_limit_error","code":"rate_limit_exceeded","message":"Too many","request_id":"req-1","doc_url":"/docs"}}`,
	})
}

// An account that has not confirmed its address can buy nothing, and its test keys read nothing that has a price.
func TestUnverifiedAccountsBuyNothing(t *testing.T) {
	t.Parallel()
	meter := &chargetest.Meter{}
	h := httpapitest.NewWith(t, httpapi.Config{Meter: meter},
		httpapi.Get("/paid", "get-paid", userID, httpapi.Grant(httpapi.Login), httpapi.KeyToo(), httpapi.Charge(250_000, charge.PerRequest)),
		httpapi.Get("/confirmed", "get-confirmed", userID, httpapi.Grant(httpapi.Login), httpapi.KeyToo(), httpapi.Confirmed()),
		httpapi.Get("/free", "get-free", userID, httpapi.Grant(httpapi.Login), httpapi.KeyToo()),
	)
	for _, who := range []*auth.Principal{
		{Kind: auth.Session, UserID: 1, Unverified: true},
		{Kind: auth.Key, UserID: 1, KeyID: "k", Mode: auth.ModeTest, Unverified: true},
	} {
		for _, path := range []string{"/paid", "/paid?quote=true"} {
			h.Do(t, httpapitest.Scenario{
				Path: path, As: who, Status: 403, WantHeader: map[string]string{"X-Charge": "0.00"},
				WantJSON: `{"detail":"Verify your email address first: requests that can cost something need a verified email address"}`,
			})
		}
		h.Do(t, httpapitest.Scenario{Path: "/confirmed", As: who, Status: 403, Contains: []string{"Verify your email address first"}})
		h.Do(t, httpapitest.Scenario{Path: "/free", As: who, Status: 200})
	}
	h.Do(t, httpapitest.Scenario{Path: "/paid", As: &auth.Principal{Kind: auth.Session, UserID: 1}, Status: 200})
	require.Len(t, meter.Charged(), 1)
}

// A test key of an administrator starts nothing, whatever it may call otherwise.
func TestTestKeysAdministerNothing(t *testing.T) {
	t.Parallel()
	h := httpapitest.New(t,
		httpapi.Post("/jobs", "start-job", userID, httpapi.Grant(httpapi.Admin), httpapi.AdminKeyToo()),
		httpapi.Get("/dashboard", "get-dashboard", userID, httpapi.Grant(httpapi.Admin)),
	)
	for method, path := range map[string]string{"POST": "/jobs", "GET": "/dashboard"} {
		h.Do(t, httpapitest.Scenario{Method: method, Path: path, As: &auth.Principal{Kind: auth.Key, UserID: 1, Admin: true, Mode: auth.ModeTest}, Status: 403})
	}
	h.Do(t, httpapitest.Scenario{Method: "POST", Path: "/jobs", As: &auth.Principal{Kind: auth.Key, UserID: 1, Admin: true, Mode: "live"}})
}
