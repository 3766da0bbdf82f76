package httpapi_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gofiber/fiber/v2"
	"github.com/stretchr/testify/require"

	"gpatlas/platform/apperr"
	"gpatlas/platform/auth"
	"gpatlas/platform/charge"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/testkit/chargetest"
	"gpatlas/platform/testkit/httpapitest"
)

// stall is priced operations whose answers and requests choose what is sold. Served counts the handlers that ran, released the
// answers that were given back, streamed the streams that were run.
type stall struct{ served, released, streamed atomic.Int64 }

type orderInput struct {
	CRD  string `path:"crd" maxLength:"10"`
	Body struct {
		People  []string `json:"people,omitempty"`
		Confirm bool     `json:"confirm,omitempty"`
	}
}

func (s *stall) routes() []httpapi.Route {
	fee := httpapi.Charge(250_000, charge.PerRequest)
	return httpapi.Group([]httpapi.Route{
		answer("/fee", "fee", func(context.Context, *struct{}) (*httpapi.Reply[word], error) {
			s.served.Add(1)
			return &httpapi.Reply[word]{
				Raw: []byte(`{"word":"Harbor Ridge"}`), Release: func() { s.released.Add(1) },
				Header: map[string]string{"X-Extra": secretWord}, Page: &httpapi.Page{Total: 7, Limit: 1},
			}, nil
		}, fee, httpapi.Sends("X-Extra", "Extra.", "x"), httpapi.Paged()),
		answer("/none", "none", func(context.Context, *struct{}) (*httpapi.Reply[word], error) {
			return &httpapi.Reply[word]{Free: true, CRD: "900002"}, nil
		}, fee),
		answer("/about", "about", func(context.Context, *struct{}) (*httpapi.Reply[word], error) {
			return &httpapi.Reply[word]{CRD: "900002"}, nil
		}, fee),
		answer("/lost", "lost", func(context.Context, *struct{}) (*httpapi.Reply[word], error) {
			return nil, apperr.NotFound("GP not found")
		}, fee),
		answer("/fault", "fault", func(context.Context, *struct{}) (*httpapi.Reply[word], error) {
			return nil, errors.New("cause")
		}, fee),
		httpapi.Get("/flow", "flow", func(context.Context, *struct{}) (*httpapi.Reply[httpapi.Bytes], error) {
			return &httpapi.Reply[httpapi.Bytes]{Stream: func(w *bufio.Writer) error {
				s.streamed.Add(1)
				_, err := w.WriteString(secretWord)
				return err
			}}, nil
		}, fee, httpapi.Volatile(), httpapi.Produces("text/csv")),
		httpapi.Get("/gps/{crd}/team", "team", func(_ context.Context, in *struct {
			CRD string `path:"crd" maxLength:"10"`
		},
		) (*httpapi.Reply[word], error) {
			s.served.Add(1)
			return &httpapi.Reply[word]{Body: word{secretWord}, Units: []string{"p1", "p2", "p3"}}, nil
		}, httpapi.Charge(500_000, charge.PerPerson), httpapi.Sells("roster")),
		httpapi.Get("/profile", "profile", func(context.Context, *struct{}) (*httpapi.Reply[word], error) {
			return &httpapi.Reply[word]{Body: word{secretWord}, Units: []string{"p1", "p2"}}, nil
		}, fee, httpapi.Sells("profile")),
		httpapi.Post("/gps/{crd}/careers", "careers", func(_ context.Context, in *orderInput) (*httpapi.Reply[word], error) {
			s.served.Add(1)
			return &httpapi.Reply[word]{Body: word{secretWord}, Units: in.Body.People, Confirmed: in.Body.Confirm}, nil
		}, httpapi.Charge(750_000, charge.PerPerson), httpapi.Bulk(600_000), httpapi.Sells("careers"), httpapi.Unlock(), httpapi.Success(http.StatusCreated)),
		answer("/unpriced", "unpriced", func(context.Context, *struct{}) (*httpapi.Reply[word], error) { return &httpapi.Reply[word]{}, nil }),
	}, httpapi.Errors(http.StatusNotFound))
}

var ada = &auth.Principal{Kind: auth.Session, UserID: 7}

func newStall(t *testing.T) (*httpapitest.Host, *stall, *chargetest.Meter) {
	t.Helper()
	s, meter := &stall{}, &chargetest.Meter{CallersOnly: true}
	return httpapitest.NewMetered(t, meter, s.routes()...), s, meter
}

// Nothing above max_charge is charged, and a fee above it is refused before any work is done.
func TestMaxCharge(t *testing.T) {
	t.Parallel()
	h, s, meter := newStall(t)
	refused := func(path, detail string, amount string) httpapitest.Scenario {
		return httpapitest.Scenario{
			Path: path, As: ada, Status: 402, WantHeader: map[string]string{"X-Charge": "0.00", "ETag": ""}, NotContains: []string{secretWord},
			WantJSON: `{"detail":"` + detail + `","code":"max_charge","amount":` + amount + `}`,
		}
	}
	h.Do(t, refused("/fee?max_charge=0.249999", "The charge is $0.25, more than max_charge", "0.25"))
	h.Do(t, refused("/fee?max_charge=0", "The charge is $0.25, more than max_charge", "0.25"))
	require.Zero(t, s.served.Load(), "no work is done for a fee that does not fit")
	h.Do(t, refused("/gps/900001/team?max_charge=1.49", "The charge is $1.50, more than max_charge", "1.5"))
	require.Zero(t, meter.Spent(7))
	require.Empty(t, meter.Owned(7, "roster"))
	h.Do(t, httpapitest.Scenario{Path: "/gps/900001/team?max_charge=1.5", As: ada, WantHeader: map[string]string{"X-Charge": "1.50"}})
	h.Do(t, httpapitest.Scenario{Path: "/gps/900001/team?max_charge=0", As: ada, WantHeader: map[string]string{"X-Charge": "0.00"}})
	fee := h.Do(t, httpapitest.Scenario{Path: "/fee?max_charge=00.250000", As: ada, WantHeader: map[string]string{"X-Charge": "0.25"}})
	h.Do(t, httpapitest.Scenario{Path: "/fee?max_charge=0", As: ada, Header: map[string]string{"If-None-Match": fee.Header.Get("ETag")}, Status: 304, WantHeader: map[string]string{"X-Charge": "0.00"}})
	h.Do(t, httpapitest.Scenario{Path: "/fee?max_charge=0", As: ada, Header: map[string]string{"If-None-Match": `"other"`}, Status: 402})
	h.Do(t, httpapitest.Scenario{Path: "/fee?max_charge=0", As: &auth.Principal{Kind: auth.Key, UserID: 7, KeyID: "k", Mode: auth.ModeTest}, WantHeader: map[string]string{"X-Charge": "0.00"}})
	h.Do(t, httpapitest.Scenario{Method: "HEAD", Path: "/fee?max_charge=0", As: ada, WantHeader: map[string]string{"X-Charge": "0.00", "X-Charge-Estimate": "0.25"}})
	h.Do(t, httpapitest.Scenario{Path: "/lost?max_charge=0.25", As: ada, Status: 404})
	require.EqualValues(t, 1_750_000, meter.Spent(7))
	h.Do(t, httpapitest.Scenario{Path: "/fee?max_charge=9223372036854.775807", As: ada, WantHeader: map[string]string{"X-Charge": "0.25"}})
	careers := httpapitest.Scenario{Method: "POST", Path: "/gps/900001/careers?max_charge=1.19", Body: `{"people":["p1","p2"]}`, As: ada, Status: 402}
	h.Do(t, careers)
	careers.Path, careers.Status, careers.WantHeader = "/gps/900001/careers?max_charge=1.2", 201, map[string]string{"X-Charge": "1.20"}
	h.Do(t, careers)
}

// Bad values are named and nothing is charged; the parameters belong to operations with a price and to no other.
func TestBadTerms(t *testing.T) {
	t.Parallel()
	h, s, meter := newStall(t)
	amount := "must be an amount in dollars, 0 or more, with at most 6 decimals, such as 0.25"
	fault := func(field, message string) string {
		said, err := json.Marshal(httpapi.Problem{Detail: "Invalid " + field + ": " + message, Errors: []apperr.FieldError{{Field: field, Message: message}}})
		require.NoError(t, err)
		return string(said)
	}
	for _, value := range []string{"-1", "-0", "%2B1", "1e2", "NaN", "Infinity", "0.0000001", "1.", ".5", "1,5", "0x10", "1_000", "1.2.3", "%240.25", "9223372036854.775808", "99999999999999999999", "true"} {
		h.Do(t, httpapitest.Scenario{Path: "/fee?max_charge=" + value, As: ada, Status: 400, WantJSON: fault("max_charge", amount)})
		h.Do(t, httpapitest.Scenario{Method: "POST", Path: "/gps/900001/careers?max_charge=" + value, Body: `{}`, As: ada, Status: 400, WantJSON: fault("max_charge", amount)})
	}
	for _, value := range []string{"1", "0", "yes", "True", "TRUE", "null"} {
		h.Do(t, httpapitest.Scenario{Path: "/fee?quote=" + value, As: ada, Status: 400, WantJSON: fault("quote", "must be true or false")})
	}
	h.Do(t, httpapitest.Scenario{Path: "/fee?max_charge=", As: ada, Status: 400, WantJSON: fault("max_charge", "must not be empty; leave the parameter out instead")})
	h.Do(t, httpapitest.Scenario{Path: "/fee?max_charge=1&max_charge=2", As: ada, Status: 400, Contains: []string{"max_charge"}})
	h.Do(t, httpapitest.Scenario{Path: "/fee?quote=true&quote=true", As: ada, Status: 400, Contains: []string{"quote"}})
	h.Do(t, httpapitest.Scenario{Path: "/fee?max_charges=1", As: ada, Status: 400, Contains: []string{`did you mean \"max_charge\"?`}})
	for _, query := range []string{"max_charge=1", "quote=true"} {
		h.Do(t, httpapitest.Scenario{Path: "/unpriced?" + query, As: ada, Status: 400, Contains: []string{"unknown parameter"}})
	}
	require.Zero(t, s.served.Load())
	require.Empty(t, meter.Charged())
}

// A quote is the price for its caller and nothing of the answer; it is free and never stored.
func TestQuotes(t *testing.T) {
	t.Parallel()
	h, s, meter := newStall(t)
	quote := func(operation, per, price string, quantity, owned, amount string) string {
		return `{"data":{"operation":"` + operation + `","per":"` + per + `","unit_price":` + price + `,"quantity":` + quantity + `,"owned":` + owned + `,"amount":` + amount + `,"at_most":false,"free_if_empty":` + strconv.FormatBool(per == "request" && operation != "profile") + `},"meta":{"quote":true}}`
	}
	bare := map[string]string{"X-Charge": "0.00", "X-Charge-Estimate": "", "ETag": "", "Link": "", "X-Extra": "", "Cache-Control": "no-store", "Content-Type": "application/vnd.gpatlas.quote+json"}
	ask := func(method, path, body, want string) {
		t.Helper()
		h.Do(t, httpapitest.Scenario{Method: method, Path: path, Body: body, As: ada, WantJSON: want, WantHeader: bare, NotContains: []string{secretWord, "p1"}})
	}
	ask("GET", "/fee?quote=true", "", quote("fee", "request", "0.25", "1", "0", "0.25"))
	require.EqualValues(t, 1, s.released.Load(), "what the answer holds is given back")
	h.Do(t, httpapitest.Scenario{Path: "/fee?quote=true", As: ada, Header: map[string]string{"If-None-Match": "*"}, Status: 200, WantHeader: bare})
	ask("GET", "/none?quote=true", "", quote("none", "request", "0.25", "1", "0", "0.25"))
	ask("GET", "/flow?quote=true", "", quote("flow", "request", "0.25", "1", "0", "0.25"))
	require.Zero(t, s.streamed.Load())
	ask("GET", "/gps/900001/team?quote=true&max_charge=0", "", quote("team", "person", "0.5", "3", "0", "1.5"))
	ask("GET", "/profile?quote=true", "", quote("profile", "request", "0.25", "1", "0", "0.25"))
	ask("POST", "/gps/900001/careers?quote=true", `{"people":["p1"]}`, quote("careers", "person", "0.75", "1", "0", "0.75"))
	ask("POST", "/gps/900001/careers?quote=true", `{"people":["p1","p2","p1"]}`, quote("careers", "person", "0.6", "2", "0", "1.2"))
	ask("POST", "/gps/900001/careers?quote=true", `{}`, quote("careers", "person", "0.75", "0", "0", "0"))
	for path, status := range map[string]int{"/lost": 404, "/fault": 500, "/gps/12345678901/team": 400} {
		h.Do(t, httpapitest.Scenario{Path: path + "?quote=true", As: ada, Status: status, WantHeader: map[string]string{"X-Charge": "0.00"}})
	}
	h.Do(t, httpapitest.Scenario{Path: "/fee?quote=true&x=1", As: ada, Status: 400})
	h.Do(t, httpapitest.Scenario{Path: "/fee?quote=true", Status: 401, NotContains: []string{"0.25"}})
	require.Empty(t, meter.Charged())
	require.Zero(t, meter.Spent(7))

	h.Do(t, httpapitest.Scenario{Path: "/fee?quote=false", As: ada, Contains: []string{secretWord}, WantHeader: map[string]string{"X-Charge": "0.25"}})
	h.Do(t, httpapitest.Scenario{Path: "/gps/900001/team", As: ada, WantHeader: map[string]string{"X-Charge": "1.50"}})
	h.Do(t, httpapitest.Scenario{Path: "/profile", As: ada, WantHeader: map[string]string{"X-Charge": "0.25"}})
	h.Do(t, httpapitest.Scenario{Method: "POST", Path: "/gps/900001/careers", Body: `{"people":["p1"]}`, As: ada, Status: 201, WantHeader: map[string]string{"X-Charge": "0.75"}})
	meter.SetCap(7, new(int64(0)))
	meter.Advance(charge.MaxStateAge)
	ask("GET", "/gps/900001/team?quote=true", "", quote("team", "person", "0.5", "3", "3", "0"))
	ask("GET", "/profile?quote=true", "", quote("profile", "request", "0.25", "1", "1", "0"))
	ask("GET", "/fee?quote=true", "", quote("fee", "request", "0.25", "1", "0", "0.25"))
	ask("POST", "/gps/900001/careers?quote=true", `{"people":["p1","p2"]}`, quote("careers", "person", "0.75", "2", "1", "0.75"))
	ask("POST", "/gps/900001/careers?quote=true", `{"people":["p1","p2","p3"]}`, quote("careers", "person", "0.6", "3", "1", "1.2"))
	test := &auth.Principal{Kind: auth.Key, UserID: 7, KeyID: "k", Mode: auth.ModeTest}
	h.Do(t, httpapitest.Scenario{Path: "/fee?quote=true", As: test, WantJSON: strings.Replace(quote("fee", "request", "0.25", "1", "0", "0"), `"quote":true`, `"quote":true,"test":true`, 1)})
	require.EqualValues(t, 2_750_000, meter.Spent(7))
}

// HEAD reports what GET would cost this caller now.
func TestHeadEstimates(t *testing.T) {
	t.Parallel()
	h, s, meter := newStall(t)
	head := func(path, want string, header map[string]string, status int) {
		t.Helper()
		h.Do(t, httpapitest.Scenario{Method: "HEAD", Path: path, As: ada, Header: header, Status: status, WantHeader: map[string]string{"X-Charge": "0.00", "X-Charge-Estimate": want}})
	}
	head("/fee", "0.25", nil, 200)
	head("/fee", "0.25", map[string]string{"If-None-Match": "*"}, 200)
	head("/none", "0.25", nil, 200)
	head("/flow", "0.25", nil, 200)
	require.Zero(t, s.streamed.Load())
	head("/gps/900001/team", "1.50", nil, 200)
	head("/gps/900001/team?quote=true", "1.50", nil, 200)
	require.Empty(t, meter.Charged())
	h.Do(t, httpapitest.Scenario{Path: "/gps/900001/team", As: ada, WantHeader: map[string]string{"X-Charge": "1.50", "X-Charge-Estimate": ""}})
	head("/gps/900001/team", "0.00", nil, 200)
	h.Do(t, httpapitest.Scenario{Method: "HEAD", Path: "/fee", Status: 401, WantHeader: map[string]string{"X-Charge-Estimate": ""}})
	h.Do(t, httpapitest.Scenario{Method: "HEAD", Path: "/unpriced", As: ada, WantHeader: map[string]string{"X-Charge": "", "X-Charge-Estimate": ""}})
	meter.Break()
	h.Do(t, httpapitest.Scenario{Method: "HEAD", Path: "/fee", As: ada, Status: 503, WantHeader: map[string]string{"X-Charge": "0.00", "X-Charge-Estimate": ""}})
	h.Do(t, httpapitest.Scenario{Path: "/fee?quote=true", As: ada, Status: 503})
}

// An unlock above the one-click threshold says how much it is, and is made when it is confirmed.
func TestUnlocksAreConfirmed(t *testing.T) {
	t.Parallel()
	h, _, meter := newStall(t)
	meter.SetOneClick(7, true, 1_000_000)
	order := func(body string, status int, header map[string]string) httpapitest.Response {
		t.Helper()
		return h.Do(t, httpapitest.Scenario{Method: "POST", Path: "/gps/900001/careers", Body: body, As: ada, Status: status, WantHeader: header})
	}
	require.JSONEq(t, `{"detail":"The charge is $1.20; confirm the purchase","code":"confirmation_required","amount":1.2}`, order(`{"people":["p1","p2"]}`, 402, map[string]string{"X-Charge": "0.00"}).Body)
	require.Zero(t, meter.Spent(7))
	order(`{"people":["p1","p2"],"confirm":true}`, 201, map[string]string{"X-Charge": "1.20"})
	order(`{"people":["p3"]}`, 201, map[string]string{"X-Charge": "0.75"})
	item := meter.Charged()[0]
	require.True(t, item.Unlock)
	require.True(t, item.Confirmed)
	require.EqualValues(t, 600_000, item.BulkMicros)
	require.Equal(t, "900001", item.CRD)
	require.False(t, meter.Charged()[1].Confirmed)
	h.Do(t, httpapitest.Scenario{Path: "/about", As: ada})
	require.Equal(t, "900002", meter.Charged()[2].CRD, "of the reply, where the path has none")
}

// A refusal for money says why, for programs; other failures have neither code nor amount.
func TestRefusalsHaveCodes(t *testing.T) {
	t.Parallel()
	for want, failure := range map[string]error{
		`{"detail":"The monthly spending cap is reached","code":"spending_cap"}`: charge.Refusal(charge.CodeSpendingCap, 0, "The monthly spending cap is reached"),
		`{"detail":"Subscribe","code":"unbacked_limit","amount":25.000001}`:      charge.Refusal(charge.CodeUnbacked, 25_000_001, "Subscribe"),
		`{"detail":"The charge could not be recorded; try again"}`:               apperr.Unavailable("The charge could not be recorded; try again"),
		`{"detail":"One micro-dollar","code":"max_charge","amount":0.000001}`:    charge.Refusal(charge.CodeMaxCharge, 1, "One micro-dollar"),
		`{"detail":"Many","code":"spending_cap","amount":1000000000.000001}`:     charge.Refusal(charge.CodeSpendingCap, 1_000_000_000_000_001, "Many"),
	} {
		s := &stall{}
		h := httpapitest.NewMetered(t, &chargetest.Meter{Failure: failure}, s.routes()...)
		require.Equal(t, want, h.Do(t, httpapitest.Scenario{Path: "/fee", As: ada, Status: httpapi.NewProblem(failure).GetStatus()}).Body)
	}
	hidden := apperr.Internal(errors.New("cause"))
	hidden.Code, hidden.AmountMicros = "secret", 7
	p := httpapi.NewProblem(hidden)
	require.Empty(t, p.Code)
	require.Zero(t, p.Amount)
}

// The parameters and the quote stand in the document of each operation with a price, and of no other.
func TestTermsAreDocumented(t *testing.T) {
	t.Parallel()
	h, _, _ := newStall(t)
	for _, r := range h.API.Routes() {
		op, priced := r.Operation, r.ChargeMicros > 0
		for _, name := range []string{"max_charge", "quote"} {
			n := 0
			for _, p := range op.Parameters {
				if p.Name == name {
					n++
					require.Equal(t, "query", p.In)
					require.False(t, p.Required)
				}
			}
			require.Equal(t, map[bool]int{true: 1}[priced], n, "%s %s", op.OperationID, name)
		}
		if !priced {
			continue
		}
		refused := op.Responses["402"].Content["application/json"]
		require.Nil(t, refused.Example, "%s: excludes examples", op.OperationID)
		codes := slices.Sorted(maps.Keys(refused.Examples))
		want := []string{"confirmation_required", "max_charge", "spending_cap", "unbacked_limit"}
		if !r.Unlock {
			want = want[1:]
		}
		require.Equal(t, want, codes, op.OperationID)
		for code, example := range refused.Examples {
			shown, ok := example.Value.(*httpapi.Problem)
			require.True(t, ok, op.OperationID)
			require.Equal(t, code, shown.Code)
			if code != "confirmation_required" { // which needs several persons to be above the threshold
				require.InDelta(t, op.Extensions["x-charge-usd"], shown.Amount, 1e-9, "%s: the amount is one that the operation can cost", op.OperationID)
			}
		}
		quote, ok := op.Responses["200"].Content["application/vnd.gpatlas.quote+json"].Example.(httpapi.Quote)
		require.True(t, ok, op.OperationID)
		require.Equal(t, op.OperationID, quote.Data.Operation)
		require.InDelta(t, op.Extensions["x-charge-usd"], quote.Data.Amount, 1e-9, op.OperationID)
		require.Equal(t, op.Method == http.MethodGet, op.Responses["200"].Headers["X-Charge-Estimate"] != nil, op.OperationID)
		content := op.Responses["200"].Content
		require.Equal(t, "#/components/schemas/Quote", content["application/vnd.gpatlas.quote+json"].Schema.Ref, op.OperationID)
		if data := content["application/json"]; data != nil {
			require.Empty(t, data.Schema.AnyOf, "%s: the data are no union", op.OperationID)
		}
		for name, header := range op.Responses["200"].Headers {
			require.Equal(t, name == "X-Request-ID", header.Required, "%s %s: a quote has no other", op.OperationID, name)
		}
	}
	for _, r := range h.API.Routes() {
		if r.Operation.OperationID == "careers" {
			require.InDelta(t, 0.6, r.Operation.Extensions["x-charge-bulk-usd"], 1e-9)
		}
	}
	require.Equal(t, huma.TypeNumber, h.API.OpenAPI().Components.Schemas.Map()["Problem"].Properties["amount"].Type)
}

// A route whose price makes no sense is refused when the program starts.
func TestDeclarationsOfPrices(t *testing.T) {
	t.Parallel()
	type own struct {
		Quote string `query:"quote"`
	}
	nothing := func(context.Context, *struct{}) (*httpapi.Reply[word], error) { return nil, nil }
	person, roster := httpapi.Charge(500_000, charge.PerPerson), httpapi.Sells("roster")
	for want, route := range map[string]httpapi.Route{
		"a price in bulk is per person":     answer("/a", "a", nothing, httpapi.Charge(1, charge.PerRequest), httpapi.Bulk(1)),
		"not above the price of one":        answer("/a", "a", nothing, person, roster, httpapi.Bulk(500_001)),
		"and -1 in bulk":                    answer("/a", "a", nothing, person, roster, httpapi.Bulk(-1)),
		"0 micro-dollars per \"\" and 1 in": answer("/a", "a", nothing, httpapi.Bulk(1)),
		"is declared Unlock and sells no":   answer("/a", "a", nothing, httpapi.Charge(1, charge.PerRequest), httpapi.Unlock()),
		"declares the parameter quote":      httpapi.Get("/a", "a", func(context.Context, *own) (*httpapi.Reply[word], error) { return nil, nil }, httpapi.Charge(1, charge.PerRequest)),
	} {
		require.ErrorContains(t, httpapi.New(fiber.New(), httpapi.Config{}).Register([]httpapi.Route{route}), want)
	}
	good := answer("/a", "a", nothing, person, roster, httpapi.Bulk(400_000), httpapi.Unlock())
	require.NoError(t, httpapi.New(fiber.New(), httpapi.Config{}).Register([]httpapi.Route{good}))
	h := httpapitest.New(t, answer("/b", "b", func(context.Context, *struct{}) (*httpapi.Reply[word], error) {
		return &httpapi.Reply[word]{Confirmed: true}, nil
	}, httpapi.Charge(1, charge.PerRequest)))
	h.Do(t, httpapitest.Scenario{Path: "/b", Status: 500})
}

// Calls that are not free any more are refused where the caller is admitted, which the document says; a test of the whole
// service provokes it.
func TestUsedUpCallsAreDocumented(t *testing.T) {
	t.Parallel()
	nothing := func(context.Context, *struct{}) (*httpapi.Reply[word], error) { return &httpapi.Reply[word]{}, nil }
	refusal := charge.Refusal(charge.CodeFreeCalls, 0, "used up")
	app := fiber.New(httpapi.FiberConfig(nil))
	app.Use(func(c *fiber.Ctx) error {
		c.SetUserContext(httpapi.Refused(auth.With(c.UserContext(), &auth.Principal{Kind: auth.Key, UserID: 7, KeyID: "k"}), refusal))
		return c.Next()
	})
	api := httpapi.New(app, httpapi.Config{Counted: func(path string) bool { return path != "/uncounted" }})
	require.NoError(t, api.Register([]httpapi.Route{
		answer("/open", "open", nothing),
		answer("/key", "key", nothing, httpapi.Grant(httpapi.Key)),
		answer("/login", "login", nothing, httpapi.Grant(httpapi.Login)),
		answer("/login-key", "login-key", nothing, httpapi.Grant(httpapi.Login), httpapi.KeyToo()),
		answer("/admin", "admin", nothing, httpapi.Grant(httpapi.Admin)),
		answer("/unguarded", "unguarded", nothing, httpapi.Unguarded()),
		answer("/uncounted", "uncounted", nothing),
	}))
	h := &httpapitest.Host{App: app, API: api}
	statuses := map[string]int{"/open": 402, "/key": 402, "/login": 403, "/login-key": 402, "/admin": 403}
	for _, r := range api.Routes() {
		path := r.Operation.Path
		require.Equal(t, statuses[path] == 402, r.Operation.Responses["402"] != nil, path)
		if status := statuses[path]; status != 0 {
			h.Do(t, httpapitest.Scenario{Path: path, Status: status})
		}
	}
	example := api.OpenAPI().Components.Responses["FreeCallsUsed"].Content["application/json"].Example
	require.Equal(t, charge.CodeFreeCalls, example.(*httpapi.Problem).Code) //nolint:forcetypeassert // as it is made
	require.JSONEq(t, `{"detail":"used up","code":"free_calls"}`, h.Do(t, httpapitest.Scenario{Path: "/open", Status: 402}).Body)
}
