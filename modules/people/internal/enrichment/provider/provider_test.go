package provider_test

import (
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/people/internal/enrichment/provider"
	"gpatlas/platform/httpclient"
	"gpatlas/platform/testkit/clocktest"
)

const secret = "hunter2-secret-key"

var ada = provider.Query{First: "Ada", Last: "Larkspur", Firm: "Harbor Ridge 900101 LLC", Domain: "harborridge.example", CRD: "900101", Title: "MANAGING MEMBER"}

// vendors make each provider on a base URL.
var vendors = map[string]func(base *url.URL, c provider.Client) provider.Provider{
	"pdl":    func(base *url.URL, c provider.Client) provider.Provider { return provider.NewPDL(base, secret, 6, c) },
	"hunter": func(base *url.URL, c provider.Client) provider.Provider { return provider.NewHunter(base, secret, c) },
	"http": func(base *url.URL, c provider.Client) provider.Provider {
		return provider.NewHTTP("http", base, secret, c)
	},
}

// kit is a provider before a stub that answers with one answer after another, the last one ever after.
type kit struct {
	provider.Provider

	clock  *clocktest.Clock
	logged *strings.Builder

	mu       sync.Mutex
	requests []*http.Request
	bodies   []string
}

func newKit(t *testing.T, vendor string, answers ...http.HandlerFunc) *kit {
	t.Helper()
	k := &kit{clock: clocktest.At("2026-11-22T09:00:00Z"), logged: &strings.Builder{}}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		k.mu.Lock()
		answer := answers[min(len(k.requests), len(answers)-1)]
		k.requests, k.bodies = append(k.requests, r), append(k.bodies, string(body))
		k.mu.Unlock()
		answer(w, r)
	}))
	t.Cleanup(server.Close)
	base, err := url.Parse(server.URL)
	require.NoError(t, err)
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	client := httpclient.New(httpclient.Config{
		UserAgent: "GP Atlas", Timeout: 3 * time.Second, BytesMax: 1 << 20, Attempts: 2, Sleep: k.clock.Sleep,
	}, transport, k.clock, slog.New(slog.NewTextHandler(k.logged, nil)))
	k.Provider = provider.Guard(vendors[vendor](base, client), k.clock)
	return k
}

func (k *kit) asked() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return len(k.requests)
}

func file(t *testing.T, name string) http.HandlerFunc {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name)
	require.NoError(t, err)
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(text)
	}
}

func status(code int, header ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(code)
		_, _ = io.WriteString(w, `{"error": "`+http.StatusText(code)+`"}`)
	}
}

func large(w http.ResponseWriter, _ *http.Request) {
	_, _ = io.WriteString(w, `{"data": "`+strings.Repeat("x", 3<<20)+`"}`)
}

// drip sends a byte now and then, and never ends.
func drip(w http.ResponseWriter, r *http.Request) {
	for r.Context().Err() == nil {
		_, _ = io.WriteString(w, " ")
		_ = http.NewResponseController(w).Flush()
		select {
		case <-r.Context().Done():
		case <-time.After(20 * time.Millisecond):
		}
	}
}

func cutOff(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Length", "5000")
	_, _ = io.WriteString(w, `{"data": {"first_name": "Ada"`)
}

// Each answer that a provider may give, of each of them.
func TestAnswers(t *testing.T) {
	t.Parallel()
	for vendor := range vendors {
		for name, test := range map[string]struct {
			answer http.HandlerFunc
			kind   provider.Kind // empty = there is a result
			asked  int
		}{
			"200":             {file(t, vendor+".json"), "", 1},
			"404":             {status(404), provider.NoMatch, 1},
			"451":             {status(451), provider.NoMatch, 1},
			"401":             {status(401), provider.Unauthorized, 1},
			"402":             {status(402), provider.OutOfCredit, 1},
			"429":             {status(429, "Retry-After", "90"), provider.Limited, 1},
			"500":             {status(500), provider.Away, 2},
			"503":             {status(503), provider.Away, 2},
			"400":             {status(400), provider.Malformed, 1},
			"a page":          {file(t, "page.html"), provider.Malformed, 1},
			"3 MB":            {large, provider.Malformed, 1},
			"a slow drip":     {drip, provider.Away, 1},
			"cut off":         {cutOff, provider.Away, 2},
			"wrong types":     {file(t, vendor+"_types.json"), provider.Malformed, 1},
			"an empty object": {func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "{}") }, provider.Malformed, 1},
			"null":            {func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "null") }, provider.Malformed, 1},
			"nothing":         {func(http.ResponseWriter, *http.Request) {}, provider.Malformed, 1},
			"sent elsewhere":  {status(302, "Location", "http://elsewhere.example/"), provider.Malformed, 1},
		} {
			t.Run(vendor+" "+name, func(t *testing.T) {
				t.Parallel()
				k := newKit(t, vendor, test.answer)
				r, err := k.Enrich(t.Context(), ada)
				require.Equal(t, test.asked, k.asked())
				require.NotContains(t, k.logged.String(), secret)
				require.NotContains(t, k.logged.String(), "Larkspur")
				if test.kind == "" {
					require.NoError(t, err)
					require.Equal(t, "Larkspur", r.Last)
					return
				}
				var e *provider.Error
				require.ErrorAs(t, err, &e)
				require.Equal(t, test.kind, e.Kind, err)
				require.Equal(t, test.kind, provider.KindOf(err))
				require.NotContains(t, err.Error(), secret)
				require.NotContains(t, err.Error(), "Larkspur")
				require.Empty(t, r)
				if test.kind == provider.Limited {
					require.Equal(t, 90*time.Second, e.RetryAfter)
				}
			})
		}
	}
	require.Equal(t, provider.Away, provider.KindOf(errors.New("something else")))
}

// What each provider receives, and where the key goes: never into the URL.
func TestRequests(t *testing.T) {
	t.Parallel()
	for vendor, header := range map[string]string{"pdl": "X-Api-Key", "hunter": "X-Api-Key", "http": "Authorization"} {
		k := newKit(t, vendor, file(t, vendor+".json"))
		_, err := k.Enrich(t.Context(), ada)
		require.NoError(t, err)
		r := k.requests[0]
		require.NotContains(t, r.URL.String(), secret, vendor)
		require.Equal(t, secret, strings.TrimPrefix(r.Header.Get(header), "Bearer "), vendor)
		q := r.URL.Query()
		switch vendor {
		case "pdl":
			require.Equal(t, "/v5/person/enrich", r.URL.Path)
			require.Equal(t, url.Values{"first_name": {"Ada"}, "last_name": {"Larkspur"}, "company": {ada.Firm}, "min_likelihood": {"6"}, "titlecase": {"true"}}, q)
		case "hunter":
			require.Equal(t, "/v2/email-finder", r.URL.Path)
			require.Equal(t, url.Values{"first_name": {"Ada"}, "last_name": {"Larkspur"}, "domain": {ada.Domain}}, q)
		default:
			require.Empty(t, q)
			require.Equal(t, http.MethodPost, r.Method)
			require.JSONEq(t, `{"first_name":"Ada","last_name":"Larkspur","firm":"Harbor Ridge 900101 LLC","domain":"harborridge.example","crd":"900101","title":"MANAGING MEMBER"}`, k.bodies[0])
		}
	}
	k, without := newKit(t, "hunter", file(t, "hunter.json")), ada
	without.Domain = ""
	_, err := k.Enrich(t.Context(), without)
	require.NoError(t, err)
	require.Equal(t, ada.Firm, k.requests[0].URL.Query().Get("company"))
}

// What is taken of an answer, and what is left: private addresses, and schools and posts without a name.
func TestResults(t *testing.T) {
	t.Parallel()
	schools := []provider.Education{{School: "Quillwood College", Degree: "Bachelor of Arts", Field: "Economics", From: "1994-09", To: "1998"}}
	fernley := provider.Experience{Firm: "Fernley Brothers", Title: "Associate", From: "1998-07", To: "2002-01-15"}
	for vendor, want := range map[string]provider.Result{
		"pdl": {
			First: "Ada", Last: "Larkspur", Confidence: 0.8, Email: "ada@harborridge.example", Location: "Boston, Massachusetts, United States",
			NetworkURL: "https://network.example/in/ada-larkspur", Education: schools,
			Experience: []provider.Experience{{Firm: "Harbor Ridge 900101", Title: "Managing Partner", From: "2011-03"}, fernley},
		},
		"hunter": {
			First: "Ada", Last: "Larkspur", Confidence: 0.97, Email: "ada@harborridge.example", Phone: "+1 617 555 0100",
			Education: []provider.Education{}, Experience: []provider.Experience{},
		},
		"http": {
			First: "Ada", Last: "Larkspur", Confidence: 0.93, Email: "ada@harborridge.example", Phone: "+1 617 555 0100", Location: "Boston, MA",
			NetworkURL: "https://network.example/in/ada-larkspur", Experience: []provider.Experience{fernley},
			Education: []provider.Education{{School: "Quillwood College", Degree: "BA", Field: "Economics", From: "1994", To: "1998"}},
		},
	} {
		got, err := newKit(t, vendor, file(t, vendor+".json")).Enrich(t.Context(), ada)
		require.NoError(t, err)
		require.Equal(t, want, got, vendor)
	}
	_, err := newKit(t, "hunter", file(t, "hunter_none.json")).Enrich(t.Context(), ada)
	require.Equal(t, provider.NoMatch, provider.KindOf(err))
	_, err = newKit(t, "pdl", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"likelihood": 5, "data": {"first_name": "Ada", "last_name": "Larkspur"}}`)
	}).Enrich(t.Context(), ada)
	require.Equal(t, provider.NoMatch, provider.KindOf(err), "below the least likelihood")
}

// Guarantee: what comes from outside is text of one line that can be stored and shown, or is left out.
func TestHostileResult(t *testing.T) {
	t.Parallel()
	k := newKit(t, "http", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"confidence": 1, "person": {"first_name": "Ada\u0000", "last_name": "Lark\u0007spur", "email": "Ada <ada@x.example>", "phone": "1\n2",
			"location": "`+strings.Repeat("é", 1000)+`", "professional_network_url": "javascript://x.example/%0aalert(1)",
			"education": [{"school": " ", "degree": "BA"}, {"school": "Q", "from": "99", "to": "2020-13"}, {"school": "Q"}], "experience": [{"title": "x"}]}}`)
	})
	got, err := k.Enrich(t.Context(), ada)
	require.NoError(t, err)
	require.Equal(t, provider.Result{
		First: "Ada", Last: "Larkspur", Confidence: 1, Phone: "1 2", Location: strings.Repeat("é", 300),
		Education: []provider.Education{{School: "Q"}}, Experience: []provider.Experience{},
	}, got)
}

// Guarantee: a provider that fails is paused for a while, as long as it asks for, and is asked again afterwards.
func TestBreaker(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		fault http.HandlerFunc
		tries int // until it rests
		rest  time.Duration
		kind  provider.Kind
	}{
		"limited":           {status(429, "Retry-After", "90"), 1, 90 * time.Second, provider.Limited},
		"limited for long":  {status(429, "Retry-After", "86400"), 1, time.Hour, provider.Limited},
		"limited, no word":  {status(429), 1, time.Minute, provider.Limited},
		"out of credit":     {status(402), 1, 10 * time.Minute, provider.OutOfCredit},
		"wrong key":         {status(401), 1, 10 * time.Minute, provider.Unauthorized},
		"away":              {status(500), 3, time.Minute, provider.Away},
		"thrice a web page": {file(t, "page.html"), 3, time.Minute, provider.Malformed},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			well := false
			good := file(t, "http.json")
			k := newKit(t, "http", func(w http.ResponseWriter, r *http.Request) {
				if well {
					good(w, r)
					return
				}
				test.fault(w, r)
			})
			for range test.tries {
				_, err := k.Enrich(t.Context(), ada)
				require.Equal(t, test.kind, provider.KindOf(err))
			}
			well = true
			asked := k.asked()
			_, err := k.Enrich(t.Context(), ada)
			require.Equal(t, test.kind, provider.KindOf(err), "of what it rests")
			require.Equal(t, asked, k.asked())
			k.clock.Move(test.rest - time.Second)
			_, err = k.Enrich(t.Context(), ada)
			require.Error(t, err)
			k.clock.Move(time.Second)
			_, err = k.Enrich(t.Context(), ada)
			require.NoError(t, err)
			require.Equal(t, asked+1, k.asked())
		})
	}
	k := newKit(t, "http", status(500), status(500), status(404), status(500))
	for range 3 {
		_, err := k.Enrich(t.Context(), ada)
		require.Error(t, err)
	}
	require.Equal(t, 5, k.asked(), "no match is an answer: failures in a row begin anew")
}
