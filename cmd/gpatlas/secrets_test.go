package main

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/testkit/dbtest"
)

// No secret is in what a service logs at its most talkative, in what it answers later on, in its export, or in its jobs.
func TestSecretsStaySecret(t *testing.T) {
	t.Parallel()
	db, queue := dbtest.New(t), dbtest.RedisURL(t)
	h := startHouse(t, dbtest.URL(t, db), queue, "LOG_LEVEL=debug", "WEB_ACCESS_LOG=all")
	ada := h.signUp(t, "ada@larkspur.example")
	secrets := []string{h.password, ada.token, ada.refresh, h.verify(t, ada)}
	nobody := caller{t: t, base: h.base}
	say := func(c caller, want int, method, path, body string) string {
		t.Helper()
		a := c.call(method, path, body)
		require.Equal(t, want, a.status, "%s %s: %s", method, path, a.body)
		if want >= http.StatusBadRequest {
			for _, s := range secrets {
				require.NotContains(t, a.body, s, "%s %s", method, path)
			}
		}
		return a.body
	}
	login := func(word string) string {
		return say(nobody, http.StatusOK, "POST", "/v1/auth/login", `{"username":"`+ada.email+`","password":"`+word+`"}`)
	}
	for range 2 { // in the body, and as a parameter
		tokens := login(h.password)
		secrets = append(secrets, text(t, tokens, "access_token"), text(t, tokens, "refresh_token"))
	}
	first := secrets[len(secrets)-1]
	tokens := say(nobody, http.StatusOK, "POST", "/v1/auth/refresh?refresh_token="+first, "")
	secrets = append(secrets, text(t, tokens, "access_token"), text(t, tokens, "refresh_token"))
	tokens = say(nobody, http.StatusOK, "POST", "/v1/auth/refresh", `{"refresh_token":"`+secrets[len(secrets)-1]+`"}`)
	secrets = append(secrets, text(t, tokens, "access_token"), text(t, tokens, "refresh_token"))
	ada.token = text(t, tokens, "access_token")

	key := ada.makeKey("starter")
	secrets = append(secrets, strings.TrimPrefix(key.token, "gpa_live_"))
	say(key, http.StatusOK, "GET", "/v1/gps", "")
	say(nobody, http.StatusUnauthorized, "GET", "/v1/gps?api_key="+key.token, "")
	other := "1" // as the last character of the key, which is random
	if strings.HasSuffix(key.token, other) {
		other = "2"
	}
	say(caller{t, h.base, key.token[:len(key.token)-1] + other}, http.StatusUnauthorized, "GET", "/v1/gps", "")
	list := say(ada.caller, http.StatusOK, "GET", "/v1/api-keys", "")

	// What is refused is not repeated.
	say(nobody, http.StatusBadRequest, "POST", "/v1/auth/login", `{"username":"x","password":["`+h.password+`"]}`)
	say(nobody, http.StatusBadRequest, "POST", "/v1/auth/login", `{"username":"x","password":"`+h.password)
	say(nobody, http.StatusBadRequest, "POST", "/v1/auth/verify-email", `{"token":"`+secrets[3]+`","x":1}`)
	say(nobody, http.StatusUnauthorized, "POST", "/v1/auth/login", `{"username":"nobody@mossgate.example","password":"`+h.password+`"}`)

	fresh := "rain over the northern pier"
	say(nobody, http.StatusOK, "POST", "/v1/auth/forgot-password", `{"email":"`+ada.email+`"}`)
	secrets = append(secrets, fresh, h.mailed(t, ada.email, "reset-password"))
	say(nobody, http.StatusOK, "POST", "/v1/auth/reset-password", `{"token":"`+secrets[len(secrets)-1]+`","new_password":"`+fresh+`"}`)
	tokens = login(fresh)
	secrets = append(secrets, text(t, tokens, "access_token"), text(t, tokens, "refresh_token"))
	ada.token = text(t, tokens, "access_token")
	export := say(ada.caller, http.StatusOK, "GET", "/v1/me/account/export", "")

	inQueue := redisClient(t, queue)
	require.Eventually(t, func() bool { return waiting(t, db) == 0 && jobsDone(t, inQueue) }, patience, glance, h.out)
	var jobs strings.Builder
	for _, id := range inQueue.Keys(t.Context(), "asynq:{*}:t:*").Val() {
		jobs.WriteString(inQueue.HGet(t.Context(), id, "msg").Val())
	}
	require.Contains(t, jobs.String(), "accounts.", "jobs that are done are remembered for a while")
	require.NoError(t, h.cmd.Process.Signal(os.Interrupt))
	require.NoError(t, ended(t, h.cmd, h.out), h.out)
	log := h.out.String()
	require.Contains(t, log, "/v1/auth/reset-password", "requests are logged")
	require.Contains(t, export, ada.email)
	var kept string
	require.NoError(t, db.Pool().QueryRow(t.Context(), "SELECT password_hash FROM accounts.users").Scan(&kept))
	for where, said := range map[string]string{"log": log, "export": export, "keys": list, "jobs": jobs.String()} {
		require.NotContains(t, said, kept, where)
		for i, s := range secrets {
			sum := sha256.Sum256([]byte(s))
			for _, form := range []string{s, url.QueryEscape(s), hex.EncodeToString(sum[:])} {
				require.NotContains(t, said, form, "secret %d in the %s", i, where)
			}
		}
	}
}
