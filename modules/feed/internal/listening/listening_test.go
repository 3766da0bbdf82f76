package listening_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	standard "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gpatlas/modules/feed/internal/listening"
	"gpatlas/platform/clock"
)

// server stands for a GP Atlas server: its log grows, and a cursor is the number of the last event.
type server struct {
	mu     sync.Mutex
	log    int
	asked  []url.Values
	answer func(w http.ResponseWriter, r *http.Request) bool // instead of the log, if it returns true
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	q := r.URL.Query()
	s.asked = append(s.asked, q)
	if s.answer != nil && s.answer(w, r) {
		return
	}
	after := s.log
	switch {
	case q.Has("cursor"):
		after, _ = strconv.Atoi(q.Get("cursor"))
	case q.Get("from") == "oldest":
		after = 0
	}
	last := min(s.log, after+3)
	events := []string{}
	for i := after + 1; i <= last; i++ {
		events = append(events, fmt.Sprintf(`{"id":"chg_%016x","kind":"new_fund","at":"2026-11-14T06:00:14.250000Z","crd":"900001","gp_name":"A & B <%d>"}`, i, i))
	}
	_, _ = fmt.Fprintf(w, `{"data":[%s],"meta":{"next_cursor":"%d"}}`, strings.Join(events, ","), last)
}

func (s *server) grow(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.log += n
}

// receiver verifies what it gets with the published library.
type receiver struct {
	t      *testing.T
	secret func() string
	got    []string // IDs of events
	ids    map[string]string
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	body, err := io.ReadAll(q.Body)
	assert.NoError(r.t, err)
	library, err := standard.NewWebhook(r.secret())
	assert.NoError(r.t, err)
	assert.NoError(r.t, library.Verify(body, q.Header))
	var message struct {
		Type, Timestamp string
		Data            struct{ ID string }
	}
	assert.NoError(r.t, json.Unmarshal(body, &message))
	assert.Equal(r.t, "new_fund", message.Type)
	assert.Equal(r.t, "2026-11-14T06:00:14.250000Z", message.Timestamp)
	assert.Contains(r.t, string(body), "A & B <") // the bytes of the feed
	r.got = append(r.got, message.Data.ID)
	if id := q.Header.Get("Webhook-Id"); r.ids[message.Data.ID] != "" {
		assert.Equal(r.t, r.ids[message.Data.ID], id)
	} else {
		r.ids[message.Data.ID] = id
	}
	w.WriteHeader(http.StatusTeapot) // any answer will do
}

// output ends the listener when a number of events was forwarded.
type output struct {
	bytes.Buffer
	until int
	stop  context.CancelFunc
}

func (o *output) Write(b []byte) (int, error) {
	n, err := o.Buffer.Write(b)
	if strings.Count(o.String(), ": 418 (") == o.until {
		o.stop()
	}
	return n, err
}

type kit struct {
	*listening.Listener
	server   *server
	receiver *receiver
	out      *output
}

func newKit(t *testing.T) *kit {
	t.Helper()
	k := &kit{server: &server{}, out: &output{until: -1}}
	api := httptest.NewServer(k.server)
	t.Cleanup(api.Close)
	file := filepath.Join(t.TempDir(), "folder", "position.json")
	k.receiver = &receiver{t: t, ids: map[string]string{}, secret: func() string {
		_, after, _ := strings.Cut(k.out.String(), "Signing secret: ")
		line, _, _ := strings.Cut(after, "\n")
		return line
	}}
	hook := httptest.NewServer(k.receiver)
	t.Cleanup(hook.Close)
	k.Listener = &listening.Listener{
		Server: api.URL, Key: "k", ForwardTo: hook.URL, Filter: url.Values{"kind": {"new_fund"}}, File: file, Out: k.out, Clock: clock.System{}, Client: api.Client(),
	}
	return k
}

// until runs the listener until the receiver has got n messages in all.
func (k *kit) until(t *testing.T, n int) {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
	defer stop()
	k.out.until, k.out.stop = n, stop
	require.NoError(t, k.Run(ctx))
	require.Len(t, k.receiver.got, n)
}

// G4: what comes while the listener is off is forwarded when it is on, once, in order, with one secret and one ID.
func TestListenLosesNothingOverStops(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.server.grow(8)
	k.From = "oldest"
	k.until(t, 5) // in the middle of a page
	k.From = ""
	secret := k.receiver.secret()
	k.server.grow(4)
	k.until(t, 12)
	require.Equal(t, secret, k.receiver.secret())
	require.True(t, slices.IsSorted(k.receiver.got))
	require.Len(t, slices.Compact(slices.Clone(k.receiver.got)), 12)
	for _, q := range k.server.asked {
		require.Equal(t, "new_fund", q.Get("kind"))
	}
	info, err := os.Stat(k.File)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
}

// Nothing is lost while the server or the receiver is away.
func TestListenWaitsForBothSides(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.server.grow(2)
	k.From = "oldest"
	failures := 0
	client := *k.Client
	refused := 0
	k.Client = &client
	k.Client.Transport = roundTrip(func(r *http.Request) (*http.Response, error) {
		if r.Method == http.MethodPost && refused == 0 {
			refused++
			return nil, io.ErrUnexpectedEOF
		}
		return http.DefaultTransport.RoundTrip(r)
	})
	k.server.answer = func(w http.ResponseWriter, _ *http.Request) bool {
		if failures++; failures > 1 {
			return false
		}
		w.WriteHeader(http.StatusServiceUnavailable)
		return true
	}
	k.until(t, 2)
	require.Equal(t, 2, strings.Count(k.out.String(), "Trying again"))
	require.Contains(t, k.out.String(), "it answered 503")
	require.Contains(t, k.out.String(), "unexpected EOF")
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// What repeating does not change ends the command with the server's words.
func TestListenEndsWhenItIsRefused(t *testing.T) {
	t.Parallel()
	for status, want := range map[int]string{
		http.StatusUnauthorized: "answered 401: no such key", http.StatusUnprocessableEntity: "answered 422: no such key", http.StatusGone: "--from oldest or --from now",
		http.StatusOK: "is no GP Atlas server",
	} {
		k := newKit(t)
		k.server.answer = func(w http.ResponseWriter, r *http.Request) bool {
			assert.Equal(t, "Bearer k", r.Header.Get("Authorization"))
			w.WriteHeader(status)
			_, _ = io.WriteString(w, `{"detail":"no such\nkey"}`)
			return true
		}
		require.ErrorContains(t, k.Run(t.Context()), want)
	}
	k := newKit(t)
	k.server.grow(1)
	k.From = "oldest"
	k.until(t, 1)
	k.ForwardTo += "/other"
	require.ErrorContains(t, k.Run(t.Context()), "--position")
}
