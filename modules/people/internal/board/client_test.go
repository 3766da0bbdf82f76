package board_test

import (
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/people/internal/board"
	"gpatlas/platform/httpclient"
	"gpatlas/platform/testkit/clocktest"
)

type loopback struct {
	to   string
	next http.RoundTripper
}

// RoundTrip sends a request to the test's server instead. It must be one of https.
func (l loopback) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Scheme != "https" {
		return nil, fmt.Errorf("asks by %s", r.URL.Scheme)
	}
	moved := r.Clone(r.Context())
	moved.Host, moved.URL.Host, moved.URL.Scheme = r.URL.Host, l.to, "http"
	return l.next.RoundTrip(moved)
}

// serve makes a client all of whose requests reach h.
func serve(t *testing.T, h http.HandlerFunc) *board.Client {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	u, err := url.Parse(server.URL)
	require.NoError(t, err)
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	clk := clocktest.At("2026-11-22T09:00:00Z")
	return board.NewClient(board.Options{Transport: loopback{u.Host, transport}, Sleep: clk.Sleep}, clk, slog.New(slog.DiscardHandler))
}

func named(t *testing.T, vendor, token string) board.Board {
	t.Helper()
	b, err := board.New("900001", vendor, token)
	require.NoError(t, err)
	return b
}

// TestAddresses: the host follows from the vendor alone, the token is one segment of the path.
func TestAddresses(t *testing.T) {
	t.Parallel()
	for vendor, want := range map[string]string{
		"greenhouse": "boards-api.greenhouse.io/v1/boards/harbor.ridge/jobs?content=true",
		"lever":      "api.lever.co/v0/postings/harbor.ridge?mode=json&skip=0&limit=100",
		"lever-eu":   "api.eu.lever.co/v0/postings/harbor.ridge?mode=json&skip=0&limit=100",
		"ashby":      "api.ashbyhq.com/posting-api/job-board/harbor.ridge",
	} {
		got, agent := "", ""
		client := serve(t, func(w http.ResponseWriter, r *http.Request) {
			got, agent = r.Host+r.URL.String(), r.UserAgent()
			body := `{"jobs":[]}`
			if strings.HasPrefix(vendor, "lever") {
				body = `[]`
			}
			_, _ = io.WriteString(w, body)
		})
		_, err := client.Fetch(t.Context(), named(t, vendor, "harbor.ridge"), httpclient.Version{})
		require.NoError(t, err)
		require.Equal(t, want, got)
		require.Equal(t, "GP Atlas", agent)
	}
}

// TestPages reads Lever until a short page. A posting that slips onto the next page meanwhile counts once. A board of several
// pages has no version, because the first page's version does not cover the others.
func TestPages(t *testing.T) {
	t.Parallel()
	for total, pages := range map[int]int{0: 1, 1: 1, 99: 1, 100: 2, 101: 2, 200: 3, 250: 3} {
		asked := 0
		client := serve(t, func(w http.ResponseWriter, r *http.Request) {
			asked++
			skip, err := strconv.Atoi(r.URL.Query().Get("skip"))
			if err != nil || r.URL.Query().Get("limit") != "100" {
				w.WriteHeader(http.StatusBadRequest)
				return
			}
			rows := make([]string, 0, 100)
			for i := skip; i < min(skip+100, total); i++ {
				rows = append(rows, fmt.Sprintf(`{"id":"p-%d","text":"Analyst"}`, i))
			}
			w.Header().Set("ETag", `"1"`)
			_, _ = io.WriteString(w, "["+strings.Join(rows, ",")+"]")
		})
		got, err := client.Fetch(t.Context(), named(t, "lever", "mossgate"), httpclient.Version{})
		require.NoError(t, err)
		require.Len(t, got.Postings, total)
		require.Equal(t, pages, asked, total)
		require.Equal(t, pages == 1, got.Version.ETag != "", total)
	}
	shifted := serve(t, func(w http.ResponseWriter, r *http.Request) {
		rows := make([]string, 0, 100)
		first, n := 0, 100
		if r.URL.Query().Get("skip") == "100" {
			first, n = 99, 11 // one more has come in front
		}
		for i := first; i < first+n; i++ {
			rows = append(rows, fmt.Sprintf(`{"id":"p-%d","text":"Analyst"}`, i))
		}
		_, _ = io.WriteString(w, "["+strings.Join(rows, ",")+"]")
	})
	got, err := shifted.Fetch(t.Context(), named(t, "lever-eu", "mossgate"), httpclient.Version{})
	require.NoError(t, err)
	require.Len(t, got.Postings, 110)
	endless := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "["+strings.Repeat(`{"id":"a","text":"x"},`, 99)+`{"id":"a","text":"x"}]`)
	})
	_, err = endless.Fetch(t.Context(), named(t, "lever", "mossgate"), httpclient.Version{})
	require.ErrorContains(t, err, "more than 5000")
	failing := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("skip") != "0" {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		_, _ = io.WriteString(w, "["+strings.Repeat(`{"id":"a","text":"x"},`, 99)+`{"id":"b","text":"x"}]`)
	})
	_, err = failing.Fetch(t.Context(), named(t, "lever", "mossgate"), httpclient.Version{})
	require.ErrorContains(t, err, "api.lever.co: the server returned 404")
}

// TestUnchanged fetches with the known version and gets an unchanged listing.
func TestUnchanged(t *testing.T) {
	t.Parallel()
	client := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("If-None-Match") == `W/"7"` && r.Header.Get("If-Modified-Since") == "Sun, 22 Nov 2026 08:00:00 GMT" {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		w.Header().Set("ETag", `W/"7"`)
		w.Header().Set("Last-Modified", "Sun, 22 Nov 2026 08:00:00 GMT")
		_, _ = io.WriteString(w, `{"jobs":[{"id":"a","title":"x"}]}`)
	})
	first, err := client.Fetch(t.Context(), named(t, "ashby", "kestrel"), httpclient.Version{})
	require.NoError(t, err)
	require.Equal(t, httpclient.Version{ETag: `W/"7"`, LastModified: "Sun, 22 Nov 2026 08:00:00 GMT"}, first.Version)
	require.Len(t, first.Postings, 1)
	second, err := client.Fetch(t.Context(), named(t, "ashby", "kestrel"), first.Version)
	require.NoError(t, err)
	require.Equal(t, board.Listing{Version: first.Version, Unchanged: true}, second)
	unasked := serve(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotModified) })
	_, err = unasked.Fetch(t.Context(), named(t, "ashby", "kestrel"), httpclient.Version{})
	require.ErrorContains(t, err, "304")
}
