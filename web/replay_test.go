package web_test

import (
	"context"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/apperr"
	"gpatlas/platform/auth"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/module"
	"gpatlas/platform/testkit/httpapitest"
	"gpatlas/web"
	"gpatlas/web/webtest"
)

// calls is an allowance that counts.
type calls struct{ taken, back atomic.Int64 }

func (c *calls) Take(context.Context, *auth.Principal, string) (bool, error) {
	c.taken.Add(1)
	return true, nil
}

func (c *calls) Counts(string) bool { return true }

func (c *calls) GiveBack(context.Context, *auth.Principal) { c.back.Add(1) }

// usedUp is an allowance of which nothing is left.
type usedUp struct{ calls }

func (*usedUp) Take(context.Context, *auth.Principal, string) (bool, error) {
	return false, apperr.New(apperr.KindPaymentRequired, "All free calls are used")
}

// remembering keeps the last answer for whatever key.
type remembering struct {
	answer atomic.Pointer[httpapi.KeptAnswer]
}

func (r *remembering) Begin(context.Context, httpapi.KeyedRequest) (httpapi.Execution, *httpapi.KeptAnswer, error) {
	return r, r.answer.Load(), nil
}

func (r *remembering) Kept(context.Context, httpapi.KeyedRequest) (*httpapi.KeptAnswer, error) {
	return r.answer.Load(), nil
}

func (r *remembering) Again() bool                   { return false }
func (r *remembering) Answered() bool                { return false }
func (r *remembering) Forget(context.Context) error  { return nil }
func (r *remembering) ID() string                    { return "0190a5b2-7c41-4d6e-9a3f-1c2b3d4e5f60" }
func (r *remembering) Release(context.Context) error { return nil }

func (r *remembering) Keep(_ context.Context, answer httpapi.KeptAnswer) error {
	r.answer.Store(&answer)
	return nil
}

// anybody takes every token for one of account 1.
type anybody struct{}

func (anybody) VerifySession(context.Context, string) (*auth.Principal, error) {
	return &auth.Principal{Kind: auth.Session, UserID: 1, SessionID: "sess_1"}, nil
}

// Through the whole pipeline: an answer that is given again uses up no free call, is compressed as the new caller accepts it,
// has its request's own ID, and pages of other origins may read the mark.
func TestReplaysThroughThePipeline(t *testing.T) {
	t.Parallel()
	allowance := &calls{}
	options := webtest.Options(t, module.New("making", module.Part{Routes: []httpapi.Route{
		httpapi.Post("/v1/made", "make", func(context.Context, *struct{ Body item }) (*httpapi.Reply[item], error) {
			return &httpapi.Reply[item]{Body: item{Name: strings.Repeat("Invented Capital Partners ", 400)}}, nil
		}, httpapi.Grant(httpapi.Login), httpapi.Success(http.StatusCreated)),
	}}))
	options.Allowance, options.Keeper, options.Sessions = allowance, &remembering{}, anybody{}
	app, err := web.New(options)
	require.NoError(t, err)
	h := httpapitest.Host{App: app.Fiber, API: app.API}
	send := func(id, accept string) httpapitest.Response {
		return h.Do(t, httpapitest.Scenario{Method: "POST", Path: "/v1/made", Body: `{"name":"x"}`, Status: 201, Header: map[string]string{
			"Authorization": "Bearer x", "Idempotency-Key": "k", "X-Request-ID": id, "Accept-Encoding": accept, "Origin": "https://example.com",
		}})
	}
	first := h.Ask(t, httpapitest.Scenario{Method: "POST", Path: "/v1/made", Body: `{"name":"x"}`, Header: map[string]string{
		"Authorization": "Bearer x", "Idempotency-Key": "k", "X-Request-ID": "one", "Accept-Encoding": "br",
	}})
	require.Equal(t, "br", first.Header.Get("Content-Encoding"))
	require.EqualValues(t, 1, allowance.taken.Load())
	require.Zero(t, allowance.back.Load())
	again := send("two", "identity")
	require.Contains(t, again.Body, "Invented Capital Partners Invented")
	require.Equal(t, "true", again.Header.Get("Idempotent-Replayed"))
	require.Equal(t, "two", again.Header.Get("X-Request-ID"))
	require.Contains(t, strings.Split(again.Header.Get("Access-Control-Expose-Headers"), ", "), "Idempotent-Replayed")
	require.EqualValues(t, 2, allowance.taken.Load())
	require.EqualValues(t, 1, allowance.back.Load())
}

// The last free call may have the answer that is lost: it is given again when no call is left. Everything else is refused.
func TestReplaysNeedNoFreeCall(t *testing.T) {
	t.Parallel()
	var done atomic.Int64
	made := func(context.Context, *struct{ Body item }) (*httpapi.Reply[item], error) {
		done.Add(1)
		return &httpapi.Reply[item]{Body: item{Name: "x"}}, nil
	}
	options := webtest.Options(t, module.New("making", module.Part{Routes: []httpapi.Route{
		httpapi.Post("/v1/made", "make", made, httpapi.Grant(httpapi.Login), httpapi.Success(http.StatusCreated), httpapi.Errors(402)),
		httpapi.Post("/v1/plain", "do-plain", made, httpapi.Grant(httpapi.Login), httpapi.Errors(402)),
	}}))
	keeper, used := &remembering{}, &usedUp{}
	options.Allowance, options.Keeper, options.Sessions = used, keeper, anybody{}
	app, err := web.New(options)
	require.NoError(t, err)
	h := httpapitest.Host{App: app.Fiber, API: app.API}
	send := func(path, key string, status int) {
		t.Helper()
		s := httpapitest.Scenario{Method: "POST", Path: path, Body: `{"name":"x"}`, Status: status, Header: map[string]string{"Authorization": "Bearer x"}}
		if key != "" {
			s.Header["Idempotency-Key"] = key
		}
		if status == http.StatusPaymentRequired {
			s.WantJSON = `{"detail":"All free calls are used"}`
		}
		h.Do(t, s)
	}
	send("/v1/made", "k", 402)
	send("/v1/made", "", 402)
	send("/v1/made", "not a key", 402)
	send("/v1/plain", "k", 402)
	require.Zero(t, done.Load())
	require.NoError(t, keeper.Keep(t.Context(), httpapi.KeptAnswer{
		Status: 201, Header: [][2]string{{"Content-Type", "application/json"}}, Body: []byte(`{"name":"x"}`),
	}))
	send("/v1/made", "k", 201)
	send("/v1/made", "", 402)
	send("/v1/plain", "k", 402)
	require.Zero(t, done.Load())
	require.Zero(t, used.back.Load())
}

// A quote uses up no free call.
func TestQuotesNeedNoFreeCall(t *testing.T) {
	t.Parallel()
	allowance := &calls{}
	options := webtest.Options(t, paid())
	options.Allowance, options.Sessions = allowance, anybody{}
	address := webtest.Serve(t, webtest.App(t, options)) + "/v1/paid"
	got := ask(t, address+"?quote=true", "Authorization", "Bearer x")
	require.Equal(t, 200, got.Status)
	require.Contains(t, got.Body, `"meta":{"quote":true}`)
	require.EqualValues(t, 1, allowance.back.Load())
	require.Equal(t, 200, ask(t, address, "Authorization", "Bearer x").Status)
	require.EqualValues(t, 2, allowance.taken.Load())
	require.EqualValues(t, 1, allowance.back.Load())
}
