package httpapi_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/httpapi"
	"gpatlas/platform/testkit/httpapitest"
)

type wish struct {
	Body struct {
		Name *string `json:"name,omitempty"`
	}
}

type need struct {
	Body struct {
		Name string `json:"name"`
	}
}

type told = httpapi.Data[bool]

// A POST whose fields are all optional takes no body, an empty one and {} alike; one with a required field, or a PATCH, wants a body.
func TestABodyOfOptionalFieldsMayBeLeftOut(t *testing.T) {
	t.Parallel()
	wished := func(_ context.Context, in *wish) (*httpapi.Reply[told], error) {
		return &httpapi.Reply[told]{Body: told{Data: in.Body.Name != nil}}, nil
	}
	routes := []httpapi.Route{
		httpapi.Post("/v1/wish", "wish", wished),
		httpapi.Patch("/v1/wish", "change", wished),
		httpapi.Post("/v1/need", "need", func(_ context.Context, in *need) (*httpapi.Reply[told], error) {
			return &httpapi.Reply[told]{Body: told{Data: in.Body.Name != ""}}, nil
		}),
	}
	host := httpapitest.New(t, routes...)
	for _, body := range []string{"", "{}"} {
		host.Do(t, httpapitest.Scenario{Method: "POST", Path: "/v1/wish", Body: body, Contains: []string{`"data":false`}})
	}
	host.Do(t, httpapitest.Scenario{Method: "POST", Path: "/v1/wish", Body: `{"name":"x"}`, Contains: []string{`"data":true`}})
	host.Do(t, httpapitest.Scenario{Method: "POST", Path: "/v1/wish", Body: `{"nam":"x"}`, Status: 400})
	host.Do(t, httpapitest.Scenario{Method: "POST", Path: "/v1/need", Status: 400})
	refused := host.Do(t, httpapitest.Scenario{Method: "PATCH", Path: "/v1/wish", Status: 400})
	require.Contains(t, refused.Body, "body")
}
