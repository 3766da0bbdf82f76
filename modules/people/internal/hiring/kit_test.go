package hiring_test

import (
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogtest"
	"gpatlas/modules/people/internal/board"
	"gpatlas/modules/people/internal/hiring"
	"gpatlas/modules/people/internal/testkit/fixture"
	"gpatlas/platform/auth"
	"gpatlas/platform/testkit/chargetest"
	"gpatlas/platform/testkit/httpapitest"
)

var ada = &auth.Principal{Kind: auth.Session, UserID: 7}

// world is the advisers 900101 and 900102, and the three vendors.
type world struct {
	*fixture.World

	service *hiring.Service
	host    *httpapitest.Host
	meter   *chargetest.Meter

	mu      sync.Mutex
	answer  http.HandlerFunc // of all vendors
	asked   []string         // "host/path?query"
	headers []http.Header
}

func setup(t *testing.T) *world {
	t.Helper()
	return setupTimed(t, time.Minute)
}

// setupTimed is setup with vendors that have so long to answer.
func setupTimed(t *testing.T, limit time.Duration) *world {
	t.Helper()
	w := &world{World: fixture.New(t, catalogtest.NewLoader), meter: &chargetest.Meter{CallersOnly: true}}
	w.Load(t, fixture.Filed("900101", "2020-03-01", nil), fixture.Filed("900102", "2020-03-01", nil))
	w.service = hiring.NewService(w.DB, w.client(t, limit), nil, w.Clock, slog.New(slog.NewTextHandler(t.Output(), nil)))
	w.host = httpapitest.NewMetered(t, w.meter, hiring.Routes(w.service)...)
	return w
}

// client leads all vendors to a server on loopback. Nothing waits.
func (w *world) client(t *testing.T, limit time.Duration) *board.Client {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		w.mu.Lock()
		w.asked = append(w.asked, r.Host+r.URL.String())
		w.headers = append(w.headers, r.Header.Clone())
		answer := w.answer
		w.mu.Unlock()
		answer(rw, r)
	}))
	t.Cleanup(server.Close)
	to, err := url.Parse(server.URL)
	require.NoError(t, err)
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	return board.NewClient(board.Options{Transport: loopback{to, transport}, Sleep: w.Clock.Sleep, Timeout: limit},
		w.Clock, slog.New(slog.DiscardHandler))
}

// loopback sends requests to a server of the test, under the host that they are for.
type loopback struct {
	to   *url.URL
	next http.RoundTripper
}

func (l loopback) RoundTrip(r *http.Request) (*http.Response, error) {
	moved := r.Clone(r.Context())
	moved.Host, moved.URL.Host, moved.URL.Scheme = r.URL.Host, l.to.Host, l.to.Scheme
	return l.next.RoundTrip(moved)
}

// answers has all vendors answer so from now on.
func (w *world) answers(h http.HandlerFunc) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.answer, w.asked, w.headers = h, nil, nil
}

func (w *world) requests() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]string{}, w.asked...)
}

func (w *world) header(i int, name string) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.headers[i].Get(name)
}

func respondsWith(body string, header ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		_, _ = io.WriteString(w, body)
	}
}

func refuses(status int, header ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(status)
	}
}

// lists is a board of Greenhouse with postings of these IDs and titles: "11 Analyst".
func lists(postings ...string) string {
	jobs := make([]map[string]any, 0, len(postings))
	for _, p := range postings {
		id, title, _ := strings.Cut(p, " ")
		jobs = append(jobs, map[string]any{"id": json.Number(id), "title": title})
	}
	text, err := json.Marshal(map[string]any{"jobs": jobs, "meta": map[string]any{"total": len(jobs)}})
	if err != nil {
		panic(err)
	}
	return string(text)
}

func (w *world) configure(t *testing.T, crd, vendor, token string) board.Board {
	t.Helper()
	b, err := board.New(crd, vendor, token)
	require.NoError(t, err)
	_, err = w.service.Add(t.Context(), b)
	require.NoError(t, err)
	return b
}

func (w *world) fetch(t *testing.T) hiring.Fetched {
	t.Helper()
	f, err := w.service.FetchDue(t.Context())
	require.NoError(t, err)
	return f
}

// answer is the operation's body.
type answer struct {
	Data []hiring.Posting
	Meta hiring.Meta
}

func (w *world) get(t *testing.T, query string) answer {
	t.Helper()
	got := w.host.Do(t, httpapitest.Scenario{Path: "/v1/gps/900101/hiring" + query, As: ada})
	var a answer
	require.NoError(t, json.Unmarshal([]byte(got.Body), &a))
	return a
}

func (a answer) titles() []string {
	list := []string{}
	for _, p := range a.Data {
		list = append(list, p.Title)
	}
	return list
}
