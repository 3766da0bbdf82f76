package web_test

import (
	"context"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/auth"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/httpapi/httpapitest"
	"gpatlas/platform/module"
	"gpatlas/web"
	"gpatlas/web/webtest"
)

// calls is an allowance that counts.
type calls struct{ taken, back atomic.Int64 }

func (c *calls) Take(context.Context, *auth.Principal, string) (bool, error) {
	c.taken.Add(1)
	return true, nil
}

func (c *calls) GiveBack(context.Context, *auth.Principal) { c.back.Add(1) }

// remembering keeps the last answer for whatever key.
type remembering struct {
	answer atomic.Pointer[httpapi.KeptAnswer]
}

func (r *remembering) Begin(context.Context, httpapi.KeyedRequest) (httpapi.Execution, *httpapi.KeptAnswer, error) {
	return r, r.answer.Load(), nil
}

func (r *remembering) ID() string                               { return "0190a5b2-7c41-4d6e-9a3f-1c2b3d4e5f60" }
func (r *remembering) With(ctx context.Context) context.Context { return ctx }
func (r *remembering) Release(context.Context) error            { return nil }

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
