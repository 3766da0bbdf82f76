package token_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/accounts/internal/token"
)

func TestParseKeys(t *testing.T) {
	t.Parallel()
	raw := strings.Repeat("\xfb\xff", 16)
	for _, good := range []string{
		keyA, keyA + "," + keyB, " " + keyA + " , " + keyB, strings.TrimRight(keyA, "="),
		"u:" + base64.URLEncoding.EncodeToString([]byte(raw)), "u:" + base64.RawStdEncoding.EncodeToString([]byte(raw)), token.GenerateKeys(now),
	} {
		_, err := signer(t, good, now).Sign(1, sessionID)
		require.NoError(t, err, good)
	}
	secret := base64.StdEncoding.EncodeToString([]byte("only thirty-one bytes are here."))
	for bad, want := range map[string]string{
		"a": "form", ":" + secret: "form", "a b:" + secret: "form", "a:%%%": "base64", "a:" + secret: "31 bytes", "a:": "0 bytes",
		keyA + "," + keyA: "key 2 has the same ID", keyA + ",": "key 2 is not of the form", "," + keyA: "key 1",
	} {
		_, err := token.ParseKeys(bad)
		require.ErrorContains(t, err, want, bad)
		require.NotContains(t, err.Error(), secret)
	}
}

func TestRandomTokens(t *testing.T) {
	t.Parallel()
	require.Regexp(t, `^gpar_[A-Za-z0-9_-]{43}$`, token.NewRefresh())
	require.Regexp(t, `^sess_[a-z2-7]{26}$`, token.NewSessionID())
	require.Regexp(t, `^k20261120:[A-Za-z0-9+/]{43}=$`, token.GenerateKeys(now))
	seen := map[string]bool{}
	for range 1000 {
		for _, text := range []string{token.NewRefresh(), token.NewSessionID(), token.GenerateKeys(now)} {
			require.False(t, seen[text])
			seen[text] = true
		}
	}
	require.Len(t, token.Hash("x"), 32)
	require.NotEqual(t, token.Hash("x"), token.Hash("y"))
}
