package main

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/testkit/dbtest"
)

// Two processes serve; a third takes an administrator's rights, the first revokes keys and deletes an account: the keys that
// both remember follow.
func TestKeysFollowTheirAccountInEveryProcess(t *testing.T) {
	t.Parallel()
	store := dbtest.New(t)
	db, queue := dbtest.URL(t, store), dbtest.RedisURL(t)
	first, second := startHouse(t, db, queue), startHouse(t, db, queue)
	ada := first.signUp(t, "ada@larkspur.example")
	_, err := store.Pool().Exec(t.Context(), "UPDATE accounts.users SET email_verified_at = now()") // either process may send the mail
	require.NoError(t, err)
	admin := func(verb string) {
		t.Helper()
		cmd, out := gpatlas(t, "admin", verb, ada.email)
		cmd.Env = append(cmd.Env, "DATABASE_URL="+db)
		require.NoError(t, cmd.Run(), out)
	}
	makeKey := func() (keys [2]caller, id string) {
		a := ada.call("POST", "/v1/api-keys", `{"name":"x","tier":"starter","mode":"live"}`)
		require.Equal(t, http.StatusCreated, a.status, a.body)
		key := text(t, a.body, "key")
		return [2]caller{{t, first.base, key}, {t, second.base, key}}, text(t, a.body, "id")
	}
	read := func(c caller) int { return c.call("GET", "/v1/gps?per_page=1", "").status }
	operate := func(c caller) int { return c.call("POST", "/v1/admin/jobs/trial-check", "").status }
	follows := func(do func(c caller) int, c caller, status int, why string) {
		t.Helper()
		require.Eventually(t, func() bool { return do(c) == status }, patience, glance, why)
	}
	// next is the status of the next request that the limit of five seconds lets through.
	next := func(do func(c caller) int, c caller) (status int) {
		t.Helper()
		require.Eventually(t, func() bool {
			status = do(c)
			return status != http.StatusTooManyRequests
		}, patience, glance)
		return status
	}
	keys, _ := makeKey()
	other, id := makeKey()
	for i := range keys {
		require.Equal(t, http.StatusOK, next(read, keys[i]))
		require.Equal(t, http.StatusOK, next(read, other[i]))
		require.Equal(t, http.StatusForbidden, next(operate, keys[i]))
	}
	admin("grant")
	for _, c := range keys {
		follows(operate, c, http.StatusAccepted, "granted")
	}
	admin("revoke")
	for _, c := range keys {
		require.Equal(t, http.StatusForbidden, next(operate, c), "the next request")
	}

	require.Equal(t, http.StatusNoContent, ada.call("DELETE", "/v1/api-keys/"+id, "").status)
	require.Equal(t, http.StatusUnauthorized, next(read, other[0]), "the next request")
	follows(read, other[1], http.StatusUnauthorized, "revoked")
	follows(read, keys[1], http.StatusOK, "the other key, as soon as the limit of five seconds allows")
	require.Equal(t, http.StatusNoContent, ada.call("DELETE", "/v1/me/account", `{"confirmation":"DELETE","password":"`+first.password+`"}`).status)
	for _, c := range keys {
		follows(read, c, http.StatusUnauthorized, "deleted")
	}
}
