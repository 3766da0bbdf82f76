package enrichment_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogtest"
	"gpatlas/modules/people/internal/enrichment"
	"gpatlas/modules/people/internal/enrichment/provider"
	"gpatlas/modules/people/internal/testkit/fixture"
	"gpatlas/platform/auth"
	"gpatlas/platform/jobs"
	"gpatlas/platform/testkit/httpapitest"
	"gpatlas/platform/testkit/jobstest"
)

// stub is a provider with a fixed answer that records the people it was asked about.
type stub struct {
	name  string
	gives []string
	say   func(q provider.Query) (provider.Result, error)

	mu    sync.Mutex
	asked []provider.Query
}

func (s *stub) Name() string { return s.name }

func (s *stub) Gives() []string {
	if s.gives == nil {
		return []string{provider.Email, provider.Phone, provider.Location, provider.NetworkURL, provider.Schools, provider.Posts}
	}
	return s.gives
}

func (s *stub) Enrich(_ context.Context, q provider.Query) (provider.Result, error) {
	s.mu.Lock()
	s.asked = append(s.asked, q)
	s.mu.Unlock()
	return s.say(q)
}

func (s *stub) about() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []string
	for _, q := range s.asked {
		list = append(list, q.First+" "+q.Last)
	}
	slices.Sort(list)
	return list
}

// knowing is a provider that knows everybody.
func knowing(name string) *stub {
	return &stub{name: name, say: func(q provider.Query) (provider.Result, error) {
		return provider.Result{
			First: q.First, Last: q.Last, Confidence: 0.9, Email: strings.ToLower(q.First) + "@" + name + ".example", Location: "Boston",
			Education:  []provider.Education{{School: "Quillwood College", From: "1994", To: "1998"}},
			Experience: []provider.Experience{{Firm: "Fernley Brothers", Title: "Associate", From: "1998", To: "2002"}, {Firm: q.Firm, Title: "Boss", From: "2003"}},
		}, nil
	}}
}

func failing(name string, kind provider.Kind) *stub {
	return &stub{name: name, say: func(provider.Query) (provider.Result, error) { return provider.Result{}, &provider.Error{Kind: kind} }}
}

type bench struct {
	*fixture.World
	people *enrichment.Service
	host   *httpapitest.Host
	// onSleep is what happens while a request waits for its job; nil: a worker does the jobs.
	onSleep func()
}

var (
	ada  = &auth.Principal{Kind: auth.Session, UserID: 7}
	ben  = &auth.Principal{Kind: auth.Session, UserID: 8}
	test = &auth.Principal{Kind: auth.Key, UserID: 7, KeyID: "k", Mode: auth.ModeTest}
)

// setup has an adviser with a team of three and one alumna, and another with one of these.
func setup(t *testing.T, providers ...provider.Provider) *bench {
	t.Helper()
	b := &bench{World: fixture.New(t, catalogtest.NewLoader)}
	b.people = enrichment.NewService(b.DB, jobs.NewEnqueuer(b.DB), enrichment.Settings{
		Providers: providers, PeopleMax: 100, AskAgain: 720 * time.Hour, Wait: time.Minute,
		Sleep: func(ctx context.Context, d time.Duration) error {
			if b.onSleep != nil {
				b.onSleep()
			} else {
				b.work(t)
			}
			return b.Clock.Sleep(ctx, d)
		},
	}, b.Clock, slog.New(slog.NewTextHandler(t.Output(), nil)))
	b.host = httpapitest.New(t, enrichment.Routes(b.people)...)
	lark := fixture.Person{Name: "LARKSPUR, ADA, M", Title: "MANAGING MEMBER", Since: "2011-03", Number: "1000018"}
	gate := fixture.Person{Name: "VAN MOSSGATE, THEO", Title: "ASSOCIATE"}
	b.Load(
		t,
		fixture.Filed("900101", "2020-03-01", []fixture.Person{lark, gate, {Name: "QUILL, UNA", Title: "PARTNER"}}),
		fixture.Filed("900101", "2025-03-01", []fixture.Person{lark, gate, {Name: "FERNLEY, IRIS", Title: "CHIEF COMPLIANCE OFFICER"}}),
		fixture.Filed("900102", "2019-04-01", []fixture.Person{lark}),
	)
	return b
}

// work does the jobs that wait.
func (b *bench) work(t *testing.T) {
	t.Helper()
	jobstest.Deliver(t, b.DB, enrichment.Handlers(b.people)...)
}

func (b *bench) uid(t *testing.T, name string) string {
	t.Helper()
	found, err := b.People.Find(t.Context(), name)
	require.NoError(t, err)
	require.NotEmpty(t, found, name)
	return found[0].PersonUID
}

type answer struct {
	JobID  string `json:"job_id"`
	State  string
	Cached bool
	Error  string
	Result *enrichment.Outcome
}

// enrich asks for an enrichment of 900101.
func (b *bench) enrich(t *testing.T, as *auth.Principal, async bool, status int) answer {
	t.Helper()
	got := b.host.Do(t, httpapitest.Scenario{
		Method: http.MethodPost, Path: "/v1/gps/900101/enrich", Body: fmt.Sprintf(`{"async_mode":%t}`, async), As: as, Status: status,
	})
	noNames(t, got.Body)
	return decoded(t, got.Body)
}

func (b *bench) status(t *testing.T, as *auth.Principal, id string, status int) answer {
	t.Helper()
	got := b.host.Do(t, httpapitest.Scenario{Path: "/v1/gps/900101/enrich/status/" + id, As: as, Status: status})
	noNames(t, got.Body)
	return decoded(t, got.Body)
}

func decoded(t *testing.T, body string) answer {
	t.Helper()
	var a struct{ Data answer }
	require.NoError(t, json.Unmarshal([]byte(body), &a))
	return a.Data
}

// noNames holds what is free to having no names in it.
func noNames(t *testing.T, body string) {
	t.Helper()
	for _, name := range []string{"larkspur", "mossgate", "quill", "fernley", "per_"} {
		require.NotContains(t, strings.ToLower(body), name)
	}
}

func nopLog() *slog.Logger { return slog.New(slog.DiscardHandler) }
