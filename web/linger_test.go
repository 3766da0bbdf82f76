package web_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/console"
	"gpatlas/web/webtest"
)

// Guarantee: a client that sends its whole request before it reads is told why it was refused, also where the server stopped
// reading long before the end. Without that, the rest of the body meets a closed socket, and the answer is lost to a reset.
func TestRefusedBodiesAreAnswered(t *testing.T) {
	t.Parallel()
	address := strings.TrimPrefix(webtest.Serve(t, webtest.App(t, webtest.Options(t, (&fake{}).manifest()))), "http://")
	const mib = 1 << 20
	head := "POST /v1/items HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
	sized := func(n int) string {
		return fmt.Sprintf("%sContent-Length: %d\r\n\r\n%s", head, n, strings.Repeat("x", n))
	}
	chunk := fmt.Sprintf("%x\r\n%s\r\n", mib/2, strings.Repeat("x", mib/2))
	for name, test := range map[string]struct {
		request string
		status  int
	}{
		"a byte over the limit":    {sized(mib + 1), 413},
		"a KiB over the limit":     {sized(mib + 1024), 413},
		"half as much again":       {sized(mib + mib/2), 413},
		"twice the limit":          {sized(2 * mib), 413},
		"in chunks":                {head + "Transfer-Encoding: chunked\r\n\r\n" + strings.Repeat(chunk, 4) + "0\r\n\r\n", 413},
		"long headers":             {"GET /v1/list HTTP/1.1\r\nHost: x\r\nX-Long: " + strings.Repeat("x", mib) + "\r\n\r\n", 431},
		"two lengths, and a body":  {strings.Replace(sized(mib/2), "Host", "Content-Length: 3\r\nHost", 1), 400},
		"length and chunks beside": {head + "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + strings.Repeat("x", mib/2), 400},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for range 5 { // a reset may come too late to be seen
				conn, err := net.Dial("tcp", address)
				require.NoError(t, err)
				require.NoError(t, conn.SetDeadline(time.Now().Add(time.Minute)))
				_, err = io.WriteString(conn, test.request)
				require.NoError(t, err)
				response, err := http.ReadResponse(bufio.NewReader(conn), nil)
				require.NoError(t, err)
				body, err := io.ReadAll(response.Body)
				require.NoError(t, err)
				require.Equal(t, test.status, response.StatusCode, string(body))
				require.True(t, response.Close)
				require.NoError(t, response.Body.Close())
				_, err = conn.Read(make([]byte, 1))
				require.ErrorIs(t, err, io.EOF, "it ends the connection, and does not break it")
				require.NoError(t, conn.Close())
			}
		})
	}
}

// Guarantee: whoever goes on sending is cut off.
func TestRefusedBodiesEnd(t *testing.T) {
	t.Parallel()
	address := strings.TrimPrefix(webtest.Serve(t, webtest.App(t, webtest.Options(t, (&fake{}).manifest()))), "http://")
	conn, err := net.Dial("tcp", address)
	require.NoError(t, err)
	defer func() { _ = conn.Close() }()
	require.NoError(t, conn.SetDeadline(time.Now().Add(30*time.Second)))
	_, err = io.WriteString(conn, "POST /v1/items HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999\r\n\r\n")
	require.NoError(t, err)
	sent, block := 0, make([]byte, 1<<16)
	for err == nil && sent < 256<<20 {
		var n int
		n, err = conn.Write(block)
		sent += n
	}
	require.Error(t, err, "%d bytes were taken", sent)
	require.NotErrorIs(t, err, net.ErrClosed)
}

// Guarantee: an operation without a body ignores one, in whatever coding, up to the size at which the server stops reading.
// The document says so.
func TestBodiesThatAreIgnored(t *testing.T) {
	t.Parallel()
	options := webtest.Options(t, (&fake{}).manifest())
	options.Config.BodyLimit = 1000
	app := webtest.App(t, options)
	address := webtest.Serve(t, app)
	for name, test := range map[string]struct {
		headers, body string
		status        int
	}{
		"plain":              {"", "x", 200},
		"an unknown coding":  {"Content-Encoding: br\r\n", "x", 200},
		"a broken coding":    {"Content-Encoding: gzip\r\n", "x", 200},
		"packed twice":       {"Content-Encoding: gzip, gzip\r\n", "x", 200},
		"a bomb":             {"Content-Encoding: gzip\r\n", string(gzipped(t, make([]byte, 100_000))), 200},
		"too large":          {"", strings.Repeat("x", 1001), 413},
		"too large, unknown": {"Content-Encoding: br\r\n", strings.Repeat("x", 1001), 413},
	} {
		response := raw(t, address, fmt.Sprintf("GET /v1/items/x HTTP/1.1\r\nHost: x\r\n%sContent-Length: %d\r\n\r\n%s", test.headers, len(test.body), test.body))
		require.Equal(t, test.status, response.StatusCode, name)
		require.NoError(t, response.Body.Close())
	}
	for _, r := range app.API.Routes() {
		require.NotNil(t, r.Operation.Responses["413"], r.Operation.OperationID)
		require.Equal(t, r.Operation.RequestBody != nil, r.Operation.Responses["415"] != nil, r.Operation.OperationID)
	}
}

// Guarantee: what a page cannot take is refused with a page, also before any page has seen the request.
func TestPagesRefuseWithPages(t *testing.T) {
	t.Parallel()
	manifest := (&fake{}).manifest()
	manifest.Pages = []console.Page{{Method: http.MethodPost, Path: "/form", Load: func(context.Context, *console.Request) (console.View, error) {
		return console.View{Redirect: "/done"}, nil
	}}}
	options := webtest.Options(t, manifest)
	options.Config.BodyLimit = 1000
	address := webtest.Serve(t, webtest.App(t, options))
	const form = "Content-Type: application/x-www-form-urlencoded\r\n"
	bomb := string(gzipped(t, make([]byte, 100_000)))
	for name, test := range map[string]struct {
		headers, body string
		status        int
		want          string
	}{
		"good":              {form, "a=1", 303, ""},
		"packed":            {form + "Content-Encoding: gzip\r\n", string(gzipped(t, []byte("a=1"))), 303, ""},
		"too large":         {form, strings.Repeat("x", 1001), 413, "The request body is too large"},
		"a bomb":            {form + "Content-Encoding: gzip\r\n", bomb, 413, "The request body is too large"},
		"an unknown coding": {form + "Content-Encoding: br\r\n", "a=1", 415, "The request body may be sent plain or in one content coding"},
		"JSON":              {"Content-Type: application/json\r\n", "{}", 415, "A form must be sent as"},
		"two lengths":       {"Transfer-Encoding: identity\r\n", "a=1", 400, "The request is malformed"},
	} {
		response := raw(t, address, fmt.Sprintf("POST /form HTTP/1.1\r\nHost: x\r\nSec-Fetch-Site: same-origin\r\n%sContent-Length: %d\r\n\r\n%s", test.headers, len(test.body), test.body))
		body, err := io.ReadAll(response.Body)
		require.NoError(t, err, name)
		require.NoError(t, response.Body.Close())
		require.Equal(t, test.status, response.StatusCode, name)
		require.Contains(t, string(body), test.want, name)
		if test.status >= 400 {
			require.Equal(t, "text/html; charset=utf-8", response.Header.Get("Content-Type"), name)
			require.Contains(t, string(body), "<!doctype html>", name)
		}
	}
}
