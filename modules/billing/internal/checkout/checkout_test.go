package checkout_test

import (
	"encoding/json"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/accounts/accountsapi"
	"gpatlas/modules/billing/internal/account"
	"gpatlas/modules/billing/internal/checkout"
	"gpatlas/modules/billing/internal/price"
	"gpatlas/modules/billing/internal/stripe"
	"gpatlas/modules/billing/internal/subscription"
	"gpatlas/modules/billing/internal/testkit/mailingtest"
	"gpatlas/modules/billing/stripetest"
	"gpatlas/platform/auth"
	"gpatlas/platform/database"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/idempotency"
	"gpatlas/platform/testkit/clocktest"
	"gpatlas/platform/testkit/dbtest"
	"gpatlas/platform/testkit/httpapitest"
)

const (
	checkoutPath, portalPath = "/v1/billing/checkout", "/v1/billing/portal"
	ada                      = int64(7)
)

type bench struct {
	db       *database.DB
	clock    *clocktest.Clock
	server   *stripetest.Server
	accounts *mailingtest.Directory
	service  *checkout.Service
	host     *httpapitest.Host
	coupon   string // of .edu addresses
}

func setup(t *testing.T) *bench {
	t.Helper()
	b := &bench{db: dbtest.New(t), clock: clocktest.At("2026-11-22T09:00:20Z"), accounts: mailingtest.NewDirectory(), coupon: "EDU20"}
	b.accounts.Put(accountsapi.Account{ID: ada, Email: "ada@larkspur.example", Tier: "free_trial", SubscriptionPlan: "pro", APITier: "starter"})
	b.server = stripetest.Start(t, b.clock)
	b.use(t, stripe.New(stripetest.SecretKey, b.server.URL, stripe.Options{Attempt: 2 * time.Second, NoPause: true}))
	return b
}

func (b *bench) use(t *testing.T, client *stripe.Client) {
	t.Helper()
	prices, err := price.Parse("price_pro=plan:pro,price_pro_year=plan:pro,price_gone=plan:enterprise,price_growth=tier:growth")
	require.NoError(t, err)
	subscriptions := subscription.NewService(b.db, b.clock, b.accounts, nil)
	b.service = checkout.NewService(b.db, b.clock, b.accounts, subscriptions, client, prices, "https://atlas.example/app", b.coupon)
	keeper := idempotency.New(b.db, b.clock, idempotency.Secrets{make([]byte, 32)})
	b.host = httpapitest.NewWith(t, httpapi.Config{Keeper: keeper}, checkout.Routes(b.service)...)
}

func post(path, body string, status int) httpapitest.Scenario {
	return httpapitest.Scenario{Method: "POST", Path: path, Body: body, As: &auth.Principal{Kind: auth.Session, UserID: ada}, Status: status}
}

func (b *bench) subscribe(t *testing.T, body string) (sessionID string) {
	t.Helper()
	var answer struct{ Data checkout.Session }
	require.NoError(t, json.Unmarshal([]byte(b.host.Do(t, post(checkoutPath, body, 201)).Body), &answer))
	require.Contains(t, answer.Data.CheckoutURL, answer.Data.SessionID)
	return answer.Data.SessionID
}

func (b *bench) customer(t *testing.T) string {
	t.Helper()
	row, err := account.NewStore(b.db).Find(t.Context(), ada, b.clock.Now())
	require.NoError(t, err)
	if row.StripeCustomer == nil {
		return ""
	}
	return *row.StripeCustomer
}

// The session names the account in all places from which an event can tell it.
func TestCheckout(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.subscribe(t, `{"plan":"pro"}`)
	meta := map[string]string{"account": "7"}
	want := stripetest.Session{
		ID: id, Customer: b.customer(t), ClientReferenceID: "7", Price: "price_pro", Status: "open", PaymentStatus: "unpaid", Metadata: map[string]string{"account": "7", "price": "price_pro"},
		SubscriptionMetadata: meta, SuccessURL: "https://atlas.example/app/account", CancelURL: "https://atlas.example/app/plans",
	}
	require.Equal(t, []stripetest.Session{want}, b.server.Sessions())
	require.Equal(t, []stripetest.Customer{{ID: want.Customer, Email: "ada@larkspur.example", Metadata: meta}}, b.server.Customers())
	require.Regexp(t, `^checkout:7:price_pro:\d+$`, b.server.Requests("POST /v1/checkout/sessions")[0].Key)

	b.subscribe(t, `{"price":"price_pro_year","success_url":"https://atlas.example/thanks?s={CHECKOUT_SESSION_ID}","cancel_url":"https://ATLAS.example/"}`)
	b.subscribe(t, `{"api_tier":"growth"}`)
	sessions := b.server.Sessions()
	require.Equal(t, []string{"price_pro_year", "price_growth"}, []string{sessions[1].Price, sessions[2].Price})
	require.Equal(t, "https://atlas.example/thanks?s={CHECKOUT_SESSION_ID}", sessions[1].SuccessURL)
	require.Len(t, b.server.Customers(), 1)
}

// Guarantee: a double click makes one customer and one session, at the same moment or one after the other.
func TestDoubleClick(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ids := make([]string, 8)
	var all sync.WaitGroup
	for i := range ids {
		all.Go(func() { ids[i] = b.subscribe(t, `{"plan":"pro"}`) })
	}
	all.Wait()
	for _, id := range ids {
		require.Equal(t, ids[0], id)
	}
	require.Equal(t, ids[0], b.subscribe(t, `{"plan":"pro"}`))
	require.NotEqual(t, ids[0], b.subscribe(t, `{"plan":"pro","cancel_url":"https://atlas.example/x"}`), "another request is another session")
	b.clock.Move(time.Minute)
	require.NotEqual(t, ids[0], b.subscribe(t, `{"plan":"pro"}`), "a minute later the person may want another")
	require.Len(t, b.server.Customers(), 1)

	again := post(checkoutPath, `{"plan":"pro"}`, 201)
	again.Header = map[string]string{"Idempotency-Key": "once"}
	first := b.host.Do(t, again)
	b.clock.Move(time.Hour)
	again.WantHeader = map[string]string{"Idempotent-Replayed": "true"}
	require.Equal(t, first.Body, b.host.Do(t, again).Body)
}

// Guarantee: whatever happens on the way to Stripe, an account has one customer, and a failed call can be made again.
func TestFaults(t *testing.T) {
	t.Parallel()
	drops := slices.Repeat([]stripetest.Fault{stripetest.Drop}, 10) // net/http repeats some, too
	for name, test := range map[string]struct {
		what   string
		faults []stripetest.Fault
		status int
	}{
		"customer dropped":      {"POST /v1/customers", drops[:1], 201},
		"customer dropped, all": {"POST /v1/customers", drops, 503},
		"customer 500":          {"POST /v1/customers", []stripetest.Fault{stripetest.Error500}, 503},
		"customer 429":          {"POST /v1/customers", []stripetest.Fault{stripetest.Error429}, 503},
		"look-up 502":           {"GET /v1/customers", []stripetest.Fault{stripetest.HTML502, stripetest.HTML502, stripetest.HTML502}, 503},
		"session dropped":       {"POST /v1/checkout/sessions", drops[:1], 201},
		"session 500":           {"POST /v1/checkout/sessions", []stripetest.Fault{stripetest.Error500}, 503},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			b.server.Fail(test.what, test.faults...)
			s := post(checkoutPath, `{"plan":"pro"}`, test.status)
			if test.status == 503 {
				s.WantJSON = `{"detail":"The payment processor cannot be reached now. Try again later"}`
			}
			b.host.Do(t, s)
			b.server.Heal()
			b.clock.Move(25 * time.Hour) // longer than Stripe keeps keys
			b.server.ForgetKeys()
			b.subscribe(t, `{"plan":"pro"}`)
			require.Len(t, b.server.Customers(), 1)
			require.Equal(t, b.server.Customers()[0].ID, b.customer(t))
		})
	}
}

// Bad input is refused before Stripe is asked anything, and writes nothing.
func TestRefusals(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for body, want := range map[string]string{
		`{}`:                                 `"field":"plan","message":"send exactly one of plan, api_tier and price"`,
		`{"plan":"pro","api_tier":"growth"}`: `"field":"api_tier","message":"send exactly one of plan, api_tier and price"`,
		`{"plan":"pro","price":"price_pro"}`: `"field":"price","message":"send exactly one`,
		`{"plan":"free"}`:                    `"field":"plan"`,
		`{"plan":"starter"}`:                 `"field":"plan","message":"is not for sale on this service"`,
		`{"api_tier":"scale"}`:               `"field":"api_tier","message":"is not for sale on this service"`,
		`{"price":"price_other"}`:            `"field":"price","message":"is not for sale on this service"`,
		`{"plan":null}`:                      `"field":"plan"`,
		`{"plan":"pro","coupon":"x"}`:        `"field":"coupon"`,
		`{"plan":"pro","success_url":"https://evil.example/"}`:                 `"field":"success_url","message":"must be a URL that begins with https://atlas.example/"`,
		`{"plan":"pro","success_url":"http://atlas.example/"}`:                 `"field":"success_url"`,
		`{"plan":"pro","success_url":"https://atlas.example:444/"}`:            `"field":"success_url"`,
		`{"plan":"pro","success_url":"https://atlas.example@evil.example/"}`:   `"field":"success_url"`,
		`{"plan":"pro","success_url":"https://x@atlas.example/"}`:              `"field":"success_url"`,
		`{"plan":"pro","success_url":"https://atlas.example.evil.example/"}`:   `"field":"success_url"`,
		`{"plan":"pro","success_url":"https:\\\\evil.example"}`:                `"field":"success_url"`,
		`{"plan":"pro","success_url":"https://evil.example\\@atlas.example/"}`: `"field":"success_url"`,
		`{"plan":"pro","success_url":"//evil.example/"}`:                       `"field":"success_url"`,
		`{"plan":"pro","cancel_url":"/account"}`:                               `"field":"cancel_url"`,
		`{"plan":"pro","cancel_url":"javascript:alert(1)"}`:                    `"field":"cancel_url"`,
	} {
		s := post(checkoutPath, body, 400)
		s.Contains = []string{want}
		b.host.Do(t, s)
	}
	stranger := post(checkoutPath, `{"plan":"pro"}`, 401)
	stranger.As = nil
	b.host.Do(t, stranger)
	s := post(portalPath, "", 409)
	s.Contains = []string{"POST /v1/billing/checkout"}
	b.host.Do(t, s)
	require.Empty(t, b.server.Requests(""))
	rows, err := database.Values[int64](t.Context(), b.db, "", "SELECT user_id FROM billing.accounts", nil)
	require.NoError(t, err)
	require.Empty(t, rows)
}

// Guarantee: nobody pays for two plans. What one has, or a second of its kind, is a matter for the portal.
func TestHasItAlready(t *testing.T) {
	t.Parallel()
	b := setup(t)
	has := func(body, what string) {
		t.Helper()
		s := post(checkoutPath, body, 409)
		s.WantJSON = `{"detail":"The account has the ` + what + ` already. Change or cancel it on the page that POST /v1/billing/portal opens"}`
		b.host.Do(t, s)
	}
	b.accounts.Put(accountsapi.Account{ID: ada, Email: "ada@larkspur.example", Tier: "pro", SubscriptionPlan: "pro", APITier: "growth"})
	has(`{"plan":"pro"}`, "plan pro")
	has(`{"api_tier":"growth"}`, "API tier growth")
	require.Empty(t, b.server.Requests(""))

	b.accounts.Put(accountsapi.Account{ID: ada, Email: "ada@larkspur.example", Tier: "free", APITier: "starter"})
	held := func(status string, deleted bool) {
		t.Helper()
		_, err := database.Run(t.Context(), b.db, "", `INSERT INTO billing.subscriptions (id, customer, user_id, status, plan, deleted, last_event)
			VALUES ('sub_1', 'cus_1', @user, @status, 'starter', @deleted, now()) ON CONFLICT (id) DO UPDATE SET status = @status, deleted = @deleted`,
			database.Args{"user": ada, "status": status, "deleted": deleted})
		require.NoError(t, err)
	}
	for _, status := range []string{"active", "trialing", "past_due"} {
		held(status, false)
		has(`{"plan":"pro"}`, "plan starter")
	}
	b.subscribe(t, `{"api_tier":"growth"}`)
	held("unpaid", false)
	b.subscribe(t, `{"plan":"pro"}`)
	held("active", true)
	b.subscribe(t, `{"price":"price_pro_year"}`)
}

// A subscription whose dunning has ended grants nothing, but Stripe still collects for it; so does one whose first event is older than its
// paid checkout. A second one of the kind is refused.
func TestSubscriptionsThatStripeCollects(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.accounts.Put(accountsapi.Account{ID: ada, Email: "ada@larkspur.example", Tier: "free", APITier: "starter"})
	run := func(statement string) {
		t.Helper()
		_, err := database.Run(t.Context(), b.db, "", statement, database.Args{"user": ada})
		require.NoError(t, err)
	}
	refused := func(detail string) {
		t.Helper()
		s := post(checkoutPath, `{"plan":"pro"}`, 409)
		s.WantJSON = `{"detail":"` + detail + `"}`
		b.host.Do(t, s)
	}
	run(`INSERT INTO billing.subscriptions (id, customer, user_id, status, plan, last_event, checkout_completed) VALUES ('sub_1', 'cus_1', @user, 'incomplete', 'starter', now(), false)`)
	b.subscribe(t, `{"plan":"pro"}`)
	run(`UPDATE billing.subscriptions SET checkout_completed = true WHERE user_id = @user`)
	refused("The account has the plan starter already. Change or cancel it on the page that POST /v1/billing/portal opens")
	run(`UPDATE billing.subscriptions SET status = 'past_due' WHERE user_id = @user`)
	run(`INSERT INTO billing.payments (invoice, customer, user_id, subscription, status, amount_cents, currency, failed_at, last_event)
		VALUES ('in_1', 'cus_1', @user, 'sub_1', 'failed', 500, 'usd', now(), now())`)
	run(`INSERT INTO billing.dunning (invoice, step, taken_at) SELECT 'in_1', 3, now() WHERE @user > 0`)
	refused("The account has not paid for the plan starter. Pay or cancel it on the page that POST /v1/billing/portal opens")
}

func TestPortal(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.subscribe(t, `{"plan":"pro"}`)
	s := post(portalPath, "", 201)
	s.Contains = []string{`{"data":{"portal_url":"https://billing.stripe.example/p/session/bps_`}
	b.host.Do(t, s)
	request := b.server.Requests("POST /v1/billing_portal/sessions")[0]
	require.Equal(t, b.customer(t), request.Form.Get("customer"))
	require.Equal(t, "https://atlas.example/app/account", request.Form.Get("return_url"))
	require.Contains(t, request.Key, "portal:")
}

// The next checkout creates a customer again who was removed at Stripe.
func TestCustomerRemoved(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.subscribe(t, `{"plan":"pro"}`)
	gone := b.customer(t)
	b.server.RemoveCustomer(gone)
	b.clock.Move(time.Minute)
	b.subscribe(t, `{"plan":"pro"}`)
	require.NotEqual(t, gone, b.customer(t))
	require.Len(t, b.server.Customers(), 1)

	b.server.RemoveCustomer(b.customer(t))
	b.host.Do(t, post(portalPath, "", 409))
	require.Empty(t, b.customer(t))
}

// A price that is configured here but not at Stripe is a fault of the settings: the caller may try again, the log says why.
func TestPriceUnknownAtStripe(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.host.Do(t, post(checkoutPath, `{"plan":"enterprise"}`, 503))
	require.Empty(t, b.server.Sessions())
}

// Without Stripe, or without the database, nothing is sold.
func TestAway(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.use(t, stripe.New("", "https://api.stripe.com", stripe.Options{}))
	for _, s := range []httpapitest.Scenario{post(checkoutPath, `{"plan":"pro"}`, 503), post(portalPath, "", 503)} {
		s.WantJSON = `{"detail":"Payments are not set up on this service"}`
		b.host.Do(t, s)
	}
	b = setup(t)
	b.db.Close()
	b.host.Do(t, post(checkoutPath, `{"plan":"pro"}`, 503))
	b.host.Do(t, post(portalPath, "", 503))
	require.Empty(t, b.server.Requests(""))
}

// Accounts with a confirmed educational address get the operator's coupon, and no others.
func TestDiscountOfStudents(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		educational, confirmed bool
		want                   string
	}{
		{true, true, "EDU20"},
		{true, false, ""},
		{false, true, ""},
	} {
		b := setup(t)
		b.accounts.Put(accountsapi.Account{ID: ada, Educational: c.educational, EmailVerified: c.confirmed, Tier: "student", SubscriptionPlan: "starter", APITier: "starter"})
		b.subscribe(t, `{"plan":"pro"}`)
		sessions := b.server.Sessions()
		require.Equal(t, c.want, sessions[len(sessions)-1].Coupon)
	}
}

// A coupon that Stripe does not know opens no checkout at the full price, and the error names the discount.
func TestDiscountThatStripeRejects(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.coupon = "GONE20"
	b.use(t, stripe.New(stripetest.SecretKey, b.server.URL, stripe.Options{Attempt: 2 * time.Second, NoPause: true}))
	b.accounts.Put(accountsapi.Account{ID: ada, Email: "ada@birch.edu", Educational: true, EmailVerified: true, Tier: "student", SubscriptionPlan: "starter", APITier: "starter"})
	s := post(checkoutPath, `{"plan":"pro"}`, 503)
	s.WantJSON = `{"detail":"The discount for .edu addresses cannot be applied now, so no checkout was opened. Ask the operator of this service"}`
	b.host.Do(t, s)
	require.Empty(t, b.server.Sessions())
}
