package httpapi_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/charge"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/testkit/chargetest"
	"gpatlas/platform/testkit/httpapitest"
)

// pixel is a picture that holds every kind of byte.
var pixel = []byte("\x89PNG\r\n\x1a\n\x00\xff")

const rows = 5000

// rowsTo writes a table of invented firms and fails after some lines, if fail is not nil.
func rowsTo(w *bufio.Writer, most int, fail error) error {
	for i := range most {
		if _, err := fmt.Fprintf(w, "%d,Harbor Ridge %d\r\n", i, i); err != nil {
			return err
		}
	}
	return fail
}

func sends(reply func(word string) *httpapi.Reply[httpapi.Bytes]) func(context.Context, *wordInput) (*httpapi.Reply[httpapi.Bytes], error) {
	return func(_ context.Context, in *wordInput) (*httpapi.Reply[httpapi.Bytes], error) {
		return reply(in.Word), nil
	}
}

type wordInput struct {
	Word string `query:"word"`
}

func streams(most int, fail error) func(string) *httpapi.Reply[httpapi.Bytes] {
	return func(string) *httpapi.Reply[httpapi.Bytes] {
		return &httpapi.Reply[httpapi.Bytes]{Stream: func(w *bufio.Writer) error { return rowsTo(w, most, fail) }}
	}
}

// contents is operations with answers of every kind but JSON.
func contents(t *testing.T, meter charge.Meter) *httpapitest.Host {
	t.Helper()
	raw := func(text string) func(string) *httpapi.Reply[httpapi.Bytes] {
		return func(string) *httpapi.Reply[httpapi.Bytes] { return &httpapi.Reply[httpapi.Bytes]{Raw: []byte(text)} }
	}
	csv := httpapi.Produces("text/csv; charset=utf-8; header=present")
	return httpapitest.NewMetered(t, meter,
		httpapi.Get("/terms", "terms", sends(raw("# Terms\n")), httpapi.Produces("text/markdown; charset=utf-8")),
		httpapi.Get("/open/{id}.png", "open", func(_ context.Context, _ *struct {
			ID string `path:"id"`
		},
		) (*httpapi.Reply[httpapi.Bytes], error) {
			return &httpapi.Reply[httpapi.Bytes]{Raw: pixel}, nil
		}, httpapi.Produces("image/png"), httpapi.Volatile()),
		httpapi.Get("/page", "page", sends(raw("<!doctype html><title>Atlas</title>")), httpapi.Produces("text/html; charset=utf-8")),
		httpapi.Get("/table", "table", sends(raw("a  b\n")), httpapi.Produces("text/plain; charset=utf-8")),
		httpapi.Get("/click", "click", sends(httpapi.Redirect[httpapi.Bytes]), httpapi.Success(http.StatusFound)),
		httpapi.Get("/either", "either", func(_ context.Context, in *wordInput) (*httpapi.Reply[word], error) {
			return &httpapi.Reply[word]{ContentType: in.Word, Body: word{"w"}, Raw: map[string][]byte{"text/csv": []byte("w\r\n")}[in.Word]}, nil
		}, httpapi.Produces("application/json", "text/csv")),
		httpapi.Get("/maybe", "maybe", func(_ context.Context, in *wordInput) (*httpapi.Reply[word], error) {
			if in.Word != "" {
				return httpapi.Redirect[word]("/elsewhere"), nil
			}
			return &httpapi.Reply[word]{Body: word{"here"}}, nil
		}, httpapi.Answers(http.StatusFound, "It moved.")),
		httpapi.Get("/empty", "empty", sends(func(string) *httpapi.Reply[httpapi.Bytes] { return &httpapi.Reply[httpapi.Bytes]{} }), httpapi.Produces("text/plain")),
		httpapi.Get("/rows", "rows", sends(streams(rows, nil)), csv, httpapi.Volatile()),
		httpapi.Get("/paid-rows", "paid-rows", sends(streams(rows, nil)), csv, httpapi.Volatile(), httpapi.Charge(500_000, charge.PerRequest)),
		httpapi.Get("/broken", "broken", sends(streams(rows, errors.New("the disk is gone"))), csv, httpapi.Volatile()),
		httpapi.Get("/broken-at-once", "broken-at-once", sends(streams(0, errors.New("the disk is gone"))), csv, httpapi.Volatile()),
		httpapi.Get("/panics", "panics", sends(func(string) *httpapi.Reply[httpapi.Bytes] {
			return &httpapi.Reply[httpapi.Bytes]{Stream: func(*bufio.Writer) error { panic("amid the stream") }}
		}), csv, httpapi.Volatile()),
		httpapi.Get("/tagged-rows", "tagged-rows", sends(streams(1, nil)), csv),
	)
}

func table(t *testing.T) string {
	t.Helper()
	var b bytes.Buffer
	w := bufio.NewWriter(&b)
	require.NoError(t, rowsTo(w, rows, nil))
	require.NoError(t, w.Flush())
	return b.String()
}

func TestAnswersThatAreNotJSON(t *testing.T) {
	t.Parallel()
	h := contents(t, nil)
	typed := func(kind string) map[string]string { return map[string]string{"Content-Type": kind} }
	h.Run(t, []httpapitest.Scenario{
		{Name: "Markdown", Path: "/terms", WantHeader: typed("text/markdown; charset=utf-8"), Contains: []string{"# Terms\n"}},
		{Name: "HTML", Path: "/page", WantHeader: typed("text/html; charset=utf-8"), Contains: []string{"<title>"}},
		{Name: "text", Path: "/table", WantHeader: typed("text/plain; charset=utf-8"), Contains: []string{"a  b\n"}},
		{Name: "PNG", Path: "/open/a-1.png", WantHeader: map[string]string{"Content-Type": "image/png", "Etag": "", "Cache-Control": "no-store"}, Contains: []string{string(pixel)}},
		{Name: "redirect", Path: "/click?word=https://example.com/a?b=c%26d", Status: 302, WantHeader: map[string]string{
			"Location": "https://example.com/a?b=c&d", "Etag": "", "Cache-Control": "no-store",
		}},
		{Name: "redirect with a line break", Path: "/click?word=/a%0D%0AX-Injected:%201", Status: 302, WantHeader: map[string]string{"X-Injected": ""}},
		{Name: "here", Path: "/maybe", WantJSON: `{"word":"here"}`},
		{Name: "elsewhere", Path: "/maybe?word=x", Status: 302, WantHeader: map[string]string{"Location": "/elsewhere", "Etag": ""}},
		{Name: "JSON by default", Path: "/either", WantJSON: `{"word":"w"}`},
		{Name: "CSV by choice", Path: "/either?word=text/csv", WantHeader: typed("text/csv"), Contains: []string{"w\r\n"}},
		{Name: "undeclared", Path: "/either?word=text/html", Status: 500},
		{Name: "no content", Path: "/empty", Status: 500},
		{Name: "stream with a tag", Path: "/tagged-rows", Status: 500},
		{Name: "stream", Path: "/rows", Contains: []string{table(t)}, WantHeader: map[string]string{
			"Content-Type": "text/csv; charset=utf-8; header=present", "Etag": "", "Cache-Control": "no-store",
		}},
		{Name: "fault", Path: "/rows?words=1", Status: 400, WantHeader: typed("application/json")},
		{Name: "HEAD of a stream", Method: "HEAD", Path: "/rows", WantHeader: typed("text/csv; charset=utf-8; header=present")},
		{Name: "HEAD", Method: "HEAD", Path: "/terms", WantHeader: typed("text/markdown; charset=utf-8")},
	})
	tag := h.Do(t, httpapitest.Scenario{Path: "/terms"}).Header.Get("ETag")
	require.NotEmpty(t, tag)
	h.Do(t, httpapitest.Scenario{Path: "/terms", Header: map[string]string{"If-None-Match": tag}, Status: 304})
}

// The document says what each operation answers with: JSON's schema, text, bytes, or where to go.
func TestAnswersThatAreNotJSONAreDocumented(t *testing.T) {
	t.Parallel()
	document, err := contents(t, nil).API.JSON()
	require.NoError(t, err)
	for path, want := range map[string]string{
		"/terms":         `{"text/markdown":{"schema":{"type":"string"}}}`,
		"/open/{id}.png": `{"image/png":{"schema":{}}}`,
		"/rows":          `{"text/csv":{"schema":{"type":"string"}}}`,
		"/either":        `{"application/json":{"schema":{"$ref":"#/components/schemas/Word"}},"text/csv":{"schema":{"type":"string"}}}`,
	} {
		require.JSONEq(t, want, toJSON(t, at(t, document, "paths", path, "get", "responses", "200", "content")), path)
	}
	found := at(t, document, "paths", "/click", "get", "responses", "302")
	require.NotContains(t, found, "content")
	require.Contains(t, at(t, document, "paths", "/click", "get", "responses", "302", "headers"), "Location")
	require.NotContains(t, string(document), `"Bytes"`)
}

// A stream is paid for before its first byte. Nothing is charged for HEAD, and a refused charge runs no stream.
func TestStreamsAreCharged(t *testing.T) {
	t.Parallel()
	meter := &chargetest.Meter{}
	h := contents(t, meter)
	h.Do(t, httpapitest.Scenario{Method: "HEAD", Path: "/paid-rows", WantHeader: map[string]string{"X-Charge": "0.00"}})
	require.Empty(t, meter.Charged())
	h.Do(t, httpapitest.Scenario{Path: "/paid-rows", WantHeader: map[string]string{"X-Charge": "0.50"}, Contains: []string{table(t)}})
	require.Len(t, meter.Charged(), 1)
	refusing := contents(t, &chargetest.Meter{Failure: errors.New("the ledger is away")})
	refusing.Do(t, httpapitest.Scenario{Path: "/paid-rows", Status: 503, WantHeader: map[string]string{"X-Charge": "0.00", "Content-Type": "application/json"}})
}

// hosted serves an app on a real socket: only there does it show how an answer ends.
func hosted(t *testing.T, h *httpapitest.Host) string {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	done := make(chan error, 1)
	go func() { done <- h.App.Listener(listener) }()
	t.Cleanup(func() {
		require.NoError(t, h.App.Shutdown())
		require.NoError(t, <-done)
	})
	return listener.Addr().String()
}

// A stream that breaks off ends without the mark that ends a whole one, and its connection serves no other request: no
// caller can take what came for all there is.
func TestBrokenStreamsLookBroken(t *testing.T) {
	t.Parallel()
	address := hosted(t, contents(t, nil))
	for _, path := range []string{"/broken", "/broken-at-once", "/panics"} {
		response, err := http.Get("http://" + address + path)
		require.NoError(t, err, path)
		body, err := io.ReadAll(response.Body)
		require.NoError(t, response.Body.Close())
		require.ErrorIs(t, err, io.ErrUnexpectedEOF, path)
		require.Equal(t, 200, response.StatusCode, "the status was sent before")
		if path == "/broken" {
			require.Equal(t, table(t), string(body), "what was written is sent")
		}
	}
	whole, err := http.Get("http://" + address + "/rows")
	require.NoError(t, err)
	body, err := io.ReadAll(whole.Body)
	require.NoError(t, errors.Join(err, whole.Body.Close()))
	require.Equal(t, table(t), string(body))
}

// HTTP/1.0 knows no marks: a stream is collected first, so that one which breaks is a failure as any other.
func TestStreamsOfHTTP10(t *testing.T) {
	t.Parallel()
	address := hosted(t, contents(t, nil))
	for path, want := range map[string]int{"/rows": 200, "/broken": 500, "/panics": 500} {
		conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", address)
		require.NoError(t, err)
		require.NoError(t, conn.SetDeadline(time.Now().Add(time.Minute)))
		_, err = io.WriteString(conn, "GET "+path+" HTTP/1.0\r\nHost: x\r\n\r\n")
		require.NoError(t, err)
		response, err := http.ReadResponse(bufio.NewReader(conn), nil)
		require.NoError(t, err)
		body, err := io.ReadAll(response.Body)
		require.NoError(t, errors.Join(err, response.Body.Close(), conn.Close()))
		require.Equal(t, want, response.StatusCode)
		require.EqualValues(t, len(body), response.ContentLength)
		if want == 200 {
			require.Equal(t, table(t), string(body))
		}
	}
}

// A caller who hangs up ends the writer: nothing is left running.
func TestStreamsEndWithTheirCaller(t *testing.T) {
	t.Parallel()
	ended := make(chan error, 1)
	h := httpapitest.New(t, httpapi.Get("/endless", "endless", sends(func(string) *httpapi.Reply[httpapi.Bytes] {
		return &httpapi.Reply[httpapi.Bytes]{Stream: func(w *bufio.Writer) error {
			for {
				if _, err := w.WriteString(strings.Repeat("x", 1000)); err != nil {
					ended <- err
					return err
				}
			}
		}}
	}), httpapi.Produces("text/plain"), httpapi.Volatile()))
	response, err := http.Get("http://" + hosted(t, h) + "/endless")
	require.NoError(t, err)
	_, err = io.CopyN(io.Discard, response.Body, 100_000)
	require.NoError(t, errors.Join(err, response.Body.Close()))
	select {
	case err := <-ended:
		require.ErrorIs(t, err, io.ErrClosedPipe)
	case <-time.After(20 * time.Second):
		require.Fail(t, "the writer runs on")
	}
}
