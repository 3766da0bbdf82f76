package fetch_test

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/dataops/internal/fetch"
	"gpatlas/platform/testkit/clocktest"
)

// naps are the sleeps of a second and more: those between tries.
func (k *kit) naps() (out []time.Duration) {
	for _, d := range k.clock.Slept() {
		if d >= 500*time.Millisecond {
			out = append(out, d)
		}
	}
	return out
}

// kit is a client before a server whose answers are a list: the n-th request gets the n-th, the last one ever after.
type kit struct {
	t      *testing.T
	client *fetch.Client
	clock  *clocktest.Clock
	server *httptest.Server
	dir    string

	mu   sync.Mutex
	seen []*http.Request
}

func newKit(t *testing.T, change func(*fetch.Config), answers ...http.HandlerFunc) *kit {
	t.Helper()
	k := &kit{t: t, clock: clocktest.At("2026-11-21T09:00:00Z"), dir: t.TempDir()}
	k.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		k.mu.Lock()
		n := min(len(k.seen), len(answers)-1)
		k.seen = append(k.seen, r.Clone(context.WithoutCancel(r.Context())))
		k.mu.Unlock()
		answers[n](w, r)
	}))
	t.Cleanup(k.server.Close)
	cfg := fetch.Config{
		UserAgent: "test someone@example.org", Contact: true, BytesMax: 1 << 20, Dir: k.dir, PerSecond: 1000,
		Sleep: k.clock.Sleep,
	}
	if change != nil {
		change(&cfg)
	}
	k.client = fetch.New(cfg, fetch.NewHTTPClient(), k.clock, slog.New(slog.DiscardHandler))
	return k
}

func (k *kit) request() fetch.Request {
	u, err := url.Parse(k.server.URL + "/a/roster.csv")
	require.NoError(k.t, err)
	return fetch.Request{URL: u, Name: "roster.csv"}
}

func (k *kit) requests() []*http.Request {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.seen
}

// fetched is what a request that succeeds brings.
func (k *kit) fetched(r fetch.Request) string {
	k.t.Helper()
	f, err := k.client.Fetch(k.t.Context(), r)
	require.NoError(k.t, err)
	require.Equal(k.t, r.Name, filepath.Base(f.Path))
	text, err := os.ReadFile(f.Path)
	require.NoError(k.t, err)
	require.Len(k.t, text, int(f.Bytes))
	require.NoError(k.t, f.Release())
	k.empty()
	return string(text)
}

// empty holds that nothing is left behind.
func (k *kit) empty() {
	k.t.Helper()
	left, err := os.ReadDir(k.dir)
	require.NoError(k.t, err)
	require.Empty(k.t, left)
}

var content = strings.Repeat("Dear reader, this is a file. ", 400)

// whole serves content as an ordinary server does, ranges too, in the edition of tag.
func whole(tag string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", tag)
		http.ServeContent(w, r, "", time.Time{}, strings.NewReader(content))
	}
}

// cut announces everything and breaks off after n bytes, having been slow: it sends them one by one.
func cut(tag string, n int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("ETag", tag)
		w.Header().Set("Content-Length", strconv.Itoa(len(content)))
		for i := range n {
			_, _ = w.Write([]byte{content[i]})
			if i%64 == 0 {
				w.(http.Flusher).Flush()
			}
		}
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}
}

func status(code int, headers ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i+1 < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(code)
	}
}
