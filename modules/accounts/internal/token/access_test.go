package token_test

import (
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"hash"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/accounts/internal/token"
	"gpatlas/platform/clock"
)

var now = time.Date(2026, 11, 20, 9, 30, 0, 0, time.UTC)

const sessionID = "sess_4k2m7qz5x3n6v8b2c4l7w3t5ya"

// Two keys as an operator would write them.
var (
	secretA = strings.Repeat("a", 32)
	secretB = strings.Repeat("b", 48)
	keyA    = "a:" + base64.StdEncoding.EncodeToString([]byte(secretA))
	keyB    = "b:" + base64.StdEncoding.EncodeToString([]byte(secretB))
)

func signer(tb testing.TB, keys string, at time.Time) *token.Signer {
	tb.Helper()
	ring, err := token.ParseKeys(keys)
	require.NoError(tb, err)
	return token.NewSigner(ring, clock.Fixed(at))
}

func TestSignAndVerify(t *testing.T) {
	t.Parallel()
	text, err := signer(t, keyA, now).Sign(4711, sessionID)
	require.NoError(t, err)
	header, payload := part(t, text, 0), part(t, text, 1)
	require.Equal(t, map[string]any{"alg": "HS256", "typ": "JWT", "kid": "a"}, header)
	require.Len(t, payload["jti"], 43)
	delete(payload, "jti")
	require.Equal(t, map[string]any{
		"iss": "gpatlas", "aud": []any{"gpatlas-api"}, "sub": "4711", "sid": sessionID,
		"iat": float64(now.Unix()), "exp": float64(now.Add(15 * time.Minute).Unix()),
	}, payload)
	for _, at := range []time.Time{now, now.Add(15*time.Minute - time.Second), now.Add(-time.Minute)} {
		got, err := signer(t, keyA, at).Verify(text)
		require.NoError(t, err)
		require.Equal(t, token.Claims{UserID: 4711, SessionID: sessionID, ExpiresAt: now.Add(15 * time.Minute)}, got)
	}
	for _, at := range []time.Time{now.Add(15 * time.Minute), now.AddDate(1, 0, 0)} {
		_, err := signer(t, keyA, at).Verify(text)
		require.Error(t, err)
	}
}

// The first key signs, all verify: a key can be changed without signing anybody out.
func TestRotation(t *testing.T) {
	t.Parallel()
	old, err := signer(t, keyA, now).Sign(4711, sessionID)
	require.NoError(t, err)
	between := signer(t, keyB+","+keyA, now)
	anew, err := between.Sign(4711, sessionID)
	require.NoError(t, err)
	require.Equal(t, "b", part(t, anew, 0)["kid"])
	for _, text := range []string{old, anew} {
		_, err := between.Verify(text)
		require.NoError(t, err)
	}
	after := signer(t, keyB, now)
	_, err = after.Verify(anew)
	require.NoError(t, err)
	_, err = after.Verify(old)
	require.Error(t, err, "its key is gone")
	_, err = signer(t, keyA, now).Verify(anew)
	require.Error(t, err, "its key is not here yet")
}

func TestNoKeys(t *testing.T) {
	t.Parallel()
	empty := signer(t, "", now)
	_, err := empty.Sign(4711, sessionID)
	require.Error(t, err)
	text, err := signer(t, keyA, now).Sign(4711, sessionID)
	require.NoError(t, err)
	_, err = empty.Verify(text)
	require.Error(t, err)
}

// Whatever an attacker makes of a token is none.
func TestAttacks(t *testing.T) {
	t.Parallel()
	s := signer(t, keyA+","+keyB, now)
	good, err := s.Sign(4711, sessionID)
	require.NoError(t, err)
	header := map[string]any{"alg": "HS256", "typ": "JWT", "kid": "a"}
	payload := part(t, good, 1)
	with := func(m map[string]any, key string, value any) map[string]any {
		m = maps.Clone(m)
		if value == nil {
			delete(m, key)
		} else {
			m[key] = value
		}
		return m
	}
	sign := func(h, p map[string]any) string { return forge(t, h, p, sha256.New, secretA) }
	_, err = s.Verify(sign(header, payload))
	require.NoError(t, err, "the forger's tool makes good tokens, so that what follows fails for its own reason")
	parts := strings.Split(good, ".")
	_, private, err := ed25519.GenerateKey(nil)
	require.NoError(t, err)
	edInput := encode(t, with(header, "alg", "EdDSA")) + "." + parts[1]
	for name, text := range map[string]string{
		"empty": "", "dots": "..", "one part": parts[0], "two parts": parts[0] + "." + parts[1], "four parts": good + ".x",
		"no signature": parts[0] + "." + parts[1] + ".", "spaces": " " + good, "newline": good + "\n", "NUL": good + "\x00",
		"alg none":           encode(t, with(header, "alg", "none")) + "." + parts[1] + ".",
		"alg None, signed":   sign(with(header, "alg", "None"), payload),
		"alg missing":        sign(with(header, "alg", nil), payload),
		"alg number":         sign(with(header, "alg", 256), payload),
		"alg lower case":     sign(with(header, "alg", "hs256"), payload),
		"HS384":              forge(t, with(header, "alg", "HS384"), payload, sha512.New384, secretA),
		"HS512":              forge(t, with(header, "alg", "HS512"), payload, sha512.New, secretA),
		"EdDSA":              edInput + "." + base64.RawURLEncoding.EncodeToString(ed25519.Sign(private, []byte(edInput))),
		"RS256 by HMAC":      sign(with(header, "alg", "RS256"), payload),
		"payload edited":     parts[0] + "." + encode(t, with(payload, "sub", "1")) + "." + parts[2],
		"header edited":      encode(t, with(header, "kid", "b")) + "." + parts[1] + "." + parts[2],
		"foreign secret":     forge(t, header, payload, sha256.New, "another secret that has 32 bytes."),
		"empty secret":       forge(t, header, payload, sha256.New, ""),
		"other key's secret": forge(t, header, payload, sha256.New, secretB),
		"unknown kid":        sign(with(header, "kid", "c"), payload),
		"no kid":             sign(with(header, "kid", nil), payload),
		"empty kid":          sign(with(header, "kid", ""), payload),
		"kid a list":         sign(with(header, "kid", []string{"a"}), payload),
		"kid a path":         sign(with(header, "kid", "../../dev/null"), payload),
		"embedded key":       forge(t, with(header, "jwk", map[string]any{"kty": "oct", "k": "eA"}), payload, sha256.New, "x"),
		"wrong audience":     sign(header, with(payload, "aud", "gpatlas-mail")),
		"wrong audiences":    sign(header, with(payload, "aud", []string{"x", "gpatlas"})),
		"no audience":        sign(header, with(payload, "aud", nil)),
		"wrong issuer":       sign(header, with(payload, "iss", "mossgate")),
		"no issuer":          sign(header, with(payload, "iss", nil)),
		"expired":            sign(header, with(payload, "exp", now.Unix())),
		"no expiry":          sign(header, with(payload, "exp", nil)),
		"expiry a text":      sign(header, with(payload, "exp", "2099-01-01")),
		"not yet":            sign(header, with(payload, "nbf", now.Add(time.Hour).Unix())),
		"no subject":         sign(header, with(payload, "sub", nil)),
		"subject 0":          sign(header, with(payload, "sub", "0")),
		"subject negative":   sign(header, with(payload, "sub", "-1")),
		"subject with plus":  sign(header, with(payload, "sub", "+4711")),
		"subject padded":     sign(header, with(payload, "sub", "04711")),
		"subject too large":  sign(header, with(payload, "sub", "99999999999999999999")),
		"subject SQL":        sign(header, with(payload, "sub", "1 OR 1=1")),
		"no session":         sign(header, with(payload, "sid", nil)),
		"other session kind": sign(header, with(payload, "sid", "x")),
		"session a number":   sign(header, with(payload, "sid", 1)),
		"refresh token":      token.NewRefresh(),
		"API key":            "gpa_live_4mNq7Wz2",
		"crit unknown":       sign(with(header, "crit", []string{"x-ours"}), with(payload, "x-ours", 1)),
		"crit of a claim":    sign(with(header, "crit", []string{"exp"}), payload),
		"crit b64":           sign(with(with(header, "b64", false), "crit", []string{"b64"}), payload),
		"crit empty":         sign(with(header, "crit", []string{}), payload),
		"crit a text":        sign(with(header, "crit", "exp"), payload),
		"crit null":          sign(with(header, "crit", json.RawMessage("null")), payload),
		"too long":           sign(header, with(payload, "x", strings.Repeat("x", 4096))),
		"padded base64":      parts[0] + "=." + parts[1] + "." + parts[2],
	} {
		_, err := s.Verify(text)
		require.Error(t, err, name)
	}
}

// A signature has one spelling: the bits that base64 leaves over must be zero.
func TestSignatureIsNotMalleable(t *testing.T) {
	t.Parallel()
	s := signer(t, keyA, now)
	good, err := s.Sign(4711, sessionID)
	require.NoError(t, err)
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	accepted := 0
	for _, last := range alphabet {
		if _, err := s.Verify(good[:len(good)-1] + string(last)); err == nil {
			accepted++
		}
	}
	require.Equal(t, 1, accepted)
}

// No text is a token but those that were signed, and none makes the verification panic.
func FuzzVerify(f *testing.F) {
	s := signer(f, keyA+","+keyB, now)
	// Always the same one: each worker process makes it again.
	good := forge(f, map[string]any{"alg": "HS256", "kid": "a"}, map[string]any{
		"iss": "gpatlas", "aud": "gpatlas-api", "sub": "4711", "sid": sessionID, "exp": now.Add(time.Minute).Unix(),
	}, sha256.New, secretA)
	_, err := s.Verify(good)
	require.NoError(f, err)
	parts := strings.Split(good, ".")
	for _, seed := range []string{
		good, "", "..", "a.b.c", parts[0] + "." + parts[1] + ".", parts[0] + ".e30." + parts[2], "eyJhbGciOiJub25lIn0.e30.",
		"bnVsbA.bnVsbA.bnVsbA", "W10.W10.W10", "eyJhbGciOiJIUzI1NiIsImtpZCI6ImEifQ.e30.AAAA", good + good, token.NewRefresh(), "\xff.\x00.\n",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		claims, err := s.Verify(text)
		if err == nil && text != good {
			t.Fatalf("accepted %q as %+v", text, claims)
		}
		if err != nil && claims != (token.Claims{}) {
			t.Fatalf("%q: claims beside an error: %+v", text, claims)
		}
	})
}

func part(tb testing.TB, text string, i int) map[string]any {
	tb.Helper()
	raw, err := base64.RawURLEncoding.DecodeString(strings.Split(text, ".")[i])
	require.NoError(tb, err)
	var m map[string]any
	require.NoError(tb, json.Unmarshal(raw, &m))
	return m
}

func encode(tb testing.TB, m map[string]any) string {
	tb.Helper()
	raw, err := json.Marshal(m)
	require.NoError(tb, err)
	return base64.RawURLEncoding.EncodeToString(raw)
}

// forge makes a token by hand.
func forge(tb testing.TB, header, payload map[string]any, digest func() hash.Hash, secret string) string {
	tb.Helper()
	input := encode(tb, header) + "." + encode(tb, payload)
	mac := hmac.New(digest, []byte(secret))
	_, _ = mac.Write([]byte(input))
	return input + "." + base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}
