package main

import (
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/localserver"
	"gpatlas/platform/testkit/dbtest"
)

// processes are those of a private PostgreSQL: the postmaster first, then its children.
func (s *server) processes(t *testing.T) (pids []int) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(s.stack.Dir(), "postgres", "postmaster.pid"))
	require.NoError(t, err)
	first, _, _ := strings.Cut(string(b), "\n")
	postmaster, err := strconv.Atoi(first)
	require.NoError(t, err)
	pids = append(pids, postmaster)
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	require.NoError(t, err)
	for _, name := range stats {
		b, err := os.ReadFile(name)
		if err != nil {
			continue // it has ended
		}
		_, rest, _ := strings.Cut(string(b), ") ") // "pid (name) state parent …"
		if fields := strings.Fields(rest); len(fields) > 1 && fields[1] == first {
			pid, err := strconv.Atoi(filepath.Base(filepath.Dir(name)))
			require.NoError(t, err)
			pids = append(pids, pid)
		}
	}
	return pids
}

// hang stops every process of the server where it stands: connections stay open, and nothing is answered. goOn lets them go on.
func (s *server) hang(t *testing.T) (goOn func()) {
	t.Helper()
	pids := s.processes(t)
	require.Greater(t, len(pids), 2)
	for _, pid := range pids { // the postmaster first: it starts no others
		require.NoError(t, syscall.Kill(pid, syscall.SIGSTOP))
	}
	var once sync.Once
	goOn = func() {
		once.Do(func() {
			for _, pid := range pids {
				_ = syscall.Kill(pid, syscall.SIGCONT)
			}
		})
	}
	t.Cleanup(goOn)
	return goOn
}

type request struct {
	by                 caller
	method, path, body string
	want               int
}

// all sends requests at the same time, and gives the longest time that one took.
func all(t *testing.T, list []request) (longest time.Duration) {
	t.Helper()
	answers, errs, took := make([]answer, len(list)), make([]error, len(list)), make([]time.Duration, len(list))
	var wg sync.WaitGroup
	for i, r := range list {
		wg.Go(func() {
			began := time.Now()
			answers[i], errs[i] = r.by.ask(r.method, r.path, r.body)
			took[i] = time.Since(began)
		})
	}
	wg.Wait()
	for i, r := range list {
		require.NoError(t, errs[i], "%s %s", r.method, r.path)
		require.Equal(t, r.want, answers[i].status, "%s %s: %s", r.method, r.path, answers[i].body)
		if r.want == http.StatusServiceUnavailable && r.path != "/health" { // its answer is a report, no failure
			seconds, err := strconv.Atoi(answers[i].header.Get("Retry-After"))
			require.NoError(t, err, "%s %s", r.method, r.path)
			require.Positive(t, seconds)
		}
		longest = max(longest, took[i])
	}
	return longest
}

// While PostgreSQL has stopped answering but holds its connections, what needs it is answered 503 within the time limit of a
// request's database work, what does not is answered as ever, and when it goes on so does everything, with a pool that is whole.
func TestPostgresHangsBelowTheService(t *testing.T) {
	t.Parallel()
	store := startServer(t, localserver.Config{NoRedis: true})
	h := startHouse(t, store.stack.DatabaseURL(), dbtest.RedisURL(t))
	ada := h.signUp(t, "ada@larkspur.example")
	h.verify(t, ada)
	known, unseen := ada.makeKey("starter"), ada.makeKey("starter")
	require.Equal(t, http.StatusOK, known.call("GET", "/v1/gps?per_page=1", "").status)
	admin := h.signUp(t, "grace@mossgate.example")
	// PostgreSQL may still execute what it was sent before it hung, such as a sign-out. These calls have an account of their own.
	leaving := h.signUp(t, "cleo@larkspur.example")
	nobody := caller{t: t, base: h.base}
	password := `"password":"` + h.password + `"`
	login := `{"username":"` + ada.email + `",` + password + `}`

	const away, good = http.StatusServiceUnavailable, http.StatusOK
	needs := []request{
		{nobody, "POST", "/v1/auth/login", login, away},
		{nobody, "POST", "/v1/auth/refresh", `{"refresh_token":"` + leaving.refresh + `"}`, away},
		{nobody, "POST", "/v1/auth/register", h.form("ben@mossgate.example"), away},
		{nobody, "POST", "/v1/auth/forgot-password", `{"email":"` + ada.email + `"}`, away},
		{nobody, "POST", "/v1/auth/reset-password", `{"token":"x","new_password":"nine lanterns over the weir"}`, away},
		{nobody, "POST", "/v1/auth/verify-email", `{"token":"x"}`, away},
		{nobody, "POST", "/v1/me/account/recover", `{"email":"` + ada.email + `",` + password + `}`, away},
		{unseen, "GET", "/v1/gps?per_page=1", "", away},
		{admin.caller, "POST", "/v1/admin/jobs/trial-check", "", away},
		{leaving.caller, "POST", "/v1/auth/logout", "", away},
		{leaving.caller, "DELETE", "/v1/me/account", `{"confirmation":"DELETE",` + password + `}`, away},
	}
	for _, r := range [][3]string{
		{"GET", "/v1/auth/me"},
		{"GET", "/v1/auth/sessions"},
		{"GET", "/v1/api-keys"},
		{"POST", "/v1/api-keys", `{"name":"second","tier":"starter"}`},
		{"GET", "/v1/usage"},
		{"GET", "/v1/usage/daily"},
		{"GET", "/v1/billing/free-tier-status"},
		{"GET", "/v1/me/account/export"},
		{"GET", "/v1/watchlist"},
		{"GET", "/v1/saved-searches"},
		{"GET", "/v1/gps?per_page=1"},
	} {
		needs = append(needs, request{ada.caller, r[0], r[1], r[2], away})
	}
	lives := []request{
		{nobody, "GET", "/v1/gps?per_page=1", "", good},
		{nobody, "GET", "/status", "", good},
		{nobody, "GET", "/health", "", away},
		{known, "GET", "/v1/gps?per_page=1", "", good},
	}

	goOn := store.hang(t)
	for round := range 2 { // the second finds connections that were given up
		took := all(t, append(needs, lives...))
		t.Logf("hung, round %d: %d requests answered, the last after %s", round+1, len(needs)+len(lives), took.Round(time.Millisecond))
		require.Less(t, took, 15*time.Second)
	}
	took := all(t, lives)
	t.Logf("hung: what needs no database is answered within %s", took.Round(time.Millisecond))
	require.Less(t, took, 4*time.Second)

	goOn()
	began := time.Now()
	require.Eventually(t, func() bool {
		a, err := ada.ask("GET", "/v1/auth/me", "")
		return err == nil && a.status == http.StatusOK
	}, patience, glance, "the session goes on")
	t.Logf("the first session call is answered %s after the server went on", time.Since(began).Round(time.Millisecond))
	var crowd []request
	for range 40 { // four times the connections of the pool
		crowd = append(crowd, request{ada.caller, "GET", "/v1/api-keys", "", good})
	}
	t.Logf("%d session calls at once are answered within %s", len(crowd), all(t, crowd).Round(time.Millisecond))
	all(t, []request{
		{ada.caller, "GET", "/v1/usage", "", good},
		{unseen, "GET", "/v1/gps?per_page=1", "", good},
	})
	all(t, []request{{nobody, "POST", "/v1/auth/login", login, good}}) // it ends the session above
	require.Eventually(t, func() bool { return nobody.call("GET", "/health", "").status == good }, patience, glance, "it asks once a second")
	h.verify(t, h.signUp(t, "ben@mossgate.example"))
}
