package httpclient_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/httpclient"
	"gpatlas/platform/testkit/clocktest"
)

// kit is a client before a server whose answers are a list: the n-th request gets the n-th, the last one ever after.
type kit struct {
	*httpclient.Client

	clock *clocktest.Clock
	url   string

	mu       sync.Mutex
	requests []*http.Request
}

func newKit(t *testing.T, cfg httpclient.Config, answers ...http.HandlerFunc) *kit {
	t.Helper()
	k := &kit{clock: clocktest.At("2026-11-21T09:00:00Z")}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		k.mu.Lock()
		answer := answers[min(len(k.requests), len(answers)-1)]
		k.requests = append(k.requests, r)
		k.mu.Unlock()
		answer(w, r)
	}))
	t.Cleanup(server.Close)
	k.url = server.URL + "/firm?key=secret"
	cfg.UserAgent, cfg.Sleep = "GP Atlas tests@example.com", k.clock.Sleep
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	k.Client = httpclient.New(cfg, transport, k.clock, slog.New(slog.NewTextHandler(t.Output(), nil)))
	return k
}

func (k *kit) asked() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return len(k.requests)
}

func ok(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, body) }
}

func status(code int, header ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(code)
	}
}

// cutOff announces more than it sends.
func cutOff(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Length", "100")
	_, _ = io.WriteString(w, "a part")
}

func zipped(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		_, _ = io.WriteString(z, body)
		_ = z.Close()
		_, _ = w.Write(b.Bytes())
	}
}

func TestGet(t *testing.T) {
	t.Parallel()
	k := newKit(t, httpclient.Config{}, ok(`{"a":1}`))
	body, err := k.Get(t.Context(), k.url)
	require.NoError(t, err)
	require.JSONEq(t, `{"a":1}`, string(body))
	require.Equal(t, "GP Atlas tests@example.com", k.requests[0].UserAgent())
	require.Equal(t, "application/json", k.requests[0].Header.Get("Accept"))
	require.Equal(t, "secret", k.requests[0].URL.Query().Get("key"))
	require.Empty(t, k.clock.Slept())
}

// Guarantee: a caller who has the current version is told so, also after a repetition. Without a version 304 is a failure.
func TestGetNewer(t *testing.T) {
	t.Parallel()
	known := httpclient.Version{ETag: `W/"7"`, LastModified: "Sat, 21 Nov 2026 08:00:00 GMT"}
	versioned := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("ETag", known.ETag)
		w.Header().Set("Last-Modified", known.LastModified)
		_, _ = io.WriteString(w, "x")
	}
	k := newKit(t, httpclient.Config{}, versioned, status(503), status(304))
	answer, err := k.GetNewer(t.Context(), k.url, httpclient.Version{})
	require.NoError(t, err)
	require.Equal(t, httpclient.Answer{Body: []byte("x"), Version: known}, answer)
	require.Empty(t, k.requests[0].Header.Get("If-None-Match"))
	answer, err = k.GetNewer(t.Context(), k.url, known)
	require.NoError(t, err)
	require.Equal(t, httpclient.Answer{Version: known, Unchanged: true}, answer)
	require.Equal(t, known.ETag, k.requests[2].Header.Get("If-None-Match"))
	require.Equal(t, known.LastModified, k.requests[2].Header.Get("If-Modified-Since"))
	_, err = k.Get(t.Context(), k.url)
	require.ErrorContains(t, err, "304")
}

// A body is sent again with each attempt, and headers stay with the server that they are for.
func TestSend(t *testing.T) {
	t.Parallel()
	var bodies []string
	read := func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		bodies = append(bodies, string(b))
		if len(bodies) == 1 {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		ok("x")(w, r)
	}
	k := newKit(t, httpclient.Config{}, read)
	answer, err := k.Send(t.Context(), httpclient.Request{Method: http.MethodPost, URL: k.url, Header: http.Header{"X-Api-Key": {"secret"}}, Body: []byte(`{"a":1}`)})
	require.NoError(t, err)
	require.Equal(t, "x", string(answer.Body))
	require.Equal(t, []string{`{"a":1}`, `{"a":1}`}, bodies)
	require.Equal(t, http.MethodPost, k.requests[1].Method)
	require.Equal(t, "secret", k.requests[1].Header.Get("X-Api-Key"))
	require.Equal(t, "application/json", k.requests[1].Header.Get("Content-Type"))
}

// Guarantee: what may pass is tried again, three times in all, after growing waits; what may not is not.
func TestRepetition(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		answers []http.HandlerFunc
		asked   int
		want    string // of the error; empty = answered
		status  int
		passing bool
	}{
		"once":            {[]http.HandlerFunc{ok("x")}, 1, "", 0, false},
		"busy, then well": {[]http.HandlerFunc{status(429), ok("x")}, 2, "", 0, false},
		"twice":           {[]http.HandlerFunc{status(500), status(503), ok("x")}, 3, "", 0, false},
		"cut off":         {[]http.HandlerFunc{cutOff, ok("x")}, 2, "", 0, false},
		"ever cut off":    {[]http.HandlerFunc{cutOff}, 3, "unexpected EOF", 0, true},
		"thrice":          {[]http.HandlerFunc{status(500)}, 3, "500 Internal Server Error (given up after 3 attempts)", 500, true},
		"ever busy":       {[]http.HandlerFunc{status(429)}, 3, "429", 429, true},
		"not there":       {[]http.HandlerFunc{status(404)}, 1, "404 Not Found", 404, false},
		"forbidden":       {[]http.HandlerFunc{status(403)}, 1, "403", 403, false},
		"no content":      {[]http.HandlerFunc{status(204)}, 1, "204", 204, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newKit(t, httpclient.Config{}, test.answers...)
			body, err := k.Get(t.Context(), k.url)
			require.Equal(t, test.asked, k.asked())
			require.Len(t, k.clock.Slept(), test.asked-1)
			for i, d := range k.clock.Slept() {
				whole := 250 * time.Millisecond << i
				require.True(t, d >= whole/2 && d < whole, "wait %d: %s", i, d)
			}
			if test.want == "" {
				require.NoError(t, err)
				require.Equal(t, "x", string(body))
				return
			}
			require.ErrorContains(t, err, test.want)
			require.NotContains(t, err.Error(), "secret")
			require.Equal(t, test.passing, httpclient.Passing(err))
			if test.status != 0 {
				var e *httpclient.StatusError
				require.ErrorAs(t, err, &e)
				require.Equal(t, test.status, e.Status)
			}
		})
	}
}

// Guarantee: the wait that the server names is kept, unless the answer would then be too late.
func TestRetryAfter(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		header string
		asked  int
		slept  time.Duration // 0 = the client's own
	}{
		"seconds":  {"7", 2, 7 * time.Second},
		"date":     {"Sat, 21 Nov 2026 09:00:05 GMT", 2, 5 * time.Second},
		"past":     {"Sat, 21 Nov 2026 08:00:05 GMT", 2, 0},
		"negative": {"-7", 2, 0},
		"nonsense": {"soon", 2, 0},
		"too late": {"11", 1, 0},
		"a day":    {"86400", 1, 0},
		"for ever": {"99999999999999999999", 1, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newKit(t, httpclient.Config{Timeout: 10 * time.Second}, status(429, "Retry-After", test.header), ok("x"))
			_, err := k.Get(t.Context(), k.url)
			require.Equal(t, test.asked, k.asked())
			switch {
			case test.asked == 1:
				require.ErrorContains(t, err, "would be too late")
				require.True(t, httpclient.Passing(err))
				require.Empty(t, k.clock.Slept())
			case test.slept == 0:
				require.NoError(t, err)
				require.Less(t, k.clock.Slept()[0], time.Second)
			default:
				require.NoError(t, err)
				require.Equal(t, test.slept, k.clock.Slept()[0])
			}
		})
	}
}

// Guarantee: an answer has no more bytes than allowed, announced or not, packed or not.
func TestSize(t *testing.T) {
	t.Parallel()
	const most = 1000
	unannounced := func(w http.ResponseWriter, _ *http.Request) {
		for range most + 1 {
			_, _ = io.WriteString(w, "x")
			_ = http.NewResponseController(w).Flush()
		}
	}
	for name, answer := range map[string]http.HandlerFunc{
		"announced": ok(strings.Repeat("x", most+1)), "unannounced": unannounced, "packed": zipped(strings.Repeat("x", most+1)),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newKit(t, httpclient.Config{BytesMax: most}, answer)
			_, err := k.Get(t.Context(), k.url)
			require.ErrorIs(t, err, httpclient.ErrTooLarge)
			require.Equal(t, 1, k.asked())
			require.False(t, httpclient.Passing(err))
		})
	}
	for name, answer := range map[string]http.HandlerFunc{"plain": ok(strings.Repeat("x", most)), "packed just so": zipped(strings.Repeat("x", most))} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newKit(t, httpclient.Config{BytesMax: most}, answer)
			body, err := k.Get(t.Context(), k.url)
			require.NoError(t, err)
			require.Len(t, body, most)
		})
	}
}

func TestRedirects(t *testing.T) {
	t.Parallel()
	reached := false
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached = true }))
	t.Cleanup(elsewhere.Close)
	k := newKit(t, httpclient.Config{}, status(302, "Location", elsewhere.URL))
	_, err := k.Get(t.Context(), k.url)
	require.ErrorIs(t, err, httpclient.ErrRedirect)
	require.ErrorContains(t, err, "another host")
	require.False(t, reached)
	require.Equal(t, 1, k.asked())

	k = newKit(t, httpclient.Config{}, status(301, "Location", "/moved"), ok("x"))
	body, err := k.Get(t.Context(), k.url)
	require.NoError(t, err)
	require.Equal(t, "x", string(body))

	k = newKit(t, httpclient.Config{}, status(301, "Location", "/round"))
	_, err = k.Get(t.Context(), k.url)
	require.ErrorIs(t, err, httpclient.ErrRedirect)
	require.Equal(t, 4, k.asked())
}

// Guarantee: a question ends when its time is over, or when the caller goes away, and reports which.
func TestTime(t *testing.T) {
	t.Parallel()
	silent := func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	k := newKit(t, httpclient.Config{Timeout: time.Second}, silent)
	_, err := k.Get(t.Context(), k.url)
	require.ErrorContains(t, err, "no response in time")
	require.True(t, httpclient.Passing(err))
	require.Equal(t, 1, k.asked())

	errLeft := errors.New("left")
	ctx, leave := context.WithCancelCause(t.Context())
	k = newKit(t, httpclient.Config{}, func(w http.ResponseWriter, r *http.Request) {
		leave(errLeft)
		silent(w, r)
	})
	_, err = k.Get(ctx, k.url)
	require.ErrorIs(t, err, errLeft)
	require.False(t, httpclient.Passing(err), "the server may be well")
}

func TestNotReached(t *testing.T) {
	t.Parallel()
	k := newKit(t, httpclient.Config{}, ok("x"))
	server := httptest.NewServer(nil)
	server.Close()
	_, err := k.Get(t.Context(), server.URL+"/?key=secret")
	require.ErrorContains(t, err, "given up after 3 attempts")
	require.True(t, httpclient.Passing(err))
	require.NotContains(t, err.Error(), "secret")
	_, err = k.Get(t.Context(), "http://[::1/")
	require.Error(t, err)
	require.False(t, httpclient.Passing(err))
}

// Guarantee: requests keep to the rate; one whose turn would come too late is refused at once.
func TestRate(t *testing.T) {
	t.Parallel()
	k := newKit(t, httpclient.Config{PerSecond: 2}, ok("x"))
	for range 3 {
		_, err := k.Get(t.Context(), k.url)
		require.NoError(t, err)
	}
	require.Equal(t, []time.Duration{500 * time.Millisecond, 500 * time.Millisecond}, k.clock.Slept())

	k = newKit(t, httpclient.Config{PerSecond: 0.01}, ok("x"))
	_, err := k.Get(t.Context(), k.url)
	require.NoError(t, err)
	_, err = k.Get(t.Context(), k.url)
	require.ErrorIs(t, err, httpclient.ErrBusy)
	require.False(t, httpclient.Passing(err))
	require.Equal(t, 1, k.asked())
}
