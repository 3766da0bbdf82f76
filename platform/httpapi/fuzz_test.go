package httpapi_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/valyala/fasthttp"

	"gpatlas/platform/testkit/httpapitest"
)

// Whatever stands in an address is answered or refused in the right shape, never with a failure of ours.
func FuzzAddress(f *testing.F) {
	for _, seed := range []string{
		"/v1/gps?limit=10&offset=5", "/v1/gps?q=%00", "/v1/gps?q=%ff&q=%", "/v1/gps/12", "/v1/gps/%zz", "/v1/gps?tags=a,b&since=2026-01-31",
		"/v1/gps?=&&=1&x", "/v1/gps?page=9223372036854775807", "/v1/gps?small=-129&ratio=1e400", "/v1/gps?q=\"><", "//", "/v1/gps?sort=name&sort",
	} {
		f.Add(seed)
	}
	handler := httpapitest.New(f, routes()...).App.Handler()
	f.Fuzz(func(t *testing.T, address string) {
		var request fasthttp.Request
		request.SetRequestURI(address)
		request.Header.SetHost("x")
		var ctx fasthttp.RequestCtx
		ctx.Init(&request, nil, nil)
		handler(&ctx)
		require.Contains(t, []int{200, 400, 404}, ctx.Response.StatusCode(), "%s", ctx.Response.Body())
		require.True(t, json.Valid(ctx.Response.Body()), "%s", ctx.Response.Body())
		require.False(t, strings.ContainsAny(string(ctx.Response.Header.Peek("Link")), "\r\n\x00"))
	})
}
