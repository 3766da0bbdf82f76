package web_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/testkit/httpapitest"
	"gpatlas/web/webtest"
)

// Requests that are refused before their operation is reached cost nothing, and say so where the operation has a price.
func TestRefusalsBeforeTheOperationCostNothing(t *testing.T) {
	t.Parallel()
	const paidPath = "/v1/paid"
	nothing, absent := map[string]string{"X-Charge": "0.00"}, map[string]string{"X-Charge": ""}
	options := webtest.Options(t, paid())
	options.Keys = credentials()
	h := hostOf(t, options)
	wrong := map[string]string{"Authorization": "Bearer gpa_live_wrong"}
	h.Do(t, httpapitest.Scenario{Path: paidPath, Status: 401, Header: wrong, WantHeader: nothing})
	h.Do(t, httpapitest.Scenario{Method: "HEAD", Path: paidPath, Status: 401, Header: wrong, WantHeader: nothing})
	h.Do(t, httpapitest.Scenario{Path: "/v1/nothing", Status: 401, Header: wrong, WantHeader: absent})
	h.Do(t, httpapitest.Scenario{Path: "/v1/nothing", Status: 404, WantHeader: absent})
	h.Do(t, httpapitest.Scenario{Method: "PUT", Path: paidPath, Status: 405, WantHeader: absent})

	options.Config.BodyLimit = 1000
	address := webtest.Serve(t, webtest.App(t, options))
	for _, path := range []string{paidPath, "/v1/nothing"} {
		for status, request := range map[int]string{
			413: " HTTP/1.1\r\nHost: x\r\nContent-Length: 1001\r\n\r\n" + strings.Repeat("x", 1001),
			400: " HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n",
		} {
			response := raw(t, address, "GET "+path+request)
			require.NoError(t, response.Body.Close())
			require.Equal(t, status, response.StatusCode, path)
			require.Equal(t, map[string]string{paidPath: "0.00"}[path], response.Header.Get("X-Charge"), "%d %s", status, path)
		}
	}
}
