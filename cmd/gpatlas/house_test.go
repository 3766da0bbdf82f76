package main

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/httpapi"
)

const patience, glance = 60 * time.Second, 10 * time.Millisecond

// house is a whole service in a process of its own, over given servers.
type house struct {
	base, mails, password string
	cmd                   *exec.Cmd
	out                   *output
}

// startHouse starts one over the database as it is.
func startHouse(t *testing.T, databaseURL, redisURL string, env ...string) *house {
	t.Helper()
	dir, addr := scratch(t), freePort(t)
	cmd, out := gpatlas(t, "dev", "--data-dir", dir, "--addr", addr, "--no-sample")
	cmd.Env = append(append(cmd.Env, "DATABASE_URL="+databaseURL, "REDIS_URL="+redisURL), env...)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		require.NotContains(t, out.String(), "WARNING: DATA RACE")
	})
	require.Eventually(t, func() bool { return strings.Contains(out.String(), "is ready on") }, patience, glance, out)
	return &house{"http://" + addr, filepath.Join(dir, "mail"), "three herons cross the pond", cmd, out}
}

// shell runs commands of the docs, which find the house at $URL, and returns what they print.
func (h *house) shell(t *testing.T, commands string, env ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "sh", "-c", "set -eu\n"+commands)
	cmd.Env = append(append(os.Environ(), "URL="+h.base), env...)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s\n%s", out, h.out)
	return string(out)
}

// form is a registration.
func (h *house) form(email string) string {
	return `{"email":"` + email + `","password":"` + h.password + `","full_name":"Ada Larkspur"}`
}

// account is somebody who has registered and is signed in.
type account struct {
	caller

	email, session, refresh string
}

func (h *house) signUp(t *testing.T, email string) *account {
	t.Helper()
	nobody := caller{t: t, base: h.base}
	a := nobody.call("POST", "/v1/auth/register", h.form(email))
	require.Equal(t, http.StatusCreated, a.status, a.body)
	return &account{caller{t, h.base, text(t, a.body, "access_token")}, email, text(t, a.body, "session_id"), text(t, a.body, "refresh_token")}
}

// verify follows the link in the verification mail, and gives its token.
func (h *house) verify(t *testing.T, a *account) string {
	t.Helper()
	token := h.mailed(t, a.email, "verify-email")
	got := a.call("POST", "/v1/auth/verify-email", `{"token":"`+token+`"}`)
	require.Equal(t, http.StatusOK, got.status, got.body)
	return token
}

// mailed waits for a mail with a link to a page and gives the link's token.
func (h *house) mailed(t *testing.T, email, page string) (token string) {
	t.Helper()
	link := regexp.MustCompile(page + `(?:\?token=|/)([A-Za-z0-9_-]+)`)
	require.Eventually(t, func() bool {
		for _, name := range letters(h.mails) {
			b, err := os.ReadFile(name)
			m := link.FindStringSubmatch(string(b))
			if err == nil && m != nil && strings.Contains(string(b), "<"+email+">") {
				token = m[1]
				return true
			}
		}
		return false
	}, patience, glance, "no mail to %s about %s: %s", email, page, h.out)
	return token
}

// caller calls a service over its socket; token is a session's or a key, "" for nobody's.
type caller struct {
	t           *testing.T
	base, token string
}

type answer struct {
	status int
	header http.Header
	body   string
}

// ask calls, also from goroutines and while the service may be away.
func (c caller) ask(method, path, body string) (answer, error) {
	return c.askKeyed(method, path, body, "")
}

// askKeyed calls with a key of idempotency; "" is without one.
func (c caller) askKeyed(method, path, body, key string) (answer, error) {
	req, err := http.NewRequestWithContext(c.t.Context(), method, c.base+path, strings.NewReader(body))
	if err != nil {
		return answer{}, err
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	if c.token != "" {
		req.Header.Set("Authorization", "Bearer "+c.token)
	}
	if key != "" {
		req.Header.Set(httpapi.HeaderKey, key)
	}
	res, err := (&http.Client{Timeout: patience}).Do(req)
	if err != nil {
		return answer{}, err
	}
	defer func() { _ = res.Body.Close() }()
	b, err := io.ReadAll(res.Body)
	return answer{res.StatusCode, res.Header, string(b)}, err
}

func (c caller) call(method, path, body string) answer {
	c.t.Helper()
	return c.callKeyed(method, path, body, "")
}

func (c caller) callKeyed(method, path, body, key string) answer {
	c.t.Helper()
	a, err := c.askKeyed(method, path, body, key)
	require.NoError(c.t, err, "%s %s", method, path)
	return a
}

// makeKey makes a live key and gives who calls with it.
func (c caller) makeKey(tier string) caller {
	c.t.Helper()
	a := c.call("POST", "/v1/api-keys", `{"name":"first","tier":"`+tier+`"}`)
	require.Equal(c.t, http.StatusCreated, a.status, a.body)
	return caller{c.t, c.base, text(c.t, a.body, "key")}
}

// text is a field of an answer.
func text(t *testing.T, body, field string) string {
	t.Helper()
	var fields map[string]any
	require.NoError(t, json.Unmarshal([]byte(body), &fields), body)
	value, ok := fields[field].(string)
	require.True(t, ok, "no text %q in %s", field, body)
	return value
}
