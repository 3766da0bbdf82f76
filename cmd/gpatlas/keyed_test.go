package main

import (
	"net/http"
	"slices"
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/stretchr/testify/require"

	"gpatlas/platform/httpapi"
	"gpatlas/platform/testkit/dbtest"
)

// TestKeyedOperations: which operations honour Idempotency-Key follows from what they do. Those of an account that create
// something and those with a price say so in the document; no other does.
func TestKeyedOperations(t *testing.T) {
	t.Parallel()
	app, err := describe()
	require.NoError(t, err)
	var creating, priced []string
	for _, r := range app.API.Routes() {
		honours := slices.ContainsFunc(r.Operation.Parameters, func(p *huma.Param) bool { return p.Name == httpapi.HeaderKey })
		if !honours {
			continue
		}
		for _, status := range []string{"409", "422", "503"} {
			require.Contains(t, r.Operation.Responses, status, r.Operation.OperationID)
		}
		if r.ChargeMicros > 0 {
			priced = append(priced, r.Operation.OperationID)
		} else {
			creating = append(creating, r.Operation.OperationID)
		}
	}
	for _, id := range []string{"create-api-key", "add-watchlist-item", "create-collection", "add-collection-item", "create-saved-search"} {
		require.Contains(t, creating, id)
	}
	require.GreaterOrEqual(t, len(priced), 8)
	require.NotContains(t, creating, "register")
}

// Through the whole service: a request that is sent again under its key is answered again and not executed again, and the answers go with the account.
func TestKeyedRequestsThroughTheService(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	h := startHouse(t, dbtest.URL(t, db), dbtest.RedisURL(t))
	ada := h.signUp(t, "ada@larkspur.example")
	create := func(c caller, key, body string) answer {
		return c.callKeyed("POST", "/v1/me/collections", body, key)
	}
	first := create(ada.caller, "k", `{"name":"Buyout"}`)
	require.Equal(t, http.StatusCreated, first.status, first.body)
	require.Empty(t, first.header.Get(httpapi.HeaderReplayed))
	again := create(ada.caller, "k", `{"name":"Buyout"}`)
	require.Equal(t, http.StatusCreated, again.status, again.body)
	require.Equal(t, "true", again.header.Get(httpapi.HeaderReplayed))
	require.Equal(t, first.body, again.body)
	require.Equal(t, http.StatusUnprocessableEntity, create(ada.caller, "k", `{"name":"Venture"}`).status)
	require.Equal(t, http.StatusConflict, create(ada.caller, "l", `{"name":"Buyout"}`).status, "the name is in use")
	var rows int64
	count := func() int64 {
		require.NoError(t, db.From(t.Context()).Raw("SELECT count(*) FROM platform.idempotency").Scan(&rows).Error)
		return rows
	}
	require.EqualValues(t, 2, count())
	require.Equal(t, http.StatusNoContent, ada.call("DELETE", "/v1/me/account", `{"confirmation":"DELETE","password":"`+h.password+`"}`).status)
	require.Zero(t, count())
}

// The answer to the last free call is given again; a further call is refused, with a key or without.
func TestTheLastFreeCallIsRepeated(t *testing.T) {
	t.Parallel()
	db := sampleDB.New(t)
	h := startHouse(t, dbtest.URL(t, db), dbtest.RedisURL(t))
	ada := h.signUp(t, "ada@larkspur.example")
	h.verify(t, ada)
	key := ada.makeKey("starter")
	exec := func(statement string) {
		done := db.From(t.Context()).Exec(statement)
		require.NoError(t, done.Error)
		require.EqualValues(t, 1, done.RowsAffected, statement)
	}
	metrics := func(name string) answer { return key.callKeyed("GET", "/v1/gps/763283/metrics", "", name) }
	exec("UPDATE accounts.users SET subscription_plan = 'free', trial_ends_at = now() - interval '1 day'")
	require.Equal(t, http.StatusOK, metrics("").status)
	exec("UPDATE keys.free_calls SET used = 999")
	first := metrics("lost")
	require.Equal(t, http.StatusOK, first.status, first.body)
	again := metrics("lost")
	require.Equal(t, http.StatusOK, again.status, again.body)
	require.Equal(t, first.body, again.body)
	require.Equal(t, "true", again.header.Get(httpapi.HeaderReplayed))
	require.Equal(t, http.StatusPaymentRequired, metrics("").status)
	require.Equal(t, http.StatusPaymentRequired, metrics("new").status)
	var used, rows int64
	require.NoError(t, db.From(t.Context()).Raw("SELECT used FROM keys.free_calls").Scan(&used).Error)
	require.NoError(t, db.From(t.Context()).Raw("SELECT count(*) FROM platform.idempotency").Scan(&rows).Error)
	require.EqualValues(t, 1000, used)
	require.EqualValues(t, 1, rows)
}
