package bench_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

const (
	keyAccounts   = 30 // ten keys each: so many that no limit is near, and that a cache of one would not help
	keysOfAccount = 10
	postTimeout   = 30 * time.Second // a password is hashed in some
)

// measureKeys asks the same searches without a key and with keys, in turn: what recognising, limiting and counting cost.
// Anonymous callers have no limits under `gpatlas dev`; a key of the tier scale is limited and counted like any other.
func measureKeys(ctx context.Context, b *testing.B, r *report, binary string, data filled) {
	b.Helper()
	s, _ := serve(ctx, b, binary, data)
	defer s.end()
	drawn, err := drawRecords(ctx, s.databaseURL)
	require.NoError(b, err)
	searches := operations(drawn)[0]
	asked, err := look(ctx, s.addr, &searches)
	require.NoError(b, err)
	keyed := make([][]byte, 0, keyAccounts*keysOfAccount)
	for i, key := range makeKeys(ctx, b, s, "test") {
		q := asked.requests[i%len(asked.requests)]
		keyed = append(keyed, bytes.Replace(q, []byte("\r\n\r\n"), []byte("\r\nAuthorization: Bearer "+key+"\r\n\r\n"), 1))
	}
	all, err := gather(ctx, s.addr)
	require.NoError(b, err)
	defer all.close()
	var share, with, without, p99 []float64
	for round := -1; round < *roundsFlag; round++ { // the first one warms
		anonymous, err := all.drive(ctx, asked.requests, *slotFlag)
		require.NoError(b, err)
		known, err := all.drive(ctx, keyed, *slotFlag)
		require.NoError(b, err)
		if round < 0 {
			continue
		}
		share, with, without = append(share, known.rate/anonymous.rate), append(with, known.rate), append(without, anonymous.rate)
		p99 = append(p99, milliseconds(known.p99))
	}
	r.measure(keyKeyed, searches.name+" with a key, limit and usage count, against without", "", share, fmt.Sprintf(
		"%s against %s a second, p99 %s ms; %d keys", figure(median(with)), figure(median(without)), figure(median(p99)), len(keyed)))
}

// makeKeys registers accounts and makes keys of a mode and of the largest tier, which has no daily limit.
func makeKeys(ctx context.Context, b *testing.B, s *served, mode string) (keys []string) {
	b.Helper()
	conn, err := pgx.Connect(ctx, s.databaseURL)
	require.NoError(b, err)
	defer func() { require.NoError(b, conn.Close(context.WithoutCancel(ctx))) }()
	for n := range keyAccounts {
		var account struct {
			Token string `json:"access_token"`
		}
		email := "bench" + strconv.Itoa(n) + "@larkspur.example"
		s.post(ctx, b, "/v1/auth/register", "", map[string]string{
			"email": email, "password": "a quiet harbour at dawn", "full_name": "Ada Larkspur",
		}, &account)
		_, err := conn.Exec(ctx, "UPDATE accounts.users SET email_verified_at = now(), api_tier = 'scale', subscription_plan = 'enterprise', trial_ends_at = NULL WHERE email_key = $1", email)
		require.NoError(b, err)
		for k := range keysOfAccount {
			var made struct{ Key string }
			s.post(ctx, b, "/v1/api-keys", account.Token, map[string]string{"name": strconv.Itoa(k), "tier": "scale", "mode": mode}, &made)
			keys = append(keys, made.Key)
		}
	}
	return keys
}

func (s *served) post(ctx context.Context, b *testing.B, path, token string, body map[string]string, into any) {
	b.Helper()
	text, err := json.Marshal(body)
	require.NoError(b, err)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+s.addr+path, bytes.NewReader(text))
	require.NoError(b, err)
	req.Header.Set("Content-Type", "application/json")
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	res, err := (&http.Client{Timeout: postTimeout}).Do(req)
	require.NoError(b, err)
	defer func() { _ = res.Body.Close() }()
	answer, err := io.ReadAll(res.Body)
	require.NoError(b, err)
	require.Equal(b, http.StatusCreated, res.StatusCode, "%s: %s", path, answer)
	require.NoError(b, json.Unmarshal(answer, into))
}
