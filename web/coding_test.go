package web_test

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/valyala/fasthttp"

	"gpatlas/platform/testkit/httpapitest"
	"gpatlas/web/webtest"
)

func gzipped(tb testing.TB, parts ...[]byte) []byte {
	tb.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	for _, p := range parts {
		_, err := w.Write(p)
		require.NoError(tb, err)
	}
	require.NoError(tb, w.Close())
	return b.Bytes()
}

func deflated(tb testing.TB, data []byte) []byte {
	tb.Helper()
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	_, err := w.Write(data)
	require.NoError(tb, err)
	require.NoError(tb, w.Close())
	return b.Bytes()
}

// post sends a body with headers, as pairs of a name and a value; a name may come more than once.
func post(tb testing.TB, url string, body []byte, headers ...string) httpapitest.Response {
	tb.Helper()
	request, err := http.NewRequestWithContext(tb.Context(), http.MethodPost, url, bytes.NewReader(body))
	require.NoError(tb, err)
	request.Header.Set("Content-Type", "application/json")
	for i := 0; i+1 < len(headers); i += 2 {
		if headers[i] == "Content-Type" {
			request.Header.Del(headers[i])
		}
		request.Header.Add(headers[i], headers[i+1])
	}
	response, err := client().Do(request)
	require.NoError(tb, err)
	defer func() { _ = response.Body.Close() }()
	answer, err := io.ReadAll(response.Body)
	require.NoError(tb, err)
	return httpapitest.Response{Status: response.StatusCode, Header: response.Header, Body: string(answer)}
}

// A body may come in one coding that the service knows. Everything else is refused in the service's own words, and is not
// read as a body.
func TestContentCodings(t *testing.T) {
	t.Parallel()
	options := webtest.Options(t, (&fake{}).manifest())
	options.Config.BodyLimit = 1000
	url := webtest.Serve(t, webtest.App(t, options)) + "/v1/items"
	plain := []byte(`{"name":"Invented Capital"}`)
	packed := gzipped(t, plain)
	atLimit := []byte(`{"name":"` + strings.Repeat("x", 1000-len(`{"name":""}`)) + `"}`)
	const unsupported = "The request body may be sent plain or in one content coding: gzip or deflate"
	for name, test := range map[string]struct {
		coding []string // lines of Content-Encoding
		body   []byte
		status int
		want   string
	}{
		"none":                     {nil, plain, 200, `{"name":"Invented Capital"}`},
		"identity":                 {[]string{"identity"}, plain, 200, `{"name":"Invented Capital"}`},
		"gzip":                     {[]string{"gzip"}, packed, 200, `{"name":"Invented Capital"}`},
		"gzip by its old name":     {[]string{"x-gzip"}, packed, 200, `{"name":"Invented Capital"}`},
		"other letters":            {[]string{" GZip "}, packed, 200, `{"name":"Invented Capital"}`},
		"deflate":                  {[]string{"deflate"}, deflated(t, plain), 200, `{"name":"Invented Capital"}`},
		"identity beside gzip":     {[]string{"gzip, identity"}, packed, 200, `{"name":"Invented Capital"}`},
		"as long as may be":        {[]string{"gzip"}, gzipped(t, atLimit), 200, `{"name":"xxx`},
		"one byte too long":        {[]string{"gzip"}, gzipped(t, append(atLimit, ' ')), 413, "The request body is too large"},
		"much too long":            {[]string{"gzip"}, gzipped(t, make([]byte, 1<<20)), 413, "The request body is too large"},
		"much too long, deflate":   {[]string{"deflate"}, deflated(t, make([]byte, 1<<20/2)), 413, "The request body is too large"},
		"twice":                    {[]string{"gzip, gzip"}, gzipped(t, packed), 415, unsupported},
		"twice, on two lines":      {[]string{"gzip", "gzip"}, gzipped(t, packed), 415, unsupported},
		"two different ones":       {[]string{"deflate, gzip"}, gzipped(t, deflated(t, plain)), 415, unsupported},
		"identity on another line": {[]string{"gzip", "identity"}, packed, 200, `{"name":"Invented Capital"}`},
		"br":                       {[]string{"br"}, fasthttp.AppendBrotliBytes(nil, plain), 415, unsupported},
		"unknown":                  {[]string{"utf-8"}, plain, 415, unsupported},
		"not gzip":                 {[]string{"gzip"}, plain, 400, "is not gzip as Content-Encoding says"},
		"not deflate":              {[]string{"deflate"}, plain, 400, "is not deflate as Content-Encoding says"},
		"cut off":                  {[]string{"gzip"}, packed[:len(packed)-4], 400, "is not gzip as Content-Encoding says"},
		"wrong checksum":           {[]string{"gzip"}, append(packed[:len(packed)-8:len(packed)-8], 0, 0, 0, 0, 0, 0, 0, 0), 400, "is not gzip as Content-Encoding says"},
		"something after gzip":     {[]string{"gzip"}, append(slices.Clip(packed), "{}"...), 400, "is not gzip as Content-Encoding says"},
		"something after deflate":  {[]string{"deflate"}, append(deflated(t, plain), "{}"...), 400, "is not deflate as Content-Encoding says"},
		"nothing at all":           {[]string{"gzip"}, nil, 400, "is required"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var headers []string
			for _, line := range test.coding {
				headers = append(headers, "Content-Encoding", line)
			}
			got := post(t, url, test.body, headers...)
			require.Equal(t, test.status, got.Status, got.Body)
			require.Contains(t, got.Body, test.want)
			if test.status == http.StatusUnsupportedMediaType {
				require.Equal(t, "gzip, deflate", got.Header.Get("Accept-Encoding"))
			} else {
				require.Empty(t, got.Header.Get("Accept-Encoding"))
			}
		})
	}
}

// A form is unpacked by the same rules as JSON; what is no JSON at all is refused without a look inside.
func TestOtherBodies(t *testing.T) {
	t.Parallel()
	options := webtest.Options(t, (&fake{}).manifest())
	options.Config.BodyLimit = 2000
	url := webtest.Serve(t, webtest.App(t, options)) + "/v1/items"
	parts := "--b\r\nContent-Disposition: form-data; name=\"name\"\r\n\r\nx\r\n--b--\r\n"
	for name, test := range map[string]struct {
		kind   string
		body   []byte
		coding string
		status int
	}{
		"form":              {"application/x-www-form-urlencoded", []byte("name=x"), "", 415},
		"packed form":       {"application/x-www-form-urlencoded", gzipped(t, []byte("name=x")), "gzip", 415},
		"form bomb":         {"application/x-www-form-urlencoded", gzipped(t, make([]byte, 1<<20)), "gzip", 413},
		"multipart":         {"multipart/form-data; boundary=b", []byte(parts), "", 415},
		"packed multipart":  {"multipart/form-data; boundary=b", gzipped(t, []byte(parts)), "gzip", 415},
		"multipart bomb":    {"multipart/form-data; boundary=b", gzipped(t, make([]byte, 1<<20)), "gzip", 413},
		"multipart, broken": {"multipart/form-data; boundary=b", []byte("--b\r\n"), "", 415},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			headers := []string{"Content-Type", test.kind}
			if test.coding != "" {
				headers = append(headers, "Content-Encoding", test.coding)
			}
			got := post(t, url, test.body, headers...)
			require.Equal(t, test.status, got.Status, got.Body)
			require.NotContains(t, got.Body, "name=x")
		})
	}
}

// zeros are n MiB of zeros, packed.
func zeros(tb testing.TB, mib int) []byte {
	tb.Helper()
	parts := make([][]byte, mib)
	chunk := make([]byte, 1<<20)
	for i := range parts {
		parts[i] = chunk
	}
	return gzipped(tb, parts...)
}

// The peak memory of a process that is sent bombs is that of one that is sent plain bodies of the greatest size: what
// a body unpacks to is bounded while it is unpacked.
func TestBombsTakeNoMemory(t *testing.T) {
	t.Parallel()
	once := zeros(t, 128)
	twice := gzipped(t, once)
	require.Less(t, len(twice), 1000, "it is a bomb")
	const together = 8
	plain := []byte(`{"name":"` + strings.Repeat("x", 1<<20-len(`{"name":""}`)) + `"}`)
	peak := func(body []byte, status int, headers ...string) int64 {
		host := startHost(t)
		answered := make(chan httpapitest.Response, together)
		for range together {
			go func() {
				var got httpapitest.Response
				defer func() { answered <- got }() // also where post fails
				got = post(t, host.url+"/v1/items", body, headers...)
			}()
		}
		for range together {
			got := <-answered
			require.Equal(t, status, got.Status, got.Body[:min(len(got.Body), 200)])
		}
		return host.end()
	}
	const mib = 1 << 20
	usual := peak(plain, http.StatusOK)
	for name, bomb := range map[string]int64{
		"gzip, gzip": peak(twice, http.StatusUnsupportedMediaType, "Content-Encoding", "gzip, gzip"),
		"two lines":  peak(twice, http.StatusUnsupportedMediaType, "Content-Encoding", "gzip", "Content-Encoding", "gzip"),
		"gzip":       peak(once, http.StatusRequestEntityTooLarge, "Content-Encoding", "gzip"),
	} {
		t.Logf("%d at once, %s: %d MiB; plain bodies of 1 MiB: %d MiB", together, name, bomb/mib, usual/mib)
		// Unpacked, they would be 1 GiB. The race detector multiplies memory and makes it uneven, hence the factor.
		require.Less(t, bomb, 2*usual+64*mib, "%s: %d MiB, plain bodies take %d MiB", name, bomb/mib, usual/mib)
	}
}
