package httpapi_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"math"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/gofiber/fiber/v2"
	"github.com/stretchr/testify/require"

	"gpatlas/platform/apperr"
	"gpatlas/platform/auth"
	"gpatlas/platform/charge"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/log"
	"gpatlas/platform/testkit/chargetest"
	"gpatlas/platform/testkit/httpapitest"
)

const secretWord = "Harbor Ridge"

type pairInput struct {
	CRD    string `path:"crd" maxLength:"10"`
	Person string `path:"person"`
}

type unlockInput struct {
	CRD  string `path:"crd" maxLength:"10"`
	Body word
}

// shop is priced operations of every temper. Served counts the handlers that ran.
type shop struct {
	served atomic.Int64
}

func (s *shop) sells(reply httpapi.Reply[word]) func(context.Context, *struct{}) (*httpapi.Reply[word], error) {
	return func(context.Context, *struct{}) (*httpapi.Reply[word], error) {
		s.served.Add(1)
		r := reply
		if r.Raw == nil {
			r.Body = word{secretWord}
		}
		return &r, nil
	}
}

func (s *shop) fails(err error) func(context.Context, *struct{}) (*httpapi.Reply[word], error) {
	return func(context.Context, *struct{}) (*httpapi.Reply[word], error) {
		s.served.Add(1)
		return nil, err
	}
}

func (s *shop) routes() []httpapi.Route {
	request := httpapi.Charge(250_000, charge.PerRequest)
	person := httpapi.Charge(500_000, charge.PerPerson)
	roster := httpapi.Sells("roster")
	routes := []httpapi.Route{
		httpapi.Get("/gps/{crd}/metrics", "metrics", func(_ context.Context, in *struct {
			CRD string `path:"crd" maxLength:"10"`
		},
		) (*httpapi.Reply[word], error) {
			s.served.Add(1)
			return &httpapi.Reply[word]{Body: word{secretWord + in.CRD}, Page: &httpapi.Page{Total: 3, Limit: 1}, Header: map[string]string{"X-Extra": "data"}}, nil
		}, request),
		httpapi.Get("/gps/{crd}/team/{person}", "member", func(_ context.Context, in *pairInput) (*httpapi.Reply[word], error) {
			s.served.Add(1)
			return &httpapi.Reply[word]{Body: word{in.Person}, Units: []string{in.Person}}, nil
		}, person, roster),
		httpapi.Post("/gps/{crd}/unlock", "unlock", func(_ context.Context, in *unlockInput) (*httpapi.Reply[word], error) {
			s.served.Add(1)
			return &httpapi.Reply[word]{Body: in.Body, Units: []string{"p3", "p1", "p2", "p1"}}, nil
		}, person, roster, httpapi.Success(http.StatusCreated)),
		answer("/plain", "plain", s.sells(httpapi.Reply[word]{}), request),
		answer("/raw", "raw", s.sells(httpapi.Reply[word]{Raw: []byte(`{"word":"Harbor Ridge"}`)}), request),
		answer("/volatile", "volatile", s.sells(httpapi.Reply[word]{}), request, httpapi.Volatile()),
		answer("/empty", "empty", s.sells(httpapi.Reply[word]{Free: true}), request),
		answer("/profile", "profile", s.sells(httpapi.Reply[word]{Units: []string{"p1"}}), request, httpapi.Sells("profile")),
		answer("/team", "team", s.sells(httpapi.Reply[word]{Units: []string{"p1", "p2", "p3", "p4"}}), person, roster),
		answer("/nobody", "nobody", s.sells(httpapi.Reply[word]{}), person, roster),
		answer("/unsold", "unsold", s.sells(httpapi.Reply[word]{Units: []string{"p1"}}), request),
		answer("/sick", "sick", s.sells(httpapi.Reply[word]{Status: http.StatusServiceUnavailable}), request, httpapi.Answers(http.StatusServiceUnavailable, "Away.")),
		answer("/missing", "missing", s.fails(apperr.NotFound("none")), request),
		answer("/broken", "broken", s.fails(errors.New("cause")), request),
		answer("/panic", "panic", func(context.Context, *struct{}) (*httpapi.Reply[word], error) { panic("boom") }, request),
		httpapi.Get("/nan", "nan", func(context.Context, *struct{}) (*httpapi.Reply[unencodable], error) {
			return &httpapi.Reply[unencodable]{Body: unencodable{math.NaN()}}, nil
		}, request),
		httpapi.Delete("/gone", "gone", func(context.Context, *struct{}) (*httpapi.Reply[struct{}], error) {
			return &httpapi.Reply[struct{}]{}, nil
		}, httpapi.Success(http.StatusNoContent), request),
		answer("/free", "free", s.sells(httpapi.Reply[word]{})),
	}
	return httpapi.Group(routes, httpapi.Errors(http.StatusNotFound))
}

// What is charged for, and what the answer says it cost.
func TestCharges(t *testing.T) {
	t.Parallel()
	price := map[string]string{"X-Charge": "0.25"}
	nought := map[string]string{"X-Charge": "0.00"}
	none := map[string]string{"X-Charge": ""}
	item := func(operation, subject string) []charge.Item {
		return []charge.Item{{Operation: operation, Subject: subject, CRD: subject, Per: charge.PerRequest, UnitMicros: 250_000}}
	}
	persons := func(operation, subject string, units ...string) []charge.Item {
		crd, _, _ := strings.Cut(subject, "/")
		return []charge.Item{{Operation: operation, Subject: subject, CRD: crd, Product: "roster", Units: units, Per: charge.PerPerson, UnitMicros: 500_000}}
	}
	profile := item("profile", "")
	profile[0].Product, profile[0].Units = "profile", []string{"p1"}
	star := map[string]string{"If-None-Match": "*"}
	for _, test := range []struct {
		name    string
		request httpapitest.Scenario
		want    []charge.Item
	}{
		{"an answer", httpapitest.Scenario{Path: "/plain", WantHeader: price}, item("plain", "")},
		{"its subject", httpapitest.Scenario{Path: "/gps/900001/metrics", WantHeader: price}, item("metrics", "900001")},
		{"an escaped subject", httpapitest.Scenario{Path: "/gps/%39%3000/metrics", WantHeader: price}, item("metrics", "9000")},
		{"two subjects", httpapitest.Scenario{Path: "/gps/900001/team/p%207", WantHeader: map[string]string{"X-Charge": "0.50"}}, persons("member", "900001/p 7", "p 7")},
		{"ready bytes", httpapitest.Scenario{Path: "/raw", WantHeader: price}, item("raw", "")},
		{"without an entity tag", httpapitest.Scenario{Path: "/volatile", Header: star, WantHeader: price}, item("volatile", "")},
		{"a tag that holds no more", httpapitest.Scenario{Path: "/plain", Header: map[string]string{"If-None-Match": `"old"`}, WantHeader: price}, item("plain", "")},
		{"a body, its units in order and once", httpapitest.Scenario{Method: "POST", Path: "/gps/900001/unlock", Body: `{"word":"x"}`, Status: 201, WantHeader: map[string]string{"X-Charge": "1.50"}}, persons("unlock", "900001", "p1", "p2", "p3")},
		{"by the person", httpapitest.Scenario{Path: "/team", WantHeader: map[string]string{"X-Charge": "2.00"}}, persons("team", "", "p1", "p2", "p3", "p4")},
		{"by the request, to keep", httpapitest.Scenario{Path: "/profile", WantHeader: price}, profile},

		{"whatever there is", httpapitest.Scenario{Path: "/plain", Header: star, WantHeader: price}, item("plain", "")},
		{"HEAD", httpapitest.Scenario{Method: "HEAD", Path: "/plain", WantHeader: nought}, nil},
		{"HEAD of what is not there", httpapitest.Scenario{Method: "HEAD", Path: "/missing", Status: 404, WantHeader: nought}, nil},
		{"nothing to pay for", httpapitest.Scenario{Path: "/empty", WantHeader: nought}, nil},
		{"no persons", httpapitest.Scenario{Path: "/nobody", WantHeader: nought}, nil},
		{"units of no product", httpapitest.Scenario{Path: "/unsold", Status: 500, WantHeader: nought}, nil},
		{"no content", httpapitest.Scenario{Method: "DELETE", Path: "/gone", Status: 204, WantHeader: nought}, nil},
		{"bad parameter", httpapitest.Scenario{Path: "/plain?x=1", Status: 400, WantHeader: nought}, nil},
		{"bad path", httpapitest.Scenario{Path: "/gps/12345678901/metrics", Status: 400, WantHeader: nought}, nil},
		{"bad body", httpapitest.Scenario{Method: "POST", Path: "/gps/900001/unlock", Body: `{}`, Status: 400, WantHeader: nought}, nil},
		{"not found", httpapitest.Scenario{Path: "/missing", Status: 404, WantHeader: nought}, nil},
		{"no such operation", httpapitest.Scenario{Path: "/nowhere", Status: 404, WantHeader: none}, nil},
		{"another verb", httpapitest.Scenario{Method: "PUT", Path: "/plain", Status: 405, WantHeader: none}, nil},
		{"a failure", httpapitest.Scenario{Path: "/broken", Status: 500, WantHeader: nought}, nil},
		{"a failure in the usual shape", httpapitest.Scenario{Path: "/sick", Status: 503, WantHeader: nought}, nil},
		{"a panic", httpapitest.Scenario{Path: "/panic", Status: 500, WantHeader: nought}, nil},
		{"no encoding", httpapitest.Scenario{Path: "/nan", Status: 500, WantHeader: nought}, nil},
		{"no price", httpapitest.Scenario{Path: "/free", WantHeader: none}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var s shop
			meter := &chargetest.Meter{}
			httpapitest.NewMetered(t, meter, s.routes()...).Do(t, test.request)
			require.Equal(t, test.want, meter.Charged())
		})
	}
}

// The tag of a bought answer makes it free from then on.
func TestBoughtOnceThenUnchanged(t *testing.T) {
	t.Parallel()
	var s shop
	meter := &chargetest.Meter{}
	h := httpapitest.NewMetered(t, meter, s.routes()...)
	first := h.Do(t, httpapitest.Scenario{Path: "/gps/900001/metrics", WantHeader: map[string]string{"X-Charge": "0.25", "X-Extra": "data"}})
	tag := first.Header.Get("ETag")
	require.NotEmpty(t, tag)
	for range 3 {
		h.Do(t, httpapitest.Scenario{Path: "/gps/900001/metrics", Header: map[string]string{"If-None-Match": tag}, Status: 304, WantHeader: map[string]string{"X-Charge": "0.00", "ETag": tag}})
	}
	head := h.Do(t, httpapitest.Scenario{Method: "HEAD", Path: "/gps/900001/metrics", Header: map[string]string{"If-None-Match": tag}, Status: 304, WantHeader: map[string]string{"X-Charge": "0.00", "ETag": tag}})
	require.Empty(t, head.Body)
	h.Do(t, httpapitest.Scenario{Path: "/gps/900001/metrics?max_charge=0.25", Header: map[string]string{"If-None-Match": tag}, Status: 304})
	require.Len(t, meter.Charged(), 1)
	require.Len(t, meter.Asked(), 6, "a meter may refuse each of them")
}

// Who is refused gets nothing, and no work is done for him.
func TestRefusedBeforeTheHandler(t *testing.T) {
	t.Parallel()
	cause := errors.New("secret detail of the ledger")
	for name, test := range map[string]struct {
		refusal error
		status  int
		detail  string
	}{
		"nobody to charge":   {apperr.New(apperr.KindUnauthenticated, "This operation costs $0.25: send an API key"), 401, "This operation costs $0.25: send an API key"},
		"spending cap":       {apperr.New(apperr.KindPaymentRequired, "The monthly spending cap is reached"), 402, "The monthly spending cap is reached"},
		"ledger away":        {apperr.Unavailable("The ledger is away; try again").Wrap(cause), 503, "The ledger is away; try again"},
		"failure of no kind": {cause, 503, "The charge for this request could not be recorded; try again"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var s shop
			meter := &chargetest.Meter{Refusal: test.refusal}
			h := httpapitest.NewMetered(t, meter, s.routes()...)
			want, err := json.Marshal(map[string]string{"detail": test.detail})
			require.NoError(t, err)
			priced := []httpapitest.Scenario{
				{Path: "/plain"},
				{Path: "/empty"},
				{Path: "/team"},
				{Method: "POST", Path: "/gps/900001/unlock", Body: `{"word":"x"}`},
				{Method: "POST", Path: "/gps/900001/unlock", Body: `{"word":"x"}`, Header: map[string]string{"If-None-Match": "*"}},
			}
			if test.status != http.StatusPaymentRequired {
				priced = append(priced, httpapitest.Scenario{Path: "/plain", Header: map[string]string{"If-None-Match": "*"}})
				head := httpapitest.Scenario{Method: "HEAD", Path: "/plain", Status: test.status, WantHeader: map[string]string{"ETag": ""}}
				h.Do(t, head)
				head.Header = map[string]string{"If-None-Match": "*"}
				h.Do(t, head)
			}
			before := len(meter.Asked())
			for _, request := range priced {
				request.Status, request.WantJSON = test.status, string(want)
				request.WantHeader = map[string]string{"X-Charge": "0.00", "ETag": "", "Cache-Control": "no-store"}
				h.Do(t, request)
			}
			require.Zero(t, s.served.Load())
			require.Len(t, meter.Asked(), before+len(priced))
			h.Do(t, httpapitest.Scenario{Path: "/plain?x=1", Status: 400})
			h.Do(t, httpapitest.Scenario{Path: "/free"})
			require.Len(t, meter.Asked(), before+len(priced), "neither bad requests nor free operations are the meter's business")
			require.Empty(t, meter.Charged())
		})
	}
}

// At a full cap everything that is free is still answered: HEAD, a quote, and an answer that the caller holds.
func TestFreeAtAFullCap(t *testing.T) {
	t.Parallel()
	var s shop
	meter := &chargetest.Meter{}
	h := httpapitest.NewMetered(t, meter, s.routes()...)
	ada := &auth.Principal{Kind: auth.Session, UserID: 7}
	tag := h.Do(t, httpapitest.Scenario{Path: "/plain", As: ada, WantHeader: map[string]string{"X-Charge": "0.25"}}).Header.Get("ETag")
	full := int64(250_000)
	meter.SetCap(7, &full)
	meter.Advance(charge.MaxStateAge)
	free := map[string]string{"X-Charge": "0.00", "X-Charge-Estimate": "0.25"}
	holds := func(tag string) map[string]string { return map[string]string{"If-None-Match": tag} }
	h.Do(t, httpapitest.Scenario{Path: "/plain", As: ada, Status: 402})
	h.Do(t, httpapitest.Scenario{Method: "HEAD", Path: "/plain", As: ada, WantHeader: free})
	h.Do(t, httpapitest.Scenario{Method: "HEAD", Path: "/plain", As: ada, Header: holds(`"old"`), WantHeader: free})
	h.Do(t, httpapitest.Scenario{Method: "HEAD", Path: "/plain?quote=true", As: ada, WantHeader: free})
	h.Do(t, httpapitest.Scenario{Path: "/plain?quote=true", As: ada, WantHeader: map[string]string{"X-Charge": "0.00"}})
	h.Do(t, httpapitest.Scenario{Path: "/plain", As: ada, Header: holds(tag), Status: 304, WantHeader: map[string]string{"X-Charge": "0.00", "ETag": tag}})
	h.Do(t, httpapitest.Scenario{Path: "/plain", As: ada, Header: holds(`"old"`), Status: 402, WantHeader: map[string]string{"X-Charge": "0.00", "ETag": ""}, NotContains: []string{secretWord}})
	h.Do(t, httpapitest.Scenario{Path: "/volatile", As: ada, Header: holds("*"), Status: 402, NotContains: []string{secretWord}})
	require.Equal(t, full, meter.Spent(7))
}

// An answer whose charge cannot be written is held back, whole.
func TestAnswerIsHeldBackWithoutItsCharge(t *testing.T) {
	t.Parallel()
	cause := errors.New("secret detail of the ledger")
	for name, test := range map[string]struct {
		failure error
		status  int
		detail  string
	}{
		"the answer is lost": {charge.Unsure(cause), 503, "It is not known whether this request was charged. Repeat it with the same Idempotency-Key, and it is charged once. If it had no key, look at GET /v1/me/purchases first"},
		"failure of no kind": {cause, 503, "The charge for this request could not be recorded; try again"},
		"ledger away":        {apperr.Unavailable("The ledger is away; try again").Wrap(cause), 503, "The ledger is away; try again"},
		"cap in the race":    {apperr.New(apperr.KindPaymentRequired, "The monthly spending cap is reached"), 402, "The monthly spending cap is reached"},
		"out of time":        {context.DeadlineExceeded, 503, "The charge for this request could not be recorded; try again"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var s shop
			var lines bytes.Buffer
			app := fiber.New(httpapi.FiberConfig(nil))
			api := httpapi.New(app, httpapi.Config{Logger: slog.New(slog.NewJSONHandler(&lines, nil)), Meter: &chargetest.Meter{Failure: test.failure}})
			require.NoError(t, api.Register(s.routes()))
			h := &httpapitest.Host{App: app, API: api}
			want, err := json.Marshal(map[string]string{"detail": test.detail})
			require.NoError(t, err)
			held := map[string]string{"X-Charge": "0.00", "ETag": "", "Link": "", "X-Extra": "", "Cache-Control": "no-store"}
			if errors.Is(test.failure, charge.ErrUnsure) {
				held["X-Charge"] = "unknown"
			}
			priced := []httpapitest.Scenario{
				{Path: "/gps/900001/metrics"},
				{Path: "/raw"},
				{Path: "/volatile"},
				{Method: "POST", Path: "/gps/900001/unlock", Body: `{"word":"Harbor Ridge"}`},
			}
			for _, request := range priced {
				request.Status, request.WantJSON, request.WantHeader = test.status, string(want), held
				request.NotContains = []string{secretWord}
				h.Do(t, request)
			}
			if test.status == http.StatusServiceUnavailable {
				require.Equal(t, len(priced), strings.Count(lines.String(), `"msg":"request unavailable"`), "once for each: %s", lines.String())
				require.Contains(t, lines.String(), test.failure.Error())
			}
			for _, free := range []httpapitest.Scenario{
				{Path: "/empty"},
				{Path: "/free"},
				{Path: "/nobody"},
				{Method: "HEAD", Path: "/plain"},
			} {
				h.Do(t, free) // nothing is to be written for these
			}
		})
	}
}

// What a caller owns costs nothing, whichever operation it was bought with; the header says so, the body does not.
func TestOwnedUnitsAreFree(t *testing.T) {
	t.Parallel()
	var s shop
	meter := &chargetest.Meter{}
	h := httpapitest.NewMetered(t, meter, s.routes()...)
	ada, grace := &auth.Principal{Kind: auth.Session, UserID: 7}, &auth.Principal{Kind: auth.Session, UserID: 8}
	costs := func(request httpapitest.Scenario, as *auth.Principal, want string) string {
		request.As, request.WantHeader = as, map[string]string{"X-Charge": want}
		return h.Do(t, request).Body
	}
	team, profile := httpapitest.Scenario{Path: "/team"}, httpapitest.Scenario{Path: "/profile"}
	costs(httpapitest.Scenario{Method: "POST", Path: "/gps/900001/unlock", Body: `{"word":"x"}`, Status: 201}, ada, "1.50")
	bought := costs(team, ada, "0.50")
	require.Equal(t, bought, costs(team, ada, "0.00"))
	costs(team, grace, "2.00")
	costs(profile, ada, "0.25")
	costs(profile, ada, "0.00")
	require.EqualValues(t, 2_250_000, meter.Spent(7))
	none := int64(0)
	meter.SetCap(7, &none)
	meter.Advance(charge.MaxStateAge)
	costs(team, ada, "0.00")
	h.Do(t, httpapitest.Scenario{Path: "/gps/900001/team/p9", As: ada, Status: 402, NotContains: []string{"p9"}})
	h.Do(t, httpapitest.Scenario{Path: "/plain", As: ada, Status: 402})
	costs(httpapitest.Scenario{Path: "/plain"}, grace, "0.25")
}

// A meter that charges more than the price is reported; the header still says what was charged.
func TestOverchargeIsReported(t *testing.T) {
	t.Parallel()
	for receipt, reported := range map[charge.Receipt]bool{
		{Micros: 2_000_000, NewUnits: 4}: false, {Micros: 2_000_001}: true, {NewUnits: 5}: true,
	} {
		var s shop
		var lines bytes.Buffer
		app := fiber.New(httpapi.FiberConfig(nil))
		meter := &chargetest.Meter{Receipt: func(context.Context, charge.Item) charge.Receipt { return receipt }}
		api := httpapi.New(app, httpapi.Config{Logger: slog.New(slog.NewJSONHandler(&lines, nil)), Meter: meter})
		require.NoError(t, api.Register(s.routes()))
		(&httpapitest.Host{App: app, API: api}).Do(t, httpapitest.Scenario{Path: "/team", WantHeader: map[string]string{"X-Charge": charge.Dollars(receipt.Micros)}})
		require.Equal(t, reported, strings.Contains(lines.String(), "the meter charged more than the price of the answer"), lines.String())
	}
}

// The header says what the meter has charged, not what stands in the price list.
func TestHeaderSaysTheReceipt(t *testing.T) {
	t.Parallel()
	for want, micros := range map[string]int64{"0.00": 0, "0.20": 200_000, "0.0125": 12_500, "0.000001": 1} {
		var s shop
		meter := &chargetest.Meter{Receipt: func(context.Context, charge.Item) charge.Receipt { return charge.Receipt{Micros: micros} }}
		httpapitest.NewMetered(t, meter, s.routes()...).Do(t, httpapitest.Scenario{Path: "/plain", WantHeader: map[string]string{"X-Charge": want}})
		require.Len(t, meter.Charged(), 1)
	}
}

// Without a meter all is as with one, but for money.
func TestNeutralMeter(t *testing.T) {
	t.Parallel()
	var s shop
	nought := map[string]string{"X-Charge": "0.00"}
	httpapitest.New(t, s.routes()...).Run(t, []httpapitest.Scenario{
		{Name: "an answer", Path: "/plain", WantHeader: nought},
		{Name: "a body", Method: "POST", Path: "/gps/900001/unlock", Body: `{"word":"x"}`, Status: 201, WantHeader: nought},
		{Name: "not found", Path: "/missing", Status: 404, WantHeader: nought},
		{Name: "no price", Path: "/free", WantHeader: map[string]string{"X-Charge": ""}},
	})
}

// A charge carries the id of its request and the values of its context, in both ways through huma.
func TestChargeKnowsItsRequest(t *testing.T) {
	t.Parallel()
	type callerKey struct{}
	var s shop
	var callers []any
	meter := &chargetest.Meter{Receipt: func(ctx context.Context, item charge.Item) charge.Receipt {
		callers = append(callers, ctx.Value(callerKey{}))
		return charge.Receipt{Micros: item.Micros()}
	}}
	app := fiber.New(httpapi.FiberConfig(nil))
	app.Use(func(c *fiber.Ctx) error {
		c.SetUserContext(context.WithValue(log.WithRequestID(c.UserContext(), "req-7"), callerKey{}, "account 12"))
		return c.Next()
	})
	api := httpapi.New(app, httpapi.Config{Meter: meter})
	require.NoError(t, api.Register(s.routes()))
	h := &httpapitest.Host{App: app, API: api}
	h.Do(t, httpapitest.Scenario{Path: "/plain"})
	h.Do(t, httpapitest.Scenario{Method: "POST", Path: "/gps/900001/unlock", Body: `{"word":"x"}`, Status: 201})
	require.Equal(t, []any{"account 12", "account 12"}, callers)
	for _, item := range append(meter.Charged(), meter.Asked()...) {
		require.Equal(t, "req-7", item.RequestID)
	}
	for i, asked := range meter.Asked() {
		require.Nil(t, asked.Units)
		require.Equal(t, meter.Charged()[i].Subject, asked.Subject)
	}
}

// The document shows what answers say of their price, refusals too, and how a meter that may refuse does.
func TestChargesAreDocumented(t *testing.T) {
	t.Parallel()
	var s shop
	for name, test := range map[string]struct {
		meter   charge.Meter
		refuses bool
	}{
		"neutral": {nil, false},
		"billing": {&chargetest.Meter{}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			api := httpapitest.NewMetered(t, test.meter, s.routes()...).API
			for _, r := range api.Routes() {
				op := r.Operation
				for status, response := range op.Responses {
					if name, shared := strings.CutPrefix(response.Ref, "#/components/responses/"); shared {
						response = api.OpenAPI().Components.Responses[name]
						require.True(t, r.ChargeMicros == 0 || response.Headers["X-Charge"] != nil, name)
						continue
					}
					require.Equal(t, r.ChargeMicros > 0, response.Headers["X-Charge"] != nil, "%s %s", op.OperationID, status)
				}
				require.Equal(t, r.ChargeMicros > 0, op.Extensions["x-charge-usd"] != nil, op.OperationID)
				require.NotNil(t, op.Responses["401"], op.OperationID)
				for _, status := range []string{"402", "503"} {
					if op.OperationID == "sick" && status == "503" { // an answer of its own
						continue
					}
					require.Equal(t, r.ChargeMicros > 0 && test.refuses, op.Responses[status] != nil, "%s %s", op.OperationID, status)
				}
			}
		})
	}
}

func TestPriceMustBePerSomething(t *testing.T) {
	t.Parallel()
	handler := func(context.Context, *struct{}) (*httpapi.Reply[word], error) { return nil, nil }
	for _, option := range []httpapi.Option{
		httpapi.Charge(1, ""), httpapi.Charge(1, "month"), httpapi.Charge(0, charge.PerRequest), httpapi.Charge(-1, charge.PerRequest), httpapi.Charge(-1, ""),
	} {
		err := httpapi.New(fiber.New(), httpapi.Config{}).Register([]httpapi.Route{answer("/a", "a", handler, option)})
		require.ErrorContains(t, err, "a price is per request or person")
	}
	for _, options := range [][]httpapi.Option{{httpapi.Charge(1, charge.PerPerson)}, {httpapi.Sells("roster")}} {
		err := httpapi.New(fiber.New(), httpapi.Config{}).Register([]httpapi.Route{answer("/a", "a", handler, options...)})
		require.ErrorContains(t, err, "persons are sold as units of a product")
	}
}
