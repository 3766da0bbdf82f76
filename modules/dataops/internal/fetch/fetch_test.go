package fetch_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net"
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
)

// What is cut off is continued where it broke off, and only the missing part is asked for.
func TestFetchResumes(t *testing.T) {
	t.Parallel()
	k := newKit(t, nil, cut(`"one"`, 3000), cut(`"one"`, 0), whole(`"one"`))
	require.Equal(t, content, k.fetched(k.request()))
	seen := k.requests()
	require.Equal(t, "bytes=3000-", seen[1].Header.Get("Range"))
	require.Equal(t, `"one"`, seen[1].Header.Get("If-Range"))
	require.Len(t, k.naps(), 2)
}

// A download that another process began is continued by this one.
func TestFetchResumesAfterTheProcess(t *testing.T) {
	t.Parallel()
	k := newKit(t, nil, cut(`"one"`, 5000), status(http.StatusNotImplemented), whole(`"one"`))
	ctx, cancel := context.WithCancelCause(t.Context())
	first := fetch.New(fetch.Config{Dir: k.dir, Sleep: func(context.Context, time.Duration) error {
		cancel(context.Canceled)
		return context.Canceled
	}}, fetch.NewHTTPClient(), k.clock, slog.New(slog.DiscardHandler))
	_, err := first.Fetch(ctx, k.request())
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, content, k.fetched(k.request()))
	require.Equal(t, "bytes=5000-", k.requests()[1].Header.Get("Range"))
}

// What was fetched whole and never loaded is not fetched again, unless it has changed.
func TestFetchedFileOutlivesItsProcess(t *testing.T) {
	t.Parallel()
	k := newKit(t, nil, whole(`"one"`), whole(`"one"`), whole(`"two"`))
	for i, want := range []string{"", `"one"`, `"one"`} {
		f, err := k.client.Fetch(t.Context(), k.request())
		require.NoError(t, err)
		require.Equal(t, want, k.requests()[i].Header.Get("If-None-Match"))
		text, err := os.ReadFile(f.Path)
		require.NoError(t, err)
		require.Equal(t, content, string(text))
		if i == 2 {
			require.Equal(t, `"two"`, f.Edition.ETag)
			require.NoError(t, f.Release())
			k.empty()
			continue
		}
		// The process dies: the kernel drops its lock, which here is the removal of the lock's file.
		locks, err := filepath.Glob(filepath.Join(k.dir, "*.lock"))
		require.NoError(t, err)
		require.Len(t, locks, 1)
		require.NoError(t, os.Remove(locks[0]))
	}
}

// Another edition midway is fetched from its beginning, whether the server says so or only its tag does.
func TestFetchChangedMidway(t *testing.T) {
	t.Parallel()
	ignoring := func(w http.ResponseWriter, _ *http.Request) { // If-Range is not understood
		w.Header().Set("ETag", `"two"`)
		w.Header().Set("Content-Range", fmt.Sprintf("bytes 3000-%d/%d", len(content)-1, len(content)))
		w.WriteHeader(http.StatusPartialContent)
		_, _ = w.Write([]byte(strings.ToUpper(content[3000:])))
	}
	for name, second := range map[string]http.HandlerFunc{"told": whole(`"two"`), "only tagged": ignoring} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newKit(t, nil, cut(`"one"`, 3000), second, whole(`"two"`))
			require.Equal(t, content, k.fetched(k.request()))
		})
	}
}

// A part that is not the one asked for is never put to what is here; without a validator there is nothing to resume.
func TestFetchDistrustsParts(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		first, second http.HandlerFunc
		ranged        bool
	}{
		"wrong place":     {cut(`"one"`, 3000), status(http.StatusPartialContent, "Content-Range", "bytes 2999-3000/11600"), true},
		"wrong size":      {cut(`"one"`, 3000), status(http.StatusPartialContent, "Content-Range", "bytes 3000-9999/10000"), true},
		"nonsense":        {cut(`"one"`, 3000), status(http.StatusPartialContent, "Content-Range", "pages 1-2"), true},
		"not satisfiable": {cut(`"one"`, 3000), status(http.StatusRequestedRangeNotSatisfiable), true},
		"weak tag":        {cut(`W/"one"`, 3000), whole(`W/"one"`), false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newKit(t, nil, c.first, c.second, whole(`"one"`))
			require.Equal(t, content, k.fetched(k.request()))
			require.Equal(t, c.ranged, k.requests()[1].Header.Get("Range") != "")
		})
	}
}

// A server that sends nothing more is given up and asked again.
func TestFetchStalled(t *testing.T) {
	t.Parallel()
	stalled := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", `"one"`)
		w.Header().Set("Content-Length", strconv.Itoa(len(content)))
		_, _ = w.Write([]byte(content[:700]))
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}
	k := newKit(t, func(c *fetch.Config) { c.Stall = time.Second }, stalled, whole(`"one"`))
	require.Equal(t, content, k.fetched(k.request()))
	require.Equal(t, "bytes=700-", k.requests()[1].Header.Get("Range"))
}

// Servers that are busy or broken are asked again later: when they say, else at growing intervals.
func TestFetchTriesAgain(t *testing.T) {
	t.Parallel()
	k := newKit(t, nil, status(http.StatusTooManyRequests, "Retry-After", "7"),
		status(http.StatusServiceUnavailable, "Retry-After", "Sat, 21 Nov 2026 09:01:00 GMT"), status(http.StatusInternalServerError), whole(`"one"`))
	require.Equal(t, content, k.fetched(k.request()))
	naps := k.naps()
	require.Len(t, naps, 3)
	require.Equal(t, 7*time.Second, naps[0])
	require.InDelta(t, 53, naps[1].Seconds(), 1, "until the minute that it names")
	require.GreaterOrEqual(t, naps[2], 2*time.Second)
	require.LessOrEqual(t, naps[2], 4*time.Second)
}

// Patience ends: with six failures in a row, and with a server that wants to be left alone for hours.
func TestFetchGivesUp(t *testing.T) {
	t.Parallel()
	k := newKit(t, nil, status(http.StatusBadGateway))
	_, err := k.client.Fetch(t.Context(), k.request())
	require.ErrorContains(t, err, "the server returned 502 Bad Gateway (given up after 6 attempts)")
	require.Len(t, k.requests(), 6)
	naps := k.naps()
	for i, most := range []time.Duration{1, 2, 4, 8, 16} {
		require.LessOrEqual(t, naps[i], most*time.Second)
		require.GreaterOrEqual(t, naps[i], most*time.Second/2)
	}
	k = newKit(t, nil, status(http.StatusTooManyRequests, "Retry-After", "86400"))
	_, err = k.client.Fetch(t.Context(), k.request())
	require.ErrorContains(t, err, "the server asks to wait 24h0m0s")
	require.Len(t, k.requests(), 1)
}

// What will not pass is not tried again, and leaves nothing behind.
func TestFetchRefuses(t *testing.T) {
	t.Parallel()
	sized := func(n int) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(bytes.Repeat([]byte("a"), n)) }
	}
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		bytes  int64
		want   string
	}{
		"missing":              {status(http.StatusNotFound), 0, "the file does not exist: the server returned 404"},
		"forbidden":            {status(http.StatusForbidden), 0, "the server returned 403 Forbidden"},
		"announced too large":  {status(http.StatusOK, "Content-Length", "2000000"), 0, "2000000 bytes exceed the limit of 1048576 (DATAOPS_DOWNLOAD_BYTES_MAX)"},
		"stated too large":     {sized(1), 2_000_000, "2000000 bytes exceed the limit of"},
		"not the stated size":  {sized(100), 101, "the server declares 100 bytes, the index states 101"},
		"empty":                {sized(0), 0, "it is empty"},
		"unasked not modified": {status(http.StatusNotModified), 0, "unconditional request"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newKit(t, nil, c.answer)
			r := k.request()
			r.Bytes = c.bytes
			_, err := k.client.Fetch(t.Context(), r)
			require.ErrorContains(t, err, c.want)
			require.LessOrEqual(t, len(k.requests()), 1)
			left, err := filepath.Glob(filepath.Join(k.dir, "*", "roster.csv"))
			require.NoError(t, err)
			require.Empty(t, left)
		})
	}
}

// An endless answer is cut at the limit; so is one without a size that is not the index's.
func TestFetchUnannounced(t *testing.T) {
	t.Parallel()
	chunks := func(n int) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			for range n {
				if _, err := w.Write(make([]byte, 1000)); err != nil || r.Context().Err() != nil {
					return
				}
				w.(http.Flusher).Flush()
			}
		}
	}
	k := newKit(t, nil, chunks(1<<20))
	_, err := k.client.Fetch(t.Context(), k.request())
	require.ErrorContains(t, err, "exceeds the limit of 1048576 bytes")
	k.empty()
	k = newKit(t, nil, chunks(3))
	r := k.request()
	r.Bytes = 2999
	_, err = k.client.Fetch(t.Context(), r)
	require.ErrorContains(t, err, "3000 bytes received, the index states 2999")
	k.empty()
}

// The edition that is known is not fetched again, by its tag or by its date.
func TestFetchUnchanged(t *testing.T) {
	t.Parallel()
	day := "Fri, 20 Nov 2026 10:00:00 GMT"
	k := newKit(t, nil, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("If-None-Match") == `"one"` || r.Header.Get("If-Modified-Since") == day {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		whole(`"two"`)(w, r)
	})
	for _, known := range []fetch.Edition{{ETag: `"one"`}, {LastModified: day}} {
		r := k.request()
		r.Known = known
		f, err := k.client.Fetch(t.Context(), r)
		require.NoError(t, err)
		require.True(t, f.Unchanged)
		k.empty()
	}
	r := k.request()
	r.Known = fetch.Edition{ETag: `"zero"`}
	require.Equal(t, content, k.fetched(r))
}

// Requests to one host keep their distance, whoever makes them.
func TestFetchRate(t *testing.T) {
	t.Parallel()
	k := newKit(t, func(c *fetch.Config) { c.PerSecond = 10 }, whole(`"one"`))
	begun := k.clock.Now()
	for i := range 21 {
		r := k.request()
		r.URL = r.URL.JoinPath(strconv.Itoa(i))
		k.fetched(r)
	}
	require.InDelta(t, 2, k.clock.Now().Sub(begun).Seconds(), 0.01, "20 distances of a tenth of a second")
}

// The SEC's servers are not even asked without a contact; others say themselves what they miss.
func TestFetchContact(t *testing.T) {
	t.Parallel()
	k := newKit(t, func(c *fetch.Config) { c.Contact = false }, status(http.StatusForbidden))
	u, err := url.Parse("https://reports.adviserinfo.sec.gov/reports/foia/reports_metadata.json")
	require.NoError(t, err)
	_, err = k.client.Fetch(t.Context(), fetch.Request{URL: u, Name: "x"})
	require.ErrorContains(t, err, "set DATAOPS_CONTACT")
	_, err = k.client.Get(t.Context(), u, 100)
	require.ErrorContains(t, err, "set DATAOPS_CONTACT")
	require.Empty(t, k.requests())
	_, err = k.client.Fetch(t.Context(), k.request())
	require.ErrorContains(t, err, "403 Forbidden: it may require a contact; set DATAOPS_CONTACT")

	k = newKit(t, nil, func(w http.ResponseWriter, r *http.Request) {
		if r.UserAgent() != "test someone@example.org" {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		whole(`"one"`)(w, r)
	})
	require.Equal(t, content, k.fetched(k.request()))
	other, err := url.Parse("https://notsec.gov/")
	require.NoError(t, err)
	require.False(t, fetch.NeedsContact(other))
}

// Redirects end somewhere, and do not leave the host where that is asked for.
func TestFetchRedirects(t *testing.T) {
	t.Parallel()
	aside := httptest.NewServer(whole(`"one"`))
	t.Cleanup(aside.Close)
	k := newKit(t, nil, func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.Contains(r.URL.Path, "loop"):
			http.Redirect(w, r, "/loop/"+strconv.Itoa(len(r.URL.Path)), http.StatusFound)
		case strings.Contains(r.URL.Path, "aside"):
			http.Redirect(w, r, aside.URL, http.StatusFound)
		case strings.Contains(r.URL.Path, "file"):
			http.Redirect(w, r, "file:///etc/passwd", http.StatusFound)
		case strings.Contains(r.URL.Path, "near"):
			http.Redirect(w, r, "/there", http.StatusMovedPermanently)
		default:
			whole(`"one"`)(w, r)
		}
	})
	at := func(path string) fetch.Request {
		r := k.request()
		r.URL = r.URL.JoinPath(path)
		r.SameHost = true
		return r
	}
	require.Equal(t, content, k.fetched(at("near")))
	for path, want := range map[string]string{
		"loop": "more than 5 in a row", "aside": "it points to another host, " + strings.TrimPrefix(aside.URL, "http://"), "file": "it points from http to file",
	} {
		_, err := k.client.Fetch(t.Context(), at(path))
		require.ErrorContains(t, err, want)
	}
	r := at("aside")
	r.SameHost = false
	require.Equal(t, content, k.fetched(r), "an address given by hand may lead elsewhere")
}

// Two that want the same file at once both get it whole.
func TestFetchTwiceAtOnce(t *testing.T) {
	t.Parallel()
	k := newKit(t, func(c *fetch.Config) { c.Sleep = nil }, cut(`"one"`, 900), whole(`"one"`))
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			f, err := k.client.Fetch(t.Context(), k.request())
			if !expectNoError(t, err) {
				return
			}
			text, err := os.ReadFile(f.Path)
			expectNoError(t, err)
			if string(text) != content {
				t.Error("it is not whole")
			}
			expectNoError(t, f.Release())
		})
	}
	wg.Wait()
	k.empty()
}

func expectNoError(t *testing.T, err error) bool {
	t.Helper()
	if err != nil {
		t.Error(err)
	}
	return err == nil
}

// What was begun long ago is swept away; what is none of ours is not.
func TestFetchSweeps(t *testing.T) {
	t.Parallel()
	k := newKit(t, nil, whole(`"one"`))
	old := filepath.Join(k.dir, "0123456789abcdef01234567")
	for _, dir := range []string{old, filepath.Join(k.dir, "photographs")} {
		require.NoError(t, os.Mkdir(dir, 0o700))
		then := k.clock.Now().AddDate(0, -2, 0)
		require.NoError(t, os.Chtimes(dir, then, then))
	}
	f, err := k.client.Fetch(t.Context(), k.request())
	require.NoError(t, err)
	require.NoError(t, f.Release())
	left, err := os.ReadDir(k.dir)
	require.NoError(t, err)
	require.Len(t, left, 1)
	require.Equal(t, "photographs", left[0].Name())
}

// An index comes as a whole or not at all.
func TestGet(t *testing.T) {
	t.Parallel()
	k := newKit(t, nil, status(http.StatusBadGateway), whole(`"one"`))
	body, err := k.client.Get(t.Context(), k.request().URL, int64(len(content)))
	require.NoError(t, err)
	require.Equal(t, content, string(body))
	_, err = k.client.Get(t.Context(), k.request().URL, int64(len(content)-1))
	require.ErrorContains(t, err, "too large for an index")
	k = newKit(t, nil, cut(`"one"`, 10), whole(`"one"`))
	body, err = k.client.Get(t.Context(), k.request().URL, 1<<20)
	require.NoError(t, err)
	require.Equal(t, content, string(body))
}

// An address that cannot be reached is reported in one line with what to check. It is retried only if that may help.
func TestUnreachable(t *testing.T) {
	t.Parallel()
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	plain := newKit(t, nil, http.NotFound).server.URL
	for _, c := range []struct {
		at, want string
		naps     int
	}{
		{closed.URL, " refuses connections: check host and port, and that the server is running (given up after 6 attempts)", 5},
		{"http://larkspur.invalid", `there is no host "larkspur.invalid": check the URL, and the connection to the network`, 0},
		{"https" + strings.TrimPrefix(plain, "http"), " does not use TLS: check the port, or begin the URL with http://", 0},
	} {
		k := newKit(t, nil, http.NotFound)
		dial := func(ctx context.Context, network, addr string) (net.Conn, error) {
			if host, _, _ := strings.Cut(addr, ":"); host == "larkspur.invalid" {
				return nil, &net.DNSError{Name: host, Err: "no such host", IsNotFound: true}
			}
			return (&net.Dialer{}).DialContext(ctx, network, addr)
		}
		client := fetch.New(fetch.Config{UserAgent: "test", Contact: true, Dir: k.dir, PerSecond: 1000, Sleep: k.clock.Sleep},
			&http.Client{Transport: &http.Transport{DialContext: dial}}, k.clock, slog.New(slog.DiscardHandler))
		u, err := url.Parse(c.at + "/x.zip")
		require.NoError(t, err)
		_, err = client.Fetch(t.Context(), fetch.Request{URL: u, Name: "x.zip"})
		require.ErrorContains(t, err, c.want)
		require.NotContains(t, err.Error(), "\n")
		require.Len(t, k.naps(), c.naps, c.at)
	}
}
