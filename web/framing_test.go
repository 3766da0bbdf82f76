package web_test

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/web/webtest"
)

// A request whose end two servers could see in two places is refused, and nothing that follows on its connection is read:
// behind a proxy that saw another end it would be answered to somebody else.
func TestAmbiguousFraming(t *testing.T) {
	t.Parallel()
	address := strings.TrimPrefix(webtest.Serve(t, webtest.App(t, webtest.Options(t, (&fake{}).manifest()))), "http://")
	const chunk = "c\r\n{\"name\":\"x\"}\r\n0\r\n\r\n"
	for name, test := range map[string]struct {
		request string
		status  int
	}{
		"length and chunks":         {"POST /v1/items HTTP/1.1\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n", 400},
		"chunks and length":         {"POST /v1/items HTTP/1.1\r\nTransfer-Encoding: chunked\r\nContent-Length: 4\r\n", 400},
		"in other letters":          {"POST /v1/items HTTP/1.1\r\ncontent-LENGTH: 4\r\ntransfer-ENCODING: Chunked\r\n", 400},
		"length and identity":       {"POST /v1/items HTTP/1.1\r\nContent-Length: 22\r\nTransfer-Encoding: identity\r\n", 400},
		"identity alone":            {"POST /v1/items HTTP/1.1\r\nTransfer-Encoding: identity\r\n", 400},
		"chunks twice":              {"POST /v1/items HTTP/1.1\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", 400},
		"chunks in gzip":            {"POST /v1/items HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\n", 400},
		"chunks in HTTP/1.0":        {"POST /v1/items HTTP/1.0\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n", 400},
		"a blank before the colon":  {"POST /v1/items HTTP/1.1\r\nContent-Length: 4\r\nTransfer-Encoding : chunked\r\n", 400},
		"a folded line":             {"POST /v1/items HTTP/1.1\r\nContent-Length: 4\r\nTransfer-Encoding:\r\n chunked\r\n", 400},
		"two lengths":               {"POST /v1/items HTTP/1.1\r\nContent-Length: 22\r\nContent-Length: 4\r\n", 400},
		"a signed length":           {"POST /v1/items HTTP/1.1\r\nContent-Length: +22\r\n", 400},
		"no operation reads it":     {"GET /v1/list HTTP/1.1\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n", 400},
		"on a path that is nowhere": {"POST /v1/nope HTTP/1.1\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n", 400},
		"on a preflight":            {"OPTIONS /v1/items HTTP/1.1\r\nOrigin: https://x.example\r\nAccess-Control-Request-Method: POST\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n", 400},
		"chunks alone":              {"POST /v1/items HTTP/1.1\r\nTransfer-Encoding: chunked\r\n", 200},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			conn, err := net.Dial("tcp", address)
			require.NoError(t, err)
			defer func() { _ = conn.Close() }()
			require.NoError(t, conn.SetDeadline(time.Now().Add(time.Minute)))
			_, _ = io.WriteString(conn, test.request+"Host: x\r\nContent-Type: application/json\r\n\r\n"+chunk)
			_, _ = io.WriteString(conn, "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n") // the smuggled one
			reader := bufio.NewReader(conn)
			response, err := http.ReadResponse(reader, nil)
			require.NoError(t, err)
			body, err := io.ReadAll(response.Body)
			require.NoError(t, err)
			require.NoError(t, response.Body.Close())
			require.Equal(t, test.status, response.StatusCode, string(body))
			if test.status == http.StatusOK {
				require.False(t, response.Close)
				second, err := http.ReadResponse(reader, nil)
				require.NoError(t, err)
				require.Equal(t, 200, second.StatusCode)
				require.NoError(t, second.Body.Close())
				return
			}
			require.True(t, response.Close, "the connection is closed")
			require.Contains(t, string(body), `{"detail":"The request is malformed`)
			rest, _ := io.ReadAll(reader) // a reset says the same as the end
			require.Empty(t, string(rest), "nothing after it is answered")
		})
	}
}
