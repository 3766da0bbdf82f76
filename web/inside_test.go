package web_test

import (
	"context"
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/apperr"
	"gpatlas/platform/charge"
	"gpatlas/platform/console"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/module"
	"gpatlas/platform/testkit/httpapitest"
	templates "gpatlas/templates/console"
	"gpatlas/web/webtest"
)

type insideInput struct {
	ID string `path:"id" maxLength:"5" doc:"ID."`
	Q  string `query:"q" doc:"Text."`
}

// Guarantee: a page calls operations with their parameters, checks, access control and errors, and none that has a price. A panic in one is an
// error of the page. Nobody from outside gets past the pipeline in this way.
func TestPagesCallOperations(t *testing.T) {
	t.Parallel()
	answer := func(_ context.Context, in *insideInput) (*httpapi.Reply[httpapi.Data[string]], error) {
		switch in.ID {
		case "none":
			return nil, apperr.NotFound("There is no none")
		case "panic":
			panic("the password is hidden")
		}
		return &httpapi.Reply[httpapi.Data[string]]{Body: httpapi.Data[string]{Data: in.ID + "/" + in.Q}}, nil
	}
	var got []any
	page := func(ctx context.Context, r *console.Request) (console.View, error) {
		for _, call := range []struct {
			operation string
			values    url.Values
		}{
			{"get-thing", url.Values{"id": {"a/b"}, "q": {"x&y"}}},
			{"get-thing", url.Values{"id": {"none"}}},
			{"get-thing", url.Values{"id": {"longer"}}},
			{"get-own", url.Values{"id": {"a"}}},
			{"get-sold", url.Values{"id": {"a"}}},
			{"get-nothing", nil},
			{"get-thing", url.Values{"id": {"panic"}}},
		} {
			a, err := r.API.Get(ctx, call.operation, call.values)
			if err != nil {
				got = append(got, apperr.From(err).Kind)
				continue
			}
			got = append(got, a.URL, a.Data)
		}
		return console.View{Title: "Calls", Body: templates.ErrorPage, Data: "done"}, nil
	}
	options := []httpapi.Option{httpapi.Summary("Get"), httpapi.Describe("Gets."), httpapi.Tag("Service")}
	h := webtest.Host(t, module.New("things", module.Part{
		Routes: httpapi.Group([]httpapi.Route{
			httpapi.Get("/v1/things/{id}", "get-thing", answer, httpapi.Grant(httpapi.Public), httpapi.Errors(http.StatusNotFound)),
			httpapi.Get("/v1/own/{id}", "get-own", answer, httpapi.Grant(httpapi.Login)),
			httpapi.Get("/v1/sold/{id}", "get-sold", answer, httpapi.Grant(httpapi.Public), httpapi.Charge(150_000, charge.PerRequest)),
		}, options...),
		Pages: []console.Page{{Method: http.MethodGet, Path: "/calls", Load: page}},
	}))
	h.Do(t, httpapitest.Scenario{Path: "/calls", Contains: []string{"done"}})
	require.Equal(t, []any{
		"/v1/things/a%2Fb?q=x%26y", "a/b/x&y", apperr.KindNotFound, apperr.KindInvalid, apperr.KindUnauthenticated, apperr.KindInternal, apperr.KindInternal, apperr.KindInternal,
	}, got)
}
