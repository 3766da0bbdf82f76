package apikey_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/keys/internal/apikey"
	"gpatlas/modules/keys/internal/testkit/fixture"
	"gpatlas/platform/auth"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/idempotency"
	"gpatlas/platform/testkit/httpapitest"
)

// A client that lost the answer asks again with its Idempotency-Key and gets the same secret, of one API key. The database
// holds the secret nowhere in clear.
func TestCreationIsRepeatedByKey(t *testing.T) {
	t.Parallel()
	b := setup(t)
	user := fixture.Account{}.Insert(t, b.db, "repeat")
	keeper := idempotency.New(b.db, b.clock, idempotency.Secrets{bytes.Repeat([]byte{7}, 32)})
	host := httpapitest.NewWith(t, httpapi.Config{Keeper: keeper}, apikey.Routes(b.service)...)
	create := httpapitest.Scenario{
		Method: "POST", Path: "/v1/api-keys", Body: `{"name":"Import","tier":"starter"}`, Status: 201,
		As: &auth.Principal{Kind: auth.Session, UserID: user}, Header: map[string]string{"Idempotency-Key": "lost-answer"},
	}
	first := host.Do(t, create)
	create.WantHeader = map[string]string{"Idempotent-Replayed": "true", "Location": first.Header.Get("Location")}
	again := host.Do(t, create)
	require.Equal(t, first.Body, again.Body)
	keys, _, err := b.service.List(t.Context(), user, true)
	require.NoError(t, err)
	require.Len(t, keys, 1)

	var made map[string]any
	require.NoError(t, json.Unmarshal([]byte(first.Body), &made))
	var secrets []string
	for _, value := range made {
		if text, ok := value.(string); ok && strings.HasPrefix(text, "gpa_") && len(text) > 30 {
			secrets = append(secrets, text)
		}
	}
	require.Len(t, secrets, 1, first.Body)
	var dump string
	require.NoError(t, b.db.From(t.Context()).Raw(`SELECT (SELECT string_agg(i::text || encode(answer, 'escape'), '') FROM platform.idempotency i) ||
		(SELECT string_agg(k::text, '') FROM keys.api_keys k)`).Scan(&dump).Error)
	require.Contains(t, dump, "create-api-key")
	require.NotContains(t, dump, secrets[0])
	require.NotContains(t, dump, secrets[0][9:])
	require.NotContains(t, dump, "lost-answer")
}
